/* SPDX-License-Identifier: MIT
 *
 * Do the axioms and the executor agree on which loops end? Every program of two and three threads and at most four
 * instructions on one location, where each thread may end in a jump back to any of its instructions: the executor looks for
 * a fair cycle among all states, the axioms for an execution that never ends; under the fair scheduler, and under the others
 * in turn. A run on the weak memory that never ends is one for both. TAP: a line a size.
 *
 * usage: loops EVERY [FIRST]    only every so many-th program, from the number FIRST on; those of all FIRST below EVERY
 * are all programs
 *        loops random SEED COUNT    programs of two locations, with fences, barriers and jumps from anywhere to anywhere */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/interleavings.h"
#include "litmus/base/source.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/search/interleaving.h"
#include "model/machine/search/liveness.h"
#include "model/models/models.h"

/* ---- programs ------------------------------------------------------------------------------- */

enum { MOST_THREADS = 3, MOST_LENGTH = 3 };

static const char *const operations[] = {"ld.relaxed.gpu r0, x", "atom.relaxed.gpu.exch r0, x, 0",
                                         "atom.relaxed.gpu.exch r0, x, 1", "st.relaxed.gpu x, 0",
                                         "st.relaxed.gpu x, 1"};
enum { READS = 3, OPERATIONS = G_N_ELEMENTS(operations) };

/* A thread: its operations, and, when the last one reads, a jump. */
struct form {
    unsigned at[MOST_LENGTH], length;
    const char *jump; /* back while r0 is 0 or 1; or NULL */
    unsigned to;      /* the operation it goes back to */
};

static uint32_t lists_of(unsigned length)
{
    return length ? OPERATIONS * lists_of(length - 1) : 1;
}

static uint32_t forms_of(unsigned length)
{
    return lists_of(length) * (1 + 2 * length);
}

/* False: the last operation reads nothing that a jump could depend on. */
static bool form_at(unsigned length, uint32_t number, struct form *form)
{
    uint32_t jump = number / lists_of(length), list = number % lists_of(length);
    *form = (struct form){.length = length};
    for (unsigned i = 0; i < length; i++, list /= OPERATIONS)
        form->at[i] = list % OPERATIONS;
    if (!jump)
        return true;
    form->jump = jump & 1 ? "beq" : "bne";
    form->to = (jump - 1) / 2;
    return form->at[length - 1] < READS;
}

/* "L: ld.relaxed.gpu r0, x", or the jump, or nothing. */
static void print_cell(GString *out, const struct form *form, unsigned row)
{
    if (row < form->length)
        g_string_append_printf(out, "%s%s", form->jump && row == form->to ? "L: " : "",
                               operations[form->at[row]]);
    else if (row == form->length && form->jump)
        g_string_append_printf(out, "%s r0, 0, L", form->jump);
}

static void print_program(GString *out, const struct form *forms, unsigned threads)
{
    g_string_assign(out, "PTX loops\n{ x = 0; }\n");
    for (unsigned t = 0; t < threads; t++)
        g_string_append_printf(out, " P%u@cta %u,gpu 0 %s", t, t, t + 1 < threads ? "|" : ";\n");
    for (unsigned row = 0; row <= MOST_LENGTH; row++)
        for (unsigned t = 0; t < threads; t++) {
            print_cell(out, &forms[t], row);
            g_string_append(out, t + 1 < threads ? " | " : " ;\n");
        }
    g_string_append(out, "exists (x=0)\n");
}

/* ---- both answers --------------------------------------------------------------------------- */

struct tally {
    const struct cat_model *model;
    GString *text;
    uint32_t programs, agreed, open, wrong;
};

enum ends { ENDS, GOES_ON, OPEN };

enum { MOST_STATES = 1 << 14 };

