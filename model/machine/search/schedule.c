/* SPDX-License-Identifier: MIT */
#include "model/machine/search/schedule.h"

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/kernel/lockstep.h"
#include "model/machine/core/run.h"
#include "model/machine/step/step.h"
#include "model/machine/sync/sync.h"
#include "model/machine/memory/weak/weak.h"

/* A lane at a back edge: when it comes back there with the same registers and no memory has
 * changed, it goes on like that until some memory changes. */
struct spin {
    uint64_t hash, changes;
    uint32_t pc;
    bool stuck;
};

struct scheduler {
    const struct machine *machine;
    struct spin *spins;    /* by lane */
    bool *spinning;        /* by lane, for hang_explain */
    uint32_t *candidates;  /* lanes, then copies (lane * machine->copies + entry) */
    struct lockstep *simt; /* lockstep mode, or NULL */
    uint64_t *values;      /* of an outcome */
    uint8_t *bytes;        /* final memory */
    struct move *moves;    /* of the weak memory */
};

/* ---- chance -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t choose_random(struct chooser *chooser, uint32_t count, const char *what)
{
    struct random_chooser *self = (struct random_chooser *)chooser;
    (void)what;
    self->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix(self->state) >> 32) * count >> 32);
}

void random_chooser_init(struct random_chooser *chooser, uint64_t seed)
{
    chooser->chooser.choose = choose_random;
    chooser->state = seed;
}

uint64_t histogram_seed(uint64_t seed, uint64_t index)
{
    return mix(seed + UINT64_C(0x9e3779b97f4a7c15) * (index + 1));
}

/* ---- one run ------------------------------------------------------------------------------- */

struct scheduler *scheduler_new(const struct machine *machine)
{
    struct arena *arena = machine->arena;
    struct scheduler *s = ARENA_NEW(arena, struct scheduler);
    s->machine = machine;
    s->spins = ARENA_ARRAY(arena, struct spin, machine->lane_count);
    s->spinning = ARENA_ARRAY(arena, bool, machine->lane_count);
    s->candidates = ARENA_ARRAY(arena, uint32_t, machine->lane_count * (1 + machine->copies));
    s->values = ARENA_ARRAY(arena, uint64_t, machine->test->observed_count);
    s->bytes = arena_alloc(arena, machine->memory_bytes + 1);
    s->moves = ARENA_ARRAY(arena, struct move, move_limit(machine) + 1);
    if (machine->options.mode == MACHINE_LOCKSTEP)
        s->simt = lockstep_new(arena, machine);
    return s;
}

static uint64_t hash_lane(const struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    uint32_t width = machine->warps[place->warp].width;
    uint32_t slots = machine->programs[place->program]->reg_slots;
    const uint64_t *regs = state_regs(machine, run->state, place->warp) + place->lane;
    uint64_t hash = 0;
    for (uint32_t s = 0; s < slots; s++)
        hash = mix(hash ^ regs[(size_t)s * width]);
    return hash;
}

void schedule_note_loop(struct scheduler *s, struct run *run, uint32_t lane)
{
    struct spin *spin = &s->spins[lane];
    uint32_t pc = state_lane(run->machine, run->state, lane)->pc;
    uint64_t hash = hash_lane(run, lane);
    spin->stuck = spin->pc == pc && spin->hash == hash && spin->changes == run->changes;
    *spin = (struct spin){hash, run->changes, pc, spin->stuck};
}

bool schedule_is_stuck(const struct scheduler *s, const struct run *run, uint32_t lane)
{
    return s->spins[lane].stuck && s->spins[lane].changes == run->changes;
}

static uint32_t find_lanes(struct scheduler *s, struct run *run)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < s->machine->warp_count; w++) {
        uint32_t first = s->machine->warps[w].first_lane;
        EACH_LANE(p, state_warp(s->machine, run->state, w)->running)
        {
            if (!schedule_is_stuck(s, run, first + p) && !api_blocked(run, first + p))
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
        {
            s->candidates[count + found++] = lane * s->machine->copies + i;
        }
    return found;
}

static void step_lane(struct scheduler *s, struct run *run, uint32_t lane)
{
    uint32_t before = state_lane(run->machine, run->state, lane)->pc;
    enum lane_point point = lane_run_local(run, lane);
    if (point == POINT_READY && state_lane(run->machine, run->state, lane)->pc <= before &&
        micro_is_local(&run->machine->programs[run->machine->lanes[lane].program]->micros[before]))
        schedule_note_loop(s, run, lane);
    if (point == POINT_READY)
        lane_step(run, lane);
}

/* One step of the test by chance; false when nothing can move. */
static bool step_any(struct scheduler *s, struct run *run)
{
    uint32_t lanes = find_lanes(s, run), copies = find_copies(s, run, lanes);
    uint32_t inner = run->memory->ops->pending ? run->memory->ops->pending(run) : 0;
    if (lanes + copies + inner == 0)
        return false;
    uint32_t chosen = run->chooser->choose(run->chooser, lanes + copies + inner, "step");
    if (chosen < lanes) {
        step_lane(s, run, s->candidates[chosen]);
    } else if (chosen < lanes + copies) {
        copy_perform(run, s->candidates[chosen] / s->machine->copies,
                     s->candidates[chosen] % s->machine->copies);
    } else {
        run->memory->ops->advance(run, chosen - lanes - copies);
        run->changes++;
    }
    return true;
}

static bool all_exited(const struct run *run)
{
    for (uint32_t w = 0; w < run->machine->warp_count; w++)
        if (state_warp(run->machine, run->state, w)->exited != UINT32_MAX)
            return false;
    return true;
}

static enum run_end end_of(struct scheduler *s, struct run *run)
{
    if (all_exited(run))
        return RUN_DONE;
    for (uint32_t i = 0; i < run->machine->lane_count; i++)
        s->spinning[i] = s->machine->lanes[i].program != NONE && schedule_is_stuck(s, run, i);
    hang_explain(run, s->spinning);
    return RUN_HANG;
}

static void begin(struct scheduler *s, struct run *run)
{
    memset(s->spins, 0, s->machine->lane_count * sizeof *s->spins);
    run->steps = run->changes = 0;
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
        if (!count && barrier_release_open(run))
            continue;
        if (!count)
            return end_of(s, run);
        enum step_end end =
            step_make(run, &s->moves[run->chooser->choose(run->chooser, count, "move")]);
        if (end == STEP_PRUNED)
            return RUN_PRUNED;
        if (end == STEP_FULL)
            return RUN_BOUND;
    }
    return run->stop && run->steps <= run->machine->options.max_steps ? RUN_STOPPED : RUN_BOUND;
}

enum run_end schedule_run(struct scheduler *s, struct run *run)
{
    begin(s, run);
    if (!s->simt && weak_memory_is(run->memory))
        return run_moves(s, run);
    while (!run->stop) {
        bool moved = s->simt ? lockstep_step(s->simt, s, run) : step_any(s, run);
        if (!barrier_settle_open(run) && !moved && !barrier_release_open(run))
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

uint64_t histogram_fill(struct histogram *histogram, struct scheduler *s, struct run *run,
                        const struct histogram_options *options)
{
    const struct test *test = s->machine->test;
    struct random_chooser random;
    histogram->set.test = test;
    if (!histogram->set.arena)
        histogram->set.arena = s->machine->arena;
    for (uint64_t i = 0; i < options->runs; i++) {
        random_chooser_init(&random, histogram_seed(options->seed, i));
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
