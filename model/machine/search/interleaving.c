/* SPDX-License-Identifier: MIT */
#include "model/machine/search/interleaving.h"

#include "model/machine/core/region.h"
#include "model/machine/core/scope.h"
#include "model/machine/search/deciding.h"
#include "model/machine/setup/setup.h"

#define NODE_ALL UINT32_MAX

/* The accesses of a lane that its program has, each to a place known beforehand, or to somewhere in an object. */
struct extent {
    const struct region *region;
    uint32_t memory, bytes;
};
struct touch {
    struct extent at;
    uint32_t lane, size;  /* bytes: fewer than the extent has where it is an object */
    enum scope scope;     /* SCOPE_NONE: weak, or otherwise without promises */
    bool writes, generic; /* by the generic proxy: another one shows a thread's own writes late */
};
/* A lane meets others elsewhere than in memory: at a barrier, in a collective. */
struct lane_meeting {
    uint32_t lane, node; /* a CTA, or NODE_ALL */
};
struct lane_touches {
    VEC(struct touch) all;
    VEC(struct place_access) accesses; /* the same */
    VEC(struct lane_meeting) meetings; /* each once */
    bool tell_only; /* some tell values, or that the other is there, but order no accesses */
    struct arena *arena;
    const struct machine *machine;
};

static enum scope strength(const struct micro *micro)
{
    const struct inst *inst = micro->inst;
    bool weak = (inst->sem == SEM_NONE || inst->sem == SEM_WEAK) && !micro_is_atomic(micro);
    if (weak || inst->proxy != PROXY_GENERIC || micro_elements(micro) > 1)
        return SCOPE_NONE;
    return inst->scope == SCOPE_NONE ? SCOPE_GPU : inst->scope;
}

/* A lane's own local memory counts as one byte behind all other memory. */
static struct extent extent_of(const struct machine *machine, uint32_t lane,
                               const struct pointing *to, uint32_t size)
{
    const struct region *region = to->region;
    if (!region)
        return (struct extent){NULL, machine->memory_bytes + lane, size};
    if (to->kind == POINTING_INTO)
        return (struct extent){region, region->memory, region->bytes};
    return (struct extent){region, region_memory(region, to->address), size};
}

/* False: where the access goes is not known before the run. */
static bool add_access(struct lane_touches *touches, uint32_t lane, const struct micro *micro,
                       const struct pointing *to)
{
    uint32_t size = to->region ? micro->bytes * micro_elements(micro) : 1;
    if (to->kind == POINTING_ANYWHERE)
        return false;
    struct touch touch = {.at = extent_of(touches->machine, lane, to, size),
                          .lane = lane,
                          .size = size,
                          .scope = strength(micro),
                          .writes = micro_reach(micro) == MICRO_REACHES_WRITES,
                          .generic = micro->inst->proxy == PROXY_GENERIC};
    struct place_access there = {micro, lane, touch.at.memory, touch.at.bytes};
    vec_push(touches->arena, &touches->all, touch);
    vec_push(touches->arena, &touches->accesses, there);
    return true;
}

static void add_meeting(struct lane_touches *touches, uint32_t lane, uint32_t node)
{
    for (uint32_t i = 0; i < touches->meetings.len; i++)
        if (touches->meetings.at[i].lane == lane && touches->meetings.at[i].node == node)
            return;
    vec_push(touches->arena, &touches->meetings, ((struct lane_meeting){lane, node}));
}

static void add_meetings(struct lane_touches *touches, uint32_t lane, const struct micro *micro)
{
    uint32_t cta = touches->machine->lanes[lane].cta;
    switch (micro->kind) {
    case MICRO_BARRIER:
        add_meeting(touches, lane, cta);
        break;
    case MICRO_COLLECTIVE:
        touches->tell_only |= micro->inst->op != OP_BAR_WARP_SYNC;
        add_meeting(touches, lane, cta);
        break;
    case MICRO_CLUSTER_ARRIVE:
    case MICRO_CLUSTER_WAIT:
    case MICRO_GRID_SYNC:
    case MICRO_GRIDDEP:
    case MICRO_HOST_CALL:
        touches->tell_only = true; /* some forms do */
        add_meeting(touches, lane, NODE_ALL);
        break;
    default: /* meets nobody */
        break;
    }
}

