/* SPDX-License-Identifier: MIT */
#include "litmus/random/shrink.h"

#include <string.h>

void shrink_list(void *items, size_t bytes, uint32_t *count, uint32_t item)
{
    char *at = (char *)items + item * bytes;
    memmove(at, at + bytes, (*count - item - 1) * bytes);
    --*count;
}

/* The steps of one item: each way that changes it, and leaving it out. */
static bool shrink_item(const struct shrinking *s, const void *program, uint32_t thread,
                        uint32_t item, uint32_t *steps, void *smaller)
{
    for (uint32_t way = 0; way <= s->ways; way++) {
        memcpy(smaller, program, s->bytes);
        bool changed = way == s->ways || s->make_plainer(smaller, thread, item, way);
        if (way == s->ways)
            s->drop_item(smaller, thread, item);
        if (changed && (*steps)-- == 0)
            return true;
    }
    return false;
}

bool shrink(const struct shrinking *s, const void *program, uint32_t step, void *smaller)
{
    uint32_t droppable = s->threads > 1 ? s->threads : 0;
    if (step < droppable) {
        memcpy(smaller, program, s->bytes);
        s->drop_thread(smaller, step);
        return true;
    }
    step -= droppable;
    for (uint32_t t = 0; t < s->threads; t++)
        for (uint32_t i = 0; i < s->count[t]; i++)
            if (shrink_item(s, program, t, i, &step, smaller))
                return true;
    return false;
}
