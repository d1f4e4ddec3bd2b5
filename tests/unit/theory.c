/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "model/relation/base.h"
#include "model/models/models.h"
#include "model/theory/theory.h"
#include "tests/confirm/confirm.h"
#include "tests/unit/random_graph.h"

/* Every operation of the language, alone and inside let rec. */
static const char operations[] = "\"operations\"\n"
                                 "let u = po | rf\n"
                                 "let i = loc & (po | fr)\n"
                                 "let d = (loc \\ rf) \\ id\n"
                                 "let c = ~(loc | po)\n"
                                 "let s = rf; po; co?\n"
                                 "let v = rf^-1; co\n"
                                 "let p = (rf | co | fr)+\n"
                                 "let t = (po | rf)*\n"
                                 "let o = (W & REL) * (R \\ ACQ)\n"
                                 "let w = [domain(rf)]; po; [range(co)]\n"
                                 "let rec a = rf | (a; b) and b = (po & loc) | (b; a; po?)\n"
                                 "let rec g = (co | (g; h)+) & loc and h = [R] | (h; rf^-1) | fr\n"
                                 "let rec e = f | rf and f = e\n"
                                 "let n = a \\ (p | g)\n"
                                 "let y = ~rf\n"
                                 "let m = ~(W & domain(fr))\n"
                                 "acyclic u | fr as u\n"
                                 "acyclic p & loc as p\n"
                                 "irreflexive s; v as s\n"
                                 "irreflexive a; fr as a\n"
                                 "irreflexive e; fr as e\n"
                                 "empty i & d as i\n"
                                 "empty n as n\n"
                                 "empty y & data as y\n"
                                 "empty o & rf as o\n"
                                 "empty [m]; w; fr as m\n"
                                 "empty (c & rf^-1) | (t & co) as c\n"
                                 "~empty g & co as g\n"
                                 "~acyclic a | co as b\n"
                                 "~irreflexive rf; fr as r\n"
                                 "flag ~empty (W * M & loc) \\ (t | t^-1) as race\n";

static struct cat_model *load(struct arena *arena, const char *name)
{
    struct diag_list diags = {.arena = arena};
    struct cat_model *model;
    if (strcmp(name, "operations")) {
        model = model_load(arena, name, &diags);
    } else {
        struct cat_loader none = {0};
        model = cat_parse(arena, source_new(arena, "t.cat", operations, sizeof operations - 1),
                          model_bases, model_base_count, &none, &diags);
    }
    for (uint32_t i = 0; i < diags.items.len; i++)
        g_test_message("%s", diag_render(arena, &diags.items.at[i]));
    g_assert_nonnull(model);
    return model;
}

static const char *const models[] = {"operations", "ptx", "ptx-6.0", "ptx-7.5", "alloy75-literal"};

/* ---- values --------------------------------------------------------------------------------- */

enum { N = 32 };
typedef bool table[N][N]; /* a set: its members are on the diagonal */

struct naive {
    const struct cat_model *model;
    uint32_t n;
    const bool *executed;
    table *of;
};

static void copy_base(const struct theory *theory, const struct cat_model *model, cat_id id,
                      struct naive *naive)
{
    for (uint32_t a = 0; a < naive->n; a++)
        for (uint32_t b = 0; b < naive->n; b++)
            naive->of[id][a][b] = model->nodes[id].is_set
                                      ? a == b && set_has(theory_rel(theory, id), a)
                                      : rel_has(theory_rel(theory, id), a, b);
}

static bool composed(const struct naive *v, cat_id x, cat_id y, uint32_t a, uint32_t b)
{
    for (uint32_t m = 0; m < v->n; m++)
        if (v->of[x][a][m] && v->of[y][m][b])
            return true;
    return false;
}

static bool in_some_row(const struct naive *v, cat_id x, uint32_t a, bool domain)
{
    for (uint32_t m = 0; m < v->n; m++)
        if (domain ? v->of[x][a][m] : v->of[x][m][a])
            return true;
    return false;
}

