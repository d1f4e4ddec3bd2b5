/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "solver/repair/minimal.h"

/* Questions about choices with a known answer: a choice suffices when it includes one of 'enough'. */
enum { MOST_PLACES = 48, MOST_ENOUGH = 8 };
struct puzzle {
    struct minimal_question question;
    struct minimal_place places[MOST_PLACES];
    uint8_t enough[MOST_ENOUGH][MOST_PLACES];
    uint32_t enough_count, asked;
    const uint8_t *refused;  /* is no result */
    const uint8_t *repeated; /* is one that was found */
    const uint8_t *open;     /* is not decided */
    bool hurried;            /* there is no time for shy places */
};

static bool includes(const struct puzzle *p, const uint8_t *more, const uint8_t *less)
{
    for (uint32_t i = 0; i < p->question.place_count; i++)
        if (!(p->places[i].least[more[i]] >> less[i] & 1))
            return false;
    return true;
}

static enum minimal_answer ask(void *context, const uint8_t *choice)
{
    struct puzzle *p = context;
    p->asked++;
    if (p->open && memcmp(p->open, choice, p->question.place_count) == 0)
        return MINIMAL_OPEN;
    for (uint32_t i = 0; i < p->enough_count; i++)
        if (includes(p, choice, p->enough[i]))
            return MINIMAL_ENOUGH;
    return MINIMAL_SHORT;
}

static enum minimal_use accept(void *context, const struct minimal_set *set)
{
    const struct puzzle *p = context;
    uint32_t n = p->question.place_count;
    if (p->repeated && memcmp(p->repeated, set->choice, n) == 0)
        return MINIMAL_REPEATED;
    return p->refused && memcmp(p->refused, set->choice, n) == 0 ? MINIMAL_REFUSED : MINIMAL_TAKEN;
}

static bool go_on(void *context, bool shy)
{
    const struct puzzle *p = context;
    return !shy || !p->hurried;
}

/* Places with the options nothing (0), two that do not include each other (3, 4), and both (9). */
static const uint32_t costs[] = {0, 3, 4, 9};
static const uint64_t least[] = {1, 1 | 2, 1 | 4, 15};

static void begin(struct puzzle *p, uint32_t places)
{
    *p = (struct puzzle){.question = {.place_count = places,
                                      .most_edits = places,
                                      .most_sets = 100,
                                      .ask = ask,
                                      .accept = accept,
                                      .go_on = go_on}};
    for (uint32_t i = 0; i < places; i++)
        p->places[i] = (struct minimal_place){4, costs, least, false};
    p->question.places = p->places;
    p->question.context = p;
}

/* A choice that suffices: an option at one place, and at another. */
static void suffices(struct puzzle *p, uint32_t a, uint8_t option_a, uint32_t b, uint8_t option_b)
{
    p->enough[p->enough_count][a] = option_a;
    p->enough[p->enough_count++][b] = option_b;
}

static void all_minimal_sets_are_found_cheapest_first(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 6);
    suffices(&p, 1, 2, 4, 2); /* 8 */
    suffices(&p, 0, 1, 5, 1); /* 6 */
    suffices(&p, 3, 3, 3, 3); /* 9 */
    struct minimal_result found = minimal_find(arena, &p.question);
    static const uint32_t wanted[] = {6, 8, 9};
    g_assert_cmpuint(found.sets.len, ==, 3);
    for (uint32_t i = 0; i < 3; i++)
        g_assert_cmpuint(found.sets.at[i].cost, ==, wanted[i]);
    g_assert_cmpuint(found.sets.at[0].size, ==, 2);
    g_assert_cmpuint(found.sets.at[0].choice[5], ==, 1);
    g_assert_true(found.possible && !found.more && !found.larger && !found.open);
    arena_free(arena);
}

static void places_that_play_no_part_are_not_tried_one_by_one(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, MOST_PLACES);
    suffices(&p, 7, 1, 30, 2);
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 1);
    g_assert_cmpuint(p.asked, <, 100);
    arena_free(arena);
}

