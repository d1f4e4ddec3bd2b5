/* SPDX-License-Identifier: MIT */
#include "solver/search/search.h"

#include <stdlib.h>

#include "model/judge/judge.h"
#include "model/models/models.h"
#include "model/graph/ground.h"
#include "model/theory/exclude.h"
#include "solver/search/extract.h"

/* One search of one graph: the loop that proposes, evaluates and refutes, and facts as literals. */

/* Violations learned from one execution, an axiom. */
enum { VIOLATIONS = 64 };

/* Tells whoever traces the search what came of a proposal 'x', which broke axioms in 'count' ways. */
static void tell(const struct search *search, enum solver_step_kind kind, const struct execution *x,
                 const struct violation *violations, uint32_t count)
{
    const struct solver_trace *trace = search->options->trace;
    struct session *session = search->session;
    struct solver_times times = search->times;
    if (!trace)
        return;
    times.solver = session->check_time;
    trace->step(trace->context,
                &(struct solver_step){.kind = kind,
                                      .graph = search->graph_index,
                                      .question = search->question,
                                      .candidates = search->iterations,
                                      .clauses = session->clauses,
                                      .checks = session->checks,
                                      .candidate = x,
                                      .violations = violations,
                                      .violation_count = count,
                                      .times = &times,
                                      .smtlib = kind == SOLVER_STEP_CLOSED && trace->smtlib
                                                    ? session_text(session)
                                                    : NULL});
}

static void release(void *object)
{
    struct search *search = object;
    g_hash_table_destroy(search->memo);
}

static void exclude_orders(struct search *search, const struct exclusion *excluded)
{
    struct session *session = search->session;
    for (uint32_t i = 0; i < excluded->co.items.len; i++) {
        const struct fact *fact = &excluded->co.items.at[i];
        SESSION_CLAUSE(session,
                       session_not(session, encode_co(search->encoding, fact->a, fact->b)));
    }
}

/* Calls of the CUDA runtime order so much that a search would only find out one choice after the other what can be
 * said at once. */
static void encode(struct search *search, bool tagged)
{
    struct exclusion *excluded = tagged ? NULL : ARENA_NEW(search->arena, struct exclusion);
    bool total_only = !search->options->test->host;
    if (excluded)
        *excluded = theory_exclude(search->theory, search->arena, total_only);
    search->encoding = encoding_new(search->arena, search->session, search->graph, excluded);
    if (search->options->model->bundled)
        encode_repeats(search->encoding);
    if (excluded)
        exclude_orders(search, excluded);
}

struct search *search_new(struct arena *arena, struct session *session,
                          const struct solver_options *options, uint32_t graph, bool tagged)
{
    struct search *search = ARENA_NEW(arena, struct search);
    const struct cat_model *model = options->model;
    int64_t start = g_get_monotonic_time();
    search->options = options;
    search->arena = arena;
    search->session = session;
    search->graph = options->graphs[graph];
    search->graph_index = graph;
    if (model_uses(model, "semantic_dep"))
        ground_accesses(options->graphs[graph]);
    search->theory = theory_new(arena, search->graph, model);
    encode(search, tagged);
    search->tag = ARENA_ARRAY(arena, lit, model->axiom_count);
    search->enforced = ARENA_ARRAY(arena, bool, model->axiom_count);
    search->memo =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    search->whole_model = true;
    arena_tie(arena, &search->tie, release, search);
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        search->tag[i] = tagged ? session_bool(session) : session->yes;
        search->enforced[i] = !model->axioms[i].flag;
    }
    search->times.encode = g_get_monotonic_time() - start;
    tell(search, SOLVER_STEP_ENCODED, NULL, NULL, 0);
    return search;
}

void search_free(struct search *search)
{
    if (!search)
        return;
    tell(search, SOLVER_STEP_CLOSED, NULL, NULL, 0);
    arena_free(search->scratch);
    encoding_free(search->encoding);
    arena_untie(&search->tie);
    release(search);
}

/* ---- facts as literals ---------------------------------------------------------------------- */