/* Membership by the meaning of the operation. PLUS and STAR look at their own last value, and are
 * iterated until nothing changes, as is everything else. */
static bool naive_has(const struct naive *v, cat_id id, uint32_t a, uint32_t b)
{
    const struct cat_node *node = &v->model->nodes[id];
    table *of = v->of;
    bool same = a == b && v->executed[a], diagonal = !node->is_set || a == b;
    switch (node->op) {
    case CAT_UNION:
        return of[node->a][a][b] || of[node->b][a][b];
    case CAT_INTERSECT:
        return of[node->a][a][b] && of[node->b][a][b];
    case CAT_DIFFERENCE:
        return of[node->a][a][b] && !of[node->b][a][b];
    case CAT_COMPLEMENT:
        return diagonal && v->executed[a] && v->executed[b] && !of[node->a][a][b];
    case CAT_COMPOSE:
        return composed(v, node->a, node->b, a, b);
    case CAT_INVERSE:
        return of[node->a][b][a];
    case CAT_PLUS:
        return of[node->a][a][b] || composed(v, id, node->a, a, b);
    case CAT_STAR:
        return same || of[node->a][a][b] || composed(v, id, node->a, a, b);
    case CAT_OPTION:
        return same || of[node->a][a][b];
    case CAT_IDENTITY:
        return a == b && of[node->a][a][a];
    case CAT_PRODUCT:
        return of[node->a][a][a] && of[node->b][b][b];
    case CAT_DOMAIN:
    case CAT_RANGE:
        return a == b && in_some_row(v, node->a, a, node->op == CAT_DOMAIN);
    case CAT_REC:
        return of[node->a][a][b];
    default:
        return of[id][a][b];
    }
}

/* Nodes before 'limit' to their least solution; what is subtracted is complete before it is used,
 * because a let rec is monotone and its nodes are neighbours. */
static void solve(struct naive *v, cat_id from, cat_id to)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (cat_id id = from; id < to; id++)
            for (uint32_t a = 0; a < v->n; a++)
                for (uint32_t b = 0; b < v->n; b++)
                    if (v->of[id][a][b] != naive_has(v, id, a, b)) {
                        v->of[id][a][b] = !v->of[id][a][b];
                        changed = true;
                    }
    }
}

static void check_values(struct arena *arena, const struct theory *theory,
                         const struct cat_model *model, const struct execution *x)
{
    struct naive v = {model, x->graph->event_count, x->executed,
                      ARENA_ARRAY(arena, table, model->node_count)};
    for (cat_id id = 0; id < model->node_count; id++)
        if (model->nodes[id].op == CAT_BASE_SET || model->nodes[id].op == CAT_BASE_REL)
            copy_base(theory, model, id, &v);
    for (cat_id id = 0; id < model->node_count;) {
        uint32_t group = model->nodes[id].group;
        cat_id end = id + 1;
        for (cat_id k = id + 1; group != UINT32_MAX && k < model->node_count; k++)
            end = model->nodes[k].group == group ? k + 1 : end;
        solve(&v, id, end);
        id = end;
    }
    for (cat_id id = 0; id < model->node_count; id++)
        for (uint32_t a = 0; a < v.n; a++)
            for (uint32_t b = 0; b < v.n; b++) {
                bool is = model->nodes[id].is_set ? a == b && set_has(theory_rel(theory, id), a)
                                                  : rel_has(theory_rel(theory, id), a, b);
                g_assert_cmpint(is, ==, v.of[id][a][b]);
            }
}

static void values_follow_the_meaning_of_the_model(gconstpointer name)
{
    GRand *rand = g_rand_new_with_seed(11);
    for (uint32_t round = 0; round < 12; round++) {
        struct arena *arena = arena_new();
        struct cat_model *model = load(arena, name);
        struct graph *graph = random_graph(arena, rand);
        struct theory *theory = theory_new(arena, graph, model);
        for (uint32_t i = 0; i < 3; i++) {
            struct execution *x = random_execution(arena, graph, rand);
            if (!x)
                break;
            theory_evaluate(theory, x);
            check_values(arena, theory, model, x);
        }
        arena_free(arena);
    }
    g_rand_free(rand);
}

