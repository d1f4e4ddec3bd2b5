/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Which function is called, of several that have the name: one that takes as many arguments, and of those the one
 * whose parameters fit best. What is not known of an argument fits everywhere alike. */

/* What a parameter is given. */
struct argument {
    const struct code_shape *shape; /* NULL: not known */
    bool is_temporary;              /* or moved */
    bool is_null, is_list;
};

static struct argument argument_of(struct eval *e, const struct cpp_expr *expr)
{
    struct argument is = {.shape = eval_static_shape(e, expr)};
    is.is_temporary = expr->kind != CPP_NAME && expr->kind != CPP_MEMBER &&
                      expr->kind != CPP_INDEX && expr->kind != CPP_UNARY;
    is.is_null = expr->kind == CPP_NULL || (expr->kind == CPP_NUMBER && !expr->value) ||
                 (eval_word(expr) && strcmp(eval_word(expr), "NULL") == 0);
    is.is_list = expr->kind == CPP_LIST;
    return is;
}

static struct argument argument_of_value(struct eval *e, const struct code_value *value)
{
    struct argument is = {.is_temporary = value->is_temporary || value->is_moved,
                          .is_null = value->kind == VALUE_NUMBER && !value->number};
    is.shape = eval_shape_of_value(e, value);
    if (is.shape->kind == SHAPE_AUTO && !is.shape->is_text)
        is.shape = NULL;
    return is;
}

/* ---- how well they fit ---------------------------------------------------------------------- */

enum fit { FITS_NOT, FITS_BY_CLASS, FITS_SOMEHOW, FITS_BY_NUMBER, FITS_WELL, FITS_BEST };

static bool is_base(struct eval *e, const struct code_shape *of, const struct structure *base)
{
    struct class_levels levels = eval_levels(e, of);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == base)
            return true;
    return false;
}

static enum fit fit_class(struct eval *e, const struct cpp_type *type,
                          const struct code_shape *parameter, const struct argument *argument)
{
    const struct code_shape *is = argument->shape;
    bool rvalue = type->kind == CPP_TYPE_REFERENCE && type->is_rvalue;
    bool changes = type->kind == CPP_TYPE_REFERENCE && !rvalue && !type->to->is_const;
    if (is->kind != SHAPE_STRUCT)
        return parameter->structure ? FITS_BY_CLASS : FITS_SOMEHOW;
    if (parameter->structure && is->structure && !is_base(e, is, parameter->structure))
        return FITS_NOT;
    if (parameter->structure != is->structure)
        return FITS_BY_NUMBER;
    if (argument->is_temporary)
        return rvalue ? FITS_BEST : changes ? FITS_NOT : FITS_WELL;
    return rvalue ? FITS_NOT : FITS_WELL;
}

static enum fit fit_pointer(const struct code_shape *parameter, const struct argument *argument)
{
    const struct code_shape *is = argument->shape;
    if (is->kind == SHAPE_NUMBER)
        return argument->is_null ? FITS_SOMEHOW : FITS_NOT;
    if (is->kind != SHAPE_POINTER && is->kind != SHAPE_ARRAY)
        return FITS_NOT;
    const struct code_shape *to = parameter->of, *from = is->of;
    bool same = to && from && to->kind == from->kind && to->type == from->type &&
                to->structure == from->structure && to->object == from->object;
    return same ? FITS_BEST : to && to->kind == SHAPE_VOID ? FITS_BY_NUMBER : FITS_SOMEHOW;
}

static enum fit fit_number(const struct code_shape *parameter, const struct argument *argument)
{
    const struct code_shape *is = argument->shape;
    if (is->kind == SHAPE_STRUCT)
        return FITS_BY_CLASS; /* a conversion */
    if (parameter->is_bool && is->kind == SHAPE_POINTER)
        return FITS_BY_NUMBER;
    if (is->kind != SHAPE_NUMBER)
        return FITS_NOT;
    if (parameter->type == is->type && parameter->is_bool == is->is_bool)
        return FITS_BEST;
    return FITS_BY_NUMBER; /* C++ has no order among other conversions but promotions */
}

