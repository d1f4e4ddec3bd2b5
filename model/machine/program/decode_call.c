/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

#include <glib.h>
#include <string.h>

/* Functions: which of them a kernel can reach, how they nest, where their frames lie. */

static uint32_t round_up(uint32_t bytes)
{
    return (bytes + 15) & ~15u;
}

static struct function *find(const struct decoder *d, uint32_t body)
{
    for (uint32_t i = 0; i < d->functions.len; i++)
        if (d->functions.at[i]->body_index == body)
            return d->functions.at[i];
    return NULL;
}

static bool may_call(const struct decoder *d, const struct body *caller, const struct inst *inst,
                     uint32_t body)
{
    if (inst->op != OP_CALL)
        return false;
    return inst->operands[1].kind == OPERAND_REG
               ? test_may_enter(caller, inst, &d->test->bodies[body])
               : inst->operands[1].target == body;
}

/* Marks the bodies that calls in 'body' can lead to; 'adds' them to the functions, each behind
 * those that it calls. */
static void reach(struct decoder *d, const struct body *body, bool *seen, bool adds)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t index = 0; index < d->test->body_count; index++) {
            if (seen[index] || !may_call(d, body, &body->insts[i], index))
                continue;
            seen[index] = true;
            reach(d, &d->test->bodies[index], seen, adds);
            if (!adds)
                continue;
            struct function *function = ARENA_NEW(d->arena, struct function);
            function->body = &d->test->bodies[index];
            function->body_index = index;
            vec_push(d->arena, &d->functions, function);
        }
}

static bool is_local_of(const struct test *test, const struct function *function, uint32_t location)
{
    return test->locations[location].space == SPACE_LOCAL &&
           test->locations[location].kernel == function->body_index;
}

/* Where the function's .local variable 'location' lies in its frame, or, for a number past the
 * last, where all of them end. */
static uint32_t variable_at(const struct test *test, const struct function *function,
                            uint32_t location)
{
    uint32_t at = round_up(function->body->frame_bytes);
    for (uint32_t i = 0; i < location; i++)
        if (is_local_of(test, function, i))
            at += round_up(test->locations[i].element_bytes * test->locations[i].elements);
    return at;
}

static void place_variables(struct decoder *d, struct function *function)
{
    bool *seen = ARENA_ARRAY(d->arena, bool, d->test->body_count);
    function->saved_at = variable_at(d->test, function, d->test->location_count);
    function->frame_bytes = function->saved_at;
    reach(d, function->body, seen, false);
    function->saves = seen[function->body_index];
}

void decode_functions(struct decoder *d)
{
    bool *seen = ARENA_ARRAY(d->arena, bool, d->test->body_count);
    uint32_t insts = d->kernel->body->inst_count + 1;
    reach(d, d->kernel->body, seen, true);
    for (uint32_t i = 0; i < d->functions.len; i++) {
        place_variables(d, d->functions.at[i]);
        d->functions.at[i]->first_inst = insts;
        insts += d->functions.at[i]->body->inst_count + 1;
    }
    d->program->inst_micro = ARENA_ARRAY(d->arena, uint32_t, insts);
}

/* The deepest nest of frames above the body's own, when nothing is recursive. */
static uint64_t deepest(const struct decoder *d, const struct body *body)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t k = 0; body->insts[i].op == OP_CALL && k < d->functions.len; k++)
            if (may_call(d, body, &body->insts[i], d->functions.at[k]->body_index))
                most = MAX(most, d->functions.at[k]->nested_bytes);
    return most;
}

uint32_t decode_stack_bytes(struct decoder *d)
{
    enum { MOST_BYTES = 1 << 24 };
    uint64_t recursive = 0;
    for (uint32_t i = 0; i < d->functions.len; i++) {
        struct function *function = d->functions.at[i];
        uint32_t slots = function->end_slot - function->first_slot;
        if (function->saves)
            function->frame_bytes = round_up(function->saved_at + slots * SAVED_REGISTER);
        function->nested_bytes = function->frame_bytes + deepest(d, function->body);
        if (function->saves)
            recursive = MAX(recursive, (uint64_t)function->frame_bytes * MOST_CALLS);
    }
    uint64_t bytes = recursive + deepest(d, d->kernel->body);
    if (bytes > MOST_BYTES || d->functions.len > MOST_CALLS)
        decode_error(d, d->kernel->body->span,
                     "%u functions with frames of %llu bytes are too many for the executor",
                     d->functions.len, (unsigned long long)bytes);
    return (uint32_t)(bytes > MOST_BYTES ? 0 : bytes);
}

