/* SPDX-License-Identifier: MIT
 *
 * random [--seed N] [--count N] [--threads N] [--insts N] [--machine-rule N]: random programs
 * through every reading: Z3, brute force and the executor. Z3 and brute force must give the same
 * outcomes, and the executor no other. With --cpp the programs are in C++: Z3 and brute force must
 * give the same outcomes and races under each model of C++, and what the library's mapping makes
 * of them goes through every reading of PTX. The first disagreement is shrunk to a smallest program
 * and printed as a litmus file. Prints TAP; the last line says how much of the allowed outcomes the
 * executor reached. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "litmus/mapping/mapping.h"
#include "litmus/print/print.h"
#include "litmus/read/read.h"
#include "model/brute/brute.h"
#include "model/machine/search/explore.h"
#include "model/machine/memory/weak/weak.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"
#include "litmus/random/subject.h"
#include "model/machine/setup/setup.h"

enum disagreement { AGREE, UNSOUND, SOLVER_BRUTE, FLAGS, HANGS, MISUSE, DEFECT, BROKEN };

struct options {
    gint64 seed;
    gint count, threads, insts, rule, budget;
#define FEATURE(field, word, meaning) gboolean field;
#include "litmus/random/features.def"
    gboolean host, cpp, print, text;
};

struct tally {
    uint64_t allowed, reached, unfinished, brute, refused;
    uint64_t undefined; /* programs outside the model: their outcomes are not compared */
    bool verbose;       /* tell the outcomes that differ */
};

static void generate_subject(struct random_subject *s, uint64_t seed, const struct options *options)
{
    struct random_bounds bounds = {
        .threads = (uint32_t)options->threads,
        .insts = (uint32_t)options->insts,
#define FEATURE(field, word, meaning) .field = options->field,
#include "litmus/random/features.def"
    };
    enum random_language language = options->cpp    ? RANDOM_CPP
                                    : options->host ? RANDOM_HOST
                                                    : RANDOM_DEVICE;
    random_subject_draw(s, language, seed, &bounds);
}

static const struct test *parse_text(struct arena *arena, const char *text, struct diag_list *diags)
{
    return litmus_parse(arena, source_new(arena, "random", text, strlen(text)), diags);
}

static bool is_about_cpp(const struct cat_model *model)
{
    return g_strcmp0(model->language, "C") == 0;
}

/* The test that the model is about: a program in C++ is compiled for a model of PTX. */
static const struct test *parse(struct arena *arena, const struct random_subject *subject,
                                const struct cat_model *model, struct diag_list *diags)
{
    g_autoptr(GString) text = random_subject_write(subject);
    const struct test *test = parse_text(arena, arena_strdup(arena, text->str), diags);
    if (!test || subject->language != RANDOM_CPP || is_about_cpp(model))
        return test;
    const struct mapping_table *mapping = mapping_load(arena, "library", diags);
    const struct test *made = mapping ? mapping_translate(arena, mapping, test, diags) : NULL;
    return made ? parse_text(arena, print_test(arena, made), diags) : NULL;
}

static bool same_outcomes(const struct outcome_set *a, const struct outcome_set *b)
{
    uint32_t index;
    bool same = a->items.len == b->items.len;
    for (uint32_t i = 0; same && i < a->items.len; i++)
        same = outcome_find(b, a->items.at[i].values, &index);
    return same;
}

static uint32_t not_in(const struct outcome_set *a, const struct outcome_set *b)
{
    uint32_t index, count = 0;
    for (uint32_t i = 0; i < a->items.len; i++)
        count += !outcome_find(b, a->items.at[i].values, &index);
    return count;
}

/* The states of 'a' that 'b' lacks, as comment lines. */
static void print_missing(struct arena *arena, const char *who, const struct outcome_set *a,
                          const struct outcome_set *b)
{
    uint32_t index;
    for (uint32_t i = 0; i < a->items.len; i++)
        if (!outcome_find(b, a->items.at[i].values, &index))
            printf("#   only %s: %s\n", who, outcome_print(arena, a->test, a->items.at[i].values));
}

static enum tearing tearing_of(const struct options *options)
{
    return options->tearing ? TEARING_BYTES : TEARING_WHOLE;
}

