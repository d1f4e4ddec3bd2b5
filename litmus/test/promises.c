/* SPDX-License-Identifier: MIT */
#include "litmus/test/promises.h"

#ifndef NDEBUG

#include <assert.h>

#include "litmus/test/host.h"

static bool is_index(uint32_t index, uint32_t count)
{
    return index == NONE || index < count;
}

static void location_promises(const struct test *test, const struct location *location)
{
    uint32_t steps = 0, at = (uint32_t)(location - test->locations);

    assert(location->name);
    assert(location->elements >= 1 || location->dynamic);
    assert(location->element_bytes && location->element_bytes <= 16);
    assert((location->element_bytes & (location->element_bytes - 1)) == 0);
    assert(location->element_bytes == type_bytes(location->type));
    assert((location->align & (location->align - 1)) == 0);
    assert(is_index(location->alias_of, test->location_count));
    assert(is_index(location->kernel, test->body_count));
    assert(location->space != SPACE_GENERIC);
    for (; test->locations[at].alias_of != NONE; at = test->locations[at].alias_of)
        assert(steps++ < test->location_count); /* no circle */
    for (uint32_t i = 0; location->init && i < location->elements; i++)
        assert(is_index(location->init[i].address_of, test->location_count));
}

static void operand_promises(const struct test *test, const struct body *body,
                             const struct operand *operand)
{
    switch (operand->kind) {
    case OPERAND_REG:
        assert(operand->reg < body->reg_count);
        break;
    case OPERAND_SYMBOL:
        assert(operand->location < test->location_count);
        break;
    case OPERAND_MEMORY:
        assert((operand->reg == NONE) != (operand->location == NONE));
        assert(is_index(operand->reg, body->reg_count));
        assert(is_index(operand->location, test->location_count));
        break;
    case OPERAND_LABEL:
        assert(operand->target <= body->inst_count);
        break;
    case OPERAND_PARAM:
        assert(operand->param < body->param_count);
        break;
    case OPERAND_FUNCTION:
        assert(operand->target == NONE
                   ? operand->value != SYSTEM_NONE
                   : operand->target < test->body_count && test->bodies[operand->target].function);
        break;
    case OPERAND_SPECIAL:
        assert(operand->special < SPECIAL_COUNT);
        break;
    case OPERAND_PAIR:
        assert(operand->part_count == 2);
        break;
    case OPERAND_FRACTION:
        assert(!"a checked test has none");
        break;
    case OPERAND_VECTOR:
    case OPERAND_FRAME:
    case OPERAND_IMM:
    case OPERAND_SINK:
        break;
    }
    for (uint32_t i = 0; i < operand->part_count; i++)
        operand_promises(test, body, &operand->parts[i]);
}

static void inst_promises(const struct test *test, const struct body *body, const struct inst *inst)
{
    assert(inst->op < OP_COUNT);
    assert(inst->operand_count <= MAX_OPERANDS);
    assert(is_index(inst->guard, body->reg_count));
    assert(inst->guard == NONE || body->regs[inst->guard].type == TYPE_PRED);
    assert(inst->vector == 1 || inst->vector == 2 || inst->vector == 4 || inst->vector == 8);
    if (inst->op == OP_LD)
        assert(inst->sem != SEM_RELEASE && inst->sem != SEM_ACQ_REL);
    if (inst->op == OP_ST)
        assert(inst->sem != SEM_ACQUIRE && inst->sem != SEM_ACQ_REL);
    if (op_is_atomic(inst->op))
        assert(inst->sem != SEM_WEAK && inst->atom_op != ATOM_NONE &&
               (inst->scope != SCOPE_NONE || test->language == LANGUAGE_CPP));
    if (inst->op == OP_FENCE && inst->fence_kind == FENCE_MEMORY)
        assert(inst->sem != SEM_NONE && inst->scope != SCOPE_NONE);
    for (uint32_t i = 0; i < inst->operand_count; i++)
        operand_promises(test, body, &inst->operands[i]);
}

static void body_promises(const struct test *test, const struct body *body)
{
    assert(body->name);
    assert(body->return_count + body->formal_count <= body->frame_count);
    for (uint32_t i = 0; i < body->reg_count; i++)
        assert(body->regs[i].name);
    for (uint32_t i = 0; i < body->inst_count; i++)
        inst_promises(test, body, &body->insts[i]);
    for (uint32_t i = 0; i < body->label_count; i++) {
        assert(body->labels[i].target <= body->inst_count);
        assert(!i || body->labels[i - 1].target <= body->labels[i].target); /* sorted */
    }
    for (uint32_t i = 0; i < body->init_count; i++) {
        assert(body->inits[i].reg < body->reg_count);
        assert(is_index(body->inits[i].address_of, test->location_count));
    }
}

