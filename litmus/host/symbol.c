/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/test/mangled.h"

/* Variables that a file declares for the device. The compiler gives them memory, arrays and structures as bytes. */

/* Under its own name, or under the one that the compiler made of it; then it has both from now on. */
static uint32_t symbol_named(struct eval *e, const char *name)
{
    struct parser *p = e->p;
    size_t length = strlen(name);
    uint32_t found = names_get(&p->location_names, NONE, name, length);
    for (uint32_t i = 0; found == NONE && i < p->locations.len; i++)
        if (mangled_is(p->locations.at[i].name, name, length)) {
            found = i;
            names_put(&p->location_names, NONE, name, length, i);
        }
    return found;
}

/* The bytes of each element together, the lowest first. */
static void join(struct eval *e, struct location *location, uint32_t size)
{
    struct location_init *values = ARENA_ARRAY(e->arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++) {
        values[i].address_of = NONE;
        for (uint32_t k = 0; k < size; k++)
            values[i].value |= location->init[i * size + k].value << 8 * k;
    }
    location->init = values;
}

static bool has_addresses(const struct location *location)
{
    for (uint32_t i = 0; location->init && i < location->elements; i++)
        if (location->init[i].address_of != NONE)
            return true;
    return false;
}

void eval_type_symbol(struct eval *e, const struct cpp_declarator *one)
{
    uint32_t index = symbol_named(e, one->name);
    const struct code_shape *shape = eval_shape(e, one->type);
    while (shape && shape->kind == SHAPE_ARRAY)
        shape = shape->of;
    if (index == NONE || !shape || shape->kind != SHAPE_NUMBER || shape->type == TYPE_NONE)
        return;
    struct location *location = &e->p->locations.at[index];
    uint32_t size = type_bytes(shape->type), has = type_bytes(location->type);
    if (has == size)
        location->type = shape->type;
    if (has != 1 || has == size || location->elements % size || has_addresses(location))
        return;
    location->type = shape->type;
    location->elements /= size;
    location->array = one->type->kind == CPP_TYPE_ARRAY;
    if (location->init)
        join(e, location, size);
}
