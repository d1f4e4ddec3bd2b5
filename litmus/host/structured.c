/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/host/tree.h"

/* Calls whose arguments are structures of the runtime: cudaGraphAddNode with cudaGraphNodeParams, cuStreamBatchMemOp,
 * cudaMemcpy3D. They are read as the calls that they stand for. */

static const struct cpp_expr *element(struct eval *e, const struct cpp_expr *of, uint64_t index)
{
    struct cpp_expr number = {.kind = CPP_NUMBER, .value = index, .bytes = 8, .span = of->span};
    const struct cpp_expr *kids[2] = {of, tree_expr(e->arena, number, NULL, 0)};
    return tree_expr(e->arena, (struct cpp_expr){.kind = CPP_INDEX, .span = of->span}, kids, 2);
}

static const struct cpp_expr *address(struct eval *e, const struct cpp_expr *of)
{
    struct cpp_expr expr = {.kind = CPP_UNARY, .mark = CPP_MARK_AND, .span = of->span};
    return tree_expr(e->arena, expr, &of, 1);
}

/* "word(arguments)", where 'expr' stands. */
static bool call(struct eval *e, const struct cpp_expr *expr, const char *word,
                 const struct cpp_expr *const *arguments, uint32_t count, struct code_value *to)
{
    struct cpp_expr callee = {
        .kind = CPP_NAME, .name = tree_name(e->arena, word, expr->span), .span = expr->span};
    const struct cpp_expr **kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, count + 1);
    kids[0] = tree_expr(e->arena, callee, NULL, 0);
    for (uint32_t i = 0; i < count; i++)
        kids[1 + i] = arguments[i];
    struct cpp_expr whole = {.kind = CPP_CALL, .span = expr->span};
    return eval_runtime_call(e, tree_expr(e->arena, whole, kids, count + 1), eval_runtime_row(word),
                             false, to);
}

/* The variable that "&params" points to, which is named on; NULL after a report. */
static const struct cpp_expr *structure_of(struct eval *e, const struct cpp_expr *expr)
{
    struct cpp_expr pointed = {.kind = CPP_UNARY, .mark = CPP_MARK_MUL, .span = expr->span};
    return expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND
               ? expr->kids[0]
               : tree_expr(e->arena, pointed, &expr, 1);
}

/* ---- cudaGraphAddNode ----------------------------------------------------------------------- */

/* By number of cudaGraphNodeType: the member of cudaGraphNodeParams, what of it the call is given, and the call. */
static const struct node_type {
    const char *member, *part, *call;
    bool whole; /* the address of the structure */
} node_types[] = {{"kernel", NULL, "cudaGraphAddKernelNode", true},
                  {"memcpy", "copyParams", "cudaGraphAddMemcpyNode", true},
                  {"memset", NULL, "cudaGraphAddMemsetNode", true},
                  {"host", NULL, "cudaGraphAddHostNode", true},
                  {"graph", "graph", "cudaGraphAddChildGraphNode", false},
                  {NULL, NULL, "cudaGraphAddEmptyNode", false},
                  {"eventWait", "event", "cudaGraphAddEventWaitNode", false},
                  {"eventRecord", "event", "cudaGraphAddEventRecordNode", false},
                  {NULL, NULL, NULL, false},
                  {NULL, NULL, NULL, false},
                  {"alloc", NULL, "cudaGraphAddMemAllocNode", true},
                  {"free", "dptr", "cudaGraphAddMemFreeNode", false}};
enum { NODE_TYPES = sizeof node_types / sizeof *node_types, NODE_CONDITIONAL = 13 };

/* The graphs that the call makes are elements of the member phGraph_out. */
static bool conditional_node(struct eval *e, const struct cpp_expr *expr,
                             const struct cpp_expr *params, const struct cpp_expr **given,
                             struct code_value *to)
{
    const struct cpp_expr *condition = tree_member(e->arena, params, "conditional");
    const struct cpp_expr *graphs = tree_member(e->arena, condition, "phGraph_out");
    struct code_shape *graph = ARENA_NEW(e->arena, struct code_shape);
    struct code_shape *array = ARENA_NEW(e->arena, struct code_shape);
    struct lvalue place;
    uint64_t count;
    if (!eval_known_number(e, tree_member(e->arena, condition, "size"), "how many graphs there are",
                           &count) ||
        !eval_place_of(e, graphs, &place))
        return false;
    if (!place.cell || !count || count > MAX_ELEMENTS) {
        eval_error(e, host_argument, expr->span, NULL, "a conditional node has 1 to %d graphs",
                   MAX_ELEMENTS);
        return false;
    }
    *graph = (struct code_shape){.kind = SHAPE_OBJECT, .object = HOST_GRAPH};
    *array = (struct code_shape){.kind = SHAPE_ARRAY, .of = graph, .count = (uint32_t)count};
    place.cell->shape = array;
    const struct cpp_expr **bodies = ARENA_ARRAY(e->arena, const struct cpp_expr *, count);
    for (uint64_t i = 0; i < count; i++)
        bodies[i] = address(e, element(e, graphs, i));
    given[4] = tree_member(e->arena, condition, "handle");
    given[5] = tree_member(e->arena, condition, "type");
    given[6] = tree_expr(e->arena, (struct cpp_expr){.kind = CPP_LIST, .span = expr->span}, bodies,
                         (uint32_t)count);
    return call(e, expr, "cudaGraphAddNode", given, 7, to);
}

