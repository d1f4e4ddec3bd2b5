/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_API_STATE_H
#define MODEL_MACHINE_API_STATE_H

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/core/run.h"

/* Private to model/machine/api: what is known of the calls before anything runs, the runtime's part
 * of the state block, and what the files share. */

enum {
    API_TASKS = 1024,
    API_DEVICES = 16,
    API_NODES = 256,                            /* of one graph */
    API_SET_WORDS = MACHINE_MAX_LANES / 64 + 1, /* the most of a set: tasks, nodes or CTAs */
    API_LOOP_TASKS = 8, /* a call in a loop: so many of its tasks are under way at most */
};

/* A place for one execution of a call: several, when a graph holds the call as a node and is
 * launched more than once, or when the call stands in a loop. */
struct api_task {
    const struct host_call *call;
    bool join; /* of a launch of a graph: its end; the other task of the call is its start */
    uint32_t device;
    uint32_t driver;                 /* lane */
    uint32_t box;                    /* lane that keeps what kernels publish early, or NONE */
    uint32_t first_lane, lane_count; /* that do the work */
};

/* What is known of a call before anything runs. */
struct api_call {
    uint32_t stream;         /* NONE where it has none */
    uint32_t device;         /* the current one */
    uint32_t capture;        /* number of the one that it begins */
    enum host_constant mode; /* of captures, of its thread */
    bool noticed;            /* another host thread's calls can tell when it is made */
    bool loops;              /* it stands in a loop */
    bool branches;           /* it may be left out */
};

struct api_stream {
    uint32_t device;
    bool blocking, legacy; /* blocking: of those that no call makes */
    bool from_start;       /* default streams: no call makes them */
};

enum api_words {
#define WORDS(id, count, kind) API_##id,
#include "model/machine/api/state.def"
#undef WORDS
    API_WORDS
};

enum api_rule {
    API_RULE_NONE,
#define RULE(id, edge, text) API_RULE_##id,
#include "model/machine/api/rule.def"
#undef RULE
    API_RULE_COUNT
};

enum { STREAM_EXISTS = 1, STREAM_BLOCKING = 2 };

enum { GONE_DESTROYED = 1, GONE_RESET = 2 }; /* API_GONE of an object */

struct api_graph_table;

struct api {
    const struct test *test;
    const struct host_program *host; /* of the test */
    struct api_task *tasks;
    uint32_t task_count;
    struct api_call *calls; /* as many as the host program has */
    uint32_t *captures;     /* the calls that begin them */
    uint32_t capture_count;
    struct api_stream *streams; /* by object, then per-thread streams, then legacy ones */
    uint32_t stream_count;
    bool **query_ahead; /* by host thread, by micro: may a query still come? */
    struct api_graph_table *graphs;
    uint32_t set_words;
    size_t at[API_WORDS + 1], each[API_WORDS]; /* offsets and sizes in words */
    enum api_rule skip;                        /* the rule that a test leaves out */
};

/* ---- the state block ------------------------------------------------------------------------ */

static inline const struct api *api_of(const struct run *run)
{
    return run->machine->api;
}

static inline bool api_has_rule(const struct run *run, enum api_rule rule)
{
    return run->machine->api->skip != rule;
}

static inline uint64_t *api_words(const struct machine *machine, struct state *state,
                                  enum api_words kind, uint32_t index)
{
    const struct api *api = machine->api;
    uint64_t *words = state_part(state, machine->api_at);
    return words + api->at[kind] + index * api->each[kind];
}

static inline uint64_t *api_set(const struct run *run, enum api_words kind, uint32_t index)
{
    return api_words(run->machine, run->state, kind, index);
}

/* ---- sets ----------------------------------------------------------------------------------- */

static inline bool set_has(const uint64_t *set, uint32_t member)
{
    return set[member / 64] >> (member % 64) & 1;
}

static inline void set_add(uint64_t *set, uint32_t member)
{
    set[member / 64] |= UINT64_C(1) << (member % 64);
}

static inline void set_remove(uint64_t *set, uint32_t member)
{
    set[member / 64] &= ~(UINT64_C(1) << (member % 64));
}

static inline void set_clear(const struct api *api, uint64_t *set)
{
    memset(set, 0, api->set_words * sizeof *set);
}

static inline void set_copy(const struct api *api, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, api->set_words * sizeof *to);
}

static inline void set_join(const struct api *api, uint64_t *to, const uint64_t *from)
{
    for (uint32_t i = 0; i < api->set_words; i++)
        to[i] |= from[i];
}

static inline bool set_within(const struct api *api, const uint64_t *set, const uint64_t *of)
{
    for (uint32_t i = 0; i < api->set_words; i++)
        if (set[i] & ~of[i])
            return false;
    return true;
}

/* The first member that is not below 'from', or NONE. */
static inline uint32_t set_next(const struct api *api, const uint64_t *set, uint32_t from)
{
    for (uint32_t i = from / 64; i < api->set_words; i++) {
        uint64_t word = i == from / 64 ? set[i] & UINT64_MAX << (from % 64) : set[i];
        if (word)
            return 64 * i + (uint32_t)__builtin_ctzll(word);
    }
    return NONE;
}
/* for (each member of set); the set may lose members on the way. */
#define EACH_MEMBER(member, api, set)                                                              \
    for (uint32_t member = set_next(api, set, 0); member != NONE;                                  \
         member = set_next(api, set, member + 1))

