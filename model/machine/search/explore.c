/* SPDX-License-Identifier: MIT */
#include "model/machine/search/explore.h"

#include <glib.h>
#include <string.h>

#include "model/machine/step/lane.h"
#include "model/machine/core/run.h"
#include "model/machine/step/step.h"
#include "model/machine/sync/sync.h"
#include "model/machine/search/visited.h"

/* Choices made during one move: replayed, then counted up like an odometer. */
enum { CHOICES = 256 };
struct odometer {
    struct chooser chooser;
    uint32_t chosen[CHOICES], counts[CHOICES], made, given;
};

static uint32_t odometer_choose(struct chooser *chooser, uint32_t count, const char *what)
{
    struct odometer *odometer = (struct odometer *)chooser;
    (void)what;
    if (odometer->made == CHOICES)
        return 0;
    uint32_t at = odometer->made++;
    if (at >= odometer->given)
        odometer->chosen[at] = 0;
    odometer->counts[at] = count;
    return odometer->chosen[at];
}

/* The next combination after the one just tried; false when it was the last. */
static bool odometer_next(struct odometer *odometer)
{
    while (odometer->made &&
           odometer->chosen[odometer->made - 1] + 1 == odometer->counts[odometer->made - 1])
        odometer->made--;
    if (!odometer->made)
        return false;
    odometer->given = odometer->made;
    odometer->chosen[odometer->made - 1]++;
    return true;
}

/* One state on the way down: its moves and how far they have been tried. */
struct frame {
    uint32_t number; /* of the state */
    uint8_t *saved;
    struct move *moves;
    uint32_t move_count, at;
    struct explore_step step; /* the one tried last */
    struct odometer odometer;
};

/* What the search knows about a state, by its number: Tarjan's numbers for the strongly connected
 * components of the state graph, in which spin loops live. */
struct node {
    uint32_t low;
    bool open; /* its component is not complete yet */
    bool ends; /* some schedule from here ends */
};

struct search {
    struct run run;
    GArray *nodes, *component; /* struct node by number; numbers of open states */
    const struct explore_options *options;
    struct explore_result *result;
    struct visited *visited;
    GPtrArray *frames;
    uint32_t depth;
    uint8_t *final_bytes;
    bool *spinning; /* by lane, for hang_explain */
    uint64_t *values;
    gint64 deadline;
};

static size_t saved_bytes(const struct search *search)
{
    return search->run.machine->state_bytes + search->run.memory->ops->bytes(search->run.memory);
}

static void save(const struct search *search, uint8_t *to)
{
    size_t lanes = search->run.machine->state_bytes;
    memcpy(to, search->run.state, lanes);
    search->run.memory->ops->save(search->run.memory, to + lanes);
}

static void restore(struct search *search, const uint8_t *from)
{
    size_t lanes = search->run.machine->state_bytes;
    memcpy(search->run.state, from, lanes);
    search->run.memory->ops->load(search->run.memory, from + lanes);
    search->run.stop = search->run.full = false;
}

/* Keeps the moves from the first state to here. */
static void keep_path(struct search *search)
{
    struct explore_result *result = search->result;
    result->path = ARENA_ARRAY(result->outcomes.arena, struct explore_step, search->depth);
    result->path_length = search->depth;
    for (uint32_t i = 0; i < search->depth; i++)
        result->path[i] = ((struct frame *)g_ptr_array_index(search->frames, i))->step;
    result->finished = false;
}

static void add_outcome(struct search *search)
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
static void add_outcomes(struct search *search)
{
    struct odometer odometer = {.chooser.choose = odometer_choose};
    search->run.chooser = &odometer.chooser;
    do {
        odometer.given = odometer.made;
        odometer.made = 0;
        search->run.memory->ops->final(&search->run, search->final_bytes);
        machine_observe(search->run.machine, search->run.state, search->final_bytes,
                        search->values);
        add_outcome(search);
    } while (odometer_next(&odometer));
}

static struct frame *new_frame(struct search *search)
{
    if (search->depth == search->frames->len) {
        struct frame *frame = g_new0(struct frame, 1);
        frame->saved = g_malloc(saved_bytes(search));
        frame->moves = g_new(struct move, move_limit(search->run.machine));
        g_ptr_array_add(search->frames, frame);
    }
    return g_ptr_array_index(search->frames, search->depth);
}

static void free_frame(gpointer data)
{
    struct frame *frame = data;
    g_free(frame->saved);
    g_free(frame->moves);
    g_free(frame);
}

static void stop_at(struct search *search, const char *limit)
{
    search->result->finished = false;
    if (!search->result->limit)
        search->result->limit = limit;
}

/* What the search takes, and takes for a moment when a table grows next. */
static size_t bytes_used(const struct search *search)
{
    size_t frame = sizeof(struct frame) + saved_bytes(search) +
                   move_limit(search->run.machine) * sizeof(struct move);
    return visited_bytes(search->visited) + 3 * search->nodes->len * sizeof(struct node) +
           3 * search->component->len * sizeof(uint32_t) + search->frames->len * frame;
}

static bool within_limits(struct search *search)
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

static struct node *node_of(const struct search *search, uint32_t number)
{
    return &g_array_index(search->nodes, struct node, number);
}

static struct frame *deepest(const struct search *search)
{
    return g_ptr_array_index(search->frames, search->depth - 1);
}

/* The state on top of the stack has a successor that ends. */
static void note_end(struct search *search)
{
    if (search->depth)
        node_of(search, deepest(search)->number)->ends = true;
}

