/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* cudaLaunchKernel and its like. */

/* The values that an array of pointers points to, as many as the kernel has parameters. */
static bool pointed_arguments(struct eval *e, struct launch *launch, uint32_t kernel,
                              const struct code_value *list, struct span span)
{
    uint32_t count = kernel == NONE ? 0 : e->p->raws.at[kernel].params.len;
    launch->args = ARENA_ARRAY(e->arena, struct operand, count);
    for (uint32_t i = 0; i < count; i++) {
        struct lvalue entry, place;
        struct code_value pointer, value;
        if (list->kind != VALUE_CELL)
            return eval_needs(e, list, span, "an array of the arguments' addresses");
        if (!eval_pointed_to(e, list, i, span, &entry) || !eval_read(e, &entry, span, &pointer))
            return false;
        if (pointer.kind == VALUE_ADDRESS) { /* of a location: what is passed is that address */
            if (!eval_add_launch_argument(e, launch, kernel, &pointer, span))
                return false;
            continue;
        }
        if (!eval_pointed_to(e, &pointer, 0, span, &place) || !eval_read(e, &place, span, &value))
            return false;
        bool is_pointer = place.shape && place.shape->kind == SHAPE_POINTER;
        if ((!is_pointer && !eval_bits_of_parameter(e, kernel, i, &value, span)) ||
            !eval_add_launch_argument(e, launch, kernel, &value, span))
            return false;
    }
    return true;
}

static bool kernel_value(struct eval *e, const struct code_value *function, struct span span,
                         struct span *name, uint32_t *kernel)
{
    *kernel = NONE;
    if (function->kind != VALUE_KERNEL)
        return eval_needs(e, function, span, "a kernel");
    struct kernel_use use = {.name = function->name};
    *name = function->name;
    *kernel = function->kernel;
    return *kernel != NONE || eval_choose_kernel(e, &use, kernel);
}

static bool shared_bytes(struct eval *e, const struct code_value *value, struct span span,
                         struct launch *launch)
{
    launch->dynamic_shared_bytes = value->kind == VALUE_NUMBER ? (uint32_t)value->number : 0;
    return value->kind == VALUE_NUMBER || value->kind == VALUE_NOTHING ||
           eval_needs(e, value, span, "the bytes of dynamic shared memory");
}

bool eval_launch_parameters(struct eval *e, struct code_cell *cell, struct span span,
                            uint32_t *index)
{
    struct launch launch = {.kernel = NONE, .cluster = {1, 1, 1}};
    struct code_value list = eval_member(e, cell, "kernelParams")->value;
    struct code_cell *grid = eval_member(e, cell, "gridDim"),
                     *block = eval_member(e, cell, "blockDim");
    struct code_value sizes[2] = {grid->value, block->value};
    struct span name;
    uint32_t kernel;
    for (int i = 0; i < 2; i++)
        if (sizes[i].kind == VALUE_NOTHING)
            sizes[i] = (struct code_value){.kind = VALUE_CELL, .cell = i ? block : grid};
    if (!kernel_value(e, &eval_member(e, cell, "func")->value, span, &name, &kernel) ||
        !eval_launch_sizes_of(e, &sizes[0], span, &launch.grid) ||
        !eval_launch_sizes_of(e, &sizes[1], span, &launch.block) ||
        !shared_bytes(e, &eval_member(e, cell, "sharedMemBytes")->value, span, &launch) ||
        !pointed_arguments(e, &launch, kernel, &list, span))
        return false;
    launch.kernel = kernel;
    *index = eval_add_launch(e, launch, eval_text(e, name), name, span);
    return true;
}

