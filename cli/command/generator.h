/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_GENERATOR_H
#define CLI_COMMAND_GENERATOR_H

#include "cli/options/options.h"
#include "litmus/generate/enumerate.h"

/* What the command line says about generated tests. */
struct generator {
    struct generate_bounds bounds;
    struct generate_share share;
};
/* False after an error, which standard error has. */
bool generator_read(struct arena *arena, const struct options *options,
                    struct generator *generator);

#endif
