/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/weak.h"

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/core/region.h"
#include "model/machine/memory/weak/access.h"

/* The weak memory as the machine uses it: accesses are taken apart into elements, final values
 * are chosen, and a run starts from the initial state. */

uint64_t weak_address(const struct weak_memory *weak, const struct region *region, uint64_t address)
{
    return region_main(weak->machine, region)->base + (address - region->base);
}

uint8_t weak_pair(const struct weak_memory *weak, uint32_t proxy, uint32_t cta)
{
    for (uint32_t i = 0; i < weak->pair_count; i++)
        if (weak->pairs[i].proxy == proxy && weak->pairs[i].cta == cta)
            return (uint8_t)i;
    return PAIRS;
}

struct scalar weak_scalar(const struct weak_memory *weak, const struct memory_access *access,
                          uint32_t element)
{
    const struct inst *inst = access->micro->inst;
    enum sem sem = inst->sem;
    uint32_t at = element * access->bytes;
    return (struct scalar){
        .lane = access->lane,
        .memory = access->memory + at,
        .bytes = access->bytes,
        .address = weak_address(weak, access->region, access->address) + at,
        .proxy = (uint8_t)inst->proxy,
        .scope = (uint8_t)inst->scope,
        .pair = weak_pair(weak, inst->proxy, weak->machine->lanes[access->lane].cta),
        .strong = sem != SEM_WEAK && sem != SEM_NONE,
        .acquire =
            access->reads && (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL) && inst->op != OP_RED,
        .release = access->writes && (sem == SEM_RELEASE || sem == SEM_ACQ_REL),
        .red = inst->op == OP_RED,
        .copied = machine_is_engine(weak->machine, access->lane),
    };
}

void weak_done(struct weak_memory *weak, bool worked)
{
    weak->state->pruned |= !worked && !weak->state->overflow;
    weak->siblings = 0;
}

struct atomic weak_atomic_of(const struct inst *inst, uint64_t b, uint64_t c)
{
    return (struct atomic){.op = (uint8_t)inst->atom_op,
                           .type = (uint8_t)inst->type,
                           .red = inst->op == OP_RED,
                           .operands = {b, c}};
}

/* Values of 16 bytes take two words of the access. */
static bool perform_element(struct weak_memory *weak, struct memory_access *access, uint32_t i)
{
    struct scalar op = weak_scalar(weak, access, i);
    bool wide = access->bytes == 16;
    uint64_t *at = &access->value[wide ? 2 * i : i], value[2] = {at[0], wide ? at[1] : 0};
    bool worked;
    if (access->reads && access->writes) {
        struct atomic atomic = weak_atomic_of(access->micro->inst, value[0], access->operand[i]);
        worked = weak_atomic(weak, &op, &atomic, value);
    } else {
        worked = access->writes ? weak_store(weak, &op, value) : weak_load(weak, &op, value, NULL);
    }
    memcpy(at, value, wide ? 16 : 8);
    return worked;
}

/* The elements of a vector are unordered siblings (8.2.4): none publishes another. */
static void perform(struct run *run, struct memory_access *access)
{
    struct weak_memory *weak = weak_in(run);
    bool worked = true;
    for (uint32_t i = 0; worked && i < access->count; i++)
        worked = perform_element(weak, access, i);
    weak_done(weak, worked);
}

/* mbarrier objects change atomically in one place; arrivals are recorded, and a wait that returns
 * true takes over what they knew. */
static void mbarrier(struct run *run, uint32_t lane, const struct memory_access *at,
                     const struct mbarrier_order *order,
                     bool (*update)(void *context, uint64_t *word), void *context)
{
    struct weak_memory *weak = weak_in(run);
    uint64_t *word = weak_word(weak, at->memory);
    struct scalar op = {.lane = lane,
                        .memory = at->memory,
                        .scope = (uint8_t)order->scope,
                        .proxy = PROXY_GENERIC,
                        .pair = PAIRS,
                        .strong = true,
                        .release = order->sem == SEM_RELEASE || order->sem == SEM_ACQ_REL,
                        .acquire = order->sem == SEM_ACQUIRE || order->sem == SEM_ACQ_REL};
    if (!word)
        return;
    if (order->arrives)
        weak_arrive(weak, &op);
    update(context, word);
    if (order->passed && *order->passed)
        weak_take_arrivals(weak, &op);
}