static enum fit fit_text(const struct argument *argument)
{
    const struct code_shape *is = argument->shape;
    bool characters = is->kind == SHAPE_POINTER && is->of && is->of->kind == SHAPE_NUMBER &&
                      is->of->type == TYPE_S8;
    return is->is_text                              ? FITS_BEST
           : characters || is->kind == SHAPE_STRUCT ? FITS_BY_CLASS
                                                    : FITS_NOT;
}

static enum fit fit(struct eval *e, const struct code_function *function, uint32_t index,
                    const struct argument *argument)
{
    const struct cpp_type *type = function->parameters[index].type;
    if (!type || !argument->shape || argument->is_list)
        return FITS_SOMEHOW;
    const struct cpp_type *bare = type;
    while (bare->kind == CPP_TYPE_REFERENCE || bare->kind == CPP_TYPE_POINTER)
        bare = bare->to;
    for (uint32_t i = 0; bare->kind == CPP_TYPE_NAMED && i < function->head.count; i++)
        if (strcmp(function->head.at[i].name, cpp_last_part(&bare->name)->word) == 0)
            return FITS_SOMEHOW; /* a template's own type */
    const struct code_shape *shape = eval_shape(e, type);
    if (!shape)
        return FITS_NOT;
    switch (shape->kind) {
    case SHAPE_STRUCT:
        return fit_class(e, type, shape, argument);
    case SHAPE_POINTER:
        return fit_pointer(shape, argument);
    case SHAPE_NUMBER:
        return fit_number(shape, argument);
    case SHAPE_OBJECT:
        return argument->shape->kind == SHAPE_OBJECT && argument->shape->object == shape->object
                   ? FITS_BEST
               : argument->shape->kind == SHAPE_STRUCT || argument->is_null ? FITS_SOMEHOW
                                                                            : FITS_NOT;
    case SHAPE_AUTO:
        return shape->is_text ? fit_text(argument) : FITS_SOMEHOW;
    default:
        return argument->shape->kind == shape->kind ? FITS_BEST : FITS_NOT;
    }
}

/* ---- the best ------------------------------------------------------------------------------- */

static bool takes(const struct code_function *function, uint32_t count)
{
    uint32_t all = function->parameter_count;
    if (all && function->parameters[all - 1].type && function->parameters[all - 1].type->is_pack)
        return count >= all - 1;
    return count <= all && (count == all || function->parameters[count].value);
}

struct overload_choice {
    const char *region; /* the namespace that the call names or stands in, or NULL */
    struct eval *e;
    const struct argument *arguments;
    uint32_t count;
    const struct code_function *best;
    bool is_ambiguous;
    bool is_special; /* one is a specialization of a template */
};

/* Better in one argument, and in none worse: 1; the other way round: -1; 0: neither. */
static int better(const struct overload_choice *c, const struct code_function *a,
                  const struct code_function *b)
{
    int order = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t at[2] = {i < a->parameter_count ? i : a->parameter_count - 1,
                          i < b->parameter_count ? i : b->parameter_count - 1};
        enum fit one = fit(c->e, a, at[0], &c->arguments[i]),
                 other = fit(c->e, b, at[1], &c->arguments[i]);
        int is = one > other ? 1 : one < other ? -1 : 0;
        if (is && order && is != order)
            return 0;
        order = is ? is : order;
    }
    return order                           ? order
           : a->head.count < b->head.count ? 1
           : a->head.count > b->head.count ? -1
                                           : 0;
}

static bool fits(const struct overload_choice *c, const struct code_function *function)
{
    if (!takes(function, c->count))
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (i < function->parameter_count && fit(c->e, function, i, &c->arguments[i]) == FITS_NOT)
            return false;
    return true;
}

static void consider(struct overload_choice *c, const struct code_function *function)
{
    if (!fits(c, function))
        return;
    int order = c->best ? better(c, function, c->best) : 1;
    if (order > 0) {
        c->best = function;
        c->is_ambiguous = false;
    } else if (!order)
        c->is_ambiguous = true;
}

static uint32_t count_named(const struct eval *e, const char *name, const struct structure *of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->functions.len; i++)
        count += e->functions.at[i]->of == of && strcmp(e->functions.at[i]->name, name) == 0;
    return count;
}

static bool is_in(const struct code_function *function, const char *region)
{
    return region && function->region && strcmp(function->region, region) == 0;
}

