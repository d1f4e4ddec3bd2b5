/* SPDX-License-Identifier: MIT */
#include "model/machine/search/liveness.h"

#include <string.h>

const char *hang_kind_name(enum hang_kind kind)
{
    static const char *const names[] = {"none", "starvation", "livelock", "barrier"};
    return names[kind];
}

/* What the threads of a set do in part of the graph. */
struct doings {
    uint64_t owed;  /* threads owed a turn in every state */
    uint64_t units; /* first threads of units owed a turn in every state */
    uint64_t copying;
    uint64_t moved, copied; /* threads with a step, or a copy's, there */
    uint64_t asked;         /* threads with a step there that asks a clock */
};

struct hang_search {
    const struct state_graph *graph;
    const struct machine *machine;
    const struct guarantee *progress;
    struct arena *arena;
    uint64_t unit_of[STATE_GRAPH_THREADS]; /* by thread, all of its unit */
    uint64_t always;                       /* threads of cooperative launches */
    uint64_t timing;     /* threads that do more with clocks than the search tries */
    uint32_t *component; /* by node */
    bool *cut;           /* by edge: no fair run takes it for ever */
    uint32_t components;
};

static uint64_t bit(uint32_t thread)
{
    return UINT64_C(1) << thread;
}

static uint64_t lowest_bit(uint64_t set)
{
    return set & -set;
}

/* ---- who is owed a turn --------------------------------------------------------------------- */

static bool same_unit(const struct hang_search *l, uint32_t a, uint32_t b)
{
    const struct lane_place *one = &l->machine->lanes[l->graph->order[a]],
                            *other = &l->machine->lanes[l->graph->order[b]];
    switch (l->progress->unit) {
    case PROGRESS_CTA:
        return one->cta == other->cta;
    case PROGRESS_CUDA:
        return one->cluster == other->cluster;
    case PROGRESS_FLAT:
        break;
    }
    return true;
}

static void find_units(struct hang_search *l)
{
    for (uint32_t a = 0; a < l->graph->threads; a++) {
        uint32_t launch = l->machine->lanes[l->graph->order[a]].launch;
        if (launch != NONE && l->machine->test->launches[launch].cooperative)
            l->always |= bit(a);
        if (!program_compares_clock_once(l->arena, machine_program(l->machine, l->graph->order[a])))
            l->timing |= bit(a);
        for (uint32_t b = 0; b < l->graph->threads; b++)
            if (same_unit(l, a, b))
                l->unit_of[a] |= bit(b);
    }
}

/* The first thread of each unit that has one in the set. */
static uint64_t units_with(const struct hang_search *l, uint64_t set)
{
    uint64_t units = 0;
    for (uint64_t left = set; left; left &= left - 1)
        units |= lowest_bit(l->unit_of[__builtin_ctzll(left)]);
    return units;
}

static uint64_t owed_units(const struct hang_search *l, const struct graph_state *node)
{
    uint64_t enabled = units_with(l, node->enabled);
    uint64_t owed = progress_owed(l->progress->units, enabled, units_with(l, node->started));
    if (l->progress->unit == PROGRESS_CUDA)
        owed |= enabled & l->always;
    return owed;
}

static struct doings doings_of(const struct hang_search *l, const struct graph_state *node)
{
    struct doings doings = {.units = owed_units(l, node), .copying = node->copying};
    for (uint64_t left = doings.units; left; left &= left - 1) {
        uint64_t unit = l->unit_of[__builtin_ctzll(left)];
        doings.owed |=
            progress_owed(l->progress->threads, node->enabled & unit, node->started & unit);
    }
    return doings;
}

static void meet(struct doings *all, const struct doings *one)
{
    all->owed &= one->owed;
    all->units &= one->units;
    all->copying &= one->copying;
}

static void note_step(struct doings *doings, const struct state_graph *graph,
                      const struct state_edge *edge)
{
    uint64_t self = bit(graph->number[edge->move.lane]);
    *(edge->move.kind == MOVE_STEP ? &doings->moved : &doings->copied) |= self;
    doings->asked |= edge->clock ? self : 0;
}

