/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/grid.h"

#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "model/machine/kernel/directed.h"
#include "model/machine/kernel/disturbed.h"
#include "model/machine/kernel/grid_lockstep.h"
#include "model/machine/kernel/schedules.h"
#include "model/machine/core/heap.h"
#include "model/machine/core/place.h"
#include "model/machine/core/region.h"
#include "model/machine/race/stale.h"
#include "model/machine/setup/setup.h"
#include "model/machine/sync/hang.h"

/* Of a host thread, when no other bound is asked for: hours. */
#define MOST_STEPS (UINT64_C(1) << 42)

/* ---- one cluster --------------------------------------------------------------------------- */

/* It waits for a CTA that has not started: on a full device that one might never start. */
static void note_wait(struct grid_worker *w)
{
    uint32_t started = (uint32_t)g_atomic_int_get(&w->grid->next);
    if (!w->idling.steady || started >= w->grid->total ||
        w->grid->test->launches[w->grid->launch].cooperative)
        return;
    for (uint32_t i = 0; i < w->machine->lane_count; i++)
        if (run_runs(&w->v.run, i)) {
            run_report(&w->v.run, i, REPORT_CROSS_CTA_WAIT,
                       "waits while %u of %u clusters have started", started, w->grid->total);
            return;
        }
}

/* The cluster cannot go on: another one must, if there is any to wait for. */
static void set_aside(struct grid_worker *w)
{
    if (w->grid->threads > 1) {
        g_atomic_int_set(&w->grid->alone, 1);
        return;
    }
    note_wait(w);
    worker_park(w, true);
    w->all_steady = w->all_steady && w->idling.steady;
}

/* Those behind a cluster that ends the launch would not have run any more. */
static void end_launch(struct grid_worker *w)
{
    gint last = g_atomic_int_get(&w->grid->last);
    while (w->v.run.stop && !w->bound && (gint)w->index < last &&
           !g_atomic_int_compare_and_exchange(&w->grid->last, last, (gint)w->index))
        last = g_atomic_int_get(&w->grid->last);
    if (w->bound || w->grid->threads == 1)
        g_atomic_int_set(&w->grid->stop, 1);
}

/* Until it is over, one way or the other, or set aside. */
static void continue_cluster(struct grid_worker *w)
{
    uint64_t before = w->v.run.changes;
    enum cluster_end end = worker_run_cluster(w);
    w->progress += end == CLUSTER_DONE || w->v.run.changes != before;
    if (end == CLUSTER_IDLE)
        set_aside(w);
    else if (w->v.race)
        race_leave_cluster(w->v.race, w->index);
    w->clusters += end == CLUSTER_DONE;
    if (end == CLUSTER_BLOCKED) {
        hang_explain(&w->v.run, NULL);
        w->hang = true;
    }
    if (end == CLUSTER_STOPPED)
        end_launch(w);
    findings_keep(&w->findings, w->index);
}

/* ---- all clusters of a worker -------------------------------------------------------------- */

/* Goes on with each parked cluster once. */
static void round_of_parked(struct grid_worker *w)
{
    uint32_t count = w->parked.len;
    w->all_steady = true;
    for (uint32_t i = 0; i < count && !g_atomic_int_get(&w->grid->stop); i++) {
        struct parked parked = w->parked.at[0];
        memmove(w->parked.at, w->parked.at + 1, (w->parked.len - 1) * sizeof parked);
        w->parked.len--;
        worker_unpark(w, &parked);
        continue_cluster(w);
    }
}

static void give_up(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len && i < 4; i++) {
        worker_unpark(w, &w->parked.at[i]);
        worker_explain_idle(w);
        findings_keep(&w->findings, w->index);
    }
}

/* All clusters are started: those parked go on until they end or nobody moves any more. */
static void finish_parked(struct grid_worker *w)
{
    while (w->parked.len && !g_atomic_int_get(&w->grid->stop)) {
        uint64_t before = w->progress;
        round_of_parked(w);
        if (w->progress == before && w->all_steady) {
            give_up(w);
            break;
        }
    }
    worker_drop_parked(w);
}

