/* SPDX-License-Identifier: MIT */
#include "solver/answer/answer.h"

#include <string.h>

#include "solver/encode/condition.h"
#include "solver/answer/states.h"

/* Why a condition cannot be reached: each axiom has a literal that a search must assume to enforce
 * it, so an unsatisfiable search names the axioms it used. What is left after trying to do without
 * each is a minimal set; the execution found without its first member is the example. */
struct explaining {
    struct arena *arena;
    struct search *search;
    struct premises premises; /* with the condition */
    bool undecided;
};

/* Is there an execution that obeys exactly the axioms in 'axioms' (and perhaps others)? */
static bool reachable(struct explaining *explaining, const bool *axioms, struct execution **found)
{
    struct search *search = explaining->search;
    uint32_t count = search->options->model->axiom_count, n = explaining->premises.count;
    lit *goals = ARENA_ARRAY(explaining->arena, lit, n + count);
    for (uint32_t i = 0; i < n; i++)
        goals[i] = explaining->premises.at[i];
    for (uint32_t i = 0; i < count; i++) {
        search->enforced[i] = axioms[i];
        if (axioms[i])
            goals[n++] = search->tag[i];
    }
    enum search_answer answer = search_find(search, explaining->arena, goals, n, found);
    explaining->undecided |= answer != SEARCH_FOUND && answer != SEARCH_NONE;
    return answer == SEARCH_FOUND;
}

/* Keeps of 'axioms' only those that the last check used. */
static void keep_core(struct explaining *explaining, bool *axioms)
{
    struct search *search = explaining->search;
    uint32_t count = search->options->model->axiom_count;
    bool *used = ARENA_ARRAY(explaining->arena, bool, count);
    session_core(search->session, search->tag, count, used);
    for (uint32_t i = 0; i < count; i++)
        axioms[i] = axioms[i] && used[i];
}

static void minimize(struct explaining *explaining, bool *axioms)
{
    uint32_t count = explaining->search->options->model->axiom_count;
    struct execution *unused;
    keep_core(explaining, axioms);
    for (uint32_t i = 0; i < count && !explaining->undecided; i++) {
        if (!axioms[i])
            continue;
        axioms[i] = false;
        if (reachable(explaining, axioms, &unused))
            axioms[i] = true;
        else if (!explaining->undecided)
            keep_core(explaining, axioms);
    }
}

static void list_axioms(struct explaining *explaining, struct reason *reason, const bool *axioms)
{
    uint32_t count = explaining->search->options->model->axiom_count;
    reason->axioms = ARENA_ARRAY(explaining->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (axioms[i])
            reason->axioms[reason->axiom_count++] = i;
}

/* An execution without the axiom: obeying all others of the model if there is one, else only those of
 * the reason (another axiom then forbids the same outcome as well). */
static bool give_example(struct explaining *explaining, uint32_t axiom, bool *axioms,
                         struct example *example)
{
    struct search *search = explaining->search;
    const struct cat_model *model = search->options->model;
    bool *others = ARENA_ARRAY(explaining->arena, bool, model->axiom_count);
    bool *broken = ARENA_ARRAY(explaining->arena, bool, model->axiom_count);
    struct violation *violations;
    for (uint32_t i = 0; i < model->axiom_count; i++)
        others[i] = !model->axioms[i].flag && i != axiom;
    axioms[axiom] = false;
    bool found = reachable(explaining, others, &example->execution) ||
                 reachable(explaining, axioms, &example->execution);
    axioms[axiom] = true;
    broken[axiom] = true;
    if (!found)
        return false;
    theory_evaluate(search->theory, example->execution);
    found = theory_violations(search->theory, explaining->arena, broken, 1, &violations) > 0;
    if (found)
        example->violation = violations[0];
    return found;
}

/* What orders accesses is what programs synchronize for: its example is the first. */
static bool tells_most(const struct cat_model *model, uint32_t axiom)
{
    return strcmp(model->axioms[axiom].name, "causality") == 0;
}

static void give_examples(struct explaining *explaining, struct reason *reason, bool *axioms)
{
    const struct cat_model *model = explaining->search->options->model;
    reason->examples = ARENA_ARRAY(explaining->arena, struct example, reason->axiom_count);
    uint32_t most = explaining->search->options->witnesses ? reason->axiom_count : 1;
    for (int later = 0; later < 2; later++)
        for (uint32_t i = 0; i < reason->axiom_count && !explaining->undecided; i++)
            if (tells_most(model, reason->axioms[i]) != later && reason->example_count < most)
                reason->example_count += give_example(explaining, reason->axioms[i], axioms,
                                                      &reason->examples[reason->example_count]);
}

/* NULL when it could not be decided, or when the condition can be reached after all. */
static struct reason *explain_graph(struct explaining *explaining, uint32_t graph)
{
    const struct cat_model *model = explaining->search->options->model;
    struct reason *reason = ARENA_NEW(explaining->arena, struct reason);
    bool *axioms = ARENA_ARRAY(explaining->arena, bool, model->axiom_count);
    struct execution *found;
    reason->graph = graph;
    if (!reachable(explaining, axioms, &found)) {
        reason->by_values = true;
        return explaining->undecided ? NULL : reason;
    }
    for (uint32_t i = 0; i < model->axiom_count; i++)
        axioms[i] = !model->axioms[i].flag;
    if (reachable(explaining, axioms, &found) || explaining->undecided)
        return NULL;
    minimize(explaining, axioms);
    if (explaining->undecided)
        return NULL;
    list_axioms(explaining, reason, axioms);
    give_examples(explaining, reason, axioms);
    return explaining->undecided ? NULL : reason;
}

static struct reason *explain_one(struct arena *arena, const struct solver_options *options,
                                  int64_t deadline, uint32_t graph, bool negate)
{
    struct session *session = session_new(arena, options, deadline);
    struct search *search = search_new(arena, session, options, graph, true);
    struct explaining explaining = {
        .arena = arena, .search = search, .premises = solving_premises(search)};
    lit condition = encode_condition(search->encoding, options->test->condition);
    search->whole_model = false;
    search->question = "reason";
    premises_add(&explaining.premises, negate ? session_not(session, condition) : condition);
    struct reason *reason = explain_graph(&explaining, graph);
    search_free(search);
    session_free(session);
    return reason;
}

struct reason *solver_explain(struct arena *arena, const struct solver_options *options,
                              bool negate)
{
    struct reason *reason = NULL;
    int64_t deadline = session_deadline(options); /* of all graphs together */
    /* A test of several graphs: the first that needs an axiom tells most. */
    for (uint32_t i = 0; i < options->graph_count; i++) {
        reason = explain_one(arena, options, deadline, i, negate);
        if (!reason || !reason->by_values)
            return reason;
    }
    return reason;
}
