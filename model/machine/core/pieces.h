/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_PIECES_H
#define MODEL_MACHINE_CORE_PIECES_H

#include "model/machine/core/run.h"

/* What an asynchronous copy moves, in pieces that lie in a row on both sides: bytes are one piece, a box of a tensor has
 * several for each of its rows (PTX 5.5). */

struct stretch {
    uint64_t to, from;
    uint32_t bytes;      /* written */
    uint32_t read_bytes; /* of these come from 'from' */
    uint64_t fill;       /* what follows them, by 8 bytes */
};

struct pieces {
    const struct copy *copy;
    const struct machine_map *map; /* NULL: bytes */
    uint32_t row, rows, byte, row_bytes;
};

struct pieces pieces_of(const struct run *run, const struct copy *copy);
/* False: there is none left. */
bool pieces_next(struct pieces *pieces, struct stretch *piece);
/* What the elements of a reduction are. */
enum type pieces_type(const struct run *run, const struct copy *copy, const struct inst *inst);

#endif