/* cudaLaunchKernel(function, grid, block, arguments, shared, stream) */
static bool launch_kernel(struct eval *e, const struct cpp_expr *expr, struct launch *launch,
                          struct span *name, uint32_t *stream)
{
    struct code_value function, list, shared = eval_number(0, TYPE_U64);
    if (expr->kid_count < 5) {
        eval_error(e, host_argument, expr->span, NULL,
                   "this takes a kernel, the sizes of the grid and of a block, and the arguments");
        return false;
    }
    if (!eval_value(e, expr->kids[1], &function) ||
        !kernel_value(e, &function, expr->kids[1]->span, name, &launch->kernel) ||
        !eval_launch_sizes(e, expr->kids[2], &launch->grid) ||
        !eval_launch_sizes(e, expr->kids[3], &launch->block) ||
        !eval_value(e, expr->kids[4], &list) ||
        (expr->kid_count > 5 && !eval_value(e, expr->kids[5], &shared)) ||
        !shared_bytes(e, &shared, expr->span, launch))
        return false;
    if (expr->kid_count > 6 && !eval_object(e, expr->kids[6], HOST_STREAM, stream))
        return false;
    return pointed_arguments(e, launch, launch->kernel, &list, expr->span);
}

static bool domain_attribute(struct eval *e, struct code_cell *value, struct span span,
                             struct launch *launch)
{
    const struct code_value *is = &eval_member(e, value, "memSyncDomain")->value;
    if (is->kind == VALUE_CONSTANT)
        return eval_set_domain(e, is->constant == HOST_DOMAIN_REMOTE, span, launch);
    if (is->kind != VALUE_NUMBER)
        return is->kind == VALUE_NOTHING || eval_needs(e, is, span, "a domain");
    return eval_set_domain(e, is->number, span, launch);
}

static bool event_attribute(struct eval *e, struct code_cell *value, const char *member,
                            struct span span, uint32_t *event)
{
    const struct code_value *is = &eval_member(e, eval_member(e, value, member), "event")->value;
    if (is->kind != VALUE_OBJECT)
        return eval_needs(e, is, span, "an event");
    *event = is->object;
    return true;
}

static bool cluster_attribute(struct eval *e, struct code_cell *value, struct span span,
                              struct launch *launch)
{
    struct code_value sizes = {.kind = VALUE_CELL, .cell = eval_member(e, value, "clusterDim")};
    return eval_launch_sizes_of(e, &sizes, span, &launch->cluster);
}

static bool is_set(struct eval *e, struct code_cell *value, const char *member)
{
    const struct code_value *is = &eval_member(e, value, member)->value;
    return is->kind != VALUE_NUMBER || is->number;
}

/* A row of a configuration's attributes. */
static bool attribute(struct eval *e, struct code_cell *one, struct span span,
                      struct launch *launch, uint32_t *event)
{
    struct code_cell *value = eval_member(e, one, "val");
    struct code_value *id = &eval_member(e, one, "id")->value;
    if (id->kind != VALUE_CONSTANT)
        return id->kind == VALUE_UNKNOWN ? eval_needs(e, id, span, "a launch attribute") : true;
    switch (id->constant) {
    case HOST_LAUNCH_PROGRAMMATIC:
        launch->programmatic = is_set(e, value, "programmaticStreamSerializationAllowed");
        return true;
    case HOST_LAUNCH_COOPERATIVE:
        launch->cooperative = is_set(e, value, "cooperative");
        return true;
    case HOST_LAUNCH_CLUSTER:
        return cluster_attribute(e, value, span, launch);
    case HOST_LAUNCH_SYNC_DOMAIN:
        return domain_attribute(e, value, span, launch);
    case HOST_LAUNCH_PROGRAMMATIC_EVENT:
        return event_attribute(e, value, "programmaticEvent", span, event);
    case HOST_LAUNCH_COMPLETION_EVENT:
        return event_attribute(e, value, "launchCompletionEvent", span, event);
    case HOST_LAUNCH_PRIORITY:
        return true;
    default:
        eval_error(e, host_argument, span,
                   "programmatic serialization, cooperative, cluster, memSyncDomain, events and "
                   "priority are",
                   "the launch attribute '%s' is not modelled", host_constant_names[id->constant]);
        return false;
    }
}