slot decode_frame(struct decoder *d)
{
    return d->function == d->kernel ? decode_value(d, LOCAL_FIRST + d->kernel_frame)
                                    : d->function->frame;
}

bool decode_frame_local(const struct decoder *d, uint32_t location, uint32_t *offset)
{
    if (d->function == d->kernel || location == NONE ||
        !is_local_of(d->test, d->function, location))
        return false;
    *offset = variable_at(d->test, d->function, location);
    return true;
}

/* Of 'callee', NULL: of the runtime. */
static struct micro *push_call(struct decoder *d, const struct function *callee)
{
    struct call *call = ARENA_NEW(d->arena, struct call);
    struct micro micro = decode_micro(d, callee ? MICRO_CALL : MICRO_SYSTEM);
    *call = (struct call){callee, d->function};
    micro.call = call;
    micro.src[micro.src_count++] = decode_frame(d);
    return decode_push(d, &micro);
}

/* What the functions take of the stack they give back. */
static slot save_stack(struct decoder *d)
{
    slot saved = d->stack == SLOT_NONE ? SLOT_NONE : decode_temporary(d);
    if (saved != SLOT_NONE)
        decode_operation(d, OP_MOV, TYPE_B64, saved, d->stack);
    return saved;
}

/* Through a register: the call of each function that it may enter, where the register has its address. */
static void call_through(struct decoder *d)
{
    const struct inst equals = {.op = OP_SETP, .type = TYPE_U64, .cmp = CMP_EQ};
    slot address = decode_source(d, &d->inst->operands[1]), left = decode_temporary(d);
    const struct micro outer = decode_micro(d, MICRO_ALU);
    slot guard = outer.guard == SLOT_NONE ? decode_value(d, 1) : outer.guard;
    decode_operation(d, outer.guard_negated ? OP_NOT : OP_MOV, TYPE_PRED, left, guard)->guard =
        SLOT_NONE;
    for (uint32_t i = 0; i < d->functions.len; i++) {
        const struct function *callee = d->functions.at[i];
        slot here = decode_temporary(d);
        if (!test_may_enter(d->function->body, d->inst, callee->body))
            continue;
        slot at =
            decode_value(d, test_function_address(callee->body->name, strlen(callee->body->name)));
        decode_alu(d, alu_find(&equals), here, address, at)->guard = SLOT_NONE;
        decode_operation(d, OP_AND, TYPE_PRED, here, here, left)->guard = SLOT_NONE;
        decode_operation(d, OP_XOR, TYPE_PRED, left, left, here)->guard = SLOT_NONE;
        struct micro *call = push_call(d, callee);
        call->guard = here;
        call->guard_negated = false;
    }
    struct micro micro = decode_micro(d, MICRO_BAD_CALL);
    micro.guard = left;
    micro.guard_negated = false;
    micro.src[micro.src_count++] = address;
    decode_push(d, &micro);
}

void decode_call(struct decoder *d)
{
    const struct operand *to = &d->inst->operands[1];
    slot saved = save_stack(d);
    if (to->kind == OPERAND_REG)
        call_through(d);
    else
        push_call(d, to->target == NONE ? NULL : find(d, to->target));
    if (saved != SLOT_NONE)
        decode_operation(d, OP_MOV, TYPE_B64, d->stack, saved);
}

void decode_return(struct decoder *d)
{
    struct call *call = ARENA_NEW(d->arena, struct call);
    bool of_kernel = d->function == d->kernel;
    call->callee = d->function;
    decode_emit(d, of_kernel ? MICRO_EXIT : MICRO_RETURN)->call = of_kernel ? NULL : call;
}
