/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Variables: which are seen, what they consist of, and which the code may assign. */

struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape)
{
    struct code_cell *cell = ARENA_NEW(e->arena, struct code_cell);
    *cell = (struct code_cell){.name = name,
                               .shape = shape,
                               .id = e->cells.len,
                               .host = e->host,
                               .variable = NONE,
                               .location = NONE,
                               .is_inner = e->calls || e->in_loop_head};
    vec_push(e->arena, &e->cells, cell);
    return cell;
}

void eval_bind(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {name, cell};
    vec_push(e->arena, &e->scope, binding);
}

struct code_cell *eval_find(const struct eval *e, const char *name)
{
    for (uint32_t i = e->scope.len; i-- > 0;) {
        if (i >= e->frame.visible && i < e->frame.floor)
            continue;
        if (strcmp(e->scope.at[i].name, name) == 0)
            return e->scope.at[i].cell;
    }
    return NULL;
}

void eval_close_scope(struct eval *e, uint32_t count)
{
    eval_unlock_scope(e, count);
    e->scope.len = count;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static const struct code_shape *member_shape(struct eval *e, const struct code_cell *cell,
                                             const char *name)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct structure *structure = cell->shape->structure;
    for (uint32_t i = 0; structure && i < structure->members->kid_count; i++) {
        const struct cpp_stmt *one = structure->members->kids[i];
        for (uint32_t k = 0; k < one->declarator_count; k++)
            if (strcmp(one->declarators[k].name, name) == 0)
                return eval_shape(e, one->declarators[k].type);
    }
    return &any;
}

struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name)
{
    for (uint32_t i = 0; i < cell->parts.len; i++)
        if (cell->parts.at[i]->member && strcmp(cell->parts.at[i]->member, name) == 0)
            return cell->parts.at[i];
    const char *whole = arena_printf(e->arena, "%s.%s", cell->name, name);
    struct code_cell *part = eval_new_cell(e, whole, member_shape(e, cell, name));
    part->member = name;
    part->host = cell->host;
    part->is_inner = true;
    vec_push(e->arena, &cell->parts, part);
    return part;
}

struct code_cell *eval_part(struct eval *e, struct code_cell *cell, uint64_t index)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    while (cell->parts.len <= index) {
        struct code_cell *part =
            eval_new_cell(e, arena_printf(e->arena, "%s[%u]", cell->name, cell->parts.len),
                          cell->shape && cell->shape->of ? cell->shape->of : &any);
        part->host = cell->host;
        part->is_inner = true;
        vec_push(e->arena, &cell->parts, part);
    }
    return cell->parts.at[index];
}

/* ---- what the code may assign --------------------------------------------------------------- */

/* A walk over a statement: 'see' is called for every expression in it. */
struct walk {
    void (*see)(struct walk *walk, const struct cpp_expr *expr);
    struct eval *e;
    const char *name;
    bool found;
};

static void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt);

static void walk_expr(struct walk *walk, const struct cpp_expr *expr)
{
    if (!expr)
        return;
    walk->see(walk, expr);
    for (uint32_t i = 0; i < expr->kid_count; i++)
        walk_expr(walk, expr->kids[i]);
    if (expr->kind == CPP_LAMBDA)
        walk_stmt(walk, expr->lambda->body);
}

static void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt)
{
    walk_expr(walk, stmt->value);
    walk_expr(walk, stmt->condition);
    walk_expr(walk, stmt->step);
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        walk_expr(walk, one->value);
        for (uint32_t k = 0; k < one->given_count; k++)
            walk_expr(walk, one->given[k]);
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        walk_stmt(walk, stmt->kids[i]);
}

/* The variable that an expression is a part of, or NULL. */
static const char *root_name(const struct cpp_expr *expr)
{
    while (expr->kid_count &&
           (expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER || expr->kind == CPP_CAST))
        expr = expr->kids[0];
    return eval_word(expr);
}

/* The variable that the expression assigns or gives away, or NULL. */
static const char *assigned_name(const struct cpp_expr *expr)
{
    bool step = (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) &&
                (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT);
    bool gives = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND;
    return step || gives || expr->kind == CPP_ASSIGNMENT ? root_name(expr->kids[0]) : NULL;
}

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
    const char *name = assigned_name(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    if (cell)
        eval_forget(walk->e, cell, expr->span);
}