static bool configuration(struct eval *e, struct code_cell *cell, struct span span,
                          struct launch *launch, struct host_call *call)
{
    struct code_value sizes[2] = {{.kind = VALUE_CELL, .cell = eval_member(e, cell, "gridDim")},
                                  {.kind = VALUE_CELL, .cell = eval_member(e, cell, "blockDim")}};
    struct code_cell *attributes = eval_member(e, cell, "attrs");
    uint64_t count = 0;
    for (int i = 0; i < 2; i++)
        if (sizes[i].cell->value.kind != VALUE_NOTHING)
            sizes[i] = sizes[i].cell->value;
    const struct code_value *in = &eval_member(e, cell, "stream")->value;
    const struct code_value *number = &eval_member(e, cell, "numAttrs")->value;
    if (in->kind == VALUE_OBJECT)
        call->stream = in->object;
    else if (in->kind == VALUE_UNKNOWN)
        return eval_needs(e, in, span, "a stream");
    if (number->kind == VALUE_NUMBER)
        count = number->number;
    for (uint64_t i = 0; i < count && i < 32; i++) {
        struct lvalue place;
        if (!eval_pointed_to(e, &attributes->value, i, span, &place) || !place.cell ||
            !attribute(e, place.cell, span, launch, &call->event))
            return false;
    }
    return eval_launch_sizes_of(e, &sizes[0], span, &launch->grid) &&
           eval_launch_sizes_of(e, &sizes[1], span, &launch->block) &&
           shared_bytes(e, &eval_member(e, cell, "dynamicSmemBytes")->value, span, launch);
}

/* cudaLaunchKernelEx(&configuration, K, arguments …), cudaLaunchKernelExC(…, K, array) */
static bool launch_configured(struct eval *e, const struct cpp_expr *expr, struct launch *launch,
                              struct span *name, struct host_call *call, bool array)
{
    struct code_value config, function, value;
    if (expr->kid_count < 3) {
        eval_error(e, host_argument, expr->span, NULL, "this takes a configuration and a kernel");
        return false;
    }
    if (!eval_value(e, expr->kids[1], &config) || !eval_value(e, expr->kids[2], &function) ||
        !kernel_value(e, &function, expr->kids[2]->span, name, &launch->kernel))
        return false;
    if (config.kind != VALUE_CELL)
        return eval_needs(e, &config, expr->kids[1]->span, "a configuration's address");
    if (!configuration(e, config.cell, expr->span, launch, call))
        return false;
    if (array)
        return expr->kid_count < 4 ||
               (eval_value(e, expr->kids[3], &value) &&
                pointed_arguments(e, launch, launch->kernel, &value, expr->span));
    launch->args = ARENA_ARRAY(e->arena, struct operand, expr->kid_count);
    for (uint32_t i = 3; i < expr->kid_count; i++)
        if (!eval_address(e, expr->kids[i], &value) ||
            !eval_add_launch_argument(e, launch, launch->kernel, &value, expr->kids[i]->span))
            return false;
    return true;
}

bool eval_launching_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                         struct code_value *to)
{
    static const char *const names[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                        "cudaLaunchKernelEx", "cudaLaunchKernelExC"};
    struct host_call call = eval_blank_call(e, host_call_rows);
    struct launch launch = {.kernel = NONE, .cluster = {1, 1, 1}};
    struct span name;
    uint32_t which = 0;
    while (which < 4 && strcmp(word, names[which]) != 0)
        which++;
    *found = which < 4;
    if (which == 4 || e->is_dead)
        return which < 4;
    launch.cooperative = which == 1;
    bool good = which < 2 ? launch_kernel(e, expr, &launch, &name, &call.stream)
                          : launch_configured(e, expr, &launch, &name, &call, which == 3);
    if (!good)
        return false;
    call.launch = eval_add_launch(e, launch, eval_text(e, name), name, expr->span);
    return eval_add_call(e, call, false, expr->span, to);
}