static void launch_promises(const struct test *test, const struct launch *launch)
{
    assert(launch->kernel < test->body_count && !test->bodies[launch->kernel].function);
    assert(launch->label);
    assert(launch->grid.x && launch->grid.y && launch->grid.z);
    assert(launch->block.x && launch->block.y && launch->block.z);
    assert(launch->cluster.x && launch->cluster.y && launch->cluster.z);
    assert(launch->grid.x % launch->cluster.x == 0);
    assert(launch->arg_count == test->bodies[launch->kernel].param_count);
}

static void argument_promises(const struct host_program *host, const struct host_call *call,
                              const struct host_argument *argument)
{
    const uint32_t *object = host_argument_field(argument, call);
    if (argument->kind == HOST_ARGUMENT_OBJECT && *object != NONE)
        assert(*object < host->object_count && host->objects[*object].kind == argument->object);
}

static void call_promises(const struct test *test, const struct host_call *call)
{
    const struct host_program *host = test->host;
    const char *letters = call->row->arguments ? call->row->arguments : "";

    for (; *letters; letters++)
        if (*letters != '?')
            argument_promises(host, call, host_argument(*letters));
    assert(call->row->stream == HOST_NEEDS_NONE || call->stream < host->object_count);
    assert(is_index(call->function, host->thread_count) &&
           is_index(call->launch, test->launch_count));
    assert(is_index(call->to.location, test->location_count));
    assert(is_index(call->from.location, test->location_count));
    for (uint32_t i = 0; i < call->dependency_count; i++)
        assert(host->objects[call->dependencies[i]].kind == HOST_NODE);
}

static void host_promises(const struct test *test)
{
    const struct host_program *host = test->host;

    assert(host->object_count >= HOST_FIRST_NAMED);
    assert(!test->column_count); /* a host program launches every kernel itself */
    for (uint32_t i = 0; i < host->thread_count; i++)
        assert(host->threads[i].body < test->body_count);
    for (uint32_t i = 0; i < host->call_count; i++)
        call_promises(test, &host->calls[i]);
}

static void term_promises(const struct test *test, const struct cond_term *term)
{
    if (term->kind == TERM_REG) {
        assert(is_index(term->column, test->column_count));
        assert(is_index(term->launch, test->launch_count));
        assert((term->column != NONE) + (term->launch != NONE) + (term->host != NONE) == 1);
        assert(term->reg < test_term_body(test, term)->reg_count);
    }
    if (term->kind == TERM_LOCATION || term->kind == TERM_ADDRESS) {
        assert(term->location < test->location_count);
        assert(term->element < test->locations[term->location].elements);
    }
}

static void condition_promises(const struct test *test, const struct cond *condition)
{
    if (condition->kind == COND_COMPARE) {
        assert(condition->cmp != CMP_NONE);
        term_promises(test, &condition->left);
        term_promises(test, &condition->right);
    }
    assert(condition->kind != COND_NOT || condition->kid_count == 1);
    for (uint32_t i = 0; i < condition->kid_count; i++)
        condition_promises(test, condition->kids[i]);
}

void test_promises(const struct test *test)
{
    assert(test->source && test->name && test->condition);
    assert(!test->column_count || !test->launch_count); /* columns or kernels, not both */
    for (uint32_t i = 0; i < test->location_count; i++)
        location_promises(test, &test->locations[i]);
    for (uint32_t i = 0; i < test->body_count; i++)
        body_promises(test, &test->bodies[i]);
    for (uint32_t i = 0; i < test->column_count; i++)
        assert(test->columns[i].body < test->body_count &&
               (test->language == LANGUAGE_CPP || test->bodies[test->columns[i].body].dialect));
    for (uint32_t i = 0; i < test->launch_count; i++)
        launch_promises(test, &test->launches[i]);
    if (test->host)
        host_promises(test);
    condition_promises(test, test->condition);
    if (test->filter)
        condition_promises(test, test->filter);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        assert(test->observed[i].kind == TERM_REG || test->observed[i].kind == TERM_LOCATION);
        term_promises(test, &test->observed[i]);
    }
}

#endif
