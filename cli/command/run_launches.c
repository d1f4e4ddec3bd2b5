/* SPDX-License-Identifier: MIT
 *
 * 'ptxlit run --launch', of more threads than random schedules of lanes are good for. */
#include "cli/command/run_launches.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/test/host.h"
#include "litmus/test/host_call.h"
#include "litmus/test/launch.h"
#include "model/machine/core/heap.h"
#include "model/machine/kernel/grid.h"
#include "model/machine/setup/setup.h"

enum { FEW_THREADS = 64 };

/* ---- which tests --------------------------------------------------------------------------- */

/* Is the host program nothing but launches, in the order of the test's? */
static bool only_launches(const struct test *test)
{
    const struct host_program *host = test->host;
    if (!host)
        return test->launch_count == 1;
    if (host->thread_count != 1 || host->call_count != test->launch_count ||
        test->bodies[host->threads[0].body].inst_count != host->call_count)
        return false;
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host->calls[i].launch != i)
            return false;
    return true;
}

/* Registers and the memory of a CTA or thread are gone when a launch is over. */
static bool observes_memory(const struct test *test)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind != TERM_LOCATION || (test->locations[term->location].space != SPACE_GLOBAL &&
                                            test->locations[term->location].space != SPACE_CONST))
            return false;
    }
    return true;
}

static bool asks_for_schedules(const struct options *o)
{
    return o->exhaustive || o->until || o->trace || o->timeline || o->lockstep ||
           (o->memory && strcmp(o->memory, "ptx") == 0);
}

/* Between two launches memory is kept in numbers of at most eight bytes. */
static bool can_carry_over(const struct test *test)
{
    bool can = true;
    for (uint32_t i = 0; i < test->location_count && test->launch_count > 1; i++)
        can &= test->locations[i].element_bytes <= sizeof test->locations[i].init->value;
    return can;
}

bool run_launches_can(const struct options *options, const struct test *test)
{
    return test->language == LANGUAGE_PTX && !test->column_count && !asks_for_schedules(options) &&
           only_launches(test) && observes_memory(test) && can_carry_over(test);
}

const char *run_launches_why(struct arena *arena, const struct test *test)
{
    uint64_t threads = 0;
    for (uint32_t i = 0; i < test->launch_count; i++)
        threads += launch_ctas(&test->launches[i]) * launch_volume(test->launches[i].block);
    if (threads > FEW_THREADS)
        return arena_printf(arena, "there are %" PRIu64 " threads, more than %d", threads,
                            FEW_THREADS);
    return heap_is_used(test) ? "device code calls 'malloc'" : NULL;
}

/* ---- running ------------------------------------------------------------------------------- */

/* What memory holds after a launch is what it holds before the next one. */
static void carry_over(struct arena *arena, struct test *test, const struct grid_result *result)
{
    for (uint32_t i = 0; i < test->location_count; i++) {
        struct location *l = &test->locations[i];
        const uint8_t *bytes =
            l->space == SPACE_GLOBAL && l->alias_of == NONE ? grid_location(result, i) : NULL;
        if (!bytes)
            continue;
        l->init = ARENA_ARRAY(arena, struct location_init, l->elements);
        l->initialized = true;
        for (uint32_t k = 0; k < l->elements; k++) {
            l->init[k] = (struct location_init){0, NONE};
            memcpy(&l->init[k].value, bytes + (size_t)k * l->element_bytes, l->element_bytes);
        }
    }
}

static struct test copy_of(struct arena *arena, const struct test *test)
{
    struct test copy = *test;
    copy.locations = ARENA_ARRAY(arena, struct location, test->location_count);
    for (uint32_t i = 0; i < test->location_count; i++)
        copy.locations[i] = test->locations[i];
    copy.host = NULL; /* its calls are made here */
    copy.launch_count = 1;
    return copy;
}

static void add_reports(struct report_list *to, const struct report_list *from)
{
    for (uint32_t i = 0; i < from->items.len; i++)
        report_add(to, &from->items.at[i]);
}

static void count_state(struct job *job, struct histogram *histogram,
                        const struct grid_result *result)
{
    uint64_t *values = ARENA_ARRAY(job->arena, uint64_t, job->test->observed_count + 1);
    machine_observe(result->machine, NULL, result->memory, values);
    outcome_add(&histogram->set, values);
    vec_push(job->arena, &histogram->counts, 1);
}

bool run_launches(struct job *job, const struct options *options, struct run_launches *to)
{
    struct grid_options grid = {.machine = run_machine_options(options),
                                .threads = options->jobs ? options->jobs : g_get_num_processors(),
                                .races = options->races,
                                .seed = options->seed,
                                .memory_limit = (uint64_t)options->settings.memory_limit << 20,
                                .seconds = options->settings.timeout};
    struct test test = copy_of(job->arena, job->test);
    const struct grid_result *result = NULL;
    to->histogram->set = (struct outcome_set){.test = job->test, .arena = job->arena};
    to->histogram->runs = 1;
    to->coverage = (struct run_coverage){.looked = options->races, .whole = true};
    to->printed = "";
    for (uint32_t i = 0; i < job->test->launch_count; i++) {
        if (result)
            carry_over(job->arena, &test, result);
        grid.before = result;
        test.launches = &job->test->launches[i];
        result = grid_run(job->arena, &test, 0, &grid, &job->diags);
        if (!result)
            return false;
        add_reports(to->reports, &result->reports);
        to->coverage.schedules += result->schedules;
        to->coverage.cut = to->coverage.cut || result->cut;
        if (result->printed)
            to->printed = arena_printf(job->arena, "%s%s", to->printed, result->printed->str);
        to->histogram->hangs = result->hang;
        to->histogram->bounds = !result->done && result->bound;
        to->histogram->stopped = !result->done && !result->hang && !result->bound;
        if (!result->done) {
            to->coverage.whole = false;
            to->open = result->bound;
            return true;
        }
    }
    count_state(job, to->histogram, result);
    return true;
}
