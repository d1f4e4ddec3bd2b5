/* SPDX-License-Identifier: MIT */
#include "model/machine/step/call.h"

#include <string.h>

#include "model/machine/core/run.h"

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
        lane_write(run, lane, s, 0, false);
}

static void save_registers(struct run *run, uint32_t lane, const struct function *function,
                           uint8_t *to)
{
    for (slot s = function->first_slot; s < function->end_slot; s++, to += SAVED_REGISTER) {
        uint64_t value = lane_value(run, lane, s);
        memcpy(to, &value, sizeof value);
        to[SAVED_REGISTER - 1] = lane_poisoned(run->machine, run->state, lane, s);
    }
}

static void restore_registers(struct run *run, uint32_t lane, const struct function *function,
                              const uint8_t *from)
{
    for (slot s = function->first_slot; s < function->end_slot; s++, from += SAVED_REGISTER) {
        uint64_t value;
        memcpy(&value, from, sizeof value);
        lane_write(run, lane, s, value, from[SAVED_REGISTER - 1]);
    }
}

/* ---- parameters ---------------------------------------------------------------------------- */

static void pass(uint8_t *caller, const struct call *call, uint8_t *callee, const struct inst *inst)
{
    const struct body *to = call->callee->body;
    const struct operand *list = &inst->operands[2];
    for (uint32_t i = 0; i < to->formal_count; i++) {
        const struct param *formal = &to->frame[to->return_count + i];
        memcpy(callee + formal->offset,
               caller + call->caller->body->frame[list->parts[i].param].offset, formal->bytes);
    }
}

static void take_back(uint8_t *caller, const struct call *call, const uint8_t *callee,
                      const struct inst *inst)
{
    const struct body *from = call->callee->body;
    const struct operand *list = &inst->operands[0];
    for (uint32_t i = 0; i < from->return_count; i++)
        memcpy(caller + call->caller->body->frame[list->parts[i].param].offset,
               callee + from->frame[i].offset, from->frame[i].bytes);
}

/* ---- calls --------------------------------------------------------------------------------- */

void call_enter(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct call *call = micro->call;
    const struct function *callee = call->callee;
    const struct program *program = run->machine->programs[run->machine->lanes[lane].program];
    struct lane *self = state_lane(run->machine, run->state, lane);
    uint64_t caller = lane_value(run, lane, micro->src[0]),
             frame = caller + call->caller->frame_bytes;
    if (frame + callee->frame_bytes > LOCAL_FIRST + program->local_bytes) {
        run_report(run, lane, REPORT_CALL_TOO_DEEP, "'%s' is called again while %u calls run",
                   callee->body->name, MOST_CALLS);
        return;
    }
    uint8_t *bytes = local_at(run, lane, frame);
    if (callee->saves)
        save_registers(run, lane, callee, bytes + callee->saved_at);
    pass(local_at(run, lane, caller), call, bytes, micro->inst);
    clear_registers(run, lane, callee);
    lane_write(run, lane, callee->frame, frame, false);
    lane_write(run, lane, callee->back, self->pc + 1, false);
    self->pc = callee->entry;
}

void call_leave(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct function *callee = micro->call->callee;
    const struct program *program = run->machine->programs[run->machine->lanes[lane].program];
    uint64_t frame = lane_value(run, lane, callee->frame);
    uint32_t back = (uint32_t)lane_value(run, lane, callee->back);
    const struct micro *place = &program->micros[back - 1];
    uint8_t *bytes = local_at(run, lane, frame);
    take_back(bytes - place->call->caller->frame_bytes, place->call, bytes, place->inst);
    if (callee->saves)
        restore_registers(run, lane, callee, bytes + callee->saved_at);
    else
        clear_registers(run, lane, callee);
    memset(bytes, 0, callee->frame_bytes); /* what is left behind tells no states apart */
    state_lane(run->machine, run->state, lane)->pc = back;
}
