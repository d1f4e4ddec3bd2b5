/* SPDX-License-Identifier: MIT */
#include "model/unfold/builder/builder.h"

/* Adds choices, assumptions, edges and events to the graph that is being built. Edges that are never
 * there and assumptions that always hold are left out. */

expr_id builder_choice(struct builder *b, const char *name, unsigned width)
{
    vec_push(b->arena, &b->choices, ((struct choice){.name = name, .width = width}));
    return expr_choice(b->exprs, width, b->choices.len - 1);
}

expr_id builder_anything(struct builder *b, const char *name, unsigned width)
{
    expr_id choice = builder_choice(b, name, width);
    b->choices.at[b->choices.len - 1].anything = true;
    return choice;
}

expr_id builder_delayed(struct builder *b, unsigned width, uint32_t *index)
{
    expr_id choice = builder_choice(b, "delayed", width);
    struct delayed d = {b->choices.len - 1, expr_const(b->exprs, width, 0)};
    vec_push(b->arena, &b->delayed, d);
    *index = b->delayed.len - 1;
    return choice;
}

expr_id builder_guess(struct builder *b, expr_id value, expr_id guard, struct span span,
                      uint32_t thread)
{
    unsigned width = expr_get(b->exprs, value)->width;
    expr_id guess = builder_choice(b, "what is handed out", width);
    expr_id made = expr_ite(b->exprs, guard, value, expr_const(b->exprs, width, 0));
    b->choices.at[b->choices.len - 1].rests_on = 1 + made;
    expr_id none = expr_eq(b->exprs, guess, expr_const(b->exprs, width, 0));
    expr_id right = expr_eq(b->exprs, guess, value);
    builder_assume(b, ASSUME_PLAIN, expr_ite(b->exprs, guard, right, none), span, thread);
    return guess;
}

expr_id builder_count(struct builder *b, expr_id truth)
{
    return expr_extend(b->exprs, truth, 32, false);
}

void builder_assume(struct builder *b, enum assumption_kind kind, expr_id condition,
                    struct span span, uint32_t thread)
{
    struct assumption a = {kind, condition, span, thread};
    if (!expr_is_true(b->exprs, condition))
        vec_push(b->arena, &b->assumptions, a);
}

void builder_undefined(struct builder *b, const char *name, const char *detail, expr_id condition,
                       struct span span, uint32_t thread)
{
    struct undefined u = {name, detail, condition, span, thread};
    if (!expr_is_false(b->exprs, condition))
        vec_push(b->arena, &b->undefined, u);
}

void builder_edge(struct builder *b, enum fixed_relation relation, event_id from, event_id to,
                  expr_id guard, const char *reason)
{
    struct fixed_edge edge = {from, to, guard, API_EDGE_NONE, reason};
    if (!expr_is_false(b->exprs, guard))
        vec_push(b->arena, &b->fixed[relation], edge);
}

void builder_api_edge(struct builder *b, enum api_edge rule, event_id from, event_id to,
                      expr_id guard, const char *reason)
{
    static const char *const names[] = {
        "",
#define API_EDGE(name, what) #name,
#include "model/graph/api_edge.def"
#undef API_EDGE
    };
    struct fixed_edge edge = {from, to, guard, rule,
                              arena_printf(b->arena, "%s (%s)", reason, names[rule])};
    enum fixed_relation relation = rule == API_EDGE_E19 ? FIXED_async : FIXED_api_sync;
    if (!expr_is_false(b->exprs, guard))
        vec_push(b->arena, &b->fixed[relation], edge);
}

void builder_edges(struct builder *b, enum fixed_relation relation, const struct deps *from,
                   event_id to)
{
    for (uint32_t i = 0; from && i < from->count; i++)
        builder_edge(b, relation, from->items[i].event, to, from->items[i].guard, NULL);
}

event_id builder_api_event(struct builder *b, event_tags tags, uint32_t thread, uint32_t position,
                           expr_id guard, const char *text, struct span span)
{
    struct event event = event_new(EVENT_API, tags, thread, position, guard);
    event.text = text;
    event.span = span;
    event.address = event.value = expr_const(b->exprs, 64, 0);
    vec_push(b->arena, &b->events, event);
    return b->events.len - 1;
}

expr_id builder_lies_in(struct builder *b, expr_id address, const struct mapping *mapping)
{
    expr_id base = expr_const(b->exprs, 64, mapping->virtual_base);
    expr_id offset = expr_binary(b->exprs, EXPR_SUB, address, base);
    return expr_binary(b->exprs, EXPR_ULT, offset, expr_const(b->exprs, 64, mapping->bytes));
}

bool builder_may_race(const struct builder *b, struct span loop)
{
    for (uint32_t i = 0; i < b->racing.len; i++)
        if (b->racing.at[i].offset == loop.offset)
            return true;
    return false;
}

void builder_fail(struct builder *b, enum diag_id id, struct span span, const char *hint,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(b->arena, format, arguments);
    va_end(arguments);
    if (!b->failed)
        diag_add(b->diags, id, b->test->source, span, hint, "%s", text);
    b->failed = true;
}

bool builder_is_lone(const struct builder *b, const struct event *event)
{
    for (uint32_t i = 0; i < b->lone.len; i++)
        if (b->lone.at[i].thread == event->thread &&
            b->lone.at[i].span.offset == event->span.offset)
            return true;
    return false;
}
