/* SPDX-License-Identifier: MIT */
#include "cli/show/witness_json.h"

#include "cli/show/json.h"
#include "cli/answer/names.h"
#include "cli/answer/witness.h"

/* The JSON of an execution. */

/* The pairs of a relation; of a transitive one only those that do not follow from others. */
static json_t *json_edges(const struct job *job, const struct execution *execution,
                          const struct rel *rel, bool transitive)
{
    json_t *array = json_array();
    rel = witness_pairs(job->arena, execution, rel, transitive);
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++)
            if (rel_has(rel, a, b))
                json_array_append_new(array, json_pack("[s, s]",
                                                       witness_source(job->arena, execution, a, b),
                                                       name_event(job->arena, execution, b)));
    return array;
}

static json_t *json_sources(struct arena *arena, const struct execution *execution, event_id read)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < execution->granules[read]; i++) {
        event_id source = execution->rf[execution->rf_base[read] + i];
        json_array_append_new(
            array, source == NONE ? json_null() : json_text(name_event(arena, execution, source)));
    }
    return array;
}

static json_t *json_event(struct arena *arena, const struct execution *execution, event_id id)
{
    const struct graph *graph = execution->graph;
    const struct event *event = &graph->events[id];
    struct place place = source_place(graph->test->source, event->span.offset);
    json_t *object = json_pack("{s:s, s:o, s:o, s:i}", "name", name_event(arena, execution, id),
                               "thread", json_text(graph->threads[event->thread].name), "text",
                               json_text(event->text), "line", place.line);
    json_code(graph->test, event->span.offset, object);
    if (event->kind == EVENT_READ || event->kind == EVENT_WRITE) {
        json_object_set_new(object, "value", json_integer((json_int_t)execution->value[id]));
        json_object_set_new(
            object, "place",
            json_text(name_granules(arena, execution, id, 0, execution->granules[id])));
        json_object_set_new(object, "value_text", json_text(name_value(arena, execution, id)));
    }
    if (event->kind == EVENT_READ)
        json_object_set_new(object, "from", json_sources(arena, execution, id));
    return object;
}

json_t *witness_json(const struct job *job, const struct execution *execution)
{
    struct theory *theory = witness_theory(job, execution);
    json_t *events = json_array(), *relations = json_object();
    for (event_id id = 0; id < execution->graph->event_count; id++)
        if (execution->executed[id] && execution->graph->events[id].kind != EVENT_INIT)
            json_array_append_new(events, json_event(job->arena, execution, id));
    for (uint32_t i = 0; i < job->model->shown_count; i++)
        if (!job->model->nodes[job->model->shown[i]].is_set)
            json_object_set_new(
                relations, job->model->shown_names[i],
                json_edges(job, execution, theory_rel(theory, job->model->shown[i]), false));
    return json_pack("{s:o, s:o, s:o, s:o}", "events", events, "coherence",
                     json_edges(job, execution, execution->co, true), "fence_sc",
                     json_edges(job, execution, execution->sc, true), "relations", relations);
}
