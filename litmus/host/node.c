/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* What nodes of graphs do, as structures of the runtime say: cudaMemsetParams, cudaMemcpy3DParms and their like. */

static bool known_member(struct eval *e, struct code_cell *cell, const char *name, struct span span,
                         uint64_t *number)
{
    const struct code_value *value = &eval_member(e, cell, name)->value;
    *number = value->kind == VALUE_NUMBER ? value->number : 0;
    return value->kind == VALUE_NUMBER || value->kind == VALUE_NOTHING ||
           eval_needs(e, value, span, arena_printf(e->arena, "the member '%s'", name));
}

/* cudaMemsetParams: rows of elements. */
static bool set_parameters(struct eval *e, struct code_cell *cell, struct span span,
                           struct host_call *call)
{
    uint64_t width, height, size;
    if (!known_member(e, cell, "width", span, &width) ||
        !known_member(e, cell, "height", span, &height) ||
        !known_member(e, cell, "elementSize", span, &size) ||
        !known_member(e, cell, "value", span, &call->value))
        return false;
    uint64_t byte = call->value & 0xff, repeated = byte * UINT64_C(0x0101010101010101);
    if (size > 1 && size < 8 && call->value != (repeated & ((UINT64_C(1) << size * 8) - 1))) {
        eval_error(e, host_argument, span, "set bytes: elementSize = 1",
                   "a set of elements whose bytes differ is not modelled");
        return false;
    }
    call->bytes = width * (height ? height : 1) * (size ? size : 1);
    return eval_memory_of(e, &eval_member(e, cell, "dst")->value, span, &call->to);
}

static bool pitched(struct eval *e, struct code_cell *cell, const char *name, struct span span,
                    struct host_memory *to)
{
    struct code_cell *pointer = eval_member(e, cell, name);
    if (pointer->value.kind == VALUE_CELL)
        pointer = pointer->value.cell;
    return eval_memory_of(e, &eval_member(e, pointer, "ptr")->value, span, to);
}

/* cudaMemcpy3DParms of one row. */
static bool copy_parameters(struct eval *e, struct code_cell *cell, struct span span,
                            struct host_call *call)
{
    struct code_cell *extent = eval_member(e, cell, "extent");
    uint64_t height, depth;
    if (extent->value.kind == VALUE_CELL)
        extent = extent->value.cell;
    if (!known_member(e, extent, "width", span, &call->bytes) ||
        !known_member(e, extent, "height", span, &height) ||
        !known_member(e, extent, "depth", span, &depth))
        return false;
    call->bytes *= (height ? height : 1) * (depth ? depth : 1);
    const struct code_value *kind = &eval_member(e, cell, "kind")->value;
    if (kind->kind == VALUE_CONSTANT)
        call->constant = kind->constant;
    return pitched(e, cell, "srcPtr", span, &call->from) &&
           pitched(e, cell, "dstPtr", span, &call->to);
}

/* cudaMemAllocNodeParams: the call writes the member 'dptr'. */
static bool allocation_parameters(struct eval *e, struct code_cell *cell, struct span span,
                                  struct host_call *call)
{
    uint64_t bytes;
    return known_member(e, cell, "bytesize", span, &bytes) &&
           eval_allocate(e, eval_member(e, cell, "dptr"), bytes, MEMORY_DEVICE, span,
                         &call->to.location);
}

static bool function_parameters(struct eval *e, struct code_cell *cell, struct span span,
                                struct host_call *call)
{
    struct code_value function = eval_member(e, cell, "fn")->value;
    struct code_value data = eval_member(e, cell, "userData")->value;
    if (function.kind != VALUE_FUNCTION)
        return eval_needs(e, &function, span, "a host function");
    if (data.kind == VALUE_NOTHING)
        data = eval_number(0, TYPE_U64);
    return eval_thread_body(e, function.function, function.function->name, true, &data,
                            function.function->parameter_count ? 1 : 0, NONE, NONE,
                            &call->function);
}

bool eval_node_parameters(struct eval *e, struct code_cell *cell, struct span span,
                          struct host_call *call)
{
    switch (call->row->subject) {
    case HOST_SUBJECT_SET:
        return set_parameters(e, cell, span, call);
    case HOST_SUBJECT_COPY:
        return copy_parameters(e, cell, span, call);
    case HOST_SUBJECT_ALLOCATION:
        return allocation_parameters(e, cell, span, call);
    default:
        return function_parameters(e, cell, span, call);
    }
}