/* ---- reasons -------------------------------------------------------------------------------- */

enum { EXECUTIONS = 24 };

struct sample {
    struct arena *arena;
    const struct cat_model *model;
    struct graph *graph;
    struct theory *theory;
    struct execution *executions[EXECUTIONS];
    struct theory *evaluated[EXECUTIONS]; /* of the execution at the same place, once */
    uint32_t count;
};

static bool has(const struct sample *s, const struct theory *theory, cat_id node, event_id a,
                event_id b)
{
    return s->model->nodes[node].is_set ? set_has(theory_rel(theory, node), a)
                                        : rel_has(theory_rel(theory, node), a, b);
}

static struct sample new_sample(GRand *rand, const char *name)
{
    struct sample s = {.arena = arena_new()};
    s.model = load(s.arena, name);
    s.graph = random_graph(s.arena, rand);
    s.theory = theory_new(s.arena, s.graph, s.model);
    while (s.count < EXECUTIONS) {
        struct execution *x = random_execution(s.arena, s.graph, rand);
        if (!x)
            break;
        s.evaluated[s.count] = theory_new(s.arena, s.graph, s.model);
        theory_evaluate(s.evaluated[s.count], x);
        s.executions[s.count++] = x;
    }
    return s;
}

static bool all_hold(const struct execution *x, const struct fact_list *facts)
{
    for (uint32_t i = 0; i < facts->items.len; i++)
        if (!fact_holds(x, &facts->items.at[i]))
            return false;
    return true;
}

/* In every other execution with the facts the axiom is broken in the same place. */
static void check_violation(struct sample *s, const struct violation *violation)
{
    const struct cat_axiom *axiom = &s->model->axioms[violation->axiom];
    g_assert_true(confirm_violation(s->theory, violation));
    for (uint32_t i = 0; i < s->count; i++) {
        if (!all_hold(s->executions[i], &violation->facts))
            continue;
        struct theory *other = s->evaluated[i];
        g_assert_false(theory_holds(other, violation->axiom));
        const event_id *cycle = violation->cycle;
        uint32_t length = violation->cycle_length;
        if (axiom->negated)
            continue;
        if (axiom->check == CAT_IS_EMPTY)
            g_assert_true(has(s, other, axiom->node, cycle[0], cycle[1]));
        else if (axiom->check == CAT_IRREFLEXIVE)
            g_assert_true(has(s, other, axiom->node, cycle[0], cycle[0]));
        for (uint32_t k = 0; axiom->check == CAT_ACYCLIC && k < length; k++)
            g_assert_true(has(s, other, axiom->node, cycle[k], cycle[(k + 1) % length]));
    }
}

static void violations_rest_on_their_facts(gconstpointer name)
{
    GRand *rand = g_rand_new_with_seed(12);
    uint32_t found = 0;
    for (uint32_t round = 0; round < 6; round++) {
        struct sample s = new_sample(rand, name);
        bool *all = ARENA_ARRAY(s.arena, bool, s.model->axiom_count);
        memset(all, true, s.model->axiom_count);
        for (uint32_t i = 0; i < s.count; i++) {
            struct violation *violations;
            theory_evaluate(s.theory, s.executions[i]);
            uint32_t count = theory_violations(s.theory, s.arena, all, 4, &violations);
            uint32_t broken = 0;
            for (uint32_t k = 0; k < s.model->axiom_count; k++)
                broken += !theory_holds(s.theory, k);
            g_assert_cmpint(count > 0, ==, broken > 0);
            for (uint32_t k = 0; k < count; k++) {
                g_assert_true(all_hold(s.executions[i], &violations[k].facts));
                g_assert_true(!k ||
                              violations[k - 1].facts.items.len <= violations[k].facts.items.len);
                check_violation(&s, &violations[k]);
            }
            found += count;
        }
        arena_free(s.arena);
    }
    g_test_message("%u violations", found);
    g_assert_cmpuint(found, >, 100);
    g_rand_free(rand);
}

