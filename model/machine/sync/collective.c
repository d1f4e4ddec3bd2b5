/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/collective.h"

#include "model/machine/sync/bypass.h"
#include "model/machine/sync/matrix.h"

/* Warp collectives: lane-semantics section 3 (the rendezvous) and 4 (results). */

/* The lanes of one completion and what they brought. */
struct meeting {
    struct run *run;
    uint32_t warp, first; /* machine lane of position 0 */
    uint32_t mask, participants;
    const struct micro *micro; /* of the lowest participant */
};

static const struct micro *micro_at(const struct meeting *m, uint32_t p)
{
    return run_micro(m->run, m->first + p);
}

static uint64_t operand(const struct meeting *m, uint32_t p, uint32_t i)
{
    return run_value(m->run, m->first + p, micro_at(m, p)->src[i]);
}

static bool operand_poison(const struct meeting *m, uint32_t p, uint32_t i)
{
    return run_poisoned(m->run, m->first + p, micro_at(m, p)->src[i]);
}

static void give(const struct meeting *m, uint32_t p, uint32_t i, uint64_t value, bool poison)
{
    run_write(m->run, m->first + p, micro_at(m, p)->dst[i], value, poison);
}

/* ---- results ------------------------------------------------------------------------------- */

/* Leading ones: the widths 32, 16, 8, 4, 2, 1. */
static bool good_segment(uint32_t segment)
{
    uint32_t low = ~segment & 31;
    return (low & (low + 1)) == 0;
}

/* The lane read from, and whether it is in range: section 4.2. */
static uint32_t shfl_source(enum op op, uint32_t lane, uint32_t b, uint32_t c, bool *in_range)
{
    int32_t offset = (int32_t)(b & 31), clamp = (int32_t)(c & 31), segment = (int32_t)(c >> 8 & 31);
    int32_t self = (int32_t)lane, j;
    int32_t most = (self & segment) | (clamp & ~segment & 31), least = self & segment;
    if (op == OP_SHFL_UP)
        j = self - offset;
    else if (op == OP_SHFL_DOWN)
        j = self + offset;
    else if (op == OP_SHFL_BFLY)
        j = self ^ offset;
    else
        j = least | (offset & ~segment & 31);
    *in_range = op == OP_SHFL_UP ? j >= most : j <= most;
    return *in_range ? (uint32_t)j : lane;
}

static void finish_shfl(const struct meeting *m)
{
    uint64_t values[32] = {0};
    bool poison[32] = {false};
    EACH_LANE(p, m->participants) {
        values[p] = operand(m, p, 0);
        poison[p] = operand_poison(m, p, 0);
    }
    EACH_LANE(p, m->participants) {
        uint32_t c = (uint32_t)operand(m, p, 2);
        bool in_range;
        if (!good_segment(c >> 8 & 31))
            run_report(m->run, m->first + p, REPORT_SHFL_BAD_WIDTH, "segment mask %u", c >> 8 & 31);
        uint32_t from =
            shfl_source(m->micro->inst->op, p, (uint32_t)operand(m, p, 1), c, &in_range);
        bool inactive = !(m->participants >> from & 1);
        if (inactive)
            run_report(m->run, m->first + p, REPORT_SHFL_SOURCE_INACTIVE,
                       "lane %u reads lane %u, which does not take part", p, from);
        give(m, p, 0, values[from] & UINT32_MAX, inactive || poison[from]);
        give(m, p, 1, in_range, false);
    }
}

static void finish_vote(const struct meeting *m)
{
    uint32_t ballot = 0;
    bool poison = false;
    EACH_LANE(p, m->participants) {
        ballot |= (uint32_t)(operand(m, p, 0) & 1) << p;
        poison = poison || operand_poison(m, p, 0);
    }
    bool all = ballot == m->participants, any = ballot != 0;
    enum op op = m->micro->inst->op;
    uint64_t result = op == OP_VOTE_ALL   ? all
                      : op == OP_VOTE_ANY ? any
                      : op == OP_VOTE_UNI ? all || !any
                                          : ballot;
    EACH_LANE(p, m->participants)
        give(m, p, 0, result, poison);
}

static void finish_match(const struct meeting *m)
{
    bool wide = type_bytes(m->micro->inst->type) == 8, all = m->micro->inst->op == OP_MATCH_ALL;
    uint64_t keep = wide ? UINT64_MAX : UINT32_MAX;
    EACH_LANE(p, m->participants) {
        uint32_t same = 0;
        EACH_LANE(q, m->participants) {
            if (((operand(m, p, 0) ^ operand(m, q, 0)) & keep) == 0)
                same |= 1u << q;
        }
        bool agreed = same == m->participants;
        give(m, p, 0, !all ? same : agreed ? same : 0, false);
        if (all)
            give(m, p, 1, agreed, false);
    }
}

