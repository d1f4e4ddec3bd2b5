/* SPDX-License-Identifier: MIT */
#include "model/machine/race/private.h"

#include "litmus/base/table.h"

/* How release and acquire patterns (PTX 8.8), fences and mbarriers pass on what threads know. */

static void free_variable(gpointer data)
{
    struct variable *variable = data;
    heads_clear(&variable->heads);
    heads_clear(&variable->arriving);
    g_free(variable);
}

GHashTable *race_variables_new(void)
{
    return g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_variable);
}

/* Shared memory is the present cluster's own. */
static GHashTable *table_of(const struct race_detector *race, uint32_t memory)
{
    return memory < race->machine->shared_bytes ? race->now->variables : race->variables;
}

static struct variable *find_variable(const struct race_detector *race, uint32_t memory)
{
    return g_hash_table_lookup(table_of(race, memory), GUINT_TO_POINTER(memory + 1));
}

static struct variable *make_variable(const struct race_detector *race, uint32_t memory)
{
    struct variable *variable = find_variable(race, memory);
    if (!variable) {
        variable = g_new0(struct variable, 1);
        g_hash_table_insert(table_of(race, memory), GUINT_TO_POINTER(memory + 1), variable);
    }
    return variable;
}

static struct scope_place place_of(const struct race_detector *race, uint32_t lane)
{
    return race_place_of_warp(race, race_warp_number(race, lane));
}

/* One operation on a location, as far as it orders. */
struct operation {
    uint32_t lane, memory, scope; /* SCOPE_NONE: weak */
    uint32_t at;                  /* instruction */
    bool acquires, releases, exchanges;
};

/* ---- what is published --------------------------------------------------------------------- */

/* A head of what the lane knows now. */
static struct head new_head(struct race_detector *race, uint32_t lane, uint32_t scope,
                            uint32_t memory)
{
    struct head head = {.place = place_of(race, lane),
                        .scope = scope,
                        .memory = memory,
                        .clock = race_snapshot(race, lane),
                        .proxied = race->now->threads[lane].proxied};
    proxied_ref(&head.proxied);
    return head;
}

static void add_new(struct heads *heads, struct head head)
{
    heads_add(heads, &head);
    clock_unref(head.clock);
    proxied_clear(&head.proxied);
}

/* Of a copy that is over: it tells of itself, not of what its lane did before (8.9.1.1). */
static struct head copy_head(struct race_detector *race, uint32_t lane, uint32_t scope,
                             uint32_t memory)
{
    const struct clock_entry entry = {CLOCK_COPIES(race_thread_number(race, lane)), race->time++};
    return (struct head){.place = place_of(race, lane),
                         .scope = scope,
                         .memory = memory,
                         .clock = clock_with(NULL, &entry, 1)};
}

static void add_all(struct heads *to, const struct heads *from, const struct operation *op)
{
    for (uint32_t i = 0; i < from->count; i++) {
        struct head head = from->at[i];
        head.memory = op->memory;
        head.at = op->at;
        heads_add(to, &head);
    }
}

/* The patterns whose last operation is a strong write of the lane there. */
static void publish(struct race_detector *race, const struct operation *op, struct heads *to)
{
    const struct thread_clock *thread = &race->now->threads[op->lane];
    add_all(to, &thread->fenced, op);
    for (uint32_t i = 0; i < thread->released.count; i++)
        if (thread->released.at[i].memory == op->memory)
            heads_add(to, &thread->released.at[i]);
}

/* Is reading the location's last write an observation (8.9.2)? */
static bool observes(const struct race_detector *race, const struct operation *op,
                     const struct variable *variable)
{
    struct scope_place place = place_of(race, op->lane);
    return variable->thread == race_thread_number(race, op->lane) ||
           scope_inclusive(&place, op->scope, &variable->place, variable->scope);
}

/* A write publishes its lane's patterns, an atomic also those of the write that it read. */
static void write(struct race_detector *race, const struct operation *op)
{
    struct thread_clock *thread = &race->now->threads[op->lane];
    if (op->releases)
        add_new(&thread->released, new_head(race, op->lane, op->scope, op->memory));
    bool publishes = op->scope && (thread->fenced.count || thread->released.count);
    struct variable *variable =
        publishes ? make_variable(race, op->memory) : find_variable(race, op->memory);
    if (!variable)
        return;
    if (!op->exchanges || !observes(race, op, variable))
        heads_clear(&variable->heads);
    if (publishes)
        publish(race, op, &variable->heads);
    variable->place = place_of(race, op->lane);
    variable->scope = op->scope;
    variable->thread = race_thread_number(race, op->lane);
}

/* ---- what is learned ----------------------------------------------------------------------- */

static const uint32_t ANY_LOCATION = UINT32_MAX;

/* Takes over what heads at the location publish, or anywhere, whose scope and this one hold the
 * threads of each other. */
