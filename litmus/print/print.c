/* SPDX-License-Identifier: MIT */
#include "litmus/base/text.h"
#include "litmus/test/host.h"
#include "litmus/print/printer.h"
#include "litmus/test/promises.h"

#include <string.h>

/* A whole test: header, initial state, columns side by side or kernels and launches, question. */

static void placement(struct printer *p, const struct column *column, uint32_t index)
{
    put_format(p, "P%u@", index);
    if (column->warp != NONE)
        put_format(p, "lane %u,warp %u,", column->lane, column->warp);
    put_format(p, "cta %u,", column->cta);
    if (column->cluster != NONE)
        put_format(p, "cluster %u,", column->cluster);
    put_format(p, "gpu %u", column->gpu);
}

/* The cells of one column from top to bottom. */
struct column_text {
    VEC(const char *) text;
    size_t width;
};

static void add_cell(struct printer *p, struct column_text *cells)
{
    size_t width = p->out->len;
    vec_push(p->arena, &cells->text, arena_strndup(p->arena, p->out->str, p->out->len));
    cells->width = width > cells->width ? width : cells->width;
    g_string_truncate(p->out, 0);
}

static void labels_at(struct printer *p, const struct body *body, uint32_t target, uint32_t *next,
                      struct column_text *cells)
{
    for (; *next < body->label_count && body->labels[*next].target == target; ++*next) {
        put_format(p, "%s:", body->labels[*next].name);
        add_cell(p, cells);
    }
}

static struct column_text column_cells(struct printer *p, uint32_t index)
{
    struct column_text cells = {0};
    const struct column *column = &p->test->columns[index];
    const struct body *body = &p->test->bodies[column->body];
    uint32_t label = 0;
    placement(p, column, index);
    add_cell(p, &cells);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        labels_at(p, body, i, &label, &cells);
        printer_inst(p, body, &body->insts[i]);
        add_cell(p, &cells);
    }
    labels_at(p, body, body->inst_count, &label, &cells);
    return cells;
}

static void columns(struct printer *p)
{
    uint32_t count = p->test->column_count, rows = 0;
    struct column_text *columns = ARENA_ARRAY(p->arena, struct column_text, count);
    struct text *cell = text_open(p->arena);
    struct printer scratch = {cell->out, p->test, p->arena};
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = column_cells(&scratch, i);
        rows = columns[i].text.len > rows ? columns[i].text.len : rows;
    }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < count; i++) {
            const char *shown = row < columns[i].text.len ? columns[i].text.at[row] : "";
            put_format(p, " %-*s %s", (int)columns[i].width, shown, i + 1 < count ? "|" : ";\n");
        }
    text_close(cell, p->arena);
}

static bool is_column_body(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (test->columns[i].body == body)
            return true;
    return false;
}

static bool is_host_body(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; test->host && i < test->host->thread_count; i++)
        if (test->host->threads[i].body == body)
            return true;
    return false;
}

static void launches(struct printer *p)
{
    for (uint32_t i = 0; i < p->test->launch_count; i++) {
        printer_launch(p, &p->test->launches[i], NULL);
        put(p, ";\n");
    }
}

static void host_program(struct printer *p)
{
    printer_platform(p);
    for (uint32_t i = 0; i < p->test->host->thread_count; i++)
        printer_host(p, i);
}

const char *print_test(struct arena *arena, const struct test *test)
{
    test_promises(test);
    struct text *text = text_open(arena);
    struct printer p = {text->out, test, arena};
    g_string_append_printf(p.out, "PTX %s\n", test->name);
    for (uint32_t i = 0; i < test->comment_count; i++)
        g_string_append_printf(p.out, "\"%s\"\n", test->comments[i]);
    printer_init(&p);
    for (uint32_t i = 0; i < test->body_count; i++)
        if (!is_column_body(test, i) && !is_host_body(test, i))
            printer_kernel(&p, i);
    if (test->host)
        host_program(&p);
    else
        launches(&p);
    columns(&p);
    printer_question(&p);
    return text_close(text, arena);
}
