/* SPDX-License-Identifier: MIT */
#include "model/machine/weak/weak_state.h"

#include <string.h>

#include "model/machine/alu.h"

/* Reads and writes of the weak memory. A read is cut into runs of bytes that no write of the table
 * cuts; each run takes one write that its lane does not know to be overwritten. */

struct read_plan {
    int8_t source[RUNS];
    uint8_t from[RUNS], run_count; /* byte offset where each run starts */
};

static uint64_t bit(int item)
{
    return item >= 0 ? UINT64_C(1) << item : 0;
}

static uint8_t cut_runs(const struct weak_memory *weak, const struct scalar *op, uint8_t *from)
{
    bool cut[17] = {true};
    for (int i = 0; i < ITEMS; i++) {
        const struct item *item = &weak->state->items[i];
        if (item->kind != ITEM_WRITE || !item_overlaps(item, op->memory, op->bytes))
            continue;
        if (item->memory > op->memory)
            cut[item->memory - op->memory] = true;
        if (item->memory + item->bytes < op->memory + op->bytes)
            cut[item->memory + item->bytes - op->memory] = true;
    }
    uint8_t count = 0;
    for (uint32_t i = 0; i < op->bytes && count < RUNS; i++)
        if (cut[i])
            from[count++] = (uint8_t)i;
    return count;
}

/* The known writes that overlap byte 'at' of the access. */
static uint64_t known_at(const struct weak_memory *weak, uint64_t known, const struct scalar *op,
                         uint32_t at)
{
    uint64_t result = 0;
    for (int i = 0; i < ITEMS; i++)
        if ((known >> i & 1) && item_overlaps(&weak->state->items[i], op->memory + at, 1))
            result |= UINT64_C(1) << i;
    return result;
}

/* Could the byte at 'at' come from 'source', given what is known? */
static bool may_return(const struct weak_memory *weak, uint64_t known, const struct scalar *op,
                       uint32_t at, int source)
{
    uint64_t here = has_rule(weak, RULE_KNOWN_OVERWRITTEN) ? known_at(weak, known, op, at) : 0;
    return source == INIT ? !here : !(weak->state->co[source] & here);
}

static bool tears(const struct weak_memory *weak, const struct scalar *op,
                  const struct read_plan *plan)
{
    for (int a = 0; a < plan->run_count && has_rule(weak, RULE_WHOLE_READS); a++)
        for (int b = 0; b < plan->run_count; b++) {
            int whole = plan->source[a], other = plan->source[b];
            if (whole < 0 || whole == other ||
                !weak_strong_pair(weak, &weak->state->items[whole], op))
                continue;
            if (other == INIT || (weak->state->co[other] >> whole & 1))
                return true;
        }
    return false;
}

/* Every way to read, as plans; at most 'limit'. */
static uint32_t list_plans(const struct weak_memory *weak, const struct scalar *op, uint64_t known,
                           uint64_t excluded, struct read_plan *plans, uint32_t limit)
{
    struct read_plan plan = {.run_count = 0};
    plan.run_count = cut_runs(weak, op, plan.from);
    int8_t options[RUNS][ITEMS + 1];
    uint32_t option_count[RUNS], index[RUNS] = {0}, count = 0;
    for (int run = 0; run < plan.run_count; run++) {
        option_count[run] = 0;
        for (int i = INIT; i < ITEMS; i++) {
            bool covers = i == INIT ||
                          (weak->state->items[i].kind == ITEM_WRITE &&
                           item_overlaps(&weak->state->items[i], op->memory + plan.from[run], 1));
            if (covers && !(excluded & bit(i)) && may_return(weak, known, op, plan.from[run], i))
                options[run][option_count[run]++] = (int8_t)i;
        }
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
        if (run == plan.run_count || count == limit)
            return count;
    }
}

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