/* Whoever is owed a turn all the time gets it, and what is on its way arrives. */
static bool is_fair(const struct hang_search *l, const struct doings *doings)
{
    return !(doings->owed & ~doings->moved) && !(doings->units & ~units_with(l, doings->moved)) &&
           !(doings->copying & ~doings->copied);
}

/* ---- components: Tarjan's algorithm, without recursion -------------------------------------- */

struct tarjan_visit {
    uint32_t node, edge; /* edge: the next one of the node, counted from its first */
};
struct tarjan {
    struct hang_search *l;
    uint32_t *low, *index; /* index: 0 is not met yet */
    uint32_t next;
    VEC(uint32_t) open;
    VEC(struct tarjan_visit) path;
};

static void visit_node(struct tarjan *t, uint32_t node)
{
    t->low[node] = t->index[node] = ++t->next;
    vec_push(t->l->arena, &t->open, node);
    vec_push(t->l->arena, &t->path, ((struct tarjan_visit){node, 0}));
}

static void leave_node(struct tarjan *t, uint32_t node)
{
    struct hang_search *l = t->l;
    t->path.len--;
    if (t->path.len) {
        uint32_t *low = &t->low[t->path.at[t->path.len - 1].node];
        *low = *low < t->low[node] ? *low : t->low[node];
    }
    if (t->low[node] != t->index[node])
        return;
    uint32_t member;
    do {
        member = t->open.at[--t->open.len];
        l->component[member] = l->components;
    } while (member != node);
    l->components++;
}

static void follow_edge(struct tarjan *t, struct tarjan_visit *at)
{
    const struct graph_state *node = &t->l->graph->nodes.at[at->node];
    uint32_t from = at->node, e = node->first_edge + at->edge++, to = t->l->graph->edges.at[e].to;
    if (t->l->cut[e])
        return;
    if (!t->index[to])
        visit_node(t, to);
    else if (t->l->component[to] == NONE && t->index[to] < t->low[from])
        t->low[from] = t->index[to];
}

static void find_components(struct hang_search *l)
{
    uint32_t count = l->graph->nodes.len;
    l->components = 0;
    struct tarjan t = {.l = l,
                       .low = ARENA_ARRAY(l->arena, uint32_t, count),
                       .index = ARENA_ARRAY(l->arena, uint32_t, count)};
    l->component = ARENA_ARRAY(l->arena, uint32_t, count);
    memset(l->component, 0xff, count * sizeof *l->component);
    for (uint32_t root = 0; root < count; root++) {
        if (!t.index[root])
            visit_node(&t, root);
        while (t.path.len) {
            struct tarjan_visit *at = &t.path.at[t.path.len - 1];
            if (at->edge < l->graph->nodes.at[at->node].edge_count)
                follow_edge(&t, at);
            else
                leave_node(&t, at->node);
        }
    }
}

static bool stays(const struct hang_search *l, uint32_t node, uint32_t e)
{
    return !l->cut[e] && l->component[l->graph->edges.at[e].to] == l->component[node];
}

/* The writes that are there in every state of a component. */
static uint64_t *lasting_writes(const struct hang_search *l)
{
    uint64_t *lasting = ARENA_ARRAY(l->arena, uint64_t, l->components);
    memset(lasting, 0xff, l->components * sizeof *lasting);
    for (uint32_t n = 0; n < l->graph->nodes.len; n++)
        lasting[l->component[n]] &= l->graph->nodes.at[n].writes;
    return lasting;
}

/* Memory is fair: what was written becomes visible in finite time. So no run without end returns for ever older values
 * than a write that stays, and the steps that do are cut off: that may leave smaller components, in which more stays. */
static bool cut_unfair(struct hang_search *l)
{
    const uint64_t *lasting = lasting_writes(l);
    bool found = false;
    for (uint32_t n = 0; n < l->graph->nodes.len; n++) {
        const struct graph_state *node = &l->graph->nodes.at[n];
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            bool unfair = l->graph->edges.at[e].missed & lasting[l->component[n]];
            if (!unfair || !stays(l, n, e))
                continue;
            l->cut[e] = found = true;
        }
    }
    return found;
}

