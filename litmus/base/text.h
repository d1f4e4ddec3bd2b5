/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_TEXT_H
#define LITMUS_BASE_TEXT_H

#include <glib.h>

#include "litmus/base/arena.h"

/* A text that grows while it is written and then stays in an arena. A text that is never closed is
 * freed with the arena. */
struct text {
    GString *out;
    struct tie tie;
};

struct text *text_open(struct arena *arena);
/* The text in 'arena', which may be another one than it was opened with. */
const char *text_close(struct text *text, struct arena *arena);

#endif
