/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/host/tree.h"

/* Functions of numbers that C and C++ have: min, max, floor, … */

static bool is_known_number(const struct code_value *value)
{
    return value->kind == VALUE_NUMBER || value->kind == VALUE_FLOAT;
}

static bool is_less(const struct code_value *a, const struct code_value *b, enum type type)
{
    if (a->kind == VALUE_FLOAT || b->kind == VALUE_FLOAT)
        return eval_double(a) < eval_double(b);
    uint64_t left = eval_fit(a->number, type), right = eval_fit(b->number, type);
    return type_is_signed(type) ? (int64_t)left < (int64_t)right : left < right;
}

/* Variables in registers: "a < b ? a : b". */
static bool choose_less(struct eval *e, const struct cpp_expr *const *both, bool least,
                        struct span span, struct code_value *to)
{
    struct cpp_expr sign = {.kind = CPP_BINARY, .mark = CPP_MARK_LT, .span = span};
    struct cpp_expr choice = {.kind = CPP_CONDITIONAL, .span = span};
    const struct cpp_expr *kids[3] = {tree_expr(e->arena, sign, both, 2), both[!least],
                                      both[least]};
    return eval_conditional(e, tree_expr(e->arena, choice, kids, 3), to);
}

static bool is_variable(const struct eval *e, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_CAST)
        return is_variable(e, expr->kids[0]);
    const struct code_cell *cell = eval_word(expr) ? eval_find(e, eval_word(expr)) : NULL;
    return (cell && cell->location == NONE) || expr->kind == CPP_NUMBER || expr->kind == CPP_FLOAT;
}

/* "max<unsigned>(a, b)": of the two as they are converted. */
static const struct cpp_expr *const *of_type(struct eval *e, const struct cpp_expr *expr,
                                             const struct cpp_expr *const *kids, uint32_t count)
{
    const struct cpp_part *part = cpp_last_part(&expr->kids[0]->name);
    if (!part->argument_count || !part->arguments[0].type)
        return kids;
    const struct cpp_expr **converted = ARENA_ARRAY(e->arena, const struct cpp_expr *, count);
    for (uint32_t i = 0; i < count; i++) {
        struct cpp_expr cast = {
            .kind = CPP_CAST, .type = part->arguments[0].type, .span = kids[i]->span};
        converted[i] = tree_expr(e->arena, cast, &kids[i], 1);
    }
    return converted;
}

static bool is_integer(const struct code_value *value)
{
    return (value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER) && !eval_is_float(value);
}

/* The one of the two, at least one of which is read. */
static bool choose(struct eval *e, bool least, struct code_value *to, struct code_value *next,
                   struct span span)
{
    if (!is_integer(to) || !is_integer(next))
        return eval_needs(e, is_known_number(to) ? next : to, span, "a number that is known");
    bool same = to->type == next->type;
    enum type type = same ? to->type : eval_common_type(to->type, next->type);
    if (!same && (!eval_cast(e, to, eval_number_shape(e, type), span) ||
                  !eval_cast(e, next, eval_number_shape(e, type), span)))
        return false;
    return eval_compute(e, least ? OP_MIN : OP_MAX, type, to, next, span);
}

/* What is given by a reference, and read when the other arguments have been computed. */
static bool is_referred(const struct cpp_expr *expr)
{
    if (expr->kind == CPP_CAST)
        return is_referred(expr->kids[0]);
    return expr->kind == CPP_NAME || expr->kind == CPP_MEMBER || expr->kind == CPP_INDEX ||
           (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL);
}

static bool may_change(const struct cpp_expr *expr)
{
    bool chooses = eval_is_call_of(expr, "min") || eval_is_call_of(expr, "max");
    bool changes = !chooses && eval_acts(expr);
    for (uint32_t i = 1; chooses && i < expr->kid_count; i++)
        changes = changes || may_change(expr->kids[i]);
    return changes;
}