static void limits_are_told(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 4);
    suffices(&p, 0, 1, 1, 1);
    p.question.most_edits = 1;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_true(!found.sets.len && found.larger && found.possible);
    begin(&p, 4);
    suffices(&p, 0, 1, 0, 1);
    suffices(&p, 1, 1, 1, 1);
    p.question.most_sets = 1;
    found = minimal_find(arena, &p.question);
    g_assert_true(found.sets.len == 1 && found.more);
    begin(&p, 4);
    found = minimal_find(arena, &p.question);
    g_assert_true(!found.sets.len && !found.possible);
    g_assert_cmpuint(p.asked, ==, 1);
    arena_free(arena);
}

static void what_is_refused_or_open_is_no_result(void)
{
    static const uint8_t first[] = {1, 0, 0};
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 3);
    suffices(&p, 0, 1, 0, 1);
    suffices(&p, 1, 2, 1, 2);
    p.refused = first;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 1);
    g_assert_cmpuint(found.sets.at[0].choice[1], ==, 2);
    p.refused = NULL;
    p.open = first;
    found = minimal_find(arena, &p.question);
    g_assert_true(found.sets.len == 1 && found.open);
    arena_free(arena);
}

static enum minimal_answer ask_above_the_first(void *context, const uint8_t *choice)
{
    const struct puzzle *p = context;
    static const uint8_t none[MOST_PLACES];
    return memcmp(choice, none, p->question.place_count) == 0 ? MINIMAL_OPEN : ask(context, choice);
}

/* An option suffices alone, another place says the same, and two more places suffice together. */
static struct minimal_result find_beside(struct arena *arena, const uint8_t *repeated,
                                         const uint8_t *refused)
{
    struct puzzle p;
    begin(&p, 4);
    suffices(&p, 0, 1, 0, 1);
    suffices(&p, 1, 2, 1, 2);
    suffices(&p, 2, 1, 3, 1);
    p.repeated = repeated;
    p.refused = refused;
    return minimal_find(arena, &p.question);
}

static void what_repeats_a_result_is_in_no_other(void)
{
    static const uint8_t again[] = {0, 2, 0, 0};
    struct arena *arena = arena_new();
    g_assert_cmpuint(find_beside(arena, again, NULL).sets.len, ==, 2);
    /* what is refused for another reason may be part of a result */
    g_assert_cmpuint(find_beside(arena, NULL, again).sets.len, >, 2);
    arena_free(arena);
}

static void what_begins_undecided_may_be_decided_above(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 3);
    suffices(&p, 0, 1, 2, 2);
    p.question.ask = ask_above_the_first;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 1);
    g_assert_cmpuint(found.sets.at[0].cost, ==, 7);
    g_assert_true(found.open);
    arena_free(arena);
}

/* What is found first has fewer options at shy places, and need not be the cheapest. */
static void few_shy_options_come_first(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 4);
    suffices(&p, 0, 1, 1, 1);
    suffices(&p, 2, 3, 2, 3);
    for (uint32_t i = 0; i < 4; i++)
        p.places[i].shy = true;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 2);
    g_assert_cmpuint(found.sets.at[0].cost, ==, 9);
    g_assert_cmpuint(found.sets.at[1].cost, ==, 6);
    arena_free(arena);
}

/* At places where a choice may undo another nothing is concluded from more to less. */
static enum minimal_answer ask_for_one(void *context, const uint8_t *choice)
{
    (void)context;
    return (choice[0] == 1) != (choice[1] == 1) ? MINIMAL_ENOUGH : MINIMAL_SHORT;
}

static void shy_places_are_not_grown(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 3);
    p.question.ask = ask_for_one;
    p.places[0].shy = p.places[1].shy = true;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 2);
    arena_free(arena);
}

