/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/grid.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/hash.h"
#include "model/machine/kernel/grid_lockstep.h"
#include "model/machine/core/place.h"
#include "model/machine/race/race.h"
#include "model/machine/kernel/vector.h"
#include "model/machine/setup/setup.h"
#include "model/machine/sync/copy.h"
#include "model/machine/sync/hang.h"

/* How many micros a warp executes before the next one has its turn, and after how many back edges
 * without a change of memory another cluster goes on instead. */
enum { TURN = 1 << 16, IDLE = 1 << 11, CHECKS = 64 };
/* Of a host thread, when no other bound is asked for: hours. */
#define MOST_STEPS (UINT64_C(1) << 42)

/* A cluster set aside while it waits for another one. */
struct parked {
    uint32_t index;
    uint8_t *bytes; /* its state, its shared memory, and which of that is written */
};

/* What the host threads share. */
struct grid {
    const struct test *test;
    uint32_t launch, total;
    const struct grid_options *options;
    uint8_t *globals;
    GMutex lock;   /* for 128-bit atomics */
    gint next;     /* cluster to start next */
    gint busy;     /* workers that are not merely waiting */
    gint progress; /* grows whenever a cluster changed memory or finished */
    gint stop;
    gint parked;
    gint64 deadline; /* of g_get_monotonic_time, or 0 */
};

struct grid_worker {
    struct grid *grid;
    struct arena *arena;
    struct machine *machine;
    struct vector_engine v;
    struct report_list reports;
    VEC(struct parked) parked;
    uint64_t clusters;
    bool steady;     /* the cluster set aside last goes round in the same state */
    bool all_steady; /* all of the present round of parked ones did */
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

/* Long without a change of memory: does it wait, in the same state again and again, or compute? In
 * doubt others have their turn too. */
static bool gives_way(struct grid_worker *w, uint64_t *hash, uint32_t *checks)
{
    uint64_t now = hash_bytes(w->v.run.state, w->machine->state_bytes, 0);
    w->steady = *checks && now == *hash;
    *hash = now;
    w->v.idle = IDLE / 2;
    return w->steady || ++*checks >= CHECKS;
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
    uint64_t hash = 0;
    uint32_t checks = 0;
    v->idle = 0;
    while (!cluster_done(w)) {
        for (uint32_t i = 0; i < w->machine->warp_count && !v->run.stop; i++)
            vector_run_warp(v, i, TURN);
        if (out_of_bounds(w) || v->run.stop || g_atomic_int_get(&w->grid->stop))
            return CLUSTER_STOPPED;
        if (!cluster_runnable(w) && !cluster_done(w) && !finish_copies(w))
            return CLUSTER_BLOCKED;
        if (v->idle > IDLE && !finish_copies(w) && gives_way(w, &hash, &checks))
            return CLUSTER_IDLE;
    }
    finish_copies(w);
    return CLUSTER_DONE;
}

static void start_cluster(struct grid_worker *w, uint32_t index)
{
    machine_move_cluster(w->machine, index);
    machine_start(w->machine, w->v.run.state);
    memory_sc_forget_shared(w->v.memory);
    if (w->v.race)
        race_enter_cluster(w->v.race, index);
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

static void park(struct grid_worker *w, uint32_t index)
{
    struct parked parked = {index, g_malloc(parked_bytes(w))};
    move_cluster(w, parked.bytes, false);
    vec_push(w->arena, &w->parked, parked);
}

static void unpark(struct grid_worker *w, struct parked *parked)
{
    machine_move_cluster(w->machine, parked->index);
    move_cluster(w, parked->bytes, true);
    g_clear_pointer(&parked->bytes, g_free);
    if (w->v.race)
        race_enter_cluster(w->v.race, parked->index);
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
    if (!w->steady || started >= w->grid->total ||
        w->grid->test->launches[w->grid->launch].cooperative)
        return;
    for (uint32_t i = 0; i < w->machine->lane_count; i++)
        if (run_runs(&w->v.run, i)) {
            run_report(&w->v.run, i, REPORT_CROSS_CTA_WAIT,
                       "waits while %u of %u clusters have started", started, w->grid->total);
            return;
        }
}

/* Until it is over, one way or the other, or set aside. */
static void continue_cluster(struct grid_worker *w, uint32_t index)
{
    uint64_t before = w->v.run.changes;
    enum cluster_end end = run_cluster(w);
    if (end == CLUSTER_DONE || w->v.run.changes != before)
        g_atomic_int_inc(&w->grid->progress);
    if (end == CLUSTER_IDLE) {
        note_wait(w);
        park(w, index);
        w->all_steady = w->all_steady && w->steady;
        return;
    }
    if (w->v.race)
        race_leave_cluster(w->v.race, index);
    w->clusters += end == CLUSTER_DONE;
    if (end == CLUSTER_BLOCKED) {
        hang_explain(&w->v.run, NULL);
        w->hang = true;
    }
    if (end == CLUSTER_STOPPED)
        g_atomic_int_set(&w->grid->stop, 1);
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
        continue_cluster(w, parked.index);
    }
}

static void give_up(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len && i < 4; i++) {
        unpark(w, &w->parked.at[i]);
        explain_idle(w);
    }
}

