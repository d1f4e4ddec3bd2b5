/* SPDX-License-Identifier: MIT */
#include "model/unfold/builder.h"

unsigned type_bits(enum type type)
{
    return type == TYPE_PRED ? 1 : type_bytes(type) * 8;
}

expr_id new_choice(struct builder *b, const char *name, unsigned width)
{
    vec_push(b->arena, &b->choices, ((struct choice){name, width}));
    return expr_choice(b->exprs, width, b->choices.len - 1);
}

expr_id new_delayed(struct builder *b, unsigned width, uint32_t *index)
{
    expr_id choice = new_choice(b, "delayed", width);
    struct delayed d = {b->choices.len - 1, expr_const(b->exprs, width, 0)};
    vec_push(b->arena, &b->delayed, d);
    *index = b->delayed.len - 1;
    return choice;
}

expr_id as_count(struct builder *b, expr_id truth)
{
    return expr_extend(b->exprs, truth, 32, false);
}

void assume(struct builder *b, enum assumption_kind kind, expr_id condition, struct span span,
            uint32_t thread)
{
    struct assumption a = {kind, condition, span, thread};
    if (!expr_is_true(b->exprs, condition))
        vec_push(b->arena, &b->assumptions, a);
}

void add_undefined(struct step *s, const char *name, const char *detail, expr_id condition)
{
    struct undefined u = {name, detail, expr_and(s->b->exprs, s->guard, condition), s->inst->span,
                          s->run->thread};
    if (!expr_is_false(s->b->exprs, u.condition))
        vec_push(s->b->arena, &s->b->undefined, u);
}

void add_edge(struct builder *b, enum fixed_relation relation, event_id from, event_id to,
              expr_id guard, const char *reason)
{
    struct fixed_edge edge = {from, to, guard, API_EDGE_NONE, reason};
    if (!expr_is_false(b->exprs, guard))
        vec_push(b->arena, &b->fixed[relation], edge);
}

void add_api_edge(struct builder *b, enum api_edge rule, event_id from, event_id to, expr_id guard,
                  const char *reason)
{
    static const char *const names[] = {
        "",
#define API_EDGE(name, what) #name,
#include "model/graph/api_edge.def"
#undef API_EDGE
    };
    struct fixed_edge edge = {from, to, guard, rule,
                              arena_printf(b->arena, "%s (%s)", reason, names[rule])};
    enum fixed_relation relation = rule == API_EDGE_E19 ? FIXED_ASYNC : FIXED_API;
    if (!expr_is_false(b->exprs, guard))
        vec_push(b->arena, &b->fixed[relation], edge);
}

void add_edges(struct builder *b, enum fixed_relation relation, const struct deps *from,
               event_id to)
{
    for (uint32_t i = 0; from && i < from->count; i++)
        add_edge(b, relation, from->items[i].event, to, from->items[i].guard, NULL);
}

static const char *inst_text(struct builder *b, const struct inst *inst)
{
    const struct source *source = b->test->source;
    if (!source || !inst->span.length || inst->span.offset + inst->span.length > source->length)
        return op_mnemonic(inst->op);
    return arena_strndup(b->arena, source->text + inst->span.offset, inst->span.length);
}

event_id add_event(struct step *s, struct event event)
{
    struct builder *b = s->b;
    if (event.thread == NONE)
        event.thread = s->run->thread;
    event.inst = s->inst;
    event.span = s->inst->span;
    if (!event.text)
        event.text = inst_text(b, s->inst);
    vec_push(b->arena, &b->events, event);
    if (b->events.len > b->options->max_events && !b->failed)
        refuse(s, DIAG_too_many_events, "more than %u events", b->options->max_events);
    add_edges(b, FIXED_CTRL, s->ctrl, b->events.len - 1);
    return b->events.len - 1;
}

uint32_t next_position(struct run *run)
{
    return run->position++;
}

void refuse(struct step *s, enum diag_id id, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(s->b->arena, format, arguments);
    va_end(arguments);
    if (!s->b->failed)
        diag_add(s->b->diags, id, s->b->test->source, s->inst->span, NULL, "%s", text);
    s->b->failed = true;
}
