/* SPDX-License-Identifier: MIT */
#include "litmus/base/hash.h"
#include "litmus/test/host.h"

const char *memory_kind_name(enum memory_kind kind)
{
    static const char *const names[] = {"device", "mapped", "managed", "pinned", "pageable"};
    return names[kind];
}

struct location test_location(void)
{
    return (struct location){.space = SPACE_GLOBAL,
                             .elements = 1,
                             .alias_of = NONE,
                             .cta = NONE,
                             .cluster = NONE,
                             .gpu = NONE,
                             .kernel = NONE};
}

struct location test_array(const char *name, enum type type, uint32_t elements)
{
    struct location array = test_location();
    array.name = name;
    array.type = type;
    array.element_bytes = type_bytes(type);
    array.elements = elements;
    array.array = array.declared = array.initialized = true;
    return array;
}

struct location test_grid_workspace(void)
{
    return test_array("grid workspace", TYPE_U32, 16);
}

bool body_reads_special(const struct body *body, enum special special)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t k = 0; k < body->insts[i].operand_count; k++)
            if (body->insts[i].operands[k].kind == OPERAND_SPECIAL &&
                body->insts[i].operands[k].special == special)
                return true;
    return false;
}

const struct operand *inst_operand(const struct inst *inst, enum operand_kind kind)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == kind)
            return &inst->operands[i];
    return NULL;
}

bool body_is_target(const struct body *body, uint32_t at)
{
    for (uint32_t pc = 0; pc < body->inst_count; pc++) {
        const struct operand *to = inst_operand(&body->insts[pc], OPERAND_LABEL);
        if (to && to->target == at)
            return true;
    }
    return false;
}

enum type inst_value_type(const struct inst *inst)
{
    bool at_point = op_group(inst->op) == GROUP_TEXTURE && inst->source_type;
    if (inst->op == OP_CVT || inst->op == OP_SET || at_point || inst->flags & FLAG_WIDE)
        return inst->source_type;
    bool copies = inst->op == OP_CP_REDUCE_ASYNC_BULK || inst->op == OP_CP_REDUCE_ASYNC_BULK_TENSOR;
    if (copies) /* sizes and coordinates */
        return TYPE_B32;
    bool typed = op_accepts(inst->op, 'T') || type_is_float(inst->type); /* a jump of host code */
    return typed ? inst->type : TYPE_B32;
}

uint32_t test_root_location(const struct test *test, uint32_t location)
{
    while (test->locations[location].alias_of != NONE)
        location = test->locations[location].alias_of;
    return location;
}

const struct body *test_term_body(const struct test *test, const struct cond_term *term)
{
    if (term->column != NONE)
        return &test->bodies[test->columns[term->column].body];
    if (term->host != NONE)
        return &test->bodies[test->host->threads[term->host].body];
    return &test->bodies[test->launches[term->launch].kernel];
}

typedef void see_operand(void *context, const struct inst *inst, const struct operand *operand);

static void see_address(uint32_t location, see_operand *see, void *context)
{
    const struct operand symbol = {.kind = OPERAND_SYMBOL, .location = location};
    if (location != NONE)
        see(context, NULL, &symbol);
}

static void see_body(const struct body *body, see_operand *see, void *context)
{
    for (uint32_t i = 0; i < body->init_count; i++)
        see_address(body->inits[i].address_of, see, context);
    for (const struct inst *inst = body->insts; inst < body->insts + body->inst_count; inst++)
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            see(context, inst, &inst->operands[k]);
            for (uint32_t i = 0; i < inst->operands[k].part_count; i++)
                see(context, inst, &inst->operands[k].parts[i]);
        }
}

void test_each_operand(const struct test *test, see_operand *see, void *context)
{
    for (uint32_t i = 0; i < test->body_count; i++)
        see_body(&test->bodies[i], see, context);
    for (uint32_t i = 0; i < test->launch_count; i++)
        for (uint32_t k = 0; k < test->launches[i].arg_count; k++)
            see_address(test->launches[i].args[k].location, see, context);
    for (uint32_t i = 0; i < test->location_count; i++)
        for (uint32_t k = 0; test->locations[i].init && k < test->locations[i].elements; k++)
            see_address(test->locations[i].init[k].address_of, see, context);
}

void cond_each_term(const struct cond *cond,
                    void (*see)(void *context, const struct cond_term *term), void *context)
{
    if (cond->kind == COND_COMPARE) {
        see(context, &cond->left);
        see(context, &cond->right);
    }
    for (uint32_t i = 0; i < cond->kid_count; i++)
        cond_each_term(cond->kids[i], see, context);
}

uint64_t test_function_address(const char *name, size_t length)
{
    enum { STEP = 16 };
    return UINT64_C(0x700000000000) + (hash_bytes(name, length, 0) & UINT32_MAX) * STEP;
}

const struct body *test_function_at(const struct test *test, uint64_t address)
{
    for (uint32_t i = 0; i < test->body_count; i++) {
        const struct body *body = &test->bodies[i];
        if (body->addressed && test_function_address(body->name, strlen(body->name)) == address)
            return body;
    }
    return NULL;
}

static bool passes(const struct body *caller, const struct operand *list, const struct param *to,
                   uint32_t count)
{
    if (list->part_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (caller->frame[list->parts[i].param].bytes != to[i].bytes)
            return false;
    return true;
}

bool test_may_enter(const struct body *caller, const struct inst *call, const struct body *function)
{
    return function->function && function->addressed &&
           passes(caller, &call->operands[0], function->frame, function->return_count) &&
           passes(caller, &call->operands[2], function->frame + function->return_count,
                  function->formal_count);
}
