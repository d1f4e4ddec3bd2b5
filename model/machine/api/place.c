/* SPDX-License-Identifier: MIT */
#include "litmus/test/launch.h"
#include "model/machine/core/place.h"
#include "model/machine/api/state.h"

/* Lanes of a host program: the threads of kernels; host threads and functions, a lane an element
 * for copies and sets (their accesses are in no order), a driver a task, each in a CTA of its own.
 */

enum { MOST_BYTES = 4096 };

static bool copies(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_COPY;
}

static bool moves_bytes(const struct host_call *call)
{
    return copies(call) || call->row->subject == HOST_SUBJECT_SET;
}

/* The bytes of one access: elements of both sides, whole ones. */
static uint32_t chunk_of(const struct test *test, const struct host_call *call)
{
    uint32_t chunk = test->locations[call->to.location].element_bytes;
    if (call->from.location != NONE && test->locations[call->from.location].element_bytes < chunk)
        chunk = test->locations[call->from.location].element_bytes;
    chunk = chunk > 8 ? 8 : chunk;
    while (chunk > 1 && (call->bytes % chunk || call->to_pitch % chunk || call->from_pitch % chunk))
        chunk /= 2;
    return chunk ? chunk : 1;
}

struct api_room api_room(const struct api *api, const struct test *test)
{
    struct api_room room = {.lanes = test->host->thread_count};
    for (uint32_t i = 0; i < api->task_count; i++) {
        const struct host_call *call = api->tasks[i].call;
        room.lanes += 3; /* a driver, a box, perhaps a host function */
        if (moves_bytes(call))
            room.lanes += call->bytes / chunk_of(test, call) * host_call_height(call);
    }
    room.programs = room.warps = room.ctas = room.lanes;
    for (uint32_t i = 0; i < api->task_count; i++)
        if (api->tasks[i].call->launch != NONE)
            launch_add_room(&test->launches[api->tasks[i].call->launch], &room.ctas, &room.warps,
                            &room.lanes);
    return room;
}

/* ---- places --------------------------------------------------------------------------------- */

/* A lane that works for the task. */
static struct lane_place *place_worker(struct machine *machine, uint32_t program, uint32_t gpu,
                                       uint32_t task)
{
    struct lane_place *lane = place_alone(machine, program, gpu);
    lane->task = task;
    lane->call = machine->api->tasks[task].call;
    return lane;
}

/* Number of the first device that is none: every host thread and function has one of its own, so
 * that no scope below .sys holds it and another. */
static uint32_t host_gpu(const struct machine *machine)
{
    return API_DEVICES + machine->lane_count;
}

/* ---- programs ------------------------------------------------------------------------------- */

static struct body *new_body(struct arena *arena, const struct host_call *call, uint32_t insts)
{
    struct body *body = ARENA_NEW(arena, struct body);
    body->name = call->row->name;
    body->regs = ARENA_ARRAY(arena, struct reg, 1);
    body->regs[0] = (struct reg){.name = "copied", .type = TYPE_B64};
    body->reg_count = 1;
    body->insts = ARENA_ARRAY(arena, struct inst, insts);
    body->span = call->span;
    return body;
}

static struct inst *new_inst(struct body *body, enum op op, uint32_t operands)
{
    struct inst *inst = &body->insts[body->inst_count++];
    *inst = (struct inst){.op = op,
                          .vector = 1,
                          .guard = NONE,
                          .sem = op == OP_HOST_CALL ? SEM_NONE : SEM_WEAK,
                          .proxy = PROXY_GENERIC,
                          .operand_count = operands,
                          .span = body->span};
    return inst;
}

static enum type type_of(uint32_t bytes)
{
    return bytes == 8 ? TYPE_B64 : bytes == 4 ? TYPE_B32 : bytes == 2 ? TYPE_B16 : TYPE_B8;
}

static struct operand memory_operand(const struct test *test, struct host_memory at,
                                     uint64_t offset)
{
    uint64_t first = (uint64_t)at.element * test->locations[at.location].element_bytes;
    return (struct operand){
        .kind = OPERAND_MEMORY, .reg = NONE, .location = at.location, .value = first + offset};
}

/* One access of a copy (a load, then a store) or of a set: 'bytes' of a row. */
static const struct body *element_body(struct machine *machine, const struct host_call *call,
                                       uint64_t row, uint64_t offset, uint32_t bytes)
{
    struct body *body = new_body(machine->arena, call, 2);
    const struct operand value = {.kind = OPERAND_REG, .reg = 0, .location = NONE};
    if (copies(call)) {
        struct inst *load = new_inst(body, OP_LD, 2);
        load->type = type_of(bytes);
        load->operands[0] = value;
        load->operands[1] =
            memory_operand(machine->test, call->from, row * call->from_pitch + offset);
    }
    struct inst *store = new_inst(body, OP_ST, 2);
    uint64_t pattern = host_set_pattern(call, offset) << (64 - 8 * bytes);
    store->type = type_of(bytes);
    store->operands[0] = memory_operand(machine->test, call->to, row * call->to_pitch + offset);
    store->operands[1] =
        copies(call) ? value
                     : (struct operand){.kind = OPERAND_IMM, .value = pattern >> (64 - 8 * bytes)};
    return body;
}

static const struct body *driver_body(struct machine *machine, const struct host_call *call)
{
    struct body *body = new_body(machine->arena, call, 1);
    struct inst *inst = new_inst(body, OP_HOST_CALL, 2);
    inst->operands[0].kind = OPERAND_SINK;
    inst->operands[1] = (struct operand){.kind = OPERAND_IMM,
                                         .value = (uint64_t)(call - machine->test->host->calls)};
    return body;
}

