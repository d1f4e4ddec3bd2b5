/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "model/cat/cat.h"

static const struct cat_base bases[] = {
    {"_", true, false, ""},   {"W", true, false, ""},    {"R", true, false, ""},
    {"po", false, false, ""}, {"loc", false, false, ""}, {"rf", false, true, ""},
    {"co", false, true, ""},  {"id", false, false, ""},
};
enum { BASES = G_N_ELEMENTS(bases) };

struct outcome {
    struct arena *arena;
    struct diag_list diags;
    struct cat_model *model;
};

static struct outcome parse_with(const char *text, const struct cat_loader *loader)
{
    struct outcome outcome = {.arena = arena_new()};
    outcome.diags.arena = outcome.arena;
    struct source *source = source_new(outcome.arena, "m.cat", text, strlen(text));
    outcome.model = cat_parse(outcome.arena, source, bases, BASES, loader, &outcome.diags);
    return outcome;
}

/* The node as an expression with every operator's operands in parentheses. */
static void print(GString *to, const struct cat_model *model, cat_id id)
{
    static const char *const infix[] = {[CAT_UNION] = "|",
                                        [CAT_INTERSECT] = "&",
                                        [CAT_DIFFERENCE] = "\\",
                                        [CAT_COMPOSE] = ";",
                                        [CAT_PRODUCT] = "*"};
    static const char *const suffix[] = {
        [CAT_INVERSE] = "^-1",  [CAT_PLUS] = "+",      [CAT_STAR] = "^*",    [CAT_OPTION] = "?",
        [CAT_COMPLEMENT] = "~", [CAT_IDENTITY] = "id", [CAT_DOMAIN] = "dom", [CAT_RANGE] = "ran"};
    const struct cat_node *node = &model->nodes[id];
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        g_string_append(to, bases[node->base].name);
        break;
    case CAT_EMPTY:
        g_string_append(to, node->is_set ? "0s" : "0r");
        break;
    case CAT_REC:
        g_string_append_printf(to, "rec:%s", node->name);
        break;
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
    case CAT_COMPOSE:
    case CAT_PRODUCT:
        g_string_append_c(to, '(');
        print(to, model, node->a);
        g_string_append(to, infix[node->op]);
        print(to, model, node->b);
        g_string_append_c(to, ')');
        break;
    default:
        g_string_append_c(to, '(');
        print(to, model, node->a);
        g_string_append_printf(to, ")%s", suffix[node->op]);
    }
}

/* "empty EXPRESSION" elaborates to 'expected'. */
static void means(const char *before, const char *expression, const char *expected)
{
    char *text = g_strdup_printf("%s\nempty %s as axiom", before, expression);
    struct outcome outcome = parse_with(text, NULL);
    if (!outcome.model)
        g_error("%s: %s", expression, diag_render(outcome.arena, &outcome.diags.items.at[0]));
    GString *printed = g_string_new("");
    print(printed, outcome.model, outcome.model->axioms[outcome.model->axiom_count - 1].node);
    g_assert_cmpstr(printed->str, ==, expected);
    g_string_free(printed, TRUE);
    g_free(text);
    arena_free(outcome.arena);
}

static void operators_bind_as_in_herd(void)
{
    means("", "po | rf ; co", "(po|(rf;co))");
    means("", "po ; rf \\ co", "(po;(rf\\co))");
    means("", "po \\ rf & co", "(po\\(rf&co))");
    means("", "po & W * R", "(po&(W*R))");
    means("", "W * R | R * W", "((W*R)|(R*W))");
    means("", "~po & rf", "((po)~&rf)");
    means("", "~po+", "((po)+)~");
    means("", "po \\ rf \\ co", "((po\\rf)\\co)");
    means("", "po;rf^-1;co?", "((po;(rf)^-1);(co)?)");
    means("", "(po | rf) ; co", "((po|rf);co)");
}

static void star_is_product_before_an_operand_only(void)
{
    means("", "po*;rf", "((po)^*;rf)");
    means("", "po* & rf*", "((po)^*&(rf)^*)");
    means("", "po^* | po^+ | po^?", "(((po)^*|(po)+)|(po)?)");
    means("", "W*(R | W)", "(W*(R|W))");
    means("", "_*W", "(_*W)");
    means("", "W *~ R", "(W*(R)~)");
}

