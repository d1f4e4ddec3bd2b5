/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_ODOMETER_H
#define MODEL_MACHINE_SEARCH_ODOMETER_H

#include "model/machine/core/run.h"

/* The choices made during one move. A move is repeated with the same choices, then with the next
 * ones, the last choice varying fastest, until all were tried. */

enum { ODOMETER_CHOICES = 256 };
struct odometer {
    struct chooser chooser;
    uint32_t chosen[ODOMETER_CHOICES], counts[ODOMETER_CHOICES], made, given;
};

/* Before the first repetition of a move. */
void odometer_start(struct odometer *odometer);
/* The next combination after the one just tried; false when it was the last. Set 'made' to 0
 * before it is used. */
bool odometer_next(struct odometer *odometer);

#endif
