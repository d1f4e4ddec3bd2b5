/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* Calls that order nothing, and what they tell is found while the code is read. */

/* ---- cudaGraphGetNodes(graph, nodes, &count) -------------------------------------------------- */

static bool is_by_hand(const struct eval *e, uint32_t graph)
{
    for (uint32_t i = 0; i < e->p->host_calls.len; i++)
        if (host_call_is(&e->p->host_calls.at[i], HOST_CREATES, HOST_SUBJECT_GRAPH) &&
            e->p->host_calls.at[i].graph == graph && e->p->host_calls.at[i].child == NONE)
            return true;
    return false;
}

/* Writes the handles where 'nodes' points to, which may be NULL: at most as many as there is room for. */
static bool write_nodes(struct eval *e, uint32_t graph, const struct code_value *nodes,
                        uint64_t room, struct span span, uint64_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < e->p->host_calls.len; i++) {
        const struct host_call *call = &e->p->host_calls.at[i];
        struct code_value node = {.kind = VALUE_OBJECT, .object = call->node};
        struct lvalue place;
        if (call->row->class != HOST_ADDS || call->graph != graph)
            continue;
        uint32_t index = (uint32_t)(*count)++;
        if (nodes->kind != VALUE_NUMBER && index < room &&
            (!eval_pointed_to(e, nodes, index, span, &place) ||
             !eval_write(e, &place, &node, span)))
            return false;
    }
    return true;
}

bool eval_ask_nodes(struct eval *e, const struct cpp_expr *expr)
{
    struct code_value nodes, pointer, room;
    struct lvalue place;
    uint32_t graph;
    uint64_t count;
    if (expr->kid_count != 4) {
        eval_error(e, host_argument, expr->span, NULL, "'cudaGraphGetNodes' takes three arguments");
        return false;
    }
    if (!eval_object(e, expr->kids[1], HOST_GRAPH, &graph) ||
        !eval_value(e, expr->kids[2], &nodes) || !eval_value(e, expr->kids[3], &pointer) ||
        !eval_pointed_to(e, &pointer, 0, expr->span, &place) ||
        !eval_read(e, &place, expr->span, &room))
        return false;
    bool known = is_by_hand(e, graph);
    if (!known && nodes.kind != VALUE_NUMBER) {
        eval_error(e, host_argument, expr->span, "make the graph with cudaGraphCreate",
                   "the nodes of a captured graph have no names");
        return false;
    }
    uint64_t most = room.kind == VALUE_NUMBER ? room.number : 0;
    if (!write_nodes(e, graph, &nodes, most, expr->span, &count))
        return false;
    struct code_value told = eval_number(count, TYPE_U64);
    if (!known) /* how many nodes a capture makes is not counted */
        told = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    return eval_write(e, &place, &told, expr->span);
}

/* ---- cudaStreamIsCapturing(stream, &status) --------------------------------------------------- */

/* By stream and by event: the capture, a number, that it is in; 0: none. */
struct captures {
    uint32_t *of_stream, *of_event, streams;
};

static void end_capture(struct captures *c, uint32_t capture)
{
    for (uint32_t i = 0; capture && i < c->streams; i++)
        if (c->of_stream[i] == capture)
            c->of_stream[i] = 0;
}

static void follow_call(struct captures *c, const struct host_call *call, uint32_t number)
{
    switch (call->row->subject) {
    case HOST_SUBJECT_BEGIN_CAPTURE:
        c->of_stream[call->stream] = number;
        break;
    case HOST_SUBJECT_END_CAPTURE:
        end_capture(c, c->of_stream[call->stream]);
        break;
    case HOST_SUBJECT_RECORD:
        if (call->row->class == HOST_ENQUEUES)
            c->of_event[call->event] = c->of_stream[call->stream];
        break;
    case HOST_SUBJECT_EVENT_WAIT:
        if (call->row->class == HOST_ENQUEUES && c->of_event[call->event])
            c->of_stream[call->stream] = c->of_event[call->event];
        break;
    default:
        break;
    }
}

static bool is_captured(struct eval *e, uint32_t stream)
{
    uint32_t objects = e->p->host_objects.len;
    struct captures c = {ARENA_ARRAY(e->arena, uint32_t, objects),
                         ARENA_ARRAY(e->arena, uint32_t, objects), objects};
    for (uint32_t i = 0; i < e->p->host_calls.len; i++)
        if (e->p->host_calls.at[i].host == e->host)
            follow_call(&c, &e->p->host_calls.at[i], i + 1);
    return c.of_stream[stream];
}

bool eval_tell_capture(struct eval *e, const struct cpp_expr *expr, uint32_t stream)
{
    struct code_value status = eval_number(is_captured(e, stream), TYPE_S32), pointer;
    struct lvalue place;
    for (uint32_t i = 3; i < expr->kid_count; i++)
        if (!eval_value(e, expr->kids[i], &pointer))
            return false;
        else if (pointer.kind != VALUE_NUMBER || pointer.number) {
            eval_error(e, host_argument, expr->kids[i]->span, "pass NULL",
                       "what a capture holds is not told: '%s' would be written",
                       eval_text(e, expr->kids[i]->span));
            return false;
        }
    if (!eval_value(e, expr->kids[2], &pointer))
        return false;
    if (pointer.kind == VALUE_NUMBER && !pointer.number)
        return true; /* NULL, as it is printed: the answer is part of no state */
    return eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
           eval_write(e, &place, &status, expr->span);
}