/* A successor that was seen before. */
static void note_known(struct search *search, uint32_t number)
{
    const struct node *known = node_of(search, number);
    struct node *self = search->depth ? node_of(search, deepest(search)->number) : NULL;
    if (self && known->open)
        self->low = MIN(self->low, known->low);
    else if (self)
        self->ends |= known->ends;
}

static void report_spin(struct search *search, const struct frame *frame)
{
    search->result->hangs = true;
    restore(search, frame->saved);
    for (uint32_t lane = 0; lane < search->run.machine->lane_count; lane++)
        search->spinning[lane] = lane_running(search->run.machine, search->run.state, lane);
    hang_explain(&search->run, search->spinning);
}

/* All moves of the deepest frame are tried: its component may be complete. */
static void leave(struct search *search)
{
    struct frame *frame = deepest(search);
    struct node *self = node_of(search, frame->number);
    bool ends = self->ends, root = self->low == frame->number;
    if (root) {
        uint32_t number;
        do {
            number = g_array_index(search->component, uint32_t, search->component->len - 1);
            g_array_set_size(search->component, search->component->len - 1);
            node_of(search, number)->open = false;
            node_of(search, number)->ends = ends;
        } while (number != frame->number);
        if (!ends)
            report_spin(search, frame);
    }
    search->depth--;
    if (!search->depth)
        return;
    struct node *parent = node_of(search, deepest(search)->number);
    parent->low = MIN(parent->low, node_of(search, frame->number)->low);
    parent->ends |= ends || root; /* what cannot end was reported at its root */
}

static void open_node(struct search *search, uint32_t number)
{
    struct node node = {.low = number, .open = true};
    g_array_append_val(search->nodes, node);
    g_array_append_val(search->component, number);
}

/* A state without moves: an outcome, or lanes that wait for ever. */
static void finish_run(struct search *search)
{
    if (hang_explain(&search->run, NULL))
        search->result->hangs = true;
    else
        add_outcomes(search);
}

/* The state just reached: new ones get a frame, ends are recorded. */
static void enter(struct search *search)
{
    uint64_t hash[2];
    bool is_new;
    struct frame *frame = new_frame(search);
    do {
        step_settle(&search->run);
        frame->move_count = search->run.stop
                                ? 0
                                : step_moves(&search->run, frame->moves, search->options->reduce,
                                             search->options->issue_loads);
    } while (!frame->move_count && !search->run.stop && barrier_release_open(&search->run));
    if (search->run.stop) {
        search->result->stops = true;
        note_end(search);
        return;
    }
    step_hash(&search->run, hash);
    uint32_t number = visited_add(search->visited, hash, &is_new);
    if (!is_new) {
        note_known(search, number);
        return;
    }
    search->result->states++;
    search->result->reduced += frame->move_count && frame->moves[0].alone;
    open_node(search, number);
    if (!frame->move_count) {
        struct node *node = node_of(search, number);
        node->ends = true;
        node->open = false;
        g_array_set_size(search->component, search->component->len - 1);
        note_end(search);
        finish_run(search);
        return;
    }
    if (!within_limits(search))
        return;
    frame->number = number;
    frame->at = 0;
    frame->odometer.made = frame->odometer.given = 0;
    frame->odometer.chooser.choose = odometer_choose;
    save(search, frame->saved);
    search->depth++;
}

/* Tries the next choice of the next move of the deepest frame. */
static void advance(struct search *search)
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
    enum step_end end = step_make(&search->run, &frame->moves[frame->at]);
    search->result->steps++;
    if (!odometer_next(&frame->odometer)) {
        frame->at++;
        frame->odometer.made = frame->odometer.given = 0;
    }
    if (end == STEP_PRUNED) {
        search->result->pruned++;
        note_end(search); /* a wrong guess says nothing */
    } else if (end == STEP_FULL)
        stop_at(search, "events");
    else if (end == STEP_DONE)
        enter(search);
}

void explore(struct arena *arena, const struct machine *machine, struct memory *memory,
             const struct explore_options *options, struct report_list *reports,
             struct explore_result *result)
{
    struct search search = {.options = options, .result = result};
    search.run = (struct run){.machine = machine, .memory = memory, .reports = reports};
    search.run.late_values = options->issue_loads;
    search.run.state = g_malloc0(machine->state_bytes);
    search.final_bytes = g_malloc0(machine->memory_bytes + 1);
    search.spinning = g_new0(bool, machine->lane_count);
    search.values = g_new0(uint64_t, machine->test->observed_count + 1);
    search.visited = visited_new();
    search.nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
    search.component = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    search.frames = g_ptr_array_new_with_free_func(free_frame);
    search.deadline = g_get_monotonic_time() + (gint64)(options->timeout_seconds * 1e6);
    *result = (struct explore_result){.outcomes = {.test = machine->test, .arena = arena},
                                      .finished = true};
    struct odometer none = {.chooser.choose = odometer_choose};
    search.run.chooser = &none.chooser;
    machine_start(machine, search.run.state);
    memory->ops->reset(memory);
    enter(&search);
    while (search.depth && search.result->finished)
        advance(&search);
    g_ptr_array_free(search.frames, TRUE);
    g_array_free(search.nodes, TRUE);
    g_array_free(search.component, TRUE);
    visited_free(search.visited);
    g_free(search.spinning);
    g_free(search.values);
    g_free(search.final_bytes);
    g_free(search.run.state);
}