static void check_reason(struct sample *s, cat_id node, event_id a, event_id b)
{
    bool present = has(s, s->theory, node, a, b);
    struct fact_list facts;
    theory_why(s->theory, s->arena, node, a, b, present, &facts);
    for (uint32_t i = 0; i < s->count; i++)
        if (all_hold(s->executions[i], &facts))
            g_assert_cmpint(has(s, s->evaluated[i], node, a, b), ==, present);
}

/* Closures have most to say about the pair of an event with itself, complements about all pairs. */
static void check_some_nodes(struct sample *s)
{
    for (cat_id id = 0; id < s->model->node_count; id++) {
        const struct cat_node *node = &s->model->nodes[id];
        for (event_id a = 0; a < s->graph->event_count; a++) {
            if (node->op == CAT_PLUS || node->op == CAT_STAR)
                check_reason(s, id, a, a);
            for (event_id b = 0; node->op == CAT_COMPLEMENT && b < s->graph->event_count; b++)
                check_reason(s, id, a, node->is_set ? 0 : b);
        }
    }
}

static void pairs_rest_on_their_facts(gconstpointer name)
{
    GRand *rand = g_rand_new_with_seed(13);
    uint32_t rounds = strcmp(name, "operations") ? 10 : 60;
    for (uint32_t round = 0; round < rounds; round++) {
        struct sample s = new_sample(rand, name);
        for (uint32_t i = 0; i < s.count && i < 6; i++) {
            theory_evaluate(s.theory, s.executions[i]);
            check_some_nodes(&s);
            for (uint32_t k = 0; k < 120; k++) {
                cat_id node = (cat_id)g_rand_int_range(rand, 0, (gint32)s.model->node_count);
                gint32 n = (gint32)s.graph->event_count;
                event_id a = (event_id)g_rand_int_range(rand, 0, n);
                event_id b = k % 4 ? (event_id)g_rand_int_range(rand, 0, n) : a;
                check_reason(&s, node, a, s.model->nodes[node].is_set ? 0 : b);
            }
        }
        arena_free(s.arena);
    }
    g_rand_free(rand);
}

static void bounds_hold_in_every_execution(gconstpointer name)
{
    GRand *rand = g_rand_new_with_seed(14);
    for (uint32_t round = 0; round < 6; round++) {
        struct sample s = new_sample(rand, name);
        uint32_t n = s.graph->event_count;
        struct rel *may = rel_new(s.arena, n), *must = rel_new(s.arena, n);
        for (uint32_t i = 0; i < s.count; i++) {
            const struct execution *x = s.executions[i];
            theory_evaluate(s.theory, x);
            for (cat_id id = 0; id < s.model->node_count; id++) {
                if (s.model->nodes[id].is_set)
                    continue;
                theory_bounds(s.theory, id, may, must);
                for (event_id a = 0; a < n; a++)
                    for (event_id b = 0; b < n; b++) {
                        bool is = has(&s, s.theory, id, a, b);
                        g_assert_true(!is || rel_has(may, a, b));
                        g_assert_true(is || !rel_has(must, a, b) || !x->executed[a] ||
                                      !x->executed[b]);
                    }
            }
        }
        arena_free(s.arena);
    }
    g_rand_free(rand);
}

