/* SPDX-License-Identifier: MIT */
#include "model/machine/search/state_graph.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/hash.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/search/odometer.h"
#include "model/machine/setup/setup.h"
#include "model/machine/step/lane.h"
#include "model/machine/step/touch.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/hang.h"

struct graph_search {
    struct run *run;
    struct arena *arena, *scratch;
    struct state_graph *graph;
    struct hash_table visited; /* of the nodes */
    VEC(uint8_t *) saved;      /* by node, until its steps are known */
    VEC(uint8_t *) unused;     /* blocks of states whose steps are known */
    struct move *moves;
    const struct state_graph_limits *limits;
    gint64 deadline;
};

/* ---- states as bytes ------------------------------------------------------------------------ */

static size_t state_bytes(const struct run *run)
{
    return run->machine->state_bytes + run->memory->block_bytes;
}

static void save(const struct run *run, uint8_t *to)
{
    size_t lanes = run->machine->state_bytes;
    memcpy(to, run->state, lanes);
    memcpy(to + lanes, run->memory->block, run->memory->block_bytes);
}

static void restore(struct run *run, const uint8_t *from)
{
    size_t lanes = run->machine->state_bytes;
    memcpy(run->state, from, lanes);
    memcpy(run->memory->block, from + lanes, run->memory->block_bytes);
    run->stop = run->full = false;
}

/* ---- threads -------------------------------------------------------------------------------- */

static void add_thread(struct state_graph *graph, uint32_t lane)
{
    graph->number[lane] = graph->threads;
    graph->order[graph->threads++] = lane;
}

/* Columns in the order of the test, whatever CTAs they are in; then the threads of kernels. */
static bool order_threads(struct state_graph *graph, struct arena *arena,
                          const struct machine *machine)
{
    graph->order = ARENA_ARRAY(arena, uint32_t, machine->lane_count);
    graph->number = ARENA_ARRAY(arena, uint32_t, machine->lane_count);
    for (uint32_t column = 0; column < machine->test->column_count; column++)
        for (uint32_t lane = 0; lane < machine->lane_count; lane++)
            if (machine_program(machine, lane) && machine->lanes[lane].column == column)
                add_thread(graph, lane);
    for (uint32_t lane = 0; lane < machine->lane_count; lane++)
        if (machine_program(machine, lane) && machine->lanes[lane].column == NONE)
            add_thread(graph, lane);
    return graph->threads <= STATE_GRAPH_THREADS;
}

/* ---- one step ------------------------------------------------------------------------------- */

/* A thread behind its last instruction has ended: the exit there is nobody's step. */
static bool end_threads(struct run *run)
{
    bool ended = false;
    for (uint32_t lane = 0; lane < run->machine->lane_count && !run->stop; lane++)
        if (run_runs(run, lane) && run_micro(run, lane)->kind == MICRO_EXIT &&
            !run_micro(run, lane)->inst)
            ended |= lane_step(run, lane);
    return ended;
}

/* What happens by itself, up to where a thread has to move. */
static void settle(struct run *run)
{
    do
        step_settle(run);
    while (!run->stop && end_threads(run));
}

/* ... or, when none can, to where open barriers let one. Returns the number of moves. */
static uint32_t settle_moves(struct run *run, struct move *moves)
{
    uint32_t count;
    do {
        settle(run);
        count = run->stop ? 0 : step_moves(run, moves, false, false);
    } while (!count && !run->stop && barrier_finish_open(run, true));
    if (weak_memory_is(run->memory))
        weak_memory_forget(run);
    return count;
}

/* The same when the moves do not matter. */
static void settle_all(struct arena *arena, struct run *run)
{
    struct arena *scratch = arena_scratch(arena);
    settle_moves(run, ARENA_ARRAY(scratch, struct move, step_move_limit(run->machine)));
    arena_free(scratch);
}

void state_graph_start(struct arena *arena, struct run *run)
{
    machine_start(run->machine, run->state);
    run->memory->ops->reset(run->memory);
    run->stop = run->full = false;
    settle_all(arena, run);
}

/* Makes the move with its choices: those before it in the enumeration are gone through again. */
static void make_move(struct run *run, const struct state_edge *edge, uint8_t *before)
{
    const struct tracer *tracer = run->tracer;
    struct odometer odometer;
    odometer_start(&odometer);
    run->chooser = &odometer.chooser;
    save(run, before);
    for (uint32_t i = 0;; i++) {
        odometer.made = 0;
        run->tracer = i == edge->choices ? tracer : NULL;
        step_make(run, &edge->move);
        if (i == edge->choices || !odometer_next(&odometer))
            return;
        restore(run, before);
    }
}

void state_graph_follow(struct arena *arena, struct run *run, const struct state_edge *edge)
{
    struct arena *scratch = arena_scratch(arena);
    make_move(run, edge, arena_alloc(scratch, state_bytes(run)));
    settle_all(arena, run);
    arena_free(scratch);
}

