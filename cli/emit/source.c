/* SPDX-License-Identifier: MIT
 *
 * Tests in C++ as nvcc compiles them, beside what a mapping makes of them: each thread is a function with the text as it
 * stands, which has references to the copy's objects. */
#include <string.h>

#include "cli/emit/source.h"
#include "cli/show/json.h"

struct source_thread {
    const struct test *test;
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

static void look_at_code(struct source_thread *t)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++) {
        const struct inst *inst = &t->body->insts[i];
        refuse(t, inst->scope == SCOPE_CLUSTER,
               "the scope of a cluster, which the library does not have");
        enum op_group group = op_row(inst->op)->group;
        refuse(t, group == GROUP_CTA_BARRIER || group == GROUP_COLLECTIVE,
               "a barrier of its block or warp, where its copies would meet");
        refuse(t, inst->op == OP_TRAP, "an assertion or a trap");
    }
}

static void look_at_objects(struct source_thread *t)
{
    for (uint32_t i = 0; i < t->test->location_count; i++) {
        const struct location *l = &t->test->locations[i];
        refuse(t, !l->cpp_type || strpbrk(l->name, ".$[") != NULL,
               "an object that is not an integer, a pointer or an atomic of one");
        refuse(t, l->space == SPACE_SHARED, "shared memory");
    }
}

static void look_at_words(struct source_thread *t)
{
    for (uint32_t i = 0; i < t->body->statement_count; i++) {
        struct span span = t->body->statements[i];
        g_autofree char *text = g_strndup(t->code + span.offset, span.length);
        refuse(t, source_has_bare_lambda(text),
               "a lambda that does not take all objects by itself");
        refuse(t, strstr(text, "memory_order::") != NULL,
               "memory orders in the words of C++20, which nvcc does not speak by itself");
    }
}

/* Functions of C, such as atomic_load, take atomic<T> of the standard only. */
static bool has_standard_words(const char *code)
{
    return strstr(code, "std::atomic_ref") ||
           g_regex_match_simple("\\batomic_(load|store|exchange|fetch|compare)", code, 0, 0);
}

static void look_at_thread(struct source_thread *t)
{
    refuse(t, source_has_extremes(t->code) && has_standard_words(t->code),
           "fetch_min or fetch_max beside words that only atomics of the standard have");
    for (uint32_t i = 0; i < t->body->pointer_count; i++)
        refuse(t, !t->body->pointers[i].cpp_type, "a parameter that the library has no type for");
    for (uint32_t i = 0; i < t->body->init_count; i++)
        refuse(t, t->body->inits[i].address_of != NONE, "a variable that begins as an address");
    look_at_objects(t);
    look_at_words(t);
    look_at_code(t);
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

/* The register that the i-th value of a final state is, if it is one of the thread. */
static const struct reg *asked_register(const struct source_thread *t, uint32_t i)
{
    const struct cond_term *term = &t->test->observed[i];
    bool is_own = term->kind == TERM_REG && term->column == t->column;
    return is_own ? &t->body->regs[term->reg] : NULL;
}

/* Of the variables that are declared up to there, or that nothing declares (0): their last values are kept when they go. */
static void put_kept(struct source_thread *t, uint32_t declared_to, GString *text)
{
    for (uint32_t i = 0; i < t->test->observed_count; i++) {
        const struct reg *reg = asked_register(t, i);
        if (!reg || reg->declared_to != declared_to)
            continue;
        refuse(t, (!declared_to && !reg->implicit) || strchr(reg->name, '$'),
               "a question about a variable that cannot be kept where it is declared");
        source_put_keeper(text, reg, i);
    }
}

/* Where the next declaration of a variable that is asked for ends, or the statement. */
static uint32_t next_stop(const struct source_thread *t, uint32_t at, uint32_t end)
{
    uint32_t stop = end;
    for (uint32_t i = 0; i < t->test->observed_count; i++) {
        const struct reg *reg = asked_register(t, i);
        if (reg && reg->declared_to > at && reg->declared_to < stop)
            stop = reg->declared_to;
    }
    return stop;
}

/* The spans of statements are without their semicolons. */
static void put_statement(struct source_thread *t, struct span span, GString *text)
{
    const char *from = t->code;
    uint32_t end = span.offset + span.length;
    for (uint32_t at = span.offset, stop; at < end; at = stop) {
        stop = next_stop(t, at, end);
        g_string_append_len(text, from + at, stop - at);
        g_string_append(text, ";\n");
        put_kept(t, stop, text);
        refuse(t, source_is_in_head(from + span.offset, stop - span.offset),
               "a question about a variable of the head of a statement");
        if (stop < end)
            stop += (uint32_t)strcspn(from + stop, ";") + 1;
    }
}

/* Functions that the thread calls stand in front of all threads. */
static bool is_definition(const struct source_thread *t, uint32_t i)
{
    return t->body->statements[i].offset < t->test->columns[0].span.offset;
}

static json_t *view_lines(struct source_thread *t)
{
    g_autoptr(GString) text = g_string_new(NULL);
    put_implicit(t, text);
    put_kept(t, 0, text);
    for (uint32_t i = 0; i < t->body->statement_count; i++)
        if (!is_definition(t, i))
            put_statement(t, t->body->statements[i], text);
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

static json_t *view_threads(const struct test *test, const char *code, const char **trouble)
{
    json_t *threads = json_array();
    for (uint32_t i = 0; !*trouble && i < test->column_count; i++) {
        struct source_thread t = {test, code, &test->bodies[test->columns[i].body], i, NULL};
        look_at_thread(&t);
        json_t *lines = t.trouble ? NULL : view_lines(&t);
        *trouble = t.trouble;
        if (t.trouble)
            json_decref(lines);
        else
            json_array_append_new(threads, json_pack("{s:i, s:o, s:o}", "number", i, "lines", lines,
                                                     "pointers", view_pointers(&t)));
    }
    return threads;
}

/* What the test defines in front of its threads, which call it. */
static json_t *view_members(const struct test *test, const char *code, const char **trouble)
{
    struct source_part part = class_part(code, test->columns[0].span.offset);
    g_autofree char *text = g_strndup(code + part.from, part.to - part.from);
    g_autofree char *members = class_members(text);
    for (uint32_t i = 0; i < test->column_count && !*trouble; i++)
        *trouble = class_trouble(&test->bodies[test->columns[i].body], code, part, members);
    return source_lines(members);
}

json_t *emit_source(const struct test *test, const char **trouble)
{
    g_autofree char *code = source_without_comments(test->source->text);
    *trouble = NULL;
    if (!test->column_count)
        return source_kernel(test, code, trouble);
    json_t *threads = view_threads(test, code, trouble);
    json_t *view =
        json_pack("{s:o, s:o, s:o}", "threads", threads, "objects", source_objects(test, code),
                  "members", view_members(test, code, trouble));
    if (*trouble)
        return json_decref(view), NULL;
    return view;
}
