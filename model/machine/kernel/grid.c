/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/grid.h"

#include <glib.h>
#include <string.h>

#include "model/machine/kernel/findings.h"
#include "model/machine/kernel/grid_lockstep.h"
#include "model/machine/kernel/idle.h"
#include "model/machine/core/heap.h"
#include "model/machine/core/place.h"
#include "model/machine/core/region.h"
#include "model/machine/race/race.h"
#include "model/machine/kernel/vector.h"
#include "model/machine/setup/setup.h"
#include "model/machine/sync/copy.h"
#include "model/machine/sync/hang.h"

/* How many micros a warp executes before the next one has its turn. */
enum { TURN = 1 << 16 };
/* Of a host thread, when no other bound is asked for: hours. */
#define MOST_STEPS (UINT64_C(1) << 42)

/* A cluster set aside while it waits for another one. */
struct parked {
    uint32_t index;
    uint64_t clock;
    uint8_t *bytes; /* its state, its shared memory, and which of that is written */
};

/* What the host threads share. */
struct grid {
    const struct test *test;
    uint32_t launch, total;
    const struct grid_options *options;
    uint8_t *globals;
    uint32_t threads;
    GMutex lock;     /* for 128-bit atomics */
    gint next;       /* cluster to start next */
    gint stop;       /* a bound is reached */
    gint last;       /* clusters behind this one do not count: it ended the launch */
    gint alone;      /* a cluster waits for another one: one host thread must run all of them */
    gint64 deadline; /* of g_get_monotonic_time, or 0 */
};

struct grid_worker {
    struct grid *grid;
    struct arena *arena;
    struct machine *machine;
    struct vector_engine v;
    struct findings findings;
    struct idling idling;
    VEC(struct parked) parked;
    uint32_t index; /* of the cluster that runs */
    uint64_t clusters;
    uint64_t progress; /* grows whenever a cluster changed memory or finished */
    bool all_steady;   /* all of the present round of parked ones waited */
    bool hang, bound;
};

/* ---- one cluster --------------------------------------------------------------------------- */

static bool cluster_done(const struct grid_worker *w)
{
    return run_warps_exited(&w->v.run, 0, w->machine->warp_count);
}

static bool cluster_runnable(const struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->machine->warp_count; i++)
        if (run_warp(&w->v.run, i)->running)
            return true;
    return false;
}

/* Copies that nobody waits for yet happen at last. */
static bool finish_copies(struct grid_worker *w)
{
    bool any = false;
    for (uint32_t lane = 0; w->machine->copies && lane < w->machine->lane_count; lane++)
        EACH_COPY(i, &w->v.run, lane)
            any |= copy_perform(&w->v.run, lane, i);
    return any;
}

enum cluster_end { CLUSTER_DONE, CLUSTER_IDLE, CLUSTER_BLOCKED, CLUSTER_STOPPED };

static bool stopped(const struct grid_worker *w)
{
    const struct grid *grid = w->grid;
    return g_atomic_int_get(&grid->stop) || w->index > (uint32_t)g_atomic_int_get(&grid->last) ||
           g_atomic_int_get(&grid->alone);
}

/* Reports that a limit is reached; whatever was found stands. */
static bool out_of_bounds(struct grid_worker *w)
{
    const struct grid *grid = w->grid;
    bool late = grid->deadline && g_get_monotonic_time() > grid->deadline;
    bool steps = w->v.run.steps > w->machine->options.max_steps;
    if (late)
        run_report(&w->v.run, 0, REPORT_TIME_BOUND, "%.6g s are over", grid->options->seconds);
    else if (steps)
        run_report(&w->v.run, 0, REPORT_STEP_BOUND, "%llu steps done",
                   (unsigned long long)w->v.run.steps);
    w->bound = w->bound || late || steps;
    return late || steps;
}

static enum cluster_end run_cluster(struct grid_worker *w)
{
    struct vector_engine *v = &w->v;
    idle_start(&w->idling, v);
    while (!cluster_done(w)) {
        for (uint32_t i = 0; i < w->machine->warp_count && !v->run.stop; i++)
            vector_run_warp(v, i, TURN);
        if (out_of_bounds(w) || v->run.stop || stopped(w))
            return CLUSTER_STOPPED;
        if (!cluster_runnable(w) && !cluster_done(w) && !finish_copies(w))
            return CLUSTER_BLOCKED;
        if (idle_long(v) && !finish_copies(w) && idle_gives_way(&w->idling, v) &&
            (w->grid->threads == 1 || w->idling.steady))
            return CLUSTER_IDLE;
    }
    finish_copies(w);
    return CLUSTER_DONE;
}

