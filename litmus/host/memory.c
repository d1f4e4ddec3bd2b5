/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Locations that host code makes: variables whose address is taken, and what pointers get from an
 * allocation. */

static bool is_register(const struct eval *e, const char *name)
{
    for (uint32_t i = 0; e->is_file && i < e->p->host_threads.len; i++) {
        const struct raw_body *body = &e->p->raws.at[e->p->host_threads.at[i].body];
        for (uint32_t k = 0; k < body->variables.len; k++)
            if (strcmp(body->variables.at[k].name, name) == 0)
                return true;
    }
    return false;
}

/* The second allocation of d is d$2. */
static const char *unique_name(const struct eval *e, const char *name)
{
    const char *unique = name;
    for (uint32_t number = 2;
         names_has(&e->p->location_names, NONE, unique) || is_register(e, unique); number++)
        unique = arena_printf(e->arena, "%s$%u", name, number);
    return unique;
}

uint32_t eval_new_location(struct eval *e, const char *name, enum type type, uint64_t elements,
                           enum memory_kind kind, struct span span)
{
    struct location location = test_location();
    uint32_t index = e->p->locations.len;
    location.name = unique_name(e, name ? name : "memory");
    location.type = type == TYPE_NONE ? TYPE_U8 : type;
    location.elements = (uint32_t)(elements ? elements : 1);
    location.array = elements > 1;
    location.memory = kind;
    location.declared = true;
    location.span = span;
    if (elements > MAX_ELEMENTS)
        eval_error(e, bad_array, span, "use fewer elements", "memory has at most %d elements",
                   MAX_ELEMENTS);
    vec_push(e->arena, &e->p->locations, location);
    names_put(&e->p->location_names, NONE, location.name, strlen(location.name), index);
    return index;
}

void eval_name_memory(struct eval *e, uint32_t index, const char *name)
{
    struct location *location = &e->p->locations.at[index];
    if (strncmp(location->name, "memory", 6) != 0 || !location->declared)
        return;
    location->name = unique_name(e, name);
    names_put(&e->p->location_names, NONE, location->name, strlen(location->name), index);
}

/* "d[0]" of an array of pointers is the location d_0. */
static const char *location_name(const struct eval *e, const char *name)
{
    char *text = arena_strndup(e->arena, name, strlen(name)), *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ']')
            *to++ = *from == '[' || *from == '.' ? '_' : *from;
    *to = 0;
    return text;
}

/* A variable of main, or of a test, has its name whatever functions that were called before call theirs: if one of
 * theirs has it, the two change names. */
static void settle_name(struct eval *e, uint32_t index, const char *wanted, bool is_inner)
{
    struct location *made = &e->p->locations.at[index];
    uint32_t other = names_get(&e->p->location_names, NONE, wanted, strlen(wanted));
    bool yields = false;
    if (is_inner) {
        vec_push(e->arena, &e->inner_memory, index);
        return;
    }
    for (uint32_t i = 0; i < e->inner_memory.len; i++)
        yields = yields || e->inner_memory.at[i] == other;
    if (!yields || other == index)
        return;
    const char *given = made->name;
    made->name = e->p->locations.at[other].name;
    e->p->locations.at[other].name = given;
    names_put(&e->p->location_names, NONE, made->name, strlen(made->name), index);
    names_put(&e->p->location_names, NONE, given, strlen(given), other);
}

/* ---- variables in memory -------------------------------------------------------------------- */

/* How many elements "v(n, x)" and "v{…}" make. */
static bool vector_size(struct eval *e, const struct cpp_declarator *one, uint64_t *count)
{
    bool list = one->value && one->value->kind == CPP_LIST;
    if (list)
        *count = one->value->kid_count;
    else if (one->is_given && one->is_braced)
        *count = one->given_count;
    else if (one->given_count)
        return eval_known_number(e, one->given[0], "the size of a vector", count);
    return true;
}

/* The variable is in memory from now on. */
static void give_memory(struct eval *e, struct code_cell *cell, uint64_t elements, struct span span)
{
    const struct code_shape *of = cell->shape;
    while (of->kind == SHAPE_ARRAY || of->kind == SHAPE_VECTOR)
        of = of->of;
    const char *name = location_name(e, cell->name);
    cell->location = eval_new_location(e, name, of->type, elements, MEMORY_PAGEABLE, span);
    settle_name(e, cell->location, name, cell->is_inner);
    e->p->locations.at[cell->location].array = cell->shape->kind != SHAPE_NUMBER;
}

void eval_place_member(struct eval *e, struct code_cell *member, bool shared)
{
    const struct code_shape *shape = member->shape;
    uint64_t elements = 1;
    for (; shape->kind == SHAPE_ARRAY; shape = shape->of)
        elements *= shape->count;
    bool array = shape != member->shape;
    if (shape->kind == SHAPE_NUMBER && shape->type != TYPE_NONE &&
        (array || shape->is_atomic || shared))
        give_memory(e, member, elements, (struct span){0, 0});
}

