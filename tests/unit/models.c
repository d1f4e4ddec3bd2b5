/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "model/models/models.h"

static struct cat_model *load(struct arena *arena, struct diag_list *diags, const char *name)
{
    *diags = (struct diag_list){.arena = arena};
    return model_load(arena, name, diags);
}

static void every_bundled_model_loads_without_a_word(void)
{
    for (uint32_t i = 0; i < model_text_count; i++) {
        struct arena *arena = arena_new();
        struct diag_list diags;
        struct cat_model *model = load(arena, &diags, model_texts[i].name);
        if (diags.items.len)
            g_error("%s", diag_render(arena, &diags.items.at[0]));
        g_assert_nonnull(model);
        g_assert_cmpuint(model->axiom_count, >=, 5);
        arena_free(arena);
    }
}

/* The nodes that an axiom rests on. */
static bool *used_nodes(struct arena *arena, const struct cat_model *model)
{
    bool *used = ARENA_ARRAY(arena, bool, model->node_count);
    for (uint32_t a = 0; a < model->axiom_count; a++)
        used[model->axioms[a].node] = true;
    for (uint32_t round = 0; round < 2; round++) /* a recursive body comes after its name */
        for (cat_id id = model->node_count; id-- > 0;) {
            const struct cat_node *node = &model->nodes[id];
            if (used[id] && node->op > CAT_EMPTY) {
                used[node->a] = true;
                used[node->op < CAT_COMPLEMENT || node->op == CAT_COMPOSE || node->op == CAT_PRODUCT
                         ? node->b
                         : node->a] = true;
            }
        }
    return used;
}

/* By the text, with one of the bundled variants. */
static bool is_used(const char *text, const char *name)
{
    struct arena *arena = arena_new();
    struct diag_list diags;
    bool found = false;
    for (uint32_t i = 0; i < model_text_count; i++) {
        if (model_texts[i].text != text)
            continue;
        struct cat_model *model = load(arena, &diags, model_texts[i].name);
        bool *used = used_nodes(arena, model);
        for (cat_id id = 0; id < model->node_count; id++)
            found |= used[id] && model->nodes[id].name && strcmp(model->nodes[id].name, name) == 0;
    }
    arena_free(arena);
    return found;
}

/* Every name a bundled model defines is used by it: nothing in the text is decoration. */
static void every_definition_is_used(void)
{
    for (uint32_t i = 0; i < model_text_count; i++) {
        struct arena *arena = arena_new();
        struct diag_list diags;
        struct cat_model *model = load(arena, &diags, model_texts[i].name);
        bool *used = used_nodes(arena, model);
        for (cat_id id = 0; id < model->node_count; id++) {
            const struct cat_node *node = &model->nodes[id];
            bool base = node->op == CAT_BASE_REL || node->op == CAT_BASE_SET;
            const char *line = node->name ? g_strdup_printf("let %s ", node->name) : NULL;
            if (!base && line && strstr(model_texts[i].text, line) && !used[id] &&
                !is_used(model_texts[i].text, node->name))
                g_error("%s: '%s' is defined and not used", model_texts[i].name, node->name);
            g_free((char *)line);
        }
        arena_free(arena);
    }
}

static void unknown_models_are_reported_with_a_hint(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags;
    g_assert_null(load(arena, &diags, "ptx-6.5"));
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_cmpstr(diag_headline(arena, &diags.items.at[0]), ==,
                    "C030: no model is called 'ptx-6.5', and no such file can be read");
    g_assert_cmpstr(diags.items.at[0].hint, ==, "did you mean 'ptx-6.0'?");
    arena_free(arena);
}

static void variants_are_named_after_a_plus(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags;
    g_assert_nonnull(load(arena, &diags, "ptx+older-api"));
    g_assert_null(load(arena, &diags, "ptx+older"));
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_cmpstr(diag_headline(arena, &diags.items.at[0]), ==,
                    "C030: 'ptx.cat' has no variant 'older'");
    const struct cat_model *semantic = load(arena, &diags, "ptx+dependencies=semantic"),
                           *syntactic = load(arena, &diags, "ptx+dependencies=syntactic");
    g_assert_true(semantic && !semantic->chosen);
    g_assert_true(syntactic && !syntactic->chosen);
    g_assert_null(load(arena, &diags, "ptx-7.5+dependencies=syntactic")); /* it asks for neither */
    g_assert_null(load(arena, &diags, "ptx-6.5+older-api"));
    g_assert_cmpstr(diag_headline(arena, &diags.items.at[0]), ==,
                    "C030: no model is called 'ptx-6.5+older-api', and no such file can be read");
    arena_free(arena);
}