/* Its result may be another one than the executor gives. */
static bool is_chosen(const struct micro *micro)
{
    return micro->kind == MICRO_CLOCK || micro->kind == MICRO_ACTIVEMASK ||
           (micro->kind == MICRO_COLLECTIVE && micro->inst->op == OP_ELECT);
}

static bool add_lane(struct lane_touches *touches, uint32_t lane, const struct pointing *pointing)
{
    const struct program *program = machine_program(touches->machine, lane);
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        if (pointing[i].kind == POINTING_NEVER)
            continue;
        if (is_chosen(micro))
            return false;
        add_meetings(touches, lane, micro);
        if (micro_is_access(micro) ? !add_access(touches, lane, micro, &pointing[i])
                                   : micro_reach(micro) != MICRO_REACHES_NOTHING)
            return false;
    }
    return true;
}

static bool overlap(const struct extent *a, const struct extent *b)
{
    return a->memory < b->memory + b->bytes && b->memory < a->memory + a->bytes;
}

static bool same(const struct extent *a, const struct extent *b)
{
    return a->region == b->region && a->memory == b->memory && a->bytes == b->bytes;
}

/* Do two accesses that overlap touch the same bytes? Of one size they do, as addresses are aligned. */
static bool coincide(const struct touch *a, const struct touch *b)
{
    bool exact = a->at.bytes == a->size && b->at.bytes == b->size;
    return exact ? same(&a->at, &b->at) : a->at.region == b->at.region && a->size == b->size;
}

static bool inclusive(const struct machine *machine, const struct touch *a, const struct touch *b)
{
    struct scope_place here = scope_place_of(machine, machine->lanes[a->lane].cta, 0),
                       there = scope_place_of(machine, machine->lanes[b->lane].cta, 0);
    return scope_inclusive(&here, a->scope, &there, b->scope);
}

/* Do different threads conflict there? Then 'strong' is false where that is a race or of two sizes. */
static bool is_shared(const struct lane_touches *touches, const struct touch *touch, bool *strong)
{
    bool shared = false;
    for (uint32_t i = 0; i < touches->all.len; i++) {
        const struct touch *other = &touches->all.at[i];
        if (!overlap(&touch->at, &other->at))
            continue;
        if (!touch->writes && !other->writes)
            continue;
        *strong &= coincide(touch, other) && touch->generic && other->generic;
        if (other->lane == touch->lane)
            continue;
        *strong &= same(&touch->at, &other->at) && touch->at.bytes == touch->size &&
                   inclusive(touches->machine, touch, other);
        shared = true;
    }
    return shared;
}

static uint32_t root_of(uint32_t *up, uint32_t node)
{
    while (up[node] != node)
        node = up[node];
    return node;
}

/* The first touch there that is shared, of the same lane or of any. */
static uint32_t first_touch(const struct lane_touches *touches, const bool *shared, uint32_t of,
                            bool any)
{
    const struct touch *touch = &touches->all.at[of];
    uint32_t i = 0;
    while (!shared[i] || !same(&touches->all.at[i].at, &touch->at) ||
           (!any && touches->all.at[i].lane != touch->lane))
        i++;
    return i;
}

/* Joins two nodes; false: they were joined before. */
static bool join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = root_of(up, a);
    b = root_of(up, b);
    up[a] = b;
    return a != b;
}

