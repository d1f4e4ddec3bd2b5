/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "solver/sat/sat.h"

/* Random clauses, told in several portions with questions in between, beside a table of all assignments. */

enum { MOST_VARIABLES = 12, MOST_CLAUSES = 80, MOST_LITS = 4 };

struct clause {
    uint32_t count;
    sat_lit lits[MOST_LITS];
};

struct puzzle {
    struct arena *arena;
    struct sat *sat;
    GRand *random;
    uint32_t variables, clauses;
    struct clause of[MOST_CLAUSES];
};

static bool satisfies(uint32_t assignment, const struct clause *clause)
{
    for (uint32_t i = 0; i < clause->count; i++)
        if ((assignment >> (clause->lits[i] / 2) & 1) != (clause->lits[i] & 1))
            return true;
    return false;
}

static bool satisfies_all(const struct puzzle *p, uint32_t assignment)
{
    for (uint32_t i = 0; i < p->clauses; i++)
        if (!satisfies(assignment, &p->of[i]))
            return false;
    return true;
}

/* Is there an assignment with which the chosen assumptions hold? */
static bool is_possible(const struct puzzle *p, const sat_lit *assumptions, uint32_t count)
{
    for (uint32_t assignment = 0; assignment < 1u << p->variables; assignment++) {
        bool all = satisfies_all(p, assignment);
        for (uint32_t i = 0; i < count && all; i++)
            all = satisfies(assignment, &(struct clause){1, {assumptions[i]}});
        if (all)
            return true;
    }
    return false;
}

static sat_lit any_lit(struct puzzle *p)
{
    return (sat_lit)g_rand_int_range(p->random, 0, 2 * (gint)p->variables);
}

static void add_clause(struct puzzle *p)
{
    struct clause *clause = &p->of[p->clauses++];
    clause->count = (uint32_t)g_rand_int_range(p->random, 1, MOST_LITS + 1);
    if (clause->count == 1 && g_rand_int_range(p->random, 0, 4))
        clause->count = 3;
    for (uint32_t i = 0; i < clause->count; i++)
        clause->lits[i] = any_lit(p);
    sat_clause(p->sat, clause->lits, clause->count);
}

static void ask(struct puzzle *p)
{
    sat_lit assumptions[5], core[5];
    uint32_t count = (uint32_t)g_rand_int_range(p->random, 0, 6), kept = 0, assignment = 0;
    for (uint32_t i = 0; i < count; i++)
        assumptions[i] = any_lit(p);
    enum sat_answer answer = sat_solve(p->sat, assumptions, count, NULL);
    g_assert_cmpint(answer, ==, is_possible(p, assumptions, count) ? SAT_YES : SAT_NO);
    if (answer == SAT_YES) {
        for (uint32_t v = 0; v < p->variables; v++)
            assignment |= (uint32_t)sat_holds(p->sat, 2 * v) << v;
        g_assert_true(satisfies_all(p, assignment));
        for (uint32_t i = 0; i < count; i++)
            g_assert_true(sat_holds(p->sat, assumptions[i]));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (sat_in_core(p->sat, assumptions[i]))
            core[kept++] = assumptions[i];
    g_assert_false(is_possible(p, core, kept));
}

static void test_random(void)
{
    for (uint32_t seed = 0; seed < 2000; seed++) {
        struct puzzle p = {.arena = arena_new(), .random = g_rand_new_with_seed(seed)};
        p.sat = sat_new(p.arena);
        p.variables = (uint32_t)g_rand_int_range(p.random, 1, MOST_VARIABLES + 1);
        for (uint32_t v = 0; v < p.variables; v++)
            g_assert_cmpuint(sat_variable(p.sat), ==, v);
        while (p.clauses + 5 <= MOST_CLAUSES) {
            for (int i = 0; i < 5; i++)
                add_clause(&p);
            ask(&p);
        }
        g_rand_free(p.random);
        arena_free(p.arena);
    }
}

/* One pigeon more than there are holes: no short proof, so clauses are learned and forgotten. */
static enum sat_answer put_pigeons(struct arena *arena, uint32_t holes,
                                   const struct sat_limits *limits, uint64_t *made)
{
    struct sat *sat = sat_new(arena);
    uint32_t pigeons = holes + 1;
    sat_lit somewhere[16];
    for (uint32_t i = 0; i < pigeons * holes; i++)
        sat_variable(sat);
    for (uint32_t p = 0; p < pigeons; p++) {
        for (uint32_t h = 0; h < holes; h++)
            somewhere[h] = 2 * (p * holes + h);
        sat_clause(sat, somewhere, holes);
        for (uint32_t q = 0; q < p; q++)
            for (uint32_t h = 0; h < holes; h++)
                sat_clause(sat,
                           (sat_lit[]){sat_not(2 * (p * holes + h)), sat_not(2 * (q * holes + h))},
                           2);
    }
    enum sat_answer answer = sat_solve(sat, NULL, 0, limits);
    *made = sat_effort(sat);
    return answer;
}

static void test_pigeons(void)
{
    struct arena *arena = arena_new();
    uint64_t made, again;
    g_assert_cmpint(put_pigeons(arena, 8, NULL, &made), ==, SAT_NO);
    g_assert_cmpint(put_pigeons(arena, 8, NULL, &again), ==, SAT_NO);
    g_assert_cmpuint(made, ==, again);
    g_assert_cmpint(put_pigeons(arena, 8, &(struct sat_limits){.effort = 1000}, &made), ==,
                    SAT_STOPPED);
    g_assert_cmpuint(made, <, again);
    arena_free(arena);
}

/* How often the time was looked at, and from which look on it is over. */
struct looks {
    uint32_t made, last;
};

static bool is_last_look(void *context)
{
    struct looks *looks = context;
    return ++looks->made >= looks->last;
}

/* Whatever the search is at when the time is over, that look is the last one. */
static void test_time_over(void)
{
    struct arena *arena = arena_new();
    uint64_t made;
    for (uint32_t last = 1; last <= 20; last++) {
        struct looks looks = {.last = last};
        struct sat_limits limits = {.is_over = is_last_look, .context = &looks};
        g_assert_cmpint(put_pigeons(arena, 10, &limits, &made), ==, SAT_STOPPED);
        g_assert_cmpuint(looks.made, ==, last);
    }
    arena_free(arena);
}

/* A model stays while clauses and variables are added; newer variables are false in it. */
static void test_model_stays(void)
{
    struct arena *arena = arena_new();
    struct sat *sat = sat_new(arena);
    uint32_t a = sat_variable(sat), b = sat_variable(sat);
    sat_clause(sat, (sat_lit[]){2 * a, 2 * b}, 2);
    sat_clause(sat, (sat_lit[]){sat_not(2 * a)}, 1);
    g_assert_cmpint(sat_solve(sat, NULL, 0, NULL), ==, SAT_YES);
    sat_clause(sat, (sat_lit[]){sat_not(2 * b)}, 1);
    uint32_t c = sat_variable(sat);
    g_assert_true(sat_holds(sat, 2 * b));
    g_assert_false(sat_holds(sat, 2 * c));
    g_assert_true(sat_holds(sat, sat_not(2 * c)));
    g_assert_cmpint(sat_solve(sat, NULL, 0, NULL), ==, SAT_NO);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sat/random", test_random);
    g_test_add_func("/sat/pigeons", test_pigeons);
    g_test_add_func("/sat/time-over", test_time_over);
    g_test_add_func("/sat/model-stays", test_model_stays);
    return g_test_run();
}
