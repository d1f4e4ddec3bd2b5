/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/walk.h"

/* Which variables code assigns: a loop that changes none waits, and what it changes is known only in registers. */

void eval_forget(struct eval *e, struct code_cell *cell, struct span why)
{
    struct span nowhere = {0, 0};
    for (uint32_t i = 0; i < cell->parts.len; i++)
        eval_forget(e, cell->parts.at[i], why);
    if (cell->value.kind == VALUE_NUMBER && cell->shape->kind == SHAPE_NUMBER &&
        cell->location == NONE)
        cell->value = eval_in_register(eval_variable(e, cell, nowhere), cell->value.type);
}

static struct code_cell *variable_named(const struct eval *e, const char *name)
{
    struct code_cell *cell = name ? eval_find(e, name) : NULL;
    return cell || !name ? cell : eval_find_made_by_use(e, name);
}

static void forget(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = walk_assigned(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    if (cell)
        eval_forget(walk->e, cell, expr->span);
}

/* A number or pointer. */
static bool is_known(const struct code_cell *cell)
{
    bool known = cell->value.kind == VALUE_NUMBER || cell->value.kind == VALUE_ADDRESS ||
                 cell->value.kind == VALUE_CELL;
    for (uint32_t i = 0; i < cell->parts.len; i++)
        known = known || is_known(cell->parts.at[i]);
    return known;
}

static void look(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = walk_assigned(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    walk->found = walk->found || (cell && is_known(cell));
}

void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = forget, .e = e, .follows = DEEPEST_LAMBDAS};
    walk_both(&walk, stmt, expr);
}

bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = look, .e = e, .follows = DEEPEST_LAMBDAS};
    walk_both(&walk, stmt, expr);
    return walk.found;
}

static void note_code(struct walk *walk, const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word =
        callee && callee->kind == CPP_NAME ? cpp_last_part(&callee->name)->word : NULL;
    const char *of = callee && callee->kind == CPP_MEMBER ? walk_root(callee->kids[0]) : NULL;
    const struct code_cell *cell = word ? eval_find(walk->e, word)
                                   : of ? eval_find(walk->e, of)
                                        : NULL;
    bool object = cell && (cell->shape->structure || cell->value.kind == VALUE_FUNCTION ||
                           cell->shape->kind == SHAPE_VECTOR);
    walk->found = walk->found || object || (word && !cell && eval_function(walk->e, word));
}

bool eval_calls_code(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = note_code, .e = e};
    walk_both(&walk, stmt, expr);
    return walk.found;
}

void walk_note_assigned(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = walk_assigned(expr);
    walk->found = walk->found || (name && strcmp(name, walk->name) == 0);
}

/* Does the loop change a variable that its condition names? */
struct counting {
    struct walk walk;
    const struct cpp_stmt *body;
    const struct cpp_expr *condition, *step;
};

static void note_counter(struct walk *walk, const struct cpp_expr *expr)
{
    struct counting *counting = (struct counting *)walk;
    const char *name = eval_word(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    if (!cell || !is_known(cell))
        return;
    struct walk inner = {
        .see = walk_note_assigned, .e = walk->e, .name = name, .follows = DEEPEST_LAMBDAS};
    walk_expr(&inner, counting->condition);
    walk_expr(&inner, counting->step);
    walk_stmt(&inner, counting->body);
    walk->found = walk->found || inner.found;
}

bool eval_counts(struct eval *e, const struct cpp_expr *condition, const struct cpp_stmt *body,
                 const struct cpp_expr *step)
{
    struct counting counting = {{.see = note_counter, .e = e}, body, condition, step};
    walk_expr(&counting.walk, condition);
    return counting.walk.found;
}

/* ---- variables of a file -------------------------------------------------------------------- */

static bool may_write(const struct cpp_type *type)
{
    return type && type->kind == CPP_TYPE_REFERENCE && !type->to->is_const;
}

/* Of functions of C++ that change what they are given. */
static bool writes_arguments(const char *word)
{
    static const char *const words[] = {"swap", "exchange", "tie", "ref", "addressof"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Does a function of the name, of a class or of none, take that argument by a reference? */
static bool takes_reference(const struct eval *e, const char *word, uint32_t index)
{
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        const char *last = strrchr(one->name, ':');
        if (index < one->parameter_count && strcmp(last ? last + 1 : one->name, word) == 0 &&
            may_write(one->parameters[index].type))
            return true;
    }
    return false;
}

/* Somewhere in the code, a lambda takes that argument by a reference. */
static void note_lambda(struct walk *walk, const struct cpp_expr *expr)
{
    for (uint32_t i = 0; expr->kind == CPP_LAMBDA && i < expr->lambda->parameter_count; i++)
        walk->found = walk->found || may_write(expr->lambda->parameters[i].type);
}

static bool has_lambdas_that_write(const struct eval *e)
{
    struct walk walk = {.see = note_lambda};
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->body)
            walk_stmt(&walk, e->functions.at[i]->body);
    return walk.found;
}

static void note_referred(struct walk *walk, const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    bool named = callee && (callee->kind == CPP_NAME || callee->kind == CPP_MEMBER);
    const char *word = named ? cpp_last_part(&callee->name)->word : NULL;
    walk_note_assigned(walk, expr);
    for (uint32_t i = 1; callee && i < expr->kid_count; i++)
        if (walk_is_root(expr->kids[i], walk->name))
            walk->found = walk->found || !word || writes_arguments(word) ||
                          takes_reference(walk->e, word, i - 1) ||
                          (!eval_function(walk->e, word) && !walk_is_runtime(word) &&
                           !eval_orders_nothing(word) && has_lambdas_that_write(walk->e));
    if (expr->kind == CPP_LAMBDA && may_write(expr->lambda->result))
        walk->found = walk->found || eval_mentions(expr->lambda->body, walk->name);
}

/* "auto &u = n;", "Guard g(n);" */
static void note_reference(struct walk *walk, const struct cpp_declarator *one)
{
    const char *class =
        one->type->kind == CPP_TYPE_NAMED ? cpp_last_part(&one->type->name)->word : NULL;
    bool kept = may_write(one->type) || (class && eval_structure(walk->e, class));
    if (kept && one->value)
        walk->found = walk->found || walk_is_root(one->value, walk->name);
    const struct cpp_expr *list = one->value && one->value->kind == CPP_LIST ? one->value : NULL;
    for (uint32_t i = 0; kept && list && i < list->kid_count; i++)
        walk->found = walk->found || walk_is_root(list->kids[i], walk->name);
    for (uint32_t i = 0; kept && i < one->given_count; i++)
        walk->found = walk->found || walk_is_root(one->given[i], walk->name);
}

bool eval_is_changed(struct eval *e, const char *name)
{
    const char *of = strstr(name, "::"); /* "W::n", which the class calls n */
    struct walk walk = {.see = note_referred, .declares = note_reference, .e = e};
    walk.name = of ? of + 2 : name;
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *function = e->functions.at[i];
        if (function->body)
            walk_stmt(&walk, function->body);
        if (function->body && may_write(function->result)) /* "int &get() { return n; }" */
            walk.found = walk.found || eval_mentions(function->body, walk.name);
    }
    for (uint32_t i = 0; i < e->structures.len; i++)
        walk_stmt(&walk, e->structures.at[i]->members);
    for (uint32_t i = 0; i < e->globals.len; i++)
        walk_stmt(&walk, e->globals.at[i]);
    return walk.found;
}
