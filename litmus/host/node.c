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

bool eval_element_size(struct eval *e, uint64_t size, struct span span)
{
    if (size == 1 || size == 2 || size == 4)
        return true;
    eval_error(e, host_argument, span, NULL, "elements of a set have 1, 2 or 4 bytes");
    return false;
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
    size = size ? size : 1;
    if (!eval_element_size(e, size, span))
        return false;
    call->element = size > 1 ? size : 0;
    call->bytes = width * (height ? height : 1) * size;
    return eval_memory_of(e, &eval_member(e, cell, "dst")->value, span, &call->to);
}

/* The structure that a member holds, or is. */
static struct code_cell *inner(struct eval *e, struct code_cell *cell, const char *name)
{
    struct code_cell *member = eval_member(e, cell, name);
    return member->value.kind == VALUE_CELL ? member->value.cell : member;
}

static bool gaps(struct eval *e, struct span span)
{
    eval_error(e, host_argument, span, "copy the rows one by one",
               "a copy from or to a place in an array, or of rows with gaps between them, is not "
               "modelled");
    return false;
}

/* Do the bytes lie one behind the other, from where the pointers point to? */
static bool is_whole(struct eval *e, struct code_cell *cell, const char *pointer,
                     const char *position, const char *array, uint64_t width, uint64_t rows,
                     struct span span)
{
    static const char *const places[] = {"x", "y", "z"};
    uint64_t number;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!known_member(e, inner(e, cell, position), places[i], span, &number))
            return false;
        else if (number)
            return gaps(e, span);
    if (!known_member(e, cell, array, span, &number) ||
        !known_member(e, inner(e, cell, pointer), "pitch", span, &number))
        return false;
    return rows == 1 || number == width || gaps(e, span);
}

static bool pitched(struct eval *e, struct code_cell *cell, const char *name, struct span span,
                    struct host_memory *to)
{
    return eval_memory_of(e, &eval_member(e, inner(e, cell, name), "ptr")->value, span, to);
}

/* cudaMemcpy3DParms of what is one piece. */
static bool copy_parameters(struct eval *e, struct code_cell *cell, struct span span,
                            struct host_call *call)
{
    struct code_cell *extent = inner(e, cell, "extent");
    uint64_t height, depth;
    if (!known_member(e, extent, "width", span, &call->bytes) ||
        !known_member(e, extent, "height", span, &height) ||
        !known_member(e, extent, "depth", span, &depth))
        return false;
    uint64_t width = call->bytes, rows = (height ? height : 1) * (depth ? depth : 1);
    call->bytes *= rows;
    if (!is_whole(e, cell, "srcPtr", "srcPos", "srcArray", width, rows, span) ||
        !is_whole(e, cell, "dstPtr", "dstPos", "dstArray", width, rows, span))
        return false;
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
    struct thread_code code = {.function = function.function,
                               .name = function.function->name,
                               .is_function = true,
                               .arguments = &data,
                               .count = function.function->parameter_count ? 1 : 0,
                               .started = NONE,
                               .ended = NONE};
    return eval_thread_body(e, &code, &call->function);
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
