/* SPDX-License-Identifier: MIT
 *
 * What the initial state of a test in C++ defines and declares, as nvcc takes it: types, objects of classes, and the others. */
#include <string.h>

#include "cli/emit/source.h"
#include "cli/show/json.h"

bool initial_is_made(const struct location *l)
{
    return l->space != SPACE_SHARED && (l->cpp_path || !l->cpp_type);
}

/* "sent", of "sent.data". */
static char *object_of(const struct location *l)
{
    return l->cpp_path ? g_strndup(l->cpp_path, strcspn(l->cpp_path, ".")) : g_strdup(l->name);
}

/* The first location of its object. */
static uint32_t first_of(const struct test *test, uint32_t location)
{
    g_autofree char *object = object_of(&test->locations[location]);
    for (uint32_t i = 0; i < location; i++) {
        g_autofree char *other = object_of(&test->locations[i]);
        if (initial_is_made(&test->locations[i]) && strcmp(object, other) == 0)
            return i;
    }
    return location;
}

/* ---- the text ---------------------------------------------------------------------------------- */

/* Its definitions and declarations. */
static char **items_of(const char *code)
{
    GPtrArray *items = g_ptr_array_new();
    uint32_t at = 0, end;
    bool quoted = false;
    for (; code[at] && (quoted || code[at] != '{'); at++)
        quoted ^= code[at] == '"';
    end = source_past_bracket(code, at++) - 1;
    for (uint32_t from = at; from < end; from = at + 1) {
        for (at = from; at < end && code[at] != ';';)
            at = strchr("({[", code[at]) ? source_past_bracket(code, at) : at + 1;
        g_ptr_array_add(items, g_strstrip(g_strndup(code + from, at - from)));
    }
    g_ptr_array_add(items, NULL);
    return (char **)g_ptr_array_free(items, FALSE);
}

static bool is_type(const char *item)
{
    return g_regex_match_simple(
        "^(struct\\b[^{]*\\{.*\\}$|enum\\b|using\\b|typedef\\b|constexpr\\b)", item, G_REGEX_DOTALL,
        0);
}

/* Does it declare the object? */
static bool declares(const char *item, const char *object)
{
    g_autofree char *name = g_strdup_printf("(?<![&.\\w])%s\\s*([({=\\[,@]|$)", object);
    return !is_type(item) && g_regex_match_simple(name, item, 0, 0);
}

/* "managed message m = {0} @ gpu 1", without what nvcc does not know. */
static char *declaration(char **items, const char *object)
{
    g_autoptr(GRegex) words =
        g_regex_new("^((shared|global|managed|mapped|pinned|pageable|__\\w+__)\\s+)+|\\s*@.*$",
                    G_REGEX_DOTALL, 0, NULL);
    for (; *items; items++)
        if (declares(*items, object))
            return g_regex_replace_literal(words, *items, -1, 0, "", 0, NULL);
    return NULL;
}

/* ---- what is not written ------------------------------------------------------------------------- */

static const char *trouble_of(const struct location *l, char **items)
{
    g_autofree char *object = object_of(l), *declared = declaration(items, object);
    for (uint32_t k = 0; l->init && k < l->elements; k++)
        if (l->init[k].address_of != NONE)
            return "an address in an object of a class";
    return declared ? NULL : "an object of a class that its initial state does not declare";
}

const char *initial_trouble(const struct test *test, const char *code)
{
    g_auto(GStrv) items = items_of(code);
    for (char **item = items; *item; item++) {
        if (strstr(*item, "thread_scope_cluster"))
            return class_trouble(*item);
        if (g_regex_match_simple("^struct\\b.*\\{.*\\}\\s*\\w", *item, G_REGEX_DOTALL, 0))
            return "a structure and its object in one declaration";
    }
    const char *trouble = NULL;
    for (uint32_t i = 0; i < test->location_count && !trouble; i++) {
        const struct location *l = &test->locations[i];
        if (initial_is_made(l))
            trouble = trouble_of(l, items);
        for (uint32_t k = 0; l->init && k < l->elements; k++)
            if (l->init[k].address_of != NONE &&
                initial_is_made(&test->locations[l->init[k].address_of]))
                trouble = "an address of an object of a class";
    }
    return trouble;
}