static void identity_domain_and_range(void)
{
    means("", "[W];po;[R & W]", "(((W)id;po);((R&W))id)");
    means("", "domain(rf) * range rf", "((rf)dom*(rf)ran)");
}

static void zero_takes_the_kind_it_is_used_with(void)
{
    means("", "0", "0r");
    means("", "W & 0", "(W&0s)");
    means("", "0 | po", "(0r|po)");
    means("", "[0] ; (0 | 0)", "((0s)id;0r)");
}

static void functions_are_inlined_where_they_were_defined(void)
{
    means("let f(x, y) = x;po;y", "f(rf, co)", "((rf;po);co)");
    means("let f x = x+", "f rf", "(rf)+");
    means("let f(x) = x;po let po = rf", "f(po)", "(rf;po)");
    means("let f(x) = [x] let g(y) = f(y);f(R)", "g(W)", "((W)id;(R)id)");
}

static void let_shadows_and_does_not_recurse(void)
{
    means("let co = co+", "co", "(co)+");
    means("let po = rf and rf = po", "po;rf", "(rf;po)");
}

static void conditionals_ask_for_the_variant(void)
{
    static const char text[] = "let r = if \"a\" then po else if \"b\" then rf else po | rf\n"
                               "empty r";
    static const char *const variants[] = {NULL, "a", "b", "c"};
    static const char *const meanings[] = {"(po|rf)", "po", "rf", "(po|rf)"};
    for (size_t i = 0; i < G_N_ELEMENTS(variants); i++) {
        struct cat_loader loader = {.variant = variants[i]};
        struct outcome outcome = parse_with(text, &loader);
        g_autoptr(GString) meaning = g_string_new(NULL);
        g_assert_nonnull(outcome.model);
        print(meaning, outcome.model, outcome.model->axioms[0].node);
        g_assert_cmpstr(meaning->str, ==, meanings[i]);
        g_assert_cmpint(outcome.model->has_variant, ==, i == 1 || i == 2);
        arena_free(outcome.arena);
    }
}

/* What a recursive name is shows in the branch that is taken. */
static void recursion_looks_into_conditionals(void)
{
    means("let rec s = if \"a\" then po | s else W | s", "s", "rec:s");
    means("let rec s = if \"a\" then po | s else W | s", "[s];po", "((rec:s)id;po)");
}

static void choices_that_nothing_makes_are_refused(void)
{
    static const char text[] = "empty if \"dependences=semantic\" then po else rf";
    static const char *const choices[] = {"dependencies=semantic"};
    struct cat_loader loader = {.choices = choices, .choice_count = 1};
    struct outcome outcome = parse_with(text, &loader);
    g_assert_null(outcome.model);
    g_assert_cmpuint(outcome.diags.errors, ==, 1);
    g_assert_cmpstr(outcome.diags.items.at[0].hint, ==, "did you mean \"dependencies=semantic\"?");
    arena_free(outcome.arena);
}

static void names_may_hold_dashes_dots_and_primes(void)
{
    means("let po-loc.2' = po & loc", "po-loc.2'", "(po&loc)");
}

static void comments_nest_and_lines_end_them(void)
{
    means("(* a (* b *) c *) let x = po // rest | (* \n", "x", "po");
    means("# a line\nlet x = po # rest | (*\n#another\n", "x", "po");
}

static void let_in_binds_for_one_expression(void)
{
    means("let a = let b = po and c = rf in b;c let b = co", "a;b", "((po;rf);co)");
    means("let f(x) = let y = x;x in let x = loc in y | x", "f(po)", "((po;po)|loc)");
    means("let b = rf let a = (let b = po and c = b in c;b)", "a", "(rf;po)");
    means("let rec S = let T = S | W in T | range([T];po)", "S", "rec:S");
}

static void braces_around_nothing_are_nothing(void)
{
    means("let a = W & {}", "a", "(W&0s)");
}

