/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_SHRINK_H
#define LITMUS_RANDOM_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smaller programs of one that consists of threads, which are lists: without a thread, without an item of one, with an
 * item made plainer in one of several ways. */
struct shrinking {
    size_t bytes; /* of a program */
    uint32_t threads;
    const uint32_t *count; /* a thread: its items */
    uint32_t ways;
    void (*drop_thread)(void *program, uint32_t thread);
    void (*drop_item)(void *program, uint32_t thread, uint32_t item);
    /* False: the item is as plain as that way makes it. */
    bool (*make_plainer)(void *program, uint32_t thread, uint32_t item, uint32_t way);
};

/* Makes 'smaller' the 'step'-th program that is smaller; false when there is none. */
bool shrink(const struct shrinking *shrinking, const void *program, uint32_t step, void *smaller);
/* Takes one of 'count' items of so many bytes out of a list. */
void shrink_list(void *items, size_t bytes, uint32_t *count, uint32_t item);

#endif
