/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/soundness.h"

#include <string.h>

#include "model/execution/outcome.h"
#include "model/graph/graph.h"
#include "model/models/models.h"

/* ---- scopes --------------------------------------------------------------------------------- */

static const char *scope_word(enum scope scope)
{
    static const char *const words[] = {[SCOPE_NONE] = "thread",
                                        [SCOPE_CTA] = "block",
                                        [SCOPE_CLUSTER] = "cluster",
                                        [SCOPE_GPU] = "device",
                                        [SCOPE_SYS] = "system"};
    return words[scope];
}

/* The scope of the atomic accesses of a granule so far. */
struct scope_of_object {
    bool known;
    enum scope scope;
};

static bool is_atomic(const struct event *event)
{
    const struct inst *inst = event->inst;
    return inst && (inst->op == OP_LD || inst->op == OP_ST || inst->op == OP_ATOM) &&
           inst->sem != SEM_WEAK && inst->sem != SEM_NONE;
}

/* The first granule of each address that the access can have is an object. */
static const char *note_access(const struct graph *graph, const struct event *event,
                               struct scope_of_object *scopes)
{
    uint32_t first, count;
    for (uint32_t i = 0; i < event->address_count; i++) {
        if (!graph_granules(graph, event->addresses[i], event->bytes, &first, &count))
            continue;
        struct scope_of_object *of = &scopes[first];
        uint32_t location = graph->granules[first].location;
        if (of->known && of->scope != event->inst->scope)
            return arena_printf(graph->arena, "'%s' is accessed with the scopes %s and %s",
                                graph->test->locations[location].name, scope_word(of->scope),
                                scope_word(event->inst->scope));
        *of = (struct scope_of_object){true, event->inst->scope};
    }
    return NULL;
}

/* The name of an object whose atomic accesses have different scopes, or NULL. */
static const char *mixed_object(const struct graph *graph)
{
    struct scope_of_object *scopes =
        ARENA_ARRAY(graph->arena, struct scope_of_object, graph->granule_count + 1);
    for (uint32_t i = 0; i < graph->event_count; i++) {
        const struct event *event = &graph->events[i];
        const char *mixed = is_atomic(event) ? note_access(graph, event, scopes) : NULL;
        if (mixed)
            return mixed;
    }
    return NULL;
}

/* ---- both sides ----------------------------------------------------------------------------- */

/* The same job about another test and model; NULL after an error in the diagnostics of 'job'. */
static struct job *job_about(struct job *job, const struct test *test, const char *model)
{
    struct job *about = ARENA_NEW(job->arena, struct job);
    struct settings *settings = ARENA_NEW(job->arena, struct settings);
    *settings = *job->settings;
    settings->model = model;
    *about = *job;
    about->settings = settings;
    about->test = test;
    about->diags = (struct diag_list){.arena = job->arena};
    about->model = model_load(job->arena, model, &about->diags);
    if (about->model && job_unfold(about, false))
        return about;
    for (uint32_t i = 0; i < about->diags.items.len; i++)
        vec_push(job->arena, &job->diags.items, about->diags.items.at[i]);
    job->diags.errors += about->diags.errors;
    return NULL;
}

static bool is_whole(const struct answer *answer)
{
    return answer->found->complete && !answer->found->bound_reached;
}

static bool has_state(const struct answer *answer, const char *state)
{
    const struct outcome_set *set = &answer->found->outcomes;
    for (uint32_t i = 0; i < set->items.len; i++)
        if (strcmp(outcome_print(answer->job->arena, set->test, set->items.at[i].values), state) ==
            0)
            return true;
    return false;
}

/* The state of PTX that C++ does not have: one that the test asks for, or the first. NULL: none. */
static const uint64_t *find_wrong(struct soundness *s)
{
    const struct outcome_set *set = &s->ptx_answer.found->outcomes;
    const uint64_t *found = NULL;
    bool asked = false;
    for (uint32_t i = 0; i < set->items.len; i++) {
        const uint64_t *values = set->items.at[i].values;
        const char *state = outcome_print(s->ptx->arena, set->test, values);
        bool satisfies = outcome_satisfies(set->test, set->test->condition, values);
        if (has_state(&s->source_answer, state))
            continue;
        s->wrong_states++;
        if (!found || (satisfies && !asked)) {
            found = values;
            s->state = state;
            asked = satisfies;
        }
    }
    return found;
}

/* ---- a state as a question ------------------------------------------------------------------ */

static struct cond *conjunct(struct arena *arena, const struct test *test, uint32_t index,
                             uint64_t value)
{
    struct cond *cond = ARENA_NEW(arena, struct cond);
    struct bit_reading reading = outcome_reading(test, &test->observed[index]);
    if (reading.is_signed && reading.width < 64 && value >> (reading.width - 1))
        value |= ~((UINT64_C(1) << reading.width) - 1);
    cond->kind = COND_COMPARE;
    cond->cmp = CMP_EQ;
    cond->left = test->observed[index];
    cond->right = (struct cond_term){.kind = TERM_CONST, .value = value};
    return cond;
}