static void herds_options_follow_the_title(void)
{
    struct outcome outcome = parse_with("C \"C++11\" withoutco withinit acyclic po", NULL);
    g_assert_nonnull(outcome.model);
    g_assert_cmpstr(outcome.model->title, ==, "C++11");
    arena_free(outcome.arena);
}

/* undefined_unless says what must hold, a flag what is reported. */
static void undefined_unless_is_the_opposite_flag(void)
{
    struct outcome outcome =
        parse_with("acyclic po undefined_unless empty rf as a undefined_unless ~empty co", NULL);
    g_assert_nonnull(outcome.model);
    const struct cat_axiom *axioms = outcome.model->axioms;
    g_assert_true(axioms[1].flag && axioms[1].negated);
    g_assert_cmpstr(axioms[1].name, ==, "a");
    g_assert_true(axioms[2].flag && !axioms[2].negated);
    arena_free(outcome.arena);
}

static void with_co_asks_that_nothing_is_missing(void)
{
    struct outcome outcome = parse_with("let order(r) = r \\ co with co from order(po)", NULL);
    g_assert_nonnull(outcome.model);
    g_assert_cmpint(outcome.model->axioms[0].check, ==, CAT_IS_EMPTY);
    g_assert_false(outcome.model->axioms[0].flag || outcome.model->axioms[0].negated);
    g_assert_cmpstr(outcome.model->axioms[0].name, ==, "coherence-order");
    arena_free(outcome.arena);
}

static void equal_operations_are_one_node(void)
{
    struct outcome outcome =
        parse_with("let a = po;rf let b = po;rf acyclic a acyclic b | (po;rf)", NULL);
    g_assert_nonnull(outcome.model);
    const struct cat_node *both = &outcome.model->nodes[outcome.model->axioms[1].node];
    g_assert_cmpuint(both->a, ==, both->b);
    g_assert_cmpuint(both->a, ==, outcome.model->axioms[0].node);
    g_assert_cmpstr(outcome.model->nodes[both->a].name, ==, "a");
    g_assert_cmpstr(outcome.model->nodes[both->a].text, ==, "po;rf");
    arena_free(outcome.arena);
}

static void kids_come_before_parents_and_dynamic_spreads(void)
{
    struct outcome outcome =
        parse_with("acyclic po;loc acyclic (po;rf)+ let rec x = rf | x;x acyclic x", NULL);
    g_assert_nonnull(outcome.model);
    const struct cat_model *model = outcome.model;
    for (cat_id id = 0; id < model->node_count; id++)
        if (model->nodes[id].op != CAT_REC && model->nodes[id].op > CAT_EMPTY)
            g_assert_true(model->nodes[id].a < id && model->nodes[id].b < id);
    g_assert_false(model->nodes[model->axioms[0].node].dynamic);
    g_assert_true(model->nodes[model->axioms[1].node].dynamic);
    g_assert_true(model->nodes[model->axioms[2].node].dynamic);
    arena_free(outcome.arena);
}

static void recursive_names_group_what_depends_on_them(void)
{
    struct outcome outcome =
        parse_with("let rec x = po | (y;y) and y = (loc;loc) | x acyclic x empty y;po", NULL);
    g_assert_nonnull(outcome.model);
    const struct cat_model *model = outcome.model;
    const struct cat_node *x = &model->nodes[model->axioms[0].node];
    g_assert_cmpint(x->op, ==, CAT_REC);
    g_assert_cmpuint(x->group, ==, 0);
    g_assert_cmpuint(model->group_count, ==, 1);
    g_assert_cmpuint(model->nodes[x->a].group, ==, 0);
    const struct cat_node *y = &model->nodes[model->nodes[model->axioms[1].node].a];
    g_assert_cmpuint(model->nodes[model->nodes[y->a].a].group, ==, UINT32_MAX); /* loc;loc */
    g_assert_cmpuint(model->nodes[model->axioms[1].node].group, ==, UINT32_MAX);
    arena_free(outcome.arena);
}

static void recursive_sets_are_recognised(void)
{
    struct outcome outcome =
        parse_with("let rec S = T | W and T = S | range([S];po) empty S", NULL);
    g_assert_nonnull(outcome.model);
    g_assert_true(outcome.model->nodes[outcome.model->axioms[0].node].is_set);
    arena_free(outcome.arena);
}

