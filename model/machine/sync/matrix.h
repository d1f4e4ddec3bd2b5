/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_MATRIX_H
#define MODEL_MACHINE_SYNC_MATRIX_H

#include "model/machine/core/run.h"

/* A matrix instruction of a warp whose lanes, a set of positions, stand at it: PTX 9.7.14. Which element of a matrix a
 * register of wmma holds PTX leaves open; mma, ldmatrix and their like say it. */
void matrix_execute(struct run *run, uint32_t warp, uint32_t lanes);

#endif
