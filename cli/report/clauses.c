/* SPDX-License-Identifier: MIT
 *
 * A witness that the model without a clause accepts costs no search; of the others the solver is asked once a clause. */
#include "cli/report/clauses.h"

#include <string.h>

#include "cli/answer/comparison.h"
#include "cli/show/json.h"
#include "litmus/base/file.h"
#include "model/cat/clause.h"
#include "model/judge/judge.h"
#include "model/models/models.h"

struct clauses {
    struct cat_clauses list;
    struct cat_model **models; /* NULL: without that clause the text is no model */
};

enum { MODEL_MOST_BYTES = 1 << 24 };

static const struct source *read_text(struct arena *arena, const char *model)
{
    const struct model_text *bundled = strchr(model, '+') ? NULL : model_find(model);
    size_t length;
    const char *text = bundled ? bundled->text : file_read(arena, model, MODEL_MOST_BYTES, &length);
    return text ? source_new(arena, model, text, strlen(text)) : NULL;
}

struct clauses *clauses_read(struct arena *arena, const char *model, struct diag_list *diags)
{
    const struct source *source = read_text(arena, model);
    if (!source) {
        diag_add(diags, DIAG_option_value, NULL, (struct span){0}, "a bundled model, or a file",
                 "'--clauses' takes no variant of a model, as '%s' is", model);
        return NULL;
    }
    struct clauses *clauses = ARENA_NEW(arena, struct clauses);
    clauses->list = cat_clauses(arena, source, false);
    clauses->models = ARENA_ARRAY(arena, struct cat_model *, clauses->list.count + 1);
    const char *slash = strrchr(model, '/');
    const char *folder = slash ? arena_strndup(arena, model, (size_t)(slash - model)) : NULL;
    for (uint32_t i = 0; i < clauses->list.count; i++) {
        struct diag_list unused = {.arena = arena};
        const char *text = clauses->list.at[i].text;
        clauses->models[i] = model_parse(arena, source_new(arena, model, text, strlen(text)),
                                         model_find(model) ? NULL : folder, &unused);
    }
    return clauses;
}

static bool is_whole(const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    return answer->verdict != VERDICT_ERROR && found->complete && !found->bound_reached &&
           !comparison_excluded(answer);
}

/* Does the model without the clause accept each execution that was found? Then it forbids no state. */
static bool accepts_all(const struct answer *answer, const struct cat_model *model,
                        struct arena *arena)
{
    const struct solver_result *found = answer->found;
    for (uint32_t i = 0; i < found->outcomes.items.len; i++)
        if (!found->witnesses[i] || !judge(arena, model, found->witnesses[i]).consistent)
            return false;
    return true;
}

/* The states that the model without the clause forbids, into the two objects. */
static void add_forbidden(const struct answer *answer, const struct answer *without,
                          const struct hardware_seen *seen, const char *clause, json_t *exercised,
                          json_t *questioned)
{
    const struct job *job = answer->job;
    const struct outcome_set *allowed = &answer->found->outcomes;
    uint32_t index;
    for (uint32_t i = 0; i < allowed->items.len; i++) {
        const uint64_t *values = allowed->items.at[i].values;
        if (outcome_find(&without->found->outcomes, values, &index))
            continue;
        json_t *object = outcome_find(&seen->states, values, &index) ? exercised : questioned;
        if (!json_object_get(object, clause))
            json_object_set_new(object, clause,
                                json_text(outcome_print(job->arena, job->test, values)));
    }
}

json_t *clauses_judge(const struct clauses *clauses, const struct answer *answer,
                      const struct hardware_seen *seen)
{
    if (!seen->runs || !is_whole(answer) || !answer->found->witnesses)
        return NULL;
    json_t *exercised = json_object(), *questioned = json_object();
    struct job job = *answer->job;
    for (uint32_t i = 0; i < clauses->list.count; i++) {
        struct arena *arena = arena_new();
        job.model = clauses->models[i];
        job.arena = arena;
        if (job.model && !accepts_all(answer, job.model, arena)) {
            struct answer without = answer_new(&job, ANSWER_NO_RACES);
            if (is_whole(&without))
                add_forbidden(answer, &without, seen, clauses->list.at[i].name, exercised,
                              questioned);
        }
        arena_free(arena);
    }
    const char *clause;
    json_t *state;
    json_object_foreach(exercised, clause, state) json_object_del(questioned, clause);
    return json_pack("{s:o, s:o}", "exercised", exercised, "questioned", questioned);
}
