/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_RACING_H
#define MODEL_UNFOLD_RACING_H

#include "model/unfold/builder/builder.h"

/* Fills b->racing: the spin loops of the graphs in which an iteration that goes round may race where the one that leaves
 * does not. False: there is none. */
bool racing_find(struct builder *b, struct graph **graphs, uint32_t count);

#endif