/* ---- the view ------------------------------------------------------------------------------------ */

static json_t *view_types(const char *code, char **items)
{
    g_autoptr(GString) text = g_string_new(NULL);
    class_put_names(code, text);
    for (; *items; items++)
        if (is_type(*items))
            g_string_append_printf(text, "%s;\n", *items);
    return source_lines(text->str);
}

/* Each declaration once, with all objects that it declares. */
static json_t *view_made(const struct test *test, char **items)
{
    json_t *made = json_array();
    g_autofree char *last = NULL;
    for (uint32_t i = 0; i < test->location_count; i++) {
        if (!initial_is_made(&test->locations[i]) || first_of(test, i) != i)
            continue;
        g_autofree char *object = object_of(&test->locations[i]),
                        *declared = declaration(items, object);
        if (declared && (!last || strcmp(last, declared) != 0))
            json_array_append_new(made, json_sprintf("%s;", declared));
        g_free(last);
        last = g_steal_pointer(&declared);
    }
    return made;
}

static json_t *view_object(const struct test *test, const char *code, uint32_t i)
{
    const struct location *l = &test->locations[i];
    if (!initial_is_made(l))
        return json_pack("{s:o, s:s, s:i, s:i}", "type", source_type(code, l->cpp_type), "name",
                         l->name, "elements", l->array ? (int)l->elements : 0, "place", i);
    g_autofree char *object = object_of(l);
    return json_pack("{s:o, s:s, s:i, s:i}", "type",
                     json_sprintf("decltype(ptxlit_initial::%s)", object), "name", object,
                     "elements", 0, "place", i);
}

void initial_add(const struct test *test, const char *code, json_t *view)
{
    g_auto(GStrv) items = items_of(code);
    json_t *objects = json_array(), *made = view_made(test, items);
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        if (l->space != SPACE_SHARED && (!initial_is_made(l) || first_of(test, i) == i))
            json_array_append_new(objects, view_object(test, code, i));
    }
    json_object_set_new(view, "types", view_types(code, items));
    json_object_set_new(view, "has_made", json_boolean(json_array_size(made)));
    json_object_set_new(view, "made", made);
    json_object_set_new(view, "objects", objects);
}

/* ---- places and values --------------------------------------------------------------------------- */

static void place(const struct test *test, const char *initial, uint32_t i, json_t *place)
{
    g_autofree char *object = object_of(&test->locations[i]);
    json_object_set_new(place, "bytes", json_sprintf("sizeof %s::%s", initial, object));
    json_object_set_new(place, "align", json_sprintf("alignof(decltype(%s::%s))", initial, object));
    json_object_set_new(place, "init", json_sprintf("(const char *)&%s::%s", initial, object));
    json_object_set_new(place, "target", json_integer(first_of(test, i)));
}

/* The bytes from where the object begins to the value. */
static json_t *offset(const struct test *test, const char *initial, const struct cond_term *term)
{
    const struct location *l = &test->locations[term->location];
    g_autofree char *object = object_of(l);
    return json_sprintf("uint32_t((const char *)&%s::%s - (const char *)&%s::%s + %u)", initial,
                        l->cpp_path ? l->cpp_path : object, initial, object,
                        term->element * l->element_bytes);
}

void emit_place_source(const struct emission *e, json_t *view)
{
    const struct test *test = e->test;
    const char *initial =
        arena_printf(e->job->arena, "text_%s::ptxlit_initial", emit_identifier(e));
    for (uint32_t i = 0; i < test->location_count; i++)
        if (initial_is_made(&test->locations[i]))
            place(test, initial, i, json_array_get(json_object_get(view, "places"), i));
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind == TERM_LOCATION && initial_is_made(&test->locations[term->location]))
            json_object_set_new(json_array_get(json_object_get(view, "values"), i), "offset",
                                offset(test, initial, term));
    }
}
