/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/mutex.h"

#include "litmus/test/host.h"
#include "model/value/refute.h"

static bool is_number(const struct operand *operand, uint64_t number)
{
    return operand->kind == OPERAND_IMM && operand->value == number;
}

static bool locks(const struct inst *inst)
{
    return inst->op == OP_ATOM && inst->atom_op == ATOM_EXCH && inst->sem == SEM_ACQUIRE &&
           is_number(&inst->operands[2], 1);
}

static bool unlocks(const struct inst *inst)
{
    return inst->op == OP_ST && inst->sem == SEM_RELEASE && is_number(&inst->operands[1], 0);
}

static bool names(const struct inst *inst, uint32_t location)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *operand = &inst->operands[i];
        bool address = operand->kind == OPERAND_MEMORY || operand->kind == OPERAND_SYMBOL;
        if (address && operand->location == location)
            return true;
    }
    return false;
}

/* Does other code get its address? */
static bool is_given_away(const struct test *test, uint32_t location)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        for (uint32_t k = 0; k < test->launches[i].arg_count; k++)
            if (test->launches[i].args[k].location == location)
                return true;
    for (uint32_t i = 0; i < test->host->call_count; i++)
        if (test->host->calls[i].to.location == location ||
            test->host->calls[i].from.location == location)
            return true;
    return false;
}

static bool is_mutex(const struct test *test, uint32_t location)
{
    if (!test->host || location >= test->location_count || is_given_away(test, location))
        return false;
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t k = 0; k < test->bodies[i].inst_count; k++) {
            const struct inst *inst = &test->bodies[i].insts[k];
            if (names(inst, location) && !locks(inst) && !unlocks(inst))
                return false;
        }
    return true;
}

/* The mutex that the event locks or unlocks; NONE: it does neither. */
static uint32_t mutex_of(const struct builder *b, const struct event *event)
{
    if (event->kind != EVENT_WRITE || !event->inst)
        return NONE;
    const struct inst *inst = event->inst;
    const struct operand *memory = inst_operand(inst, OPERAND_MEMORY);
    bool fits = memory && (locks(inst) || unlocks(inst));
    return fits && is_mutex(b->test, memory->location) ? memory->location : NONE;
}

bool mutex_is_lock(const struct builder *b, const struct event *event, bool either)
{
    return mutex_of(b, event) != NONE && (either || event->rmw != NONE);
}

/* From there on. */
static bool is_balanced(const struct builder *b, const struct iteration *i, event_id from)
{
    uint32_t mutex = mutex_of(b, &b->events.at[from]), count = 0;
    bool locked = false;
    for (event_id e = from; e < i->end; e++) {
        const struct event *event = &b->events.at[e];
        if (mutex_of(b, event) != mutex)
            continue;
        bool is_lock = event->rmw != NONE;
        expr_id left_out = expr_and(b->exprs, i->after->guard, expr_not(b->exprs, event->guard));
        if ((count++ && is_lock == locked) || !expr_refuted(b->exprs, left_out))
            return false;
        locked = is_lock;
    }
    return count % 2 == 0;
}

bool mutex_is_harmless(const struct builder *b, const struct iteration *i, event_id event)
{
    uint32_t mutex = mutex_of(b, &b->events.at[event]);
    for (event_id e = i->first; mutex != NONE && e <= event; e++)
        if (mutex_of(b, &b->events.at[e]) == mutex)
            return is_balanced(b, i, e);
    return false;
}
