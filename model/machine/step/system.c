/* SPDX-License-Identifier: MIT */
#include "model/machine/step/system.h"

#include <string.h>

#include "model/machine/core/place.h"
#include "model/machine/core/region.h"
#include "model/machine/core/taken.h"

/* ---- memory -------------------------------------------------------------------------------- */

static uint8_t *own_memory(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes)
{
    uint64_t most = run_program(run, lane)->local_bytes, offset = address - LOCAL_FIRST;
    bool inside = address >= LOCAL_FIRST && offset < most && bytes <= most - offset;
    return inside ? state_local(run->machine, run->state, lane) + offset : NULL;
}

bool system_read(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes, uint64_t *value)
{
    const uint8_t *own = own_memory(run, lane, address, bytes);
    *value = 0;
    if (own) {
        memcpy(value, own, bytes);
        return true;
    }
    struct memory_access access = {.lane = lane,
                                   .micro = run_micro(run, lane),
                                   .address = address,
                                   .bytes = bytes,
                                   .count = 1,
                                   .reads = true,
                                   .region = region_find(run->machine, address, bytes)};
    if (!access.region || address % bytes || !taken_is(run, access.region, address, bytes))
        return false;
    access.memory = region_memory(access.region, address);
    run->memory->ops->access(run, &access);
    *value = access.value[0];
    return true;
}

const char *system_string(struct run *run, uint32_t lane, uint64_t address)
{
    char *text = arena_alloc(run->reports->arena, 64);
    for (size_t length = 0, room = 64; length < SYSTEM_LONGEST; length++) {
        uint64_t byte;
        if (!system_read(run, lane, address + length, 1, &byte))
            return NULL;
        if (length + 1 == room) {
            text = arena_grow(run->reports->arena, text, room, 2 * room);
            room *= 2;
        }
        text[length] = (char)byte;
        if (!byte)
            return text;
    }
    return text;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Where the variable that a call passes lies. */
static uint64_t passed_at(const struct run *run, uint32_t lane, const struct operand *variable)
{
    const struct micro *micro = run_micro(run, lane);
    return run_value(run, lane, micro->src[0]) +
           micro->call->caller->body->frame[variable->param].offset;
}

static uint64_t argument(struct run *run, uint32_t lane, uint32_t index)
{
    const struct operand *variable = &run_micro(run, lane)->inst->operands[2].parts[index];
    const struct function *caller = run_micro(run, lane)->call->caller;
    uint64_t value;
    system_read(run, lane, passed_at(run, lane, variable),
                caller->body->frame[variable->param].bytes, &value);
    return value;
}

static void give_back(struct run *run, uint32_t lane, uint64_t value)
{
    const struct micro *micro = run_micro(run, lane);
    const struct operand *variable = &micro->inst->operands[0].parts[0];
    uint32_t bytes = system_row((enum system)micro->inst->operands[1].value)->returned;
    memcpy(own_memory(run, lane, passed_at(run, lane, variable), bytes), &value, bytes);
}

static void print(struct run *run, uint32_t lane)
{
    uint64_t format = argument(run, lane, 0);
    const char *text = format ? system_string(run, lane, format) : NULL;
    if (format && !text)
        run_report(run, lane, REPORT_BAD_SYSTEM_CALL, "printf reads its format at address 0x%llx",
                   (unsigned long long)format);
    int32_t count = text ? format_print(run, lane, text, argument(run, lane, 1)) : -1;
    give_back(run, lane, (uint32_t)count);
}

static const char *string_argument(struct run *run, uint32_t lane, uint32_t index)
{
    const char *text = system_string(run, lane, argument(run, lane, index));
    return text ? text : "?";
}

static void fail_assertion(struct run *run, uint32_t lane)
{
    const char *condition = string_argument(run, lane, 0), *file = string_argument(run, lane, 1),
               *function = string_argument(run, lane, 3);
    run_report(run, lane, REPORT_ASSERTION_FAILED, "%s:%u: %s: assertion '%s' fails", file,
               (uint32_t)argument(run, lane, 2), function, condition);
}

/* Its number in the grid. */
static uint32_t thread_number(const struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    struct dim3 block = machine->test->launches[place->launch].block;
    return place_linear_cta(machine, place->cta) * (block.x * block.y * block.z) + place->tid;
}

static void take_memory(struct run *run, uint32_t lane)
{
    uint64_t bytes = argument(run, lane, 0);
    const struct inst *call = run_micro(run, lane)->inst;
    give_back(run, lane, heap_take(run->heap, bytes, thread_number(run, lane), call));
}

static void release_memory(struct run *run, uint32_t lane)
{
    uint64_t address = argument(run, lane, 0);
    const struct inst *call = run_micro(run, lane)->inst;
    if (address && !(run->heap && heap_release(run->heap, address, thread_number(run, lane), call)))
        run_report(run, lane, REPORT_BAD_SYSTEM_CALL,
                   "free of address 0x%llx, where malloc gave no memory that is still taken%s",
                   (unsigned long long)address, taken_released(run, address));
}

bool system_call(struct run *run, uint32_t lane)
{
    switch ((enum system)run_micro(run, lane)->inst->operands[1].value) {
    case SYSTEM_PRINTF:
        print(run, lane);
        break;
    case SYSTEM_MALLOC:
        take_memory(run, lane);
        break;
    case SYSTEM_FREE:
        release_memory(run, lane);
        break;
    case SYSTEM_ASSERT_FAIL:
        fail_assertion(run, lane);
        break;
    case SYSTEM_NONE:
        break;
    }
    run_advance(run, lane);
    return true;
}
