/* SPDX-License-Identifier: MIT */
#include "model/machine/step/call.h"

#include <string.h>

/* Host memory of the byte of local memory at 'address', which a frame's place makes valid. */
static uint8_t *local_at(struct run *run, uint32_t lane, uint64_t address)
{
    return state_local(run->machine, run->state, lane) + (address - LOCAL_FIRST);
}

/* ---- registers ----------------------------------------------------------------------------- */

/* Every call starts with registers of its own. */
static void clear_registers(struct run *run, uint32_t lane, const struct function *function)
{
    for (slot s = function->first_slot; s < function->end_slot; s++)
        run_write(run, lane, s, 0, false);
}

static void save_registers(struct run *run, uint32_t lane, const struct function *function,
                           uint8_t *to)
{
    for (slot s = function->first_slot; s < function->end_slot; s++, to += SAVED_REGISTER) {
        uint64_t value = run_value(run, lane, s);
        memcpy(to, &value, sizeof value);
        to[SAVED_REGISTER - 1] = run_poisoned(run, lane, s);
    }
}

static void restore_registers(struct run *run, uint32_t lane, const struct function *function,
                              const uint8_t *from)
{
    for (slot s = function->first_slot; s < function->end_slot; s++, from += SAVED_REGISTER) {
        uint64_t value;
        memcpy(&value, from, sizeof value);
        run_write(run, lane, s, value, from[SAVED_REGISTER - 1]);
    }
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* Copies the parameters into the callee's frame or, 'back', the return values into the caller's. */
static void hand_over(uint8_t *caller, const struct call *call, uint8_t *callee,
                      const struct inst *inst, bool back)
{
    const struct body *to = call->callee->body;
    const struct operand *list = &inst->operands[back ? 0 : 2];
    uint32_t first = back ? 0 : to->return_count;
    for (uint32_t i = 0; i < (back ? to->return_count : to->formal_count); i++) {
        const struct param *formal = &to->frame[first + i];
        uint8_t *there = callee + formal->offset;
        uint8_t *here = caller + call->caller->body->frame[list->parts[i].param].offset;
        memcpy(back ? here : there, back ? there : here, formal->bytes);
    }
}

/* ---- calls --------------------------------------------------------------------------------- */

void call_enter(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct call *call = micro->call;
    const struct function *callee = call->callee;
    const struct program *program = run_program(run, lane);
    struct lane *self = run_lane(run, lane);
    uint64_t caller = run_value(run, lane, micro->src[0]),
             frame = caller + call->caller->frame_bytes;
    if (frame + callee->frame_bytes > LOCAL_FIRST + program->local_bytes) {
        run_report(run, lane, REPORT_CALL_TOO_DEEP, "'%s' is called again while %u calls run",
                   callee->body->name, MOST_CALLS);
        return;
    }
    uint8_t *bytes = local_at(run, lane, frame);
    if (callee->saves)
        save_registers(run, lane, callee, bytes + callee->saved_at);
    hand_over(local_at(run, lane, caller), call, bytes, micro->inst, false);
    clear_registers(run, lane, callee);
    run_write(run, lane, callee->frame, frame, false);
    run_write(run, lane, callee->back, self->pc + 1, false);
    self->pc = callee->entry;
}

void call_leave(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct function *callee = micro->call->callee;
    const struct program *program = run_program(run, lane);
    uint64_t frame = run_value(run, lane, callee->frame);
    uint32_t back = (uint32_t)run_value(run, lane, callee->back);
    const struct micro *place = &program->micros[back - 1];
    uint8_t *bytes = local_at(run, lane, frame);
    hand_over(bytes - place->call->caller->frame_bytes, place->call, bytes, place->inst, true);
    if (callee->saves)
        restore_registers(run, lane, callee, bytes + callee->saved_at);
    else
        clear_registers(run, lane, callee);
    memset(bytes, 0, callee->frame_bytes); /* what is left behind tells no states apart */
    run_lane(run, lane)->pc = back;
}