static char *write_file(const char *folder, const char *name, const char *text)
{
    char *path = g_build_filename(folder, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void files_include_their_neighbours_and_bundled_models(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags;
    char *folder = g_dir_make_tmp("ptxlit-XXXXXX", NULL);
    char *part = write_file(folder, "part.cat", "let part = fencerel(SC) & po-loc");
    char *whole = write_file(folder, "whole.cat",
                             "include \"ptx.cat\" include \"part.cat\" acyclic part as extra");
    struct cat_model *model = load(arena, &diags, whole);
    g_assert_nonnull(model);
    g_assert_cmpstr(model->axioms[model->axiom_count - 1].name, ==, "extra");
    g_assert_cmpstr(model->axioms[0].name, ==, "coherence");
    g_remove(part);
    g_assert_null(load(arena, &diags, whole));
    g_assert_true(g_str_has_suffix(diag_headline(arena, &diags.items.at[0]),
                                   "whole.cat:1:27: C020: cannot include 'part.cat'"));
    g_remove(whole);
    g_rmdir(folder);
    g_free(part);
    g_free(whole);
    g_free(folder);
    arena_free(arena);
}

/* The shapes that published models of PTX use: shadowed base names, one-word titles, co that is not
 * total, sets and relations under the names of other tools. */
static void texts_in_the_style_of_other_tools_load(void)
{
    static const char text[] =
        "PTX\n"
        "(* base relations may be redefined *)\n"
        "let co = co+\n"
        "let fr = rf^-1; co\n"
        "let strong-write = W & (RLX | REL)\n"
        "let strong-read = R & (RLX | ACQ)\n"
        "let strong-m = strong-write | strong-read\n"
        "let strong-operation = strong-m | F\n"
        "let same-proxy = GEN * GEN | SUR * SUR | TEX * TEX | CON * CON\n"
        "let ms1 = (po | po^-1) | ([strong-operation]; sr; [strong-operation])\n"
        "let ms2 = ((M * M) & vloc) | ((_ * _) \\ (M * M))\n"
        "let morally-strong = ms1 & same-proxy & ms2\n"
        "let rec observation = (morally-strong & rf) | (observation; rmw; observation)\n"
        "let release-pattern = ([W & REL]; (po & loc)?; [strong-write]) | ([F & ACQ_REL]; po; "
        "[strong-write])\n"
        "let acquire-pattern = ([strong-read]; (po & loc)?; [R & ACQ]) | ([strong-read]; po; [F & "
        "(ACQ_REL | SC)])\n"
        "let sync = morally-strong & (release-pattern; observation; acquire-pattern)\n"
        "let sync_barrier = syncbar & scta\n"
        "let cause-base = po?; ((sync | sync_fence | sync_barrier); po?)+\n"
        "let proxy-fence-ops = [F]; (same-proxy & scta); [M]\n"
        "let cause-proxy = ([GEN]; cause-base; [GEN])\n"
        "  | (cause-base & (proxy-fence-ops^-1); cause-base; [GEN])\n"
        "  | ([GEN]; cause-base; [F & ALIAS]; cause-base)\n"
        "let cause = cause-proxy | (observation; cause-proxy)\n"
        "let dep = addr | data | ctrl\n"
        "empty ((([W]; cause; [W]) & loc) \\ co) as axiom-Coherence\n"
        "empty (([W]; morally-strong; [W]) & loc) \\ (co | co^-1) as axiom-Coherence2\n"
        "empty (([F & SC]; cause; [F & SC]) & ms1) \\ sync_fence as axiom-FenceSC\n"
        "empty (((morally-strong & fr); (morally-strong & co)) & rmw) as axiom-Atomicity\n"
        "acyclic (rf | dep) as axiom-NoThinAir\n"
        "irreflexive ((rf | fr); cause) as axiom-Causality\n"
        "acyclic ((morally-strong & (rf | co | fr)) | po-loc) as axiom-SC-per-Location\n";
    struct arena *arena = arena_new();
    struct diag_list diags;
    char *folder = g_dir_make_tmp("ptxlit-XXXXXX", NULL);
    char *path = write_file(folder, "peer.cat", text);
    struct cat_model *model = load(arena, &diags, path);
    if (diags.items.len)
        g_error("%s", diag_render(arena, &diags.items.at[0]));
    g_assert_cmpuint(model->axiom_count, ==, 7);
    g_assert_cmpstr(model->title, ==, "PTX");
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    g_free(folder);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/models/bundled", every_bundled_model_loads_without_a_word);
    g_test_add_func("/models/used", every_definition_is_used);
    g_test_add_func("/models/unknown", unknown_models_are_reported_with_a_hint);
    g_test_add_func("/models/variants", variants_are_named_after_a_plus);
    g_test_add_func("/models/include", files_include_their_neighbours_and_bundled_models);
    g_test_add_func("/models/peers", texts_in_the_style_of_other_tools_load);
    return g_test_run();
}