static bool run_machine(struct arena *arena, const struct test *test, const struct options *options,
                        struct diag_list *diags, struct explore_result *result,
                        struct report_list *reports)
{
    struct machine_options machine_options = {.tearing = tearing_of(options)};
    struct machine *machine = machine_new(arena, test, &machine_options, diags);
    struct memory *memory = machine ? weak_memory_new(arena, machine, diags) : NULL;
    struct explore_options explore_options = {
        .max_states = 200000, .reduce = true, .issue_loads = true};
    if (!memory)
        return false;
    weak_memory_skip(memory, (uint32_t)options->rule);
    explore(arena, machine, memory, &explore_options, reports, result);
    return true;
}

static bool reported(const struct report_list *reports, enum report_severity severity)
{
    for (uint32_t i = 0; i < reports->items.len; i++)
        if (report_severity(reports->items.at[i].id) == severity)
            return true;
    return false;
}

static bool is_undefined(const struct solver_result *allowed, const struct report_list *reports)
{
    return allowed->undefined_count || reported(reports, REPORT_undefined) ||
           reported(reports, REPORT_error);
}

/* Loops that wait for ever are no part of a list of final states: tests/agree/loops.c compares them. */
static bool spins(const struct random_subject *s)
{
    for (uint32_t t = 0; s->language == RANDOM_CPP && t < s->cpp.threads; t++)
        for (uint32_t i = 0; i < s->cpp.count[t]; i++)
            if (s->cpp.statements[t][i].kind == RANDOM_CPP_SPIN)
                return true;
    return false;
}

/* What the executor reaches must be allowed, and it waits for ever only where the axioms say so;
 * after undefined behaviour it may do anything. */
static enum disagreement hold_against(const struct random_subject *subject,
                                      const struct solver_result *allowed,
                                      const struct explore_result *reached,
                                      const struct report_list *reports)
{
    if (!allowed->complete || is_undefined(allowed, reports))
        return AGREE;
    if (not_in(&reached->outcomes, &allowed->outcomes))
        return UNSOUND;
    bool hangs = reached->finished && reported(reports, REPORT_hang);
    return hangs && !allowed->can_hang && !spins(subject) ? HANGS : AGREE;
}

/* Both readings of a host program find misuse of the CUDA API, or neither. */
static bool misuse_differs(const struct solver_result *allowed,
                           const struct explore_result *reached, const struct report_list *reports)
{
    return allowed->complete && reached->finished &&
           reported(reports, REPORT_error) != (allowed->undefined_count > 0);
}

/* The calls of several host threads can have more orders than are tried. */
static bool has_too_many_orders(const struct diag_list *diags)
{
    return diags->items.len && diags->items.at[0].id == DIAG_host_orders;
}

static bool solver_raises(const struct solver_result *allowed, const char *flag)
{
    for (uint32_t i = 0; i < allowed->race_count; i++)
        if (strcmp(allowed->races[i].flag, flag) == 0)
            return true;
    return false;
}

/* Z3 and brute force find the same flags of the model in the executions. */
static bool flags_differ(const struct cat_model *model, const struct solver_result *allowed,
                         const struct brute_result *reference)
{
    for (uint32_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].flag &&
            solver_raises(allowed, model->axioms[i].name) != reference->flags[i])
            return true;
    return false;
}

/* A program, for one model. */
struct trial {
    const struct random_subject *subject;
    const struct cat_model *model;
    const struct options *options;
    const struct test *test;
    struct graph **graphs;
    uint32_t graph_count;
    struct solver_result *allowed;
    struct brute_result reference;
};

/* Z3 against brute force. */
static enum disagreement hold_axioms(struct arena *arena, struct trial *trial)
{
    struct solver_options options = {.test = trial->test,
                                     .graphs = trial->graphs,
                                     .graph_count = trial->graph_count,
                                     .model = trial->model,
                                     .states = true,
                                     .races = is_about_cpp(trial->model),
                                     .state_limit = 100000,
                                     .timeout_seconds = 5};
    trial->allowed = solve(arena, &options);
    trial->reference = brute(arena, trial->graphs, trial->graph_count, trial->model,
                             (uint64_t)trial->options->budget);
    const struct solver_result *allowed = trial->allowed;
    if (allowed->status == SOLVER_INTERNAL || allowed->status == SOLVER_UNKNOWN)
        return DEFECT;
    if (!trial->reference.complete || !allowed->complete)
        return AGREE;
    if (!same_outcomes(&allowed->outcomes, &trial->reference.outcomes))
        return SOLVER_BRUTE;
    return options.races && allowed->races_complete &&
                   flags_differ(trial->model, allowed, &trial->reference)
               ? FLAGS
               : AGREE;
}