/* ---- the search ----------------------------------------------------------------------------- */

static bool same_state(const void *items, uint32_t index, const void *key)
{
    const struct graph_state *node = (const struct graph_state *)items + index, *other = key;
    return memcmp(node->hash, other->hash, sizeof node->hash) == 0 &&
           node->started == other->started;
}

/* Keeps the state of the run as the next node's. */
static void keep_saved(struct graph_search *search)
{
    uint8_t *block = search->unused.len ? search->unused.at[--search->unused.len]
                                        : arena_alloc(search->scratch, state_bytes(search->run));
    save(search->run, block);
    vec_push(search->scratch, &search->saved, block);
}

static uint64_t live_threads(const struct graph_search *search)
{
    uint64_t live = 0;
    for (uint32_t i = 0; i < search->graph->threads; i++)
        live |= (uint64_t)!run_exited(search->run, search->graph->order[i]) << i;
    return live;
}

/* The number of the state that the run is in, which 'started' says more of. */
static uint32_t number_state(struct graph_search *search, uint64_t started, uint32_t parent)
{
    struct state_graph *graph = search->graph;
    struct graph_state node = {.started = started, .parent = parent};
    step_hash(search->run, node.hash);
    uint32_t known = hash_find(&search->visited, hash_pair(node.hash[0], started), same_state,
                               graph->nodes.at, &node);
    if (known != HASH_NONE)
        return known;
    node.live = live_threads(search);
    if (weak_memory_is(search->run->memory))
        node.writes = weak_memory_writes(search->run->memory);
    vec_push(search->arena, &graph->nodes, node);
    keep_saved(search);
    return hash_add(search->scratch, &search->visited, hash_pair(node.hash[0], started));
}

/* What the steps since the last call returned older values than. */
static uint64_t take_missed(const struct run *run)
{
    return weak_memory_is(run->memory) ? weak_memory_take_missed(run->memory) : 0;
}

/* One way to make the move from the state at 'from'. A guess that proves wrong does not mean that the thread
 * cannot move. */
static void try_move(struct graph_search *search, uint32_t from, const struct state_edge *edge)
{
    struct state_graph *graph = search->graph;
    struct graph_state *node = &graph->nodes.at[from];
    uint64_t self = UINT64_C(1) << graph->number[edge->move.lane];
    bool steps = edge->move.kind == MOVE_STEP;
    struct state_edge made = *edge;
    take_missed(search->run);
    made.clock = steps && lane_chooses(search->run, step_micro(search->run, &edge->move));
    if (steps && search->run->touches && touch_strays(search->run, edge->move.lane))
        graph->limit = "addresses";
    enum step_end end = step_make(search->run, &edge->move);
    made.missed = take_missed(search->run);
    if (end == STEP_FULL)
        graph->limit = "events";
    if (end == STEP_DONE || end == STEP_PRUNED)
        *(steps ? &node->enabled : &node->copying) |= self;
    if (end != STEP_DONE)
        return;
    settle_moves(search->run, search->moves + step_move_limit(search->run->machine));
    graph->stops |= search->run->stop;
    if (search->run->stop)
        return;
    made.to = number_state(search, node->started | (steps ? self : 0), from);
    vec_push(search->arena, &graph->edges, made);
    graph->nodes.at[from].edge_count++; /* the nodes may have moved */
}

/* Every way to make the move. */
static void try_all(struct graph_search *search, uint32_t from, const struct move *move)
{
    struct state_edge edge = {.move = *move};
    struct odometer odometer;
    odometer_start(&odometer);
    search->run->chooser = &odometer.chooser;
    do {
        restore(search->run, search->saved.at[from]);
        odometer.made = 0;
        try_move(search, from, &edge);
        edge.choices++;
    } while (odometer_next(&odometer));
}

/* ---- partial order reduction ---------------------------------------------------------------- */

/* A step that no other thread can notice, tell from its absence or prevent (step_moves) makes up an ample set: the
 * steps of others may as well wait for it. For that no run that a scheduler allows is lost, also one that leaves the
 * thread standing before the step,
 * - the thread has started and does not end, so that no guarantee changes by the step, or the scheduler is fair, which has
 *   every thread make its step in the end;
 * - the step leads to a state whose own steps are not known yet: on every cycle there is a state with all its steps, where
 *   the others are not forgotten (Bosnacki, Leue, Lluch Lafuente: Partial-Order Reduction for General State Exploring
 *   Algorithms, the proviso for queues). */