/* ---- calls ---------------------------------------------------------------------------------- */

static inline const struct host_call *api_call(const struct run *run, uint32_t index)
{
    return &api_of(run)->host->calls[index];
}

/* instances.c: the tasks that may exist. */
bool api_find_tasks(struct machine *machine, struct api *api, struct diag_list *diags);

/* ---- tasks.c -------------------------------------------------------------------------------- */

/* A task of the call that is under way nowhere, from now on called by 'lane' (E1); NONE after a
 * report: all of them are. */
uint32_t api_take_task(struct run *run, uint32_t lane, const struct host_call *call, bool join,
                       uint32_t device);
/* Starts what may start: nobody notices a start, but of a kernel that may overlap with an earlier
 * one. */
void api_start_tasks(struct run *run);
void api_end_task(struct run *run, uint32_t task);
bool api_task_is_done(struct run *run, uint32_t task);
static inline const struct api_task *api_task(const struct run *run, uint32_t task)
{
    return &api_of(run)->tasks[task];
}
static inline bool api_task_is_kernel(const struct run *run, uint32_t task)
{
    return api_task(run, task)->call->launch != NONE;
}
void api_hand_over(struct run *run, uint32_t from, uint32_t to);
/* The lane learns what was known at the ends of the tasks. */
void api_learn_ends(struct run *run, const uint64_t *tasks, uint32_t lane);

/* ---- streams.c ------------------------------------------------------------------------------ */

/* What is waited for with a stream's handle: its own tasks; the legacy one covers the blocking streams of its device. */
void api_stream_covers(const struct run *run, uint32_t stream, uint64_t *tasks);
/* The task waits for what comes before it in its stream (E2, E4, E20). */
void api_join_queue(struct run *run, uint32_t stream, uint32_t task);
/* What comes later in the stream waits for the task (E2, E4). */
void api_follow_on(struct run *run, uint32_t stream, uint32_t task);
/* A record is the event's latest one from now on, and a wait waits for the latest one (E3). */
void api_match_event(struct run *run, uint32_t task);

/* ---- graph.c: graphs as values; equal ones have one number ---------------------------------- */

struct api_node_edge {
    uint32_t from;
    bool programmatic;
};
struct api_node {
    const struct host_call *call;
    const struct host_call *off; /* the call that has disabled it, or NULL */
    uint32_t child;              /* the graph of a child node, or NONE */
    uint32_t body_count;         /* of a conditional node of an executable graph */
    uint32_t *bodies;            /* graphs */
    uint32_t edge_count;
    struct api_node_edge *edges;
};
struct api_graph {
    struct api_node *nodes;
    uint32_t count;
};
struct api_graph_table *api_graph_table_new(struct arena *arena); /* number 0 is the empty graph */
const struct api_graph *api_graph_at(const struct api_graph_table *table, uint32_t graph);
uint32_t api_graph_with_node(struct api_graph_table *table, uint32_t graph,
                             const struct api_node *node);
uint32_t api_graph_with_edge(struct api_graph_table *table, uint32_t graph, uint32_t to,
                             struct api_node_edge edge);
uint32_t api_graph_without_edge(struct api_graph_table *table, uint32_t graph, uint32_t to,
                                uint32_t from);
/* With a call that does nothing in the place of a node, and without its edges. */
uint32_t api_graph_without_node(struct api_graph_table *table, uint32_t graph, uint32_t node,
                                const struct host_call *call);
/* With another call in the place of a node, or with the node disabled by one. */
uint32_t api_graph_with_call(struct api_graph_table *table, uint32_t graph, uint32_t node,
                             const struct host_call *call);
uint32_t api_graph_with_off(struct api_graph_table *table, uint32_t graph, uint32_t node,
                            const struct host_call *off);
/* The nodes of the one with those disabled that are so in the other, which has the same shape. */
uint32_t api_graph_updated(struct api_graph_table *table, uint32_t graph, uint32_t from);
/* Some node allocates or frees memory. */
bool api_graph_holds_memory(const struct api_graph_table *table, uint32_t graph);
bool api_graphs_have_one_shape(const struct test *test, const struct api_graph_table *table,
                               uint32_t a, uint32_t b);

/* With these graphs as the bodies of a conditional node. */
uint32_t api_graph_with_bodies(struct api_graph_table *table, uint32_t graph, uint32_t node,
                               const uint32_t *bodies, uint32_t count);

/* Reports that nothing can be added to the graph. */
bool api_graph_is_full(struct run *run, uint32_t lane, uint32_t graph);

/* ---- launch.c ------------------------------------------------------------------------------- */

/* The nodes of the executable graph as tasks between 'fork' and the one that is returned; NONE after a
 * report. */
uint32_t api_launch_graph(struct run *run, uint32_t lane, const struct host_call *call,
                          uint32_t fork);