/* Both against the executor, which runs PTX. */
static enum disagreement hold_executor(struct arena *arena, const struct trial *trial,
                                       struct diag_list *diags, struct tally *tally)
{
    const struct solver_result *allowed = trial->allowed;
    struct explore_result reached;
    struct report_list reports = {.arena = arena};
    if (!run_machine(arena, trial->test, trial->options, diags, &reached, &reports))
        return BROKEN;
    enum disagreement verdict = hold_against(trial->subject, allowed, &reached, &reports);
    if (verdict == UNSOUND && tally->verbose)
        print_missing(arena, "the executor", &reached.outcomes, &allowed->outcomes);
    if (trial->subject->language == RANDOM_HOST && misuse_differs(allowed, &reached, &reports))
        verdict = MISUSE;
    tally->undefined += is_undefined(allowed, &reports);
    if (reached.finished && allowed->complete && !is_undefined(allowed, &reports)) {
        tally->allowed += allowed->outcomes.items.len;
        tally->reached +=
            allowed->outcomes.items.len - not_in(&allowed->outcomes, &reached.outcomes);
    }
    tally->unfinished += !reached.finished || !allowed->complete;
    return verdict;
}

static enum disagreement hold(struct arena *arena, struct trial *trial, struct diag_list *diags,
                              struct tally *tally)
{
    enum disagreement verdict = hold_axioms(arena, trial), other = AGREE;
    if (verdict == SOLVER_BRUTE && tally->verbose) {
        print_missing(arena, "Z3", &trial->allowed->outcomes, &trial->reference.outcomes);
        print_missing(arena, "brute force", &trial->reference.outcomes, &trial->allowed->outcomes);
    }
    tally->brute += trial->reference.complete;
    if (is_about_cpp(trial->model))
        tally->undefined += trial->allowed->race_count > 0;
    else
        other = hold_executor(arena, trial, diags, tally);
    return verdict == AGREE || other == BROKEN ? other : verdict;
}

static enum disagreement compare(const struct random_subject *subject,
                                 const struct cat_model *model, const struct options *options,
                                 struct tally *tally)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    enum disagreement verdict = BROKEN;
    struct unfold_options unfold_options = {
        .unroll = 2, .max_events = 1000, .tearing = tearing_of(options)};
    struct trial trial = {.subject = subject, .model = model, .options = options};
    trial.test = parse(arena, subject, model, &diags);
    if (trial.test)
        trial.graphs = unfold(arena, trial.test, &unfold_options, &diags, &trial.graph_count);
    if (trial.graphs)
        verdict = hold(arena, &trial, &diags, tally);
    if (verdict == BROKEN && has_too_many_orders(&diags)) {
        tally->refused++;
        verdict = AGREE;
    }
    for (uint32_t i = 0; verdict == BROKEN && i < diags.items.len; i++)
        fprintf(stderr, "%s", diag_render(arena, &diags.items.at[i]));
    arena_free(arena);
    return verdict;
}

static void shrink(struct random_subject *subject, enum disagreement verdict,
                   const struct cat_model *model, const struct options *options)
{
    struct random_subject smaller;
    struct tally ignored = {0};
    for (uint32_t step = 0; random_subject_shrink(subject, step, &smaller);)
        if (compare(&smaller, model, options, &ignored) == verdict) {
            *subject = smaller;
            step = 0;
        } else {
            step++;
        }
}

static const char *const verdict_words[] = {
    "agree",
    "the executor reaches what the axioms forbid",
    "Z3 and brute force differ",
    "Z3 and brute force differ about races",
    "the executor waits for ever where the axioms do not",
    "one reading reports misuse, the other does not",
    "Z3's search ends in a defect",
    "a reading refuses the program",
};

static void print_programs(const struct options *options)
{
    struct random_subject program;
    for (gint i = 0; i < options->count; i++) {
        generate_subject(&program, (uint64_t)options->seed + (uint64_t)i, options);
        g_autoptr(GString) text = random_subject_write(&program);
        fputs(text->str, stdout);
    }
}

static bool check_program(uint64_t seed, const struct cat_model *model,
                          const struct options *options, struct tally *tally)
{
    struct random_subject program;
    generate_subject(&program, seed, options);
    if (options->print) {
        GString *text = random_subject_write(&program);
        fputs(text->str, stdout);
        g_string_free(text, TRUE);
    }
    enum disagreement verdict = compare(&program, model, options, tally);
    if (verdict == AGREE)
        return true;
    shrink(&program, verdict, model, options);
    GString *text = random_subject_write(&program);
    printf("# seed %" G_GUINT64_FORMAT ": %s\n%s", seed, verdict_words[verdict], text->str);
    g_string_free(text, TRUE);
    struct tally telling = {.verbose = true};
    compare(&program, model, options, &telling);
    return false;
}

