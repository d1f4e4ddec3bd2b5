/* SPDX-License-Identifier: MIT
 *
 * Locations, values and code as the templates of tests take them. */
#include "cli/emit/view.h"

#include <inttypes.h>

#include "cli/show/json.h"
#include "litmus/print/print.h"
#include "litmus/test/tensor_map.h"

json_t *emit_quoted(const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);
    return json_string(escaped);
}

/* PTX's '%' is '%%' in an asm statement. */
json_t *emit_code_lines(const char *ptx)
{
    g_auto(GStrv) lines = g_strsplit(ptx, "\n", -1);
    json_t *array = json_array();
    for (char **line = lines; *line; line++) {
        g_autoptr(GString) code = g_string_new(*line);
        g_string_replace(code, "%", "%%", 0);
        if (line[1] || **line)
            json_array_append_new(array, json_text(code->str));
    }
    return array;
}

/* A texture or a surface is an object, whose handle the code needs. */
static bool has_object(const struct test *test, uint32_t location)
{
    enum proxy path = emit_path(test, location);
    return path == PROXY_TEXTURE || path == PROXY_SURFACE;
}

uint32_t emit_operands(const struct test *test, const uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->location_count; i++)
        count += number[i] == NONE ? 0 : 1 + has_object(test, i);
    return count;
}

json_t *emit_objects(const struct emission *e)
{
    json_t *objects = json_array();
    for (uint32_t i = 0; i < e->test->location_count; i++)
        if (e->number[i] != NONE && has_object(e->test, i))
            json_array_append_new(objects, json_integer(e->number[i]));
    return objects;
}

/* Each thread has its own, which is 0 at first; at_NAME is its generic address. */
static json_t *local_symbol(const struct location *l, const char *name)
{
    uint32_t bytes = l->elements * l->element_bytes, align = MAX(l->align, l->element_bytes);
    return json_sprintf(
        ".local .align %u .b8 own_%s[%u];\\n.reg .b64 local_%s, at_%s;\\nmov.b64 local_%s, "
        "own_%s;\\n"
        "cvta.local.u64 at_%s, local_%s;\\n{\\n.reg .b64 at, end;\\n.reg .pred more;\\n"
        "mov.b64 at, local_%s;\\nadd.u64 end, at, %u;\\nclear_%s:\\nst.local.u8 [at], 0;\\n"
        "add.u64 at, at, 1;\\nsetp.lt.u64 more, at, end;\\n@more bra clear_%s;\\n}\\n",
        align, name, bytes, name, name, name, name, name, name, name, bytes, name, name);
}

json_t *emit_symbols(const struct emission *e)
{
    json_t *symbols = json_array();
    uint32_t object = e->places + 2;
    for (uint32_t i = 0; i < e->test->location_count; i++) {
        if (e->number[i] == NONE)
            continue;
        const char *name = print_ptxas_name(e->job->arena, e->test, i);
        if (e->test->locations[i].space == SPACE_LOCAL) {
            json_array_append_new(symbols, local_symbol(&e->test->locations[i], name));
            continue;
        }
        json_array_append_new(symbols, json_sprintf(".reg .b64 at_%s;\\nmov.b64 at_%s, %%%u;\\n",
                                                    name, name, e->number[i] + 2));
        if (e->test->locations[i].space == SPACE_SHARED)
            json_array_append_new(
                symbols,
                json_sprintf(".reg .b64 shared_%s;\\ncvta.to.shared%s.u64 shared_%s, at_%s;\\n",
                             name, e->at->cluster > 1 ? "::cluster" : "", name, name));
        if (has_object(e->test, i))
            json_array_append_new(symbols,
                                  json_sprintf(".reg .b64 path_%s;\\nmov.b64 path_%s, %%%u;\\n",
                                               name, name, object++));
    }
    return symbols;
}

/* ---- places and values ----------------------------------------------------------------------- */

static uint64_t initial(const struct location *location, uint32_t element)
{
    return location->init ? location->init[element].value : 0;
}

/* What shared memory holds at first: one statement an element, or a loop over what is long and 0. */
enum { MANY_ELEMENTS = 16 };

static bool is_cleared(const struct location *l)
{
    return l->space == SPACE_SHARED && !l->init && l->elements > MANY_ELEMENTS;
}

static json_t *view_elements(const struct location *l)
{
    json_t *elements = json_array();
    for (uint32_t k = 0; l->space == SPACE_SHARED && !is_cleared(l) && k < l->elements; k++)
        json_array_append_new(elements, json_pack("{s:i, s:i, s:o}", "bits", 8 * l->element_bytes,
                                                  "offset", k * l->element_bytes, "value",
                                                  json_sprintf("%" PRIu64, initial(l, k))));
    return elements;
}

