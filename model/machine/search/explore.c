/* SPDX-License-Identifier: MIT */
#include "model/machine/search/explore.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/hash.h"
#include "model/machine/step/lane.h"
#include "model/machine/core/run.h"
#include "model/machine/search/odometer.h"
#include "model/machine/search/spin.h"
#include "model/machine/step/step.h"
#include "model/machine/step/touch.h"
#include "model/machine/setup/setup.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/hang.h"

/* One state on the way down: its moves and how far they have been tried. */
struct frame {
    uint32_t number; /* of the state */
    uint8_t *saved;
    struct tie tie; /* of 'saved' */
    struct move *moves;
    uint32_t move_count, at;
    struct explore_step step; /* the one tried last */
    bool made, pruned;        /* some choices of the move at 'at' led on, to nothing */
    struct odometer odometer;
};

/* What the search knows about a state that it has met, by its number: its hash, and Tarjan's numbers
 * for the strongly connected components of the state graph, in which spin loops live. Two different
 * states are taken for one with a probability of about n^2 / 2^65 for n states: the lanes' half fills
 * 128 bits, the weak memory's 64 (weak.h). */
struct state_node {
    uint64_t hash[2];
    uint32_t low;
    bool open; /* its component is not complete yet */
    bool ends; /* some schedule from here ends */
    bool asks; /* a step from here asks a clock, and does more with it than the search tries */
};

struct exploration {
    struct run run;
    struct arena *arena; /* of the search alone */
    VEC(struct state_node) nodes;
    VEC(uint32_t) component;   /* numbers of open states */
    struct hash_table visited; /* of the nodes */
    const struct explore_options *options;
    struct explore_result *result;
    VEC(struct frame *) frames;
    uint32_t depth;
    uint8_t *final_bytes;
    bool *spinning; /* by lane, for hang_explain */
    uint64_t *values;
    bool *timing; /* by lane: does it do more with clocks than compare one once? */
    gint64 deadline;
};

static size_t saved_bytes(const struct exploration *search)
{
    return search->run.machine->state_bytes + search->run.memory->block_bytes;
}

static void save(const struct exploration *search, uint8_t *to)
{
    size_t lanes = search->run.machine->state_bytes;
    memcpy(to, search->run.state, lanes);
    memcpy(to + lanes, search->run.memory->block, search->run.memory->block_bytes);
}

static void restore(struct exploration *search, const uint8_t *from)
{
    size_t lanes = search->run.machine->state_bytes;
    memcpy(search->run.state, from, lanes);
    memcpy(search->run.memory->block, from + lanes, search->run.memory->block_bytes);
    search->run.stop = search->run.full = false;
}

/* Keeps the moves from the first state to here. */
static void keep_path(struct exploration *search)
{
    struct explore_result *result = search->result;
    result->path = ARENA_ARRAY(result->outcomes.arena, struct explore_step, search->depth);
    result->path_length = search->depth;
    for (uint32_t i = 0; i < search->depth; i++)
        result->path[i] = search->frames.at[i]->step;
    result->finished = false;
}

static void add_outcome(struct exploration *search)
{
    const struct test *test = search->run.machine->test;
    const uint64_t *until = search->options->until;
    if (!outcome_satisfies(test, test->filter, search->values))
        return;
    outcome_add(&search->result->outcomes, search->values);
    if (until && !search->result->path && outcome_compare(test, until, search->values) == 0)
        keep_path(search);
}

/* Adds the final states of a run that ended, one for each choice of what remains in memory. */
static void add_outcomes(struct exploration *search)
{
    struct odometer odometer;
    odometer_start(&odometer);
    search->run.chooser = &odometer.chooser;
    do {
        odometer.made = 0;
        search->run.memory->ops->final(&search->run, search->final_bytes);
        machine_observe(search->run.machine, search->run.state, search->final_bytes,
                        search->values);
        add_outcome(search);
    } while (odometer_next(&odometer));
}

static struct frame *new_frame(struct exploration *search)
{
    if (search->depth == search->frames.len) {
        struct frame *frame = ARENA_NEW(search->arena, struct frame);
        frame->saved = g_malloc(saved_bytes(search)); /* an arena would clear it first */
        arena_tie(search->arena, &frame->tie, g_free, frame->saved);
        frame->moves =
            ARENA_ARRAY(search->arena, struct move, step_move_limit(search->run.machine));
        vec_push(search->arena, &search->frames, frame);
    }
    return search->frames.at[search->depth];
}

static void stop_at(struct exploration *search, const char *limit)
{
    search->result->finished = false;
    if (!search->result->limit)
        search->result->limit = limit;
}

