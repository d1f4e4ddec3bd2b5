/* SPDX-License-Identifier: MIT */
#include "model/unfold/unfold.h"

#include <assert.h>
#include <string.h>

#include "litmus/test/promises.h"
#include "model/graph/scope.h"
#include "model/host/host.h"
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/lone.h"
#include "model/unfold/racing.h"
#include "model/unfold/thread/thread.h"

/* Pseudo-threads of asynchronous operations come after all others. */
static struct graph *unfold_device(struct builder *b)
{
    if (scope_thread_count(b->test) > MAX_THREADS) {
        builder_fail(b, DIAG_too_many_threads, (struct span){0, 0}, NULL, "more than %u threads",
                     MAX_THREADS);
        return NULL;
    }
    b->threads.at = scope_threads(b->arena, b->test, &b->threads.len);
    b->threads.cap = b->threads.len;
    if (!thread_make_room(b))
        return NULL;
    thread_unfold_all(b, 0, b->device_threads);
    return b->failed ? NULL : freeze(b);
}

/* A cooperative launch whose code meets by cooperative_groups has a workspace of its own. */
static const struct test *with_workspaces(struct builder *b, const struct test *test)
{
    struct test *copy = ARENA_NEW(b->arena, struct test);
    uint32_t count = test->location_count;
    *copy = *test;
    b->workspaces = ARENA_ARRAY(b->arena, uint32_t, test->launch_count + 1);
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct launch *l = &test->launches[i];
        bool meets =
            l->cooperative && body_reads_special(&test->bodies[l->kernel], SPECIAL_ENVREG2);
        b->workspaces[i] = meets ? copy->location_count++ : NONE;
    }
    if (copy->location_count == count)
        return test;
    copy->locations = arena_grow(b->arena, test->locations, count * sizeof *test->locations,
                                 copy->location_count * sizeof *test->locations);
    for (uint32_t i = count; i < copy->location_count; i++)
        copy->locations[i] = test_grid_workspace();
    return copy;
}

static struct builder *builder_new(struct arena *arena, const struct test *test,
                                   const struct unfold_options *options, struct diag_list *diags)
{
    struct builder *b = ARENA_NEW(arena, struct builder);
    b->arena = arena;
    b->test = with_workspaces(b, test);
    b->options = options;
    b->diags = diags;
    b->exprs = expr_pool_new(arena);
    b->deps = (struct deps_context){arena, b->exprs};
    b->private_memory = ARENA_NEW(arena, struct private_memory);
    b->private_memory->escapes = ARENA_ARRAY(arena, bool, b->test->location_count + 1);
    return b;
}

/* A builder that knows what the last one found out of the test. */
static struct builder *builder_again(const struct builder *last, const struct test *test)
{
    struct builder *b = builder_new(last->arena, test, last->options, last->diags);
    b->racing.at = last->racing.at;
    b->racing.len = b->racing.cap = last->racing.len;
    b->lone.at = last->lone.at;
    b->lone.len = b->lone.cap = last->lone.len;
    memcpy(b->private_memory->escapes, last->private_memory->escapes,
           b->test->location_count * sizeof *b->private_memory->escapes);
    return b;
}

static struct graph **unfold_once(struct builder *b, uint32_t *count)
{
    if (b->test->host)
        return host_graphs(b, count);
    struct graph **graphs = ARENA_NEW(b->arena, struct graph *);
    graphs[0] = unfold_device(b);
    *count = 1;
    return graphs[0] ? graphs : NULL;
}

/* With the local memory that escapes in no register. What was said before that was known is said again: 'before'. */
static struct graph **unfold_private(struct builder **b, const struct test *test,
                                     const struct diag_list *before, uint32_t *count)
{
    struct graph **graphs = unfold_once(*b, count);
    while ((*b)->private_memory->again) {
        *(*b)->diags = *before;
        *b = builder_again(*b, test);
        graphs = unfold_once(*b, count);
    }
    return graphs;
}

struct graph **unfold(struct arena *arena, const struct test *test,
                      const struct unfold_options *options, struct diag_list *diags,
                      uint32_t *count)
{
    assert(options->max_events);
    test_promises(test);
    struct diag_list before = *diags;
    struct builder *b = builder_new(arena, test, options, diags);
    struct graph **graphs = unfold_private(&b, test, &before, count);
    struct builder *again = builder_again(b, test);
    if (!graphs || !(options->liveness ? lone_find : racing_find)(again, graphs, *count))
        return graphs;
    *diags = before; /* what it says it says again */
    return unfold_private(&again, test, &before, count);
}
