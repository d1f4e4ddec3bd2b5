/* SPDX-License-Identifier: MIT */
#include "litmus/print/kernel.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/print/init.h"
#include "litmus/print/inst.h"

/* Prints kernels and launches. */

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
static void parameter(struct printer *p, const struct param *param, uint32_t end)
{
    uint32_t align = alignment(param, end), size = type_bytes(param->type);
    put(p, ".param ");
    if (align)
        put_format(p, ".align %u ", align);
    put_format(p, ".%s %s", type_name(param->type), param->name);
    if (param->bytes != size)
        put_format(p, "[%u]", param->bytes / size);
}

static uint32_t end_of(const struct param *params, uint32_t index)
{
    return index ? params[index - 1].offset + params[index - 1].bytes : 0;
}

/* Those from 'first' up to 'end' of the list, in parentheses. */
static void parameters(struct printer *p, const struct param *params, uint32_t first, uint32_t end)
{
    put(p, " (");
    for (uint32_t i = first; i < end; i++) {
        put(p, i > first ? ", " : "");
        parameter(p, &params[i], end_of(params, i));
    }
    put_char(p, ')');
}

static void head(struct printer *p, const struct body *body)
{
    uint32_t formals = body->return_count + body->formal_count;
    if (!body->function) {
        put_format(p, "kernel %s", body->name);
        parameters(p, body->params, 0, body->param_count);
    } else {
        put(p, ".func");
        if (body->return_count)
            parameters(p, body->frame, 0, body->return_count);
        put_format(p, " %s", body->name);
        parameters(p, body->frame, body->return_count, formals);
    }
    put(p, " {\n");
}

static void frame(struct printer *p, const struct body *body)
{
    for (uint32_t i = body->return_count + body->formal_count; i < body->frame_count; i++) {
        put(p, "  ");
        parameter(p, &body->frame[i], end_of(body->frame, i));
        put(p, ";\n");
    }
}

static void registers(struct printer *p, const struct body *body)
{
    for (uint32_t type = TYPE_NONE + 1; type < TYPE_COUNT; type++) {
        bool any = false;
        for (uint32_t i = 0; i < body->reg_count; i++)
            if (body->regs[i].type == type) {
                if (any)
                    put_format(p, ", %s", body->regs[i].name);
                else
                    put_format(p, "  .reg .%s %s", type_name(type), body->regs[i].name);
                any = true;
            }
        put(p, any ? ";\n" : "");
    }
}

void printer_kernel(struct printer *p, uint32_t index)
{
    p->body = &p->test->bodies[index];
    head(p, p->body);
    frame(p, p->body);
    for (const struct location **at = printer_locations(p, index); *at; at++) {
        put(p, "  ");
        printer_location(p, *at, true);
    }
    registers(p, p->body);
    printer_code(p, "  ", ";\n");
    put(p, "}\n");
}

static void size(struct printer *p, struct dim3 dim)
{
    if (dim.y == 1 && dim.z == 1)
        put_format(p, "%u", dim.x);
    else
        put_format(p, "(%u,%u,%u)", dim.x, dim.y, dim.z);
}

static void argument(struct printer *p, const struct operand *arg)
{
    if (arg->kind != OPERAND_SYMBOL) {
        put_format(p, "%" PRId64, (int64_t)arg->value);
        return;
    }
    put(p, p->test->locations[arg->location].name);
    int64_t bytes = p->test->locations[arg->location].element_bytes;
    if (arg->value)
        put_format(p, "+%" PRId64, (int64_t)arg->value / bytes);
}

void printer_launch(struct printer *p, const struct launch *launch, const char *stream)
{
    const char *kernel = p->test->bodies[launch->kernel].name;
    struct dim3 cluster = launch->cluster;
    size_t label = strcspn(launch->label, "#"); /* what follows was added to tell launches apart */
    if (strlen(kernel) != label || strncmp(kernel, launch->label, label) != 0)
        put_format(p, "%.*s: ", (int)label, launch->label);
    put_format(p, "%s<<<", kernel);
    size(p, launch->grid);
    put(p, ", ");
    size(p, launch->block);
    if (launch->dynamic_shared_bytes || stream)
        put_format(p, ", %u", launch->dynamic_shared_bytes);
    if (stream)
        put_format(p, ", %s", stream);
    put(p, ">>>(");
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        put(p, i ? ", " : "");
        argument(p, &launch->args[i]);
    }
    put_char(p, ')');
    if (!p->test->host)
        put_format(p, " @ gpu %u", launch->gpu);
    if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1) {
        put(p, " cluster ");
        size(p, cluster);
    }
    if (launch->domain)
        put_format(p, " domain %u", launch->domain);
    put(p, launch->cooperative ? " cooperative" : "");
    put(p, launch->programmatic ? " programmatic" : "");
}
