/* SPDX-License-Identifier: MIT
 *
 * Refuses host programs that a program of real calls on one GPU cannot be, and says why. */
#include <stdio.h>
#include <string.h>

#include "cli/emit/view.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"

static const char *const written[] = {
#define WRITTEN(name) name,
#include "cli/emit/host_call.def"
#undef WRITTEN
};

static bool is_written(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(written); i++)
        if (strcmp(written[i], name) == 0)
            return true;
    return false;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool makes(const struct host_call *call, uint32_t object)
{
    const char *letters = call->row->arguments;
    for (const char *letter = letters; letter && *letter; letter++) {
        if (*letter == '?')
            continue;
        const struct host_argument *argument = host_argument(*letter);
        if (argument->kind == HOST_ARGUMENT_OBJECT && argument->direction == HOST_MADE &&
            *(const uint32_t *)host_argument_field(argument, call) == object)
            return true;
    }
    return false;
}

bool emit_host_is_body(const struct host_program *host, uint32_t graph)
{
    for (uint32_t i = 0; i < host->call_count; i++)
        for (uint32_t k = 0; k < host->calls[i].body_count; k++)
            if (host->calls[i].bodies[k] == graph)
                return true;
    return false;
}

bool emit_host_makes(const struct host_program *host, uint32_t object)
{
    for (uint32_t i = 0; i < host->call_count; i++)
        if (makes(&host->calls[i], object))
            return true;
    return emit_host_is_body(host, object);
}

/* An event is one from the start; of other objects the runtime would take a null handle for the legacy stream. */
static bool can_write_objects(struct job *job)
{
    const struct host_program *host = job->test->host;
    for (uint32_t i = HOST_FIRST_NAMED; i < host->object_count; i++)
        if (host->objects[i].kind != HOST_EVENT && !emit_host_makes(host, i))
            return emit_refuse(job, host->objects[i].span, "a handle that no call makes");
    return true;
}

static bool can_write_call(struct job *job, const struct host_call *call)
{
    bool sets_device = strcmp(call->row->name, "cudaSetDevice") == 0;
    char what[96];
    snprintf(what, sizeof what, "the call '%s'", call->row->name);
    if (!is_written(call->row->name))
        return emit_refuse(job, call->span, what);
    return !sets_device || call->value < EMIT_MOST_GPUS ||
           emit_refuse(job, call->span, "a device beyond the eighth");
}

/* ---- handles of conditional nodes ------------------------------------------------------------ */

/* CUDA lets kernels set one, and nobody read it. */
static bool can_write_use(struct job *job, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *op = &inst->operands[i];
        bool names = op->kind == OPERAND_MEMORY || op->kind == OPERAND_SYMBOL;
        if (!names || op->location == NONE || !host_makes_handle(job->test, op->location))
            continue;
        if (inst->op != OP_ST || i || inst->operands[1].kind == OPERAND_SYMBOL)
            return emit_refuse(job, inst->span, "a use of a handle other than setting it");
    }
    return true;
}

static bool can_write_uses(struct job *job)
{
    const struct test *test = job->test;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; !emit_host_is_hidden(test, b) && i < test->bodies[b].inst_count; i++)
            if (!can_write_use(job, &test->bodies[b].insts[i]))
                return false;
    return true;
}

static bool can_write_handles(struct job *job)
{
    const struct test *test = job->test;
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (test->observed[i].kind == TERM_LOCATION &&
            host_makes_handle(test, test->observed[i].location))
            return emit_refuse(job, test->condition->span, "a question about a handle");
    for (uint32_t i = 0; i < test->launch_count; i++)
        for (uint32_t k = 0; k < test->launches[i].arg_count; k++) {
            const struct operand *arg = &test->launches[i].args[k];
            if (arg->kind == OPERAND_SYMBOL && host_makes_handle(test, arg->location))
                return emit_refuse(job, test->launches[i].span, "a handle as an argument");
        }
    return can_write_uses(job);
}

/* A node has no attributes here. */
static bool can_write_launch(struct job *job, const struct host_call *call)
{
    const struct launch *launch = &job->test->launches[call->launch];
    bool plain = !launch->cooperative && !launch->programmatic && launch->domain == 0 &&
                 launch_cluster_ctas(launch) == 1;
    if (launch_ctas(launch) > EMIT_MOST_CTAS)
        return emit_refuse(job, call->span, "a launch of more CTAs than run at once");
    return plain || !call->row->arguments ||
           emit_refuse(job, call->span, "a node with attributes of its launch");
}

