/* SPDX-License-Identifier: MIT */
#include "litmus/check/checker.h"

#include <string.h>

#include "litmus/test/host.h"

/* What PTX allows of each instruction but for types: qualifiers and spaces (ptx-model.md 1.3),
 * operands of barriers, atomic operations, copies. */

static const struct location *named_location(const struct checker *c, const struct inst *inst)
{
    const struct operand *address = inst_operand(inst, OPERAND_MEMORY);
    return address && address->location != NONE ? &c->test->locations[address->location] : NULL;
}

/* The space the access is made in: written, or that of the location it names. */
static enum space effective_space(const struct checker *c, const struct inst *inst)
{
    const struct location *location = named_location(c, inst);
    return inst->space == SPACE_GENERIC && location ? location->space : inst->space;
}

static bool spaces_agree(enum space written, enum space declared)
{
    return written == SPACE_GENERIC || written == declared ||
           (written == SPACE_SHARED_CLUSTER && declared == SPACE_SHARED);
}

static bool is_constant(enum space space)
{
    return space == SPACE_CONST || space == SPACE_PARAM;
}

static bool is_shared(enum space space)
{
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

/* The names are those that qualifiers.def uses. */
static void check_qualifiers(struct checker *c, const struct inst *inst)
{
    const struct op_row *row = op_row(inst->op);
    const char *name = row->mnemonic;
    const struct operand *address = inst_operand(inst, OPERAND_MEMORY);
    const struct location *location = named_location(c, inst);
    enum space space = effective_space(c, inst);
    uint32_t flags = inst->flags;
    bool is_access = row->group == GROUP_ACCESS;
    bool is_strong = is_access && inst->sem != SEM_WEAK && !(flags & FLAG_VOLATILE);
    bool is_frame = inst->operand_count && inst->operands[0].kind == OPERAND_FRAME;
#include "litmus/check/qualifiers.def"
}

enum { CTA_BARRIERS = 16, WARP_THREADS = 32 };

/* The names are those that operations.def uses. */
static void check_operation(struct checker *c, const struct inst *inst)
{
    const char *name = op_mnemonic(inst->op);
    uint32_t role = op_row(inst->op)->role;
    const struct operand *at = inst->operands, *size = &at[2];
    enum space space = effective_space(c, inst);
    bool is_atomic = op_is_atomic(inst->op), reduces = op_accepts(inst->op, 'O') && !is_atomic;
    uint32_t needed = (inst->op == OP_RED ? 1 : 2) + atom_row(inst->atom_op)->values;
    bool red = inst->op == OP_BAR_RED;
    const struct operand *barrier =
        op_group(inst->op) == GROUP_CTA_BARRIER && !(inst->flags & FLAG_DIALECT) ? &at[red] : NULL;
    const struct operand *threads =
        barrier && inst->operand_count > (red ? 3 : 1) ? &at[red ? 3 : 1] : NULL;
    bool is_mbarrier = op_group(inst->op) == GROUP_MBARRIER,
         stores_later =
             inst->op == OP_ST_ASYNC || inst->op == OP_RED_ASYNC || inst->op == OP_TRY_CANCEL;
    bool multi = op_group(inst->op) == GROUP_MULTIMEM;
    const struct operand *values = &at[inst->op == OP_MULTIMEM_LD_REDUCE ? 0 : 1];
    uint32_t multi_parts = multi && values->kind == OPERAND_VECTOR ? values->part_count : 1;
    bool is_tensor = op_accepts(inst->op, 'D') && op_accepts(inst->op, 'G');
    bool is_bulk = op_accepts(inst->op, 'G') && !stores_later && !is_tensor;
    bool to_shared = is_shared(inst->space) && inst->source_space == SPACE_GLOBAL;
    bool to_cluster = inst->space == SPACE_SHARED_CLUSTER && inst->source_space == SPACE_SHARED;
    bool to_global = inst->space == SPACE_GLOBAL && inst->source_space == SPACE_SHARED;
#include "litmus/check/operations.def"
}

static void check_frame_access(struct checker *c, const struct body *body, const struct inst *inst)
{
    const struct operand *at = inst_operand(inst, OPERAND_FRAME);
    if (!at || op_group(inst->op) != GROUP_ACCESS)
        return;
    const struct param *variable = &body->frame[at->param];
    uint64_t bytes = (uint64_t)type_bytes(inst->type) * inst->vector;
    if (at->value > variable->bytes || bytes > variable->bytes - at->value)
        check_error(c, bad_call, at->span, NULL,
                    "%llu bytes at offset %lld are not inside '%s', which has %u",
                    (unsigned long long)bytes, (long long)at->value, variable->name,
                    variable->bytes);
}

/* What one side of a call passes must have the size of what the other one has declared. */
static void check_passed(struct checker *c, const struct body *caller, const struct operand *list,
                         const struct body *callee, bool returns)
{
    uint32_t count = returns ? callee->return_count : callee->formal_count;
    const struct param *declared = callee->frame + (returns ? 0 : callee->return_count);
    if (list->part_count != count)
        check_error(c, bad_call, list->span, NULL, "'%s' %s %u, not %u", callee->name,
                    returns ? "returns" : "takes", count, list->part_count);
    for (uint32_t i = 0; i < count && i < list->part_count; i++) {
        const struct param *passed = &caller->frame[list->parts[i].param];
        if (passed->bytes != declared[i].bytes)
            check_error(c, bad_call, list->parts[i].span, NULL,
                        "'%s' has %u bytes, '%s' of '%s' has %u", passed->name, passed->bytes,
                        declared[i].name, callee->name, declared[i].bytes);
    }
}

/* The same for a function of the runtime. */
static void check_system_call(struct checker *c, const struct body *caller, const struct inst *inst)
{
    const struct system_row *row = system_row((enum system)inst->operands[1].value);
    const struct operand *lists[] = {&inst->operands[0], &inst->operands[2]};
    const char returned[] = {(char)('0' + row->returned), 0};
    const char *sizes[] = {row->returned ? returned : "", row->parameters};
    for (uint32_t side = 0; side < 2; side++) {
        bool good = lists[side]->part_count == strlen(sizes[side]);
        for (uint32_t i = 0; good && i < lists[side]->part_count; i++)
            good = caller->frame[lists[side]->parts[i].param].bytes ==
                   (uint32_t)(sizes[side][i] - '0');
        if (!good)
            check_error(c, bad_call, lists[side]->span, NULL,
                        "this is not what '%s' of the CUDA runtime %s", row->name,
                        side ? "takes" : "returns");
    }
}

static void check_call(struct checker *c, const struct body *caller, const struct inst *inst)
{
    if (inst->operands[1].kind == OPERAND_REG)
        return;
    if (inst->operands[1].target == NONE) {
        check_system_call(c, caller, inst);
        return;
    }
    const struct body *callee = &c->test->bodies[inst->operands[1].target];
    check_passed(c, caller, &inst->operands[0], callee, true);
    check_passed(c, caller, &inst->operands[2], callee, false);
}

static void check_instruction(struct checker *c, const struct body *body, const struct inst *inst)
{
    bool access = op_group(inst->op) == GROUP_ACCESS;
    if (inst->flags & FLAG_DIALECT && (access || inst->op == OP_FENCE))
        return; /* of a host program: parse/host_value.c makes no wrong ones */
    check_qualifiers(c, inst);
    check_frame_access(c, body, inst);
    if (inst->op == OP_CALL)
        check_call(c, body, inst);
    check_operation(c, inst);
    check_types(c, inst);
}

/* What a stream waits for or writes lies in any memory. */
static bool is_of_a_stream(const struct test *test, const struct inst *inst)
{
    for (uint32_t i = 0; i < test->host->call_count; i++)
        if (host_call_on_value(&test->host->calls[i]) &&
            test->host->calls[i].span.offset == inst->span.offset)
            return true;
    return false;
}

/* Host code may touch memory only if a host can reach it. */
static void check_host_access(void *context, const struct inst *inst, const struct operand *at)
{
    struct checker *c = context;
    const struct test *test = c->test;
    bool is_host = test->language == LANGUAGE_PTX && inst && inst->flags & FLAG_DIALECT;
    if (is_host && at->kind == OPERAND_MEMORY && at->location != NONE &&
        test->locations[test_root_location(test, at->location)].memory == MEMORY_DEVICE &&
        !is_of_a_stream(test, inst))
        check_error(c, host_memory, at->span,
                    "declare it mapped, managed, pinned or pageable, or copy it to such memory",
                    "'%s' is device memory, which a host thread does not reach",
                    test->locations[at->location].name);
}

void check_instructions(struct checker *c)
{
    for (uint32_t i = 0; i < c->test->body_count; i++)
        for (uint32_t k = 0; k < c->test->bodies[i].inst_count; k++)
            check_instruction(c, &c->test->bodies[i], &c->test->bodies[i].insts[k]);
    test_each_operand(c->test, check_host_access, c);
}
