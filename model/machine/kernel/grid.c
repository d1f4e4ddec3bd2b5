/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/grid.h"

#include <glib.h>
#include <string.h>

#include "model/machine/kernel/disturbed.h"
#include "model/machine/kernel/grid_lockstep.h"
#include "model/machine/kernel/schedules.h"
#include "model/machine/kernel/weak_runs.h"
#include "model/machine/kernel/worker.h"
#include "model/machine/core/heap.h"
#include "model/machine/core/place.h"
#include "model/machine/core/region.h"
#include "model/machine/race/predict.h"
#include "model/machine/race/race.h"
#include "model/machine/race/stale.h"
#include "model/machine/setup/setup.h"

/* Of a host thread, when no other bound is asked for: hours. */
#define MOST_STEPS (UINT64_C(1) << 42)

/* ---- setting up ---------------------------------------------------------------------------- */

/* Memory of malloc stays until it is released, from launch to launch. */
static void set_up_heap(struct grid_worker *w, const struct grid_result *before)
{
    const struct region *region = region_of_location(w->machine, w->machine->heap);
    if (!before || !before->heap) {
        w->v.run.heap = heap_new(w->arena, region->base);
        return;
    }
    w->v.run.heap = heap_copy(w->arena, before->heap);
    memcpy(w->v.memory->bytes + region->memory, grid_location(before, before->machine->heap),
           heap_used(before->heap)); /* one host thread runs what has a heap */
}

static bool set_up(struct grid_worker *w, struct grid *grid, struct arena *arena,
                   struct diag_list *diags)
{
    w->grid = grid;
    w->arena = arena;
    struct machine_options options = grid->options->machine;
    options.max_steps = grid->most_steps;
    w->machine = machine_new_cluster(arena, grid->test, grid->launch, &options, diags);
    if (!w->machine)
        return false;
    findings_start(&w->findings, arena);
    w->v.memory = (struct memory_sc *)(grid->first ? memory_sc_new_beside(arena, w->machine,
                                                                          grid->first->v.memory)
                                                   : memory_sc_new(arena, w->machine));
    w->v.run = (struct run){.machine = w->machine,
                            .memory = &w->v.memory->memory,
                            .reports = &w->findings.here,
                            .printed = w->findings.print,
                            .state = arena_alloc(arena, w->machine->state_bytes + 1)};
    if (w->machine->heap != NONE)
        set_up_heap(w, grid->options->before);
    const struct program *program = machine_program(w->machine, 0);
    w->v.cache = ARENA_ARRAY(arena, struct cached_region, program->micro_count);
    w->v.turns = ARENA_ARRAY(arena, struct turn, w->machine->warp_count);
    idle_new(&w->idling, arena, program);
    w->v.direction = grid->direction;
    if (grid->schedule && !grid->direction)
        w->v.disturbance = disturbed_new(arena, grid->options->seed, grid->schedule, grid->total);
    w->v.weak = grid->weak;
    if (grid->options->races || w->v.weak) {
        w->v.race = race_new(w->machine);
        memory_sc_watch(&w->v.memory->memory, w->v.race);
        if (grid->predictions && !grid->direction && disturbed_differs(program))
            race_predict(w->v.race, grid->predictions);
        if (w->v.weak) {
            race_remember(w->v.race);
            w->v.run.chooser = disturbed_chooser(w->v.disturbance);
        }
    }
    return true;
}

static void free_printed(void *printed)
{
    g_string_free(printed, true);
}

/* Lives as long as the arena. */
static GString *printed_new(struct arena *arena)
{
    GString *printed = g_string_new(NULL);
    arena_tie(arena, ARENA_NEW(arena, struct tie), free_printed, printed);
    return printed;
}

/* Without what it did for clusters behind the one that ended the launch. */
static void add_worker(struct grid_result *result, const struct grid_worker *w)
{
    result->instructions += w->v.instructions;
    result->steps += w->v.run.steps;
    for (uint32_t i = 0; i < w->costs.len; i++)
        if (w->costs.at[i].index > (uint32_t)w->grid->last) {
            result->instructions -= w->costs.at[i].instructions;
            result->steps -= w->costs.at[i].steps;
        }
    result->clusters += w->clusters;
    result->hang |= w->hang;
    result->bound |= w->bound;
}

static void collect(struct grid_result *result, const struct grid *grid)
{
    const struct grid_worker *first = grid->first;
    const struct findings **found =
        ARENA_ARRAY(first->arena, const struct findings *, grid->helper_count + 1);
    found[0] = &first->findings;
    add_worker(result, first);
    for (uint32_t i = 0; i < grid->helper_count; i++) {
        found[i + 1] = &grid->helpers[i]->findings;
        add_worker(result, grid->helpers[i]);
    }
    result->reports.arena = first->arena;
    result->printed = printed_new(first->arena);
    findings_collect(found, grid->helper_count + 1,
                     grid->threads == 1 ? UINT32_MAX : (uint32_t)grid->last, &result->reports,
                     result->printed);
    result->memory = grid->globals;
    result->heap = first->v.run.heap;
    result->machine = first->machine;
    if (grid->last != G_MAXINT && grid->threads > 1)
        result->clusters = (uint64_t)grid->last;
    result->done = result->clusters == grid->total;
    result->schedules = 1;
}