static enum ends ask_executor(struct job *job, const struct guarantee *progress)
{
    struct run run;
    const struct state_graph_limits limits = {.states = MOST_STATES};
    if (!interleavings_run(job, &run))
        return OPEN;
    struct interleaved *shown = interleaving_new(job->arena, run.machine);
    run.tracer = &shown->tracer;
    struct state_graph *graph = state_graph_new(job->arena, &run, &limits);
    struct hang hang = liveness_find(job->arena, run.machine, graph, progress);
    if (hang.kind != HANG_NONE)
        return GOES_ON;
    return !graph->limit && !graph->stops && interleaving_is_all(shown) ? ENDS : OPEN;
}

/* Most graphs of the weak memory are no larger; what a smaller part of one shows is right as well. */
enum { WEAK_STATES = 1 << 10 };

static enum ends ask_weak(struct job *job, const struct guarantee *progress)
{
    struct run run;
    const struct state_graph_limits limits = {.states = WEAK_STATES};
    if (!interleavings_run(job, &run))
        return OPEN;
    run.memory = weak_memory_new(job->arena, run.machine, &job->diags);
    struct state_graph *graph = state_graph_new(job->arena, &run, &limits);
    struct hang hang = liveness_find(job->arena, run.machine, graph, progress);
    return hang.kind == HANG_NONE ? OPEN : GOES_ON;
}

/* In Z3's measure, so that what is open does not depend on the machine: about a second. */
enum { MOST_EFFORT = 4000000 };

static enum ends ask_axioms(const struct job *job, const struct guarantee *progress)
{
    struct job again = *job;
    bool fair = progress->threads == PROGRESS_FAIR;
    if (!(fair ? job_unfold(&again, true) : job_unfold_abandoned(&again)))
        return OPEN;
    struct solver_options options = job_solver_options(&again, false);
    enum solver_status status;
    struct execution *stuck;
    options.progress = fair ? NULL : progress;
    options.effort = MOST_EFFORT;
    bool ends = solver_terminates(job->arena, &options, &status, &stuck);
    return status != SOLVER_DONE ? OPEN : ends ? ENDS : GOES_ON;
}

static void compare(struct tally *tally, struct job *job, enum progress_model model)
{
    struct guarantee progress = {.threads = model, .units = PROGRESS_FAIR, .unit = PROGRESS_FLAT};
    enum ends axioms = ask_axioms(job, &progress), executor = ask_executor(job, &progress);
    if (ask_weak(job, &progress) == GOES_ON && (axioms == ENDS || executor == ENDS)) {
        tally->wrong++;
        printf("# %s: on the weak memory it may go on\n%s", progress_name(job->arena, &progress),
               tally->text->str);
    }
    tally->open += axioms == OPEN || executor == OPEN;
    tally->agreed += axioms != OPEN && axioms == executor;
    if (axioms == OPEN || executor == OPEN || axioms == executor)
        return;
    tally->wrong++;
    printf("# %s: the axioms say that it %s\n%s", progress_name(job->arena, &progress),
           axioms == ENDS ? "ends" : "may go on", tally->text->str);
}

static void ask(struct tally *tally)
{
    static const struct settings settings = {
        .model = "ptx", .unroll = 8, .property = "termination", .timeout = 10};
    struct arena *arena = arena_new();
    struct job *job = ARENA_NEW(arena, struct job);
    *job = (struct job){.settings = &settings,
                        .model = tally->model,
                        .path = "-",
                        .arena = arena,
                        .note = ARENA_NEW(arena, struct note),
                        .started = job_clock()};
    job->diags.arena = arena;
    if (!job_read(job, source_new(arena, "-", tally->text->str, tally->text->len), true)) {
        tally->wrong++;
        printf("# not read:\n%s", tally->text->str);
    } else {
        compare(tally, job, PROGRESS_FAIR);
        compare(tally, job, 1 + tally->programs % (PROGRESS_COUNT - 1));
    }
    tally->programs++;
    arena_free(arena);
}

/* ---- programs that they once differed on ------------------------------------------------------ */

