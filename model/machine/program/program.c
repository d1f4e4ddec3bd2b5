/* SPDX-License-Identifier: MIT */

#include "model/machine/program/decode.h"

static slot *place_registers(struct decoder *d, const struct body *body)
{
    slot *slots = ARENA_ARRAY(d->arena, slot, body->reg_count);
    for (uint32_t i = 0; i < body->reg_count; i++) {
        slots[i] = d->program->reg_slots++;
        if (body->regs[i].type == TYPE_B128)
            d->program->reg_slots++;
    }
    return slots;
}

static void (*const decoders[GROUP_COUNT])(struct decoder *) = {
    [GROUP_ARITHMETIC] = decode_plain,
    [GROUP_CARRY] = decode_carry,
    [GROUP_LOGIC] = decode_plain,
    [GROUP_COMPARISON] = decode_comparison,
    [GROUP_MOVE] = decode_move,
    [GROUP_ADDRESS] = decode_space,
    [GROUP_CONTROL] = decode_control,
    [GROUP_PAUSE] = decode_pause,
    [GROUP_ACCESS] = decode_signature,
    [GROUP_FENCE] = decode_fence,
    [GROUP_CTA_BARRIER] = decode_cta_barrier,
    [GROUP_CLUSTER_BARRIER] = decode_signature,
    [GROUP_MBARRIER] = decode_signature,
    [GROUP_TEXTURE] = decode_texture,
    [GROUP_COPY] = decode_signature,
    [GROUP_MULTIMEM] = decode_signature,
    [GROUP_COLLECTIVE] = decode_signature,
    [GROUP_MATRIX] = decode_matrix,
    [GROUP_GRID] = decode_grid,
    [GROUP_HOST] = decode_signature,
};

/* The register slots are counted now: fixed slots come after them. */
static slot settle_slot(const struct decoder *d, slot at)
{
    return at != SLOT_NONE && at & SLOT_FIXED ? d->program->reg_slots + (at & ~SLOT_FIXED) : at;
}

static void settle_micro(struct decoder *d, struct micro *micro, uint32_t index)
{
    struct program *program = d->program;
    for (uint32_t i = 0; i < MICRO_SLOTS; i++) {
        micro->dst[i] = settle_slot(d, micro->dst[i]);
        micro->src[i] = settle_slot(d, micro->src[i]);
    }
    for (uint32_t i = 0; micro->matrix && i < MATRIX_OPERANDS; i++)
        for (uint32_t k = 0; k < MATRIX_SLOTS; k++)
            micro->matrix->slots[i][k] = settle_slot(d, micro->matrix->slots[i][k]);
    micro->guard = settle_slot(d, micro->guard);
    micro->base = settle_slot(d, micro->base);
    micro->base2 = settle_slot(d, micro->base2);
    if (micro->kind == MICRO_BRANCH)
        micro->target = program->inst_micro[micro->target];
    uint32_t *targets = ARENA_ARRAY(d->arena, uint32_t, micro->target_count);
    bool back = micro->kind == MICRO_BRANCH && micro->target <= index;
    for (uint32_t i = 0; i < micro->target_count; i++) {
        targets[i] = program->inst_micro[micro->targets[i]];
        back = back || targets[i] <= index;
    }
    micro->targets = targets;
    if (back)
        micro->flags |= MICRO_BACK_EDGE;
}

/* Copies in a loop may be any number: there is room for some more than are written. */
static void count_uses(struct program *program)
{
    enum { IN_LOOPS = 24, MOST_CTAS = 16 /* that one goes to */ };
    bool again = false;
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        again |= micro->flags & MICRO_BACK_EDGE || micro->kind == MICRO_CALL;
        bool several = micro->kind == MICRO_COPY && op_accepts(micro->inst->op, 'U') &&
                       micro->inst->operand_count == 5;
        program->copies += several ? MOST_CTAS : micro->kind == MICRO_COPY;
        program->cancels |= micro->kind == MICRO_CANCEL;
        program->uses_cta_barrier |= micro->kind == MICRO_BARRIER;
        program->meets |= micro->kind == MICRO_COLLECTIVE ||
                          (micro->kind == MICRO_BARRIER && micro->src[1] == SLOT_NONE);
        program->uses_cluster_barrier |=
            micro->kind == MICRO_CLUSTER_ARRIVE || micro->kind == MICRO_CLUSTER_WAIT;
    }
    if (again && program->copies)
        program->copies += IN_LOOPS;
}

