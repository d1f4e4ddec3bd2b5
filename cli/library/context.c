/* SPDX-License-Identifier: MIT
 *
 * Contexts of the library, and the limits under which they work. */
#include <stdio.h>
#include <string.h>

#include "cli/library/library.h"

const char *ptxlit_version(void)
{
    return PTXLIT_VERSION;
}

ptxlit_context *ptxlit_new(void)
{
    struct arena *arena = arena_new();
    ptxlit_context *context = ARENA_NEW(arena, ptxlit_context);
    context->arena = arena;
    options_default(&context->options);
    return context;
}

void ptxlit_free(ptxlit_context *context)
{
    if (context)
        arena_free(context->arena);
}

bool ptxlit_set(ptxlit_context *context, const char *name, double value)
{
    static const char *const limits[] = {"timeout", "memory-limit", "unroll", "states"};
    const struct option_row *row = option_find(name, strlen(name));
    bool known = false;
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++)
        known |= strcmp(name, limits[i]) == 0;
    if (!known || !option_fits(row, value))
        return false;
    option_store(&context->options, row, value, NULL);
    return true;
}

/* ---- limits --------------------------------------------------------------------------------- */

/* The search keeps to the time itself and then has what it found so far. What does not (reading,
 * unfolding) is left a little later, as the workers of the command line are. */
static double patience(double seconds)
{
    return seconds > 0 ? seconds * 1.25 + 1 : 0;
}

enum ptxlit_status library_run(ptxlit_context *context, void (*work)(void *task), void *task)
{
    static const enum ptxlit_status statuses[] = {
        [ARENA_DONE] = PTXLIT_OK, [ARENA_MEMORY] = PTXLIT_MEMORY, [ARENA_TIME] = PTXLIT_TIME};
    struct arena_limits limits = {
        .bytes = (size_t)context->options.settings.memory_limit << 20,
        .elsewhere = solver_memory,
        .seconds = patience(context->options.settings.timeout),
    };
    return statuses[arena_run(context->arena, &limits, work, task)];
}

struct job *library_job(ptxlit_test *test, struct library_answer *answer)
{
    const struct settings *limits = &test->context->options.settings;
    answer->arena = arena_scratch(test->arena);
    struct job *job = ARENA_NEW(answer->arena, struct job);
    *job = test->job;
    job->arena = answer->arena;
    job->started = job_clock();
    test->settings.timeout = limits->timeout;
    test->settings.memory_limit = limits->memory_limit;
    test->settings.states = limits->states;
    return job;
}

static void forget(struct library_answer *answer)
{
    arena_free(answer->arena);
    answer->arena = NULL;
}

const char *library_answer(ptxlit_test *test, struct library_answer *answer,
                           void (*work)(void *test))
{
    const struct settings *limits = &test->context->options.settings;
    forget(answer);
    enum ptxlit_status status = library_run(test->context, work, test);
    if (status == PTXLIT_OK)
        return NULL;
    forget(answer);
    if (status == PTXLIT_TIME)
        snprintf(answer->stopped, sizeof answer->stopped, "time: more than %g s", limits->timeout);
    else
        snprintf(answer->stopped, sizeof answer->stopped, "memory: more than %u MiB",
                 limits->memory_limit);
    return answer->stopped;
}