bool eval_declare_memory(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    const struct code_shape *of = cell->shape;
    uint64_t elements = 1;
    while (of->kind == SHAPE_ARRAY || of->kind == SHAPE_VECTOR) {
        if (of->kind == SHAPE_ARRAY)
            elements *= of->count;
        else if (!vector_size(e, one, &elements))
            return false;
        of = of->of;
    }
    give_memory(e, cell, elements, one->span);
    return eval_initialize(e, cell, one);
}

bool eval_place_rows(struct eval *e, struct code_cell *cell, struct span span)
{
    for (uint32_t i = 0; i < cell->parts.len; i++) {
        struct code_cell *row = cell->parts.at[i];
        const struct code_shape *of = row->shape->of;
        if (row->location != NONE || !row->parts.len || of->kind != SHAPE_NUMBER || of->is_atomic)
            continue;
        give_memory(e, row, row->parts.len, span);
        for (uint32_t k = 0; k < row->parts.len; k++) {
            struct lvalue place = {.location = row->location, .offset = k * eval_bytes(e, of)};
            if (!eval_write(e, &place, &row->parts.at[k]->value, span))
                return false;
        }
        row->parts.len = 0;
    }
    return true;
}

/* ---- allocations ---------------------------------------------------------------------------- */

bool eval_allocate(struct eval *e, struct code_cell *pointer, uint64_t bytes, enum memory_kind kind,
                   struct span span, uint32_t *location)
{
    const struct code_shape *of = pointer->shape->kind == SHAPE_POINTER ? pointer->shape->of : NULL;
    enum type type = of && of->kind == SHAPE_NUMBER ? of->type : TYPE_U8;
    if (!eval_take_to_set(e, pointer, span))
        return false;
    if (of && of->kind == SHAPE_STRUCT && of->structure && eval_member_type(e, of) != TYPE_NONE)
        type = eval_member_type(e, of);
    uint64_t elements = (bytes + type_bytes(type) - 1) / type_bytes(type);
    const char *name = location_name(e, pointer->name);
    *location = eval_new_location(e, name, type, elements, kind, span);
    settle_name(e, *location, name, pointer->is_inner);
    e->p->locations.at[*location].array = true;
    pointer->value = (struct code_value){.kind = VALUE_ADDRESS, .location = *location};
    pointer->value.shape = of && of->kind != SHAPE_VOID ? of : NULL;
    return true;
}

/* ---- malloc --------------------------------------------------------------------------------- */

bool eval_is_room(const struct cpp_expr *expr)
{
    return eval_is_call_of(expr, "malloc") || eval_is_call_of(expr, "calloc");
}

bool eval_is_of_variables(const struct code_shape *shape)
{
    return shape->kind == SHAPE_OBJECT || shape->kind == SHAPE_STRUCT ||
           shape->kind == SHAPE_POINTER || shape->kind == SHAPE_THREAD;
}

bool eval_room(struct eval *e, const struct cpp_expr *expr, uint64_t *bytes)
{
    uint64_t size = 1;
    bool calloc = eval_is_call_of(expr, "calloc");
    if (expr->kid_count != (calloc ? 3 : 2)) {
        eval_error(e, host_argument, expr->span, NULL, "malloc takes a size, calloc two");
        return false;
    }
    if (!eval_known_number(e, expr->kids[1], "the size of an allocation", bytes) ||
        (calloc && !eval_known_number(e, expr->kids[2], "the size of an element", &size)))
        return false;
    *bytes *= size;
    return true;
}

/* The variables that a pointer gets from malloc or new have its name; until then this one. */
#define ROOM "memory"

void eval_name_room(struct eval *e, struct code_cell *room, const char *name)
{
    if (strcmp(room->name, ROOM) != 0 && strcmp(room->name, "new") != 0)
        return;
    room->name = name;
    for (uint32_t i = 0; i < room->parts.len; i++)
        room->parts.at[i]->name = arena_printf(e->arena, "%s[%u]", name, i);
}

bool eval_make_room(struct eval *e, const struct code_shape *shape, const struct cpp_expr *expr,
                    struct code_value *to)
{
    struct code_shape *array = ARENA_NEW(e->arena, struct code_shape);
    uint64_t bytes, each = eval_bytes(e, shape);
    if (!eval_room(e, expr, &bytes))
        return false;
    if (bytes / each > MAX_ELEMENTS) {
        eval_error(e, bad_array, expr->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    *array =
        (struct code_shape){.kind = SHAPE_ARRAY, .of = shape, .count = (uint32_t)(bytes / each)};
    *to = (struct code_value){.kind = VALUE_CELL};
    to->cell = eval_new_cell(e, ROOM, array);
    return true;
}
