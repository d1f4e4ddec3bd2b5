/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "model/judge/judge.h"
#include "model/models/models.h"
#include "tests/unit/graphs.h"

static const char message_passing[] = "PTX MP\n{ x=0; y=0; }\n"
                                      " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                                      " st.weak x, 1        | ld.acquire.gpu r0, y ;\n"
                                      " st.release.gpu y, 1 | ld.weak r1, x        ;\n"
                                      "exists (P1:r0 == 1 /\\ P1:r1 == 0)";
/* Its events, in their order. */
enum { INIT_X, INIT_Y, WRITE_X, WRITE_Y, READ_Y, READ_X };

/* Message passing where the flag was seen, the data not. */
static struct execution *stale(struct unfolded *u)
{
    *u = unfold_text(message_passing);
    struct execution *x = execute(u, (event_id[]){WRITE_Y, INIT_X}, true);
    rel_add(x->co, INIT_X, WRITE_X);
    rel_add(x->co, INIT_Y, WRITE_Y);
    return x;
}

static struct cat_model *model_of(struct unfolded *u, const char *text)
{
    struct diag_list diags = {.arena = u->arena};
    struct source *source = source_new(u->arena, "m.cat", text, strlen(text));
    struct cat_model *model =
        cat_parse(u->arena, source, model_bases, model_base_count, NULL, &diags);
    if (!model)
        g_error("%s", diag_render(u->arena, &diags.items.at[0]));
    return model;
}

static struct judgement judged(struct unfolded *u, const struct execution *x, const char *text)
{
    return judge(u->arena, model_of(u, text), x);
}

/* Every sentence is true of the execution: each is a model that allows it. */
static void all_hold(struct unfolded *u, const struct execution *x, const char *const *sentences)
{
    for (; *sentences; sentences++)
        if (!judged(u, x, *sentences).consistent)
            g_error("%s", *sentences);
}

static void operators_mean_what_sets_of_pairs_do(void)
{
    static const char *const sentences[] = {"empty (po | rf) \\ (rf | po)",
                                            "empty ([W]; po; [W]) \\ (po & (W * W))",
                                            "empty po & po^-1",
                                            "~empty po;po^-1",
                                            "empty (po? \\ po) \\ id",
                                            "empty id \\ po?",
                                            "empty ~(po | ~po)",
                                            "empty ~po & po",
                                            "empty _ \\ (W | R)",
                                            "empty (_ * _) \\ (po | ~po)",
                                            "empty domain(rf) \\ W",
                                            "empty range(rf) \\ R",
                                            "empty R \\ range(rf)",
                                            "~empty (W * R) \\ rf",
                                            "empty po^* \\ (po+ | id)",
                                            "empty (rf;rf^-1) \\ id",
                                            "~empty rf+ & rf",
                                            "~acyclic po | po^-1",
                                            "acyclic po | rf",
                                            "~irreflexive po;po^-1",
                                            NULL};
    struct unfolded u;
    struct execution *x = stale(&u);
    all_hold(&u, x, sentences);
    arena_free(u.arena);
}

static void recursion_finds_the_least_solution(void)
{
    static const char *const sentences[] = {
        "let rec r = r empty r",
        "let rec r = (po | rf) | (r; r) empty r \\ (po | rf)+",
        "let rec r = (po | rf) | (r; r) empty (po | rf)+ \\ r",
        "let rec a = po | (b; rf) and b = a | (rf; a) empty a \\ (_ * _) ~empty b; rf",
        "let rec S = range(po) | range([S]; rf) empty S \\ _ ~empty S & R",
        "let rec r = (r; r) | (po \\ rf) let rec s = r | (s; rf) empty r \\ s",
        NULL};
    struct unfolded u;
    struct execution *x = stale(&u);
    all_hold(&u, x, sentences);
    arena_free(u.arena);
}