/* What the search takes, and takes when a table grows next. */
static size_t bytes_used(const struct exploration *search)
{
    size_t grows = 0;
    if (search->nodes.len == search->nodes.cap)
        grows += 2 * (size_t)search->nodes.cap * sizeof *search->nodes.at;
    if (2 * (search->visited.count + 1) > search->visited.size)
        grows += 2 * (size_t)search->visited.size * sizeof *search->visited.slots;
    return arena_bytes(search->arena) + search->frames.len * saved_bytes(search) + grows;
}

static bool within_limits(struct exploration *search)
{
    const struct explore_options *options = search->options;
    if (options->max_states && search->result->states >= options->max_states)
        stop_at(search, "states");
    else if (options->memory_limit && bytes_used(search) > options->memory_limit)
        stop_at(search, "memory");
    else if (options->timeout_seconds > 0 && (search->result->states & 255) == 0 &&
             g_get_monotonic_time() > search->deadline)
        stop_at(search, "time");
    return search->result->finished;
}

static struct state_node *node_of(const struct exploration *search, uint32_t number)
{
    return &search->nodes.at[number];
}

static struct frame *deepest(const struct exploration *search)
{
    return search->frames.at[search->depth - 1];
}

/* The state on top of the stack has a successor that ends. */
static void note_end(struct exploration *search)
{
    if (search->depth)
        node_of(search, deepest(search)->number)->ends = true;
}

/* A successor that was seen before. */
static void note_known(struct exploration *search, uint32_t number)
{
    const struct state_node *known = node_of(search, number);
    struct state_node *self = search->depth ? node_of(search, deepest(search)->number) : NULL;
    if (self && known->open)
        self->low = MIN(self->low, known->low);
    else if (self)
        self->ends |= known->ends;
}

static void report_spin(struct exploration *search, const struct frame *frame)
{
    search->result->hangs = true;
    restore(search, frame->saved);
    for (uint32_t lane = 0; lane < search->run.machine->lane_count; lane++)
        search->spinning[lane] = run_runs(&search->run, lane);
    hang_explain(&search->run, search->spinning);
}

/* All moves of the deepest frame are tried: its component may be complete. */
static void leave(struct exploration *search)
{
    struct frame *frame = deepest(search);
    struct state_node *self = node_of(search, frame->number);
    bool ends = self->ends, root = self->low == frame->number, asks = false;
    if (root) {
        uint32_t number;
        do {
            number = search->component.at[--search->component.len];
            node_of(search, number)->open = false;
            node_of(search, number)->ends = ends;
            asks |= node_of(search, number)->asks;
        } while (number != frame->number);
        if (!ends && asks)
            stop_at(search, "clocks");
        else if (!ends)
            report_spin(search, frame);
    }
    search->depth--;
    if (!search->depth)
        return;
    struct state_node *parent = node_of(search, deepest(search)->number);
    parent->low = MIN(parent->low, node_of(search, frame->number)->low);
    parent->ends |= ends || root; /* what cannot end was reported at its root */
}

static bool same_state(const void *items, uint32_t index, const void *key)
{
    const struct state_node *node = (const struct state_node *)items + index;
    return memcmp(node->hash, key, sizeof node->hash) == 0;
}

/* The number of the state that the run is in, counting in the order they were met. */
static uint32_t number_state(struct exploration *search, bool *is_new)
{
    struct state_node node = {.low = search->nodes.len, .open = true};
    step_hash(&search->run, node.hash);
    uint32_t known =
        hash_find(&search->visited, node.hash[0], same_state, search->nodes.at, node.hash);
    *is_new = known == HASH_NONE;
    if (!*is_new)
        return known;
    vec_push(search->arena, &search->nodes, node);
    return hash_add(search->arena, &search->visited, node.hash[0]);
}

/* A state without moves: an outcome, or lanes that wait for ever. */
static void finish_run(struct exploration *search)
{
    if (hang_explain(&search->run, NULL))
        search->result->hangs = true;
    else
        add_outcomes(search);
}

/* Has the step led back to where it began, but for a write of what was there? The loops of a lock that is
 * taken by exchange would otherwise go on to new states for ever. */
static bool changes_nothing(const struct exploration *search)
{
    if (!search->depth)
        return false;
    const struct frame *from = deepest(search);
    return from->step.move.kind == MOVE_STEP && micro_is_atomic(from->step.micro) &&
           memcmp(search->run.state, from->saved, search->run.machine->state_bytes) == 0 &&
           spin_rewrites(&search->run, from->step.move.lane);
}