static lit define_fact(struct search *search, const struct fact *fact)
{
    struct encoding *encoding = search->encoding;
    switch (fact->kind) {
    case FACT_EXPR:
        return encode_is(encoding, encoding->of[fact->a], fact->value);
    case FACT_RF:
        return encode_rf(encoding, fact->a, fact->b, (uint32_t)fact->value);
    case FACT_CO:
        return encode_co(encoding, fact->a, fact->b);
    case FACT_SC:
        return encode_sc(encoding, fact->a, fact->b);
    case FACT_COMPLETION:
        return encode_completion(encoding, fact->a, fact->value);
    }
    return search->session->no;
}

static lit fact_literal(struct search *search, const struct fact *fact)
{
    uint64_t words[] = {fact->kind, fact->a, fact->b, fact->value};
    GBytes *key = g_bytes_new(words, sizeof words);
    lit is = g_hash_table_lookup(search->memo, key);
    if (is) {
        g_bytes_unref(key);
    } else {
        g_hash_table_insert(search->memo, key, NULL); /* owned from now on, whatever happens */
        is = define_fact(search, fact);
        g_hash_table_insert(search->memo, g_bytes_ref(key), is);
    }
    return fact->negated ? session_not(search->session, is) : is;
}

bool search_learn(struct search *search, lit when, const struct fact_list *facts)
{
    struct session *session = search->session;
    struct arena *scratch = arena_scratch(search->arena);
    lit *lits = ARENA_ARRAY(scratch, lit, facts->items.len + 1);
    uint32_t names = session->names;
    bool excludes = true;
    for (uint32_t i = 0; i < facts->items.len; i++)
        lits[i] = session_not(session, fact_literal(search, &facts->items.at[i]));
    lits[facts->items.len] = session_not(session, when);
    for (uint32_t i = 0; i < facts->items.len && names == session->names; i++)
        excludes &= !session_true(session, lits[i]);
    session_clause(session, lits, facts->items.len + 1);
    arena_free(scratch);
    return excludes;
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* A violation that does not exclude the execution it was found in would come again for ever. */
static void complain(struct search *search, const struct violation *violation)
{
    search->internal = arena_printf(search->arena,
                                    "the reason given for a violation of '%s' does not hold where "
                                    "it was found: --dump candidates --dump clauses shows both",
                                    search->options->model->axioms[violation->axiom].name);
}

/* Does one coherence fact end where another begins? Coherence is transitive, so the pair across was
 * there too, and says the same with fewer literals. */
static bool has_chain(const struct violation *violation)
{
    for (uint32_t i = 0; i < violation->facts.items.len; i++)
        for (uint32_t j = 0; j < violation->facts.items.len; j++) {
            const struct fact *a = &violation->facts.items.at[i],
                              *b = &violation->facts.items.at[j];
            if (a->kind == FACT_CO && b->kind == FACT_CO && !a->negated && !b->negated &&
                a->b == b->a)
                return true;
        }
    return false;
}

/* Learns the violations without a chain, or all when each has one. False: none excludes the
 * execution. */
static bool learn_violations(struct search *search, const struct violation *violations,
                             uint32_t count)
{
    bool excluded = false, direct = false;
    for (uint32_t i = 0; i < count; i++)
        direct |= !has_chain(&violations[i]);
    for (uint32_t i = 0; i < count; i++)
        if (!direct || !has_chain(&violations[i]))
            excluded |=
                search_learn(search, search->tag[violations[i].axiom], &violations[i].facts);
    return excluded;
}

/* True when the theory finds nothing wrong; else clauses were learned. */
static bool accept(struct search *search, struct arena *scratch, struct execution *x)
{
    int64_t start = g_get_monotonic_time();
    struct violation *violations;
    theory_evaluate(search->theory, x);
    uint32_t count =
        theory_violations(search->theory, scratch, search->enforced, VIOLATIONS, &violations);
    if (count > 0 && !learn_violations(search, violations, count))
        complain(search, &violations[0]);
    search->times.theory += g_get_monotonic_time() - start;
    if (count > 0)
        tell(search, SOLVER_STEP_REFUSED, x, violations, count);
    return count == 0;
}

/* What the opposite order of all that no literal decides would break as well. An order that happens
 * to suit all reads but one hides what each of them wants; this learns it at once, not one a
 * proposal.
 */
static void learn_opposite(struct search *search, struct arena *scratch)
{
    struct execution *x;
    struct violation *violations;
    if (extract(search->encoding, scratch, search->stuck, true, &x) != PROPOSAL_READY)
        return;
    theory_evaluate(search->theory, x);
    uint32_t count =
        theory_violations(search->theory, scratch, search->enforced, VIOLATIONS, &violations);
    learn_violations(search, violations, count);
}

/* The judge knows nothing of the theory: what it says decides. */
static bool confirm(struct search *search, struct arena *scratch, const struct execution *x)
{
    const struct cat_model *model = search->options->model;
    int64_t start = g_get_monotonic_time();
    if (!search->whole_model)
        return true;
    struct judgement judgement = judge(scratch, model, x);
    search->times.judge += g_get_monotonic_time() - start;
    if (judgement.consistent)
        return true;
    search->internal = arena_printf(
        search->arena,
        "the theory accepts an execution that the judge rejects: axiom '%s', events %u and %u",
        model->axioms[judgement.axiom].name, judgement.a, judgement.b);
    return false;
}

/* What a check that found no model means for the search. */
static enum search_answer failed(enum session_answer answer)
{
    switch (answer) {
    case SESSION_UNSAT:
        return SEARCH_NONE;
    case SESSION_TIMEOUT:
        return SEARCH_TIMEOUT;
    case SESSION_MEMORY:
        return SEARCH_MEMORY;
    case SESSION_UNKNOWN:
        return SEARCH_UNKNOWN;
    case SESSION_SAT:
        break;
    }
    abort(); /* nothing failed */
}

/* One proposal. SEARCH_LIMIT here: nothing was found yet, go on. */
static enum search_answer attempt(struct search *search, struct arena *scratch, const lit *goals,
                                  uint32_t count, struct execution **found)
{
    enum session_answer answer = session_check(search->session, goals, count);
    if (answer != SESSION_SAT)
        return failed(answer);
    search->iterations++;
    int64_t start = g_get_monotonic_time();
    enum proposal proposal = extract(search->encoding, scratch, search->stuck, false, found);
    search->times.extract += g_get_monotonic_time() - start;
    if (search->session->failed) /* Z3 could not say what it proposes */
        return failed(search->session->out_of_memory ? SESSION_MEMORY : SESSION_UNKNOWN);
    if (proposal == PROPOSAL_BROKEN) {
        search->internal = "a proposed execution could not be completed";
        return SEARCH_INTERNAL;
    }
    if (proposal == PROPOSAL_LEARNED) {
        tell(search, SOLVER_STEP_NONE, NULL, NULL, 0);
        return SEARCH_LIMIT;
    }
    if (!accept(search, scratch, *found)) {
        learn_opposite(search, scratch);
        return search->internal ? SEARCH_INTERNAL : SEARCH_LIMIT;
    }
    return confirm(search, scratch, *found) ? SEARCH_FOUND : SEARCH_INTERNAL;
}

enum search_answer search_find(struct search *search, struct arena *arena, const lit *goals,
                               uint32_t count, struct execution **found)
{
    enum search_answer answer = SEARCH_LIMIT;
    for (uint32_t i = 0;
         answer == SEARCH_LIMIT && (!search->iteration_limit || i < search->iteration_limit); i++) {
        struct execution *x = NULL;
        arena_free(search->scratch); /* what the theory looked at last */
        search->scratch = arena_scratch(search->arena);
        answer = attempt(search, search->scratch, goals, count, &x);
        if (answer == SEARCH_FOUND) {
            tell(search, SOLVER_STEP_ACCEPTED, x, NULL, 0);
            *found = execution_copy(arena, x);
        }
    }
    if (answer == SEARCH_NONE)
        tell(search, SOLVER_STEP_OVER, NULL, NULL, 0);
    else if (answer != SEARCH_FOUND)
        tell(search, SOLVER_STEP_STOPPED, NULL, NULL, 0);
    return answer;
}