static void learn_heads(struct race_detector *race, uint32_t lane, uint32_t scope,
                        const struct heads *heads, uint32_t memory)
{
    struct scope_place place = place_of(race, lane);
    for (uint32_t i = 0; i < heads->count; i++) {
        const struct head *head = &heads->at[i];
        if ((memory == ANY_LOCATION || memory == head->memory) &&
            scope_inclusive(&place, scope, &head->place, head->scope)) {
            race_learn(race, &race->now->threads[lane], head->clock);
            proxied_add(&race->now->threads[lane].proxied, &head->proxied);
        }
    }
}

/* An acquire takes over the heads that the lane's strong reads met there, a fence all of them. */
static void acquire(struct race_detector *race, uint32_t lane, uint32_t scope, uint32_t memory)
{
    learn_heads(race, lane, scope, &race->now->threads[lane].pending, memory);
}

static void read(struct race_detector *race, const struct operation *op,
                 const struct variable *variable)
{
    if (variable && observes(race, op, variable))
        add_all(&race->now->threads[op->lane].pending, &variable->heads, op);
    if (op->acquires)
        acquire(race, op->lane, op->scope, op->memory);
}

/* ---- accesses ------------------------------------------------------------------------------ */

/* Weak writes order nothing, but hide what was published before. */
bool race_orders(const struct race_detector *race, const struct micro *micro,
                 const struct region *region)
{
    enum sem sem = micro->inst->sem;
    bool strong = (sem != SEM_NONE && sem != SEM_WEAK) || micro_is_atomic(micro);
    return strong ||
           (micro->kind == MICRO_STORE && g_hash_table_size(table_of(race, region->memory)) != 0);
}

static struct operation operation_of(uint32_t lane, const struct micro *micro, uint32_t memory)
{
    enum sem sem = micro->inst->sem;
    return (struct operation){.lane = lane,
                              .memory = memory,
                              .scope = race_strength(micro),
                              .at = micro->inst_index,
                              .acquires = sem == SEM_ACQUIRE || sem == SEM_ACQ_REL,
                              .releases = sem == SEM_RELEASE || sem == SEM_ACQ_REL,
                              .exchanges = micro_is_atomic(micro)};
}

void race_order_access(struct race_detector *race, uint32_t lane, const struct micro *micro,
                       uint32_t memory)
{
    const struct operation op = operation_of(lane, micro, memory);
    if (op.scope && (micro->kind == MICRO_LOAD || micro->kind == MICRO_ATOM))
        read(race, &op, find_variable(race, memory));
    if (micro->kind != MICRO_LOAD)
        write(race, &op);
}

void race_copy_variable(const struct race_detector *race, uint32_t memory, struct variable *to)
{
    const struct variable *now = find_variable(race, memory);
    heads_clear(&to->heads);
    if (!now)
        return;
    *to = (struct variable){.place = now->place, .scope = now->scope, .thread = now->thread};
    for (uint32_t i = 0; i < now->heads.count; i++)
        heads_add(&to->heads, &now->heads.at[i]);
}

void race_read_before(struct race_detector *race, uint32_t lane, const struct micro *micro,
                      uint32_t memory, const struct variable *variable)
{
    const struct operation op = operation_of(lane, micro, memory);
    if (op.scope)
        read(race, &op, variable);
}

/* ---- fences -------------------------------------------------------------------------------- */

/* One-way proxy fences and restricted ones count as whole ones: too much is learned, not too
 * little. */
static enum sem fence_sem(const struct inst *inst)
{
    static const uint8_t sem_of[] = {
        [FENCE_PROXY_ACQUIRE] = SEM_ACQUIRE,    [FENCE_PROXY_RELEASE] = SEM_RELEASE,
        [FENCE_RESTRICT_ACQUIRE] = SEM_ACQUIRE, [FENCE_RESTRICT_RELEASE] = SEM_RELEASE,
        [FENCE_MBARRIER_INIT] = SEM_RELEASE,
    };
    return inst->fence_kind == FENCE_MEMORY  ? inst->sem
           : inst->fence_kind == FENCE_PROXY ? SEM_NONE
                                             : TABLE_AT(sem_of, inst->fence_kind);
}

/* Does what came before the fence reach accesses of that kind? */
static bool acts_on(const struct inst *fence, enum proxied_kind kind)
{
    bool shared = fence->space == SPACE_SHARED || fence->space == SPACE_SHARED_CLUSTER;
    switch (kind) {
    case PROXIED_GLOBAL:
        return fence->proxy == PROXY_ASYNC && !shared;
    case PROXIED_SHARED:
        return fence->proxy == PROXY_ASYNC && fence->space != SPACE_GLOBAL;
    case PROXIED_TEXTURE:
        return fence->proxy == PROXY_TEXTURE;
    default:
        return fence->proxy == PROXY_SURFACE;
    }
}

static void fence_proxies(struct race_detector *race, uint32_t lane, const struct inst *fence)
{
    if (fence->proxy == PROXY_GENERIC)
        return;
    struct clock *now = race_snapshot(race, lane);
    for (uint32_t kind = 0; kind < PROXIED_COUNT; kind++)
        if (acts_on(fence, kind))
            clock_add(&race->now->threads[lane].proxied.of[kind], now);
    clock_unref(now);
}