static bool is_known_number(const struct code_cell *cell)
{
    bool known = cell->value.kind == VALUE_NUMBER;
    for (uint32_t i = 0; i < cell->parts.len; i++)
        known = known || is_known_number(cell->parts.at[i]);
    return known;
}

static void look(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = assigned_name(expr);
    struct code_cell *cell = variable_named(walk->e, name);
    walk->found = walk->found || (cell && is_known_number(cell));
}

static void both(struct walk *walk, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    walk_expr(walk, expr);
    if (stmt)
        walk_stmt(walk, stmt);
}

void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = forget, .e = e};
    both(&walk, stmt, expr);
}

bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    struct walk walk = {.see = look, .e = e};
    both(&walk, stmt, expr);
    return walk.found;
}

static void note_count(struct walk *walk, const struct cpp_expr *expr)
{
    const char *name = assigned_name(expr);
    walk->found = walk->found || (name && strcmp(name, walk->name) == 0);
}

/* 'name' is set to each variable that the condition names; the loop's code follows in 'rest'. */
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
    if (!cell || !is_known_number(cell))
        return;
    struct walk inner = {.see = note_count, .name = name};
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

/* Calls that write what they are given the address of, before they return. */
static bool writes_argument(const struct cpp_expr *call)
{
    static const char *const words[] = {"cudaMalloc",           "cudaGet",
                                        "cudaDeviceGet",        "cudaHostAlloc",
                                        "cudaHostGet",          "cudaEventElapsedTime",
                                        "cudaStreamGet",        "cudaStreamIsCapturing",
                                        "cudaOccupancy",        "cudaEventCreate",
                                        "cudaStreamCreate",     "cudaGraph",
                                        "cudaStreamEndCapture", "cudaDeviceCan",
                                        "cudaMemGetInfo",       "cudaThreadExchange",
                                        "cudaMemPool",          "cudaRuntimeGet",
                                        "cudaDriverGet"};
    const char *word = eval_word(call->kids[0]);
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strncmp(word, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static const struct cpp_expr *without_casts(const struct cpp_expr *expr)
{
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    return expr;
}

static bool is_address_of(const struct cpp_expr *expr, const char *name)
{
    expr = without_casts(expr);
    if (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_AND)
        return false;
    const char *root = root_name(expr->kids[0]);
    return root && strcmp(root, name) == 0;
}

static bool mentions(const struct cpp_stmt *stmt, const char *name);

static void note_address(struct walk *walk, const struct cpp_expr *expr)
{
    bool call = expr->kind == CPP_CALL;
    if (call && !writes_argument(expr) && eval_word(expr->kids[0]) &&
        strncmp(eval_word(expr->kids[0]), "cuda", 4) == 0)
        for (uint32_t i = 1; i < expr->kid_count; i++)
            walk->found = walk->found || is_address_of(expr->kids[i], walk->name);
    if (expr->kind == CPP_LAMBDA && expr->lambda->by_reference)
        walk->found = walk->found || mentions(expr->lambda->body, walk->name);
    const char *word = call ? eval_word(expr->kids[0]) : NULL;
    if (word && (strcmp(word, "ref") == 0 || strcmp(word, "atomic_ref") == 0) &&
        expr->kid_count > 1)
        walk->found = walk->found || (root_name(expr->kids[1]) &&
                                      strcmp(root_name(expr->kids[1]), walk->name) == 0);
    if (expr->kind == CPP_ASSIGNMENT && is_address_of(expr->kids[1], walk->name) &&
        expr->kids[0]->kind == CPP_NAME)
        walk->found = true;
}

static void note_mention(struct walk *walk, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    walk->found = walk->found || (word && strcmp(word, walk->name) == 0);
}

static bool mentions(const struct cpp_stmt *stmt, const char *name)
{
    struct walk walk = {.see = note_mention, .name = name};
    walk_stmt(&walk, stmt);
    return walk.found;
}

bool eval_is_changed(const struct eval *e, const char *name)
{
    struct walk walk = {.see = note_count, .name = name};
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->body)
            walk_stmt(&walk, e->functions.at[i]->body);
    return walk.found;
}

bool eval_takes_address(const struct cpp_stmt *body, const char *name)
{
    struct walk walk = {.see = note_address, .name = name};
    walk_stmt(&walk, body);
    return walk.found;
}