/* A theory used for one execution after another answers as a new one does. */
static void evaluations_do_not_remember(gconstpointer name)
{
    GRand *rand = g_rand_new_with_seed(15);
    for (uint32_t round = 0; round < 20; round++) {
        struct sample s = new_sample(rand, name);
        for (uint32_t i = 0; i < s.count; i++) {
            struct theory *fresh = theory_new(s.arena, s.graph, s.model);
            struct violation *first, *second;
            theory_evaluate(s.theory, s.executions[i]);
            theory_evaluate(fresh, s.executions[i]);
            uint32_t count = theory_violations(s.theory, s.arena, NULL, 8, &first);
            g_assert_cmpuint(theory_violations(fresh, s.arena, NULL, 8, &second), ==, count);
            for (uint32_t k = 0; k < count; k++) {
                g_assert_cmpuint(first[k].axiom, ==, second[k].axiom);
                g_assert_true(fact_subset(&first[k].facts, &second[k].facts));
                g_assert_true(fact_subset(&second[k].facts, &first[k].facts));
            }
        }
        arena_free(s.arena);
    }
    g_rand_free(rand);
}

/* ---- known shapes --------------------------------------------------------------------------- */

/* Message passing with release and acquire; events 3 to 6. */
static struct graph *message_passing(struct arena *arena)
{
    struct graph *graph = empty_graph(arena);
    uint32_t left = add_thread(graph, 0), right = add_thread(graph, 1);
    add_access(graph, left, EVENT_WRITE, 0, 1, TAG(WEAK) | TAG(GEN), SCOPE_NONE);
    add_access(graph, left, EVENT_WRITE, 2, 1, TAG(REL) | TAG(GEN), SCOPE_GPU);
    add_access(graph, right, EVENT_READ, 2, 0, TAG(ACQ) | TAG(GEN), SCOPE_GPU);
    add_access(graph, right, EVENT_READ, 0, 0, TAG(WEAK) | TAG(GEN), SCOPE_NONE);
    return graph;
}

static const struct fact *find(const struct violation *violation, enum fact_kind kind, event_id a,
                               event_id b)
{
    for (uint32_t i = 0; i < violation->facts.items.len; i++) {
        const struct fact *fact = &violation->facts.items.at[i];
        if (fact->kind == kind && fact->a == a && fact->b == b && !fact->negated)
            return fact;
    }
    return NULL;
}

static void message_passing_needs_two_facts(void)
{
    struct arena *arena = arena_new();
    struct cat_model *model = load(arena, "ptx");
    struct graph *graph = message_passing(arena);
    struct theory *theory = theory_new(arena, graph, model);
    struct execution *x = execution_new(arena, graph);
    x->rf[x->rf_base[5]] = 4;
    x->rf[x->rf_base[6]] = 0;
    rel_add(x->co, 0, 3);
    rel_add(x->co, 2, 4);
    g_assert_true(execution_complete(x));
    theory_evaluate(theory, x);
    struct violation *violations;
    g_assert_cmpuint(theory_violations(theory, arena, NULL, 8, &violations), ==, 1);
    g_assert_cmpstr(model->axioms[violations->axiom].name, ==, "causality");
    g_assert_cmpuint(violations->facts.items.len, ==, 2);
    g_assert_nonnull(find(violations, FACT_RF, 4, 5));
    g_assert_nonnull(find(violations, FACT_RF, 0, 6));
    g_assert_cmpuint(violations->cycle_length, ==, 2);
    x->rf[x->rf_base[6]] = 3;
    g_assert_true(execution_complete(x));
    theory_evaluate(theory, x);
    g_assert_cmpuint(theory_violations(theory, arena, NULL, 8, &violations), ==, 0);
    arena_free(arena);
}

static cat_id node_named(const struct cat_model *model, const char *name)
{
    for (cat_id id = 0; id < model->node_count; id++)
        if (model->nodes[id].name && !strcmp(model->nodes[id].name, name))
            return id;
    g_assert_not_reached();
}