/* What was read may never become overwritten by what was known. */
static void remember_read(struct weak_memory *weak, const struct scalar *op, uint64_t known,
                          const struct read_plan *plan)
{
    for (int run = 0; run < plan->run_count && has_rule(weak, RULE_FIXED_PAST); run++) {
        int source = plan->source[run];
        if (source >= 0)
            weak->state->never_co[source] |=
                known_at(weak, known, op, plan->from[run]) & ~bit(source);
    }
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

static void note_outstanding(struct weak_memory *weak, const struct scalar *op, const stage *view,
                             const struct read_plan *plan)
{
    uint64_t loads = weak_known(weak, view, op, ITEM_LOAD);
    for (int i = 0; loads; i++, loads >>= 1) {
        struct item *load = &weak->state->items[i];
        for (int run = 0; (loads & 1) && run < plan->run_count; run++) {
            load->later_reads |= bit(plan->source[run]);
            load->later_read_init |= plan->source[run] == INIT;
        }
    }
}

static void perform_read(struct weak_memory *weak, const struct scalar *op,
                         const struct read_plan *plan, uint64_t value[2])
{
    stage *view = weak->state->lanes[op->lane].view;
    uint64_t known = weak_known(weak, view, op, ITEM_WRITE);
    copy_bytes(weak, op, plan, value);
    remember_read(weak, op, known, plan);
    note_outstanding(weak, op, view, plan);
    observe(weak, op, view, plan);
    if (op->acquire)
        weak_acquire(weak, op, true);
}

/* ---- writes --------------------------------------------------------------------------------- */

static void fill_item(struct item *item, const struct scalar *op, uint32_t sequence,
                      const uint64_t value[2])
{
    *item = (struct item){.kind = ITEM_WRITE,
                          .proxy = op->proxy,
                          .scope = op->scope,
                          .strong = op->strong,
                          .pair = op->pair,
                          .rmw_from = NO_ITEM,
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
    uint64_t result = 0;
    for (int i = 0; i < ITEMS; i++) {
        const struct item *item = &weak->state->items[i];
        if (i != written && item->kind == ITEM_WRITE && !(known >> i & 1) &&
            item_overlaps(item, op->memory, op->bytes) && weak_strong_pair(weak, item, op))
            result |= UINT64_C(1) << i;
    }
    return result;
}

/* The coherence order with 'written' after 'before' and before the rest of 'open'. */
static bool place(const struct weak_memory *weak, int written, uint64_t before, uint64_t open,
                  uint64_t *co)
{
    memcpy(co, weak->state->co, sizeof weak->state->co);
    for (int i = 0; i < ITEMS; i++) {
        if ((before >> i & 1) && !weak_order(weak, co, i, written))
            return false;
        if ((open & ~before) >> i & 1 && !weak_order(weak, co, written, i))
            return false;
    }
    return weak_order_consistent(weak, co);
}

enum { MAX_PLACES = 256 };

static uint32_t list_places(const struct weak_memory *weak, int written, uint64_t known,
                            uint64_t open, uint64_t *places)
{
    uint64_t co[ITEMS], subset = 0;
    uint32_t count = 0;
    do { /* every subset of 'open', the full one (append) first */
        uint64_t before = known | (open & ~subset);
        if (count < MAX_PLACES && place(weak, written, before, open, co))
            places[count++] = before;
        subset = (subset - open) & open;
    } while (subset && count < MAX_PLACES);
    return count;
}

static void finish_write(struct weak_memory *weak, const struct scalar *op, int written)
{
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    uint64_t loads = weak_known(weak, lane->view, op, ITEM_LOAD);
    for (int i = 0; i < ITEMS; i++)
        if (loads >> i & 1)
            weak->state->items[i].later_writes |= bit(written);
    if (has_rule(weak, RULE_OWN_WRITES))
        lane->view[written] |= weak_own_stage(op);
    if (op->strong)
        weak_publish(weak, op, written);
    weak->siblings |= bit(written);
}

/* The write after everything it must follow; false when no place is left. */
static bool perform_write(struct weak_memory *weak, struct chooser *chooser,
                          const struct scalar *op, const uint64_t value[2], int rmw_from)
{
    int written = weak_new_item(weak);
    if (written == NO_ITEM)
        return false;
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    uint64_t known = has_rule(weak, RULE_PLACE) ? weak_known(weak, lane->view, op, ITEM_WRITE) : 0;
    fill_item(&weak->state->items[written], op, lane->writes++, value);
    weak->state->items[written].rmw_from = (int8_t)rmw_from;
    if (rmw_from >= 0 && has_rule(weak, RULE_RMW_CHAIN) &&
        weak_strong_pair(weak, &weak->state->items[rmw_from], op))
        weak->state->items[written].heads |= weak->state->items[rmw_from].heads;
    uint64_t open = undecided(weak, op, written, known), places[MAX_PLACES];
    uint32_t count = list_places(weak, written, known, open, places);
    if (!count)
        return false;
    uint32_t chosen = count > 1 ? chooser->choose(chooser, count, "coherence") : 0;
    place(weak, written, places[chosen], open, weak->state->co);
    finish_write(weak, op, written);
    return true;
}

/* ---- the memory's operations ---------------------------------------------------------------- */

enum { MAX_PLANS = 256 };

bool weak_load(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
               uint64_t value[2], int *source)
{
    struct read_plan plans[MAX_PLANS];
    uint64_t known = weak_known(weak, weak->state->lanes[op->lane].view, op, ITEM_WRITE);
    uint32_t count = list_plans(weak, op, known, 0, plans, MAX_PLANS);
    if (!count)
        return false;
    uint32_t chosen = count > 1 ? chooser->choose(chooser, count, "reads") : 0;
    perform_read(weak, op, &plans[chosen], value);
    *source = plans[chosen].source[0];
    return true;
}

bool weak_store(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                const uint64_t value[2])
{
    return perform_write(weak, chooser, op, value, NO_ITEM);
}

bool weak_atomic(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                 enum atom_op atom, enum type type, const uint64_t operands[2], uint64_t old[2])
{
    struct scalar read = *op, write = *op;
    read.release = false;
    write.acquire = false;
    int from;
    if (!weak_load(weak, chooser, &read, old, &from))
        return false;
    bool writes = true;
    uint64_t value[2] = {alu_atomic(atom, type, old[0], operands[0], operands[1], &writes), 0};
    if (!writes)
        return true;
    return perform_write(weak, chooser, &write, value, from);
}

/* ---- outstanding loads ----------------------------------------------------------------------- */

bool weak_issue(struct weak_memory *weak, const struct scalar *op, uint32_t micro)
{
    int load = weak_new_item(weak), snapshot = load == NO_ITEM ? NO_ITEM : weak_new_snapshot(weak);
    if (snapshot == NO_ITEM)
        return false;
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    fill_item(&weak->state->items[load], op, micro, (uint64_t[2]){0});
    weak->state->items[load].kind = ITEM_LOAD;
    weak->state->items[load].snapshot = (int8_t)snapshot;
    weak->state->items[load].acquired = op->acquire;
    struct snapshot *known = &weak->state->snapshots[snapshot];
    known->kind = SNAPSHOT_LOAD;
    known->retired = true;
    memcpy(known->view, lane->view, sizeof known->view);
    lane->view[load] |= weak_own_stage(op);
    return true;
}

static struct scalar op_of_load(const struct item *load)
{
    return (struct scalar){.lane = load->lane,
                           .memory = load->memory,
                           .bytes = load->bytes,
                           .address = load->address,
                           .proxy = load->proxy,
                           .scope = load->scope,
                           .pair = load->pair,
                           .strong = load->strong};
}

/* Everybody who knew of the load and came later must agree with what it returns. */
static bool agrees(struct weak_memory *weak, const struct item *load, const struct scalar *op,
                   int source)
{
    if (source == INIT || !weak_strong_pair(weak, &weak->state->items[source], op))
        return true;
    if (load->later_read_init ||
        (load->acquired && has_rule(weak, RULE_LATE_ACQUIRE) && weak->state->items[source].heads))
        return false;
    uint64_t co[ITEMS];
    memcpy(co, weak->state->co, sizeof co);
    for (int i = 0; i < ITEMS; i++)
        if ((load->later_writes >> i & 1) && !weak_order(weak, co, source, i))
            return false;
    for (int i = 0; i < ITEMS; i++)
        if ((load->later_reads >> i & 1) && i != source && (co[i] >> source & 1))
            return false;
    return weak_order_consistent(weak, co);
}

static uint64_t disagreeing(struct weak_memory *weak, const struct item *load,
                            const struct scalar *op)
{
    uint64_t excluded = load->later_writes;
    if (!has_rule(weak, RULE_AGREEMENT))
        return 0;
    for (int i = 0; i < ITEMS; i++)
        if (weak->state->items[i].kind == ITEM_WRITE && !agrees(weak, load, op, i))
            excluded |= bit(i);
    return excluded;
}

static void settle(struct weak_memory *weak, int index, int source)
{
    struct item load = weak->state->items[index];
    struct scalar op = op_of_load(&load);
    bool strong = source >= 0 && weak_strong_pair(weak, &weak->state->items[source], &op);
    for (int i = 0; strong && i < ITEMS; i++) {
        if (load.later_writes >> i & 1)
            weak_order(weak, weak->state->co, source, i);
        if ((load.later_reads >> i & 1) && i != source)
            weak->state->never_co[i] |= bit(source);
    }
    if (strong && op.strong)
        weak_add_seen(weak, &op, weak->state->items[source].heads);
    weak_replace(weak, index, strong ? source : NO_ITEM);
    memset(&weak->state->items[index], 0, sizeof load);
}

bool weak_return(struct weak_memory *weak, struct chooser *chooser, int index, uint64_t value[2])
{
    struct item *load = &weak->state->items[index];
    struct scalar op = op_of_load(load);
    const stage *view = weak->state->snapshots[load->snapshot].view;
    uint64_t known = weak_known(weak, view, &op, ITEM_WRITE);
    struct read_plan plans[MAX_PLANS];
    uint32_t count = list_plans(weak, &op, known, disagreeing(weak, load, &op), plans, MAX_PLANS);
    if (!count || plans[0].run_count != 1)
        return false;
    uint32_t chosen = count > 1 ? chooser->choose(chooser, count, "returns") : 0;
    copy_bytes(weak, &op, &plans[chosen], value);
    remember_read(weak, &op, known, &plans[chosen]);
    note_outstanding(weak, &op, view, &plans[chosen]);
    settle(weak, index, plans[chosen].source[0]);
    return true;
}
