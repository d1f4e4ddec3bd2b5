/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/access.h"

#include <string.h>

#include "model/machine/alu/alu.h"

/* Reads and writes of the weak memory. A read is cut into runs of bytes that no write of the table
 * cuts, and between bytes where it may be torn; each run takes one write that its lane does not know
 * to be overwritten. */

static bool may_be_torn(const struct weak_memory *weak, const struct scalar *op, uint64_t writes)
{
    EACH_ITEM(i, writes) {
        if (weak_may_mix(weak, &weak->state->items[i], op))
            return true;
    }
    return weak_some_mix(weak, writes);
}

/* Between bytes that may come from different writes and tell. */
static void cut_bytes(const struct weak_memory *weak, const struct scalar *op, uint64_t writes,
                      bool cut[17])
{
    bool before = false; /* such a byte of the run */
    for (uint32_t i = 0; i < op->bytes; i++) {
        bool varies = weak_byte_varies(weak, writes, true, op->memory + i);
        before &= !cut[i];
        cut[i] |= before && varies;
        before |= varies;
    }
}

/* Cuts the bytes of a read into runs that each come from one write: where a write begins or ends,
 * and where reads may be torn. Gives the number of runs. */
static uint8_t cut_runs(const struct weak_memory *weak, const struct scalar *op, uint64_t writes,
                        uint8_t *from)
{
    bool cut[17] = {true};
    EACH_ITEM(i, writes) {
        const struct item *item = &weak->state->items[i];
        if (item->memory > op->memory)
            cut[item->memory - op->memory] = true;
        if (item->memory + item->bytes < op->memory + op->bytes)
            cut[item->memory + item->bytes - op->memory] = true;
    }
    if (may_be_torn(weak, op, writes))
        cut_bytes(weak, op, writes, cut);
    uint8_t count = 0;
    for (uint32_t i = 0; i < op->bytes && count < RUNS; i++)
        if (cut[i])
            from[count++] = (uint8_t)i;
    return count;
}

/* Could a byte come from 'source', when its known writes are 'here'? */
static bool may_return(const struct weak_memory *weak, uint64_t here, int source)
{
    return source == INIT ? !here : !(weak->state->co[source] & here);
}

static bool wrote_run(const struct weak_memory *weak, const struct scalar *op,
                      const struct read_plan *plan, int item, int run)
{
    return item_overlaps(&weak->state->items[item], op->memory + plan->from[run], 1);
}

/* Run a comes from a single copy, run b, which it wrote too, from an older write; or from another single
 * copy that wrote both. */
static bool is_torn(const struct weak_memory *weak, const struct scalar *op,
                    const struct read_plan *plan, int a, int b)
{
    int source = plan->source[a], other = plan->source[b];
    if (source < 0 || source == other)
        return false;
    const struct item *items = weak->state->items;
    bool whole =
        weak_is_whole(weak, &items[source], op->copied) && wrote_run(weak, op, plan, source, b);
    if (!whole && !weak_strong_pair(weak, &items[source], op))
        return false;
    if (other == INIT || (weak->state->co[other] >> source & 1))
        return true;
    return whole && weak_is_whole(weak, &items[source], items[other].copied) &&
           wrote_run(weak, op, plan, other, a);
}

static bool tears(const struct weak_memory *weak, const struct scalar *op,
                  const struct read_plan *plan)
{
    for (int a = 0; a < plan->run_count && has_rule(weak, RULE_WHOLE_READS); a++)
        for (int b = 0; b < plan->run_count; b++)
            if (is_torn(weak, op, plan, a, b))
                return true;
    return false;
}

enum { MAX_PLANS = 1024 };

