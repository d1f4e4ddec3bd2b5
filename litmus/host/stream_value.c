/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Calls by which a stream waits for a value in memory, or writes one (CUDA driver API, stream memory operations): tasks
 * with code of their own, one strong read until it satisfies the condition, or one strong write. So are conditional nodes
 * of graphs, which read their handle, and the default that each launch gives to a handle (CUDA programming guide,
 * conditional graph nodes). */

static bool waits_on(const struct host_call *call)
{
    return strncmp(call->row->name, "cuStreamWait", 12) == 0;
}

static bool is_wide(const struct host_call *call)
{
    return call->row->subject != HOST_SUBJECT_FUNCTION || strstr(call->row->name, "64");
}

static enum type value_type(const struct host_call *call)
{
    return is_wide(call) ? TYPE_U64 : TYPE_U32;
}

/* What is compared with a number, and how: while that is so, the stream waits. */
static bool compared(struct eval *e, const struct host_call *call, struct code_value *found,
                     enum cmp *cmp, uint64_t *number)
{
    struct span span = parse_body(e->p)->span;
    bool wide = is_wide(call);
    struct code_value value = eval_number(call->value, value_type(call));
    struct code_value all = eval_number(wide ? UINT64_MAX : UINT32_MAX, TYPE_U64);
    struct code_value sign = eval_number(wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31, TYPE_U64);
    *number = 0;
    switch (call->constant) {
    case HOST_WAIT_EQUAL:
        *cmp = CMP_NE;
        *number = call->value;
        return true;
    case HOST_WAIT_AND:
        *cmp = CMP_EQ;
        return eval_binary(e, CPP_MARK_AND, found, &value, span);
    case HOST_WAIT_NOR: /* all bits are set in one of them */
        *cmp = CMP_EQ;
        *number = all.number;
        return eval_binary(e, CPP_MARK_OR, found, &value, span) &&
               eval_binary(e, CPP_MARK_AND, found, &all, span);
    default: /* the difference is negative */
        *cmp = CMP_NE;
        return eval_binary(e, CPP_MARK_SUB, found, &value, span) &&
               eval_binary(e, CPP_MARK_AND, found, &sign, span);
    }
}

static bool wait_code(struct eval *e, const struct host_call *call, const struct lvalue *place)
{
    struct span span = parse_body(e->p)->span;
    struct code_value found;
    uint64_t number;
    enum cmp cmp;
    uint32_t head = eval_new_aim(e);
    eval_place(e, head);
    if (!eval_atomic_read(e, place, SEM_ACQUIRE, span, &found) ||
        !compared(e, call, &found, &cmp, &number))
        return false;
    struct raw_operand with = eval_number_operand(number, span);
    eval_jump_if(e, cmp, &found.operand, &with, head, span);
    return true;
}

/* A conditional node reads its handle: once, or (repeats) until it is 0. */
static bool condition_code(struct eval *e, const struct lvalue *place, bool repeats)
{
    struct span span = parse_body(e->p)->span;
    struct raw_operand zero = eval_number_operand(0, span);
    struct code_value found;
    uint32_t head = eval_new_aim(e);
    eval_place(e, head);
    if (!eval_atomic_read(e, place, SEM_RELAXED, span, &found))
        return false;
    if (repeats)
        eval_jump_if(e, CMP_NE, &found.operand, &zero, head, span);
    return true;
}

static bool default_code(struct eval *e, const struct host_call *call, const struct lvalue *place)
{
    bool is_given = call->constant == HOST_CONDITION_DEFAULT;
    struct code_value value =
        eval_number(is_given ? call->value & UINT32_MAX : HOST_HANDLE_UNSET, TYPE_U64);
    return eval_atomic_write(e, place, &value, SEM_RELAXED, parse_body(e->p)->span);
}

bool eval_stream_value_code(struct eval *e, const struct host_call *call)
{
    struct lvalue place = {.location = call->to.location};
    struct code_value value = eval_number(call->value, value_type(call));
    bool released = call->constant != HOST_WRITE_NO_BARRIER;
    place.offset = call->to.element * eval_unit(e, call->to.location);
    if (call->row->subject == HOST_SUBJECT_HANDLE)
        return default_code(e, call, &place);
    if (call->row->subject == HOST_SUBJECT_CONDITION)
        return condition_code(e, &place, call->function != NONE);
    if (waits_on(call))
        return wait_code(e, call, &place);
    return eval_atomic_write(e, &place, &value, released ? SEM_RELEASE : SEM_RELAXED,
                             parse_body(e->p)->span);
}

bool eval_stream_value(struct eval *e, struct span span, struct host_call *call)
{
    enum host_subject subject = call->row->subject;
    struct code_function code = {.name = subject == HOST_SUBJECT_CONDITION ? "condition"
                                         : subject == HOST_SUBJECT_HANDLE  ? "default"
                                                                           : call->row->name,
                                 .host = NONE,
                                 .span = span};
    uint64_t bytes = is_wide(call) ? 8 : 4;
    uint32_t once;
    if (eval_unit(e, call->to.location) != bytes) {
        eval_error(e, host_argument, span, "declare the memory with elements of that size",
                   "'%s' takes memory of %u bytes", call->row->name, (unsigned)bytes);
        return false;
    }
    code.visible = e->scope.len;
    code.of_stream = call;
    struct thread_code task = {&code, code.name, true, NULL, 0, NONE, NONE, NULL};
    if (!eval_thread_body(e, &task, &once))
        return false;
    call->function = once;
    return call->constant != HOST_CONDITION_WHILE || eval_thread_body(e, &task, &call->waits);
}