/* Is there a function of no class in the namespace? */
static bool region_has(const struct eval *e, const char *region, const char *name)
{
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (!e->functions.at[i]->of && strcmp(e->functions.at[i]->name, name) == 0 &&
            is_in(e->functions.at[i], region))
            return true;
    return false;
}

/* The best of one scope; with one of the name alone nothing is asked of types. What the namespace has that the call
 * names or stands in hides the rest. */
static void consider_named(struct overload_choice *c, const char *name, const struct structure *of)
{
    struct eval *e = c->e;
    bool alone = count_named(e, name, of) == 1;
    bool within = !of && region_has(e, c->region, name);
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        if (one->of != of || strcmp(one->name, name) != 0 || (within && !is_in(one, c->region)))
            continue;
        c->is_special = c->is_special || one->head.is_special;
        if (alone)
            c->best = takes(one, c->count) ? one : NULL;
        else
            consider(c, one);
    }
}

static const char *member_name(struct eval *e, const struct structure *of, const char *word)
{
    const char *last =
        *word == '~' || !*word ? of->name : ""; /* "~": the destructor, "": a constructor */
    return arena_printf(e->arena, "%s::%s%s", of->name, word, last);
}

bool eval_has_member_function(struct eval *e, const struct code_shape *of, const char *word)
{
    struct class_levels levels = eval_levels(e, of);
    for (uint32_t i = levels.of.len; i-- > 0;) {
        const struct structure *level = levels.of.at[i]->structure;
        if (level->has_functions && count_named(e, member_name(e, level, word), level))
            return true;
        if (*word == '~' || !*word)
            return false; /* of the class itself */
    }
    return false;
}

static const struct code_function *choose(struct overload_choice *c, const char *word,
                                          const struct code_shape *of, struct span span, bool *good)
{
    struct eval *e = c->e;
    *good = true;
    if (!of)
        consider_named(c, word, NULL);
    struct class_levels levels = {{0}};
    if (of)
        levels = eval_levels(e, of);
    for (uint32_t i = levels.of.len;
         !c->best && i-- > 0;) { /* what the class has hides its bases' */
        const struct structure *level = levels.of.at[i]->structure;
        const char *name = member_name(e, level, word);
        struct class_opening opening = eval_open_class(e, levels.of.at[i]);
        if (level->has_functions)
            consider_named(c, name, level);
        eval_close_class(e, opening);
        if (*word == '~' || !*word || (level->has_functions && count_named(e, name, level)))
            break;
    }
    if (c->is_special) {
        eval_error(e, host_statement, span, "write functions of different names",
                   "'%s' has specializations of a template, which are not modelled", word);
        *good = false;
        return NULL;
    }
    if (c->best && c->is_ambiguous) {
        eval_error(e, host_statement, span, "cast the arguments to the types of the parameters",
                   "which of several functions '%s' is called is not known", word);
        *good = false;
        return NULL;
    }
    return c->best;
}

const struct code_function *eval_choose(struct eval *e, const char *word,
                                        const struct code_shape *of, const struct cpp_expr *expr,
                                        uint32_t first, bool *good)
{
    uint32_t count = expr->kid_count - first;
    struct argument *arguments = ARENA_ARRAY(e->arena, struct argument, count);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = argument_of(e, expr->kids[first + i]);
    struct overload_choice choice = {.e = e, .arguments = arguments, .count = count};
    const struct cpp_expr *callee = expr->kid_count ? expr->kids[0] : NULL;
    choice.region = e->frame.function ? e->frame.function->region : NULL;
    if (callee && callee->kind == CPP_NAME && callee->name.part_count > 1)
        choice.region = cpp_last_part(&callee->name)[-1].word;
    return choose(&choice, word, of, expr->span, good);
}

const struct code_function *eval_choose_by_values(struct eval *e, const char *word,
                                                  const struct code_shape *of,
                                                  const struct code_value *values, uint32_t count,
                                                  struct span span, bool *good)
{
    struct argument *arguments = ARENA_ARRAY(e->arena, struct argument, count);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = argument_of_value(e, &values[i]);
    struct overload_choice choice = {.e = e, .arguments = arguments, .count = count};
    return choose(&choice, word, of, span, good);
}
