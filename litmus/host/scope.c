/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Variables: which are seen, and what they consist of. */

struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape)
{
    struct code_cell *cell = ARENA_NEW(e->arena, struct code_cell);
    *cell = (struct code_cell){.name = name,
                               .shape = shape,
                               .id = e->cells.len,
                               .host = e->host,
                               .writer = NONE,
                               .variable = NONE,
                               .location = NONE,
                               .is_opaque = shape && shape->is_unknown,
                               .is_inner = e->calls || e->in_loop_head};
    if (shape && shape->is_text)
        cell->value = eval_new_text(e, "", 0, (struct span){0, 0});
    vec_push(e->arena, &e->cells, cell);
    return cell;
}

bool eval_is_of_unknown_type(const struct eval *e, const struct code_value *value)
{
    return e->is_file &&
           (value->kind == VALUE_UNKNOWN ||
            (value->kind == VALUE_CELL && value->is_object && value->cell->is_opaque));
}

void eval_bind(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {.name = name, .cell = cell};
    vec_push(e->arena, &e->scope, binding);
}

void eval_bind_taken(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {.name = name, .cell = cell, .is_parameter = true};
    vec_push(e->arena, &e->scope, binding);
}

void eval_bind_reference(struct eval *e, const char *name, struct code_cell *cell)
{
    struct binding binding = {.name = name, .cell = cell, .refers = true};
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

struct code_cell *eval_find_of_file(const struct eval *e, const char *name)
{
    for (uint32_t i = e->file_scope; i-- > 0;)
        if (strcmp(e->scope.at[i].name, name) == 0)
            return e->scope.at[i].cell;
    return NULL;
}

void eval_close_scope(struct eval *e, uint32_t count)
{
    uint32_t left = e->left;
    gap_close_scope(e, count);
    e->left = 0; /* however the scope is left */
    eval_unlock_scope(e, count);
    e->left = left;
    e->scope.len = count;
}

/* Code that is not modelled made it. */
static bool is_gap(const struct code_cell *cell)
{
    return cell->value.kind == VALUE_UNKNOWN && cell->value.number;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* "unsigned x : 4"; NULL: the number is not known. */
static const struct code_shape *narrowed(struct eval *e, const struct code_shape *shape,
                                         const struct cpp_expr *width)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    uint64_t bits;
    if (!shape || shape->kind != SHAPE_NUMBER ||
        !eval_known_number(e, width, "the width of a bit-field", &bits))
        return NULL;
    *made = *shape;
    made->bits = bits < 8 * type_bytes(shape->type) ? (uint8_t)bits : 0;
    return made;
}

static const struct code_shape *shape_in(struct eval *e, const struct code_shape *level,
                                         const char *name)
{
    const struct cpp_stmt *members = level->structure->members;
    for (uint32_t i = 0; i < members->kid_count; i++) {
        const struct cpp_stmt *one = members->kids[i];
        for (uint32_t k = 0; k < one->declarator_count; k++)
            if (strcmp(one->declarators[k].name, name) == 0) {
                struct class_opening opening = eval_open_class(e, level);
                const struct cpp_expr *width = one->declarators[k].width;
                const struct code_shape *shape = eval_shape(e, one->declarators[k].type);
                if (width)
                    shape = narrowed(e, shape, width);
                eval_close_class(e, opening);
                return shape;
            }
    }
    return NULL;
}

const struct code_shape *eval_member_shape(struct eval *e, const struct code_shape *of,
                                           const char *name)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    if (!of->structure)
        return &any;
    struct class_levels levels = eval_levels(e, of);
    for (uint32_t i = levels.of.len; i-- > 0;) {
        const struct code_shape *shape = shape_in(e, levels.of.at[i], name);
        if (shape)
            return shape;
    }
    return &any;
}

struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name)
{
    for (uint32_t i = 0; i < cell->parts.len; i++)
        if (cell->parts.at[i]->member && strcmp(cell->parts.at[i]->member, name) == 0)
            return cell->parts.at[i];
    const char *whole = arena_printf(e->arena, "%s.%s", cell->name, name);
    struct code_cell *part = eval_new_cell(e, whole, eval_member_shape(e, cell->shape, name));
    part->member = name;
    part->host = cell->host;
    part->is_inner = true;
    part->is_opaque = part->is_opaque || cell->is_opaque;
    if (is_gap(cell))
        part->value = cell->value;
    else
        eval_place_member(e, part,
                          cell->shape->structure &&
                              (eval_is_shared_member(e, name) || eval_is_given_member(e, name)));
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
        part->is_opaque = part->is_opaque || cell->is_opaque;
        if (is_gap(cell))
            part->value = cell->value;
        vec_push(e->arena, &cell->parts, part);
    }
    return cell->parts.at[index];
}