/* Every way to read, given the writes that are known and those that are excluded. */
static uint32_t list_plans(const struct weak_memory *weak, const struct scalar *op, uint64_t known,
                           uint64_t excluded, struct read_plan plans[MAX_PLANS])
{
    struct read_plan plan = {.run_count = 0};
    uint64_t all = weak_overlapping(weak, weak_items(weak, ITEM_WRITE), op->memory, op->bytes);
    plan.run_count = cut_runs(weak, op, all, plan.from);
    int8_t options[RUNS][ITEMS + 1];
    uint32_t option_count[RUNS], index[RUNS] = {0}, count = 0;
    for (int run = 0; run < plan.run_count; run++) {
        uint64_t writes = weak_overlapping(weak, all, op->memory + plan.from[run], 1);
        uint64_t here = has_rule(weak, RULE_KNOWN_OVERWRITTEN) ? known & writes : 0;
        option_count[run] = 0;
        for (int i = INIT; i < ITEMS; i++)
            if ((i == INIT || ((writes & ~excluded) >> i & 1)) && may_return(weak, here, i))
                options[run][option_count[run]++] = (int8_t)i;
        if (!option_count[run])
            return 0;
    }
    for (;;) {
        for (int run = 0; run < plan.run_count; run++)
            plan.source[run] = options[run][index[run]];
        if (count < MAX_PLANS && !tears(weak, op, &plan))
            plans[count++] = plan;
        int run = 0;
        while (run < plan.run_count && ++index[run] == option_count[run])
            index[run++] = 0;
        weak->state->overflow |= run < plan.run_count && count == MAX_PLANS;
        if (run == plan.run_count || count == MAX_PLANS)
            return count;
    }
}

/* Puts the value together from the sources that the plan chose for its runs. */
static void copy_bytes(const struct weak_memory *weak, const struct scalar *op,
                       const struct read_plan *plan, uint64_t value[2])
{
    uint8_t bytes[16] = {0};
    for (int run = 0; run < plan->run_count; run++) {
        uint32_t end = run + 1 < plan->run_count ? plan->from[run + 1] : op->bytes;
        for (uint32_t i = plan->from[run]; i < end; i++) {
            int source = plan->source[run];
            const struct item *item = source >= 0 ? &weak->state->items[source] : NULL;
            bytes[i] = item ? ((const uint8_t *)item->value)[op->memory + i - item->memory]
                            : weak->initial[op->memory + i];
        }
    }
    memcpy(value, bytes, sizeof bytes);
}

/* What a read took beside a part of a single copy never becomes older than that. */
static void remember_mixture(struct weak_memory *weak, const struct scalar *op,
                             const struct read_plan *plan)
{
    for (int a = 0; a < plan->run_count && has_rule(weak, RULE_WHOLE_READS); a++)
        for (int b = 0; b < plan->run_count; b++) {
            int source = plan->source[a], other = plan->source[b];
            if (source < 0 || other < 0 || source == other)
                continue;
            const struct item *item = &weak->state->items[source];
            if (weak_strong_pair(weak, item, op) ||
                (weak_is_whole(weak, item, op->copied) && wrote_run(weak, op, plan, source, b)))
                weak->state->never_co[other] |= item_bit(source);
        }
}

/* What was read may never become overwritten by what was known. */
static void remember_read(struct weak_memory *weak, const struct scalar *op, uint64_t known,
                          const struct read_plan *plan)
{
    for (int run = 0; run < plan->run_count && has_rule(weak, RULE_FIXED_PAST); run++) {
        int source = plan->source[run];
        if (source >= 0)
            weak->state->never_co[source] |=
                weak_overlapping(weak, known, op->memory + plan->from[run], 1) & ~item_bit(source);
    }
    remember_mixture(weak, op, plan);
}

/* Writes that a read would have to see in the end, and that do not come before what it returned. */
static uint64_t missed(const struct weak_memory *weak, const struct scalar *op,
                       const struct read_plan *plan)
{
    uint64_t all = weak_overlapping(weak, weak_items(weak, ITEM_WRITE), op->memory, op->bytes);
    uint64_t later = weak_strong_with(weak, all, op) & ~plan->sources.items;
    EACH_ITEM(i, later) {
        if (weak->state->co[i] & plan->sources.items && !plan->sources.init)
            later &= ~item_bit((int)i);
    }
    return later;
}