/* "cudaGraphAddNode(&node, graph, dependencies, data, count, &params)"; CUDA 12 has no data. */
static bool typed_node(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct cpp_expr *given[7] = {expr->kids[1], expr->kids[2], expr->kids[3],
                                       expr->kids[expr->kid_count - 2]};
    const struct cpp_expr *params = structure_of(e, expr->kids[expr->kid_count - 1]);
    uint64_t type;
    if (!eval_known_number(e, tree_member(e->arena, params, "type"), "the type of the node", &type))
        return false;
    if (type == NODE_CONDITIONAL)
        return conditional_node(e, expr, params, given, to);
    const struct node_type *row = type < NODE_TYPES ? &node_types[type] : NULL;
    if (!row || !row->call) {
        eval_error(e, host_unsupported, expr->span, NULL, "nodes of this type are not modelled");
        return false;
    }
    if (!row->member)
        return call(e, expr, row->call, given, 4, to);
    given[4] = tree_member(e->arena, params, row->member);
    if (row->part)
        given[4] = tree_member(e->arena, given[4], row->part);
    if (row->whole)
        given[4] = address(e, given[4]);
    return call(e, expr, row->call, given, 5, to);
}

/* ---- cuStreamBatchMemOp --------------------------------------------------------------------- */

static const struct memory_operation {
    uint64_t number;
    const char *member, *value, *call;
} memory_operations[] = {{1, "waitValue", "value", "cuStreamWaitValue32"},
                         {2, "writeValue", "value", "cuStreamWriteValue32"},
                         {4, "waitValue", "value64", "cuStreamWaitValue64"},
                         {5, "writeValue", "value64", "cuStreamWriteValue64"}};

static bool has_value(struct eval *e, const struct cpp_expr *expr)
{
    struct lvalue place;
    return eval_place_of(e, expr, &place) && place.cell && place.cell->value.kind != VALUE_NOTHING;
}

static bool memory_operation(struct eval *e, const struct cpp_expr *expr,
                             const struct cpp_expr *params, struct code_value *to)
{
    uint64_t number;
    if (!eval_known_number(e, tree_member(e->arena, params, "operation"), "the operation", &number))
        return false;
    for (size_t i = 0; i < sizeof memory_operations / sizeof *memory_operations; i++) {
        const struct memory_operation *row = &memory_operations[i];
        if (row->number != number)
            continue;
        const struct cpp_expr *part = tree_member(e->arena, params, row->member);
        const struct cpp_expr *value = tree_member(e->arena, part, row->value),
                              *flags = tree_member(e->arena, part, "flags");
        const struct cpp_expr *given[4] = {
            expr->kids[1], tree_member(e->arena, part, "address"),
            has_value(e, value) ? value : tree_member(e->arena, part, "value"), flags};
        return call(e, expr, row->call, given, has_value(e, flags) ? 4 : 3, to);
    }
    eval_error(e, host_unsupported, expr->span, "write values and wait for values",
               "barriers and flushes of a batch are not modelled");
    return false;
}

/* "cuStreamBatchMemOp(stream, count, operations, flags)": one after the other. */
static bool batch(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    uint64_t count;
    if (!eval_known_number(e, expr->kids[2], "how many operations there are", &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!memory_operation(e, expr, element(e, expr->kids[3], i), to))
            return false;
    return true;
}

/* ---- cudaMemcpy3D --------------------------------------------------------------------------- */

static bool copy(struct eval *e, const struct cpp_expr *expr, const char *word,
                 struct code_value *to)
{
    struct host_call made = eval_blank_call(e, eval_runtime_row(word));
    struct code_value params;
    if (!eval_value(e, expr->kids[1], &params))
        return false;
    if (params.kind != VALUE_CELL)
        return eval_needs(e, &params, expr->kids[1]->span, "the address of a structure");
    if (expr->kid_count > 2 && !eval_object(e, expr->kids[2], HOST_STREAM, &made.stream))
        return false;
    return eval_node_parameters(e, params.cell, expr->span, &made) &&
           eval_add_call(e, made, false, expr->span, to);
}

bool eval_structured_call(struct eval *e, const struct cpp_expr *expr, const char *word,
                          bool *found, struct code_value *to)
{
    bool adds = strcmp(word, "cudaGraphAddNode") == 0 && expr->kid_count >= 6 &&
                expr->kid_count <= 7 && expr->kids[expr->kid_count - 1]->kind == CPP_UNARY;
    bool batches = strcmp(word, "cuStreamBatchMemOp") == 0;
    bool copies = strcmp(word, "cudaMemcpy3D") == 0;
    bool copies_async = strcmp(word, "cudaMemcpy3DAsync") == 0;
    *found = adds || batches || copies || copies_async;
    *to = eval_number(HOST_RESULT_SUCCESS, TYPE_S32);
    if (*found && expr->kid_count < (batches ? 5 : 2)) {
        eval_error(e, host_argument, expr->span, NULL, "'%s' takes more arguments", word);
        return false;
    }
    if (adds)
        return typed_node(e, expr, to);
    if (batches)
        return batch(e, expr, to);
    return *found && copy(e, expr, copies ? "cudaMemcpy" : "cudaMemcpyAsync", to);
}