/* "max(a, b)", "max({a, b, c})" */
bool eval_least_or_most(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                        struct code_value *to)
{
    bool least =
        strcmp(word, "min") == 0 || strcmp(word, "fmin") == 0 || strcmp(word, "fminf") == 0;
    bool most = strcmp(word, "max") == 0 || strcmp(word, "fmax") == 0 || strcmp(word, "fmaxf") == 0;
    bool list = expr->kid_count == 2 && expr->kids[1]->kind == CPP_LIST;
    const struct cpp_expr *const *kids = list ? expr->kids[1]->kids : expr->kids + 1;
    uint32_t count = list ? expr->kids[1]->kid_count : expr->kid_count - 1;
    struct code_value next;
    *found = (least || most) && count && (list || count == 2);
    kids = *found ? of_type(e, expr, kids, count) : NULL;
    if (!*found || !eval_value(e, kids[0], to))
        return false;
    if (count == 2 && is_variable(e, kids[0]) && is_variable(e, kids[1]) &&
        !(eval_is_certain(e, kids[0]) && eval_is_certain(e, kids[1])))
        return choose_less(e, kids, least, expr->span, to);
    for (uint32_t i = 1; i < count; i++) {
        if (to->kind == VALUE_REGISTER && is_referred(kids[i - 1]) && may_change(kids[i]))
            return eval_needs(e, to, expr->span, "a number that is known");
        if (eval_has_effects(e, kids[i]))
            eval_keep(e, to, expr->span);
        if (!eval_value(e, kids[i], &next))
            return false;
        if (!is_known_number(to) || !is_known_number(&next)) {
            if (!choose(e, least, to, &next, expr->span))
                return false;
            continue;
        }
        bool same = to->type == next.type;
        enum type type = same ? to->type : eval_common_type(to->type, next.type);
        bool takes = least ? is_less(&next, to, type) : is_less(to, &next, type);
        *to = takes ? next : *to;
        if (to->kind == VALUE_NUMBER && next.kind == VALUE_NUMBER)
            *to = eval_number(to->number, type);
    }
    return true;
}

static double down(double number)
{
    double whole = (double)(int64_t)number;
    return whole > number ? whole - 1 : whole;
}

static double up(double number)
{
    return -down(-number);
}

/* To the nearest, halves to the even one, as rint and nearbyint do at first. */
static double nearest(double number)
{
    double below = down(number), rest = number - below;
    bool odd = below - 2 * down(below / 2) != 0;
    return rest > 0.5 || (rest == 0.5 && odd) ? below + 1 : below;
}

/* Halves away from zero. */
static double halves_away(double number)
{
    return number < 0 ? -down(0.5 - number) : down(number + 0.5);
}

static double toward_zero(double number)
{
    return number < 0 ? up(number) : down(number);
}

static double positive(double number)
{
    return number < 0 ? -number : number;
}

static double root(double number)
{
    return sqrt(number);
}

/* Of a number that is known. */
bool eval_rounded(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                  struct code_value *to)
{
    static const struct {
        const char *word;
        double (*of)(double);
    } all[] = {{"ceil", up},
               {"ceilf", up},
               {"floor", down},
               {"floorf", down},
               {"fabs", positive},
               {"fabsf", positive},
               {"sqrt", root},
               {"sqrtf", root},
               {"rint", nearest},
               {"rintf", nearest},
               {"nearbyint", nearest},
               {"round", halves_away},
               {"roundf", halves_away},
               {"trunc", toward_zero}};
    struct code_value value;
    size_t which = 0, count = sizeof all / sizeof *all;
    while (which < count && strcmp(word, all[which].word) != 0)
        which++;
    *found = which < count && expr->kid_count == 2;
    if (!*found || !eval_value(e, expr->kids[1], &value))
        return false;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    if (value.kind == VALUE_UNKNOWN)
        *to = value;
    if (value.kind == VALUE_NUMBER || value.kind == VALUE_FLOAT)
        *to = eval_float(all[which].of(eval_double(&value)),
                         value.kind == VALUE_FLOAT ? value.type : TYPE_F64);
    else if (all[which].of == positive && eval_is_float(&value)) {
        *to = value;
        return eval_float_sign(e, OP_ABS, to, expr->span);
    }
    return true;
}