/* The state just reached: new ones get a frame, ends are recorded. */
static void enter(struct exploration *search)
{
    bool is_new;
    struct frame *frame = new_frame(search);
    do {
        step_settle(&search->run);
        frame->move_count = search->run.stop
                                ? 0
                                : step_moves(&search->run, frame->moves, search->options->reduce,
                                             search->options->issue_loads);
    } while (!frame->move_count && !search->run.stop && barrier_finish_open(&search->run, true));
    if (search->run.stop) {
        search->result->stops = true;
        note_end(search);
        return;
    }
    if (changes_nothing(search))
        return;
    uint32_t number = number_state(search, &is_new);
    if (!is_new) {
        note_known(search, number);
        return;
    }
    search->result->states++;
    search->result->reduced += frame->move_count && frame->moves[0].alone;
    if (!frame->move_count) {
        struct state_node *node = node_of(search, number);
        node->ends = true;
        node->open = false;
        note_end(search);
        finish_run(search);
        return;
    }
    vec_push(search->arena, &search->component, number);
    if (!within_limits(search))
        return;
    frame->number = number;
    frame->at = 0;
    frame->made = frame->pruned = false;
    odometer_start(&frame->odometer);
    save(search, frame->saved);
    search->depth++;
}

/* All choices of the move are tried. Wrong guesses alone say nothing of how it ends. */
static void next_move(struct exploration *search, struct frame *frame)
{
    if (frame->pruned && !frame->made)
        node_of(search, frame->number)->ends = true;
    frame->made = frame->pruned = false;
    frame->at++;
    odometer_start(&frame->odometer);
}

static void find_timing(struct exploration *search)
{
    const struct machine *machine = search->run.machine;
    search->timing = ARENA_ARRAY(search->arena, bool, machine->lane_count);
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        const struct program *program = machine_program(machine, lane);
        search->timing[lane] = program && !program_compares_clock_once(search->arena, program);
    }
}

static bool strays(struct exploration *search, const struct move *move)
{
    return search->run.touches && (move->kind == MOVE_STEP || move->kind == MOVE_ISSUE) &&
           touch_strays(&search->run, move->lane);
}

/* Tries the next choice of the next move of the deepest frame. */
static void advance(struct exploration *search)
{
    struct frame *frame = deepest(search);
    if (frame->at == frame->move_count) {
        leave(search);
        return;
    }
    restore(search, frame->saved);
    frame->odometer.made = 0;
    search->run.chooser = &frame->odometer.chooser;
    frame->step = (struct explore_step){frame->moves[frame->at],
                                        step_micro(&search->run, &frame->moves[frame->at])};
    if (lane_chooses(&search->run, frame->step.micro))
        node_of(search, frame->number)->asks |= search->timing[frame->step.move.lane];
    if (strays(search, &frame->moves[frame->at])) {
        stop_at(search, "addresses");
        return;
    }
    enum step_end end = step_make(&search->run, &frame->moves[frame->at]);
    search->result->steps++;
    frame->made |= end == STEP_DONE;
    frame->pruned |= end == STEP_PRUNED;
    if (!odometer_next(&frame->odometer))
        next_move(search, frame);
    if (end == STEP_PRUNED) {
        search->result->pruned++;
    } else if (end == STEP_FULL)
        stop_at(search, "events");
    else if (end == STEP_DONE)
        enter(search);
}

void explore(struct arena *arena, const struct machine *machine, struct memory *memory,
             const struct explore_options *options, struct report_list *reports,
             struct explore_result *result)
{
    struct exploration search = {.options = options, .result = result, .arena = arena_new()};
    search.run = (struct run){
        .machine = machine, .memory = memory, .reports = reports, .tracer = options->tracer};
    search.run.live = step_live(search.arena, machine);
    search.run.any_clock = true;
    search.run.late_values = options->issue_loads;
    search.run.state = arena_alloc(search.arena, machine->state_bytes);
    search.final_bytes = arena_alloc(search.arena, machine->memory_bytes);
    search.spinning = ARENA_ARRAY(search.arena, bool, machine->lane_count);
    find_timing(&search);
    search.values = ARENA_ARRAY(search.arena, uint64_t, machine->test->observed_count);
    search.deadline = g_get_monotonic_time() + (gint64)(options->timeout_seconds * 1e6);
    *result = (struct explore_result){.outcomes = {.test = machine->test, .arena = arena},
                                      .finished = true};
    struct odometer none;
    odometer_start(&none);
    search.run.chooser = &none.chooser;
    machine_start(machine, search.run.state);
    search.run.touches = options->reduce ? touches_find(search.arena, &search.run, true) : NULL;
    memory->ops->reset(memory);
    enter(&search);
    while (search.depth && search.result->finished)
        advance(&search);
    arena_free(search.arena);
}
