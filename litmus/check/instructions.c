/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"

/* What PTX allows of each instruction but for types: qualifiers and spaces (ptx-model.md 1.3),
 * operands of barriers, atomic operations, copies. */

static void refuse(struct checker *checker, const struct inst *inst, const char *why)
{
    check_error(checker, bad_qualifiers, inst->span, NULL, "%s", why);
}

static bool is_access(const struct inst *inst)
{
    return inst->op == OP_LD || inst->op == OP_ST || inst->op == OP_ATOM || inst->op == OP_RED;
}

static bool allows_sem(enum op op, enum sem sem)
{
    switch (op) {
    case OP_LD:
        return sem == SEM_WEAK || sem == SEM_RELAXED || sem == SEM_ACQUIRE;
    case OP_ST:
        return sem == SEM_WEAK || sem == SEM_RELAXED || sem == SEM_RELEASE;
    case OP_ATOM:
    case OP_RED:
        return sem != SEM_WEAK && sem != SEM_SC;
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_DROP:
    case OP_CLUSTER_ARRIVE:
        return sem == SEM_RELEASE || sem == SEM_RELAXED;
    case OP_MBARRIER_TEST_WAIT:
    case OP_MBARRIER_TRY_WAIT:
        return sem == SEM_ACQUIRE || sem == SEM_RELAXED;
    case OP_CLUSTER_WAIT:
        return sem == SEM_ACQUIRE;
    default:
        return true;
    }
}

static void check_semantics(struct checker *checker, const struct inst *inst)
{
    if (!allows_sem(inst->op, inst->sem))
        check_error(checker, bad_semantics, inst->span, NULL, "'%s' has no '.%s'",
                    op_mnemonic(inst->op), sem_name(inst->sem));
    else if (inst->sem == SEM_WEAK && inst->scope != SCOPE_NONE)
        refuse(checker, inst, "a weak access has no scope");
    else if ((inst->op == OP_LD || inst->op == OP_ST) && inst->sem > SEM_WEAK &&
             inst->scope == SCOPE_NONE)
        check_error(checker, missing_scope, inst->span, NULL,
                    "'%s.%s' needs a scope: .cta, .cluster, .gpu or .sys", op_mnemonic(inst->op),
                    sem_name(inst->sem));
    if (inst->op == OP_RED && (inst->sem == SEM_ACQUIRE || inst->sem == SEM_ACQ_REL))
        check_error(checker, red_acquire, inst->span, NULL,
                    "the acquire half of 'red.%s' has no effect", sem_name(inst->sem));
}

/* .mmio is .relaxed.sys on global memory; .nc reads global memory weakly. */
static void check_special_access(struct checker *checker, const struct inst *inst)
{
    bool global = inst->space == SPACE_GLOBAL;
    if ((inst->flags & FLAG_MMIO) && (inst->sem != SEM_RELAXED || inst->scope != SCOPE_SYS ||
                                      (!global && inst->space != SPACE_GENERIC)))
        refuse(checker, inst, "'.mmio' is '.mmio.relaxed.sys' on global memory");
    if ((inst->flags & FLAG_MMIO) && (inst->flags & FLAG_VOLATILE))
        refuse(checker, inst, "'.mmio' and '.volatile' exclude each other");
    if ((inst->flags & FLAG_NC) && (!global || inst->sem != SEM_WEAK))
        refuse(checker, inst, "'.nc' is a weak access to '.global'");
}

static const struct operand *address_of(const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == OPERAND_MEMORY)
            return &inst->operands[i];
    return NULL;
}

/* The space the access is made in: written, or that of the location it names. */
static enum space effective_space(const struct test *test, const struct inst *inst)
{
    const struct operand *address = address_of(inst);
    if (inst->space == SPACE_GENERIC && address && address->location != NONE)
        return test->locations[address->location].space;
    return inst->space;
}

static bool spaces_agree(enum space written, enum space declared)
{
    return written == SPACE_GENERIC || written == declared ||
           (written == SPACE_SHARED_CLUSTER && declared == SPACE_SHARED);
}

