/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/in_turn.h"

#include "model/models/models.h"

/* Evaluates model/models/library/in-turn.cat in the execution. */

static struct cat_model *read_text(struct arena *arena)
{
    static const char text[] = "\"in turn\"\ninclude \"in-turn.cat\"\n";
    struct diag_list diags = {.arena = arena};
    return model_parse(arena, source_new(arena, "in turn", text, sizeof text - 1), NULL, &diags);
}

static bool is_free(const struct rel *turn, const bool *placed, event_id event)
{
    for (event_id before = 0; before < turn->n; before++)
        if (!placed[before] && rel_has(turn, before, event))
            return false;
    return true;
}

/* Events in an order that agrees with the relation, which has no circle. */
static uint32_t line_up(struct arena *arena, const struct execution *execution,
                        const struct rel *turn, event_id **order)
{
    bool *placed = ARENA_ARRAY(arena, bool, turn->n);
    uint32_t count = 0;
    *order = ARENA_ARRAY(arena, event_id, turn->n);
    for (event_id e = 0; e < turn->n; e++)
        placed[e] = !execution->executed[e];
    for (event_id e = 0; e < turn->n;) {
        if (placed[e] || !is_free(turn, placed, e)) {
            e++;
            continue;
        }
        placed[e] = true;
        (*order)[count++] = e;
        e = 0;
    }
    return count;
}

static bool reads_right(const struct execution *execution, event_id read, const event_id *latest)
{
    for (uint32_t i = 0; i < execution->granules[read]; i++)
        if (execution->rf[execution->rf_base[read] + i] !=
            latest[execution->first_granule[read] + i])
            return false;
    return true;
}

/* Runs the events on a memory that has one value a place. Coherence is partial: the order may have put
 * a write where no read allows it. */
static bool replay(struct arena *arena, const struct execution *execution, const event_id *order,
                   uint32_t count)
{
    const struct graph *graph = execution->graph;
    event_id *latest = ARENA_ARRAY(arena, event_id, graph->granule_count);
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = &graph->events[order[i]];
        if (event->kind == EVENT_READ && !reads_right(execution, order[i], latest))
            return false;
        for (uint32_t g = 0; event_is_write(event) && g < execution->granules[order[i]]; g++)
            latest[execution->first_granule[order[i]] + g] = order[i];
    }
    for (uint32_t g = 0; g < graph->granule_count; g++)
        if (latest[g] != execution->final[g])
            return false;
    return true;
}

/* Of several events of one thread in a row the first and the last are enough. */
static uint32_t shorten(const struct graph *graph, event_id *circle, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = graph->events[circle[i]].thread;
        event_id before = circle[(i + count - 1) % count], after = circle[(i + 1) % count];
        if (kept)
            before = circle[kept - 1];
        if (thread == NONE || graph->events[before].thread != thread ||
            graph->events[after].thread != thread)
            circle[kept++] = circle[i];
    }
    return kept;
}

static uint32_t drop_initial(const struct graph *graph, event_id *order, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (graph->events[order[i]].kind != EVENT_INIT)
            order[kept++] = order[i];
    return kept;
}

bool in_turn(const struct job *job, const struct execution *execution, event_id **order,
             uint32_t *count)
{
    struct arena *arena = job->arena;
    struct cat_model *model = read_text(arena);
    struct theory *theory = theory_new(arena, execution->graph, model);
    struct violation *circle;
    bool *first = ARENA_ARRAY(arena, bool, model->axiom_count);
    first[0] = true;
    *count = 0;
    theory_evaluate(theory, execution);
    if (theory_violations(theory, arena, first, 1, &circle) > 0) {
        *order = circle->cycle;
        *count = shorten(execution->graph, circle->cycle, circle->cycle_length);
        return false;
    }
    *count = line_up(arena, execution, theory_rel(theory, model->axioms[0].node), order);
    bool right = theory_holds(theory, 1) && replay(arena, execution, *order, *count);
    *count = right ? drop_initial(execution->graph, *order, *count) : 0;
    return right;
}
