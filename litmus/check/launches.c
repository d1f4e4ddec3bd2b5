/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/check/checker.h"
#include "litmus/test/launch.h"
#include "litmus/test/mangled.h"

/* Checks launches: their shapes and arguments. */

static void check_shape(struct checker *c, struct launch *launch)
{
    const struct launch_rules *rules = &c->test->bodies[launch->kernel].rules;
    launch_obey(launch, rules);
    const char *fault = launch_shape_fault(launch);
    fault = fault ? fault : launch_rule_fault(c->arena, launch, rules);
    if (fault)
        check_error(c, bad_launch, launch->span, NULL, "%s", fault);
}

/* "1.5": of the parameter's type. */
static void fit_fraction(struct checker *c, struct operand *arg, enum type type)
{
    double number;
    memcpy(&number, &arg->value, sizeof number);
    arg->kind = OPERAND_IMM;
    arg->value = type_fraction_bits(type, number);
    if (!type_holds_fraction(type))
        check_error(c, number_out_of_range, arg->span, NULL,
                    "a fraction is an argument of .f16, .bf16, .f32 and .f64, not of .%s",
                    type_name(type));
}

/* "unsigned int *, int", as far as the kernel's name tells; or NULL. */
static const char *parameters_hint(struct checker *c, const struct body *kernel)
{
    const char **types = ARENA_ARRAY(c->arena, const char *, kernel->param_count + 1), *list = "";
    if (!kernel->param_count || !mangled_types(c->arena, kernel->name, types, kernel->param_count))
        return NULL;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        list = arena_printf(c->arena, "%s%s%s", list, i ? ", " : "", types[i]);
    return arena_printf(c->arena, "its parameters are (%s)", list);
}

/* A number other than 0 is no pointer, where the kernel's name tells that one is wanted. */
static void check_pointer(struct checker *c, const struct body *kernel, uint32_t index,
                          const struct operand *arg)
{
    const char **types = ARENA_ARRAY(c->arena, const char *, kernel->param_count + 1);
    if (arg->kind != OPERAND_IMM || !arg->value ||
        !mangled_types(c->arena, kernel->name, types, kernel->param_count) ||
        types[index][strlen(types[index]) - 1] != '*')
        return;
    check_error(c, bad_launch, arg->span, "give it the name of memory",
                "parameter %u of '%s' is a pointer, %s", index + 1, kernel->name, types[index]);
}

/* As many as the kernel has parameters, each of a size that its parameter holds. */
static void check_arguments(struct checker *c, const struct launch *launch)
{
    const struct body *kernel = &c->test->bodies[launch->kernel];
    if (launch->arg_count != kernel->param_count) {
        check_error(c, bad_launch, launch->span, parameters_hint(c, kernel),
                    "'%s' has %u parameter%s, the launch gives %u", kernel->name,
                    kernel->param_count, kernel->param_count == 1 ? "" : "s", launch->arg_count);
        return;
    }
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        struct operand *arg = &launch->args[i];
        uint32_t bytes = kernel->params[i].bytes;
        if (arg->kind == OPERAND_SYMBOL && bytes < 8)
            check_error(c, bad_launch, arg->span, NULL,
                        "an address needs a parameter of 64 bits, not %u", bytes * 8);
        else if (arg->kind == OPERAND_FRACTION)
            fit_fraction(c, arg, kernel->params[i].type);
        else if (arg->kind == OPERAND_IMM && !number_fits(arg->value, bytes * 8))
            check_error(c, number_out_of_range, arg->span, NULL,
                        "the argument does not fit %u bits", bytes * 8);
        else
            check_pointer(c, kernel, i, arg);
    }
}

/* A name that a structure is given: the contents of its memory. */
static void check_structure(struct checker *c, const struct operand *arg, const struct param *param)
{
    if (arg->kind != OPERAND_SYMBOL || param->bytes <= 8)
        return;
    const struct location *location = &c->test->locations[arg->location];
    uint64_t bytes = (uint64_t)location->element_bytes * location->elements;
    if (bytes == param->bytes && !arg->value)
        return;
    check_error(c, bad_launch, arg->span, NULL,
                "the parameter is a structure of %u bytes, and '%s' has %llu", param->bytes,
                location->name, (unsigned long long)bytes);
}

/* "x+2" and "&x[2]" are elements: x's size is known now. */
void check_launch_addresses(struct checker *c)
{
    for (uint32_t i = 0; i < c->test->launch_count; i++) {
        const struct launch *launch = &c->test->launches[i];
        const struct body *kernel = &c->test->bodies[launch->kernel];
        for (uint32_t k = 0; k < launch->arg_count && k < kernel->param_count; k++)
            check_structure(c, &launch->args[k], &kernel->params[k]);
    }
    for (uint32_t i = 0; i < c->test->launch_count; i++)
        for (uint32_t k = 0; k < c->test->launches[i].arg_count; k++) {
            struct operand *arg = &c->test->launches[i].args[k];
            if (arg->kind == OPERAND_SYMBOL)
                arg->value *= c->test->locations[arg->location].element_bytes;
        }
    for (uint32_t i = 0; i < c->test->launch_count; i++)
        if (!launch_give_parameters(c->test, &c->test->launches[i]))
            check_error(
                c, bad_launch, c->test->launches[i].span, NULL,
                "'%s' takes the address of a parameter, which another launch gave another value",
                c->test->bodies[c->test->launches[i].kernel].name);
}

void check_launches(struct checker *c)
{
    for (uint32_t i = 0; i < c->test->launch_count; i++) {
        check_shape(c, &c->test->launches[i]);
        check_arguments(c, &c->test->launches[i]);
    }
}