static void finish_redux(const struct meeting *m)
{
    const struct inst *inst = m->micro->inst;
    uint64_t result = 0;
    bool first = true, poison = false, writes;
    EACH_LANE(p, m->participants) {
        uint64_t value = operand(m, p, 0) & UINT32_MAX;
        result = first ? value : alu_atomic(inst->atom_op, inst->type, result, value, 0, &writes);
        poison = poison || operand_poison(m, p, 0);
        first = false;
    }
    EACH_LANE(p, m->participants)
        give(m, p, 0, result, poison);
}

/* The leader is the lowest participant, or as many further as asked for: PTX leaves open who it is,
 * but equal sets of participants get the same one. */
static void finish_elect(const struct meeting *m)
{
    uint32_t left = m->participants,
             skip = m->run->machine->options.elect % (uint32_t)__builtin_popcount(left);
    while (skip--)
        left &= left - 1;
    uint32_t leader = lowest(left);
    EACH_LANE(p, m->participants) {
        give(m, p, 0, leader, false);
        give(m, p, 1, p == leader, false);
    }
}

static void finish_sync(const struct meeting *m)
{
    run_sync(m->run, m->warp, m->participants, (struct sync){.kind = SYNC_WARP});
}

static void (*const finish[OP_COUNT])(const struct meeting *) = {
    [OP_SHFL_UP] = finish_shfl,       [OP_SHFL_DOWN] = finish_shfl,   [OP_SHFL_BFLY] = finish_shfl,
    [OP_SHFL_IDX] = finish_shfl,      [OP_VOTE_ALL] = finish_vote,    [OP_VOTE_ANY] = finish_vote,
    [OP_VOTE_UNI] = finish_vote,      [OP_VOTE_BALLOT] = finish_vote, [OP_MATCH_ANY] = finish_match,
    [OP_MATCH_ALL] = finish_match,    [OP_REDUX] = finish_redux,      [OP_ELECT] = finish_elect,
    [OP_BAR_WARP_SYNC] = finish_sync,
};

/* ---- the rendezvous ------------------------------------------------------------------------ */

bool collective_same(const struct micro *a, const struct micro *b)
{
    return a->kind == MICRO_COLLECTIVE && b->kind == MICRO_COLLECTIVE &&
           a->inst->op == b->inst->op && a->inst->type == b->inst->type &&
           a->inst->atom_op == b->inst->atom_op;
}

static bool waits_with(const struct run *run, uint32_t lane, const struct micro *micro,
                       uint32_t mask)
{
    return run_lane(run, lane)->key == mask && collective_same(run_micro(run, lane), micro);
}

static void note_meeting(const struct meeting *m)
{
    struct run *run = m->run;
    uint32_t present = run->machine->warps[m->warp].present,
             lane = m->first + lowest(m->participants);
    enum op op = m->micro->inst->op;
    uint32_t gone = m->mask & present & ~m->participants;
    uint32_t passed = gone ? bypass_lanes(run, m->warp, gone, lane, run_lane(run, lane)->pc) : 0;
    if (passed)
        run_report(run, lane, REPORT_COLLECTIVE_PASSED_BY, "mask 0x%08x names %s: %s", m->mask,
                   run_lanes_name(run, m->warp, passed), bypass_text(run, m->warp, passed));
    else if (gone && (op == OP_BAR_WARP_SYNC || op == OP_ELECT))
        run_report(run, lane, REPORT_EXITED_LANE_IN_MASK, "mask 0x%08x names %s", m->mask,
                   run_lanes_name(run, m->warp, gone));
    EACH_LANE(p, m->participants) {
        if (run->machine->options.strict_pc && micro_at(m, p) != m->micro) {
            run_report(run, m->first + p, REPORT_COLLECTIVE_DIFFERENT_PC, "it meets %s",
                       run_micro_name(run, m->micro));
            return;
        }
    }
}

/* Completes the collective that position p waits at when everybody is there. */
static bool try_complete(struct run *run, uint32_t warp, uint32_t p)
{
    struct warp *w = run_warp(run, warp);
    uint32_t first = run_first(run, warp);
    const struct micro *micro = run_micro(run, first + p);
    uint32_t mask = run_lane(run, first + p)->key;
    struct meeting m = {.run = run,
                        .warp = warp,
                        .first = first,
                        .mask = mask,
                        .participants = mask & ~w->exited,
                        .micro = micro};
    EACH_LANE(q, m.participants) {
        if (!(w->gathering >> q & 1) || !waits_with(run, first + q, micro, mask))
            return false;
    }
    m.micro = micro_at(&m, lowest(m.participants));
    note_meeting(&m);
    if (m.micro->matrix)
        matrix_execute(run, warp, m.participants);
    else
        finish[m.micro->inst->op](&m);
    w->gathering &= ~m.participants;
    w->running |= m.participants;
    EACH_LANE(q, m.participants) {
        run_lane(run, first + q)->key = 0;
        run_advance(run, first + q);
    }
    return true;
}