bool weak_read(struct weak_memory *weak, const struct scalar *op, const stage *view,
               uint64_t excluded, struct read_plan *plan, uint64_t value[2])
{
    uint64_t known = weak_known(weak, view, op, ITEM_WRITE);
    struct read_plan plans[MAX_PLANS];
    uint32_t count = list_plans(weak, op, known, excluded, plans);
    if (!count)
        return false;
    *plan = plans[weak_choose(weak, count)];
    for (int run = 0; run < plan->run_count; run++) {
        plan->sources.items |= item_bit(plan->source[run]);
        plan->sources.init |= plan->source[run] == INIT;
    }
    copy_bytes(weak, op, plan, value);
    weak->missed |= missed(weak, op, plan);
    remember_read(weak, op, known, plan);
    EACH_ITEM(i, weak_known(weak, view, op, ITEM_LOAD)) { /* it has to agree with this read */
        weak->state->items[i].later_reads |= plan->sources.items;
        weak->state->items[i].later_read_init |= plan->sources.init;
    }
    return true;
}

/* ---- writes --------------------------------------------------------------------------------- */

struct item weak_item(const struct scalar *op, enum item_kind kind, uint32_t sequence)
{
    return (struct item){.kind = (uint8_t)kind,
                         .proxy = op->proxy,
                         .scope = op->scope,
                         .strong = op->strong,
                         .copied = op->copied,
                         .pair = op->pair,
                         .snapshot = NO_ITEM,
                         .lane = (uint16_t)op->lane,
                         .sequence = sequence,
                         .memory = op->memory,
                         .bytes = op->bytes,
                         .address = op->address};
}

/* The coherence order with 'written' between 'before' and 'after'. */
static bool place(const struct weak_memory *weak, int written, uint64_t before, uint64_t after,
                  uint64_t *co)
{
    memcpy(co, weak->state->co, sizeof weak->state->co);
    EACH_ITEM(i, before) {
        if (!weak_order(co, (int)i, item_bit(written)))
            return false;
    }
    return weak_order(co, written, after) && weak_order_consistent(weak, co);
}

enum { MAX_PLACES = 256 };

/* Places in the coherence order: the writes that come later. */
struct places {
    uint64_t at[MAX_PLACES];
    uint32_t count;
};

/* Each of 'open' comes earlier, which is tried first, or later. What is out of order with some of them stays so with
 * more, so that few of the subsets are looked at. */
static void find_places(const struct weak_memory *weak, struct places *places, int written,
                        uint64_t before, uint64_t after, uint64_t open)
{
    uint64_t co[ITEMS];
    if (places->count == MAX_PLACES || !place(weak, written, before, after, co))
        return;
    if (!open) {
        places->at[places->count++] = after;
        return;
    }
    uint64_t last = UINT64_C(1) << (63 - __builtin_clzll(open));
    find_places(weak, places, written, before | last, after, open & ~last);
    find_places(weak, places, written, before, after | last, open & ~last);
}

/* A choice is the order with inclusive writes that are in neither set; to come last is the first. False: there is
 * no place. */
static bool choose_place(struct weak_memory *weak, const struct scalar *op, int written,
                         uint64_t before, uint64_t after)
{
    uint64_t others = weak_items(weak, ITEM_WRITE) & ~before & ~after & ~item_bit(written);
    uint64_t open =
        weak_strong_with(weak, weak_overlapping(weak, others, op->memory, op->bytes), op);
    struct places places = {.count = 0};
    find_places(weak, &places, written, before, after, open);
    if (!places.count)
        return false;
    after = places.at[weak_choose(weak, places.count)];
    return place(weak, written, before | (open & ~after), after, weak->state->co);
}

/* An atomic's write passes on the records of what its read returned (8.9.2). */
static void join_chain(struct weak_memory *weak, const struct scalar *op, struct item *written,
                       const struct read_sources *from)
{
    written->rmw = true;
    written->rmw_from = *from;
    EACH_ITEM(i, has_rule(weak, RULE_RMW_CHAIN) ? weak_strong_with(weak, from->items, op) : 0)
        written->heads |= weak->state->items[i].heads;
}

/* A late write comes before the writes of those who knew of its atomic, and is nothing that
 * overwrites what they read. */
