/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* Streams, events, graphs and nodes: which one a call names, and which one it makes. */

uint32_t eval_default_stream(const struct eval *e)
{
    return e->p->test->host->platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD
                                                                : HOST_STREAM_LEGACY;
}

/* Two objects of one name are told apart by a number. */
static const char *unique_object(const struct eval *e, const char *name)
{
    const char *unique = name;
    for (uint32_t number = 2;; number++) {
        bool taken = false;
        for (uint32_t i = 0; i < e->p->host_objects.len; i++)
            taken = taken || strcmp(e->p->host_objects.at[i].name, unique) == 0;
        if (!taken)
            return unique;
        unique = arena_printf(e->arena, "%s$%u", name, number);
    }
}

static uint32_t add_object(struct eval *e, const char *name, struct span span,
                           enum host_object_kind kind)
{
    struct host_object object = {kind, unique_object(e, name), span};
    vec_push(e->arena, &e->p->host_objects, object);
    return e->p->host_objects.len - 1;
}

static bool check_kind(struct eval *e, uint32_t object, enum host_object_kind kind,
                       struct span span)
{
    enum host_object_kind is = e->p->host_objects.at[object].kind;
    if (is == kind)
        return true;
    eval_error(e, host_object, span, NULL, "'%s' is %s, not %s", eval_text(e, span),
               host_object_rows[is].name, host_object_rows[kind].name);
    return false;
}

bool eval_wrong_kind(struct eval *e, const struct code_value *value, enum host_object_kind kind,
                     struct span span)
{
    if (value->kind == VALUE_UNKNOWN)
        return eval_needs(e, value, span, host_object_rows[kind].name);
    eval_error(e, host_object, span, NULL, "'%s' is not %s", eval_text(e, span),
               host_object_rows[kind].name);
    return false;
}

/* "s" or "s[0]" that nothing declares: its cell. */
struct code_cell *eval_undeclared(struct eval *e, const struct cpp_expr *expr)
{
    const struct cpp_expr *root = expr->kind == CPP_INDEX ? expr->kids[0] : expr;
    const char *word = eval_word(root);
    uint32_t location;
    if (!word || e->is_file || eval_find(e, word) || eval_is_location(e, root, &location) ||
        names_get(&e->p->host_names, 0, word, strlen(word)) != NONE)
        return NULL;
    struct code_cell *cell = eval_made_by_use(e, word, true);
    uint64_t index;
    if (expr->kind != CPP_INDEX)
        return cell;
    return eval_known_number(e, expr->kids[1], "an index", &index) && index < MAX_ELEMENTS
               ? eval_part(e, cell, index)
               : NULL;
}

bool eval_is_bare_name(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME || (expr->kind == CPP_INDEX && expr->kids[0]->kind == CPP_NAME);
}

/* What the conversion of an object gives. */
static bool converted_object(struct eval *e, struct code_value *value, enum host_object_kind kind,
                             struct span span)
{
    struct code_shape shape = {.kind = SHAPE_OBJECT, .object = kind};
    struct lvalue place;
    if (!eval_convert(e, value, &shape, span))
        return false;
    if (value->is_reference && value->kind == VALUE_CELL &&
        (!eval_pointed_to(e, value, 0, span, &place) || !eval_read(e, &place, span, value)))
        return false;
    if (value->kind == VALUE_NUMBER && !value->number && kind == HOST_STREAM) {
        *value = (struct code_value){.kind = VALUE_OBJECT, .object = eval_default_stream(e)};
        return true;
    }
    return value->kind == VALUE_OBJECT ? check_kind(e, value->object, kind, span)
                                       : eval_wrong_kind(e, value, kind, span);
}

/* The object that the variable holds; one that no call makes is made by its first use. */
bool eval_object_in(struct eval *e, struct code_cell *cell, enum host_object_kind kind,
                    struct span span, uint32_t *object)
{
    if (cell->value.kind == VALUE_NOTHING && cell->shape->kind == SHAPE_STRUCT &&
        cell->shape->structure) {
        struct code_value value = {.kind = VALUE_CELL, .cell = cell, .is_object = true};
        if (!converted_object(e, &value, kind, span))
            return false;
        *object = value.object;
        return true;
    }
    if (cell->value.kind == VALUE_NOTHING) {
        cell->value = (struct code_value){.kind = VALUE_OBJECT};
        cell->value.object = add_object(e, cell->name, span, kind);
    }
    if (cell->value.kind == VALUE_NUMBER && !cell->value.number && kind == HOST_STREAM) {
        *object = eval_default_stream(e);
        return true;
    }
    if (cell->value.kind != VALUE_OBJECT)
        return eval_wrong_kind(e, &cell->value, kind, span);
    *object = cell->value.object;
    return check_kind(e, *object, kind, span);
}