/* A run on weak memory in which nothing moves any more: memory is fair in the end, so every load returns the
 * newest value now. Who still waits waits for ever. */
static void finish_weak(struct grid_worker *w)
{
    if (!w->parked.len)
        return;
    race_refresh(w->v.race);
    w->v.disturbance = NULL;
    g_atomic_int_set(&w->grid->next, (gint)w->grid->total); /* all have started */
    finish_parked(w);
}

static bool too_much_parked(const struct grid_worker *w)
{
    uint64_t limit =
        w->grid->options->memory_limit ? w->grid->options->memory_limit : UINT64_C(1) << 30;
    return w->parked.len * (uint64_t)worker_parked_bytes(w) > limit;
}

/* The next cluster, which will not start; there is one host thread. */
static bool cancel_next(struct canceller *canceller, uint32_t *cluster)
{
    struct grid_worker *w =
        (struct grid_worker *)((char *)canceller - offsetof(struct grid_worker, canceller));
    if ((uint32_t)w->grid->next >= w->grid->total)
        return false;
    *cluster = (uint32_t)w->grid->next++;
    w->clusters++;
    return true;
}

static gpointer work(gpointer data)
{
    struct grid_worker *w = data;
    struct grid *grid = w->grid;
    w->canceller.cancel = cancel_next;
    if (!grid->direction && !grid->schedule && grid->threads == 1)
        w->v.run.canceller = &w->canceller;
    if (grid->direction || grid->schedule) {
        (grid->direction ? directed_work : disturbed_work)(w);
        finish_weak(w);
        return NULL;
    }
    for (;;) {
        w->index = (uint32_t)g_atomic_int_add(&grid->next, 1);
        if (w->index >= grid->total || worker_is_stopped(w))
            break;
        worker_start_cluster(w, w->index);
        continue_cluster(w);
        if (too_much_parked(w)) {
            run_report(&w->v.run, 0, REPORT_MEMORY_BOUND,
                       "%u waiting clusters fill the memory limit", w->parked.len);
            w->bound = true;
            findings_keep(&w->findings, w->index);
            g_atomic_int_set(&grid->stop, 1);
        }
    }
    finish_parked(w);
    return NULL;
}

/* ---- setting up ---------------------------------------------------------------------------- */

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
    w->v.memory = (struct memory_sc *)memory_sc_new(arena, w->machine);
    w->v.memory->lock = &grid->lock;
    w->v.run = (struct run){.machine = w->machine,
                            .memory = &w->v.memory->memory,
                            .reports = &w->findings.here,
                            .printed = w->findings.print,
                            .state = arena_alloc(arena, w->machine->state_bytes + 1)};
    if (w->machine->heap != NONE)
        w->v.run.heap = heap_new(arena, region_address(w->machine, 0, w->machine->heap));
    const struct program *program = machine_program(w->machine, 0);
    w->v.cache = ARENA_ARRAY(arena, struct cached_region, program->micro_count);
    w->v.turns = ARENA_ARRAY(arena, struct turn, w->machine->warp_count);
    idle_new(&w->idling, arena, program);
    w->v.direction = grid->direction;
    if (grid->schedule && !grid->direction)
        w->v.disturbance = disturbed_new(arena, grid->options->seed, grid->schedule);
    w->v.weak = grid->options->weak_runs;
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

static void collect(struct grid_result *result, struct grid_worker *workers, uint32_t count)
{
    const struct grid *grid = workers[0].grid;
    const struct findings **found = ARENA_ARRAY(workers[0].arena, const struct findings *, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct grid_worker *w = &workers[i];
        found[i] = &w->findings;
        result->instructions += w->v.instructions;
        result->steps += w->v.run.steps;
        result->clusters += w->clusters;
        result->hang |= w->hang;
        result->bound |= w->bound;
    }
    result->reports.arena = workers[0].arena;
    result->printed = printed_new(workers[0].arena);
    findings_collect(found, count, grid->threads == 1 ? UINT32_MAX : (uint32_t)grid->last,
                     &result->reports, result->printed);
    result->memory = grid->globals;
    result->machine = workers[0].machine;
    if (grid->last != G_MAXINT && grid->threads > 1)
        result->clusters = (uint64_t)grid->last;
    result->done = result->clusters == grid->total;
    result->schedules = 1;
}

