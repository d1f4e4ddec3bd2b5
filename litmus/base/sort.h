/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_SORT_H
#define LITMUS_BASE_SORT_H

#include <stdlib.h>

/* Sorts an array as qsort does, which must not be given NULL; an empty array may be NULL. */
static inline void sort_array(void *at, size_t count, size_t item_bytes,
                              int (*compare)(const void *, const void *))
{
    if (count)
        qsort(at, count, item_bytes, compare);
}

#endif