static void axioms_flags_and_titles(void)
{
    struct outcome outcome =
        parse_with("PTX \"a title\" acyclic po as one ~irreflexive rf "
                   "flag ~empty co as race show rf, po;rf as seen, co unshow co",
                   NULL);
    const struct cat_model *model = outcome.model;
    g_assert_nonnull(model);
    g_assert_cmpstr(model->title, ==, "a title");
    g_assert_cmpuint(model->axiom_count, ==, 3);
    g_assert_cmpstr(model->axioms[0].name, ==, "one");
    g_assert_cmpstr(model->axioms[1].name, ==, "axiom-2");
    g_assert_true(model->axioms[1].negated && !model->axioms[1].flag);
    g_assert_true(model->axioms[2].negated && model->axioms[2].flag);
    g_assert_cmpint(model->axioms[2].check, ==, CAT_IS_EMPTY);
    g_assert_cmpuint(model->shown_count, ==, 2);
    g_assert_cmpstr(model->shown_names[1], ==, "seen");
    arena_free(outcome.arena);
}

static const struct source *open_text(void *context, struct arena *arena, const char *name)
{
    const char *text = g_hash_table_lookup(context, name);
    return text ? source_new(arena, name, text, strlen(text)) : NULL;
}

static void includes_and_the_prelude_define_names(void)
{
    GHashTable *files = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(files, (char *)"a.cat", (char *)"include \"b.cat\" let a = b;po");
    g_hash_table_insert(files, (char *)"b.cat", (char *)"let b = twice(rf) acyclic b as inner");
    g_hash_table_insert(files, (char *)"self.cat", (char *)"include \"self.cat\"");
    struct arena *arena = arena_new();
    const char *prelude = "let twice(r) = r;r";
    struct cat_loader loader = {open_text, files,
                                source_new(arena, "prelude", prelude, strlen(prelude))};

    struct outcome outcome = parse_with("include \"a.cat\" acyclic a", &loader);
    g_assert_nonnull(outcome.model);
    g_assert_cmpstr(outcome.model->axioms[0].name, ==, "inner");
    arena_free(outcome.arena);

    outcome = parse_with("include \"self.cat\"", &loader);
    g_assert_null(outcome.model);
    g_assert_cmpint(outcome.diags.items.at[0].id, ==, DIAG_cat_include_depth);
    arena_free(outcome.arena);

    g_hash_table_insert(files, (char *)"b.cat", (char *)"\nlet b = poo");
    outcome = parse_with("include \"a.cat\" acyclic a", &loader);
    g_assert_cmpstr(diag_headline(outcome.arena, &outcome.diags.items.at[0]), ==,
                    "b.cat:2:9: C010: unknown name 'poo'");
    g_assert_cmpuint(outcome.diags.errors, ==, 1);
    arena_free(outcome.arena);
    arena_free(arena);
    g_hash_table_unref(files);
}

static void several_errors_are_reported_in_one_run(void)
{
    struct outcome outcome =
        parse_with("let a = poo;rf\nlet = 3\nacyclic a & W | rg\nempty W;rf\nacyclic a", NULL);
    g_assert_null(outcome.model);
    const char *expected[] = {"m.cat:1:9: C010: unknown name 'poo'",
                              "m.cat:2:5: C004: expected a name to define, found '='",
                              "m.cat:3:17: C010: unknown name 'rg'",
                              "m.cat:4:7: C011: 'W' is a set, a relation is needed here"};
    GString *got = g_string_new("");
    for (uint32_t i = 0; i < outcome.diags.items.len; i++)
        g_string_append_printf(got, "%s\n",
                               diag_headline(outcome.arena, &outcome.diags.items.at[i]));
    char *want =
        g_strdup_printf("%s\n%s\n%s\n%s\n", expected[1], expected[0], expected[2], expected[3]);
    g_assert_cmpstr(got->str, ==, want);
    g_assert_cmpstr(outcome.diags.items.at[1].hint, ==, "did you mean 'po'?");
    g_free(want);
    g_string_free(got, TRUE);
    arena_free(outcome.arena);
}