static void shy_places_come_last(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 4);
    suffices(&p, 0, 1, 0, 1);
    suffices(&p, 2, 1, 3, 2);
    p.places[0].shy = p.places[1].shy = true;
    p.question.most_sets = 1;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 2);
    g_assert_cmpuint(found.sets.at[0].cost, ==, 7);
    g_assert_cmpuint(found.sets.at[1].cost, ==, 3);
    p.hurried = true;
    found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 1);
    g_assert_true(found.open);
    arena_free(arena);
}

static void from_the_strongest_down(void)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    begin(&p, 12);
    suffices(&p, 2, 1, 9, 1);
    suffices(&p, 3, 2, 8, 2);
    p.question.descends = true;
    p.question.most_sets = 1;
    struct minimal_result found = minimal_find(arena, &p.question);
    g_assert_cmpuint(found.sets.len, ==, 1);
    g_assert_cmpuint(found.sets.at[0].cost, ==, 6);
    g_assert_true(found.more);
    arena_free(arena);
}

/* ---- against plain enumeration -------------------------------------------------------------- */

static bool next_choice(uint8_t *choice, uint32_t places)
{
    for (uint32_t i = 0; i < places; i++) {
        if (++choice[i] < 4)
            return true;
        choice[i] = 0;
    }
    return false;
}

static bool is_minimal(struct puzzle *p, const uint8_t *choice)
{
    uint8_t other[MOST_PLACES] = {0};
    if (ask(p, choice) != MINIMAL_ENOUGH)
        return false;
    do {
        if (memcmp(other, choice, p->question.place_count) != 0 && includes(p, choice, other) &&
            ask(p, other) == MINIMAL_ENOUGH)
            return false;
    } while (next_choice(other, p->question.place_count));
    return true;
}

static bool is_among(const struct puzzle *p, const struct minimal_result *found,
                     const uint8_t *choice)
{
    for (uint32_t i = 0; i < found->sets.len; i++)
        if (memcmp(found->sets.at[i].choice, choice, p->question.place_count) == 0)
            return true;
    return false;
}

static void compare_with_enumeration(GRand *random)
{
    struct arena *arena = arena_new();
    struct puzzle p;
    uint8_t choice[MOST_PLACES] = {0};
    uint32_t count = 0;
    begin(&p, 4);
    for (int i = g_rand_int_range(random, 1, 5); i > 0; i--, p.enough_count++)
        for (uint32_t k = 0; k < 4; k++)
            p.enough[p.enough_count][k] = (uint8_t)g_rand_int_range(random, 0, 4);
    struct minimal_result found = minimal_find(arena, &p.question);
    do {
        bool minimal = is_minimal(&p, choice);
        g_assert_true(minimal == is_among(&p, &found, choice));
        count += minimal;
    } while (next_choice(choice, 4));
    g_assert_cmpuint(count, ==, found.sets.len);
    arena_free(arena);
}

static void random_questions_have_the_same_minimal_sets(void)
{
    GRand *random = g_rand_new_with_seed(4711);
    for (int i = 0; i < 200; i++)
        compare_with_enumeration(random);
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/minimal/cheapest-first", all_minimal_sets_are_found_cheapest_first);
    g_test_add_func("/minimal/no-part", places_that_play_no_part_are_not_tried_one_by_one);
    g_test_add_func("/minimal/limits", limits_are_told);
    g_test_add_func("/minimal/refused", what_is_refused_or_open_is_no_result);
    g_test_add_func("/minimal/repeated", what_repeats_a_result_is_in_no_other);
    g_test_add_func("/minimal/undecided", what_begins_undecided_may_be_decided_above);
    g_test_add_func("/minimal/few-shy", few_shy_options_come_first);
    g_test_add_func("/minimal/shy", shy_places_are_not_grown);
    g_test_add_func("/minimal/last", shy_places_come_last);
    g_test_add_func("/minimal/descends", from_the_strongest_down);
    g_test_add_func("/minimal/enumeration", random_questions_have_the_same_minimal_sets);
    return g_test_run();
}