static bool can_write_calls(struct job *job)
{
    const struct host_program *host = job->test->host;
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *call = &host->calls[i];
        if (!can_write_call(job, call) || (call->launch != NONE && !can_write_launch(job, call)))
            return false;
    }
    return true;
}

/* ---- code ----------------------------------------------------------------------------------- */

static bool is_value(const struct operand *op)
{
    return op->kind == OPERAND_REG || op->kind == OPERAND_IMM;
}

static bool can_write_access(const struct inst *inst)
{
    const struct operand *place = inst_operand(inst, OPERAND_MEMORY);
    bool good = place && place->location != NONE && place->reg == NONE;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        good = good && (&inst->operands[i] == place || is_value(&inst->operands[i]) ||
                        (i == 0 && inst->operands[i].kind == OPERAND_SINK));
    return good;
}

static bool can_write_host_inst(struct job *job, const struct inst *inst)
{
    switch (inst->op) {
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
        return can_write_access(inst) ||
               emit_refuse(job, inst->span, "an access of the host whose place is not named");
    case OP_MOV:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return is_value(&inst->operands[1]) ||
               emit_refuse(job, inst->span, "an address in code of the host");
    case OP_FENCE:
    case OP_BRA:
    case OP_BRANCH_COMPARE:
    case OP_HOST_CALL:
    case OP_NOP:
        return true;
    default:
        return emit_refuse(job, inst->span, "this code of the host");
    }
}

static bool can_write_threads(struct job *job)
{
    const struct test *test = job->test;
    for (uint32_t i = 0; i < test->host->thread_count; i++) {
        const struct body *body = &test->bodies[test->host->threads[i].body];
        if (emit_host_is_of_call(test->host, i))
            continue;
        for (uint32_t pc = 0; pc < body->inst_count; pc++)
            if (!can_write_host_inst(job, &body->insts[pc]))
                return false;
    }
    return true;
}

/* ---- the program ---------------------------------------------------------------------------- */

static bool is_allocated(const struct host_program *host, uint32_t location)
{
    for (uint32_t i = 0; host && i < host->call_count; i++)
        if (host->calls[i].row->subject == HOST_SUBJECT_ALLOCATION &&
            host->calls[i].to.location == location)
            return true;
    return false;
}

/* A further name of device memory that is there from the start. */
static bool can_write_name(struct job *job, uint32_t location)
{
    const struct test *test = job->test;
    uint32_t root = test_root_location(test, location);
    bool plain = test->locations[root].memory == MEMORY_DEVICE &&
                 (test->locations[root].gpu == NONE || test->locations[root].gpu == 0);
    if (emit_path(test, location) == PROXY_SURFACE)
        return emit_refuse(job, test->locations[location].span, "a surface in a host program");
    return (plain && !is_allocated(test->host, root)) ||
           emit_refuse(job, test->locations[location].span,
                       "a further name of memory that is not the first device's from the start");
}

static bool can_write_memory(struct job *job)
{
    const struct test *test = job->test;
    uint32_t count;
    const uint32_t *number = emit_place_numbers(job->arena, test, &count);
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        if (number[i] == NONE)
            continue;
        if (l->alias_of != NONE && !can_write_name(job, i))
            return false;
        if (l->space == SPACE_SHARED)
            return emit_refuse(job, l->span, "shared memory in a host program");
        if (l->init && is_allocated(test->host, i))
            return emit_refuse(job, l->span, "what memory holds when a call has allocated it");
        if (l->gpu != NONE && l->gpu >= EMIT_MOST_GPUS)
            return emit_refuse(job, l->span, "memory of a device beyond the eighth");
    }
    return true;
}

bool emit_can_write_host(struct job *job)
{
    const struct host_program *host = job->test->host;
    if (host->gap_count)
        return emit_refuse(job, host->gaps[0].span, "code that is not modelled");
    return can_write_objects(job) && can_write_calls(job) && can_write_handles(job) &&
           can_write_threads(job) && can_write_memory(job);
}

bool emit_is_hosted(const struct test *test)
{
    return test->host || test->launch_count > 1;
}

bool emit_can_write_launches(struct job *job)
{
    const struct test *test = job->test;
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct launch *launch = &test->launches[i];
        if (launch_ctas(launch) > EMIT_MOST_CTAS)
            return emit_refuse(job, launch->span, "a launch of more CTAs than run at once");
        if (launch->gpu != NONE && launch->gpu >= EMIT_MOST_GPUS)
            return emit_refuse(job, launch->span, "a launch on a device beyond the eighth");
    }
    return can_write_memory(job);
}
