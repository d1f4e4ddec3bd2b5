/* SPDX-License-Identifier: MIT
 *
 * The library as its users see it: <ptxlit.h> and the symbols of the shared library, no more. */
#include <glib.h>
#include <string.h>
#include <time.h>

#include "cli/library/ptxlit.h"

static const char mp[] = "PTX mp\n{ x = 0; y = 0; }\n"
                         " P0@cta 0,gpu 0       | P1@cta 1,gpu 0        ;\n"
                         " st.weak x, 1         | ld.acquire.gpu r0, y  ;\n"
                         " st.release.gpu y, 1  | ld.weak r1, x         ;\n"
                         "exists (1:r0=1 /\\ 1:r1=0)\n";
static const char racy[] = "PTX racy\n{ x = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                           " st.weak x, 1   | ld.weak r0, x  ;\nforall (1:r0=0)\n";

static ptxlit_test *read(ptxlit_context *context, const char *text)
{
    ptxlit_test *test;
    g_assert_cmpint(ptxlit_read_text(context, "text", text, strlen(text), &test), ==, PTXLIT_OK);
    return test;
}

/* ---- answers -------------------------------------------------------------------------------- */

static void a_test_is_judged(void)
{
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, mp);
    const struct ptxlit_result *result = ptxlit_check(test);
    g_assert_cmpstr(ptxlit_test_name(test), ==, "mp");
    g_assert_cmpint(result->verdict, ==, PTXLIT_FAILS);
    g_assert_null(result->why);
    g_assert_cmpstr(result->condition, ==, "exists (1:r0=1 /\\ 1:r1=0)");
    g_assert_cmpstr(result->observation, ==, "never");
    g_assert_true(result->complete);
    g_assert_cmpuint(result->outcomes, ==, 3);
    g_assert_cmpuint(result->positive, ==, 0);
    g_assert_null(result->hang);
    ptxlit_free(context);
}

static bool join(const struct ptxlit_outcome *outcome, void *data)
{
    GString *text = data;
    g_string_append_printf(text, "%s %s=%u|", outcome->text, outcome->names[1],
                           (unsigned)outcome->values[1]);
    return text->len < 40;
}

static void outcomes_come_in_order_until_it_is_enough(void)
{
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, mp);
    g_autoptr(GString) text = g_string_new(NULL);
    g_assert_true(ptxlit_outcomes(test, join, text)); /* nothing was checked yet */
    ptxlit_check(test);
    g_assert_false(ptxlit_outcomes(test, join, text));
    g_assert_cmpstr(text->str, ==, "1:r0=0; 1:r1=0; 1:r1=0|1:r0=0; 1:r1=1; 1:r1=1|");
    ptxlit_free(context);
}

static void races_have_two_places(void)
{
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, racy);
    const struct ptxlit_result *result = ptxlit_check(test);
    g_assert_cmpint(result->verdict, ==, PTXLIT_FAILS);
    g_assert_cmpuint(result->races, ==, 1);
    g_assert_true(result->races_complete);
    const struct ptxlit_race *race = ptxlit_race(test, 0);
    g_assert_cmpstr(race->flag, ==, "data-race");
    g_assert_cmpstr(race->first.thread, ==, "P0");
    g_assert_cmpstr(race->second.thread, ==, "P1");
    g_assert_cmpuint(race->second.line, ==, 4);
    g_assert_cmpuint(race->second.column, ==, 19);
    g_assert_null(ptxlit_race(test, 1));
    g_assert_null(ptxlit_undefined(test, 0));
    ptxlit_free(context);
}

static void undefined_behaviour_is_named(void)
{
    static const char text[] = "PTX mask\n{ x = 0; }\n P0@warp 0,cta 0,gpu 0 ;\n"
                               " bar.warp.sync 2       ;\n st.weak x, 1          ;\nexists (x=1)\n";
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, text);
    const struct ptxlit_result *result = ptxlit_check(test);
    g_assert_cmpuint(result->undefined, ==, 1);
    g_assert_cmpstr(ptxlit_undefined(test, 0)->name, ==, "bad-member-mask");
    g_assert_cmpuint(ptxlit_undefined(test, 0)->line, ==, 4);
    ptxlit_free(context);
}

static void reasons_name_axioms(void)
{
    ptxlit_context *context = ptxlit_new();
    const struct ptxlit_explanation *why = ptxlit_explain(read(context, mp));
    g_assert_cmpint(why->kind, ==, PTXLIT_FORBIDDEN);
    g_assert_cmpuint(why->axiom_count, ==, 1);
    g_assert_cmpstr(why->axioms[0], ==, "causality");
    g_assert_nonnull(strstr(why->text, "\n  d -> a       fr\n"));
    why = ptxlit_explain(read(context, racy));
    g_assert_cmpint(why->kind, ==, PTXLIT_ALLOWED);
    g_assert_cmpuint(why->axiom_count, ==, 0);
    g_assert_nonnull(strstr(why->text, "reads 1 from a"));
    ptxlit_free(context);
}

