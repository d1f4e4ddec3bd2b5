/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/generate/canonical.h"
#include "litmus/generate/enumerate.h"
#include "litmus/generate/write.h"
#include "litmus/print/print.h"
#include "litmus/read/read.h"
#include "litmus/read/split.h"

static struct generate_bounds bounds_of(const struct generate_words *words)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct generate_bounds bounds;
    g_assert_true(generate_read_bounds(arena, words, &bounds, &diags));
    arena_free(arena);
    return bounds;
}

/* ---- orderly enumeration is all programs, each class once ----------------------------------- */

/* The classes met: by name, which tells programs apart. */
struct classes {
    GHashTable *names;
    uint32_t count;
};

static void note(struct classes *classes, const struct generated_program *program)
{
    struct arena *arena = arena_new();
    classes->count++;
    g_hash_table_add(classes->names, g_strdup(generated_name(arena, program)));
    arena_free(arena);
}

static bool take(void *context, const struct generated_program *program)
{
    struct generated_program form;
    struct arena *arena = arena_new();
    canonical_form(program, &form);
    g_assert_cmpstr(generated_name(arena, program), ==, generated_name(arena, &form));
    arena_free(arena);
    note(context, program);
    return true;
}

/* Every program there is, by trying every step at every place; whatever is no test is left out. */
struct naive {
    const struct generate_bounds *bounds;
    struct generate_alphabet alphabet;
    struct generated_program program;
    struct classes *classes;
};

static bool rests_on_a_read(const struct generated_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0, reads = 0; i < program->count[t]; i++) {
            if (program->steps[t][i].dependency && !reads)
                return false;
            reads += step_returns(&program->steps[t][i]);
        }
    return true;
}

static uint32_t locations_of(const struct generated_program *program)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            count = MAX(count, program->steps[t][i].location + 1u);
    return count;
}

static void end(struct naive *naive)
{
    struct generated_program form = naive->program;
    form.locations = locations_of(&form);
    if (!generate_is_whole(&form) || !rests_on_a_read(&form))
        return;
    canonical_form(&form, &form);
    note(naive->classes, &form);
}

static void try_steps(struct naive *naive, uint32_t thread, uint32_t at)
{
    struct generated_program *program = &naive->program;
    if (thread == program->threads) {
        end(naive);
        return;
    }
    if (at == program->count[thread]) {
        try_steps(naive, thread + 1, 0);
        return;
    }
    for (uint32_t i = 0; i < naive->alphabet.steps.len; i++) {
        struct generated_step step = naive->alphabet.steps.at[i];
        for (uint8_t l = 0; l < naive->bounds->locations; l++) {
            step.location = l;
            program->steps[thread][at] = step;
            try_steps(naive, thread, at + 1);
            if (!step_is_access(&step))
                break;
        }
    }
}

static void try_places(struct naive *naive, uint32_t thread)
{
    struct generated_program *program = &naive->program;
    if (thread >= GENERATED_THREADS || thread == program->threads) {
        try_steps(naive, 0, 0);
        return;
    }
    for (uint8_t cta = 0; cta < program->threads; cta++) {
        if (naive->bounds->apart ? cta > thread : cta != thread)
            continue;
        program->place[thread] = (struct generated_place){0, cta, cta};
        try_places(naive, thread + 1);
    }
}

static void try_lengths(struct naive *naive, uint32_t thread, uint32_t left)
{
    if (thread >= GENERATED_THREADS || thread == naive->program.threads) {
        if (!left)
            try_places(naive, 0);
        return;
    }
    for (uint32_t length = 1; length <= left; length++) {
        naive->program.count[thread] = length;
        try_lengths(naive, thread + 1, left - length);
    }
}

static void try_all(const struct generate_bounds *bounds, struct classes *classes)
{
    struct arena *arena = arena_new();
    struct naive naive = {.bounds = bounds, .classes = classes};
    generate_alphabet(arena, bounds, &naive.alphabet);
    for (uint32_t size = 1; size <= bounds->instructions.most; size++)
        for (uint32_t t = bounds->threads.least; t <= bounds->threads.most; t++) {
            naive.program.threads = t;
            try_lengths(&naive, 0, size);
        }
    arena_free(arena);
}

static const struct generate_words kinds_of_words[] = {
    {.threads = "1..3", .strengths = "weak"},
    {.threads = "2", .strengths = "weak,release", .placements = "cta", .scopes = "gpu"},
    {.threads = "2", .instructions = "5", .strengths = "weak", .fences = "sc", .locations = "3"},
    {.threads = "3",
     .instructions = "4",
     .strengths = "relaxed",
     .placements = "cta",
     .scopes = "cta"},
    {.threads = "2", .strengths = "weak,relaxed", .atomics = "cas,red", .deps = "data,ctrl"},
    {.threads = "1..2", .strengths = "weak", .proxies = "alias,texture", .locations = "1"},
    {.threads = "2", .strengths = "weak", .barriers = true, .placements = "cta"},
    {.threads = "4", .instructions = "5", .strengths = "weak", .placements = "cta"},
};

