/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

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

/* Adds what the body calls, and what that calls, before it: depth first. */
static void add_called(struct decoder *d, const struct body *body, bool *seen)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        if (body->insts[i].op != OP_CALL)
            continue;
        uint32_t index = body->insts[i].operands[1].target;
        if (seen[index])
            continue;
        seen[index] = true;
        add_called(d, &d->test->bodies[index], seen);
        struct function *function = ARENA_NEW(d->arena, struct function);
        function->body = &d->test->bodies[index];
        function->body_index = index;
        vec_push(d->arena, &d->functions, function);
    }
}

/* Can a call of 'from' lead to one of 'to'? */
static bool reaches(const struct decoder *d, const struct body *from, uint32_t to, bool *seen)
{
    for (uint32_t i = 0; i < from->inst_count; i++) {
        if (from->insts[i].op != OP_CALL)
            continue;
        uint32_t index = from->insts[i].operands[1].target;
        if (index == to)
            return true;
        if (seen[index])
            continue;
        seen[index] = true;
        if (reaches(d, &d->test->bodies[index], to, seen))
            return true;
    }
    return false;
}

static uint32_t location_bytes(const struct location *location)
{
    return round_up(location->element_bytes * location->elements);
}

static void place_variables(struct decoder *d, struct function *function)
{
    bool *seen = ARENA_ARRAY(d->arena, bool, d->test->body_count);
    function->local_at = round_up(function->body->frame_bytes);
    function->saved_at = function->local_at;
    for (uint32_t i = 0; i < d->test->location_count; i++)
        if (d->test->locations[i].space == SPACE_LOCAL &&
            d->test->locations[i].kernel == function->body_index)
            function->saved_at += location_bytes(&d->test->locations[i]);
    function->frame_bytes = function->saved_at;
    function->saves = reaches(d, function->body, function->body_index, seen);
}

void decode_functions(struct decoder *d)
{
    bool *seen = ARENA_ARRAY(d->arena, bool, d->test->body_count);
    uint32_t insts = d->kernel->body->inst_count + 1;
    add_called(d, d->kernel->body, seen);
    for (uint32_t i = 0; i < d->functions.len; i++) {
        place_variables(d, d->functions.at[i]);
        d->functions.at[i]->first_inst = insts;
        insts += d->functions.at[i]->body->inst_count + 1;
    }
    d->program->inst_micro = ARENA_ARRAY(d->arena, uint32_t, insts);
}

/* The deepest nest of frames above the function's own, when nothing is recursive. */
static uint64_t deepest(const struct decoder *d, const struct body *body, const uint64_t *nested)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t f = 0; body->insts[i].op == OP_CALL && f < d->functions.len; f++)
            if (d->functions.at[f]->body_index == body->insts[i].operands[1].target &&
                nested[f] > most)
                most = nested[f];
    return most;
}

uint32_t decode_stack_bytes(struct decoder *d)
{
    enum { MOST_BYTES = 1 << 24 };
    uint64_t *nested = ARENA_ARRAY(d->arena, uint64_t, d->functions.len), recursive = 0;
    for (uint32_t i = 0; i < d->functions.len; i++) {
        struct function *function = d->functions.at[i];
        uint32_t slots = function->end_slot - function->first_slot;
        if (function->saves)
            function->frame_bytes = round_up(function->saved_at + slots * SAVED_REGISTER);
        nested[i] = function->frame_bytes + deepest(d, function->body, nested);
        if (function->saves && (uint64_t)function->frame_bytes * MOST_CALLS > recursive)
            recursive = (uint64_t)function->frame_bytes * MOST_CALLS;
    }
    uint64_t bytes = recursive + deepest(d, d->kernel->body, nested);
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
    const struct test *test = d->test;
    if (d->function == d->kernel || location == NONE ||
        test->locations[location].space != SPACE_LOCAL ||
        test->locations[location].kernel != d->function->body_index)
        return false;
    *offset = d->function->local_at;
    for (uint32_t i = 0; i < location; i++)
        if (test->locations[i].space == SPACE_LOCAL &&
            test->locations[i].kernel == d->function->body_index)
            *offset += location_bytes(&test->locations[i]);
    return true;
}

void decode_call(struct decoder *d)
{
    struct call *call = ARENA_NEW(d->arena, struct call);
    *call = (struct call){find(d, d->inst->operands[1].target), d->function};
    struct micro micro = decode_micro(d, MICRO_CALL);
    micro.call = call;
    micro.src[micro.src_count++] = decode_frame(d);
    decode_push(d, &micro);
}

void decode_return(struct decoder *d)
{
    struct call *call = ARENA_NEW(d->arena, struct call);
    bool of_kernel = d->function == d->kernel;
    call->callee = d->function;
    decode_emit(d, of_kernel ? MICRO_EXIT : MICRO_RETURN)->call = of_kernel ? NULL : call;
}