static void check_named_space(struct checker *checker, const struct inst *inst)
{
    const struct operand *address = address_of(inst);
    if (!address || address->location == NONE)
        return;
    const struct location *location = &checker->test->locations[address->location];
    if (!spaces_agree(inst->space, location->space))
        check_error(checker, bad_space, address->span, NULL, "'%s' is in .%s, not in .%s",
                    location->name, space_name(location->space), space_name(inst->space));
}

static void check_space(struct checker *checker, const struct inst *inst)
{
    enum space space = effective_space(checker->test, inst);
    bool writes = inst->op != OP_LD;
    bool atomic = inst->op == OP_ATOM || inst->op == OP_RED;
    bool volatile_access = inst->flags & FLAG_VOLATILE;
    bool strong = inst->sem != SEM_WEAK && !volatile_access;
    bool frame = inst->operand_count && inst->operands[0].kind == OPERAND_FRAME;
    if (writes && (space == SPACE_CONST || (space == SPACE_PARAM && !frame)))
        check_error(checker, bad_space, inst->span, NULL, ".%s memory is read only",
                    space_name(space));
    else if ((strong || atomic) && space == SPACE_LOCAL)
        check_error(checker, bad_space, inst->span, NULL,
                    "local memory has weak and volatile accesses only");
    else if ((strong || volatile_access) && (space == SPACE_CONST || space == SPACE_PARAM))
        check_error(checker, bad_space, inst->span, NULL, ".%s memory has weak accesses only",
                    space_name(space));
}

static void check_access(struct checker *checker, const struct inst *inst)
{
    check_special_access(checker, inst);
    check_named_space(checker, inst);
    check_space(checker, inst);
}

static void operands_needed(struct checker *checker, const struct inst *inst, uint32_t count)
{
    if (inst->operand_count != count)
        check_error(checker, operand_count, inst->span, NULL, "'%s.%s' takes %u operands, not %u",
                    op_mnemonic(inst->op), atom_op_name(inst->atom_op), count, inst->operand_count);
}

static void check_atomic_operation(struct checker *checker, const struct inst *inst)
{
    bool red = inst->op == OP_RED;
    if (inst->atom_op == ATOM_NONE)
        check_error(checker, missing_modifier, inst->span, NULL,
                    "'%s' needs an operation such as .add", op_mnemonic(inst->op));
    else if (inst->atom_op == ATOM_POPC ||
             (red && (inst->atom_op == ATOM_EXCH || inst->atom_op == ATOM_CAS)))
        refuse(checker, inst,
               red ? "red has no '.exch', '.cas' or '.popc'" : "atom has no '.popc'");
    else
        operands_needed(checker, inst, red ? 2 : inst->atom_op == ATOM_CAS ? 4 : 3);
}

/* redux.sync, barrier.red and cp.reduce have their own lists. */
static void check_reduction(struct checker *checker, const struct inst *inst)
{
    enum atom_op op = inst->atom_op;
    bool barrier = inst->op == OP_BAR_RED;
    bool bits = op == ATOM_AND || op == ATOM_OR;
    bool numbers = op == ATOM_ADD || op == ATOM_MIN || op == ATOM_MAX || op == ATOM_XOR;
    bool copies = op == ATOM_INC || op == ATOM_DEC;
    if (op == ATOM_NONE)
        check_error(checker, missing_modifier, inst->span, NULL, "'%s' needs an operation",
                    op_mnemonic(inst->op));
    else if (barrier ? !bits && op != ATOM_POPC
                     : !bits && !numbers && !(copies && inst->op == OP_CP_REDUCE_ASYNC_BULK))
        check_error(checker, misplaced_modifier, inst->span, NULL, "'%s' has no '.%s'",
                    op_mnemonic(inst->op), atom_op_name(op));
}

enum { CTA_BARRIERS = 16, WARP_THREADS = 32 };

static void check_barrier_count(struct checker *checker, const struct inst *inst,
                                const struct operand *count)
{
    if (count->kind == OPERAND_IMM && !(inst->flags & FLAG_COUNT_THREADS) &&
        (count->value == 0 || count->value % WARP_THREADS || count->value > 1024))
        check_error(checker, bad_barrier, count->span, NULL,
                    "a thread count is a multiple of 32 and at most 1024");
}

