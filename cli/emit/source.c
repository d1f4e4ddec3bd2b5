/* SPDX-License-Identifier: MIT
 *
 * Tests in C++ as nvcc compiles them, beside what a mapping makes of them: a class has the text as it stands, and references to
 * the copy's objects. Each thread is one of its functions, and each kernel (source_kernel.c). */
#include <string.h>

#include "cli/emit/source.h"
#include "cli/show/json.h"

struct source_thread {
    const struct test *test;
    const struct emit_layout *at;
    const char *code; /* the source's text with blanks for comments */
    const struct body *body;
    uint32_t column;
    const char *trouble; /* why nvcc cannot have it; or NULL */
};

static void refuse(struct source_thread *t, bool when, const char *trouble)
{
    if (when && !t->trouble)
        t->trouble = trouble;
}

/* ---- what is not written --------------------------------------------------------------------- */

/* Warps of its CTA that have no thread of the test would not come to the barrier. */
static bool fills_its_warps(const struct source_thread *t)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->test->column_count; i++)
        count += t->at->cta[i] == t->at->cta[t->column];
    return count == t->at->warps;
}

static void look_at_code(struct source_thread *t)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++) {
        const struct inst *inst = &t->body->insts[i];
        enum op_group group = op_group(inst->op);
        refuse(t, inst->scope == SCOPE_CLUSTER,
               "the scope of a cluster, which the library does not have");
        refuse(t, group == GROUP_COLLECTIVE, "what lanes of a warp do together");
        refuse(t, group == GROUP_CTA_BARRIER && !fills_its_warps(t),
               "a barrier of a block that has fewer threads than another");
    }
}

static void look_at_objects(struct source_thread *t)
{
    for (uint32_t i = 0; i < t->test->location_count; i++)
        refuse(t, t->test->locations[i].space == SPACE_SHARED, "shared memory");
    for (uint32_t i = 0; i < t->body->pointer_count; i++)
        refuse(t, !t->body->pointers[i].cpp_type, "a parameter that the library has no type for");
    for (uint32_t i = 0; i < t->body->init_count; i++)
        refuse(t, t->body->inits[i].address_of != NONE, "a variable that begins as an address");
}

/* Functions of C, such as atomic_load, take atomic<T> of the standard only. */
static bool has_standard_words(const char *code)
{
    return strstr(code, "std::atomic_ref") ||
           g_regex_match_simple("\\batomic_(load|store|exchange|fetch|compare)", code, 0, 0);
}

static void look_at_thread(struct source_thread *t)
{
    uint32_t from = class_part(t->code, 0).from;
    const char *kept = source_kept_trouble(t->test, t->column, t->code, from);
    refuse(t, source_has_extremes(t->code) && has_standard_words(t->code),
           "fetch_min or fetch_max beside words that only atomics of the standard have");
    look_at_objects(t);
    look_at_code(t);
    refuse(t, kept != NULL, kept);
}

/* ---- a thread -------------------------------------------------------------------------------- */

static uint64_t first_value(const struct body *body, uint32_t reg)
{
    for (uint32_t i = 0; i < body->init_count; i++)
        if (body->inits[i].reg == reg)
            return body->inits[i].value;
    return 0;
}

/* What is assigned and never declared is a variable of the thread. */
static void put_implicit(const struct source_thread *t, GString *text)
{
    for (uint32_t i = 0; i < t->body->reg_count; i++) {
        const struct reg *reg = &t->body->regs[i];
        if (reg->implicit)
            g_string_append_printf(text, "%s %s = %lld;\n", reg->implicit, reg->name,
                                   (long long)first_value(t->body, i));
    }
}

/* Functions that the thread calls stand in front of all threads. */
static bool is_definition(const struct source_thread *t, uint32_t i)
{
    return t->body->statements[i].offset < t->test->columns[0].span.offset;
}

/* The spans of statements are without their semicolons. */
static json_t *view_lines(const struct source_thread *t)
{
    g_autoptr(GString) text = g_string_new(NULL);
    put_implicit(t, text);
    source_put_undeclared(t->test, t->column, text);
    for (uint32_t i = 0; i < t->body->statement_count; i++) {
        struct span span = t->body->statements[i];
        struct source_part part = {span.offset, span.offset + span.length};
        if (is_definition(t, i))
            continue;
        source_put_text(t->test, t->column, t->code, part, text);
        g_string_append(text, ";\n");
    }
    return source_lines(text->str);
}

/* "(int *x)": by its name, in front of the object that is called so. */
static json_t *view_pointers(const struct source_thread *t)
{
    json_t *pointers = json_array();
    for (uint32_t i = 0; i < t->body->pointer_count; i++) {
        const struct pointer_param *pointer = &t->body->pointers[i];
        json_array_append_new(pointers, json_pack("{s:o, s:s, s:i}", "type",
                                                  source_type(t->code, pointer->cpp_type), "name",
                                                  t->test->locations[pointer->location].name,
                                                  "place", pointer->location));
    }
    return pointers;
}

/* ---- the test -------------------------------------------------------------------------------- */

static json_t *view_threads(const struct test *test, const struct emit_layout *at, const char *code,
                            const char **trouble)
{
    json_t *threads = json_array();
    for (uint32_t i = 0; !*trouble && i < test->column_count; i++) {
        struct source_thread t = {test, at, code, &test->bodies[test->columns[i].body], i, NULL};
        look_at_thread(&t);
        *trouble = t.trouble;
        if (!t.trouble)
            json_array_append_new(threads,
                                  json_pack("{s:i, s:o, s:o}", "number", i, "lines", view_lines(&t),
                                            "pointers", view_pointers(&t)));
    }
    return threads;
}

/* The threads, and what the test defines in front of them, which they call. */
static json_t *source_threads(const struct test *test, const struct emit_layout *at,
                              const char *code, const char **trouble)
{
    struct source_part part = class_part(code, test->columns[0].span.offset);
    g_autofree char *text = g_strndup(code + part.from, part.to - part.from);
    g_autofree char *members = class_members(text);
    json_t *threads = view_threads(test, at, code, trouble);
    *trouble = *trouble ? *trouble : initial_trouble(test, code);
    *trouble = *trouble ? *trouble : class_trouble(members);
    if (*trouble)
        return json_decref(threads), NULL;
    return json_pack("{s:o, s:o}", "threads", threads, "members", source_lines(members));
}

json_t *emit_source(const struct test *test, const struct emit_layout *at, const char **trouble)
{
    g_autofree char *code = source_without_comments(test->source->text);
    *trouble = NULL;
    json_t *view = test->column_count ? source_threads(test, at, code, trouble)
                                      : source_kernels(test, code, trouble);
    if (!view)
        return NULL;
    initial_add(test, code, view);
    json_object_set_new(view, "includes", class_includes(code));
    return view;
}