static void a_test_keeps_its_model(void)
{
    static const char text[] = "\"nothing is forbidden\"\nempty 0 as nothing\n";
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *strict = read(context, mp);
    g_assert_cmpint(ptxlit_use_model_text(context, "free", text, strlen(text)), ==, PTXLIT_OK);
    ptxlit_test *loose = read(context, mp);
    g_assert_cmpint(ptxlit_check(loose)->verdict, ==, PTXLIT_HOLDS);
    g_assert_cmpint(ptxlit_check(strict)->verdict, ==, PTXLIT_FAILS);
    g_assert_cmpint(ptxlit_use_model(context, "ptx-6.0"), ==, PTXLIT_OK);
    ptxlit_test_free(strict);
    g_assert_cmpint(ptxlit_check(loose)->verdict, ==, PTXLIT_HOLDS);
    ptxlit_free(context);
}

/* ---- what is wrong -------------------------------------------------------------------------- */

static void wrong_input_is_refused_with_its_place(void)
{
    static const char text[] =
        "PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n ld.waek r0, x ;\nexists (0:r0=0)\n";
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test;
    g_assert_cmpint(ptxlit_read_text(context, "t.litmus", text, strlen(text), &test), ==,
                    PTXLIT_REFUSED);
    g_assert_null(test);
    g_assert_cmpuint(ptxlit_diagnostic_count(context), >=, 1);
    const struct ptxlit_diagnostic *first = ptxlit_diagnostic(context, 0);
    g_assert_cmpint(first->severity, ==, PTXLIT_ERROR);
    g_assert_cmpstr(first->code, ==, "L032");
    g_assert_cmpstr(first->file, ==, "t.litmus");
    g_assert_cmpuint(first->line, ==, 4);
    g_assert_cmpuint(first->column, ==, 5);
    g_assert_cmpstr(first->hint, ==, "did you mean '.weak'?");
    g_assert_nonnull(strstr(first->text, "ld.waek r0, x"));
    g_assert_nonnull(read(context, mp));
    g_assert_cmpuint(ptxlit_diagnostic_count(context), ==, 0);
    g_assert_null(ptxlit_diagnostic(context, 0));
    ptxlit_free(context);
}

static void wrong_models_and_files_are_refused(void)
{
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test;
    g_assert_cmpint(ptxlit_use_model(context, "ptx-6.1"), ==, PTXLIT_REFUSED);
    g_assert_cmpstr(ptxlit_diagnostic(context, 0)->hint, ==, "did you mean 'ptx-6.0'?");
    g_assert_null(ptxlit_diagnostic(context, 0)->file);
    g_assert_cmpint(ptxlit_use_model_text(context, "t.cat", "acyclic po |", 12), ==,
                    PTXLIT_REFUSED);
    g_assert_cmpstr(ptxlit_diagnostic(context, 0)->file, ==, "t.cat");
    g_assert_cmpint(ptxlit_read_file(context, "no/such/file", &test), ==, PTXLIT_REFUSED);
    g_assert_cmpstr(ptxlit_diagnostic(context, 0)->code, ==, "T001");
    g_assert_cmpint(ptxlit_check(read(context, mp))->verdict, ==, PTXLIT_FAILS); /* still 'ptx' */
    ptxlit_free(context);
}

static void limits_have_names_and_ranges(void)
{
    ptxlit_context *context = ptxlit_new();
    g_assert_true(ptxlit_set(context, "timeout", 0.5));
    g_assert_true(ptxlit_set(context, "states", 2));
    g_assert_false(ptxlit_set(context, "timeout", -1));
    g_assert_false(ptxlit_set(context, "unroll", 1.5));
    g_assert_false(ptxlit_set(context, "unroll", 0));
    g_assert_false(ptxlit_set(context, "jobs", 2)); /* the command line's, not a limit */
    g_assert_false(ptxlit_set(context, "time", 2));
    const struct ptxlit_result *result = ptxlit_check(read(context, mp));
    g_assert_cmpint(result->verdict, ==, PTXLIT_FAILS);
    g_assert_cmpuint(result->outcomes, ==, 2);
    g_assert_false(result->complete);
    ptxlit_free(context);
}

/* ---- limits --------------------------------------------------------------------------------- */