/* What a fence learns; false: that is all it does. */
static bool fence_learns(struct race_detector *race, uint32_t lane, const struct micro *micro,
                         enum sem sem)
{
    uint32_t scope = micro->inst->scope;
    fence_proxies(race, lane, micro->inst);
    if (sem == SEM_NONE)
        return false;
    if (sem != SEM_RELEASE)
        acquire(race, lane, scope, ANY_LOCATION);
    if (sem == SEM_SC) /* after every earlier one that is inclusive with it (8.9.3) */
        learn_heads(race, lane, scope, &race->fences, ANY_LOCATION);
    return sem != SEM_ACQUIRE;
}

void race_fence(struct race_detector *race, uint32_t lane, const struct micro *micro)
{
    enum sem sem = fence_sem(micro->inst);
    if (!fence_learns(race, lane, micro, sem))
        return;
    struct head head = new_head(race, lane, micro->inst->scope, 0);
    if (sem == SEM_SC)
        heads_add(&race->fences, &head);
    add_new(&race->now->threads[lane].fenced, head);
}

/* What all lanes of a warp know, as one head: one time stands for all that they did. */
static struct head warp_head(struct race_detector *race, uint32_t first, uint32_t lanes,
                             uint32_t scope)
{
    uint32_t cta = 0;
    struct head head = {.place = place_of(race, first), .scope = scope};
    EACH_LANE(p, lanes) {
        const struct thread_clock *thread = &race->now->threads[first + p];
        clock_add(&head.clock, thread->known);
        proxied_add(&head.proxied, &thread->proxied);
        cta = MAX(cta, thread->cta);
    }
    const struct clock_entry entries[2] = {
        {CLOCK_WARP(race_warp_number(race, first)), race->time++},
        {CLOCK_CTA(race->first_cta + race->machine->lanes[first].cta), cta}};
    struct clock *clock = clock_with(head.clock, entries, 2);
    clock_unref(head.clock);
    head.clock = clock;
    return head;
}

/* Lanes that reach a fence.sc together come there in any order, so none of them learns of the others. */
void race_fence_warp(struct race_detector *race, uint32_t first, uint32_t lanes,
                     const struct micro *micro)
{
    enum sem sem = fence_sem(micro->inst);
    uint32_t scope = micro->inst->scope;
    bool publishes = false;
    EACH_LANE(p, lanes) {
        publishes = fence_learns(race, first + p, micro, sem);
        if (publishes)
            add_new(&race->now->threads[first + p].fenced, new_head(race, first + p, scope, 0));
    }
    if (publishes && sem == SEM_SC)
        add_new(&race->fences, warp_head(race, first, lanes, scope));
}

/* ---- mbarriers ----------------------------------------------------------------------------- */

/* Objects change atomically, but not while they are made: that is a write as others are. Who unmakes one
 * is left alone: libcu++'s pipelines do it behind atomics that order nothing. */
static void touch_object(struct race_detector *race, struct run *run, uint32_t lane,
                         const struct memory_access *at, const struct mbarrier_order *order)
{
    enum op op = at->micro->inst->op;
    bool fails = order->passed && !*order->passed; /* another try follows */
    if (!order->of_copy && !fails && op != OP_MBARRIER_INVAL)
        race_touch(race, run, lane, at->micro, at->address, 8,
                   stamp_how(0, at->writes, 8, op == OP_MBARRIER_INIT ? SCOPE_NONE : SCOPE_SYS));
}

/* After the operation. Arrivals publish; a wait that passed has observed those of its phase and of
 * the phases before, not those of the phase that is being gathered meanwhile. */
void race_mbarrier(struct race_detector *race, struct run *run, uint32_t lane,
                   const struct memory_access *at, const struct mbarrier_order *order)
{
    struct variable *variable = make_variable(race, at->memory);
    struct operation op = {
        .lane = lane, .memory = at->memory, .scope = order->scope, .at = at->micro->inst_index};
    if (race_predictor(race))
        race_mbarrier(race_predictor(race), run, lane, at, order);
    if (!race->prediction)
        touch_object(race, run, lane, at, order);
    if (order->arrives && order->of_copy) {
        add_new(&variable->arriving, copy_head(race, lane, order->scope, at->memory));
    } else if (order->arrives) {
        if (order->sem == SEM_RELEASE || order->sem == SEM_ACQ_REL)
            add_new(&variable->arriving, new_head(race, lane, order->scope, at->memory));
        publish(race, &op, &variable->arriving);
    }
    if (order->completed && *order->completed) {
        add_all(&variable->heads, &variable->arriving, &op);
        heads_clear(&variable->arriving);
    }
    if (!order->passed || !*order->passed)
        return;
    add_all(&race->now->threads[lane].pending, &variable->heads, &op);
    if (order->sem == SEM_ACQUIRE || order->sem == SEM_ACQ_REL)
        acquire(race, lane, order->scope, at->memory);
}