static bool same_step(const struct state_edge *a, const struct state_edge *b)
{
    return a->move.kind == b->move.kind && a->move.lane == b->move.lane;
}

/* Can what a clock shows at this step of the node lead out of its component? */
static bool clock_leads_out(const struct hang_search *l, uint32_t n, uint32_t step)
{
    const struct graph_state *node = &l->graph->nodes.at[n];
    const struct state_edge *edges = l->graph->edges.at;
    for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
        if (same_step(&edges[e], &edges[step]) && !stays(l, n, e))
            return true;
    return false;
}

/* Clocks move on: whoever asks one for ever sees all that it can show. So no run without end comes for ever to where that
 * leads away. */
static bool cut_timed(struct hang_search *l)
{
    bool found = false;
    for (uint32_t n = 0; n < l->graph->nodes.len; n++) {
        const struct graph_state *node = &l->graph->nodes.at[n];
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            if (!l->graph->edges.at[e].clock || !stays(l, n, e) || !clock_leads_out(l, n, e))
                continue;
            l->cut[e] = found = true;
        }
    }
    return found;
}

/* What happens in each component for ever, if all that can happen there does. */
static struct doings *component_doings(const struct hang_search *l, bool *cyclic)
{
    struct doings *all = ARENA_ARRAY(l->arena, struct doings, l->components);
    for (uint32_t c = 0; c < l->components; c++)
        all[c].owed = all[c].units = all[c].copying = UINT64_MAX;
    for (uint32_t n = 0; n < l->graph->nodes.len; n++) {
        const struct graph_state *node = &l->graph->nodes.at[n];
        uint32_t c = l->component[n];
        struct doings here = doings_of(l, node);
        meet(&all[c], &here);
        for (uint32_t e = 0; e < node->edge_count; e++) {
            const struct state_edge *edge = &l->graph->edges.at[node->first_edge + e];
            if (!stays(l, n, node->first_edge + e))
                continue;
            note_step(&all[c], l->graph, edge);
            cyclic[c] = true;
        }
    }
    return all;
}

/* ---- paths ---------------------------------------------------------------------------------- */

/* A path that grows, and what happens on it. */
struct path {
    VEC(uint32_t) edges;
    struct doings doings;
    uint32_t at; /* where it ends */
};

static void start_path(const struct hang_search *l, struct path *path, uint32_t node)
{
    *path = (struct path){.at = node};
    path->doings = doings_of(l, &l->graph->nodes.at[node]);
}

static void go_along(const struct hang_search *l, struct path *path, uint32_t number)
{
    const struct state_edge *edge = &l->graph->edges.at[number];
    struct doings there = doings_of(l, &l->graph->nodes.at[edge->to]);
    vec_push(l->arena, &path->edges, number);
    note_step(&path->doings, l->graph, edge);
    meet(&path->doings, &there);
    path->at = edge->to;
}

/* What is still missing in the path, or, when nothing is, the way back to 'home'. */
static bool improves(const struct hang_search *l, const struct path *path, uint32_t number,
                     uint32_t home)
{
    const struct state_edge *edge = &l->graph->edges.at[number];
    const struct doings *now = &path->doings;
    if (path->edges.len && is_fair(l, now))
        return edge->to == home;
    struct doings next = *now, there = doings_of(l, &l->graph->nodes.at[edge->to]);
    note_step(&next, l->graph, edge);
    meet(&next, &there);
    return (next.owed & ~next.moved) != (now->owed & ~now->moved) ||
           (next.units & ~units_with(l, next.moved)) != (now->units & ~units_with(l, now->moved)) ||
           (next.copying & ~next.copied) != (now->copying & ~now->copied) ||
           (!path->edges.len && is_fair(l, now));
}

