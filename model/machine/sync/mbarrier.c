/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/mbarrier.h"

#include <stdlib.h>

#include "model/machine/core/region.h"

/* mbarrier objects: lane-semantics section 12, last paragraph. One 64-bit word of shared memory: pending and expected
 * arrivals of 20 bits each, 21 bits of signed transaction count, the phase modulo 8. The axioms have it so too
 * (model/graph/mbarrier.h), and both show the same states. A word is also the state token that arrive returns. That of what
 * was not initialised, or was invalidated, is 0, as is that of an object that everyone has dropped in a phase whose number is a
 * multiple of 8. */
enum { COUNT_BITS = 20, TX_BIT = 40, PHASE_BIT = 61 };
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define TX_MASK    ((UINT64_C(1) << 21) - 1)
#define PHASE_MASK UINT64_C(7)
#define COUNT_MAX  COUNT_MASK

struct mbarrier {
    uint64_t pending, expected, phase;
    int64_t tx;
};

static struct mbarrier unpack(uint64_t word)
{
    int64_t tx = (int64_t)(word >> TX_BIT & TX_MASK);
    return (struct mbarrier){.pending = word & COUNT_MASK,
                             .expected = word >> COUNT_BITS & COUNT_MASK,
                             .phase = word >> PHASE_BIT,
                             .tx = tx >> 20 ? tx - (1 << 21) : tx};
}

static uint64_t pack(const struct mbarrier *b)
{
    return (b->pending & COUNT_MASK) | (b->expected & COUNT_MASK) << COUNT_BITS |
           ((uint64_t)b->tx & TX_MASK) << TX_BIT | b->phase << PHASE_BIT;
}

/* One operation on the word, and what it gives. */
struct mbarrier_operation {
    struct run *run;
    uint32_t lane;
    enum op op;
    uint32_t flags;
    uint64_t value; /* count, transaction bytes or state */
    uint64_t result;
    uint64_t left;        /* pending arrivals before it */
    bool broken, unknown; /* not done; as the object is not initialised */
    bool passed, completed;
    struct mbarrier_order order;
};

static void settle(struct mbarrier *b)
{
    if (b->pending || b->tx)
        return;
    b->phase = (b->phase + 1) & PHASE_MASK;
    b->pending = b->expected;
}

/* With .expect_tx the value is of transactions, and one thread arrives. */
static bool arrive(struct mbarrier_operation *o, struct mbarrier *b)
{
    bool counts_bytes = o->flags & FLAG_EXPECT_TX;
    uint64_t count = counts_bytes ? 1 : o->value;
    uint64_t expected = b->expected - (o->op == OP_MBARRIER_ARRIVE_DROP ? count : 0);
    b->tx += counts_bytes ? (int64_t)o->value : 0;
    if (count == 0 || count > b->pending || expected > COUNT_MAX)
        return false;
    o->result = pack(b);
    b->expected = expected;
    b->pending -= count;
    settle(b);
    return true;
}

static bool apply(struct mbarrier_operation *o, struct mbarrier *b)
{
    switch (o->op) {
    case OP_MBARRIER_INIT:
        *b = (struct mbarrier){.pending = o->value, .expected = o->value};
        return o->value >= 1 && o->value <= COUNT_MAX;
    case OP_MBARRIER_INVAL:
        *b = (struct mbarrier){0};
        return true;
    case OP_MBARRIER_EXPECT_TX:
        b->tx += (int64_t)o->value;
        return true;
    case OP_MBARRIER_COMPLETE_TX:
        b->tx -= (int64_t)o->value;
        settle(b);
        return true;
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_DROP:
        return arrive(o, b);
    case OP_MBARRIER_TEST_WAIT: /* has the phase completed? */
    case OP_MBARRIER_TRY_WAIT:
        o->result = o->flags & FLAG_PARITY ? (o->value & 1) != (b->phase & 1)
                                           : unpack(o->value).phase != b->phase;
        o->passed = o->result;
        return true;
    default: /* no operation on an mbarrier */
        abort();
    }
}

static bool update(void *context, uint64_t *word)
{
    struct mbarrier_operation *o = context;
    struct mbarrier b = unpack(*word), before = b;
    bool known = *word || o->op == OP_MBARRIER_INIT;
    o->unknown = !known;
    o->left = b.pending;
    o->broken = !known || !apply(o, &b);
    if (o->broken)
        return false;
    o->completed = b.phase != before.phase && o->op != OP_MBARRIER_INIT;
    *word = pack(&b);
    return pack(&before) != *word;
}

