/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_PLACES_H
#define CLI_REPAIR_PLACES_H

#include "cli/repair/repair.h"

/* The places of the test to look through, one set after the other until one has a proposal: the calls of a host program,
 * then the code of its kernels, in their CUDA C++ where that is at hand. False: there is no set of that number. */
bool places_stronger(struct repair *repair, uint32_t number);
void places_weaker(struct repair *repair);
/* Finds the CUDA C++ of the kernels. False: the edits of a .cu file are wanted, and its PTX names no lines of it. */
bool places_begin(struct repair *repair);

#endif