/* Threads that store to their own location and load the next one's: as many states as 2^n. */
static char *ring(unsigned threads)
{
    GString *text = g_string_new("PTX ring\n{ }\n");
    for (unsigned i = 0; i < threads; i++)
        g_string_append_printf(text, "%sP%u@cta %u,gpu 0", i ? " | " : "", i, i);
    g_string_append(text, " ;\n");
    for (unsigned i = 0; i < threads; i++)
        g_string_append_printf(text, "%sst.relaxed.gpu x%u, 1", i ? " | " : "", i);
    g_string_append(text, " ;\n");
    for (unsigned i = 0; i < threads; i++)
        g_string_append_printf(text, "%sld.relaxed.gpu r0, x%u", i ? " | " : "", (i + 1) % threads);
    g_string_append(text, " ;\nexists (0:r0=0");
    for (unsigned i = 1; i < threads; i++)
        g_string_append_printf(text, " /\\ %u:r0=0", i);
    g_string_append(text, ")\n");
    return g_string_free(text, FALSE);
}

static void time_that_runs_out_is_a_result(void)
{
    g_autofree char *text = ring(10);
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, text);
    g_assert_true(ptxlit_set(context, "timeout", 1e-4));
    const struct ptxlit_result *result = ptxlit_check(test);
    g_assert_cmpint(result->verdict, ==, PTXLIT_UNDECIDED);
    g_assert_cmpstr(result->why, ==, "time: more than 0.0001 s");
    const struct ptxlit_explanation *why = ptxlit_explain(test);
    g_assert_cmpint(why->kind, ==, PTXLIT_UNEXPLAINED);
    g_assert_true(g_str_has_prefix(why->why, "time: more than"));
    g_assert_true(ptxlit_set(context, "timeout", 0));
    g_assert_true(ptxlit_set(context, "states", 5));
    g_assert_cmpint(ptxlit_check(test)->verdict, ==, PTXLIT_HOLDS);
    ptxlit_free(context);
}

/* One column stores, all others load: so many reads with so many sources that even to put the
 * question to Z3 takes longer than the search may. */
static char *crowd(unsigned threads, unsigned rounds)
{
    GString *text = g_string_new("PTX crowd\n{ x = 0; }\n");
    for (unsigned i = 0; i < threads; i++)
        g_string_append_printf(text, "%sP%u@cta %u,gpu 0", i ? " | " : "", i, i);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < threads; i++)
            g_string_append_printf(text, i ? " | ld.weak r0, x" : " ;\nst.weak x, r0");
    g_string_append(text, " ;\nexists (x=1)\n");
    return g_string_free(text, FALSE);
}

static void work_that_looks_at_no_clock_is_left(void)
{
    g_autofree char *text = crowd(400, 20);
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test = read(context, text);
    g_assert_true(ptxlit_set(context, "timeout", 0.5));
    clock_t before = clock();
    const struct ptxlit_result *result = ptxlit_check(test);
    double processor_seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    g_assert_cmpint(result->verdict, ==, PTXLIT_UNDECIDED);
    g_assert_cmpstr(result->why, ==, "time: more than 0.5 s");
    g_assert_cmpstr(result->condition, ==, ""); /* nothing was found */
    g_assert_cmpuint(result->outcomes, ==, 0);
    g_assert_cmpfloat(processor_seconds, <,
                      60); /* of this process alone, whatever else the machine does */
    ptxlit_free(context);
}

/* Whatever the limit, the answer is "memory" or right, and without the limit it is right. */
static bool decides_within(const char *text, unsigned mebibytes)
{
    ptxlit_context *context = ptxlit_new();
    g_assert_true(ptxlit_set(context, "memory-limit", mebibytes));
    g_assert_true(ptxlit_set(context, "states", 5));
    ptxlit_test *test = read(context, text);
    const struct ptxlit_result *result = ptxlit_check(test);
    bool decided = result->verdict != PTXLIT_UNDECIDED;
    if (!decided) {
        g_autofree char *why = g_strdup_printf("memory: more than %u MiB", mebibytes);
        g_assert_cmpstr(result->why, ==, why);
        g_assert_true(ptxlit_set(context, "memory-limit", 0));
        result = ptxlit_check(test);
    }
    g_assert_cmpint(result->verdict, ==, PTXLIT_HOLDS);
    ptxlit_free(context);
    return decided;
}

static void memory_that_runs_out_is_a_result(void)
{
    g_autofree char *text = ring(32);
    g_assert_false(decides_within(text, 2));
    for (unsigned mebibytes = 3; mebibytes < 24; mebibytes++)
        decides_within(text, mebibytes); /* wherever it is that no more is left */
    g_assert_true(decides_within(text, 256));
}