bool mbarrier_waits(enum op op)
{
    return op == OP_MBARRIER_TEST_WAIT || op == OP_MBARRIER_TRY_WAIT;
}

static bool find_word(struct run *run, uint32_t lane, uint64_t address, struct memory_access *at)
{
    *at = (struct memory_access){.lane = lane,
                                 .micro = run_micro(run, lane),
                                 .address = address,
                                 .bytes = 8,
                                 .count = 1,
                                 .reads = true,
                                 .writes = true};
    at->region = region_find(run->machine, address, 8);
    bool outside = !at->region || at->region->cta == NONE;
    if (outside || address % 8) {
        run_report(run, lane, outside ? REPORT_SHARED_OOB : REPORT_MISALIGNED,
                   "an mbarrier at address 0x%llx", (unsigned long long)address);
        return false;
    }
    at->memory = region_memory(at->region, address);
    return true;
}

static const char *why_broken(const struct mbarrier_operation *o)
{
    struct arena *arena = o->run->reports->arena;
    if (o->unknown)
        return "nobody has initialised the object";
    if (o->op == OP_MBARRIER_INIT)
        return arena_printf(arena, "a count of %llu", (unsigned long long)o->value);
    return arena_printf(arena, "more arrivals than the %llu that the phase still waits for",
                        (unsigned long long)o->left);
}

static bool operate(struct mbarrier_operation *o, uint64_t address)
{
    struct memory_access at;
    if (!find_word(o->run, o->lane, address, &at))
        return true;
    at.writes = !mbarrier_waits(o->op);
    o->order.passed = at.writes ? NULL : &o->passed;
    o->order.completed = &o->completed;
    o->order.arrives = o->op == OP_MBARRIER_ARRIVE || o->op == OP_MBARRIER_ARRIVE_DROP ||
                       o->op == OP_MBARRIER_COMPLETE_TX;
    o->run->memory->ops->mbarrier(o->run, o->lane, &at, &o->order, update, o);
    if (o->broken)
        run_report(o->run, o->lane, REPORT_MBARRIER_BAD_STATE, "%s at %s: %s",
                   run_micro_name(o->run, at.micro), run_byte_name(o->run, at.region, address),
                   why_broken(o));
    return true;
}

bool mbarrier_execute(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    struct mbarrier_operation o = {.run = run,
                                   .lane = lane,
                                   .op = micro->inst->op,
                                   .flags = micro->inst->flags,
                                   .order = {.sem = micro->inst->sem, .scope = micro->inst->scope}};
    o.value = micro->src_count ? run_value(run, lane, micro->src[0]) : 1;
    uint64_t address = run_address(run, lane, micro);
    if (!operate(&o, address))
        return false;
    if (micro->dst_count)
        run_write(run, lane, micro->dst[0], o.result, o.broken);
    run_advance(run, lane);
    return true;
}

bool mbarrier_of_copy(struct run *run, uint32_t lane, enum op op, uint64_t value, uint64_t address)
{
    struct mbarrier_operation o = {
        .run = run,
        .lane = lane,
        .op = op,
        .value = value,
        .order = {.sem = SEM_RELEASE,
                  .of_copy = true,
                  .scope = op == OP_MBARRIER_ARRIVE || !value ? SCOPE_CTA : SCOPE_CLUSTER}};
    return operate(&o, address);
}

static bool note_missing(void *context, uint64_t *word)
{
    struct mbarrier_missing *missing = context;
    const struct mbarrier b = unpack(*word);
    *missing = (struct mbarrier_missing){(uint32_t)b.pending, (uint32_t)b.expected, b.tx};
    return false;
}

bool mbarrier_find_missing(struct run *run, uint32_t lane, uint64_t address,
                           struct mbarrier_missing *missing)
{
    const struct region *region = region_find(run->machine, address, 8);
    const struct mbarrier_order order = {.sem = SEM_RELAXED, .scope = SCOPE_CTA};
    if (!region || region->cta == NONE || address % 8)
        return false;
    const struct memory_access at = {.lane = lane,
                                     .micro = run_micro(run, lane),
                                     .address = address,
                                     .bytes = 8,
                                     .count = 1,
                                     .reads = true,
                                     .region = region,
                                     .memory = region_memory(region, address)};
    *missing = (struct mbarrier_missing){0};
    run->memory->ops->mbarrier(run, lane, &at, &order, note_missing, missing);
    return missing->expected;
}