static void run_workers(struct grid_worker *workers, uint32_t count)
{
    GThread **threads = g_new0(GThread *, count);
    for (uint32_t i = 1; i < count; i++)
        threads[i] = g_thread_new("grid", work, &workers[i]);
    work(&workers[0]);
    for (uint32_t i = 1; i < count; i++)
        g_thread_join(threads[i]);
    g_free(threads);
}

static void tear_down(struct grid_worker *workers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        race_free(workers[i].v.race);
        findings_end(&workers[i].findings);
        if (i)
            arena_free(workers[i].arena);
    }
}

/* NULL after an error, or when a cluster waits for another one and there are several threads. */
static struct grid_result *attempt(struct arena *arena, struct grid *grid, struct diag_list *diags)
{
    struct grid_worker *workers = ARENA_ARRAY(arena, struct grid_worker, grid->threads);
    struct grid_result *result = NULL;
    uint32_t count = 0;
    bool good = true;
    for (; count < grid->threads && good; count++)
        good = set_up(&workers[count], grid, count ? arena_new() : arena, diags);
    if (good && (workers[0].v.run.heap || machine_program(workers[0].machine, 0)->cancels ||
                 program_tells_order(arena, machine_program(workers[0].machine, 0))))
        grid->alone = grid->threads > 1;
    if (good && !grid->alone) {
        grid->globals = workers[0].v.memory->bytes;
        for (uint32_t i = 0; i < count; i++)
            workers[i].v.memory->globals = grid->globals;
        run_workers(workers, count);
    }
    if (good && !grid->alone)
        collect(result = ARENA_NEW(arena, struct grid_result), workers, count);
    tear_down(workers, count);
    return result;
}

struct grid_result *grid_attempt(struct arena *arena, struct grid *grid, struct diag_list *diags)
{
    grid->threads = 1;
    grid->next = grid->stop = grid->alone = 0;
    grid->last = G_MAXINT;
    return attempt(arena, grid, diags);
}

/* ---- weak memory --------------------------------------------------------------------------- */

/* Micros of lanes that all runs may take. */
enum { MOST_WEAK_STEPS = 1 << 27 };

/* Do the buffers of the launch hold the same? */
static bool same_buffers(const struct grid *grid, const struct grid_result *result,
                         const uint8_t *a, const uint8_t *b)
{
    const struct launch *launch = &grid->test->launches[grid->launch];
    for (uint32_t i = 0; i < result->machine->region_count; i++) {
        const struct region *region = &result->machine->regions[i];
        for (uint32_t k = 0; k < launch->arg_count; k++)
            if (launch->args[k].location != NONE && launch->args[k].location == region->location &&
                memcmp(a + region->memory, b + region->memory, region->bytes))
                return false;
    }
    return true;
}

static void count_outcome(const struct grid *grid, struct grid_result *to,
                          const struct grid_result *run)
{
    struct arena *arena = to->reports.arena;
    for (uint32_t i = 0; i < to->outcomes.len; i++)
        if (same_buffers(grid, to, to->outcomes.at[i].memory, run->memory)) {
            to->outcomes.at[i].runs++;
            return;
        }
    if (to->outcomes.len == GRID_OUTCOMES)
        return;
    uint8_t *memory = arena_alloc(arena, run->machine->memory_bytes + 1);
    memcpy(memory, run->memory, run->machine->memory_bytes);
    vec_push(arena, &to->outcomes, ((struct grid_outcome){1, grid->schedule, memory}));
}

