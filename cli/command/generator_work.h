/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_GENERATOR_WORK_H
#define CLI_COMMAND_GENERATOR_WORK_H

#include "cli/command/generator.h"
#include "cli/work/pool.h"

/* Generated tests that worker processes look at. Each takes a part of the enumeration and makes its tests
 * itself, so that nothing but results passes between processes. */

/* Work on the tests of one part, in a worker: runs 'generator', and fills in 'result'. */
typedef void generator_part(void *context, struct generator *generator, struct result *result);
/* In the caller: what a part gave, in the order of the parts, whatever the number of workers. */
typedef void generator_take(void *context, const struct result *result);
struct generator_work {
    generator_part *part;
    generator_take *take;
    void *context;
};
/* False when a part was lost with its worker, which standard error says. */
bool generator_spread(const struct options *options, const struct generator *generator,
                      const struct generator_work *work);

#endif
