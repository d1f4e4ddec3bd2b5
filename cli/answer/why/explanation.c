/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/explanation.h"

#include "cli/answer/why/manual.h"
#include "cli/answer/witness.h"
#include "model/models/models.h"

static bool is_base(const struct cat_node *node)
{
    return node->op == CAT_BASE_REL || node->op == CAT_BASE_SET;
}

const char *explanation_relation(const struct job *job, cat_id id)
{
    const struct cat_node *node = &job->model->nodes[id];
    const char *text = node->text ? node->text : "(derived)";
    return node->name ? node->name : is_base(node) ? model_bases[node->base].name : text;
}

const char *explanation_rule(const struct job *job, cat_id id)
{
    const struct cat_node *node = &job->model->nodes[id];
    return node->name      ? manual_section(job->arena, job->model, node->name)
           : is_base(node) ? model_bases[node->base].meaning
                           : "";
}

const char *explanation_call(const struct explanation *explanation, event_id from, event_id to)
{
    static const enum fixed_relation told[] = {FIXED_api_sync, FIXED_async};
    const struct graph *graph = explanation->execution->graph;
    for (size_t k = 0; k < G_N_ELEMENTS(told); k++)
        for (uint32_t i = 0; i < graph->fixed_count[told[k]]; i++) {
            const struct fixed_edge *edge = &graph->fixed[told[k]][i];
            if (edge->from == from && edge->to == to && edge->reason)
                return edge->reason;
        }
    return NULL;
}

static const struct cat_axiom *broken_axiom(const struct explanation *explanation)
{
    return &explanation->job->model->axioms[explanation->example->violation.axiom];
}

static void add_edge(const struct explanation *explanation, event_id a, event_id b,
                     struct step_list *list)
{
    struct arena *arena = explanation->job->arena;
    const struct cat_axiom *axiom = broken_axiom(explanation);
    struct step *steps;
    uint32_t count = axiom->check == CAT_IS_EMPTY
                         ? theory_conflict(explanation->theory, arena, axiom->node, a, b, &steps)
                         : theory_derivation(explanation->theory, arena, axiom->node, a, b, &steps);
    for (uint32_t i = 0; i < count; i++)
        vec_push(arena, &list->items, steps[i]);
}

/* The events of a cycle of 'irreflexive r' lie inside of r, which relates the first one to itself;
 * 'empty r' is broken by one pair. */
struct step_list explanation_steps(const struct explanation *explanation)
{
    struct step_list list = {0};
    if (!explanation->theory || !explanation->example->violation.cycle_length)
        return list;
    const struct violation *violation = &explanation->example->violation;
    const event_id *cycle = violation->cycle;
    enum cat_check check = broken_axiom(explanation)->check;
    uint32_t length = check == CAT_IRREFLEXIVE ? 1 : violation->cycle_length;
    if (check == CAT_IS_EMPTY)
        add_edge(explanation, cycle[0], cycle[length - 1], &list);
    for (uint32_t i = 0; check != CAT_IS_EMPTY && i < length; i++)
        add_edge(explanation, cycle[i], cycle[(i + 1) % length], &list);
    return list;
}

struct explanation explanation_of_example(const struct explanation *explanation, uint32_t index)
{
    struct explanation other = *explanation;
    other.example = &explanation->reason->examples[index];
    other.execution = other.example->execution;
    other.theory = witness_theory(explanation->job, other.execution);
    return other;
}

/* Does what synchronizes take part in how the example breaks its axiom? */
static bool synchronizes(const struct explanation *example)
{
    const event_tags tags = TAG(ACQ) | TAG(REL) | TAG(ACQ_REL) | TAG(SC);
    struct step_list steps = explanation_steps(example);
    for (uint32_t i = 0; i < steps.items.len; i++) {
        const struct event *event = &example->execution->graph->events[steps.items.at[i].from];
        if (event->kind == EVENT_FENCE || event->kind == EVENT_BARRIER ||
            event->kind == EVENT_API || event->tags & tags)
            return true;
    }
    return false;
}

/* Those in which it does tell a reader most: they come first. Of the others, and among them, those of later axioms do:
 * models end with causality, and begin with what each location keeps to by itself. */
static void sort_examples(const struct explanation *explanation, struct reason *reason)
{
    uint32_t count = reason->example_count;
    struct arena *arena = explanation->job->arena;
    struct example *sorted = ARENA_ARRAY(arena, struct example, count);
    uint32_t *rank = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        struct explanation example = explanation_of_example(explanation, i);
        uint32_t at = i, with = synchronizes(&example) ? explanation->job->model->axiom_count : 0;
        uint32_t mine = with + reason->examples[i].violation.axiom;
        for (; at && rank[at - 1] < mine; at--) {
            sorted[at] = sorted[at - 1];
            rank[at] = rank[at - 1];
        }
        sorted[at] = reason->examples[i];
        rank[at] = mine;
    }
    reason->examples = sorted;
}

static void find_reason(struct explanation *explanation, struct job *job)
{
    struct reason *reason = answer_reason(job, explanation->answer, true, explanation->negate);
    if (!reason) {
        explanation->kind = EXPLANATION_OPEN;
        explanation->open = "time: it is forbidden, but the reason was not found in time";
        return;
    }
    explanation->kind = EXPLANATION_FORBIDDEN;
    explanation->reason = reason;
    sort_examples(explanation, reason);
    if (reason->example_count)
        *explanation = explanation_of_example(explanation, 0);
}

/* The first state that satisfies what is asked, of those with an execution before the others. */
static void find_witness(struct explanation *explanation)
{
    const struct solver_result *found = explanation->answer->found;
    const struct test *test = explanation->job->test;
    explanation->kind = EXPLANATION_ALLOWED;
    for (uint32_t i = 0; i < found->outcomes.items.len && !explanation->execution; i++) {
        const uint64_t *values = found->outcomes.items.at[i].values;
        if (outcome_satisfies(test, test->condition, values) == explanation->negate ||
            (explanation->state && !found->witnesses[i]))
            continue;
        explanation->state = values;
        explanation->execution = found->witnesses[i];
    }
    if (explanation->execution)
        explanation->allowed =
            allowed_new(explanation->job, explanation->execution,
                        witness_theory(explanation->job, explanation->execution));
}

struct explanation explanation_new(struct job *job, const struct answer *answer)
{
    struct explanation explanation = {.job = job, .answer = answer};
    bool unreachable = answer_unreachable(answer, &explanation.negate);
    explanation.kind = EXPLANATION_OPEN;
    explanation.open = answer->open ? answer->open : answer->error;
    if (unreachable)
        find_reason(&explanation, job);
    else if (!explanation.open)
        find_witness(&explanation);
    return explanation;
}