/* PTX 9.7.13.1; the dialect names as many barriers as it likes and never counts by warps. */
static void check_barrier(struct checker *checker, const struct inst *inst)
{
    bool red = inst->op == OP_BAR_RED;
    const struct operand *resource = &inst->operands[red ? 1 : 0];
    uint32_t at = red ? 3 : 1;
    if (inst->flags & FLAG_DIALECT)
        return;
    if (resource->kind == OPERAND_IMM && resource->value >= CTA_BARRIERS)
        check_error(checker, bad_barrier, resource->span, NULL, "a CTA has barriers 0 to 15");
    if (inst->operand_count > at)
        check_barrier_count(checker, inst, &inst->operands[at]);
    else if (inst->op == OP_BAR_ARRIVE)
        check_error(checker, bad_barrier, inst->span, "the dialect's 'bar.cta.arrive 0' needs none",
                    "an arrive without a thread count");
    if (inst->operand_count > 2 && !red)
        check_error(checker, operand_count, inst->span, NULL,
                    "a barrier takes its number and a thread count");
}

static bool is_shared(enum space space)
{
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

static void check_mbarrier(struct checker *checker, const struct inst *inst)
{
    bool waits = inst->op == OP_MBARRIER_TEST_WAIT || inst->op == OP_MBARRIER_TRY_WAIT;
    bool counted = inst->flags & (FLAG_EXPECT_TX | FLAG_NO_COMPLETE);
    enum space space = effective_space(checker->test, inst);
    if (inst->scope != SCOPE_NONE && inst->scope != SCOPE_CTA && inst->scope != SCOPE_CLUSTER)
        refuse(checker, inst, "an mbarrier operation has scope .cta or .cluster");
    else if (!is_shared(space) && space != SPACE_GENERIC)
        check_error(checker, bad_space, inst->span, "declare it so: shared u64 bar @ cta 0;",
                    "an mbarrier is in shared memory");
    else if (waits && inst->space == SPACE_SHARED_CLUSTER)
        check_error(checker, bad_space, inst->span, NULL, "a wait is for an mbarrier of its CTA");
    else if (counted && inst->operand_count < 3)
        check_error(checker, operand_count, inst->span, NULL, "'%s' needs a count here",
                    op_mnemonic(inst->op));
    else if (inst->op == OP_MBARRIER_ARRIVE && inst->space == SPACE_SHARED_CLUSTER &&
             inst->operands[0].kind != OPERAND_SINK)
        check_error(checker, bad_operand, inst->operands[0].span, NULL,
                    "an arrive in the cluster returns no state: write '_'");
}

static void check_copy_size(struct checker *checker, const struct inst *inst, const char *wanted,
                            bool good)
{
    if (inst->operands[2].kind == OPERAND_IMM && !good)
        check_error(checker, bad_copy, inst->operands[2].span, NULL, "%s", wanted);
}

/* PTX 9.7.9.25.3: 4, 8 or 16 bytes from global to shared memory. */
static void check_small_copy(struct checker *checker, const struct inst *inst)
{
    uint64_t size = inst->operands[2].value;
    check_copy_size(checker, inst, "cp.async copies 4, 8 or 16 bytes",
                    size == 4 || size == 8 || size == 16);
    if (inst->space != SPACE_SHARED || inst->source_space != SPACE_GLOBAL)
        check_error(checker, bad_copy, inst->span, NULL,
                    "cp.async copies from .global to .shared: write cp.async.ca.shared.global");
}

/* PTX 9.7.9.25.4: who may be copied where, and how the end is told. */
static void check_bulk_copy(struct checker *checker, const struct inst *inst)
{
    uint64_t size = inst->operands[2].value;
    bool by_mbarrier = inst->operand_count == 4;
    bool to_shared = is_shared(inst->space) && inst->source_space == SPACE_GLOBAL;
    bool to_cluster = inst->space == SPACE_SHARED_CLUSTER && inst->source_space == SPACE_SHARED;
    bool to_global = inst->space == SPACE_GLOBAL && inst->source_space == SPACE_SHARED;
    bool reduces = inst->op == OP_CP_REDUCE_ASYNC_BULK;
    check_copy_size(checker, inst, "a bulk copy's size is a multiple of 16",
                    size > 0 && size % 16 == 0);
    if (!to_cluster && !to_global && (!to_shared || reduces))
        check_error(checker, bad_copy, inst->span, NULL, "a bulk %s does not go from .%s to .%s",
                    reduces ? "reduction" : "copy", space_name(inst->source_space),
                    space_name(inst->space));
    else if (by_mbarrier == to_global)
        check_error(checker, bad_copy, inst->span, NULL,
                    to_global ? "a copy to global memory ends with its bulk group"
                              : "a copy to shared memory ends at an mbarrier: a fourth operand");
}

static const struct operand *frame_operand(const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == OPERAND_FRAME)
            return &inst->operands[i];
    return NULL;
}

