/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "litmus/print/printer.h"

#include "litmus/base/sort.h"

/* The initial state and declarations of locations. */

static int by_declaration(gconstpointer left, gconstpointer right)
{
    const struct location *a = *(const struct location *const *)left;
    const struct location *b = *(const struct location *const *)right;
    if (a->declared != b->declared)
        return a->declared ? -1 : 1;
    return a->span.offset < b->span.offset ? -1 : a->span.offset > b->span.offset;
}

const struct location **printer_locations(struct printer *printer, uint32_t kernel, uint32_t *count)
{
    const struct test *test = printer->test;
    const struct location **list =
        ARENA_ARRAY(printer->arena, const struct location *, test->location_count + 1);
    *count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].kernel == kernel)
            list[(*count)++] = &test->locations[i];
    sort_array(list, *count, sizeof *list, by_declaration);
    return list;
}

static void value(struct printer *printer, const struct location_init *init)
{
    if (init->address_of != NONE)
        g_string_append_printf(printer->out, "&%s",
                               printer->test->locations[init->address_of].name);
    else
        g_string_append_printf(printer->out, "%" PRId64, (int64_t)init->value);
}

static void initial_value(struct printer *printer, const struct location *location)
{
    if (!location->init)
        return;
    g_string_append(printer->out, location->array ? " = {" : " = ");
    for (uint32_t i = 0; i < location->elements; i++) {
        g_string_append(printer->out, i ? ", " : "");
        value(printer, &location->init[i]);
    }
    g_string_append(printer->out, location->array ? "}" : "");
}

static void owner(struct printer *printer, const struct location *location)
{
    const struct {
        const char *word;
        uint32_t number;
    } levels[] = {{"cta", location->cta}, {"cluster", location->cluster}, {"gpu", location->gpu}};
    const char *before = " @ ";
    for (size_t i = 0; i < 3; i++)
        if (levels[i].number != NONE) {
            g_string_append_printf(printer->out, "%s%s %u", before, levels[i].word,
                                   levels[i].number);
            before = ", ";
        }
}

/* Space, memory, alignment and type; 'ptx' as PTX's dotted words. */
static void specifiers(struct printer *printer, const struct location *location, bool ptx)
{
    const char *dot = ptx ? "." : "";
    if (ptx || location->space != SPACE_GLOBAL)
        g_string_append_printf(printer->out, "%s%s ", dot, space_name(location->space));
    if (location->memory != MEMORY_DEVICE)
        g_string_append_printf(printer->out, "%s ", memory_kind_name(location->memory));
    if (location->align)
        g_string_append_printf(printer->out, ".align %u ", location->align);
    if (location->type != TYPE_NONE)
        g_string_append_printf(printer->out, "%s%s ", dot, type_name(location->type));
}

void printer_location(struct printer *printer, const struct location *location, bool ptx)
{
    if (location->alias_of != NONE) {
        g_string_append_printf(printer->out, "%s @ %s aliases %s;\n", location->name,
                               proxy_name(location->alias_proxy),
                               printer->test->locations[location->alias_of].name);
        return;
    }
    g_string_append(printer->out, location->dynamic ? ".extern " : "");
    specifiers(printer, location, ptx || location->dynamic);
    g_string_append(printer->out, location->name);
    if (location->dynamic)
        g_string_append(printer->out, "[]");
    else if (location->array)
        g_string_append_printf(printer->out, "[%u]", location->elements);
    initial_value(printer, location);
    owner(printer, location);
    g_string_append(printer->out, ";\n");
}

static void registers(struct printer *printer, uint32_t column)
{
    const struct body *body = &printer->test->bodies[printer->test->columns[column].body];
    for (uint32_t i = 0; i < body->init_count; i++) {
        const struct reg_init *init = &body->inits[i];
        struct location_init same = {init->value, init->address_of};
        g_string_append_printf(printer->out, "  P%u:%s = ", column, body->regs[init->reg].name);
        value(printer, &same);
        g_string_append(printer->out, ";\n");
    }
}

void printer_init(struct printer *printer)
{
    uint32_t count;
    const struct location **list = printer_locations(printer, NONE, &count);
    g_string_append(printer->out, "{\n");
    for (uint32_t i = 0; i < count; i++)
        if (!list[i]->dynamic) {
            g_string_append(printer->out, "  ");
            printer_location(printer, list[i], false);
        }
    for (uint32_t i = 0; i < printer->test->column_count; i++)
        registers(printer, i);
    g_string_append(printer->out, "}\n");
    for (uint32_t i = 0; i < count; i++)
        if (list[i]->dynamic)
            printer_location(printer, list[i], true);
}
