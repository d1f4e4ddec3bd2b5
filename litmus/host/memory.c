/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Locations that host code makes: variables whose address is taken, and what pointers get from an
 * allocation. */

/* The second allocation of d is d$2. */
static const char *unique_name(const struct eval *e, const char *name)
{
    const char *unique = name;
    for (uint32_t number = 2; names_has(&e->p->location_names, NONE, unique); number++)
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

/* ---- variables in memory -------------------------------------------------------------------- */

/* Values that are written before anything runs would be initial ones; a local variable's are stores. */
static bool store(struct eval *e, uint32_t location, uint64_t index, const struct cpp_expr *expr)
{
    struct lvalue place = {.location = location, .offset = index * eval_unit(e, location)};
    struct code_value value;
    return eval_value(e, expr, &value) && eval_write(e, &place, &value, expr->span);
}

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

static bool initial_stores(struct eval *e, const struct code_cell *cell,
                           const struct cpp_declarator *one, uint64_t elements)
{
    const struct cpp_expr *const *list = one->given;
    uint32_t count = one->given_count;
    bool sized = cell->shape->kind == SHAPE_VECTOR && one->is_given && !one->is_braced;
    if (one->value && one->value->kind == CPP_LIST) {
        list = one->value->kids;
        count = one->value->kid_count;
    } else if (one->value) {
        list = &one->value;
        count = 1;
    }
    if (sized && count == 2)
        for (uint64_t i = 0; i < elements; i++)
            if (!store(e, cell->location, i, list[1]))
                return false;
    for (uint32_t i = 0; !sized && i < count && i < elements; i++)
        if (!store(e, cell->location, i, list[i]))
            return false;
    return true;
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
    cell->location =
        eval_new_location(e, cell->name, of->type, elements, MEMORY_PAGEABLE, one->span);
    e->p->locations.at[cell->location].array = cell->shape->kind != SHAPE_NUMBER;
    return initial_stores(e, cell, one, elements);
}

/* ---- allocations ---------------------------------------------------------------------------- */

/* "d[0]" of an array of pointers is the location d_0. */
static const char *location_name(const struct eval *e, const char *name)
{
    char *text = arena_strndup(e->arena, name, strlen(name));
    size_t length = strlen(text);
    for (char *c = text; *c; c++)
        if (*c == '[' || *c == '.')
            *c = '_';
    if (length && text[length - 1] == ']')
        text[length - 1] = 0;
    return text;
}

bool eval_allocate(struct eval *e, struct code_cell *pointer, uint64_t bytes, enum memory_kind kind,
                   struct span span, uint32_t *location)
{
    const struct code_shape *of = pointer->shape->kind == SHAPE_POINTER ? pointer->shape->of : NULL;
    enum type type = of && of->kind == SHAPE_NUMBER ? of->type : TYPE_U8;
    uint64_t elements = (bytes + type_bytes(type) - 1) / type_bytes(type);
    *location = eval_new_location(e, location_name(e, pointer->name), type, elements, kind, span);
    e->p->locations.at[*location].array = true;
    pointer->value = (struct code_value){.kind = VALUE_ADDRESS, .location = *location};
    pointer->value.shape = of && of->kind != SHAPE_VOID ? of : NULL;
    return true;
}