/* ---- the end of a run ----------------------------------------------------------------------- */

/* Those of the writes to a byte that no other is after: any may be what remains. */
static uint64_t remaining(const struct weak_memory *weak, uint64_t writes, uint32_t byte)
{
    uint64_t writers = weak_overlapping(weak, writes, byte, 1), result = 0;
    EACH_ITEM(i, writers) {
        if (!has_rule(weak, RULE_REMAINS) || !(weak->state->co[i] & writers))
            result |= UINT64_C(1) << i;
    }
    return result;
}

static int pick(struct weak_memory *weak, uint64_t set, bool observed)
{
    uint32_t chosen = observed ? weak_choose(weak, (uint32_t)__builtin_popcountll(set)) : 0;
    while (chosen--)
        set &= set - 1;
    return __builtin_ctzll(set);
}

/* A walk over memory, byte by byte: bytes that the same writes may remain at, and that nothing tells
 * apart, keep what was chosen for the byte before. */
struct finishing {
    struct weak_memory *weak;
    uint64_t writes, previous;
    int chosen;
    bool varied; /* a byte since the last choice told the writes apart */
    struct remains before;
};

static void choose_remaining(struct finishing *f, uint32_t byte)
{
    struct weak_memory *weak = f->weak;
    uint64_t set = remaining(weak, f->writes, byte);
    bool varies = weak_byte_varies(weak, set, false, byte);
    if (set && (set != f->previous || (f->varied && varies && weak_some_mix(weak, set)))) {
        uint64_t fit = weak_unmixed(weak, set, byte, &f->before);
        weak->state->pruned |= !fit;
        f->chosen = pick(weak, fit ? fit : set, weak->observed[byte]);
        f->varied = false;
    }
    f->varied |= varies;
    f->previous = set;
    f->chosen = set ? f->chosen : INIT;
    memmove(&f->before.source[1], &f->before.source[0], sizeof f->before.source - 1);
    f->before.source[0] = (int8_t)f->chosen;
}

static void final(struct run *run, uint8_t *bytes)
{
    struct weak_memory *weak = weak_in(run);
    struct finishing f = {.weak = weak, .writes = weak_items(weak, ITEM_WRITE), .chosen = INIT};
    memset(f.before.source, INIT, sizeof f.before.source);
    memcpy(bytes, weak->initial, run->machine->memory_bytes);
    for (uint32_t byte = 0; byte < run->machine->memory_bytes; byte++) {
        choose_remaining(&f, byte);
        if (f.chosen != INIT)
            bytes[byte] = ((const uint8_t *)weak->state->items[f.chosen]
                               .value)[byte - weak->state->items[f.chosen].memory];
    }
    for (int i = 0; i < WORDS; i++)
        if (weak->state->words[i].used)
            memcpy(bytes + weak->state->words[i].memory, &weak->state->words[i].value, 8);
}

static void reset(struct memory *memory)
{
    struct weak_memory *weak = ((struct weak_memory *)memory);
    memset(weak->state, 0, memory->block_bytes);
    weak->state->lane_count = weak->machine->lane_count;
}

static const struct memory_ops ops = {
    .name = "ptx",
    .access = perform,
    .fence = weak_fence,
    .sync = weak_sync,
    .mbarrier = mbarrier,
    .copy = weak_copy,
    .mark = weak_mark,
    .knows_marks = weak_knows_marks,
    .final = final,
    .reset = reset,
    .hash = weak_hash,
};

/* ---- setting up ----------------------------------------------------------------------------- */

static bool add_pair(struct weak_memory *weak, uint32_t proxy, uint32_t cta)
{
    if (weak_pair(weak, proxy, cta) != PAIRS)
        return true;
    if (weak->pair_count == PAIRS)
        return false;
    weak->pairs[weak->pair_count++] = (struct proxy_pair){(uint8_t)proxy, cta};
    return true;
}