static void errors_in_functions_name_the_call(void)
{
    struct outcome outcome = parse_with("let f(x) = x;po\nacyclic f(W)", NULL);
    g_assert_null(outcome.model);
    g_assert_cmpstr(outcome.diags.items.at[0].hint, ==, "[x] is the identity on it");
    arena_free(outcome.arena);
    outcome = parse_with("let f(x) = x | W\nacyclic f(po)", NULL);
    g_assert_cmpstr(outcome.diags.items.at[0].hint, ==, "in 'f', applied at m.cat:2:9");
    arena_free(outcome.arena);
}

/* A hostile text costs bounded time and memory. */
static void hostile_texts_end_quickly(void)
{
    GString *text = g_string_new("let f0(x) = x | x ");
    for (int i = 1; i < 90; i++)
        g_string_append_printf(text, "let f%d(x) = f%d(f%d(x)) ", i, i - 1, i - 1);
    g_string_append(text, "acyclic f89(po)");
    struct outcome outcome = parse_with(text->str, NULL);
    g_assert_null(outcome.model);
    g_assert_cmpint(outcome.diags.items.at[0].id, ==, DIAG_cat_too_large);
    g_assert_cmpuint(arena_bytes(outcome.arena), <, 200u << 20);
    arena_free(outcome.arena);

    g_string_assign(text, "acyclic po");
    for (int i = 0; i < 100000; i++)
        g_string_append(text, "|po");
    outcome = parse_with(text->str, NULL);
    g_assert_true(outcome.model || outcome.diags.errors == 1);
    arena_free(outcome.arena);
    for (const char *mark = "([~?"; *mark; mark++) {
        g_string_assign(text, *mark == '?' ? "acyclic po" : "acyclic ");
        for (int i = 0; i < 500000; i++)
            g_string_append_c(text, *mark);
        outcome = parse_with(text->str, NULL);
        g_assert_null(outcome.model);
        g_assert_cmpint(outcome.diags.items.at[0].id, ==, DIAG_cat_too_deep);
        arena_free(outcome.arena);
    }
    g_string_free(text, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cat/precedence", operators_bind_as_in_herd);
    g_test_add_func("/cat/star", star_is_product_before_an_operand_only);
    g_test_add_func("/cat/sets", identity_domain_and_range);
    g_test_add_func("/cat/zero", zero_takes_the_kind_it_is_used_with);
    g_test_add_func("/cat/functions", functions_are_inlined_where_they_were_defined);
    g_test_add_func("/cat/shadowing", let_shadows_and_does_not_recurse);
    g_test_add_func("/cat/names", names_may_hold_dashes_dots_and_primes);
    g_test_add_func("/cat/comments", comments_nest_and_lines_end_them);
    g_test_add_func("/cat/let-in", let_in_binds_for_one_expression);
    g_test_add_func("/cat/braces", braces_around_nothing_are_nothing);
    g_test_add_func("/cat/options", herds_options_follow_the_title);
    g_test_add_func("/cat/undefined-unless", undefined_unless_is_the_opposite_flag);
    g_test_add_func("/cat/with", with_co_asks_that_nothing_is_missing);
    g_test_add_func("/cat/sharing", equal_operations_are_one_node);
    g_test_add_func("/cat/order", kids_come_before_parents_and_dynamic_spreads);
    g_test_add_func("/cat/groups", recursive_names_group_what_depends_on_them);
    g_test_add_func("/cat/recursive-sets", recursive_sets_are_recognised);
    g_test_add_func("/cat/axioms", axioms_flags_and_titles);
    g_test_add_func("/cat/conditionals", conditionals_ask_for_the_variant);
    g_test_add_func("/cat/conditionals-in-recursion", recursion_looks_into_conditionals);
    g_test_add_func("/cat/choices", choices_that_nothing_makes_are_refused);
    g_test_add_func("/cat/includes", includes_and_the_prelude_define_names);
    g_test_add_func("/cat/several-errors", several_errors_are_reported_in_one_run);
    g_test_add_func("/cat/call-hint", errors_in_functions_name_the_call);
    g_test_add_func("/cat/hostile", hostile_texts_end_quickly);
    return g_test_run();
}