static bool is_ample(struct graph_search *search, uint32_t from, const struct move *move)
{
    struct run *run = search->run;
    struct graph_state node = search->graph->nodes.at[from];
    struct odometer odometer;
    bool fair = search->limits->fair;
    if (!fair && !(node.started >> search->graph->number[move->lane] & 1))
        return false;
    odometer_start(&odometer);
    run->chooser = &odometer.chooser;
    restore(run, search->saved.at[from]);
    if (step_make(run, move) != STEP_DONE || odometer_next(&odometer))
        return false;
    settle_moves(run, search->moves + step_move_limit(run->machine));
    if (run->stop || (!fair && run_exited(run, move->lane)))
        return false;
    node.started |= UINT64_C(1) << search->graph->number[move->lane];
    step_hash(run, node.hash);
    uint32_t to = hash_find(&search->visited, hash_pair(node.hash[0], node.started), same_state,
                            search->graph->nodes.at, &node);
    return to == HASH_NONE || to > from;
}

/* Schedulers ask who could move, also of those whose steps wait. */
static void note_enabled(struct graph_search *search, uint32_t from, const struct move *move)
{
    struct odometer first;
    odometer_start(&first);
    search->run->chooser = &first.chooser;
    restore(search->run, search->saved.at[from]);
    if (step_make(search->run, move) == STEP_DONE)
        search->graph->nodes.at[from].enabled |= UINT64_C(1) << search->graph->number[move->lane];
}

/* Makes one step of the state at 'from' alone, if one can be. */
static bool try_ample(struct graph_search *search, uint32_t from)
{
    struct run *run = search->run;
    if (search->limits->every_order || run->machine->copies || run->machine->api)
        return false;
    uint32_t count = step_moves(run, search->moves, true, false);
    struct move alone = search->moves[0];
    if (count != 1 || !alone.alone || !is_ample(search, from, &alone))
        return false;
    restore(run, search->saved.at[from]);
    count = step_moves(run, search->moves, false, false);
    for (uint32_t i = 0; i < count; i++)
        if (search->moves[i].lane == alone.lane)
            try_all(search, from, &search->moves[i]);
        else
            note_enabled(search, from, &search->moves[i]);
    return true;
}

/* The steps from a state. */
static void expand(struct graph_search *search, uint32_t from)
{
    struct run *run = search->run;
    uint8_t *saved = search->saved.at[from];
    restore(run, saved);
    search->graph->nodes.at[from].first_edge = search->graph->edges.len;
    bool ample = try_ample(search, from);
    restore(run, saved);
    uint32_t count = ample ? 0 : step_moves(run, search->moves, false, false);
    for (uint32_t i = 0; i < count; i++)
        try_all(search, from, &search->moves[i]);
    struct graph_state *node = &search->graph->nodes.at[from];
    restore(run, saved);
    if (!node->enabled && !node->copying && !search->graph->stops)
        node->waits = hang_explain(run, NULL);
    vec_push(search->scratch, &search->unused, saved);
}

static bool within_limits(struct graph_search *search, uint32_t at)
{
    const struct state_graph_limits *limits = search->limits;
    struct state_graph *graph = search->graph;
    size_t bytes = graph->nodes.cap * sizeof *graph->nodes.at +
                   graph->edges.cap * sizeof *graph->edges.at + arena_bytes(search->scratch);
    if (limits->states && graph->nodes.len > limits->states)
        graph->limit = "states";
    else if (limits->memory_bytes && bytes > limits->memory_bytes)
        graph->limit = "memory";
    else if (limits->seconds > 0 && (at & 63) == 0 && g_get_monotonic_time() > search->deadline)
        graph->limit = "time";
    return !graph->limit;
}

static void search_all(struct graph_search *search)
{
    struct state_graph *graph = search->graph;
    struct odometer none;
    odometer_start(&none);
    search->run->chooser = &none.chooser;
    state_graph_start(search->scratch, search->run);
    graph->stops = search->run->stop;
    if (!graph->stops)
        number_state(search, 0, NONE);
    for (uint32_t at = 0; at < graph->nodes.len && within_limits(search, at); at++)
        expand(search, at);
}

struct state_graph *state_graph_new(struct arena *arena, struct run *run,
                                    const struct state_graph_limits *limits)
{
    struct state_graph *graph = ARENA_NEW(arena, struct state_graph);
    if (!order_threads(graph, arena, run->machine) ||
        (weak_memory_is(run->memory) && !weak_memory_start_forgetting(run->memory)))
        return NULL;
    struct graph_search search = {.run = run,
                                  .arena = arena,
                                  .scratch = arena_scratch(arena),
                                  .graph = graph,
                                  .limits = limits,
                                  .deadline =
                                      g_get_monotonic_time() + (gint64)(limits->seconds * 1e6)};
    /* The moves of a state, and room for those of the next. */
    search.moves = ARENA_ARRAY(search.scratch, struct move, 2 * step_move_limit(run->machine));
    run->live = step_live(search.scratch, run->machine);
    machine_start(run->machine, run->state);
    run->touches = touches_find(search.scratch, run, limits->fair);
    run->any_clock = true;
    search_all(&search);
    run->live = NULL;
    run->touches = NULL;
    arena_free(search.scratch);
    return graph;
}