/* Whether P1 goes round depends on a read of what it has written itself, and would leave out if it did. */
static const char own_write_decides[] =
    "PTX loops\n"
    "{ x = 0; }\n"
    " P0@cta 0,gpu 0                    | P1@cta 1,gpu 0                    ;\n"
    " L: atom.relaxed.gpu.exch r0, x, 0 | L: atom.relaxed.gpu.exch r0, x, 0 ;\n"
    " beq r0, 0, L                      | ld.relaxed.gpu r0, x              ;\n"
    "                                   | bne r0, 0, L                      ;\n"
    "exists (x=0)\n";

/* For ever P0 reads what it wrote in the round before, and writes it again. */
static const char says_again_what_it_read[] =
    "PTX loops\n"
    "{ x = 0; y = 0; }\n"
    " P0@cta 0,gpu 0             | P1@cta 0,gpu 0             ;\n"
    " fence.sc.gpu               | st.relaxed.gpu x, 1        ;\n"
    " L: ld.relaxed.gpu r0, y    | L: ld.acquire.gpu r0, x    ;\n"
    " st.relaxed.gpu y, 0        | st.relaxed.gpu x, 1        ;\n"
    " beq r0, 0, L               | beq r0, 1, L               ;\n"
    "exists (x=0)\n";

static void ask_known(struct tally *tally)
{
    static const char *const known[] = {own_write_decides, says_again_what_it_read};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        g_string_assign(tally->text, known[i]);
        ask(tally);
    }
}

/* ---- random ones, of more kinds ---------------------------------------------------------------- */

/* Two locations, fences, barriers, weak accesses; jumps from anywhere to anywhere. */
static const char *const kinds[] = {
    "ld.relaxed.gpu r0, x",
    "ld.relaxed.gpu r0, y",
    "ld.acquire.gpu r0, x",
    "ld.acquire.gpu r0, y",
    "ld.weak r0, x",
    "atom.relaxed.gpu.exch r0, x, 0",
    "atom.relaxed.gpu.exch r0, y, 1",
    "atom.acquire.gpu.cas r0, x, 0, 1",
    "atom.acq_rel.gpu.cas r0, y, 1, 0",
    "atom.relaxed.gpu.xor r0, x, 1",
    "st.relaxed.gpu x, 0",
    "st.relaxed.gpu x, 1",
    "st.relaxed.gpu y, 0",
    "st.release.gpu y, 1",
    "st.relaxed.cta x, 1",
    "st.weak y, 1",
    "fence.acq_rel.gpu",
    "fence.sc.gpu",
    "bar.cta.sync 0",
};
static const char *const jumps[] = {"beq r0, 0", "bne r0, 0", "beq r0, 1", "goto"};

enum { MOST_ROWS = 6 };

/* Any, or one that does not write what another thread writes: those with numbers from 2 on write nothing then. */
static const char *random_kind(GRand *random, unsigned thread, bool own)
{
    static const char *const theirs[] = {" x,", " y,"};
    for (;;) {
        const char *kind = kinds[g_rand_int_range(random, 0, G_N_ELEMENTS(kinds))];
        bool writes = g_str_has_prefix(kind, "st.") || g_str_has_prefix(kind, "atom.");
        const char *at = strstr(kind, thread < G_N_ELEMENTS(theirs) ? theirs[thread] : "!");
        if (!own || !writes || at)
            return kind;
    }
}

static void print_random_row(GRand *random, GString *out, unsigned row, unsigned rows,
                             const char *kind)
{
    g_string_append_printf(out, "L%u: ", row);
    if (row && g_rand_int_range(random, 0, 3) == 0) {
        unsigned jump = (unsigned)g_rand_int_range(random, 0, g_rand_boolean(random) ? 4 : 3);
        unsigned to = (unsigned)g_rand_int_range(random, 0, (gint32)rows);
        g_string_append_printf(out, "%s%s L%u", jumps[jump], jump == 3 ? "" : ",", to);
    } else {
        g_string_append(out, kind);
    }
}

