/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "solver/session/session.h"

/* The same clauses with and without a bit-vector, which makes Z3 answer: both say the same. */

static const struct solver_options no_limit;

static struct session *begin(struct arena *arena, bool words)
{
    struct session *session = session_new(arena, &no_limit, 0);
    if (words)
        session_word(session, 8);
    return session;
}

enum { VARIABLES = 10 };

static void test_both_agree(void)
{
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct arena *arena = arena_new();
        GRand *random = g_rand_new_with_seed(seed);
        struct session *of[] = {begin(arena, false), begin(arena, true)};
        lit lits[2][VARIABLES];
        for (int s = 0; s < 2; s++)
            for (int v = 0; v < VARIABLES; v++)
                lits[s][v] = session_bool(of[s]);
        for (int round = 0; round < 60; round++) {
            gint32 choice[4];
            lit asked[2][2];
            for (int i = 0; i < 4; i++)
                choice[i] = g_rand_int_range(random, 0, 2 * VARIABLES);
            for (int s = 0; s < 2; s++) {
                lit clause[3];
                for (int i = 0; i < 3; i++)
                    clause[i] = choice[i] & 1 ? session_not(of[s], lits[s][choice[i] / 2])
                                              : lits[s][choice[i] / 2];
                session_clause(of[s], clause, 3);
                asked[s][0] = lits[s][choice[3] / 2];
                asked[s][1] = session_not(of[s], lits[s][choice[0] / 2]);
            }
            g_assert_cmpint(session_check(of[0], asked[0], 2), ==,
                            session_check(of[1], asked[1], 2));
        }
        session_free(of[0]);
        session_free(of[1]);
        g_rand_free(random);
        arena_free(arena);
    }
}

/* What was said before the first word holds after it as well. */
static void test_late_words(void)
{
    struct arena *arena = arena_new();
    struct session *session = session_new(arena, &no_limit, 0);
    lit a = session_bool(session), b = session_bool(session);
    SESSION_CLAUSE(session, a, b);
    SESSION_CLAUSE(session, session_not(session, a));
    g_assert_cmpint(session_check(session, NULL, 0), ==, SESSION_SAT);
    g_assert_true(session_true(session, b));
    lit is_7 = session_equal(session, session_word(session, 8), session_number(session, 8, 7));
    SESSION_CLAUSE(session, session_not(session, b), is_7);
    g_assert_true(session_true(session, b)); /* of the last check */
    g_assert_cmpint(session_check(session, NULL, 0), ==, SESSION_SAT);
    g_assert_true(session_true(session, is_7));
    g_assert_cmpint(session_check(session, (lit[]){session_not(session, b)}, 1), ==, SESSION_UNSAT);
    session_free(session);
    arena_free(arena);
}

/* Which of all assignments of 'count' literals the weights allow. */
static void check_sum(bool words, const int *weights, uint32_t count, int sum, bool exact)
{
    struct arena *arena = arena_new();
    struct session *session = begin(arena, words);
    lit lits[5], chosen[5];
    for (uint32_t i = 0; i < count; i++)
        lits[i] = session_bool(session);
    session_sum(session, session->yes, lits, weights, count, sum, exact);
    for (uint32_t assignment = 0; assignment < 1u << count; assignment++) {
        int total = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool holds = assignment >> i & 1;
            total += holds ? weights[i] : 0;
            chosen[i] = holds ? lits[i] : session_not(session, lits[i]);
        }
        bool fits = exact ? total == sum : total <= sum;
        g_assert_cmpint(session_check(session, chosen, count), ==,
                        fits ? SESSION_SAT : SESSION_UNSAT);
    }
    session_free(session);
    arena_free(arena);
}

static void test_sums(void)
{
    static const int weights[][5] = {{1, 1, 1, 1, 1}, {2, 1, 3, 0, 1}, {32, 16, 32, 7, 1}};
    for (size_t w = 0; w < G_N_ELEMENTS(weights); w++)
        for (int sum = -1; sum < 40; sum += w == 2 ? 8 : 1) {
            check_sum(false, weights[w], 5, sum, true);
            check_sum(false, weights[w], 5, sum, false);
        }
    check_sum(true, weights[1], 5, 4, true);
}

/* Every pair of numbers of three bits. */
static void test_comparisons(void)
{
    struct arena *arena = arena_new();
    struct session *session = begin(arena, false);
    lit a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = session_bool(session);
        b[i] = session_bool(session);
    }
    lit at_least = session_at_least(session, a, b, 3), above = session_above(session, a, b, 3);
    for (unsigned x = 0; x < 8; x++)
        for (unsigned y = 0; y < 8; y++) {
            lit goals[7];
            for (int i = 0; i < 3; i++) {
                goals[i] = x >> i & 1 ? a[i] : session_not(session, a[i]);
                goals[3 + i] = y >> i & 1 ? b[i] : session_not(session, b[i]);
            }
            goals[6] = at_least;
            g_assert_cmpint(session_check(session, goals, 7), ==,
                            x >= y ? SESSION_SAT : SESSION_UNSAT);
            goals[6] = above;
            g_assert_cmpint(session_check(session, goals, 7), ==,
                            x > y ? SESSION_SAT : SESSION_UNSAT);
        }
    session_free(session);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/session/both-agree", test_both_agree);
    g_test_add_func("/session/late-words", test_late_words);
    g_test_add_func("/session/sums", test_sums);
    g_test_add_func("/session/comparisons", test_comparisons);
    return g_test_run();
}