/* The nodes of a graph as tasks between two tasks; 'defaults': tasks that its roots wait for, or NULL. False: no room. */
bool api_expand(struct run *run, uint32_t lane, uint32_t graph, uint32_t fork, uint32_t join,
                const uint64_t *defaults);
/* Graphs made by hand. False after a report. */
bool api_add_node(struct run *run, uint32_t lane, const struct host_call *call);
void api_add_dependency(struct run *run, const struct host_call *call);
void api_remove_dependency(struct run *run, const struct host_call *call);
void api_destroy_node(struct run *run, const struct host_call *call);
/* What nodes do from now on. */
void api_set_node(struct run *run, const struct host_call *call);
void api_enable_node(struct run *run, const struct host_call *call);
void api_update_graph(struct run *run, const struct host_call *call);
/* The node that the call names, of its graph or executable one, or NULL. */
const struct api_node *api_named_node(const struct run *run, const struct host_call *call);
/* An upload comes after the launches so far (E12). */
void api_follow_launches(struct run *run, const struct host_call *call, uint32_t task);

/* ---- condition.c: conditional nodes --------------------------------------------------------- */

/* The graph with the nodes that the graphs of its conditional nodes have now. */
uint32_t api_instantiated(const struct run *run, uint32_t graph);
/* They hold nothing but what they may. */
bool api_bodies_fit(const struct run *run, uint32_t graph);
/* The task reads the handle of the n-th node of the graph, which ends with 'join'. */
void api_decide_later(struct run *run, uint32_t task, uint32_t graph, uint32_t n, uint32_t join);
/* It ends: the body that the handle asks for comes next. */
void api_decide(struct run *run, uint32_t task);
/* Tasks that give the handles of the graph their defaults, behind 'fork'. False: no room. */
bool api_set_defaults(struct run *run, uint32_t lane, uint32_t graph, uint32_t fork,
                      uint64_t *defaults);

/* ---- capture.c ------------------------------------------------------------------------------ */

/* The call's stream is captured, or the call brings it into a capture. */
bool api_capture_takes(const struct run *run, uint32_t call);
bool api_capture_take(struct run *run, uint32_t lane, uint32_t call); /* false after a report */
void api_capture_begin(struct run *run, uint32_t call);
void api_capture_end(struct run *run, uint32_t call);
/* What the next node of a captured stream comes after. */
void api_capture_follow(struct run *run, uint32_t call);
/* The stream is a legacy one, and one that it waits for is being captured. */
bool api_capture_blocks_legacy(const struct run *run, uint32_t stream);
bool api_capture_is_joined(const struct run *run, uint32_t capture);

/* arguments.c: why the call fails by what it names. */
enum host_misuse api_misuse_of_arguments(const struct run *run, uint32_t call);

/* misuse.c: may a capture in progress prohibit the call? */
bool api_call_is_unsafe(const struct host_call *call);
/* misuse.c: why the call fails if it is made now. */
enum host_misuse api_misuse(const struct run *run, uint32_t lane, uint32_t call);

/* ---- waits.c -------------------------------------------------------------------------------- */

/* The tasks that a synchronization or query asks about. */
void api_waits_for(const struct run *run, uint32_t call, uint64_t *tasks);
bool api_waits_to_return(struct run *run, uint32_t lane);
/* A call that has enqueued its task: does it return at once? */
bool api_wait_begin(struct run *run, uint32_t lane, uint32_t call, uint32_t task);
void api_wait_end(struct run *run, uint32_t lane);
/* A synchronization that others can notice: it stands still with what it asks about now. */
void api_wait_hold(struct run *run, uint32_t lane, const uint64_t *tasks);

/* ---- lifetime.c: by the lane that allocates or frees, if the call does ------------------------
 */

void api_lifetime_begin(struct run *run, uint32_t lane, const struct host_call *call);
void api_lifetime_end(struct run *run, uint32_t lane, const struct host_call *call);
/* A call that is not captured frees the block; one before it did. */
void api_lifetime_call(struct run *run, const struct host_call *call);
bool api_lifetime_is_over(const struct run *run, const struct host_call *call);
/* It frees what cudaDeviceReset has freed. */
bool api_lifetime_is_reset(const struct run *run, const struct host_call *call);
/* No earlier launch of the graph has left a block allocated. */
bool api_lifetime_may_launch(const struct run *run, uint32_t graph);
/* The graph's blocks are allocated once more; 'fork' frees those that are left. */
void api_lifetime_launch(struct run *run, uint32_t graph, uint32_t fork);
/* cudaDeviceReset frees the blocks that calls have allocated on the device. */
void api_lifetime_of_device(struct run *run, uint32_t lane, uint32_t device);
/* The launch of a graph starts. */
void api_lifetime_of_launch(struct run *run, uint32_t task);
/* A kernel starts, or ends. */
void api_lifetime_of_kernel(struct run *run, uint32_t task, bool ends);

/* ---- grid.c --------------------------------------------------------------------------------- */

bool api_grid_blocked(struct run *run, uint32_t lane);

#endif