/* ---- the host threads of a launch ---------------------------------------------------------- */

/* Steps of lanes that one host thread makes in the time that it takes to start another one and more: it runs a
 * launch alone for as long, and to the end if no more than that seems to be left. */
enum { WORTH_HELP = 1 << 21, START = 512 /* as long as a cluster takes to start */ };

static gpointer help(gpointer data)
{
    struct grid_worker *w = data;
    struct diag_list diags = {.arena = w->arena};
    if (set_up(w, w->grid, w->arena, &diags)) /* as it did for the first */
        worker_work(w);
    return NULL;
}

static bool needs_help(const struct grid_worker *w)
{
    const struct grid *grid = w->grid;
    uint64_t begun = (uint64_t)grid->next;
    if (grid->helpers || grid->threads == 1 || begun >= grid->total || worker_is_stopped(w))
        return false;
    uint64_t done = w->v.run.steps + START * begun;
    return done > WORTH_HELP && done / begun * (grid->total - begun) > WORTH_HELP;
}

void grid_call_helpers(struct grid_worker *w)
{
    struct grid *grid = w->grid;
    if (!needs_help(w))
        return;
    uint32_t count = MIN(grid->threads, grid->total - (uint32_t)grid->next + 1) - 1;
    grid->helpers = ARENA_ARRAY(w->arena, struct grid_worker *, count);
    grid->host_threads = ARENA_ARRAY(w->arena, GThread *, count);
    for (uint32_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        grid->helpers[i] = ARENA_NEW(arena, struct grid_worker);
        *grid->helpers[i] = (struct grid_worker){.grid = grid, .arena = arena};
        grid->host_threads[i] = g_thread_new("grid", help, grid->helpers[i]);
    }
    grid->helper_count = count;
}

static void tear_down(struct grid *grid)
{
    race_free(grid->first->v.race);
    findings_end(&grid->first->findings);
    for (uint32_t i = 0; i < grid->helper_count; i++) {
        findings_end(&grid->helpers[i]->findings);
        arena_free(grid->helpers[i]->arena);
    }
}

static bool tells_order(const struct grid_worker *w)
{
    const struct program *program = machine_program(w->machine, 0);
    return w->v.run.heap || program->cancels || program_tells_order(w->arena, program);
}

/* NULL after an error, or when a cluster waits for another one and there are several threads. */
static struct grid_result *attempt(struct arena *arena, struct grid *grid, struct diag_list *diags)
{
    struct grid_worker *w = ARENA_NEW(arena, struct grid_worker);
    struct grid_result *result = NULL;
    grid->first = NULL;
    grid->helpers = NULL;
    grid->helper_count = 0;
    bool good = set_up(w, grid, arena, diags);
    grid->first = w;
    if (good) {
        grid->globals = w->v.memory->bytes;
        grid->threads = tells_order(w) ? 1 : grid->threads;
        worker_work(w);
        for (uint32_t i = 0; i < grid->helper_count; i++)
            g_thread_join(grid->host_threads[i]);
    }
    if (good && !grid->alone)
        collect(result = ARENA_NEW(arena, struct grid_result), grid);
    tear_down(grid);
    return result;
}

struct grid_result *grid_attempt(struct arena *arena, struct grid *grid, struct diag_list *diags)
{
    grid->threads = 1;
    grid->next = grid->stop = grid->alone = 0;
    grid->last = G_MAXINT;
    return attempt(arena, grid, diags);
}

struct grid_result *grid_run(struct arena *arena, const struct test *test, uint32_t launch,
                             const struct grid_options *options, struct diag_list *diags)
{
    if (options->machine.mode == MACHINE_LOCKSTEP)
        return grid_run_lockstep(arena, test, launch, options, diags);
    struct grid grid = {.test = test,
                        .launch = launch,
                        .options = options,
                        .weak = options->weak_runs,
                        .threads = options->races || !options->threads ? 1 : options->threads,
                        .last = G_MAXINT,
                        .most_steps =
                            options->machine.max_steps ? options->machine.max_steps : MOST_STEPS,
                        .total = place_clusters(&test->launches[launch])};
    struct predictions predictions = {.arena = arena};
    if (options->races && !options->weak_runs)
        grid.predictions = &predictions;
    if (options->seconds > 0)
        grid.deadline = g_get_monotonic_time() + (gint64)(options->seconds * 1e6);
    struct grid_result *result =
        options->weak_runs ? weak_runs(arena, &grid, diags) : attempt(arena, &grid, diags);
    if (grid.alone)
        result = grid_attempt(arena, &grid, diags);
    if (result && !options->weak_runs && options->races && !result->bound)
        schedules_run(&grid, result);
    return result;
}

const uint8_t *grid_location(const struct grid_result *result, uint32_t location)
{
    for (uint32_t i = 0; i < result->machine->region_count; i++)
        if (result->machine->regions[i].location == location)
            return result->memory + result->machine->regions[i].memory;
    return NULL;
}