/* All clusters are started: those parked go on until they end or nobody moves any more. */
static void finish_parked(struct grid_worker *w)
{
    int last = g_atomic_int_get(&w->grid->progress) - 1;
    g_atomic_int_dec_and_test(&w->grid->busy);
    for (uint32_t quiet = 0; w->parked.len && !g_atomic_int_get(&w->grid->stop);) {
        round_of_parked(w);
        int now = g_atomic_int_get(&w->grid->progress);
        bool still = now == last && w->all_steady && g_atomic_int_get(&w->grid->busy) <= 0;
        quiet = still ? quiet + 1 : 0;
        last = now;
        if (quiet >= 3) {
            give_up(w);
            break;
        }
        if (quiet)
            g_usleep(2000);
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
    while (!g_atomic_int_get(&grid->stop)) {
        uint32_t index = (uint32_t)g_atomic_int_add(&grid->next, 1);
        if (index >= grid->total)
            break;
        start_cluster(w, index);
        continue_cluster(w, index);
        if (too_much_parked(w)) {
            run_report(&w->v.run, 0, REPORT_MEMORY_BOUND,
                       "%u waiting clusters fill the memory limit", w->parked.len);
            w->bound = true;
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
    w->reports.arena = arena;
    w->v.memory = (struct memory_sc *)memory_sc_new(arena, w->machine);
    w->v.memory->lock = &grid->lock;
    w->v.run = (struct run){.machine = w->machine,
                            .memory = &w->v.memory->memory,
                            .reports = &w->reports,
                            .state = arena_alloc(arena, w->machine->state_bytes + 1)};
    const struct program *program = machine_program(w->machine, 0);
    w->v.cache = ARENA_ARRAY(arena, struct cached_region, program->micro_count);
    if (grid->options->races) {
        w->v.race = race_new(w->machine);
        memory_sc_watch(&w->v.memory->memory, w->v.race);
    }
    return true;
}

static void collect(struct grid_result *result, struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->reports.items.len; i++)
        report_add(&result->reports, &w->reports.items.at[i]);
    result->reports.dropped += w->reports.dropped;
    result->instructions += w->v.instructions;
    result->clusters += w->clusters;
    result->hang |= w->hang;
    result->bound |= w->bound;
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

struct grid_result *grid_run(struct arena *arena, const struct test *test, uint32_t launch,
                             const struct grid_options *options, struct diag_list *diags)
{
    if (options->machine.mode == MACHINE_LOCKSTEP)
        return grid_run_lockstep(arena, test, launch, options, diags);
    struct grid grid = {.test = test,
                        .launch = launch,
                        .options = options,
                        .total = place_clusters(&test->launches[launch])};
    uint32_t count = options->races || !options->threads ? 1 : options->threads;
    struct grid_worker *workers = ARENA_ARRAY(arena, struct grid_worker, count);
    struct arena **arenas = ARENA_ARRAY(arena, struct arena *, count);
    struct grid_result *result = ARENA_NEW(arena, struct grid_result);
    bool good = true;
    g_mutex_init(&grid.lock);
    grid.busy = (gint)count;
    if (options->seconds > 0)
        grid.deadline = g_get_monotonic_time() + (gint64)(options->seconds * 1e6);
    for (uint32_t i = 0; i < count && good; i++) {
        arenas[i] = i ? arena_new() : arena;
        good = set_up(&workers[i], &grid, arenas[i], diags);
    }
    if (good) {
        grid.globals = workers[0].v.memory->bytes;
        for (uint32_t i = 0; i < count; i++)
            workers[i].v.memory->globals = grid.globals;
        run_workers(workers, count);
        result->reports.arena = arena;
        for (uint32_t i = 0; i < count; i++)
            collect(result, &workers[i]);
        result->memory = grid.globals;
        result->machine = workers[0].machine;
        result->done = result->clusters == grid.total;
    }
    for (uint32_t i = 0; i < count; i++) {
        race_free(workers[i].v.race);
        if (i)
            arena_free(arenas[i]);
    }
    g_mutex_clear(&grid.lock);
    return good ? result : NULL;
}

const uint8_t *grid_location(const struct grid_result *result, uint32_t location)
{
    for (uint32_t i = 0; i < result->machine->region_count; i++)
        if (result->machine->regions[i].location == location)
            return result->memory + result->machine->regions[i].memory;
    return NULL;
}