static void it_is_every_class_once(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(kinds_of_words); i++) {
        struct generate_bounds bounds = bounds_of(&kinds_of_words[i]);
        struct classes orderly = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), 0};
        struct classes naive = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), 0};
        GHashTableIter at;
        gpointer name;
        generate_programs(&bounds, (struct generate_share){1, 1}, take, &orderly);
        try_all(&bounds, &naive);
        g_test_message("%u programs, %u without symmetry", orderly.count, naive.count);
        g_assert_cmpuint(orderly.count, ==, g_hash_table_size(orderly.names));
        g_assert_cmpuint(orderly.count, >, 0);
        g_assert_cmpuint(orderly.count, ==, g_hash_table_size(naive.names));
        g_hash_table_iter_init(&at, naive.names);
        while (g_hash_table_iter_next(&at, &name, NULL))
            g_assert_true(g_hash_table_contains(orderly.names, name));
        g_hash_table_unref(orderly.names);
        g_hash_table_unref(naive.names);
    }
}

static void shares_have_nothing_in_common(void)
{
    struct generate_bounds bounds = bounds_of(&kinds_of_words[0]);
    struct classes all = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), 0};
    struct classes parts = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), 0};
    generate_programs(&bounds, (struct generate_share){1, 1}, take, &all);
    for (uint32_t number = 1; number <= 7; number++)
        generate_programs(&bounds, (struct generate_share){number, 7}, take, &parts);
    g_assert_cmpuint(parts.count, ==, all.count);
    g_assert_cmpuint(g_hash_table_size(parts.names), ==, all.count);
    g_hash_table_unref(all.names);
    g_hash_table_unref(parts.names);
}

/* ---- texts ---------------------------------------------------------------------------------- */

static bool read_back(void *context, const struct generated_program *program)
{
    uint32_t *count = context;
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct generated_outcomes outcomes;
    g_autoptr(GString) text = g_string_new(NULL);
    generated_outcomes(arena, program, &outcomes);
    generated_write(text, generated_name(arena, program), NULL, NULL, program,
                    outcomes.items.at[0].values);
    const struct source *source = source_new(arena, "generated", text->str, text->len);
    const struct test *test = (*count)++ % 5 ? NULL : litmus_parse(arena, source, &diags);
    if (test)
        g_assert_cmpstr(print_test(arena, test), ==, text->str);
    g_assert_cmpuint(diags.items.len, ==, 0);
    arena_free(arena);
    return true;
}

static void texts_are_in_canonical_form(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(kinds_of_words); i++) {
        struct generate_bounds bounds = bounds_of(&kinds_of_words[i]);
        uint32_t count = 0;
        generate_programs(&bounds, (struct generate_share){1, 1}, read_back, &count);
    }
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static struct generated_program program_of(const char *name)
{
    struct generated_program program = {.threads = 1};
    for (const char *at = name; *at; at++)
        if (*at == '+') {
            program.threads++;
        } else if (*at == 'W' || *at == 'R' || *at == 'U') {
            uint32_t t = program.threads - 1;
            struct generated_step *step = &program.steps[t][program.count[t]++];
            step->kind = *at == 'W' ? STEP_STORE : *at == 'R' ? STEP_LOAD : STEP_ATOM;
            step->atom = *at == 'U' ? ATOM_ADD : ATOM_NONE;
            step->sem = SEM_WEAK;
            step->location = *++at == 'y';
        }
    program.locations = locations_of(&program);
    return program;
}

static const struct {
    const char *program;
    uint32_t weak, incoherent, sc;
} counts[] = {
    {"WxWy+RyRx", 1, 0, 3}, /* mp */
    {"WxRy+WyRx", 1, 0, 3}, /* sb */
    {"RxWy+RyWx", 1, 0, 3}, /* lb */
    {"WxWy+WyWx", 1, 0, 3}, /* 2+2w */
    {"Wx+RxRx", 0, 1, 3},   /* coRR */
    {"UxUx", 0, 2, 1},      /* of the sums, an add can miss the other, or read it too early */
};

static void outcomes_are_classified(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        struct arena *arena = arena_new();
        struct generated_outcomes outcomes;
        struct generated_program program = program_of(counts[i].program);
        uint32_t of[3] = {0};
        generated_outcomes(arena, &program, &outcomes);
        for (uint32_t k = 0; k < outcomes.items.len; k++)
            of[outcomes.items.at[k].class]++;
        g_test_message("%s", counts[i].program);
        g_assert_cmpuint(of[OUTCOME_WEAK], ==, counts[i].weak);
        g_assert_cmpuint(of[OUTCOME_SC], ==, counts[i].sc);
        g_assert_cmpuint(of[OUTCOME_INCOHERENT], >=, counts[i].incoherent);
        arena_free(arena);
    }
}

/* ---- tests that follow each other ----------------------------------------------------------- */

static void tests_begin_at_lines_with_a_name(void)
{
    static const char text[] = "\n(* PTX\nPTX no *)\nPTX a(*b\n\"\nPTX no\n\"\n{} // PTX no\n P0; "
                               "PTX no\nPTXno x\nC++ b\n{}\nP0 {\nC = 1;\nC ++;\n}\nC d\n{}\nPTX c";
    struct arena *arena = arena_new();
    const struct source *source = source_new(arena, "text", text, sizeof text - 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const next[] = {"C++ b\n", "C d\n", "PTX c"};
        at = litmus_next_test(source, at);
        g_assert_true(g_str_has_prefix(text + at, next[i]));
    }
    g_assert_cmpuint(litmus_next_test(source, at), ==, source->length);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/generate/every-class-once", it_is_every_class_once);
    g_test_add_func("/generate/shares", shares_have_nothing_in_common);
    g_test_add_func("/generate/texts", texts_are_in_canonical_form);
    g_test_add_func("/generate/outcomes", outcomes_are_classified);
    g_test_add_func("/generate/next-test", tests_begin_at_lines_with_a_name);
    return g_test_run();
}
