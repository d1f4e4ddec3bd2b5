/* SPDX-License-Identifier: MIT */
#include "cli/answer/cause.h"

#include <string.h>

const char *cause_words(enum cause cause)
{
    static const char *const words[] = {
#define CAUSE(id, words) words,
#include "cli/answer/cause.def"
    };
    return words[cause];
}

/* Does some instruction pass the test? */
static bool has(const struct test *test, bool (*is)(const struct inst *inst))
{
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++)
            if (is(&test->bodies[b].insts[i]))
                return true;
    return false;
}

static bool is_counted_barrier(const struct inst *inst)
{
    return inst->op == OP_BAR_ARRIVE || inst->op == OP_BAR_RED ||
           (inst->op == OP_BAR_SYNC && inst->operand_count > 1);
}

static bool is_restricted(const struct inst *inst)
{
    return inst->fence_kind == FENCE_RESTRICT_ACQUIRE || inst->fence_kind == FENCE_RESTRICT_RELEASE;
}

static bool is_copy(const struct inst *inst)
{
    return inst->op == OP_CP_ASYNC || inst->op == OP_CP_ASYNC_BULK ||
           inst->op == OP_CP_REDUCE_ASYNC_BULK;
}

static bool is_mbarrier(const struct inst *inst)
{
    return inst->op == OP_MBARRIER_TEST_WAIT || inst->op == OP_MBARRIER_TRY_WAIT ||
           inst->op == OP_MBARRIER_ARRIVE;
}

/* Its value is a register, which a read may have to fill. */
static bool is_waiting_store(const struct inst *inst)
{
    return inst->op == OP_ST && inst->operand_count > 1 && inst->operands[1].kind == OPERAND_REG;
}

/* Its address, or whether it executes, is in a register, which a read may have to fill. */
static bool is_waiting_access(const struct inst *inst)
{
    bool waits = inst->guard != NONE;
    if (inst->op != OP_LD && inst->op != OP_ST && inst->op != OP_ATOM)
        return false;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        waits |= inst->operands[i].kind == OPERAND_MEMORY && inst->operands[i].reg != NONE;
    return waits;
}

/* The narrowest scope that includes every thread. */
static enum scope scope_of_all(const struct test *test)
{
    enum scope scope = SCOPE_CTA;
    for (uint32_t i = 1; i < test->column_count; i++)
        if (test->columns[i].gpu != test->columns[0].gpu)
            return SCOPE_SYS;
        else if (test->columns[i].cta != test->columns[0].cta)
            scope = SCOPE_GPU;
    return scope;
}

static bool has_narrow_atomic(const struct test *test)
{
    enum scope all = scope_of_all(test);
    for (uint32_t i = 0; i < test->column_count; i++) {
        const struct body *body = &test->bodies[test->columns[i].body];
        for (uint32_t k = 0; k < body->inst_count; k++)
            if (body->insts[k].op == OP_ATOM && body->insts[k].scope < all)
                return true;
    }
    return false;
}

static bool has_unset(const struct test *test)
{
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].unset)
            return true;
    return false;
}

enum cause cause_find(const struct comparison *c)
{
    const struct test *test = c->job->test;
    if (strcmp(c->executor_hangs, "no") != 0 && !has(test, is_counted_barrier))
        return CAUSE_HANG;
    if (has(test, is_counted_barrier))
        return CAUSE_LATE;
    if (has(test, is_restricted))
        return CAUSE_RESTRICTED;
    if (has(test, is_copy))
        return CAUSE_COPY;
    if (has(test, is_mbarrier))
        return CAUSE_MBARRIER;
    if (has_unset(test))
        return CAUSE_CONTENTS;
    if (test->host)
        return CAUSE_HOST;
    if (has(test, is_waiting_store))
        return CAUSE_STORE;
    if (has_narrow_atomic(test))
        return CAUSE_NARROW;
    return has(test, is_waiting_access) ? CAUSE_WAITS : CAUSE_UNKNOWN;
}