/* The test that asks whether it can end in the state. */
static const struct test *asking(struct arena *arena, const struct test *test,
                                 const uint64_t *values)
{
    struct test *asks = ARENA_NEW(arena, struct test);
    struct cond *all = ARENA_NEW(arena, struct cond);
    all->kind = COND_AND;
    all->kids = ARENA_ARRAY(arena, struct cond *, test->observed_count + 1);
    for (uint32_t i = 0; i < test->observed_count; i++)
        all->kids[all->kid_count++] = conjunct(arena, test, i, values[i]);
    *asks = *test;
    asks->quantifier = QUANTIFIER_EXISTS;
    asks->condition = all;
    asks->filter = NULL;
    return asks;
}

/* Why PTX allows the state and C++ forbids it. The values of both are those of the same terms. */
static bool explain(struct soundness *s, struct job *job, const uint64_t *values)
{
    const struct test *source = s->source->test;
    s->values = values;
    s->ptx = job_about(job, asking(job->arena, s->ptx->test, values), s->target);
    s->source = job_about(job, asking(job->arena, source, values), s->profile);
    if (!s->ptx || !s->source)
        return false;
    s->ptx_answer = answer_new(s->ptx, ANSWER_WITNESSES);
    s->source_answer = answer_new(s->source, 0);
    s->allowed = explanation_new(s->ptx, &s->ptx_answer);
    s->forbidden = explanation_new(s->source, &s->source_answer);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum soundness_verdict open(struct soundness *s, const char *detail)
{
    s->detail = detail;
    return SOUNDNESS_OPEN;
}

/* "what C++ allows was not found to the end: loop at :7 can go round …". */
static enum soundness_verdict open_side(struct soundness *s, const struct answer *side,
                                        const char *language)
{
    const struct solver_result *found = side->found;
    const char *why = job_stopped(side->job, found->status);
    if (!why && found->bound_reached)
        why = job_open_loop(side->job, found->bound_span);
    return open(s, arena_printf(s->source->arena, "what %s allows was not found to the end%s%s",
                                language, why ? ": " : "", why ? why : ""));
}

static enum soundness_verdict compare(struct soundness *s, struct job *job)
{
    s->source_states = s->source_answer.found->outcomes.items.len;
    s->ptx_states = s->ptx_answer.found->outcomes.items.len;
    const uint64_t *wrong = find_wrong(s);
    if (wrong && is_whole(&s->source_answer))
        return explain(s, job, wrong) ? SOUNDNESS_UNSOUND : SOUNDNESS_ERROR;
    if (!is_whole(&s->source_answer))
        return open_side(s, &s->source_answer, "C++");
    if (!is_whole(&s->ptx_answer))
        return open_side(s, &s->ptx_answer, "PTX");
    return SOUNDNESS_SOUND;
}

static enum soundness_verdict judge_both(struct soundness *s, struct job *job, bool mixed_scopes)
{
    const struct test *source = mapped_observing_all(job->arena, job->test);
    s->source = job_about(job, source, s->profile);
    if (!s->source)
        return SOUNDNESS_ERROR;
    for (uint32_t i = 0; !mixed_scopes && i < s->source->graph_count; i++)
        if ((s->detail = mixed_object(s->source->graphs[i])))
            return SOUNDNESS_EXCLUDED;
    s->source_answer = answer_new(s->source, 0);
    if (s->source_answer.undefined.len) {
        s->detail = s->source_answer.undefined.at[0];
        return SOUNDNESS_UNDEFINED;
    }
    if (s->source_answer.found->bound_reached)
        return open_side(s, &s->source_answer, "C++");
    if (!s->source_answer.found->undefined_decided || !s->source_answer.found->races_complete)
        return open(s, "whether C++ defines the test was not found out");
    if (!mapped_read(job, source, s->mapped.mapping, &s->mapped))
        return SOUNDNESS_ERROR;
    s->ptx = job_about(job, s->mapped.test, s->target);
    if (!s->ptx)
        return SOUNDNESS_ERROR;
    s->ptx_answer = answer_new(s->ptx, 0);
    if (s->ptx_answer.undefined.len || s->ptx_answer.found->mixed_size_race)
        return open(s, "PTX does not define what the mapping makes of it");
    return compare(s, job);
}

struct soundness soundness_new(struct job *job, const struct mapping_table *mapping,
                               const char *profile, const char *target, bool mixed_scopes)
{
    struct soundness s = {.profile = profile, .target = target, .mapped.mapping = mapping};
    s.verdict = judge_both(&s, job, mixed_scopes);
    return s;
}