static void a_text_past_the_limit_is_not_read(void)
{
    g_autofree char *comment = g_strnfill(3 << 20, 'c');
    g_autofree char *text = g_strdup_printf("PTX t\n\"%s\"\n%s", comment, mp + strlen("PTX mp\n"));
    ptxlit_context *context = ptxlit_new();
    ptxlit_test *test;
    g_assert_cmpint(ptxlit_read_text(context, "t", "PTX", 3, &test), ==, PTXLIT_REFUSED);
    g_assert_true(ptxlit_set(context, "memory-limit", 2));
    g_assert_cmpint(ptxlit_read_text(context, "t", text, strlen(text), &test), ==, PTXLIT_MEMORY);
    g_assert_null(test);
    g_assert_cmpuint(ptxlit_diagnostic_count(context), ==, 0); /* not those of the call before */
    g_assert_nonnull(read(context, mp));
    g_assert_true(ptxlit_set(context, "memory-limit", 64));
    g_assert_nonnull(read(context, text));
    ptxlit_free(context);
}

/* ---- threads -------------------------------------------------------------------------------- */

static bool append(const struct ptxlit_outcome *outcome, void *data)
{
    g_string_append_printf(data, "%s%s\n", outcome->text, outcome->race ? " race" : "");
    return true;
}

/* All that the library says of the tests under a model; backwards, so that two threads do not walk
 * side by side. */
struct transcript {
    const char *model;
    GPtrArray *files;
    bool backwards;
    GString *text; /* a file after the other, in the order of 'files' */
};

static void tell(ptxlit_context *context, const char *file, GString *out)
{
    ptxlit_test *test;
    if (ptxlit_read_file(context, file, &test) != PTXLIT_OK) {
        g_string_append(out, ptxlit_diagnostic(context, 0)->text);
        return;
    }
    const struct ptxlit_result *result = ptxlit_check(test);
    g_string_append_printf(out, "%s: %d %s, %zu races\n", file, (int)result->verdict,
                           result->observation, result->races);
    ptxlit_outcomes(test, append, out);
    g_string_append(out, ptxlit_explain(test)->text);
    ptxlit_test_free(test);
}

static void *tell_all(void *data)
{
    struct transcript *transcript = data;
    ptxlit_context *context = ptxlit_new();
    ptxlit_use_model(context, transcript->model);
    transcript->text = g_string_new(NULL);
    for (guint i = 0; i < transcript->files->len; i++) {
        guint index = transcript->backwards ? transcript->files->len - 1 - i : i;
        g_autoptr(GString) said = g_string_new(NULL);
        tell(context, transcript->files->pdata[index], said);
        g_string_insert(transcript->text, transcript->backwards ? 0 : -1, said->str);
    }
    ptxlit_free(context);
    return NULL;
}

static GPtrArray *corpus(const char *family)
{
    g_autofree char *folder = g_build_filename(g_getenv("CORPUS"), family, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; (name = g_dir_read_name(dir));)
        g_ptr_array_add(files, g_build_filename(folder, name, NULL));
    return files;
}

static void contexts_in_threads_say_what_one_alone_says(void)
{
    static const char *const models[] = {"ptx", "ptx-6.0"};
    g_autoptr(GPtrArray) files = corpus("sb");
    struct transcript alone[2], together[2];
    GThread *threads[2];
    for (int i = 0; i < 2; i++) {
        alone[i] = (struct transcript){models[i], files, false, NULL};
        tell_all(&alone[i]);
    }
    for (int i = 0; i < 2; i++) {
        together[i] = (struct transcript){models[i], files, i == 1, NULL};
        threads[i] = g_thread_new("context", tell_all, &together[i]);
    }
    for (int i = 0; i < 2; i++) {
        g_thread_join(threads[i]);
        g_assert_cmpuint(alone[i].text->len, >, 10000);
        g_assert_cmpstr(together[i].text->str, ==, alone[i].text->str);
        g_string_free(alone[i].text, TRUE);
        g_string_free(together[i].text, TRUE);
    }
}

static void the_version_is_that_of_the_build(void)
{
    g_assert_cmpstr(ptxlit_version(), ==, PTXLIT_VERSION);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/version", the_version_is_that_of_the_build);
    g_test_add_func("/library/check", a_test_is_judged);
    g_test_add_func("/library/outcomes", outcomes_come_in_order_until_it_is_enough);
    g_test_add_func("/library/races", races_have_two_places);
    g_test_add_func("/library/undefined", undefined_behaviour_is_named);
    g_test_add_func("/library/explain", reasons_name_axioms);
    g_test_add_func("/library/models", a_test_keeps_its_model);
    g_test_add_func("/library/diagnostics", wrong_input_is_refused_with_its_place);
    g_test_add_func("/library/refused", wrong_models_and_files_are_refused);
    g_test_add_func("/library/limits", limits_have_names_and_ranges);
    g_test_add_func("/library/time", time_that_runs_out_is_a_result);
    g_test_add_func("/library/patience", work_that_looks_at_no_clock_is_left);
    g_test_add_func("/library/memory", memory_that_runs_out_is_a_result);
    g_test_add_func("/library/long", a_text_past_the_limit_is_not_read);
    g_test_add_func("/library/threads", contexts_in_threads_say_what_one_alone_says);
    return g_test_run();
}