/* By a shortest way inside the component to an edge that improves the path. */
static void extend(const struct hang_search *l, struct path *path, uint32_t home)
{
    const struct state_graph *graph = l->graph;
    uint32_t found = NONE;
    VEC(uint32_t) queue = {0};
    uint32_t *by = ARENA_ARRAY(l->arena, uint32_t, graph->nodes.len); /* edge + 1 */
    uint32_t *from = ARENA_ARRAY(l->arena, uint32_t, graph->nodes.len);
    vec_push(l->arena, &queue, path->at);
    uint32_t last = NONE;
    for (uint32_t i = 0; i < queue.len && found == NONE; i++) {
        const struct graph_state *node = &graph->nodes.at[queue.at[i]];
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            uint32_t to = graph->edges.at[e].to;
            if (!stays(l, queue.at[i], e))
                continue;
            if (improves(l, path, e, home)) {
                found = e;
                last = queue.at[i];
                break;
            }
            if (by[to] || to == path->at)
                continue;
            by[to] = e + 1;
            from[to] = queue.at[i];
            vec_push(l->arena, &queue, to);
        }
    }
    VEC(uint32_t) back = {0};
    for (uint32_t n = last; n != path->at; n = from[n])
        vec_push(l->arena, &back, by[n] - 1);
    while (back.len)
        go_along(l, path, back.at[--back.len]);
    go_along(l, path, found);
}

/* The loop: from a state of a fair component back to it, with a turn for everyone who is owed one. */
static struct path find_loop(const struct hang_search *l, uint32_t home)
{
    struct path path;
    start_path(l, &path, home);
    do
        extend(l, &path, home);
    while (path.at != home || !is_fair(l, &path.doings));
    return path;
}

static void find_stem(const struct hang_search *l, struct hang *hang, uint32_t node)
{
    const struct state_graph *graph = l->graph;
    for (uint32_t n = node; graph->nodes.at[n].parent != NONE; n = graph->nodes.at[n].parent)
        hang->stem_length++;
    hang->stem = ARENA_ARRAY(l->arena, uint32_t, hang->stem_length);
    uint32_t at = hang->stem_length;
    for (uint32_t n = node; at; n = graph->nodes.at[n].parent) {
        const struct graph_state *parent = &graph->nodes.at[graph->nodes.at[n].parent];
        uint32_t e = parent->first_edge;
        while (graph->edges.at[e].to != n)
            e++;
        hang->stem[--at] = e;
    }
}

/* ---- the answer ----------------------------------------------------------------------------- */

static struct hang hang_at(const struct hang_search *l, uint32_t n)
{
    const struct graph_state *node = &l->graph->nodes.at[n];
    struct hang hang = {.standing = node->live, .started = node->started};
    find_stem(l, &hang, n);
    if (node->waits) {
        hang.kind = HANG_BARRIER;
        return hang;
    }
    struct path loop = find_loop(l, n);
    hang.loop = loop.edges.at;
    hang.loop_length = loop.edges.len;
    hang.standing &= ~loop.doings.moved;
    hang.kind = hang.standing ? HANG_STARVATION : HANG_LIVELOCK;
    return hang;
}

struct hang liveness_find(struct arena *arena, const struct machine *machine,
                          const struct state_graph *graph, const struct guarantee *progress)
{
    struct hang_search l = {
        .graph = graph, .machine = machine, .progress = progress, .arena = arena};
    l.cut = ARENA_ARRAY(arena, bool, graph->edges.len + 1);
    find_units(&l);
    do
        find_components(&l);
    while (cut_unfair(&l) || cut_timed(&l));
    bool timed = false, *cyclic = ARENA_ARRAY(arena, bool, l.components);
    struct doings *all = component_doings(&l, cyclic);
    for (uint32_t n = 0; n < graph->nodes.len; n++) {
        uint32_t c = l.component[n];
        bool goes_round = cyclic[c] && is_fair(&l, &all[c]);
        bool asks = all[c].asked & l.timing;
        if (graph->nodes.at[n].waits || (goes_round && !asks))
            return hang_at(&l, n);
        timed |= goes_round;
    }
    return (struct hang){.kind = HANG_NONE, .timed = timed};
}