static uint32_t add_program(struct machine *machine, const struct body *body,
                            struct diag_list *diags)
{
    uint32_t index = machine->program_count++;
    machine->programs[index] = program_decode(machine->arena, machine->test, body, NULL, diags);
    return index;
}

/* ---- tasks ---------------------------------------------------------------------------------- */

/* A lane for each element of a copy or a set, since its accesses are in no order. */
static bool place_elements(struct machine *machine, uint32_t index, struct diag_list *diags)
{
    struct api_task *task = &machine->api->tasks[index];
    uint64_t bytes = task->call->bytes, rows = host_call_height(task->call);
    uint32_t chunk = chunk_of(machine->test, task->call);
    if (bytes > MOST_BYTES || rows > MOST_BYTES || bytes * rows > MOST_BYTES) {
        diag_add(diags, DIAG_run_too_large, machine->test->source, task->call->span, NULL,
                 "more than %d bytes are copied or set", MOST_BYTES);
        return false;
    }
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t offset = 0; offset < bytes; offset += chunk) {
            const struct body *body = element_body(machine, task->call, row, offset, chunk);
            place_worker(machine, add_program(machine, body, diags), task->device, index);
        }
    return true;
}

/* On the device of the task's stream. */
static void place_kernel(struct machine *machine, uint32_t index)
{
    const struct api_task *task = &machine->api->tasks[index];
    uint32_t launch = task->call->launch;
    for (uint32_t c = 0; c < place_clusters(&machine->test->launches[launch]); c++)
        place_cluster(machine, launch, c, task->device);
    for (uint32_t lane = task->first_lane; lane < machine->lane_count; lane++)
        machine->lanes[lane].task = index;
}

static bool triggers(const struct machine *machine, uint32_t launch)
{
    const struct program *program = machine->programs[machine->test->body_count + launch];
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_GRIDDEP &&
            program->micros[i].inst->op == OP_GRIDDEP_LAUNCH)
            return true;
    return false;
}

/* All lanes of the task: elements or threads, then its driver, and a box where a kernel may publish
 * before its end. */
static bool place_task(struct machine *machine, uint32_t index, struct diag_list *diags)
{
    struct api_task *task = &machine->api->tasks[index];
    task->first_lane = machine->lane_count;
    if (moves_bytes(task->call) && !place_elements(machine, index, diags))
        return false;
    if (task->call->launch != NONE)
        place_kernel(machine, index);
    if (task->call->function != NONE && !task->join)
        place_worker(machine, machine->test->host->threads[task->call->function].body,
                     host_gpu(machine), index)
            ->host = task->call->function;
    task->lane_count = machine->lane_count - task->first_lane;
    uint32_t program = add_program(machine, driver_body(machine, task->call), diags);
    task->driver = machine->lane_count;
    place_worker(machine, program, task->device, index);
    if (task->call->launch != NONE && triggers(machine, task->call->launch)) {
        task->box = machine->lane_count;
        place_worker(machine, program, task->device, index);
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* May the thread still ask whether work has ended, by micro? */
static bool *find_queries(struct machine *machine, uint32_t host)
{
    const struct program *program = machine->programs[machine->test->host->threads[host].body];
    bool *ahead = ARENA_ARRAY(machine->arena, bool, program->micro_count + 1);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = program->micro_count; i-- > 0;) {
            const struct micro *micro = &program->micros[i];
            bool asks =
                micro->kind == MICRO_HOST_CALL &&
                machine->test->host->calls[micro->inst->operands[1].value].row->class == HOST_ASKS;
            asks = asks || ahead[i + 1] || (micro->kind == MICRO_BRANCH && ahead[micro->target]);
            more = more || asks != ahead[i];
            ahead[i] = asks;
        }
    }
    return ahead;
}

/* Sets hold tasks, nodes (as many as there are tasks at most) or CTAs. */
static void lay_out_state(struct machine *machine)
{
    struct api *api = machine->api;
    const struct host_program *host = machine->test->host;
    uint32_t most = api->task_count > machine->cta_count ? api->task_count : machine->cta_count;
    uint32_t streams = api->stream_count, tasks = api->task_count, objects = host->object_count,
             threads = host->thread_count, captures = api->capture_count,
             locations = machine->test->location_count;
    api->set_words = most / 64 + 1;
    size_t at = 0;
    const size_t SET = api->set_words, ONE = 1;
#define WORDS(id, count, kind)                                                                     \
    api->at[API_##id] = at;                                                                        \
    api->each[API_##id] = kind;                                                                    \
    at += (count)*kind;
#include "model/machine/api/state.def"
#undef WORDS
    api->at[API_WORDS] = at;
}

size_t api_state_bytes(const struct machine *machine)
{
    return machine->api->at[API_WORDS] * sizeof(uint64_t);
}

bool api_place(struct machine *machine, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    uint32_t errors = diags->errors;
    machine->api->query_ahead = ARENA_ARRAY(machine->arena, bool *, host->thread_count);
    for (uint32_t i = 0; i < host->thread_count; i++) {
        uint32_t body = host->threads[i].body;
        machine->programs[body] = program_decode(machine->arena, machine->test,
                                                 &machine->test->bodies[body], NULL, diags);
        if (diags->errors != errors)
            return false;
        machine->api->query_ahead[i] = find_queries(machine, i);
        if (!host->threads[i].is_function)
            place_alone(machine, body, host_gpu(machine))->host = i;
    }
    for (uint32_t i = 0; i < machine->api->task_count; i++)
        if (!place_task(machine, i, diags))
            return false;
    lay_out_state(machine);
    return diags->errors == errors;
}
