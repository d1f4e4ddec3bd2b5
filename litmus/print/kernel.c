/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "litmus/print/printer.h"

/* Kernels and launches. */

/* The alignment that puts the parameter where it is, when its type's own does not. */
static uint32_t alignment(const struct param *param, uint32_t end)
{
    uint32_t own = type_bytes(param->type);
    if ((end + own - 1) / own * own == param->offset)
        return 0;
    uint32_t align = 1;
    while ((end + align - 1) / align * align != param->offset && align < 1u << 16)
        align *= 2;
    return align;
}

/* ".param .align 8 .b8 name[24]", which lies behind the byte 'end'. */
static void parameter(struct printer *printer, const struct param *param, uint32_t end)
{
    uint32_t align = alignment(param, end), size = type_bytes(param->type);
    g_string_append(printer->out, ".param ");
    if (align)
        g_string_append_printf(printer->out, ".align %u ", align);
    g_string_append_printf(printer->out, ".%s %s", type_name(param->type), param->name);
    if (param->bytes != size)
        g_string_append_printf(printer->out, "[%u]", param->bytes / size);
}

static uint32_t end_of(const struct param *params, uint32_t index)
{
    return index ? params[index - 1].offset + params[index - 1].bytes : 0;
}

/* Those from 'first' up to 'end' of the list, in parentheses. */
static void parameters(struct printer *printer, const struct param *params, uint32_t first,
                       uint32_t end)
{
    g_string_append(printer->out, " (");
    for (uint32_t i = first; i < end; i++) {
        g_string_append(printer->out, i > first ? ", " : "");
        parameter(printer, &params[i], end_of(params, i));
    }
    g_string_append_c(printer->out, ')');
}

static void head(struct printer *printer, const struct body *body)
{
    uint32_t formals = body->return_count + body->formal_count;
    if (!body->function) {
        g_string_append_printf(printer->out, "kernel %s", body->name);
        parameters(printer, body->params, 0, body->param_count);
    } else {
        g_string_append(printer->out, ".func");
        if (body->return_count)
            parameters(printer, body->frame, 0, body->return_count);
        g_string_append_printf(printer->out, " %s", body->name);
        parameters(printer, body->frame, body->return_count, formals);
    }
    g_string_append(printer->out, " {\n");
}

static void frame(struct printer *printer, const struct body *body)
{
    for (uint32_t i = body->return_count + body->formal_count; i < body->frame_count; i++) {
        g_string_append(printer->out, "  ");
        parameter(printer, &body->frame[i], end_of(body->frame, i));
        g_string_append(printer->out, ";\n");
    }
}

static void registers(struct printer *printer, const struct body *body)
{
    for (enum type type = TYPE_U8; type <= TYPE_PRED; type++) {
        bool any = false;
        for (uint32_t i = 0; i < body->reg_count; i++)
            if (body->regs[i].type == type) {
                if (any)
                    g_string_append_printf(printer->out, ", %s", body->regs[i].name);
                else
                    g_string_append_printf(printer->out, "  .reg .%s %s", type_name(type),
                                           body->regs[i].name);
                any = true;
            }
        g_string_append(printer->out, any ? ";\n" : "");
    }
}

static void labels_at(struct printer *printer, const struct body *body, uint32_t target,
                      uint32_t *next)
{
    for (; *next < body->label_count && body->labels[*next].target == target; ++*next)
        g_string_append_printf(printer->out, "%s:\n", body->labels[*next].name);
}

void printer_kernel(struct printer *printer, uint32_t index)
{
    const struct body *body = &printer->test->bodies[index];
    uint32_t count, label = 0;
    const struct location **locations = printer_locations(printer, index, &count);
    head(printer, body);
    frame(printer, body);
    for (uint32_t i = 0; i < count; i++) {
        g_string_append(printer->out, "  ");
        printer_location(printer, locations[i], true);
    }
    registers(printer, body);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        labels_at(printer, body, i, &label);
        g_string_append(printer->out, "  ");
        printer_inst(printer, body, &body->insts[i]);
        g_string_append(printer->out, ";\n");
    }
    labels_at(printer, body, body->inst_count, &label);
    g_string_append(printer->out, "}\n");
}

static void size(struct printer *printer, struct dim3 dim)
{
    if (dim.y == 1 && dim.z == 1)
        g_string_append_printf(printer->out, "%u", dim.x);
    else
        g_string_append_printf(printer->out, "(%u,%u,%u)", dim.x, dim.y, dim.z);
}

static void argument(struct printer *printer, const struct operand *arg)
{
    if (arg->kind != OPERAND_SYMBOL) {
        g_string_append_printf(printer->out, "%" PRId64, (int64_t)arg->value);
        return;
    }
    g_string_append(printer->out, printer->test->locations[arg->location].name);
    if (arg->value)
        g_string_append_printf(printer->out, "+%" PRId64, (int64_t)arg->value);
}

void printer_launch(struct printer *printer, const struct launch *launch, const char *stream)
{
    const char *kernel = printer->test->bodies[launch->kernel].name;
    struct dim3 cluster = launch->cluster;
    if (strcmp(kernel, launch->label) != 0)
        g_string_append_printf(printer->out, "%s: ", launch->label);
    g_string_append_printf(printer->out, "%s<<<", kernel);
    size(printer, launch->grid);
    g_string_append(printer->out, ", ");
    size(printer, launch->block);
    if (launch->dynamic_shared_bytes || stream)
        g_string_append_printf(printer->out, ", %u", launch->dynamic_shared_bytes);
    if (stream)
        g_string_append_printf(printer->out, ", %s", stream);
    g_string_append(printer->out, ">>>(");
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        g_string_append(printer->out, i ? ", " : "");
        argument(printer, &launch->args[i]);
    }
    g_string_append_c(printer->out, ')');
    if (!printer->test->host)
        g_string_append_printf(printer->out, " @ gpu %u", launch->gpu);
    if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1) {
        g_string_append(printer->out, " cluster ");
        size(printer, cluster);
    }
    g_string_append(printer->out, launch->cooperative ? " cooperative" : "");
    g_string_append(printer->out, launch->programmatic ? " programmatic" : "");
}