/* Loads stay outstanding only where every access has one size: they return whole. */
static bool accesses_are_uniform(const struct machine *machine)
{
    uint32_t bytes = 0;
    for (uint32_t p = 0; p < machine->program_count; p++)
        for (uint32_t i = 0; machine->programs[p] && i < machine->programs[p]->micro_count; i++) {
            const struct micro *micro = &machine->programs[p]->micros[i];
            if (!micro_is_access(micro))
                continue;
            if (bytes && bytes != micro->bytes)
                return false;
            bytes = micro->bytes;
        }
    return true;
}

/* Numbers the pairs of a proxy and a CTA that the programs can use: knowledge is kept for each.
 * False: there are too many. */
static bool set_pairs(struct weak_memory *weak)
{
    const struct machine *machine = weak->machine;
    bool fits = true;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        if (machine->lanes[lane].program == NONE)
            continue;
        const struct program *program = machine->programs[machine->lanes[lane].program];
        for (uint32_t i = 0; i < program->micro_count; i++) {
            const struct inst *inst = program->micros[i].inst;
            uint32_t proxy = !inst                                   ? PROXY_GENERIC
                             : program->micros[i].kind == MICRO_COPY ? PROXY_ASYNC
                                                                     : inst->proxy;
            if (proxy != PROXY_GENERIC && proxy != PROXY_ALIAS)
                fits &= add_pair(weak, proxy, machine->lanes[lane].cta);
        }
    }
    return fits;
}

/* The bytes of locations that the condition asks for. */
static void set_observed(struct arena *arena, struct weak_memory *weak)
{
    const struct test *test = weak->machine->test;
    weak->observed = ARENA_ARRAY(arena, bool, weak->machine->memory_bytes + 1);
    for (uint32_t i = 0; i < test->observed_count; i++)
        for (uint32_t r = 0;
             test->observed[i].kind == TERM_LOCATION && r < weak->machine->region_count; r++) {
            const struct region *region = &weak->machine->regions[r];
            if (region->location == test->observed[i].location)
                memset(weak->observed + region->memory, 1, region->bytes);
        }
}

struct memory *weak_memory_new(struct arena *arena, const struct machine *machine,
                               struct diag_list *diags)
{
    struct weak_memory *weak = ARENA_NEW(arena, struct weak_memory);
    weak->memory.ops = &ops;
    weak->machine = machine;
    weak->initial = arena_alloc(arena, machine->memory_bytes + 1);
    region_initial(machine, weak->initial, machine->memory_bytes);
    set_observed(arena, weak);
    weak->uniform = accesses_are_uniform(machine);
    weak->memory.block_bytes =
        sizeof(struct weak_state) + machine->lane_count * sizeof(struct weak_lane);
    weak->memory.block = weak->state = arena_alloc(arena, weak->memory.block_bytes);
    if (!set_pairs(weak)) {
        diag_add(diags, DIAG_too_many_proxies, machine->test->source, (struct span){0, 0}, NULL,
                 "more than %d pairs of a proxy and a CTA that uses it", PAIRS);
        return NULL;
    }
    reset(&weak->memory);
    return &weak->memory;
}

bool weak_memory_is(const struct memory *memory)
{
    return memory->ops->name == ops.name; /* who listens in between puts copies in their place */
}

bool weak_memory_pruned(const struct memory *memory)
{
    return weak_memory_is(memory) && ((struct weak_memory *)memory)->state->pruned;
}

bool weak_memory_overflow(const struct memory *memory)
{
    return weak_memory_is(memory) && ((struct weak_memory *)memory)->state->overflow;
}

void weak_memory_skip(struct memory *memory, uint32_t rule)
{
    ((struct weak_memory *)memory)->skip = (enum weak_rule)rule;
}

bool weak_memory_has_dependencies(const struct memory *memory)
{
    return has_rule(((struct weak_memory *)memory), RULE_DEPENDENCY);
}
