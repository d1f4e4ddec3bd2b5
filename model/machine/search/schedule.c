/* SPDX-License-Identifier: MIT */
#include "model/machine/search/schedule.h"

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/search/lockstep.h"
#include "model/machine/setup/setup.h"
#include "model/machine/step/lane.h"
#include "model/machine/step/step.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/copy.h"
#include "model/machine/sync/hang.h"

struct scheduler {
    const struct machine *machine;
    struct spin_loop *spins; /* by lane */
    bool *spinning;          /* by lane, for hang_explain */
    uint32_t *candidates;    /* lanes, then copies (lane * machine->copies + entry) */
    struct lockstep *simt;   /* lockstep mode, or NULL */
    uint64_t *values;        /* of an outcome */
    uint8_t *bytes;          /* final memory */
    struct move *moves;      /* of the weak memory */
    uint64_t looked_at;      /* changes of memory when nothing but spinning lanes could move */
    uint32_t looks;          /* how often that was so since */
};

/* ---- chance -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t choose_random(struct chooser *chooser, uint32_t count)
{
    struct random_chooser *self = (struct random_chooser *)chooser;
    self->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix(self->state) >> 32) * count >> 32);
}

void schedule_random(struct random_chooser *chooser, uint64_t seed)
{
    chooser->chooser.choose = choose_random;
    chooser->state = seed;
}

uint64_t schedule_seed(uint64_t seed, uint64_t index)
{
    return mix(seed + UINT64_C(0x9e3779b97f4a7c15) * (index + 1));
}

/* ---- one run ------------------------------------------------------------------------------- */

struct scheduler *scheduler_new(const struct machine *machine)
{
    struct arena *arena = machine->arena;
    struct scheduler *s = ARENA_NEW(arena, struct scheduler);
    s->machine = machine;
    s->spins = ARENA_ARRAY(arena, struct spin_loop, machine->lane_count);
    s->spinning = ARENA_ARRAY(arena, bool, machine->lane_count);
    s->candidates = ARENA_ARRAY(arena, uint32_t, machine->lane_count * (1 + machine->copies));
    s->values = ARENA_ARRAY(arena, uint64_t, machine->test->observed_count);
    s->bytes = arena_alloc(arena, machine->memory_bytes + 1);
    s->moves = ARENA_ARRAY(arena, struct move, step_move_limit(machine) + 1);
    if (machine->options.mode == MACHINE_LOCKSTEP)
        s->simt = lockstep_new(arena, machine);
    return s;
}

static uint32_t find_lanes(struct scheduler *s, struct run *run)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < s->machine->warp_count; w++) {
        uint32_t first = s->machine->warps[w].first_lane;
        EACH_LANE(p, run_warp(run, w)->running) {
            if (!spin_is_stuck(s->spins, run, first + p) && !api_blocked(run, first + p))
                s->candidates[count++] = first + p;
        }
    }
    return count;
}

static uint32_t find_copies(struct scheduler *s, const struct run *run, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t lane = 0; s->machine->copies && lane < s->machine->lane_count; lane++)
        EACH_COPY(i, run, lane)
            s->candidates[count + found++] = lane * s->machine->copies + i;
    return found;
}

static void step_lane(struct scheduler *s, struct run *run, uint32_t lane)
{
    uint32_t before = run_lane(run, lane)->pc;
    enum lane_point point = lane_run_local(run, lane);
    if (point == POINT_READY && run_lane(run, lane)->pc <= before &&
        micro_is_local(&run_program(run, lane)->micros[before]))
        spin_note_loop(s->spins, run, lane);
    if (point == POINT_READY)
        lane_step(run, lane);
}

/* One step of the test by chance; false when nothing can move. */
static bool step_any(struct scheduler *s, struct run *run)
{
    uint32_t lanes = find_lanes(s, run), copies = find_copies(s, run, lanes);
    if (lanes + copies == 0)
        return false;
    uint32_t chosen = run->chooser->choose(run->chooser, lanes + copies);
    if (chosen < lanes) {
        step_lane(s, run, s->candidates[chosen]);
    } else {
        uint32_t copy = s->candidates[chosen];
        copy_perform(run, copy / s->machine->copies, copy % s->machine->copies);
    }
    return true;
}

static enum run_end end_of(struct scheduler *s, struct run *run)
{
    if (run_warps_exited(run, 0, run->machine->warp_count))
        return RUN_DONE;
    for (uint32_t i = 0; i < run->machine->lane_count; i++)
        s->spinning[i] = s->machine->lanes[i].program != NONE && spin_is_stuck(s->spins, run, i);
    hang_explain(run, s->spinning);
    return RUN_HANG;
}

