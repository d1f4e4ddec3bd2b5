/* SPDX-License-Identifier: MIT */
#ifndef CLI_EMIT_EMIT_H
#define CLI_EMIT_EMIT_H

#include <stdio.h>

#include "cli/work/batch.h"

/* What the files of 'ptxlit emit' share: a test becomes a kernel, many copies of which run at
 * once. */

enum {
    EMIT_WARP = 32,
    EMIT_MOST_PLACES =
        28, /* operands of an asm statement: 30, of which two say where registers go */
    EMIT_MOST_VALUES = 64,
    EMIT_MOST_CTAS = 1 << 16,
    EMIT_MOST_VIEWS = 4,
    EMIT_MOST_ADDRESSES = 16, /* MOST_POINTERS of device.cu */
    EMIT_MOST_GPUS = 8,
    EMIT_CLUSTER_TARGET = 900, /* see ptx_target.h */
    EMIT_SURFACE_BYTES = 16    /* that the order of an array keeps together */
};

/* Where the threads of one copy run. A column has a warp of its own, whose lanes run as many
 * copies, unless lanes matter to the test, or a barrier would mix what copies do; a kernel has its
 * launch, once. */
struct emit_layout {
    uint32_t ctas, warps; /* CTAs, those of a cluster side by side; warps of each */
    uint32_t cluster;     /* CTAs of a cluster */
    uint32_t lanes;       /* copies that share their warps: 32 or 1 */
    bool lone;            /* one, whose lane is alone in its warp: the others leave at once */
    uint32_t *cta, *warp, *lane; /* a column's */
    uint32_t gpus;               /* that its columns are on; the CTAs of one lie side by side */
    uint32_t ctas_of[EMIT_MOST_GPUS];
    bool whole; /* a launch: its threads can see their CTA's number, so there is one copy */
};
/* For a test that is not hosted. In 'arena'. */
struct emit_layout *emit_layout(struct arena *arena, const struct test *test);
/* The CTA of the layout that has the shared location; false when no column is in it. */
bool emit_cta(const struct test *test, const struct emit_layout *at, const struct location *shared,
              uint32_t *index);

/* Through what the name reaches its bytes: the generic proxy, or a texture, surface or constant bank. */
enum proxy emit_path(const struct test *test, uint32_t location);
/* Which of the names of its bytes, all of which have addresses of their own, the location is: 0 of one that is no alias. A texture or
 * surface is over the name that it is an alias of. */
uint32_t emit_view(const struct test *test, uint32_t location);

/* Operands of an asm statement that reaches all locations with a place (view.h). */
uint32_t emit_operands(const struct test *test, const uint32_t *number);

/* Writes what the program begins with: who made it ("ptxlit 1.0"), and all that does not depend on its tests. */
void emit_runtime(const char *maker, FILE *to);
/* Prints what the program has of one test. */
test_work emit_test;

/* The parts of the outcome that the test asks about, as the template takes them: {"comma", "holds"}, the latter an
 * expression over the values 'v' of a state. None where there is no question. */
json_t *emit_asked(const struct test *test);
/* Does the question compare an address? Only the device knows those, and each copy has its own. */
bool emit_asks_for_address(const struct test *test);

/* The final states that the model allows, as the template takes them: {"comma", "values"}, one of which has a value for each
 * that is observed. None where the model does not say it all: the search did not end, or some execution is undefined. */
json_t *emit_allowed(struct batch_job *one);

/* Can the job's test be written? Else false, and job->diags names what is in the way. */
bool emit_can_start(struct job *job);
bool emit_can_write(struct job *job, const struct emit_layout *at);
/* Is it run by calls of the host, one run after the other: a host program, or several launches at once? */
bool emit_is_hosted(const struct test *test);
/* The same of all that a host program has beyond the code of its kernels. */
bool emit_can_write_host(struct job *job);
/* The same of launches at once, without a host program. */
bool emit_can_write_launches(struct job *job);
/* Reports that the test is left out for what is at 'span'; false. */
bool emit_refuse(struct job *job, struct span span, const char *what);

#endif
