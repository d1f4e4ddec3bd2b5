/* SPDX-License-Identifier: MIT */
#include "model/machine/api.h"
#include "model/machine/place.h"

/* Lanes of a host program besides those of its kernels: host threads and functions, a lane an
 * element for copies and sets (their accesses are in no order), a driver a task. Each stands in a
 * CTA of its own. */

enum { MOST_BYTES = 4096 };

static uint64_t task_bytes(const struct host_call *call)
{
    bool set = call->id == HOST_CALL_MEMSET || call->id == HOST_CALL_MEMSET_ASYNC;
    return call->numbers[set ? 1 : 0];
}

static bool is_copy(const struct host_call *call)
{
    return call->id == HOST_CALL_MEMCPY || call->id == HOST_CALL_MEMCPY_ASYNC ||
           call->id == HOST_CALL_MEMCPY_TO_SYMBOL;
}

static bool is_set(const struct host_call *call)
{
    return call->id == HOST_CALL_MEMSET || call->id == HOST_CALL_MEMSET_ASYNC;
}

/* The bytes of one access: elements of both sides, whole ones. */
static uint32_t chunk_of(const struct test *test, const struct host_call *call, uint64_t bytes)
{
    uint32_t chunk = test->locations[call->to.location].element_bytes;
    if (call->from.location != NONE && test->locations[call->from.location].element_bytes < chunk)
        chunk = test->locations[call->from.location].element_bytes;
    chunk = chunk > 8 ? 8 : chunk;
    while (chunk > 1 && bytes % chunk)
        chunk /= 2;
    return chunk ? chunk : 1;
}

uint32_t api_lanes(const struct api *api, const struct test *test)
{
    uint64_t lanes = test->host->thread_count;
    for (uint32_t i = 0; i < api->task_count; i++) {
        const struct host_call *call = api->tasks[i].call;
        lanes += 2; /* a driver, and perhaps a host function */
        if (is_copy(call) || is_set(call))
            lanes += task_bytes(call) / chunk_of(test, call, task_bytes(call));
    }
    return lanes > MACHINE_MAX_LANES ? MACHINE_MAX_LANES + 1 : (uint32_t)lanes;
}

/* ---- places --------------------------------------------------------------------------------- */

/* Number of the first device that is none: every host thread and function has one of its own, so
 * that no scope below .sys holds it and another. */
static uint32_t place_alone(struct machine *machine, uint32_t program, uint32_t gpu, uint32_t host,
                            uint32_t task)
{
    uint32_t lane = machine->lane_count++, warp = machine->warp_count++;
    uint32_t cta = machine->cta_count++, cluster = machine->cluster_count++;
    machine->clusters[cluster] =
        (struct cluster_place){.first_cta = cta, .ctas = 1, .gpu = gpu, .threads = 1};
    machine->ctas[cta] = (struct cta_place){
        .first_warp = warp, .warps = 1, .cluster = cluster, .gpu = gpu, .launch = NONE};
    machine->warps[warp] =
        (struct warp_place){.first_lane = lane, .width = 1, .present = 1, .cta = cta};
    machine->lanes[lane] = (struct lane_place){.warp = warp,
                                               .cta = cta,
                                               .cluster = cluster,
                                               .gpu = gpu,
                                               .program = program,
                                               .column = NONE,
                                               .launch = NONE,
                                               .tid = NONE,
                                               .host = host,
                                               .task = task};
    return lane;
}

static uint32_t host_gpu(const struct machine *machine)
{
    return API_DEVICES + machine->lane_count;
}

/* ---- programs ------------------------------------------------------------------------------- */

static struct body *new_body(struct arena *arena, const struct host_call *call, uint32_t insts)
{
    struct body *body = ARENA_NEW(arena, struct body);
    body->name = host_call_name(call->id);
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

/* One access of a copy (a load, then a store) or of a set. */
static const struct body *element_body(struct machine *machine, const struct host_call *call,
                                       uint64_t offset, uint32_t bytes)
{
    struct body *body = new_body(machine->arena, call, 2);
    const struct operand value = {.kind = OPERAND_REG, .reg = 0, .location = NONE};
    if (is_copy(call)) {
        struct inst *load = new_inst(body, OP_LD, 2);
        load->type = type_of(bytes);
        load->operands[0] = value;
        load->operands[1] = memory_operand(machine->test, call->from, offset);
    }
    struct inst *store = new_inst(body, OP_ST, 2);
    uint64_t pattern = (call->numbers[0] & 0xff) * UINT64_C(0x0101010101010101);
    store->type = type_of(bytes);
    store->operands[0] = memory_operand(machine->test, call->to, offset);
    store->operands[1] =
        is_copy(call) ? value
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

static bool place_elements(struct machine *machine, uint32_t index, struct diag_list *diags)
{
    struct api_task *task = &machine->api->tasks[index];
    uint64_t bytes = task_bytes(task->call);
    uint32_t chunk = chunk_of(machine->test, task->call, bytes);
    if (bytes > MOST_BYTES) {
        diag_add(diags, DIAG_run_too_large, machine->test->source, task->call->span, NULL,
                 "more than %d bytes are copied or set", MOST_BYTES);
        return false;
    }
    for (uint64_t offset = 0; offset < bytes; offset += chunk) {
        const struct body *body = element_body(machine, task->call, offset, chunk);
        uint32_t program = add_program(machine, body, diags);
        place_alone(machine, program, task->device, NONE, index);
    }
    return true;
}

/* The lanes of the launch are there already. */
static void adopt_kernel(struct machine *machine, uint32_t index)
{
    struct api_task *task = &machine->api->tasks[index];
    bool any = false;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        struct lane_place *place = &machine->lanes[lane];
        if (place->launch != task->call->launch || place->launch == NONE)
            continue;
        if (!any)
            task->first_lane = lane;
        any = true;
        place->task = index;
        task->lane_count++;
    }
}

static bool place_task(struct machine *machine, uint32_t index, struct diag_list *diags)
{
    struct api_task *task = &machine->api->tasks[index];
    if (task->call->launch != NONE) {
        adopt_kernel(machine, index);
    } else {
        task->first_lane = machine->lane_count;
        if ((is_copy(task->call) || is_set(task->call)) && !place_elements(machine, index, diags))
            return false;
        if (task->call->function != NONE)
            place_alone(machine, machine->test->host->threads[task->call->function].body,
                        host_gpu(machine), task->call->function, index);
        task->lane_count = machine->lane_count - task->first_lane;
    }
    uint32_t program = add_program(machine, driver_body(machine, task->call), diags);
    task->driver = place_alone(machine, program, task->device, NONE, index);
    return true;
}

bool api_place(struct machine *machine, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    uint32_t errors = diags->errors;
    for (uint32_t i = 0; i < host->thread_count; i++) {
        uint32_t body = host->threads[i].body;
        machine->programs[body] = program_decode(machine->arena, machine->test,
                                                 &machine->test->bodies[body], NULL, diags);
        if (!host->threads[i].is_function)
            place_alone(machine, body, host_gpu(machine), i, NONE);
    }
    for (uint32_t i = 0; i < machine->api->task_count; i++)
        if (!place_task(machine, i, diags))
            return false;
    return diags->errors == errors;
}