static void finish(struct decoder *d)
{
    struct program *program = d->program;
    program->micros = d->micros.at;
    program->micro_count = d->micros.len;
    program->fixed = d->fixed.at;
    program->slot_count = program->reg_slots + d->fixed.len;
    for (uint32_t i = 0; i < program->micro_count; i++) {
        struct micro *micro = &program->micros[i];
        settle_micro(d, micro, i);
        if (i + 1 == program->micro_count || micro[1].inst_index != micro->inst_index)
            micro->flags |= MICRO_LAST;
    }
    count_uses(program);
    program_postdominators(d->arena, program);
    program_taint(d->arena, program);
}

uint64_t program_local_offset(const struct test *test, uint32_t location)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < location; i++) {
        const struct location *l = &test->locations[i];
        bool of_function = l->kernel != NONE && test->bodies[l->kernel].function;
        if (l->space == SPACE_LOCAL && !of_function)
            bytes += ((uint64_t)l->element_bytes * l->elements + 15) & ~UINT64_C(15);
    }
    return bytes;
}

/* A function's instructions, and a return where they end. */
static void decode_body(struct decoder *d, struct function *function)
{
    const struct body *body = function->body;
    d->function = function;
    function->entry = d->micros.len;
    for (uint32_t i = 0; i <= body->inst_count; i++) {
        d->inst = i < body->inst_count ? &body->insts[i] : NULL;
        d->inst_index = function->first_inst + i;
        d->program->inst_micro[d->inst_index] = d->micros.len;
        if (d->inst)
            decoders[op_group(d->inst->op)](d);
        else
            decode_return(d);
    }
}

static void decode_called(struct decoder *d)
{
    for (uint32_t i = 0; i < d->functions.len; i++) {
        struct function *function = d->functions.at[i];
        function->first_slot = d->program->reg_slots;
        d->reg_slot = place_registers(d, function->body);
        function->frame = decode_temporary(d);
        function->back = decode_temporary(d);
        decode_body(d, function);
        function->end_slot = d->program->reg_slots;
    }
}

/* The kernel's registers come first; its code last. */
static void decode_all(struct decoder *d)
{
    struct program *program = d->program;
    d->kernel = ARENA_NEW(d->arena, struct function);
    d->kernel->body = program->body;
    d->kernel->frame_bytes = (program->body->frame_bytes + 15) & ~15u;
    uint64_t variables = program_local_offset(d->test, d->test->location_count);
    d->kernel_frame = variables > UINT32_MAX ? UINT32_MAX : (uint32_t)variables;
    decode_functions(d);
    program->reg_slot = place_registers(d, program->body);
    decode_stack_start(d);
    decode_called(d);
    d->reg_slot = program->reg_slot;
    decode_body(d, d->kernel);
    program->entry = d->kernel->entry;
    program->local_bytes = d->kernel_frame + d->kernel->frame_bytes + decode_stack_bytes(d);
    decode_stack_end(d);
}

struct program *program_decode(struct arena *arena, const struct test *test,
                               const struct body *body, const struct program_args *args,
                               struct diag_list *diags)
{
    struct program *program = ARENA_NEW(arena, struct program);
    struct decoder d = {.arena = arena,
                        .test = test,
                        .args = args,
                        .diags = diags,
                        .program = program,
                        .carry = SLOT_NONE};
    uint32_t errors = diags->errors;
    program->body = body;
    decode_all(&d);
    if (diags->errors > errors)
        return NULL;
    finish(&d);
    return program;
}
