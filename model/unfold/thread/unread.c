/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/unread.h"

#include "model/unfold/thread/liveness.h"

static bool is_address(const struct operand *operand)
{
    return operand->kind == OPERAND_MEMORY || operand->kind == OPERAND_SYMBOL;
}

static bool names(const struct inst *inst, uint32_t location)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (is_address(&inst->operands[i]) && inst->operands[i].location == location)
            return true;
    return false;
}

/* Does an access go where a register says? */
static bool goes_anywhere(const struct test *test)
{
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t k = 0; k < test->bodies[i].inst_count; k++) {
            const struct operand *to = inst_operand(&test->bodies[i].insts[k], OPERAND_MEMORY);
            if (to && to->reg != NONE)
                return true;
        }
    return false;
}

/* A body of one thread, the only one that there is of it. */
static bool runs_alone(const struct test *test, const struct body *body)
{
    uint32_t columns = 0;
    for (uint32_t i = 0; i < test->column_count; i++)
        columns += &test->bodies[test->columns[i].body] == body;
    return columns == 1 && !test->host && !test->launch_count;
}

static bool is_asked_for(const struct test *test, uint32_t location)
{
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (test->observed[i].kind == TERM_LOCATION && test->observed[i].location == location)
            return true;
    return false;
}

static bool has_alias(const struct test *test, uint32_t location)
{
    bool has = test->locations[location].alias_of != NONE;
    for (uint32_t i = 0; i < test->location_count; i++)
        has |= test->locations[i].alias_of == location;
    return has;
}

/* Registers that some instruction of the body reads, or the test at the end; a bit each. */
static uint64_t *registers_read(const struct unfold_run *run)
{
    const struct test *test = run->b->test;
    const struct body *body = run->body;
    uint64_t *bits = ARENA_ARRAY(run->b->arena, uint64_t, body->reg_count / 64 + 1);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        liveness_reads(&body->insts[pc], bits);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        uint32_t reg = test->observed[i].reg;
        if (test->observed[i].kind == TERM_REG && reg < body->reg_count)
            bits[reg / 64] |= UINT64_C(1) << (reg % 64);
    }
    return bits;
}

static bool only_writes(const struct inst *inst, const uint64_t *read)
{
    const struct operand *to = inst_operand(inst, OPERAND_MEMORY);
    bool fits = to && inst->proxy == PROXY_GENERIC &&
                (inst->op == OP_ST || inst->op == OP_ATOM || inst->op == OP_RED);
    for (unsigned i = 0; fits && i < op_writes(inst->op) && i < inst->operand_count; i++)
        fits = !liveness_touches(&inst->operands[i], read);
    for (unsigned i = 0, addresses = 0; fits && i < inst->operand_count; i++)
        fits = !is_address(&inst->operands[i]) || !addresses++;
    return fits;
}

/* No instruction asks what is in the location, and no other body names it. */
static bool is_unread(const struct unfold_run *run, uint32_t location, const uint64_t *read)
{
    const struct test *test = run->b->test;
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t pc = 0; pc < test->bodies[i].inst_count; pc++) {
            const struct inst *inst = &test->bodies[i].insts[pc];
            if (names(inst, location) &&
                (&test->bodies[i] != run->body || !only_writes(inst, read)))
                return false;
        }
    return !has_alias(test, location);
}

bool *unread_writes(const struct unfold_run *run, bool ends)
{
    const struct test *test = run->b->test;
    const struct body *body = run->body;
    bool *unread = ARENA_ARRAY(run->b->arena, bool, body->inst_count + 1);
    if (!runs_alone(test, body) || goes_anywhere(test))
        return unread;
    const uint64_t *read = registers_read(run);
    for (uint32_t pc = 0; pc < body->inst_count; pc++) {
        const struct operand *to = inst_operand(&body->insts[pc], OPERAND_MEMORY);
        unread[pc] = to && to->location < test->location_count &&
                     (ends || !is_asked_for(test, to->location)) &&
                     is_unread(run, to->location, read);
    }
    return unread;
}
