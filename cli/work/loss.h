/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_LOSS_H
#define CLI_WORK_LOSS_H

#include "cli/options/settings.h"
#include "cli/work/pool.h"

struct arena;

/* One line: which of the limits was exceeded, or how the worker died. */
const char *loss_words(struct arena *arena, const struct loss *loss, const struct settings *limits,
                       const char *path);

#endif
