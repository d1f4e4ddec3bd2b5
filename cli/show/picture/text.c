/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/text.h"

#include <inttypes.h>

#include "cli/answer/witness.h"

static bool reads_initial(const struct execution *x, const struct arrow_list *arrows, event_id read)
{
    for (uint32_t i = 0; i < x->granules[read]; i++) {
        event_id source = x->rf[x->rf_base[read] + i];
        if (source == NONE || x->graph->events[source].kind != EVENT_INIT || arrows->shown[source])
            return false;
    }
    return x->granules[read] > 0;
}

static const char *effect(struct arena *arena, const struct execution *x,
                          const struct arrow_list *arrows, event_id id)
{
    const struct event *event = &x->graph->events[id];
    uint64_t value = x->value[id];
    switch (event->kind) {
    case EVENT_INIT:
        return arena_printf(arena, "= %" PRIu64, value);
    case EVENT_WRITE:
        return arena_printf(arena, "writes %" PRIu64, value);
    case EVENT_READ:
        return arena_printf(arena, "reads %" PRIu64 "%s", value,
                            reads_initial(x, arrows, id) ? " (initial)" : "");
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

const char *picture_event_text(struct arena *arena, const struct execution *x,
                               const struct arrow_list *arrows, event_id id)
{
    const struct event *event = &x->graph->events[id];
    const char *name = witness_name(arena, x, id), *says = effect(arena, x, arrows, id);
    if (event->kind == EVENT_INIT)
        return arena_printf(arena, "%s %s", name, says);
    if (arrows->with[id] != NONE)
        return arena_printf(arena, "%s, %s: %s", name, witness_name(arena, x, arrows->with[id]),
                            x->graph->threads[event->thread].name);
    return arena_printf(arena, "%s: %s%s%s", name, event->text, *says ? "\n" : "", says);
}
