/* SPDX-License-Identifier: MIT
 *
 * random [--seed N] [--count N] [--threads N] [--insts N] [--machine-rule N]: random programs
 * through every reading: Z3, brute force and the executor. Z3 and brute force must give the same
 * outcomes, and the executor no other. The first disagreement is shrunk to a smallest program and
 * printed as a litmus file. Prints TAP; the last line says how much of the allowed outcomes the
 * executor reached. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/brute/brute.h"
#include "model/machine/search/explore.h"
#include "model/machine/memory/weak/weak.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"
#include "litmus/random/program.h"
#include "litmus/random/host.h"
#include "model/machine/setup/setup.h"

enum disagreement { AGREE, UNSOUND, SOLVER_BRUTE, HANGS, MISUSE, DEFECT, BROKEN };

struct options {
    gint64 seed;
    gint count, threads, insts, rule, budget;
#define FEATURE(field, word, meaning) gboolean field;
#include "litmus/random/features.def"
    gboolean host, print, text;
};

struct tally {
    uint64_t allowed, reached, unfinished, brute, refused;
    uint64_t undefined; /* programs outside the model: their outcomes are not compared */
    bool verbose;       /* tell the outcomes that differ */
};

/* A random program: device code, or a host program. */
struct subject {
    bool is_host;
    struct random_program device;
    struct random_host host;
};

static void generate_subject(struct subject *s, uint64_t seed, const struct options *options)
{
    struct random_bounds bounds = {
        .threads = (uint32_t)options->threads,
        .insts = (uint32_t)options->insts,
#define FEATURE(field, word, meaning) .field = options->field,
#include "litmus/random/features.def"
    };
    s->is_host = options->host;
    if (s->is_host)
        random_host_draw(&s->host, seed);
    else
        random_draw(&s->device, seed, &bounds);
}

static GString *print_subject(const struct subject *s)
{
    return s->is_host ? random_host_write(&s->host) : random_write(&s->device);
}

static bool shrink_subject(const struct subject *s, uint32_t step, struct subject *smaller)
{
    *smaller = *s;
    return s->is_host ? random_host_shrink(&s->host, step, &smaller->host)
                      : random_shrink(&s->device, step, &smaller->device);
}

static const struct test *parse(struct arena *arena, const struct subject *subject,
                                struct diag_list *diags)
{
    GString *text = print_subject(subject);
    struct source *source = source_new(arena, "random", arena_strdup(arena, text->str), text->len);
    g_string_free(text, TRUE);
    return litmus_parse(arena, source, diags);
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

/* What the executor reaches must be allowed, and it waits for ever only where the axioms say so;
 * after undefined behaviour it may do anything. */
static enum disagreement hold_against(const struct solver_result *allowed,
                                      const struct explore_result *reached,
                                      const struct report_list *reports)
{
    if (!allowed->complete || is_undefined(allowed, reports))
        return AGREE;
    if (not_in(&reached->outcomes, &allowed->outcomes))
        return UNSOUND;
    return reached->finished && reported(reports, REPORT_hang) && !allowed->can_hang ? HANGS
                                                                                     : AGREE;
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

static enum disagreement compare(const struct subject *subject, const struct cat_model *model,
                                 const struct options *options, struct tally *tally)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    enum disagreement verdict = BROKEN;
    const struct test *test = parse(arena, subject, &diags);
    struct unfold_options unfold_options = {
        .unroll = 2, .max_events = 1000, .tearing = tearing_of(options)};
    uint32_t graphs = 0;
    struct graph **graph = test ? unfold(arena, test, &unfold_options, &diags, &graphs) : NULL;
    struct explore_result reached;
    struct report_list reports = {.arena = arena};
    if (graph && run_machine(arena, test, options, &diags, &reached, &reports)) {
        struct solver_options solver_options = {.test = test,
                                                .graphs = graph,
                                                .graph_count = graphs,
                                                .model = model,
                                                .states = true,
                                                .state_limit = 100000,
                                                .timeout_seconds = 5};
        struct solver_result *allowed = solve(arena, &solver_options);
        struct brute_result reference = brute(arena, graph, graphs, model, options->budget);
        verdict = hold_against(allowed, &reached, &reports);
        if (allowed->status == SOLVER_INTERNAL || allowed->status == SOLVER_UNKNOWN)
            verdict = DEFECT;
        else if (reference.complete && allowed->complete &&
                 !same_outcomes(&allowed->outcomes, &reference.outcomes))
            verdict = SOLVER_BRUTE;
        else if (subject->is_host && misuse_differs(allowed, &reached, &reports))
            verdict = MISUSE;
        if (verdict == SOLVER_BRUTE && tally->verbose) {
            print_missing(arena, "Z3", &allowed->outcomes, &reference.outcomes);
            print_missing(arena, "brute force", &reference.outcomes, &allowed->outcomes);
        } else if (verdict == UNSOUND && tally->verbose) {
            print_missing(arena, "the executor", &reached.outcomes, &allowed->outcomes);
        }
        tally->undefined += is_undefined(allowed, &reports);
        if (reached.finished && allowed->complete && !is_undefined(allowed, &reports)) {
            tally->allowed += allowed->outcomes.items.len;
            tally->reached +=
                allowed->outcomes.items.len - not_in(&allowed->outcomes, &reached.outcomes);
        }
        tally->unfinished += !reached.finished || !allowed->complete;
        tally->brute += reference.complete;
    }
    if (verdict == BROKEN && has_too_many_orders(&diags)) {
        tally->refused++;
        verdict = AGREE;
    }
    for (uint32_t i = 0; verdict == BROKEN && i < diags.items.len; i++)
        fprintf(stderr, "%s", diag_render(arena, &diags.items.at[i]));
    arena_free(arena);
    return verdict;
}

static void shrink(struct subject *subject, enum disagreement verdict,
                   const struct cat_model *model, const struct options *options)
{
    struct subject smaller;
    struct tally ignored = {0};
    for (uint32_t step = 0; shrink_subject(subject, step, &smaller);)
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
    "the executor waits for ever where the axioms do not",
    "one reading reports misuse, the other does not",
    "Z3's search ends in a defect",
    "a reading refuses the program",
};

static void print_programs(const struct options *options)
{
    struct subject program;
    for (gint i = 0; i < options->count; i++) {
        generate_subject(&program, (uint64_t)options->seed + (uint64_t)i, options);
        g_autoptr(GString) text = print_subject(&program);
        fputs(text->str, stdout);
    }
}

static bool check_program(uint64_t seed, const struct cat_model *model,
                          const struct options *options, struct tally *tally)
{
    struct subject program;
    generate_subject(&program, seed, options);
    if (options->print) {
        GString *text = print_subject(&program);
        fputs(text->str, stdout);
        g_string_free(text, TRUE);
    }
    enum disagreement verdict = compare(&program, model, options, tally);
    if (verdict == AGREE)
        return true;
    shrink(&program, verdict, model, options);
    GString *text = print_subject(&program);
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
    struct diag_list diags = {.arena = arena};
    const struct cat_model *model = model_load(arena, "ptx", &diags);
    struct tally tally = {0}, semantic = {0};
    int failed = model ? 0 : 1;
    for (gint i = 0; i < options.count && model && !failed; i++) {
        uint64_t seed = (uint64_t)options.seed + (uint64_t)i;
        failed += !check_program(seed, model, &options, &tally);
        if (options.dependencies && !failed)
            failed += !check_program(seed, model->chosen, &options, &semantic);
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
    arena_free(arena);
    return failed != 0;
}
