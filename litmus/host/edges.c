/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Edges of graphs as the runtime lists them: two arrays of nodes, what is to be known of each edge (before CUDA 13
 * nothing), and how many there are. Each is a call of its own. */

/* What a cudaGraphEdgeData says of an edge. */
static bool edge_data(struct eval *e, const struct code_value *list, uint32_t index,
                      struct span span, enum host_constant *constant)
{
    struct lvalue place;
    if (list->kind != VALUE_CELL) /* NULL */
        return true;
    if (!eval_pointed_to(e, list, index, span, &place) || !place.cell)
        return false;
    const struct code_value *type = &eval_member(e, place.cell, "type")->value;
    const struct code_value *port = &eval_member(e, place.cell, "from_port")->value;
    if (port->kind == VALUE_CONSTANT && port->constant == HOST_PORT_LAUNCH_ORDER) {
        eval_error(e, host_argument, span, "leave the edge out: it orders no access",
                   "an edge from the launch of a kernel is not modelled");
        return false;
    }
    *constant = type->kind == VALUE_CONSTANT ? type->constant : HOST_CONSTANT_NONE;
    return type->kind != VALUE_UNKNOWN || eval_needs(e, type, span, "the type of an edge");
}

bool eval_lists_edges(const struct host_call_row *row, const struct cpp_expr *expr)
{
    bool edges =
        row->subject == HOST_SUBJECT_DEPENDENCY || row->subject == HOST_SUBJECT_NO_DEPENDENCY;
    const char *word = expr->kid_count == 5 ? eval_word(expr->kids[4]) : NULL;
    return edges && (expr->kid_count == 6 ||
                     (expr->kid_count == 5 && !(word && strncmp(word, "cuda", 4) == 0)));
}

bool eval_edges(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                bool used, struct code_value *to)
{
    struct host_call call = eval_blank_call(e, row), from = call, into = call;
    struct code_value data = eval_number(0, TYPE_U64);
    uint64_t count;
    if (!eval_known_number(e, expr->kids[expr->kid_count - 1], "how many edges are listed",
                           &count) ||
        !eval_object(e, expr->kids[1], HOST_GRAPH, &call.graph) ||
        !eval_node_list(e, expr->kids[2], (uint32_t)count, &from) ||
        !eval_node_list(e, expr->kids[3], (uint32_t)count, &into) ||
        (expr->kid_count == 6 && !eval_value(e, expr->kids[4], &data)))
        return false;
    *to = eval_number(HOST_RESULT_SUCCESS, TYPE_S32);
    for (uint32_t i = 0; i < count && i < from.dependency_count && i < into.dependency_count; i++) {
        call.node = from.dependencies[i];
        call.other_node = into.dependencies[i];
        if (!edge_data(e, &data, i, expr->span, &call.constant) ||
            !eval_add_call(e, call, used, expr->span, to))
            return false;
    }
    return true;
}
