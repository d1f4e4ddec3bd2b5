/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_OPTION_H
#define LITMUS_EDIT_OPTION_H

#include "litmus/edit/place.h"

/* Adds a choice to a place, unless it has all that it can hold. */
static inline void option_add(struct arena *arena, struct edit_place *place,
                              struct edit_option option)
{
    if (place->options.len < EDIT_MOST_OPTIONS)
        vec_push(arena, &place->options, option);
}

#endif