static void check_mask(struct run *run, uint32_t lane, const struct micro *micro, uint32_t mask)
{
    const struct machine *machine = run->machine;
    const struct warp_place *place = &machine->warps[machine->lanes[lane].warp];
    slot from = micro->src[micro->src_count - 1];
    if (run_poisoned(run, lane, from))
        run_report(run, lane, REPORT_POISON_USED, "the member mask is undefined");
    if (micro->flags & MICRO_HARDWARE)
        run_report(run, lane, REPORT_WARPID_USED_AS_INDEX,
                   "the mask depends on %%warpid or its like");
    if (mask & ~place->present && !machine->ctas[place->cta].open)
        run_report(run, lane, REPORT_MASK_NAMES_MISSING_LANE,
                   "mask 0x%08x, but the warp has 0x%08x", mask, place->present);
}

/* A lane of the mask that waits elsewhere for this one: neither can ever come. */
static void check_mismatch(struct run *run, uint32_t warp, uint32_t p, uint32_t mask)
{
    uint32_t first = run_first(run, warp);
    const struct micro *micro = run_micro(run, first + p);
    EACH_LANE(q, mask & run_warp(run, warp)->gathering) {
        const struct micro *other = run_micro(run, first + q);
        uint32_t key = run_lane(run, first + q)->key;
        if (other->kind != MICRO_COLLECTIVE || waits_with(run, first + q, micro, mask) ||
            !(key >> p & 1))
            continue;
        run_report(run, first + p, REPORT_COLLECTIVE_MASK_MISMATCH,
                   "%s with mask 0x%08x, while lane %u waits at %s with mask 0x%08x",
                   run_micro_name(run, micro), mask, q, run_micro_name(run, other), key);
        if ((micro->flags | other->flags) & MICRO_ACTIVE)
            run_report(run, first + p, REPORT_ACTIVEMASK_AS_MASK, "the masks are 0x%08x and 0x%08x",
                       mask, key);
        return;
    }
}

/* Before sm_70: the lanes that execute it together are those of the mask. */
static void check_converged(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run_first(run, warp), named = 0;
    const struct micro *micro = run_micro(run, first + lowest(lanes));
    slot mask = micro->src[micro->src_count - 1];
    EACH_LANE(p, lanes)
        named |= (uint32_t)run_value(run, first + p, mask);
    named &= ~run_warp(run, warp)->exited;
    if (named != lanes)
        run_report(run, first + lowest(lanes), REPORT_COLLECTIVE_NOT_CONVERGED,
                   "the active lanes are 0x%08x, the masks name 0x%08x", lanes, named);
}

static void arrive(struct run *run, uint32_t warp, uint32_t p)
{
    struct warp *w = run_warp(run, warp);
    uint32_t lane = run_first(run, warp) + p;
    const struct micro *micro = run_micro(run, lane);
    uint32_t mask = (uint32_t)run_value(run, lane, micro->src[micro->src_count - 1]);
    check_mask(run, lane, micro, mask);
    if (!(mask >> p & 1)) {
        run_report(run, lane, REPORT_COLLECTIVE_CALLER_NOT_IN_MASK, "%s with mask 0x%08x",
                   run_micro_name(run, micro), mask);
        run_write(run, lane, micro->dst[0], 0, true);
        run_write(run, lane, micro->dst[1], 0, true);
        run_advance(run, lane);
        return;
    }
    w->running &= ~(1u << p);
    w->gathering |= 1u << p;
    run_lane(run, lane)->key = mask;
    check_mismatch(run, warp, p, mask);
}

void collective_arrive(struct run *run, uint32_t warp, uint32_t lanes)
{
    if (run->machine->options.mode == MACHINE_LOCKSTEP)
        check_converged(run, warp, lanes);
    EACH_LANE(p, lanes)
        arrive(run, warp, p);
    collective_retry(run, warp);
}

void collective_retry(struct run *run, uint32_t warp)
{
    uint32_t first = run_first(run, warp);
    EACH_LANE(p, run_warp(run, warp)->gathering) {
        bool waits = run_warp(run, warp)->gathering >> p & 1;
        if (waits && run_micro(run, first + p)->kind == MICRO_COLLECTIVE)
            try_complete(run, warp, p);
    }
}

/* The lanes that stand at this activemask take it together: all of them, or, as another choice,
 * this group alone. */
void collective_activemask(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run_first(run, warp), together = lanes;
    uint32_t pc = run_lane(run, first + lowest(lanes))->pc;
    EACH_LANE(p, run_warp(run, warp)->running & ~lanes) {
        if (run_lane(run, first + p)->pc == pc && run_enabled(run, first + p))
            together |= 1u << p;
    }
    if (together != lanes && run->chooser && run->chooser->choose(run->chooser, 2) == 1)
        together = lanes;
    EACH_LANE(p, together) {
        run_write(run, first + p, run_micro(run, first + p)->dst[0], together, false);
        run_advance(run, first + p);
    }
}
