/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_BETWEEN_H
#define CLI_REPAIR_BETWEEN_H

#include "cli/repair/repair.h"

/* Barriers between statements of a .cu file that no instruction stands between: the end of a loop that was unrolled, the
 * join behind an 'if'. The edited PTX cannot show them, so that each is compiled, and what nvcc makes of it is judged. One
 * barrier at a time, and where none suffices two; '__syncwarp()' where that suffices, in loops first. What is found is added
 * to the proposals; nothing without nvcc, or where no block has two threads. It ends with 'most' proposals, or after so
 * many files were compiled. */
void between_find(struct repair *repair, uint32_t most);

#endif
