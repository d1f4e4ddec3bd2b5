/* SPDX-License-Identifier: MIT */
#include "model/machine/program.h"

#include "model/machine/decode.h"

static void place_registers(struct decoder *d)
{
    struct program *program = d->program;
    const struct body *body = program->body;
    program->reg_slot = ARENA_ARRAY(d->arena, slot, body->reg_count);
    for (uint32_t i = 0; i < body->reg_count; i++) {
        program->reg_slot[i] = program->reg_slots++;
        if (body->regs[i].type == TYPE_B128)
            program->reg_slots++;
    }
}

static void decode_instruction(struct decoder *d)
{
    bool known =
        decode_arithmetic(d) || decode_memory(d) || decode_synchronization(d) || decode_control(d);
    if (!known)
        decode_error(d, d->inst->span, "'%s' is not known to the executor",
                     op_mnemonic(d->inst->op));
}

/* The register slots are counted now: fixed slots come after them. */
static slot settle_slot(const struct decoder *d, slot at)
{
    return at != SLOT_NONE && at & SLOT_FIXED ? d->program->reg_slots + (at & ~SLOT_FIXED) : at;
}

static uint32_t settle_target(const struct program *program, uint32_t inst)
{
    uint32_t end = program->body->inst_count;
    return program->inst_micro[inst < end ? inst : end];
}

static void settle_micro(struct decoder *d, struct micro *micro, uint32_t index)
{
    struct program *program = d->program;
    for (uint32_t i = 0; i < MICRO_SLOTS; i++) {
        micro->dst[i] = settle_slot(d, micro->dst[i]);
        micro->src[i] = settle_slot(d, micro->src[i]);
    }
    micro->guard = settle_slot(d, micro->guard);
    micro->base = settle_slot(d, micro->base);
    micro->base2 = settle_slot(d, micro->base2);
    if (micro->kind == MICRO_BRANCH)
        micro->target = settle_target(program, micro->target);
    uint32_t *targets = ARENA_ARRAY(d->arena, uint32_t, micro->target_count);
    bool back = micro->kind == MICRO_BRANCH && micro->target <= index;
    for (uint32_t i = 0; i < micro->target_count; i++) {
        targets[i] = settle_target(program, micro->targets[i]);
        back = back || targets[i] <= index;
    }
    micro->targets = targets;
    if (back)
        micro->flags |= MICRO_BACK_EDGE;
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
    program_postdominators(d->arena, program);
    program_taint(d->arena, program);
}

/* Bytes of the .local variables, which lie one after the other. */
static uint32_t local_bytes(const struct test *test)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].space == SPACE_LOCAL)
            bytes +=
                ((uint64_t)test->locations[i].element_bytes * test->locations[i].elements + 15) &
                ~UINT64_C(15);
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

struct program *program_decode(struct arena *arena, const struct test *test,
                               const struct body *body, const struct program_args *args,
                               struct diag_list *diags)
{
    struct program *program = ARENA_NEW(arena, struct program);
    struct decoder d = {
        .arena = arena, .test = test, .args = args, .diags = diags, .program = program};
    uint32_t errors = diags->errors;
    program->body = body;
    program->local_bytes = local_bytes(test);
    program->inst_micro = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1);
    place_registers(&d);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        d.inst = &body->insts[i];
        d.inst_index = i;
        program->inst_micro[i] = d.micros.len;
        decode_instruction(&d);
    }
    d.inst = NULL;
    d.inst_index = body->inst_count;
    program->inst_micro[body->inst_count] = d.micros.len;
    decode_emit(&d, MICRO_EXIT);
    if (diags->errors > errors)
        return NULL;
    finish(&d);
    return program;
}