static void enter_cluster(struct grid_worker *w, uint32_t index)
{
    w->index = index;
    memset(w->v.turns, 0, w->machine->warp_count * sizeof *w->v.turns);
    if (w->v.race)
        race_enter_cluster(w->v.race, index);
}

static void start_cluster(struct grid_worker *w, uint32_t index)
{
    machine_move_cluster(w->machine, index);
    machine_start(w->machine, w->v.run.state);
    memory_sc_forget_shared(w->v.memory);
    w->v.run.clock = -w->v.run.steps;
    enter_cluster(w, index);
}

/* What differs from cluster to cluster, to where it is kept or 'back'. */
static void move_cluster(struct grid_worker *w, uint8_t *kept, bool back)
{
    const struct machine *machine = w->machine;
    void *const parts[] = {w->v.run.state, w->v.memory->bytes, w->v.memory->written};
    const size_t sizes[] = {machine->state_bytes, machine->shared_bytes, machine->shared_bytes};
    for (uint32_t i = 0; i < 3; kept += sizes[i++])
        if (sizes[i])
            memcpy(back ? parts[i] : kept, back ? kept : parts[i], sizes[i]);
}

static size_t parked_bytes(const struct grid_worker *w)
{
    return w->machine->state_bytes + 2 * (size_t)w->machine->shared_bytes;
}

static void park(struct grid_worker *w)
{
    struct parked parked = {w->index, w->v.run.steps + w->v.run.clock, g_malloc(parked_bytes(w))};
    move_cluster(w, parked.bytes, false);
    vec_push(w->arena, &w->parked, parked);
}

static void unpark(struct grid_worker *w, struct parked *parked)
{
    machine_move_cluster(w->machine, parked->index);
    move_cluster(w, parked->bytes, true);
    g_clear_pointer(&parked->bytes, g_free);
    w->v.run.clock = parked->clock - w->v.run.steps;
    enter_cluster(w, parked->index);
}

/* Every lane still running goes round a loop that nobody will end. */
static void explain_idle(struct grid_worker *w)
{
    bool *spinning = ARENA_ARRAY(w->arena, bool, w->machine->lane_count);
    for (uint32_t i = 0; i < w->machine->lane_count; i++)
        spinning[i] = run_runs(&w->v.run, i);
    hang_explain(&w->v.run, spinning);
    w->hang = true;
}

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
    park(w);
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
    enum cluster_end end = run_cluster(w);
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

static void drop_parked(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len; i++)
        g_free(w->parked.at[i].bytes);
    w->parked.len = 0;
}

/* Goes on with each parked cluster once. */
static void round_of_parked(struct grid_worker *w)
{
    uint32_t count = w->parked.len;
    w->all_steady = true;
    for (uint32_t i = 0; i < count && !g_atomic_int_get(&w->grid->stop); i++) {
        struct parked parked = w->parked.at[0];
        memmove(w->parked.at, w->parked.at + 1, (w->parked.len - 1) * sizeof parked);
        w->parked.len--;
        unpark(w, &parked);
        continue_cluster(w);
    }
}

static void give_up(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len && i < 4; i++) {
        unpark(w, &w->parked.at[i]);
        explain_idle(w);
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
    drop_parked(w);
}

static bool too_much_parked(const struct grid_worker *w)
{
    uint64_t limit =
        w->grid->options->memory_limit ? w->grid->options->memory_limit : UINT64_C(1) << 30;
    return w->parked.len * (uint64_t)parked_bytes(w) > limit;
}

static gpointer work(gpointer data)
{
    struct grid_worker *w = data;
    struct grid *grid = w->grid;
    for (;;) {
        w->index = (uint32_t)g_atomic_int_add(&grid->next, 1);
        if (w->index >= grid->total || stopped(w))
            break;
        start_cluster(w, w->index);
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
    if (!options.max_steps)
        options.max_steps = MOST_STEPS;
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
    if (grid->options->races) {
        w->v.race = race_new(w->machine);
        memory_sc_watch(&w->v.memory->memory, w->v.race);
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
    if (good && (workers[0].v.run.heap ||
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
                        .total = place_clusters(&test->launches[launch])};
    g_mutex_init(&grid.lock);
    if (options->seconds > 0)
        grid.deadline = g_get_monotonic_time() + (gint64)(options->seconds * 1e6);
    struct grid_result *result = attempt(arena, &grid, diags);
    if (grid.alone) {
        grid.threads = 1;
        grid.next = grid.stop = grid.alone = 0;
        grid.last = G_MAXINT;
        result = attempt(arena, &grid, diags);
    }
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
