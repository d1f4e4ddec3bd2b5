/* SPDX-License-Identifier: MIT
 *
 * Variables that a question names, in a text that nvcc compiles as it stands: a keeper behind the declaration of each writes its
 * last value down when it goes. */
#include <string.h>

#include "cli/emit/source.h"

/* The register that the i-th value of a final state is, if it is one of the column, or of a kernel. */
static const struct reg *asked(const struct test *test, uint32_t column, uint32_t i)
{
    const struct cond_term *term = &test->observed[i];
    bool is_own = term->kind == TERM_REG && (column == NONE || term->column == column);
    return is_own ? &test_term_body(test, term)->regs[term->reg] : NULL;
}

static const char *spelled(const struct reg *reg)
{
    return reg->cpp_path ? reg->cpp_path : reg->name;
}

static void put_keeper(GString *out, const struct reg *reg, uint32_t value)
{
    g_string_append_printf(out,
                           "\nlitmus::keeper<decltype(%s)> ptxlit_keeper%u{%s, ptxlit_kept(%u)};\n",
                           spelled(reg), value, spelled(reg), value);
}

/* "if (c) int r = x;": what is declared would be gone before it can be kept. */
static bool is_alone(const char *code, uint32_t from)
{
    while (from && g_ascii_isspace(code[from - 1]))
        from--;
    const char *end = code + from;
    return from && (end[-1] == ')' || (from > 3 && strncmp(end - 4, "else", 4) == 0) ||
                    (from > 1 && strncmp(end - 2, "do", 2) == 0));
}

static bool begins_alone(const struct test *test, uint32_t column, const char *code, uint32_t at)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked(test, column, i);
        if (reg && reg->declared_to && reg->declared_from == at)
            return is_alone(code, at);
    }
    return false;
}

/* Of the variables whose declaration ends there; false: there are none. */
static bool put_declared(const struct test *test, uint32_t column, const char *code, uint32_t at,
                         GString *out)
{
    const struct reg *last = NULL;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked(test, column, i);
        if (!reg || !reg->declared_to || reg->declared_to != at)
            continue;
        if (!last)
            g_string_append_c(out, ';');
        put_keeper(out, reg, i);
        last = reg;
    }
    if (last && is_alone(code, last->declared_from))
        g_string_append_c(out, '}');
    return last != NULL;
}

static uint32_t past_semicolon(const char *code, uint32_t at, uint32_t end)
{
    uint32_t next = at;
    while (next < end && g_ascii_isspace(code[next]))
        next++;
    return next < end && code[next] == ';' ? next + 1 : at;
}

void source_put_text(const struct test *test, uint32_t column, const char *code,
                     struct source_part part, GString *out)
{
    for (uint32_t at = part.from; at < part.to; g_string_append_c(out, code[at++])) {
        if (begins_alone(test, column, code, at))
            g_string_append(out, "{ ");
        if (put_declared(test, column, code, at, out))
            at = past_semicolon(code, at, part.to);
        if (at == part.to)
            return;
    }
    put_declared(test, column, code, part.to, out);
}

void source_put_undeclared(const struct test *test, uint32_t column, GString *out)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked(test, column, i);
        if (reg && reg->implicit)
            put_keeper(out, reg, i);
    }
}

static bool is_in_head(const char *text, uint32_t length)
{
    int depth = 0;
    for (uint32_t i = 0; i < length; i++)
        depth += (text[i] == '(') - (text[i] == ')');
    return depth != 0;
}

const char *source_kept_trouble(const struct test *test, uint32_t column, const char *code,
                                uint32_t from)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked(test, column, i);
        if (!reg || reg->implicit)
            continue;
        if (!reg->declared_to || strchr(reg->name, '$'))
            return "a question about a variable that cannot be kept where it is declared";
        if (is_in_head(code + from, reg->declared_to - from))
            return "a question about a variable of the head of a statement";
    }
    return NULL;
}