bool eval_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                 uint32_t *object)
{
    struct code_value value;
    struct lvalue place;
    while (expr->kind == CPP_CAST ||
           (kind == HOST_NODE && expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND))
        expr = expr->kids[0];
    struct code_cell *cell = eval_is_bare_name(expr) ? eval_undeclared(e, expr) : NULL;
    const char *word = eval_word(expr);
    if (cell && word && strcmp(word, "NULL") == 0)
        cell = NULL;
    if (cell)
        return eval_object_in(e, cell, kind, expr->span, object);
    if (eval_is_bare_name(expr) || expr->kind == CPP_MEMBER ||
        (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL)) {
        if (!eval_place_of(e, expr, &place))
            return false;
        if (place.cell)
            return eval_object_in(e, place.cell, kind, expr->span, object);
        eval_error(e, host_object, expr->span, NULL, "'%s' is not %s", eval_text(e, expr->span),
                   host_object_rows[kind].name);
        return false;
    }
    if (!eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_NUMBER && kind == HOST_STREAM && value.number <= 2) {
        *object = value.number == 2   ? HOST_STREAM_PER_THREAD
                  : value.number == 1 ? HOST_STREAM_LEGACY
                                      : eval_default_stream(e);
        return true;
    }
    if (eval_class_of(&value) && !converted_object(e, &value, kind, expr->span))
        return false;
    *object = value.object;
    return value.kind == VALUE_OBJECT ? check_kind(e, *object, kind, expr->span)
                                      : eval_wrong_kind(e, &value, kind, expr->span);
}

static uint32_t *maker(struct eval *e, uint32_t object)
{
    while (e->made_by.len <= object)
        vec_push(e->arena, &e->made_by, NONE);
    return &e->made_by.at[object];
}

/* The variable whose address the call is given. */
static struct code_cell *given_cell(struct eval *e, const struct cpp_expr *expr,
                                    enum host_object_kind kind)
{
    struct code_value value;
    struct lvalue place;
    while (expr->kind == CPP_CAST)
        expr = expr->kids[0];
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND && eval_is_bare_name(expr->kids[0])) {
        struct code_cell *cell = eval_undeclared(e, expr->kids[0]);
        if (cell)
            return cell;
    } else if (expr->kind == CPP_NAME && eval_undeclared(e, expr)) {
        eval_error(e, host_object, expr->span, NULL, "expected '&' and a name: the call makes %s",
                   host_object_rows[kind].name);
        return NULL;
    }
    if (!eval_value(e, expr, &value))
        return NULL;
    if (value.kind != VALUE_CELL) {
        if (value.kind == VALUE_UNKNOWN)
            eval_needs(e, &value, expr->span, "a variable's address");
        else
            eval_error(e, host_object, expr->span, NULL,
                       "expected '&' and a name: the call makes %s", host_object_rows[kind].name);
        return NULL;
    }
    return eval_pointed_to(e, &value, 0, expr->span, &place) ? place.cell : NULL;
}

/* A call that makes an object twice makes another one. */
bool eval_made_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                      uint32_t *object)
{
    const char *word = eval_word(expr);
    if (kind == HOST_GRAPH && word && strcmp(word, "NULL") == 0) { /* nobody names it */
        *object = add_object(e, "captured", expr->span, kind);
        return true;
    }
    struct code_cell *cell = given_cell(e, expr, kind);
    if (!cell)
        return false;
    bool has = cell->value.kind == VALUE_OBJECT;
    if (has && !check_kind(e, cell->value.object, kind, expr->span))
        return false;
    if (cell->shape->kind == SHAPE_OBJECT && cell->shape->object != kind) {
        eval_error(e, host_object, expr->span, NULL, "'%s' is %s, not %s", cell->name,
                   host_object_rows[cell->shape->object].name, host_object_rows[kind].name);
        return false;
    }
    if (!has || *maker(e, cell->value.object) == e->host) {
        cell->value = (struct code_value){.kind = VALUE_OBJECT};
        cell->value.object = add_object(e, cell->name, expr->span, kind);
    }
    *object = cell->value.object;
    *maker(e, *object) = e->host;
    return true;
}
