/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_AGAIN_H
#define MODEL_UNFOLD_THREAD_AGAIN_H

#include "model/unfold/builder/builder.h"

/* When the write only writes again what the same instruction of its thread wrote last, with nothing written there in between,
 * nor read there since 'first', where the round begins: whoever reads the one could have read the other, which depends on
 * no more. */
expr_id again_writes(struct builder *b, event_id first, event_id write);

#endif
