/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Calls of the CUDA runtime. The letters of host_call.def say what each argument is. */

/* ---- rows ----------------------------------------------------------------------------------- */

static const struct {
    const char *word, *row;
} synonyms[] = {
#define SYNONYM(word, row) {word, row},
#include "litmus/host/name.def"
};

const struct host_call_row *eval_runtime_row(const char *word)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(word, synonyms[i].word) == 0)
            word = synonyms[i].row;
    for (uint32_t i = 1; i < host_call_row_count; i++)
        if (strcmp(word, host_call_rows[i].name) == 0)
            return &host_call_rows[i];
    return NULL;
}

/* ---- calls ---------------------------------------------------------------------------------- */

struct host_call eval_blank_call(const struct eval *e, const struct host_call_row *row)
{
    return (struct host_call){.row = row,
                              .host = e->host,
                              .stream = NONE,
                              .event = NONE,
                              .other_event = NONE,
                              .graph = NONE,
                              .exec = NONE,
                              .node = NONE,
                              .other_node = NONE,
                              .child = NONE,
                              .to = {NONE, 0},
                              .from = {NONE, 0},
                              .function = NONE,
                              .waits = NONE,
                              .launch = NONE};
}

/* A call that every later one depends on, where a run of the program may not come. */
static bool is_refused_in_branch(const struct eval *e, const struct host_call *call)
{
    bool node = call->row->class == HOST_ENQUEUES && gap_is_capturing(e);
    return e->is_file && eval_is_conditional(e) &&
           (node || host_call_is_unconditional(&e->p->test->host->platform, call->row));
}

bool eval_add_call(struct eval *e, struct host_call call, bool used, struct span span,
                   struct code_value *to)
{
    bool asks = call.row->class == HOST_ASKS;
    struct raw_operand operands[2] = {{.kind = RAW_SINK, .span = span}};
    call.span = span;
    if (call.stream == NONE && call.row->stream == HOST_NEEDS_ANY)
        call.stream = eval_default_stream(e);
    *to = eval_number(HOST_RESULT_SUCCESS, TYPE_S32);
    if (e->is_dead)
        return true;
    if (e->left) {
        struct code_value unknown = gap_value(e->left, span);
        return eval_needs(e, &unknown, span, "a call");
    }
    if (is_refused_in_branch(e, &call)) {
        eval_error(e, host_unsupported, span, NULL, "%s in a branch is not modelled",
                   call.row->name);
        return false;
    }
    vec_push(e->arena, &e->p->host_calls, call);
    if (asks && used)
        operands[0] = eval_temporary(e, span);
    operands[1] = eval_number_operand(e->p->host_calls.len - 1, span);
    eval_emit(e, (struct raw_inst){.op = OP_HOST_CALL}, operands, 2, span);
    if (asks && used)
        *to = eval_in_register(operands[0], TYPE_S32);
    gap_spread(e);
    return true;
}

/* The offset in bytes of a copy to or from a symbol. */
static bool symbol_offset(struct eval *e, struct host_call *call, struct span span)
{
    bool to = strncmp(call->row->name, "cudaMemcpyToSymbol", 18) == 0;
    struct host_memory *symbol = to ? &call->to : &call->from;
    if ((!to && strncmp(call->row->name, "cudaMemcpyFromSymbol", 20) != 0) || !call->value)
        return true;
    struct code_value address = {.kind = VALUE_ADDRESS, .location = symbol->location};
    address.number = symbol->element * eval_unit(e, symbol->location) + call->value;
    call->value = 0;
    return eval_memory_of(e, &address, span, symbol);
}

/* The variable has the thread's mode from now on, and the thread its. */
static bool exchange_mode(struct eval *e, const struct cpp_expr *expr, struct host_call *call)
{
    struct code_value pointer;
    struct lvalue place;
    bool by_name = call->constant != HOST_CONSTANT_NONE;
    if (!by_name && (!eval_value(e, expr, &pointer) ||
                     !eval_pointed_to(e, &pointer, 0, expr->span, &place) || !place.cell))
        return false;
    if (!by_name && place.cell->value.kind != VALUE_CONSTANT)
        return eval_needs(e, &place.cell->value, expr->span, "a mode of captures");
    enum host_constant mode = by_name ? call->constant : place.cell->value.constant;
    if (!by_name)
        place.cell->value.constant = e->capture_mode ? e->capture_mode : HOST_CAPTURE_GLOBAL;
    e->capture_mode = call->constant = mode;
    return true;
}

/* How long it took nobody knows. */
static bool unknown_time(struct eval *e, const struct cpp_expr *expr)
{
    struct code_value time = {.kind = VALUE_UNKNOWN, .name = expr->span}, pointer;
    struct lvalue place;
    if (expr->kind == CPP_NAME && strcmp(eval_text(e, expr->span), "NULL") == 0)
        return true;
    return eval_value(e, expr, &pointer) && eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
           eval_write(e, &place, &time, expr->span);
}

/* The graph that the node was added to. */
static uint32_t graph_of_node(const struct eval *e, uint32_t node)
{
    for (uint32_t i = e->p->host_calls.len; i-- > 0;)
        if (e->p->host_calls.at[i].row->class == HOST_ADDS && e->p->host_calls.at[i].node == node)
            return e->p->host_calls.at[i].graph;
    return NONE;
}

static void pin(struct eval *e, const struct host_call *call)
{
    if (call->to.location != NONE && strcmp(call->row->name, "cudaHostRegister") == 0 &&
        e->p->locations.at[call->to.location].memory == MEMORY_PAGEABLE)
        e->p->locations.at[call->to.location].memory = MEMORY_PINNED;
}

bool eval_runtime_call(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                       bool used, struct code_value *to)
{
    if (eval_lists_edges(row, expr))
        return eval_edges(e, expr, row, used, to);
    struct host_call call = eval_blank_call(e, row);
    bool whole;
    if (!eval_structured(e, expr, &call, &whole))
        return false;
    if (!whole && !eval_call_arguments(e, expr, &call))
        return false;
    if (!symbol_offset(e, &call, expr->span))
        return false;
    if (host_call_is(&call, HOST_CHANGES, HOST_SUBJECT_DEVICE))
        e->device = (uint32_t)call.value;
    bool on_value = row->subject == HOST_SUBJECT_FUNCTION || row->subject == HOST_SUBJECT_HANDLE ||
                    row->subject == HOST_SUBJECT_CONDITION;
    if (on_value && call.to.location != NONE && !e->is_dead &&
        !eval_stream_value(e, expr->span, &call))
        return false;
    if (row->subject == HOST_SUBJECT_CAPTURE_MODE && !exchange_mode(e, expr->kids[1], &call))
        return false;
    if (row->subject == HOST_SUBJECT_ELAPSED && !unknown_time(e, expr->kids[1]))
        return false;
    if (row->subject == HOST_SUBJECT_CAPTURE_STATUS && !eval_tell_capture(e, expr, call.stream))
        return false;
    if (row->subject == HOST_SUBJECT_REGISTRATION)
        pin(e, &call);
    if ((row->class == HOST_SETS && call.exec == NONE) || row->subject == HOST_SUBJECT_NO_NODE)
        call.graph = graph_of_node(e, call.node);
    return eval_add_call(e, call, used, expr->span, to);
}