static void base_names_mean_their_sentences(void)
{
    static const char *const sentences[] = {"empty IW & R",
                                            "empty (IW | R | W) \\ M",
                                            "empty M \\ (IW | R | W)",
                                            "empty (IW * W) & co & ext^-1 & id",
                                            "~empty co & (IW * W) & loc",
                                            "empty fr \\ (R * W)",
                                            "empty fr \\ loc",
                                            "empty fr \\ (rf^-1; co)",
                                            "empty (rf^-1; co) \\ fr",
                                            "empty po & ext",
                                            "empty (po | po^-1) \\ int",
                                            "empty sr & (WEAK * _)",
                                            "~empty sr & (REL * ACQ)",
                                            "empty scta & ext & ((M \\ IW) * (M \\ IW))",
                                            "empty vloc \\ loc",
                                            "empty partial_overlap",
                                            "empty overlap \\ loc",
                                            "empty GEN \\ _",
                                            "empty TEX | SUR | CON | ASYNC",
                                            "empty addr | data | ctrl | rmw",
                                            NULL};
    struct unfolded u;
    struct execution *x = stale(&u);
    all_hold(&u, x, sentences);
    arena_free(u.arena);
}

static void a_broken_axiom_is_named_with_a_pair(void)
{
    struct unfolded u;
    struct execution *x = stale(&u);
    struct judgement j = judged(&u, x, "empty 0 & po irreflexive po;po^-1;po acyclic po | fr | rf");
    g_assert_false(j.consistent);
    g_assert_cmpuint(j.axiom, ==, 2);
    g_assert_cmpuint(j.a, ==, WRITE_X);
    g_assert_cmpuint(j.b, ==, WRITE_Y);
    j = judged(&u, x, "empty rf & (W * R) \\ (IW * R)");
    g_assert_cmpuint(j.axiom, ==, 0);
    g_assert_cmpuint(j.a, ==, WRITE_Y);
    g_assert_cmpuint(j.b, ==, READ_Y);
    j = judged(&u, x, "irreflexive fr;po;rf;po");
    g_assert_cmpuint(j.a, ==, READ_X);
    arena_free(u.arena);
}

static void flags_are_told_and_forbid_nothing(void)
{
    struct unfolded u;
    struct execution *x = stale(&u);
    struct judgement j =
        judged(&u, x, "flag ~empty rf as seen flag ~empty rmw as atomic acyclic po");
    g_assert_true(j.consistent);
    g_assert_true(j.flags[0]);
    g_assert_false(j.flags[1]);
    g_assert_false(j.flags[2]);
    arena_free(u.arena);
}

static struct cat_model *bundled(struct unfolded *u, const char *name)
{
    struct diag_list diags = {.arena = u->arena};
    return model_load(u->arena, name, &diags);
}

static void every_bundled_model_forbids_stale_data(void)
{
    struct unfolded u;
    struct execution *x = stale(&u);
    for (uint32_t i = 0; i < model_text_count; i++) {
        struct cat_model *model = bundled(&u, model_texts[i].name);
        struct judgement j = judge(u.arena, model, x);
        bool is_cpp = strcmp(model->language, "C") == 0;
        g_assert_false(j.consistent);
        g_assert_cmpstr(model->axioms[j.axiom].name, ==, is_cpp ? "coherence" : "causality");
    }
    arena_free(u.arena);
}

/* Coherence that leaves two morally strong writes unordered, or contradicts program order. */
static void coherence_has_to_be_there(void)
{
    struct unfolded u = unfold_text("PTX W+W\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;\n"
                                    " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;\n"
                                    " st.weak x, 3        |                     ;\n"
                                    "exists (x == 1)");
    enum { INIT, FIRST, THIRD, OTHER };
    struct execution *x = execute(&u, NULL, true);
    struct cat_model *model = bundled(&u, "ptx");
    rel_add(x->co, FIRST, THIRD);
    struct judgement j = judge(u.arena, model, x);
    g_assert_cmpstr(model->axioms[j.axiom].name, ==, "coherence-total");
    rel_add(x->co, FIRST, OTHER);
    g_assert_true(judge(u.arena, model, x).consistent);
    rel_remove(x->co, FIRST, THIRD);
    rel_add(x->co, THIRD, FIRST);
    j = judge(u.arena, model, x);
    g_assert_cmpstr(model->axioms[j.axiom].name, ==, "coherence");
    arena_free(u.arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/judge/operators", operators_mean_what_sets_of_pairs_do);
    g_test_add_func("/judge/recursion", recursion_finds_the_least_solution);
    g_test_add_func("/judge/bases", base_names_mean_their_sentences);
    g_test_add_func("/judge/pair", a_broken_axiom_is_named_with_a_pair);
    g_test_add_func("/judge/flags", flags_are_told_and_forbid_nothing);
    g_test_add_func("/judge/bundled", every_bundled_model_forbids_stale_data);
    g_test_add_func("/judge/coherence", coherence_has_to_be_there);
    return g_test_run();
}
