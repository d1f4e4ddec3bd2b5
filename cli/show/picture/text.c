/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include "cli/answer/names.h"

/* What is written into the box of an event. */

static bool reads_initial(const struct picture_plan *p, event_id read)
{
    const struct execution *x = p->execution;
    for (uint32_t i = 0; i < x->granules[read]; i++) {
        event_id source = x->rf[x->rf_base[read] + i];
        if (source == NONE || x->graph->events[source].kind != EVENT_INIT || p->shown[source])
            return false;
    }
    return x->granules[read] > 0;
}

static bool is_for_ever(const struct picture_plan *p, event_id id)
{
    for (uint32_t i = 0; i < p->stalls.items.len; i++)
        for (uint32_t k = 0; k < p->stalls.items.at[i].event_count; k++)
            if (p->stalls.items.at[i].events[k] == id)
                return true;
    return false;
}

static const char *effect(const struct picture_plan *p, event_id id)
{
    const struct execution *x = p->execution;
    const struct event *event = &x->graph->events[id];
    const char *place = name_place(p->arena, x, id);
    switch (event->kind) {
    case EVENT_INIT:
        return arena_printf(p->arena, "= %s", name_value(p->arena, x, id));
    case EVENT_WRITE:
        return arena_printf(p->arena, "writes %s%s%s", name_value(p->arena, x, id),
                            place ? " to " : "", place ? place : "");
    case EVENT_READ:
        return arena_printf(p->arena, "reads %s%s%s%s%s", name_value(p->arena, x, id),
                            place ? " of " : "", place ? place : "",
                            reads_initial(p, id) ? " (initial)" : "",
                            is_for_ever(p, id) ? ", again and again" : "");
    case EVENT_BARRIER:
        return x->completion[event->barrier] != NONE ? ""
               : event->tags & TAG(SYNC)             ? "waits for ever"
                                                     : "is never completed";
    case EVENT_FENCE:
    case EVENT_API:
        break;
    }
    return "";
}

static const char *text_of(const struct picture_plan *p, event_id id)
{
    const struct event *event = &p->graph->events[id];
    const char *name = name_event(p->arena, p->execution, id), *says = effect(p, id);
    if (event->kind == EVENT_INIT)
        return arena_printf(p->arena, "%s %s", name, says);
    if (p->with[id] != NONE)
        return arena_printf(p->arena, "%s, %s: %s", name,
                            name_event(p->arena, p->execution, p->with[id]),
                            p->graph->threads[event->thread].name);
    if (p->view.brief)
        return arena_printf(p->arena, "%s: %s", name, picture_brief(p->arena, event->text));
    return arena_printf(p->arena, "%s: %s%s%s", name, event->text, *says ? "\n" : "", says);
}

void picture_plan_texts(struct picture_plan *p)
{
    p->text = ARENA_ARRAY(p->arena, const char *, p->graph->event_count);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->shown[e])
            p->text[e] = text_of(p, e);
}