int weak_write(struct weak_memory *weak, const struct scalar *op, const uint64_t value[2],
               const struct read_sources *from, const struct item *late)
{
    struct weak_state *state = weak->state;
    struct weak_lane *lane = &state->lanes[op->lane];
    const stage *view = late ? state->snapshots[late->snapshot].view : lane->view;
    struct item item = weak_item(op, ITEM_WRITE, lane->writes++);
    memcpy(item.value, value, sizeof item.value);
    uint64_t before = has_rule(weak, RULE_PLACE) ? weak_known(weak, view, op, ITEM_WRITE) : 0;
    if (from) {
        join_chain(weak, op, &item, from);
        before |= weak_strong_with(weak, from->items, op);
    }
    item.heads |= late ? late->heads : 0;
    int written = late && late->later_read_init ? NO_ITEM : weak_new_item(weak, &item);
    if (written == NO_ITEM)
        return NO_ITEM;
    EACH_ITEM(i, late ? late->later_reads : 0)
        state->never_co[i] |= item_bit(written);
    if (!choose_place(weak, op, written, before, late ? late->later_writes : 0))
        return NO_ITEM;
    EACH_ITEM(i, weak_known(weak, view, op, ITEM_LOAD)) /* it has to agree with this write */
        state->items[i].later_writes |= item_bit(written);
    return written;
}

bool weak_result(const struct atomic *atomic, const uint64_t old[2], uint64_t value[2])
{
    bool writes;
    value[0] = alu_atomic((enum atom_op)atomic->op, (enum type)atomic->type, old[0],
                          atomic->operands[0], atomic->operands[1], &writes);
    value[1] = 0;
    return writes;
}

/* ---- accesses that take effect at once ------------------------------------------------------ */

void weak_add_seen(struct weak_memory *weak, const struct scalar *op, uint64_t heads)
{
    struct seen *seen = weak->state->lanes[op->lane].seen;
    for (int i = 0; i < SEEN && heads; i++)
        if (!seen[i].heads || (seen[i].address == op->address && seen[i].bytes == op->bytes)) {
            seen[i].address = op->address;
            seen[i].bytes = op->bytes;
            seen[i].heads |= heads;
            return;
        }
    if (heads)
        weak->state->overflow = true;
}

/* Observation (8.9.2): a morally strong read makes its source known as if it were the lane's own,
 * and brings the release patterns that the source publishes. */
bool weak_load(struct weak_memory *weak, const struct scalar *op, uint64_t value[2],
               struct read_sources *sources)
{
    stage *view = weak->state->lanes[op->lane].view;
    struct read_plan plan;
    if (!weak_read(weak, op, view, 0, &plan, value))
        return false;
    EACH_ITEM(source, weak_strong_with(weak, plan.sources.items, op)) {
        if (has_rule(weak, RULE_OBSERVATION))
            view[source] |= weak_own_stage(op);
        if (op->strong && !op->red)
            weak_add_seen(weak, op, weak->state->items[source].heads);
    }
    if (op->acquire)
        weak_acquire(weak, op, true);
    if (sources)
        *sources = plan.sources;
    return true;
}

/* False: the memory has no room for another write. */
static bool write_at_once(struct weak_memory *weak, const struct scalar *op,
                          const uint64_t value[2], const struct read_sources *from)
{
    int written = weak_write(weak, op, value, from, NULL);
    if (written == NO_ITEM)
        return false;
    if (has_rule(weak, RULE_OWN_WRITES))
        weak->state->lanes[op->lane].view[written] |= weak_own_stage(op);
    if (op->strong)
        weak_publish(weak, op, written);
    weak->siblings |= item_bit(written);
    return true;
}

bool weak_store(struct weak_memory *weak, const struct scalar *op, const uint64_t value[2])
{
    return write_at_once(weak, op, value, NULL);
}

bool weak_atomic(struct weak_memory *weak, const struct scalar *op, const struct atomic *atomic,
                 uint64_t old[2])
{
    struct scalar read = *op, write = *op;
    struct read_sources from;
    uint64_t value[2];
    read.release = false;
    write.acquire = false;
    if (!weak_load(weak, &read, old, &from))
        return false;
    return !weak_result(atomic, old, value) || write_at_once(weak, &write, value, &from);
}
