/* SPDX-License-Identifier: MIT */
#include "litmus/print/init.h"

#include <inttypes.h>

#include "litmus/base/sort.h"
#include "litmus/test/texture.h"

/* Prints the initial state and declarations of locations. */

static int by_declaration(gconstpointer left, gconstpointer right)
{
    const struct location *a = *(const struct location *const *)left;
    const struct location *b = *(const struct location *const *)right;
    if (a->declared != b->declared)
        return a->declared ? -1 : 1;
    return a->span.offset < b->span.offset ? -1 : a->span.offset > b->span.offset;
}

static void value(struct printer *p, const struct location_init *init)
{
    const struct body *function = test_function_at(p->test, init->value);
    if (function)
        put(p, function->name);
    else if (init->address_of != NONE)
        put_format(p, init->value ? "&%s+%" PRIu64 : "&%s",
                   p->test->locations[init->address_of].name, init->value);
    else
        put_format(p, "%" PRId64, (int64_t)init->value);
}

static void initial_value(struct printer *p, const struct location *location)
{
    if (!location->init)
        return;
    put(p, location->array ? " = {" : " = ");
    for (uint32_t i = 0; i < location->elements; i++) {
        put(p, i ? ", " : "");
        value(p, &location->init[i]);
    }
    put(p, location->array ? "}" : "");
}

static void owner(struct printer *p, const struct location *location)
{
    const struct {
        const char *word;
        uint32_t number;
    } levels[] = {{"cta", location->cta}, {"cluster", location->cluster}, {"gpu", location->gpu}};
    const char *before = " @ ";
    for (size_t i = 0; i < 3; i++)
        if (levels[i].number != NONE) {
            put_format(p, "%s%s %u", before, levels[i].word, levels[i].number);
            before = ", ";
        }
}

/* Space, memory, alignment and type; 'ptx' as PTX's dotted words. */
static void specifiers(struct printer *p, const struct location *location, bool ptx)
{
    const char *dot = ptx ? "." : "";
    if (ptx || location->space != SPACE_GLOBAL)
        put_format(p, "%s%s ", dot, space_name(location->space));
    if (location->memory != MEMORY_DEVICE)
        put_format(p, "%s ", memory_kind_name(location->memory));
    if (location->align)
        put_format(p, ".align %u ", location->align);
    if (location->vector)
        put_format(p, ".v%u ", location->vector);
    if (location->type != TYPE_NONE)
        put_format(p, "%s%s ", dot, type_name(location->type));
}

static void texture(struct printer *p, const struct location *location)
{
    const struct texture *t = location->texture;
    put_format(p, "%s ", proxy_name(t->proxy));
    if (t->channels > 1)
        put_format(p, ".v%u ", t->channels);
    put_format(p, "%s %s", type_name(t->type), location->name);
    for (uint32_t i = t->dims; i-- > 0;)
        put_format(p, "[%u]", t->size[i]);
    put(p, texture_words(p->arena, t));
    if (location->alias_of != NONE)
        put_format(p, " aliases %s", p->test->locations[location->alias_of].name);
    else
        initial_value(p, location);
    put(p, ";\n");
}

void printer_location(struct printer *p, const struct location *location, bool ptx)
{
    if (location->texture) {
        texture(p, location);
        return;
    }
    if (location->alias_of != NONE) {
        put_format(p, "%s @ %s aliases %s;\n", location->name, proxy_name(location->alias_proxy),
                   p->test->locations[location->alias_of].name);
        return;
    }
    for (uint32_t i = 0; i < location->replica_count; i++)
        put_format(p, "%s%s%s", i ? ", " : location->name, i ? "" : " @ multimem aliases {",
                   p->test->locations[location->replicas[i]].name);
    if (location->replica_count) {
        put(p, "};\n");
        return;
    }
    put(p, location->dynamic ? ".extern " : "");
    specifiers(p, location, ptx || location->dynamic);
    put(p, location->name);
    if (location->dynamic)
        put(p, "[]");
    else if (location->array && location->elements != location->vector)
        put_format(p, "[%u]", location->elements / MAX(location->vector, 1));
    initial_value(p, location);
    owner(p, location);
    put(p, ";\n");
}

const struct location **printer_locations(struct printer *p, uint32_t kernel)
{
    const struct test *test = p->test;
    const struct location **list =
        ARENA_ARRAY(p->arena, const struct location *, test->location_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].kernel == kernel)
            list[count++] = &test->locations[i];
    sort_array(list, count, sizeof *list, by_declaration);
    return list;
}

static void registers(struct printer *p, uint32_t column)
{
    const struct body *body = &p->test->bodies[p->test->columns[column].body];
    for (uint32_t i = 0; i < body->init_count; i++) {
        const struct reg_init *init = &body->inits[i];
        struct location_init same = {init->value, init->address_of};
        put_format(p, "  P%u:%s = ", column, body->regs[init->reg].name);
        value(p, &same);
        put(p, ";\n");
    }
}

void printer_init(struct printer *p)
{
    const struct location **list = printer_locations(p, NONE);
    put(p, "{\n");
    for (const struct location **at = list; *at; at++)
        if (!(*at)->dynamic) {
            put(p, "  ");
            printer_location(p, *at, false);
        }
    for (uint32_t i = 0; i < p->test->column_count; i++)
        registers(p, i);
    put(p, "}\n");
    for (const struct location **at = list; *at; at++)
        if ((*at)->dynamic)
            printer_location(p, *at, true);
}
