/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/edit/place.h"
#include "litmus/edit/strength.h"
#include "litmus/read/read.h"

struct fixture {
    struct arena *arena;
    struct diag_list diags;
    struct test *test;
    struct edit_places places;
};

static struct fixture open(const char *text)
{
    struct fixture f = {.arena = arena_new()};
    f.diags.arena = f.arena;
    f.test = litmus_parse(f.arena, source_new(f.arena, "t.litmus", text, strlen(text)), &f.diags);
    if (!f.test)
        g_error("%s", diag_render(f.arena, &f.diags.items.at[0]));
    f.places = edit_places_stronger(f.arena, f.test);
    return f;
}

static void end(struct fixture f)
{
    arena_free(f.arena);
}

/* The first edit with these words in the thread, or NULL. */
static const struct edit *find(const struct fixture *f, uint32_t body, const char *words)
{
    for (uint32_t i = 0; i < f->places.items.len; i++) {
        const struct edit_place *place = &f->places.items.at[i];
        for (uint32_t k = 0; k < place->options.len; k++)
            if (place->options.at[k].edits && place->body == &f->test->bodies[body] &&
                strcmp(place->options.at[k].edit.words, words) == 0)
                return &place->options.at[k].edit;
    }
    return NULL;
}

static const char *edited(const struct fixture *f, const struct edit *edit)
{
    g_assert_nonnull(edit);
    return edit_apply(f->arena, f->test, edit, 1).source->text;
}

static const char message_passing[] = "PTX mp\n"
                                      "{ x = 0; f = 0; }\n"
                                      " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                                      " st.weak x, 1        | ld.relaxed.sys r0, f ;\n"
                                      " st.relaxed.gpu f, 1 | ld.weak r1, x        ;\n"
                                      "exists (1:r0=1 /\\ 1:r1=0)\n";

static void accesses_become_stronger_in_scopes_that_matter(void)
{
    struct fixture f = open(message_passing);
    g_assert_nonnull(find(&f, 0, "st.release.gpu"));
    g_assert_null(find(&f, 0, "st.release.cta"));
    g_assert_null(find(&f, 0, "st.release.sys"));
    g_assert_nonnull(find(&f, 1, "ld.acquire.sys"));
    g_assert_nonnull(find(&f, 1, "ld.acquire.gpu")); /* narrower than it was */
    end(f);
}

/* What is narrower stands behind the options that the search may climb. */
static void narrower_scopes_stand_apart(void)
{
    struct fixture f = open(message_passing);
    for (uint32_t i = 0; i < f.places.items.len; i++) {
        const struct edit_place *place = &f.places.items.at[i];
        for (uint32_t k = 1; k < place->wide; k++)
            g_assert_true(place->least[k] & 1);
        for (uint32_t k = place->wide; k < place->options.len; k++)
            g_assert_false(strength_inst(&place->options.at[k].inst, place->inst));
    }
    end(f);
}

static void columns_stay_in_line(void)
{
    struct fixture f = open(message_passing);
    const char *text = edited(&f, find(&f, 1, "ld.acquire.gpu"));
    g_assert_nonnull(strstr(text, " st.weak x, 1        | ld.acquire.gpu r0, f ;\n"));
    text = edited(&f, find(&f, 0, "fence.release.gpu"));
    g_assert_nonnull(strstr(text, " fence.release.gpu   |                      ;\n"));
    end(f);
}

static const char waiting[] =
    "PTX wait\n"
    "{ u32 g[4]; shared u32 s[4] @ cta 0; shared b64 m @ cta 0; }\n"
    " P0@cta 0,gpu 0                                                                 ;\n"
    " mbarrier.init.shared::cta.b64 [m], 1                                           ;\n"
    " mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 16                           ;\n"
    " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [m] ;\n"
    " ld.shared.u32 %p0, [s]                                                         ;\n"
    "exists (0:p0=1)\n";