static void begin(struct scheduler *s, struct run *run)
{
    memset(s->spins, 0, s->machine->lane_count * sizeof *s->spins);
    run->steps = run->changes = 0;
    s->looks = 0;
    run->stop = false;
    machine_start(s->machine, run->state);
    run->memory->ops->reset(run->memory);
    if (s->simt)
        lockstep_start(s->simt, run);
}

/* With the weak memory loads may stay outstanding: its moves are those of the exhaustive search. A
 * spinning lane may always read another value, so only the bound ends it. */
enum { MOST_MOVES = 100000 };

static enum run_end run_moves(struct scheduler *s, struct run *run)
{
    for (uint32_t done = 0; done < MOST_MOVES && !run->stop; done++) {
        step_settle(run);
        uint32_t count = run->stop ? 0 : step_moves(run, s->moves, false, true);
        if (run->stop)
            break;
        if (!count && barrier_finish_open(run, true))
            continue;
        if (!count)
            return end_of(s, run);
        enum step_end end = step_make(run, &s->moves[run->chooser->choose(run->chooser, count)]);
        if (end == STEP_PRUNED)
            return RUN_PRUNED;
        if (end == STEP_FULL)
            return RUN_BOUND;
    }
    return run->stop && run->steps <= run->machine->options.max_steps ? RUN_STOPPED : RUN_BOUND;
}

/* A lane that spins on the weak memory may read something newer the next time, with a chance of at least one in the
 * number of writes. */
static bool look_again(struct scheduler *s, const struct run *run)
{
    enum { LOOKS = 256 };
    s->looks = s->looked_at == run->changes ? s->looks + 1 : 1;
    s->looked_at = run->changes;
    if (!weak_memory_is(run->memory) || s->looks > LOOKS)
        return false;
    memset(s->spins, 0, s->machine->lane_count * sizeof *s->spins);
    return true;
}

enum run_end schedule_run(struct scheduler *s, struct run *run)
{
    begin(s, run);
    if (!s->simt && weak_memory_is(run->memory))
        return run_moves(s, run);
    while (!run->stop) {
        bool moved = s->simt ? lockstep_step(s->simt, s->spins, run) : step_any(s, run);
        if (weak_memory_pruned(run->memory))
            return RUN_PRUNED;
        if (weak_memory_overflow(run->memory))
            return RUN_BOUND;
        if (!barrier_finish_open(run, false) && !moved && !barrier_finish_open(run, true) &&
            !look_again(s, run))
            return end_of(s, run);
    }
    return run->steps > run->machine->options.max_steps ? RUN_BOUND : RUN_STOPPED;
}

/* ---- many runs ----------------------------------------------------------------------------- */

static void count_outcome(struct histogram *histogram, struct arena *arena, const uint64_t *values)
{
    uint32_t before = histogram->set.items.len;
    uint32_t index = outcome_add(&histogram->set, values);
    if (histogram->set.items.len > before) {
        vec_push(arena, &histogram->counts, 0);
        memmove(histogram->counts.at + index + 1, histogram->counts.at + index,
                (before - index) * sizeof *histogram->counts.at);
        histogram->counts.at[index] = 0;
    }
    histogram->counts.at[index]++;
}

uint64_t schedule_histogram(struct histogram *histogram, struct scheduler *s, struct run *run,
                            const struct histogram_options *options)
{
    const struct test *test = s->machine->test;
    struct random_chooser random;
    histogram->set.test = test;
    if (!histogram->set.arena)
        histogram->set.arena = s->machine->arena;
    for (uint64_t i = 0; i < options->runs; i++) {
        schedule_random(&random, schedule_seed(options->seed, i));
        run->chooser = &random.chooser;
        enum run_end end = schedule_run(s, run);
        if (end == RUN_PRUNED)
            continue;
        histogram->runs++;
        histogram->hangs += end == RUN_HANG;
        histogram->stopped += end == RUN_STOPPED;
        histogram->bounds += end == RUN_BOUND;
        if (end != RUN_DONE)
            continue;
        run->memory->ops->final(run, s->bytes);
        machine_observe(s->machine, run->state, s->bytes, s->values);
        if (test->filter && !outcome_satisfies(test, test->filter, s->values))
            continue;
        count_outcome(histogram, histogram->set.arena, s->values);
        if (options->until && outcome_satisfies(test, options->until, s->values))
            return i;
    }
    return UINT64_MAX;
}