/* What is wrong in the run. */
static void add_reports(const struct grid *grid, struct grid_result *to,
                        const struct grid_result *run)
{
    for (uint32_t i = 0; i < run->reports.items.len; i++) {
        struct machine_report report = run->reports.items.at[i];
        if (schedules_is_race(report.id) && !grid->options->races)
            continue;
        if (!report_is_known(&to->reports, &report))
            report.text = arena_printf(to->reports.arena, "%s; in run %u of seed %llu", report.text,
                                       grid->schedule, (unsigned long long)grid->options->seed);
        report_add(&to->reports, &report);
    }
}

/* Adds what run number grid->schedule gives. False: no further run. */
static bool run_weak(struct grid *grid, struct grid_result *to)
{
    struct arena *scratch = arena_new();
    struct diag_list diags = {.arena = scratch};
    const struct grid_result *run = grid_attempt(scratch, grid, &diags);
    bool good = run && run->done;
    if (run) {
        add_reports(grid, to, run);
        to->instructions += run->instructions;
        to->steps += run->steps;
        to->hung += run->hang;
        to->hang = to->hung > 0;
    }
    if (good)
        count_outcome(grid, to, run);
    to->schedules += good;
    arena_free(scratch);
    return run && (!grid->deadline || g_get_monotonic_time() < grid->deadline);
}

/* All runs, or those within the bound on the steps of lanes; NULL after errors in 'diags'. The first outcome is the result's. */
static struct grid_result *run_all_weak(struct arena *arena, struct grid *grid,
                                        struct diag_list *diags)
{
    struct grid_result *result = ARENA_NEW(arena, struct grid_result);
    result->reports.arena = arena;
    result->machine =
        machine_new_cluster(arena, grid->test, grid->launch, &grid->options->machine, diags);
    if (!result->machine)
        return NULL;
    uint32_t run = 1;
    for (bool goes_on = true; goes_on && run <= grid->options->weak_runs; run++) {
        grid->schedule = run;
        goes_on = run_weak(grid, result) && result->steps < MOST_WEAK_STEPS;
    }
    result->done = result->schedules == run - 1;
    result->bound = !result->done;
    result->clusters = result->schedules ? grid->total : 0;
    result->memory = result->outcomes.len ? result->outcomes.at[0].memory
                                          : arena_alloc(arena, result->machine->memory_bytes + 1);
    return result;
}

struct grid_result *grid_run(struct arena *arena, const struct test *test, uint32_t launch,
                             const struct grid_options *options, struct diag_list *diags)
{
    if (options->machine.mode == MACHINE_LOCKSTEP)
        return grid_run_lockstep(arena, test, launch, options, diags);
    struct grid grid = {.test = test,
                        .launch = launch,
                        .options = options,
                        .threads = options->races || !options->threads ? 1 : options->threads,
                        .last = G_MAXINT,
                        .most_steps =
                            options->machine.max_steps ? options->machine.max_steps : MOST_STEPS,
                        .total = place_clusters(&test->launches[launch])};
    struct predictions predictions = {.arena = arena};
    if (options->races && !options->weak_runs)
        grid.predictions = &predictions;
    g_mutex_init(&grid.lock);
    if (options->seconds > 0)
        grid.deadline = g_get_monotonic_time() + (gint64)(options->seconds * 1e6);
    struct grid_result *result =
        options->weak_runs ? run_all_weak(arena, &grid, diags) : attempt(arena, &grid, diags);
    if (grid.alone)
        result = grid_attempt(arena, &grid, diags);
    if (result && !options->weak_runs && options->races && !result->bound)
        schedules_run(&grid, result);
    g_mutex_clear(&grid.lock);
    return result;
}

const uint8_t *grid_location(const struct grid_result *result, uint32_t location)
{
    for (uint32_t i = 0; i < result->machine->region_count; i++)
        if (result->machine->regions[i].location == location)
            return result->memory + result->machine->regions[i].memory;
    return NULL;
}
