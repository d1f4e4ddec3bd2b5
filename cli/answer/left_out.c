/* SPDX-License-Identifier: MIT */
#include "cli/answer/left_out.h"

#include <string.h>

#include "litmus/test/host.h"

/* The host side, with the fault as the code that the question depends on. */
static struct host_program *open_host(struct arena *arena, const struct host_program *host,
                                      const struct diag *fault)
{
    struct host_program *copy = ARENA_NEW(arena, struct host_program);
    struct host_gap *gaps = ARENA_ARRAY(arena, struct host_gap, host->gap_count + 1);
    *copy = *host;
    gaps[0] = (struct host_gap){fault->span, fault->message, fault->hint};
    for (uint32_t i = 0; i < host->gap_count; i++)
        gaps[i + 1] = host->gaps[i];
    copy->gaps = gaps;
    copy->gap_count++;
    copy->unmodelled = &gaps[0];
    return copy;
}

static struct body *empty_kernels(struct arena *arena, const struct test *test)
{
    struct body *bodies = ARENA_ARRAY(arena, struct body, test->body_count);
    memcpy(bodies, test->bodies, test->body_count * sizeof *bodies);
    for (uint32_t i = 0; i < test->launch_count; i++) {
        struct body *kernel = &bodies[test->launches[i].kernel];
        kernel->inst_count = kernel->label_count = 0;
    }
    return bodies;
}

const struct test *left_out_kernels(struct arena *arena, const struct test *test,
                                    const struct diag *fault)
{
    if (!test->host || !test->host->is_file || fault->id != DIAG_unfold_unsupported)
        return NULL;
    struct test *copy = ARENA_NEW(arena, struct test);
    *copy = *test;
    copy->host = open_host(arena, test->host, fault);
    copy->bodies = empty_kernels(arena, test);
    return copy;
}