/* What other memory holds at first, as a C string. */
static json_t *contents(const struct location *l)
{
    g_autoptr(GString) bytes = g_string_new("\"");
    for (uint32_t i = 0; l->init && i < l->elements; i++)
        for (uint32_t byte = 0; byte < l->element_bytes; byte++)
            g_string_append_printf(bytes, "\\%03o",
                                   (unsigned)(byte < 8 ? initial(l, i) >> 8 * byte & 0xff : 0));
    g_string_append_c(bytes, '"');
    return json_string(l->init ? bytes->str : "nullptr");
}

/* Bytes that a fence of tensor maps speaks of, and whose multiple their address must be. */
enum { TENSORMAP_BYTES = 128 };

static bool is_tensor_map(const struct test *test, uint32_t location)
{
    struct tensor_map map;
    uint32_t tensor;
    if (tensor_map_at(test, location, 0, &map, &tensor))
        return true;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            for (uint32_t o = 0; inst->proxy == PROXY_TENSORMAP && o < inst->operand_count; o++)
                if (inst->operands[o].kind == OPERAND_MEMORY &&
                    inst->operands[o].location == location)
                    return true;
        }
    return false;
}

static uint32_t name_align(const struct test *test, uint32_t location)
{
    const struct location *l = &test->locations[location];
    uint32_t align = l->align > l->element_bytes ? l->align : l->element_bytes;
    if (emit_path(test, location) == PROXY_SURFACE)
        return EMIT_SURFACE_BYTES;
    if (is_tensor_map(test, location))
        return TENSORMAP_BYTES;
    return l->elements * l->element_bytes >= 16 && align < 16 ? 16 : align;
}

/* Each name of the bytes may want more of their address. */
static uint32_t place_align(const struct test *test, uint32_t location)
{
    uint32_t align = 1;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test_root_location(test, i) == test_root_location(test, location))
            align = MAX(align, name_align(test, i));
    return align;
}

/* What the templates call the way to the location. */
static void add_path(const struct emission *e, uint32_t i, json_t *view)
{
    static const struct {
        const char *name, *section;
    } ways[] = {
        [PROXY_GENERIC] = {"PLAIN", "in_memory"},
        [PROXY_TEXTURE] = {"TEXTURE", "in_texture"},
        [PROXY_SURFACE] = {"SURFACE", "in_surface"},
    };
    const struct location *l = &e->test->locations[i];
    enum proxy path = emit_path(e->test, i);
    if (l->space != SPACE_SHARED)
        json_object_set_new(view, ways[path].section, json_true());
    json_object_set_new(view, "path", json_string(ways[path].name));
    json_object_set_new(view, "view", json_integer(emit_view(e->test, i)));
    json_object_set_new(view, "element", json_integer(l->element_bytes));
}

static json_t *view_place(const struct emission *e, uint32_t i)
{
    const struct location *l = &e->test->locations[i];
    uint32_t owner, bytes = l->elements * l->element_bytes;
    bool shared = l->space == SPACE_SHARED;
    json_t *view = json_pack("{s:i, s:s, s:s, s:i, s:i, s:b, s:i, s:o, s:o}", "place", e->number[i],
                             "comma", e->number[i] ? ", " : "", "name", l->name, "bytes", bytes,
                             "align", (int)place_align(e->test, i), "in_window", shared, "target",
                             (int)e->number[test_root_location(e->test, i)], "elements",
                             view_elements(l), "init", contents(l));
    add_path(e, i, view);
    if (is_cleared(l))
        json_object_set_new(view, "cleared", json_integer(bytes));
    if (shared && e->at->cluster > 1 && l->cta != NONE && emit_cta(e->test, e->at, l, &owner))
        json_object_set_new(view, "owner", json_sprintf("%u", owner % e->at->cluster));
    return view;
}

static json_t *view_value(const struct emission *e, uint32_t i)
{
    const struct cond_term *term = &e->test->observed[i];
    struct bit_reading reading = outcome_reading(e->test, term);
    bool in_memory = term->kind == TERM_LOCATION;
    uint32_t bytes = (reading.width + 7) / 8;
    return json_pack("{s:s, s:o, s:i, s:i, s:i, s:b}", "comma", i ? ", " : "", "name",
                     emit_quoted(print_term(e->job->arena, e->test, term)), "place",
                     in_memory ? (int)e->number[term->location] : -1, "offset",
                     in_memory ? (int)(term->element * bytes) : 0, "bytes", bytes, "signed",
                     reading.is_signed);
}

json_t *emit_places(const struct emission *e)
{
    json_t *places = json_array();
    for (uint32_t i = 0; i < e->test->location_count; i++)
        if (e->number[i] != NONE)
            json_array_append_new(places, view_place(e, i));
    return places;
}

json_t *emit_values(const struct emission *e)
{
    json_t *values = json_array();
    for (uint32_t i = 0; i < e->test->observed_count; i++)
        json_array_append_new(values, view_value(e, i));
    return values;
}

const char *emit_identifier(const struct emission *e)
{
    char *name = arena_strdup(e->job->arena, e->test->name);
    for (char *c = name; *c; c++)
        *c = g_ascii_isalnum(*c) ? *c : '_';
    return arena_printf(e->job->arena, "test_%s_%08x", name, g_str_hash(e->job->path));
}