/* The two readings of dependencies are two: some program has more outcomes under the second. */
static bool allows_more(const struct tally *semantic, const struct tally *syntactic)
{
    printf("# %" G_GUINT64_FORMAT " outcomes with semantic dependencies, %" G_GUINT64_FORMAT
           " with syntactic ones\n",
           semantic->allowed, syntactic->allowed);
    return semantic->allowed > syntactic->allowed;
}

static const char *const cpp_models[] = {"cpp", "cpp+split", "cpp11", "cpp20"};

struct models {
    const struct cat_model *ptx, *cpp[G_N_ELEMENTS(cpp_models)];
    size_t count; /* of those of C++ */
};

static struct models load_models(struct arena *arena, const struct options *options)
{
    struct diag_list diags = {.arena = arena};
    struct models models = {.ptx = model_load(arena, "ptx", &diags)};
    for (; options->cpp && models.count < G_N_ELEMENTS(cpp_models); models.count++)
        models.cpp[models.count] = model_load(arena, cpp_models[models.count], &diags);
    g_assert(!diags.errors);
    return models;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1, .count = 300, .threads = 3, .insts = 3, .budget = 4000};
    GOptionEntry entries[] = {
        {"seed", 0, 0, G_OPTION_ARG_INT64, &options.seed, "first seed", "N"},
        {"count", 0, 0, G_OPTION_ARG_INT, &options.count, "programs", "N"},
        {"threads", 0, 0, G_OPTION_ARG_INT, &options.threads, "threads at most", "N"},
        {"insts", 0, 0, G_OPTION_ARG_INT, &options.insts, "instructions a thread at most", "N"},
        {"rule", 0, 0, G_OPTION_ARG_INT, &options.rule, "leave out this rule of the machine", "N"},
        {"budget", 0, 0, G_OPTION_ARG_INT, &options.budget, "work of brute force a program", "N"},
#define FEATURE(field, word, meaning)                                                              \
    {word, 0, 0, G_OPTION_ARG_NONE, &options.field, meaning, NULL},
#include "litmus/random/features.def"
        {"host", 0, 0, G_OPTION_ARG_NONE, &options.host, "host programs", NULL},
        {"cpp", 0, 0, G_OPTION_ARG_NONE, &options.cpp, "programs in C++", NULL},
        {"print", 0, 0, G_OPTION_ARG_NONE, &options.print, "print every program", NULL},
        {"text", 0, 0, G_OPTION_ARG_NONE, &options.text, "print every program and do nothing else",
         NULL},
        {NULL},
    };
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, NULL))
        return 2;
    g_option_context_free(context);
    if (options.text) {
        print_programs(&options);
        return 0;
    }
    struct arena *arena = arena_new();
    struct models models = load_models(arena, &options);
    struct tally tally = {0}, semantic = {0}, source = {0};
    int failed = models.ptx ? 0 : 1;
    for (gint i = 0; i < options.count && !failed; i++) {
        uint64_t seed = (uint64_t)options.seed + (uint64_t)i;
        failed += !check_program(seed, models.ptx, &options, &tally);
        if (options.dependencies && !failed)
            failed += !check_program(seed, models.ptx->chosen, &options, &semantic);
        for (size_t k = 0; k < models.count && !failed; k++)
            failed += !check_program(seed, models.cpp[k], &options, &source);
    }
    if (options.dependencies && !failed)
        failed = !allows_more(&semantic, &tally);
    printf("1..1\n%sok 1 - %d random programs\n", failed ? "not " : "", options.count);
    printf("# reached %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
           " allowed outcomes; brute force finished %" G_GUINT64_FORMAT
           " programs, %" G_GUINT64_FORMAT " had a search that did not, %" G_GUINT64_FORMAT
           " are undefined, %" G_GUINT64_FORMAT " have too many orders of calls\n",
           tally.reached, tally.allowed, tally.brute, tally.unfinished, tally.undefined,
           tally.refused);
    if (options.cpp)
        printf("# of %d programs and models of C++, brute force finished %" G_GUINT64_FORMAT
               "; %" G_GUINT64_FORMAT " are racy\n",
               options.count * (gint)models.count, source.brute, source.undefined);
    arena_free(arena);
    return failed != 0;
}
