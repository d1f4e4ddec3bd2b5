/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Classes, and objects in their functions. An object is a variable whose parts are its members, those of
 * its bases among them; the functions of its classes are read at their calls, where the members are variables. */

enum { DEEPEST_BASES = 16 };

/* ---- classes -------------------------------------------------------------------------------- */

static void add_levels(struct eval *e, const struct code_shape *shape, struct class_levels *to,
                       unsigned depth)
{
    const struct structure *of = shape->structure;
    if (depth > DEEPEST_BASES || !of)
        return;
    struct class_opening opening = eval_open_class(e, shape);
    for (uint32_t i = 0; i < of->base_count; i++) {
        const struct code_shape *base = eval_shape(e, of->bases[i]);
        if (base && base->kind == SHAPE_STRUCT)
            add_levels(e, base, to, depth + 1);
    }
    eval_close_class(e, opening);
    vec_push(e->arena, &to->of, shape);
}

struct class_levels eval_levels(struct eval *e, const struct code_shape *shape)
{
    struct class_levels levels = {{0}};
    add_levels(e, shape, &levels, 0);
    return levels;
}

bool eval_is_data_member(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_DECLARATION &&
           !(stmt->specifiers & (CPP_SPECIFIER_TYPEDEF | CPP_SPECIFIER_STATIC));
}

bool eval_is_list_shape(const struct code_shape *shape)
{
    return shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
}

bool eval_declares_member(const struct structure *of, const char *name)
{
    for (uint32_t i = 0; i < of->members->kid_count; i++)
        for (uint32_t k = 0; eval_is_data_member(of->members->kids[i]) &&
                             k < of->members->kids[i]->declarator_count;
             k++)
            if (strcmp(of->members->kids[i]->declarators[k].name, name) == 0)
                return true;
    return false;
}

/* Has a member an end or a beginning of its own? */
static bool has_objects(struct eval *e, const struct code_shape *level)
{
    const struct cpp_stmt *members = level->structure->members;
    struct class_opening opening = eval_open_class(e, level);
    bool found = false;
    for (uint32_t i = 0; i < members->kid_count && !found; i++)
        for (uint32_t k = 0; eval_is_data_member(members->kids[i]) && !found &&
                             k < members->kids[i]->declarator_count;
             k++) {
            const struct cpp_type *type = members->kids[i]->declarators[k].type;
            const struct code_shape *shape =
                type->kind == CPP_TYPE_REFERENCE || type->kind == CPP_TYPE_POINTER
                    ? NULL
                    : eval_shape(e, type);
            found =
                type->kind == CPP_TYPE_REFERENCE ||
                (shape && (shape->kind >= SHAPE_THREAD || shape->kind == SHAPE_VECTOR ||
                           (shape->structure != level->structure && eval_holds_objects(e, shape))));
        }
    eval_close_class(e, opening);
    return found;
}

bool eval_is_class(struct eval *e, const struct code_shape *shape)
{
    static const char *const words[] = {"", "~", "operator="};
    const struct structure *of = shape->kind == SHAPE_STRUCT ? shape->structure : NULL;
    if (!of || !of->is_own)
        return false;
    if (of->base_count)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (eval_has_member_function(e, shape, words[i]))
            return true;
    return has_objects(e, shape);
}

bool eval_holds_objects(struct eval *e, const struct code_shape *shape)
{
    while (eval_is_list_shape(shape))
        shape = shape->of;
    return eval_is_class(e, shape);
}

/* ---- the object in its functions ------------------------------------------------------------ */

struct code_cell *eval_self(const struct eval *e)
{
    const struct code_cell *self = eval_find(e, "this");
    return self && self->value.kind == VALUE_CELL ? self->value.cell : NULL;
}

void eval_bind_statics(struct eval *e, const struct structure *of)
{
    size_t length = strlen(of->name);
    for (uint32_t i = 0, count = e->scope.len; i < count; i++) {
        const struct binding one = e->scope.at[i];
        if (strncmp(one.name, of->name, length) == 0 && strncmp(one.name + length, "::", 2) == 0)
            eval_bind(e, one.name + length + 2, one.cell);
    }
}

void eval_bind_self(struct eval *e, struct code_cell *self)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct class_levels levels = eval_levels(e, self->shape);
    struct code_cell *cell = eval_new_cell(e, "this", &any);
    cell->is_const = true;
    cell->value = (struct code_value){.kind = VALUE_CELL, .cell = self};
    eval_bind(e, "this", cell);
    for (uint32_t l = 0; l < levels.of.len; l++) {
        const struct cpp_stmt *members = levels.of.at[l]->structure->members;
        eval_bind_statics(e, levels.of.at[l]->structure);
        for (uint32_t i = 0; i < members->kid_count; i++)
            for (uint32_t k = 0;
                 eval_is_data_member(members->kids[i]) && k < members->kids[i]->declarator_count;
                 k++) {
                const char *name = members->kids[i]->declarators[k].name;
                eval_bind(e, name, eval_member(e, self, name));
            }
    }
}
