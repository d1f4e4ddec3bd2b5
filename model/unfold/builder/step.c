/* SPDX-License-Identifier: MIT */
#include "model/unfold/builder/step.h"

#include "litmus/test/code_line.h"

/* Adds what one instruction does: events with its text, place and control dependencies. */

void step_undefined(struct unfold_step *s, const char *name, const char *detail, expr_id condition)
{
    builder_undefined(s->b, name, detail, expr_and(s->b->exprs, s->guard, condition), s->inst->span,
                      s->run->thread);
}

static const char *inst_text(struct builder *b, const struct inst *inst)
{
    const struct source *source = b->test->source;
    if (!source || !inst->span.length || inst->span.offset + inst->span.length > source->length)
        return op_mnemonic(inst->op);
    const char *words = source_words(b->arena, source, inst->span);
    const struct code_line *line = test_code_line(b->test, inst->span.offset);
    return line ? arena_printf(b->arena, "%s (%s)", words, code_line_words(b->arena, b->test, line))
                : words;
}

event_id step_add_event(struct unfold_step *s, struct event event)
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
        step_refuse(s, DIAG_too_many_events, "more than %u events", b->options->max_events);
    builder_edges(b, FIXED_ctrl, s->ctrl, b->events.len - 1);
    return b->events.len - 1;
}

struct event step_event(struct unfold_step *s, enum event_kind kind, event_tags tags)
{
    struct event e = event_new(kind, tags, NONE, step_next_position(s->run), s->guard);
    e.address = e.value = expr_const(s->b->exprs, 64, 0);
    return e;
}

event_id step_api_event(struct unfold_step *s, event_tags tags, const char *text)
{
    struct event e = step_event(s, EVENT_API, tags);
    e.text = text;
    return step_add_event(s, e);
}

uint32_t step_next_position(struct unfold_run *run)
{
    return run->position++;
}
