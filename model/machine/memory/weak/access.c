/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/access.h"

#include <string.h>

#include "model/machine/alu/alu.h"

/* Reads and writes of the weak memory. A read is cut into runs of bytes that no write of the table
 * cuts, and where it may be torn between bytes; each run takes one write that its lane does not know to be overwritten. */

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

uint32_t weak_list_plans(const struct weak_memory *weak, const struct scalar *op, uint64_t known,
                         uint64_t excluded, struct read_plan *plans, uint32_t limit)
{
    struct read_plan plan = {.run_count = 0};
    uint64_t all = weak_overlapping(weak, weak_writes(weak), op->memory, op->bytes);
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
        if (count < limit && !tears(weak, op, &plan))
            plans[count++] = plan;
        int run = 0;
        while (run < plan.run_count && ++index[run] == option_count[run])
            index[run++] = 0;
        weak->state->overflow |= run < plan.run_count && count == limit;
        if (run == plan.run_count || count == limit)
            return count;
    }
}

void weak_copy_bytes(const struct weak_memory *weak, const struct scalar *op,
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

void weak_remember_read(struct weak_memory *weak, const struct scalar *op, uint64_t known,
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
static void observe(struct weak_memory *weak, const struct scalar *op, stage *view,
                    const struct read_plan *plan)
{
    for (int run = 0; run < plan->run_count; run++) {
        int source = plan->source[run];
        if (source < 0 || !weak_strong_pair(weak, &weak->state->items[source], op))
            continue;
        if (has_rule(weak, RULE_OBSERVATION))
            view[source] |= weak_own_stage(op);
        if (op->strong && !op->red)
            weak_add_seen(weak, op, weak->state->items[source].heads);
    }
}

void weak_note_read(struct weak_memory *weak, const struct scalar *op, const stage *view,
                    const struct read_plan *plan)
{
    struct read_sources sources = weak_sources(plan);
    EACH_ITEM(i, weak_known(weak, view, op, ITEM_LOAD)) {
        weak->state->items[i].later_reads |= sources.items;
        weak->state->items[i].later_read_init |= sources.init;
    }
}

static void perform_read(struct weak_memory *weak, const struct scalar *op,
                         const struct read_plan *plan, uint64_t value[2])
{
    stage *view = weak->state->lanes[op->lane].view;
    uint64_t known = weak_known(weak, view, op, ITEM_WRITE);
    weak_copy_bytes(weak, op, plan, value);
    weak_remember_read(weak, op, known, plan);
    weak_note_read(weak, op, view, plan);
    observe(weak, op, view, plan);
    if (op->acquire)
        weak_acquire(weak, op, true);
}

/* ---- writes --------------------------------------------------------------------------------- */

void weak_fill_item(struct item *item, const struct scalar *op, uint32_t sequence,
                    const uint64_t value[2])
{
    *item = (struct item){.kind = ITEM_WRITE,
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
                          .address = op->address,
                          .value = {value[0], value[1]}};
}

/* Writes whose order with the new one is a choice: inclusive, and not known to its lane. */
static uint64_t undecided(const struct weak_memory *weak, const struct scalar *op, int written,
                          uint64_t known)
{
    uint64_t others = weak_overlapping(weak, weak_writes(weak) & ~known & ~item_bit(written),
                                       op->memory, op->bytes);
    return weak_strong_with(weak, others, op);
}

/* The coherence order with 'written' after 'before' and before the rest of 'open' and 'after'. */
static bool place(const struct weak_memory *weak, int written, uint64_t before, uint64_t after,
                  uint64_t *co)
{
    memcpy(co, weak->state->co, sizeof weak->state->co);
    for (int i = 0; i < ITEMS; i++) {
        if ((before >> i & 1) && !weak_order(weak, co, i, written))
            return false;
        if ((after >> i & 1) && !weak_order(weak, co, written, i))
            return false;
    }
    return weak_order_consistent(weak, co);
}

enum { MAX_PLACES = 256 };

static uint32_t list_places(const struct weak_memory *weak, int written,
                            const struct write_bounds *bounds, uint64_t open, uint64_t *places)
{
    uint64_t co[ITEMS], subset = 0;
    uint32_t count = 0;
    do { /* every subset of 'open', the full one (append) first */
        uint64_t before = bounds->before | (open & ~subset);
        if (count < MAX_PLACES && place(weak, written, before, bounds->after | subset, co))
            places[count++] = before;
        subset = (subset - open) & open;
    } while (subset && count < MAX_PLACES);
    return count;
}

bool weak_place_write(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                      int written, const struct write_bounds *bounds)
{
    uint64_t open = undecided(weak, op, written, bounds->before | bounds->after),
             places[MAX_PLACES];
    uint32_t count = list_places(weak, written, bounds, open, places);
    if (!count)
        return false;
    uint32_t chosen = count > 1 ? chooser->choose(chooser, count) : 0;
    place(weak, written, places[chosen], (bounds->after | open) & ~places[chosen], weak->state->co);
    return true;
}

/* An atomic's write passes on the records of what its read returned (8.9.2). */
void weak_join_chain(struct weak_memory *weak, const struct scalar *op, int written,
                     const struct read_sources *from)
{
    struct item *items = weak->state->items;
    items[written].rmw = true;
    items[written].rmw_from = *from;
    EACH_ITEM(i, has_rule(weak, RULE_RMW_CHAIN) ? weak_strong_with(weak, from->items, op) : 0)
        items[written].heads |= items[i].heads;
}

void weak_note_write(struct weak_memory *weak, const struct scalar *op, const stage *view,
                     int written)
{
    EACH_ITEM(i, weak_known(weak, view, op, ITEM_LOAD))
        weak->state->items[i].later_writes |= item_bit(written);
}

static void finish_write(struct weak_memory *weak, const struct scalar *op, int written)
{
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    weak_note_write(weak, op, lane->view, written);
    if (has_rule(weak, RULE_OWN_WRITES))
        lane->view[written] |= weak_own_stage(op);
    if (op->strong)
        weak_publish(weak, op, written);
    weak->siblings |= item_bit(written);
}

/* The write after everything it must follow; false when no place is left. 'from': an atomic. */
static bool perform_write(struct weak_memory *weak, struct chooser *chooser,
                          const struct scalar *op, const uint64_t value[2],
                          const struct read_sources *from)
{
    int written = weak_new_item(weak);
    if (written == NO_ITEM)
        return false;
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    struct write_bounds bounds = {0};
    if (has_rule(weak, RULE_PLACE))
        bounds.before = weak_known(weak, lane->view, op, ITEM_WRITE);
    weak_fill_item(&weak->state->items[written], op, lane->writes++, value);
    if (from)
        weak_join_chain(weak, op, written, from);
    if (!weak_place_write(weak, chooser, op, written, &bounds))
        return false;
    finish_write(weak, op, written);
    return true;
}

/* ---- the memory's operations ---------------------------------------------------------------- */

struct read_sources weak_sources(const struct read_plan *plan)
{
    struct read_sources sources = {0};
    for (int run = 0; run < plan->run_count; run++) {
        sources.items |= item_bit(plan->source[run]);
        sources.init |= plan->source[run] == INIT;
    }
    return sources;
}

bool weak_load(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
               uint64_t value[2], struct read_sources *sources)
{
    struct read_plan plans[MAX_PLANS];
    uint64_t known = weak_known(weak, weak->state->lanes[op->lane].view, op, ITEM_WRITE);
    uint32_t count = weak_list_plans(weak, op, known, 0, plans, MAX_PLANS);
    if (!count)
        return false;
    uint32_t chosen = count > 1 ? chooser->choose(chooser, count) : 0;
    perform_read(weak, op, &plans[chosen], value);
    *sources = weak_sources(&plans[chosen]);
    return true;
}

bool weak_store(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                const uint64_t value[2])
{
    return perform_write(weak, chooser, op, value, NULL);
}

bool weak_atomic(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                 enum atom_op atom, enum type type, const uint64_t operands[2], uint64_t old[2])
{
    struct scalar read = *op, write = *op;
    read.release = false;
    write.acquire = false;
    struct read_sources from;
    if (!weak_load(weak, chooser, &read, old, &from))
        return false;
    bool writes = true;
    uint64_t value[2] = {alu_atomic(atom, type, old[0], operands[0], operands[1], &writes), 0};
    if (!writes)
        return true;
    return perform_write(weak, chooser, &write, value, &from);
}