static void print_random(GRand *random, GString *out)
{
    unsigned threads = (unsigned)g_rand_int_range(random, 2, 4), rows[MOST_THREADS];
    bool one_cta = g_rand_boolean(random), own = g_rand_boolean(random);
    g_string_assign(out, "PTX loops\n{ x = 0; y = 0; }\n");
    for (unsigned t = 0; t < threads; t++) {
        rows[t] = (unsigned)g_rand_int_range(random, 1, threads == 2 ? MOST_ROWS : 4);
        g_string_append_printf(out, " P%u@cta %u,gpu 0 %s", t, one_cta ? 0 : t,
                               t + 1 < threads ? "|" : ";\n");
    }
    for (unsigned row = 0; row < MOST_ROWS; row++)
        for (unsigned t = 0; t < threads; t++) {
            if (row < rows[t])
                print_random_row(random, out, row, rows[t], random_kind(random, t, own));
            g_string_append(out, t + 1 < threads ? " | " : " ;\n");
        }
    g_string_append(out, "exists (x=0)\n");
}

static void ask_random(struct tally *tally, uint32_t seed, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        GRand *random = g_rand_new_with_seed(seed + i);
        print_random(random, tally->text);
        g_rand_free(random);
        ask(tally);
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void ask_all(struct tally *tally, const unsigned *lengths, unsigned threads, uint32_t every,
                    uint32_t from)
{
    uint64_t count = 1;
    for (unsigned t = 0; t < threads; t++)
        count *= forms_of(lengths[t]);
    for (uint64_t number = from; number < count; number += every) {
        struct form forms[MOST_THREADS];
        uint64_t left = number;
        bool is_one = true;
        for (unsigned t = 0; t < threads; left /= forms_of(lengths[t]), t++)
            is_one &= form_at(lengths[t], (uint32_t)(left % forms_of(lengths[t])), &forms[t]);
        if (!is_one)
            continue;
        print_program(tally->text, forms, threads);
        ask(tally);
    }
}

static int main_random(uint32_t seed, uint32_t count)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct tally tally = {.model = model_load(arena, "ptx", &diags), .text = g_string_new(NULL)};
    printf("TAP version 13\n1..1\n");
    ask_random(&tally, seed, count);
    bool good = !tally.wrong && tally.agreed > tally.open;
    printf("%s 1 %u random programs, %u answers agree, %u are open\n", good ? "ok" : "not ok",
           tally.programs, tally.agreed, tally.open);
    g_string_free(tally.text, TRUE);
    arena_free(arena);
    return !good;
}

int main(int argc, char **argv)
{
    static const unsigned sizes[][MOST_THREADS] = {{1, 1}, {1, 2},    {2, 2},
                                                   {1, 3}, {1, 1, 1}, {1, 1, 2}};
    if (argc > 3 && strcmp(argv[1], "random") == 0)
        return main_random((uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
    uint32_t every = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    uint32_t first = argc > 2 ? (uint32_t)atoi(argv[2]) : 0, wrong = 0;
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const struct cat_model *model = model_load(arena, "ptx", &diags);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    printf("TAP version 13\n1..%u\n", (unsigned)G_N_ELEMENTS(sizes));
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct tally tally = {.model = model, .text = g_string_new(NULL)};
        unsigned threads = sizes[i][2] ? 3 : 2;
        if (i == 0)
            ask_known(&tally);
        ask_all(&tally, sizes[i], threads, every, first);
        bool good = !tally.wrong && tally.agreed > tally.open;
        printf("%s %u %u threads of %u, %u and %u instructions: %u programs, %u answers agree, %u "
               "are open\n",
               good ? "ok" : "not ok", i + 1, threads, sizes[i][0], sizes[i][1], sizes[i][2],
               tally.programs, tally.agreed, tally.open);
        wrong += !good;
        g_string_free(tally.text, TRUE);
    }
    arena_free(arena);
    return wrong > 0;
}