static void check_frame_access(struct checker *checker, const struct body *body,
                               const struct inst *inst)
{
    const struct operand *at = frame_operand(inst);
    if (!at || !is_access(inst))
        return;
    const struct param *variable = &body->frame[at->param];
    uint64_t bytes = (uint64_t)type_bytes(inst->type) * inst->vector;
    if (at->value > variable->bytes || bytes > variable->bytes - at->value)
        check_error(checker, bad_call, at->span, NULL,
                    "%llu bytes at offset %lld are not inside '%s', which has %u",
                    (unsigned long long)bytes, (long long)at->value, variable->name,
                    variable->bytes);
}

/* What one side of a call passes must have the size of what the other one has declared. */
static void check_passed(struct checker *checker, const struct body *caller,
                         const struct operand *list, const struct body *callee, bool returns)
{
    uint32_t count = returns ? callee->return_count : callee->formal_count;
    const struct param *declared = callee->frame + (returns ? 0 : callee->return_count);
    if (list->part_count != count)
        check_error(checker, bad_call, list->span, NULL, "'%s' %s %u, not %u", callee->name,
                    returns ? "returns" : "takes", count, list->part_count);
    for (uint32_t i = 0; i < count && i < list->part_count; i++) {
        const struct param *passed = &caller->frame[list->parts[i].param];
        if (passed->bytes != declared[i].bytes)
            check_error(checker, bad_call, list->parts[i].span, NULL,
                        "'%s' has %u bytes, '%s' of '%s' has %u", passed->name, passed->bytes,
                        declared[i].name, callee->name, declared[i].bytes);
    }
}

static void check_call(struct checker *checker, const struct body *caller, const struct inst *inst)
{
    const struct body *callee = &checker->test->bodies[inst->operands[1].target];
    check_passed(checker, caller, &inst->operands[0], callee, true);
    check_passed(checker, caller, &inst->operands[2], callee, false);
}

static void check_by_operation(struct checker *checker, const struct inst *inst)
{
    switch (inst->op) {
    case OP_ATOM:
    case OP_RED:
        check_atomic_operation(checker, inst);
        break;
    case OP_REDUX:
        check_reduction(checker, inst);
        break;
    case OP_BAR_RED:
        check_reduction(checker, inst);
        check_barrier(checker, inst);
        break;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE:
        check_barrier(checker, inst);
        break;
    case OP_CP_ASYNC:
        check_small_copy(checker, inst);
        break;
    case OP_CP_REDUCE_ASYNC_BULK:
        check_reduction(checker, inst);
        check_bulk_copy(checker, inst);
        break;
    case OP_CP_ASYNC_BULK:
        check_bulk_copy(checker, inst);
        break;
    default:
        if (op_is_mbarrier(inst->op))
            check_mbarrier(checker, inst);
        break;
    }
}

static void check_instruction(struct checker *checker, const struct body *body,
                              const struct inst *inst)
{
    bool of_host = inst->flags & FLAG_DIALECT && (is_access(inst) || inst->op == OP_FENCE);
    if (of_host) /* made by parse_host.c, not by PTX's rules */
        return;
    check_semantics(checker, inst);
    if (is_access(inst))
        check_access(checker, inst);
    check_frame_access(checker, body, inst);
    if (inst->op == OP_CALL)
        check_call(checker, body, inst);
    check_by_operation(checker, inst);
    check_types(checker, inst);
}

void check_instructions(struct checker *checker)
{
    for (uint32_t i = 0; i < checker->test->body_count; i++)
        for (uint32_t k = 0; k < checker->test->bodies[i].inst_count; k++)
            check_instruction(checker, &checker->test->bodies[i],
                              &checker->test->bodies[i].insts[k]);
}