static void a_wait_is_a_loop_with_a_predicate_of_its_own(void)
{
    static const char words[] = "WAIT4:\n"
                                "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [m], 0\n"
                                "@!%p1 bra WAIT4";
    struct fixture f = open(waiting);
    const struct edit *edit = find(&f, 0, words);
    g_assert_nonnull(edit);
    g_assert_cmpint(edit_growth(edit), ==, 2);
    const char *text = edited(&f, edit);
    struct test *after =
        litmus_parse(f.arena, source_new(f.arena, "t.litmus", text, strlen(text)), &f.diags);
    g_assert_nonnull(after);
    g_assert_cmpuint(after->bodies[0].inst_count, ==, 6);
    end(f);
}

/* One-way fences of the async proxy exist for shared memory of a cluster alone. */
static void proxy_fences_are_those_of_ptx(void)
{
    struct fixture f = open("PTX cluster\n"
                            "{ u32 g[4]; shared u32 s[4] @ cta 0; u32 f; }\n"
                            " P0@cta 0,cluster 0,gpu 0       | P1@cta 1,cluster 0,gpu 0            "
                            "                   ;\n"
                            " st.shared.u32 [s], 1           | ld.relaxed.cluster.u32 %r1, [f]     "
                            "                    ;\n"
                            " st.relaxed.cluster.u32 [f], 1  | "
                            "cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16 ;\n"
                            "exists (1:r1=1)\n");
    g_assert_nonnull(
        find(&f, 0, "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster"));
    g_assert_nonnull(
        find(&f, 1, "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"));
    g_assert_null(find(&f, 0, "fence.proxy.async::generic.release.cluster"));
    g_assert_nonnull(find(&f, 0, "fence.proxy.async.shared::cta"));
    g_assert_nonnull(find(&f, 0, "barrier.cluster.arrive\nbarrier.cluster.wait"));
    end(f);
}

static void a_kernel_gets_statements(void)
{
    struct fixture f = open("PTX k\n"
                            "{ u32 x; u32 f; }\n"
                            "kernel k {\n"
                            "  st.global.u32 [x], 1;\n"
                            "  st.relaxed.gpu.global.u32 [f], 1; // the flag\n"
                            "}\n"
                            "k<<<2, 1>>>();\n"
                            "exists (x=0)\n");
    const char *text = edited(&f, find(&f, 0, "fence.release.gpu"));
    g_assert_nonnull(strstr(text, "[x], 1;\n  fence.release.gpu;\n  st.relaxed"));
    end(f);
}

static void a_diff_shows_a_line_on_either_side(void)
{
    struct arena *arena = arena_new();
    const struct source *before = source_new(arena, "a", "1\n2\n3\n4\n5\n", 10),
                        *after = source_new(arena, "a", "1\n2\nx\n4\n5\n", 10);
    g_assert_cmpstr(edit_diff(arena, before, after), ==, "@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n");
    arena_free(arena);
}

static void what_is_weaker_begins_with_the_weakest(void)
{
    struct fixture f = open(message_passing);
    struct edit_places places = edit_places_weaker(f.arena, f.test);
    g_assert_cmpuint(places.items.len, ==, 2);
    const struct edit_place *store = &places.items.at[0];
    g_assert_cmpstr(store->options.at[0].edit.words, ==, "st.weak");
    g_assert_false(store->options.at[store->options.len - 1].edits);
    end(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/edit/scopes", accesses_become_stronger_in_scopes_that_matter);
    g_test_add_func("/edit/narrower", narrower_scopes_stand_apart);
    g_test_add_func("/edit/columns", columns_stay_in_line);
    g_test_add_func("/edit/wait", a_wait_is_a_loop_with_a_predicate_of_its_own);
    g_test_add_func("/edit/proxies", proxy_fences_are_those_of_ptx);
    g_test_add_func("/edit/kernel", a_kernel_gets_statements);
    g_test_add_func("/edit/diff", a_diff_shows_a_line_on_either_side);
    g_test_add_func("/edit/weaker", what_is_weaker_begins_with_the_weakest);
    return g_test_run();
}
