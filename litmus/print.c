/* SPDX-License-Identifier: MIT */
#include "litmus/base/text.h"
#include "litmus/host.h"
#include "litmus/printer.h"
#include "litmus/promises.h"

#include <string.h>

/* A whole test: header, initial state, columns side by side or kernels and launches, question. */

static void placement(struct printer *printer, const struct column *column, uint32_t index)
{
    g_string_append_printf(printer->out, "P%u@", index);
    if (column->warp != NONE)
        g_string_append_printf(printer->out, "lane %u,warp %u,", column->lane, column->warp);
    g_string_append_printf(printer->out, "cta %u,", column->cta);
    if (column->cluster != NONE)
        g_string_append_printf(printer->out, "cluster %u,", column->cluster);
    g_string_append_printf(printer->out, "gpu %u", column->gpu);
}

/* The cells of one column from top to bottom. */
struct cells {
    VEC(const char *) text;
    size_t width;
};

static void add_cell(struct printer *printer, struct cells *cells)
{
    size_t width = printer->out->len;
    vec_push(printer->arena, &cells->text,
             arena_strndup(printer->arena, printer->out->str, printer->out->len));
    cells->width = width > cells->width ? width : cells->width;
    g_string_truncate(printer->out, 0);
}

static void labels_at(struct printer *printer, const struct body *body, uint32_t target,
                      uint32_t *next, struct cells *cells)
{
    for (; *next < body->label_count && body->labels[*next].target == target; ++*next) {
        g_string_append_printf(printer->out, "%s:", body->labels[*next].name);
        add_cell(printer, cells);
    }
}

static struct cells column_cells(struct printer *printer, uint32_t index)
{
    struct cells cells = {0};
    const struct column *column = &printer->test->columns[index];
    const struct body *body = &printer->test->bodies[column->body];
    uint32_t label = 0;
    placement(printer, column, index);
    add_cell(printer, &cells);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        labels_at(printer, body, i, &label, &cells);
        printer_inst(printer, body, &body->insts[i]);
        add_cell(printer, &cells);
    }
    labels_at(printer, body, body->inst_count, &label, &cells);
    return cells;
}

static void columns(struct printer *printer)
{
    uint32_t count = printer->test->column_count, rows = 0;
    struct cells *columns = ARENA_ARRAY(printer->arena, struct cells, count);
    struct text *cell = text_open(printer->arena);
    struct printer scratch = {cell->out, printer->test, printer->arena};
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = column_cells(&scratch, i);
        rows = columns[i].text.len > rows ? columns[i].text.len : rows;
    }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < count; i++) {
            const char *shown = row < columns[i].text.len ? columns[i].text.at[row] : "";
            g_string_append_printf(printer->out, " %-*s %s", (int)columns[i].width, shown,
                                   i + 1 < count ? "|" : ";\n");
        }
    text_close(cell, printer->arena);
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

static void launches(struct printer *printer)
{
    for (uint32_t i = 0; i < printer->test->launch_count; i++) {
        printer_launch(printer, &printer->test->launches[i], NULL);
        g_string_append(printer->out, ";\n");
    }
}

static void host_program(struct printer *printer)
{
    printer_platform(printer);
    for (uint32_t i = 0; i < printer->test->host->thread_count; i++)
        printer_host(printer, i);
}

const char *print_test(struct arena *arena, const struct test *test)
{
    test_promises(test);
    struct text *text = text_open(arena);
    struct printer printer = {text->out, test, arena};
    g_string_append_printf(printer.out, "PTX %s\n", test->name);
    for (uint32_t i = 0; i < test->comment_count; i++)
        g_string_append_printf(printer.out, "\"%s\"\n", test->comments[i]);
    printer_init(&printer);
    for (uint32_t i = 0; i < test->body_count; i++)
        if (!is_column_body(test, i) && !is_host_body(test, i))
            printer_kernel(&printer, i);
    if (test->host)
        host_program(&printer);
    else
        launches(&printer);
    columns(&printer);
    printer_question(&printer);
    return text_close(text, arena);
}