/* Joins each thread with the locations it shares, which are counted; false: two of them were joined before. */
static bool join_locations(const struct lane_touches *touches, uint32_t *up, bool *strong,
                           uint32_t *locations)
{
    uint32_t lanes = touches->machine->lane_count, count = touches->all.len;
    bool *shared = ARENA_ARRAY(touches->arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        shared[i] = is_shared(touches, &touches->all.at[i], strong);
    for (uint32_t i = 0; i < count; i++) {
        if (!shared[i] || first_touch(touches, shared, i, false) != i)
            continue;
        uint32_t first = first_touch(touches, shared, i, true);
        *locations += first == i;
        if (!join(up, touches->all.at[i].lane, lanes + first))
            return false;
    }
    return true;
}

/* The same of where threads meet. */
static bool join_meetings(const struct lane_touches *touches, uint32_t *up, uint32_t first_node)
{
    const struct lane_meeting *met = touches->meetings.at;
    for (uint32_t i = 0, first; i < touches->meetings.len; i++) {
        for (first = 0; met[first].node != met[i].node; first++)
            ;
        if (!join(up, met[i].lane, first_node + first))
            return false;
    }
    return true;
}

/* Barriers order the accesses around them, as reads and writes of a location are ordered; of only one location no ring
 * through barriers comes back to an earlier write. */
static bool is_forest(const struct lane_touches *touches)
{
    uint32_t lanes = touches->machine->lane_count, locations = 0;
    uint32_t first_node = lanes + touches->all.len;
    uint32_t *up = ARENA_ARRAY(touches->arena, uint32_t, first_node + touches->meetings.len);
    bool strong = true;
    for (uint32_t i = 0; i < first_node + touches->meetings.len; i++)
        up[i] = i;
    if (!join_locations(touches, up, &strong, &locations) || !strong)
        return false;
    return join_meetings(touches, up, first_node) || (locations <= 1 && !touches->tell_only);
}

/* False: not all accesses are known. */
static bool find_touches(const struct interleaved *interleaving, struct lane_touches *touches)
{
    *touches =
        (struct lane_touches){.arena = interleaving->arena, .machine = interleaving->machine};
    for (uint32_t lane = 0; lane < touches->machine->lane_count; lane++)
        if (machine_program(touches->machine, lane) &&
            (!interleaving->pointing[lane] ||
             !add_lane(touches, lane, interleaving->pointing[lane])))
            return false;
    return !touches->machine->api && !interleaving->leaves;
}

static void look_at(const struct tracer *tracer, struct run *run, uint32_t lane,
                    const struct micro *micro, const struct memory_access *access)
{
    struct interleaved *in = (struct interleaved *)(uintptr_t)tracer;
    if (!access || !in->pointing[lane])
        return;
    const struct pointing *to =
        &in->pointing[lane][micro - machine_program(run->machine, lane)->micros];
    in->leaves |= to->kind == POINTING_INTO &&
                  (to->region ? access->address - to->region->base >= to->region->bytes
                              : access->address < LOCAL_FIRST);
}

struct interleaved *interleaving_new(struct arena *arena, const struct machine *machine)
{
    struct interleaved *in = ARENA_NEW(arena, struct interleaved);
    struct state *state = arena_alloc(arena, machine->state_bytes + 1);
    *in = (struct interleaved){.tracer = {look_at}, .arena = arena, .machine = machine};
    in->pointing = ARENA_ARRAY(arena, struct pointing *, machine->lane_count + 1);
    machine_start(machine, state);
    for (uint32_t lane = 0; lane < machine->lane_count && !machine->api; lane++)
        in->pointing[lane] = pointing_find(arena, machine, state, lane);
    return in;
}

bool interleaving_is_all(const struct interleaved *interleaving)
{
    struct lane_touches touches;
    return find_touches(interleaving, &touches) && is_forest(&touches);
}

bool interleaving_tells_ends(const struct interleaved *interleaving)
{
    struct lane_touches touches;
    if (!find_touches(interleaving, &touches))
        return false;
    const bool *deciding = deciding_accesses(interleaving->arena, interleaving->machine,
                                             touches.accesses.at, touches.accesses.len);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < touches.all.len; i++)
        if (deciding[i])
            touches.all.at[kept++] = touches.all.at[i];
    touches.all.len = kept;
    return is_forest(&touches);
}
