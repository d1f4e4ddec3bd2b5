/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_ROTATE_H
#define MODEL_UNFOLD_THREAD_ROTATE_H

#include "model/unfold/builder/step.h"

/* The body, with every loop beginning where it is entered. Compilers put what a loop does only between two rounds, such as
 * counting them, in front of it:
 *
 *         bra HEAD;                    bra HEAD;
 *     AGAIN: n = n + 1;            HEAD: …
 *     HEAD: …                          @again bra AGAIN;
 *         @again bra AGAIN;   →        …
 *         …                            bra HEAD;
 *         bra HEAD;                AGAIN: n = n + 1;
 *                                      bra HEAD;
 *
 * so that one loop is two, of which one is entered in its middle. */
const struct body *rotate_loops(struct builder *b, const struct body *body);

#endif