static void derivations_lead_down_to_base_relations(void)
{
    struct arena *arena = arena_new();
    struct cat_model *model = load(arena, "ptx");
    struct graph *graph = message_passing(arena);
    struct theory *theory = theory_new(arena, graph, model);
    struct execution *x = execution_new(arena, graph);
    x->rf[x->rf_base[5]] = 4;
    x->rf[x->rf_base[6]] = 3;
    g_assert_true(execution_complete(x));
    theory_evaluate(theory, x);
    struct step *steps;
    uint32_t count = theory_derivation(theory, arena, node_named(model, "cause"), 3, 6, &steps);
    GString *told = g_string_new(NULL);
    for (uint32_t i = 0; i < count; i++) {
        const struct cat_node *node = &model->nodes[steps[i].node];
        g_string_append_printf(told, "%*s%s %u %u\n", (int)steps[i].depth, "",
                               node->name ? node->name : model_bases[node->base].name,
                               steps[i].from, steps[i].to);
    }
    g_assert_cmpstr(told->str, ==,
                    "cause 3 6\n"
                    " proxy_preserved 3 6\n"
                    "  base_causality 3 6\n"
                    "   first_step 3 4\n"
                    "    step 3 4\n"
                    "     po 3 4\n"
                    "   step 4 5\n"
                    "    synchronizes 4 5\n"
                    "     pattern_sync 4 5\n"
                    "      observation 4 5\n"
                    "       rf 4 5\n"
                    "   step 5 6\n"
                    "    po 5 6\n");
    g_string_free(told, TRUE);
    arena_free(arena);
}

/* ((rf | sync_fence) | sync_fence) | …, by hand: no text that deep is read. */
static struct cat_model *deep_model(struct arena *arena, uint32_t depth)
{
    struct cat_model *model = ARENA_NEW(arena, struct cat_model);
    model->node_count = depth;
    model->nodes = ARENA_ARRAY(arena, struct cat_node, depth);
    for (cat_id id = 0; id < depth; id++)
        model->nodes[id] =
            (struct cat_node){.op = CAT_UNION, .a = id - 1, .b = 1, .group = UINT32_MAX};
    model->nodes[0] = (struct cat_node){.op = CAT_BASE_REL, .base = BASE_rf, .group = UINT32_MAX};
    model->nodes[1] =
        (struct cat_node){.op = CAT_BASE_REL, .base = BASE_sync_fence, .group = UINT32_MAX};
    model->nodes[2].a = 0;
    model->axioms = ARENA_ARRAY(arena, struct cat_axiom, 1);
    model->axioms[0] = (struct cat_axiom){.check = CAT_IS_EMPTY, .name = "deep", .node = depth - 1};
    model->axiom_count = 1;
    return model;
}

/* Reasons give up going down a model made to be deep: the whole execution is the reason then. */
static void deep_models_get_the_whole_execution(void)
{
    struct arena *arena = arena_new();
    struct graph *graph = message_passing(arena);
    struct theory *theory = theory_new(arena, graph, deep_model(arena, 12000));
    struct execution *x = execution_new(arena, graph);
    x->rf[x->rf_base[5]] = 4;
    x->rf[x->rf_base[6]] = 0;
    g_assert_true(execution_complete(x));
    theory_evaluate(theory, x);
    struct violation *violations;
    g_assert_cmpuint(theory_violations(theory, arena, NULL, 8, &violations), >, 0);
    g_assert_nonnull(find(violations, FACT_RF, 4, 5));
    g_assert_nonnull(find(violations, FACT_RF, 0, 6));
    g_assert_true(confirm_violation(theory, violations));
    arena_free(arena);
}

static void add_for_each_model(const char *path, GTestDataFunc function)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(models); i++) {
        char *name = g_strdup_printf("%s/%s", path, models[i]);
        g_test_add_data_func(name, models[i], function);
        g_free(name);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_for_each_model("/theory/values", values_follow_the_meaning_of_the_model);
    add_for_each_model("/theory/violations", violations_rest_on_their_facts);
    add_for_each_model("/theory/why", pairs_rest_on_their_facts);
    add_for_each_model("/theory/bounds", bounds_hold_in_every_execution);
    add_for_each_model("/theory/repeat", evaluations_do_not_remember);
    g_test_add_func("/theory/message-passing", message_passing_needs_two_facts);
    g_test_add_func("/theory/deep", deep_models_get_the_whole_execution);
    g_test_add_func("/theory/derivation", derivations_lead_down_to_base_relations);
    return g_test_run();
}
