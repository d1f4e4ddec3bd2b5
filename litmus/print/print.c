/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/print/cond.h"
#include "litmus/print/host.h"
#include "litmus/print/init.h"
#include "litmus/print/inst.h"
#include "litmus/print/kernel.h"
#include "litmus/test/promises.h"

/* A whole test: header, initial state, columns side by side or kernels and launches, question. */

static void placement(struct printer *p, const struct column *column, uint32_t index)
{
    put_format(p, "P%u@", index);
    if (column->warp != NONE)
        put_format(p, "lane %u,warp %u,", column->lane, column->warp);
#define PLACE(scope, member)                                                                       \
    if (column->member != NONE)                                                                    \
        put_format(p, "%s" #member " %u", SCOPE_##scope == SCOPE_CTA ? "" : ",", column->member);
#include "litmus/isa/words.def"
    put(p, "\n");
}

/* The cells of one column from top to bottom. */
struct column_text {
    VEC(const char *) text;
    size_t width;
};

static struct column_text column_cells(struct printer *p, uint32_t index)
{
    struct column_text cells = {0};
    const struct column *column = &p->test->columns[index];
    p->body = &p->test->bodies[column->body];
    g_string_truncate(p->out, 0);
    placement(p, column, index);
    printer_code(p, "", "\n");
    for (char *at = arena_strdup(p->arena, p->out->str), *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        vec_push(p->arena, &cells.text, at);
        cells.width = MAX(cells.width, (size_t)(end - at));
    }
    return cells;
}

static void columns(struct printer *p)
{
    uint32_t count = p->test->column_count, rows = 0;
    struct column_text *columns = ARENA_ARRAY(p->arena, struct column_text, count);
    struct text *cell = text_open(p->arena);
    struct printer scratch = {.out = cell->out, .test = p->test, .arena = p->arena};
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = column_cells(&scratch, i);
        rows = MAX(rows, columns[i].text.len);
    }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < count; i++) {
            const char *shown = row < columns[i].text.len ? columns[i].text.at[row] : "";
            put_format(p, " %-*s %s", (int)columns[i].width, shown, i + 1 < count ? "|" : ";\n");
        }
    text_close(cell, p->arena);
}

static void launches(struct printer *p)
{
    for (uint32_t i = 0; i < p->test->launch_count; i++) {
        printer_launch(p, &p->test->launches[i], NULL);
        put(p, ";\n");
    }
}

/* A test in C++ is printed as it was written: instructions with the orders of C++ are no text that
 * anybody could read again. */
static const char *as_written(struct arena *arena, const struct source *source)
{
    size_t length = source->length;
    while (length && strchr(" \t\r\n", source->text[length - 1]))
        length--;
    return arena_printf(arena, "%s\n", arena_strndup(arena, source->text, length));
}

const char *print_test(struct arena *arena, const struct test *test)
{
    test_promises(test);
    if (test->language == LANGUAGE_CPP)
        return as_written(arena, test->source);
    struct text *text = text_open(arena);
    struct printer p = {.out = text->out, .test = test, .arena = arena};
    put_format(&p, "PTX %s\n", test->name);
    for (uint32_t i = 0; i < test->comment_count; i++)
        put_format(&p, "\"%s\"\n", test->comments[i]);
    printer_init(&p);
    for (uint32_t i = 0; i < test->body_count; i++)
        if (!test->bodies[i].dialect)
            printer_kernel(&p, i);
    if (test->host)
        printer_host(&p);
    else
        launches(&p);
    columns(&p);
    printer_question(&p);
    return text_close(text, arena);
}
