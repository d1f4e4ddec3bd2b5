/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "cli/answer/why/manual.h"

static const char text[] = "(* Title (8.1) *)\n"
                           "let early = po\n"
                           "\n"
                           "(* ---- 1. Strength (8.7) ---- *)\n"
                           "\n"
                           "(* Own words, 8.2.1 and 9.7.1, 8.2.1. *)\n"
                           "let strong = RLX\n"
                           "let stronger = RLX\n"
                           "\n"
                           "(* No number here. *)\n"
                           "let rec weak = WEAK\n"
                           "  and weaker = weak (* 8.7.3 at the end *)\n"
                           "\n"
                           "let strong-er = REL\n"
                           "(* ---- 2. Axioms ---- *)\n"
                           "\n"
                           "(* 8.10.1: coherence. *)\n"
                           "empty ([W]; cause; [W]) \\ co as coherence\n"
                           "\n"
                           "acyclic po as unsaid (* nothing *)\n";

static void assert_section(const char *name, const char *expected)
{
    struct arena *arena = arena_new();
    struct source *source = source_new(arena, "t.cat", text, strlen(text));
    struct cat_model model = {.source = source};
    g_assert_cmpstr(manual_section(arena, &model, name), ==, expected);
    arena_free(arena);
}

static void a_definition_is_cited_by_its_comments(void)
{
    assert_section("early", "PTX 8.1");
    assert_section("coherence", "PTX 8.10.1");
}

static void and_by_the_heading(void)
{
    assert_section("weak", "PTX 8.7");
    assert_section("strong", "PTX 8.2.1, 9.7.1, 8.7");
    assert_section("stronger", "PTX 8.2.1, 9.7.1, 8.7");
    assert_section("strong-er", "PTX 8.7");
}

static void but_not_by_a_wider_section(void)
{
    assert_section("weaker", "PTX 8.7.3");
}

static void what_says_nothing_has_no_section(void)
{
    assert_section("unsaid", "");
    assert_section("absent", "");
    assert_section("stron", "");
    assert_section("a.*b", "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/manual/comment", a_definition_is_cited_by_its_comments);
    g_test_add_func("/manual/heading", and_by_the_heading);
    g_test_add_func("/manual/wider", but_not_by_a_wider_section);
    g_test_add_func("/manual/nothing", what_says_nothing_has_no_section);
    return g_test_run();
}
