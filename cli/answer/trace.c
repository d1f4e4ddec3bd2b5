/* SPDX-License-Identifier: MIT */
#include "cli/answer/trace.h"

#include <string.h>

#include "cli/answer/dump.h"

/* ---- what is asked for ---------------------------------------------------------------------- */

bool trace_take(struct job *job)
{
    static const char *const words[] = {"graph", "candidates", "clauses"};
    for (uint32_t i = 0; i < job->settings->dump.len; i++) {
        const char *word = job->settings->dump.at[i];
        size_t which = 0;
        while (which < G_N_ELEMENTS(words) && strcmp(words[which], word) != 0)
            which++;
        if (which == G_N_ELEMENTS(words)) {
            diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0, 0},
                     "it is graph, candidates or clauses", "'--dump' does not know '%s'", word);
            return false;
        }
        job->dumps |= 1u << which;
    }
    return true;
}

static void print_time(const struct job *job, const char *what, int64_t microseconds)
{
    if (!job->untimed)
        g_string_append_printf(job->trace, "%s%.2f ms", what, (double)microseconds / 1e3);
}

/* ---- the stages of a test ------------------------------------------------------------------- */

static void print_stage(const struct job *job, const char *what)
{
    g_string_append_printf(job->trace, "%s: %s", job->path, what);
    print_time(job, " after ", g_get_monotonic_time() - (int64_t)(job->started * 1e6));
    g_string_append_c(job->trace, '\n');
}

void trace_read(const struct job *job)
{
    if (job->trace)
        print_stage(job, "read");
}

void trace_unfolded(const struct job *job)
{
    GString *out = job->trace;
    if (!out)
        return;
    print_stage(job, job->unrolled > 1
                         ? arena_printf(job->arena, "unfolded again, loops %u times", job->unrolled)
                         : "unfolded");
    for (uint32_t i = 0; i < job->graph_count; i++) {
        g_string_append_printf(out, "  graph %u: %u events, %u granules\n", i,
                               job->graphs[i]->event_count, job->graphs[i]->granule_count);
        if (job->dumps & DUMP_GRAPH)
            dump_graph(job, i, out);
    }
}

/* ---- the steps of a search ------------------------------------------------------------------ */

/* "causality (3 ways), coherence": violations of one axiom stand together. */
static void print_axioms(const struct job *job, const struct solver_step *step, GString *out)
{
    for (uint32_t i = 0, ways; i < step->violation_count; i += ways) {
        uint32_t axiom = step->violations[i].axiom;
        for (ways = 1; i + ways < step->violation_count; ways++)
            if (step->violations[i + ways].axiom != axiom)
                break;
        g_string_append_printf(out, "%s%s", i ? ", " : " breaks ", job->model->axioms[axiom].name);
        if (ways > 1)
            g_string_append_printf(out, " (%u ways)", ways);
    }
}

static void print_candidate(const struct job *job, const struct solver_step *step, GString *out)
{
    const struct execution *x = step->candidate;
    g_string_append_printf(out, "    %s: candidate %u%s", step->question, step->candidates,
                           x ? "" : " is no execution\n");
    if (!x)
        return;
    print_axioms(job, step, out);
    if (step->kind == SOLVER_STEP_ACCEPTED)
        g_string_append_printf(out, " breaks no axiom%s%s", x->stuck ? "" : ": ",
                               x->stuck ? "" : outcome_print(job->arena, job->test, x->observed));
    g_string_append_c(out, '\n');
    if (job->dumps & DUMP_CANDIDATES)
        dump_candidate(x, out);
    for (uint32_t i = 0; job->dumps & DUMP_CLAUSES && i < step->violation_count; i++)
        dump_violation(job, x, &step->violations[i], out);
}

static void print_end(const struct job *job, const struct solver_step *step, GString *out)
{
    g_string_append_printf(out, "  graph %u: candidates %u, questions %u, clauses %u", step->graph,
                           step->candidates, step->checks, step->clauses);
    print_time(job, "; encoding ", step->times->encode);
    print_time(job, ", solver ", step->times->solver);
    print_time(job, ", extraction ", step->times->extract);
    print_time(job, ", theory ", step->times->theory);
    print_time(job, ", judge ", step->times->judge);
    g_string_append_printf(out, "\n%s", step->smtlib ? step->smtlib : "");
}

static void print_step(const void *context, const struct solver_step *step)
{
    const struct job *job = context;
    GString *out = job->trace;
    if (step->kind == SOLVER_STEP_CLOSED)
        print_end(job, step, out);
    else if (step->kind == SOLVER_STEP_ENCODED)
        g_string_append_printf(out, "  graph %u: encoded as %u clauses\n", step->graph,
                               step->clauses);
    else if (step->kind == SOLVER_STEP_OVER)
        g_string_append_printf(out, "    %s: no candidate is left\n", step->question);
    else if (step->kind == SOLVER_STEP_STOPPED)
        g_string_append_printf(out, "    %s: given up\n", step->question);
    else
        print_candidate(job, step, out);
}

const struct solver_trace *trace_solver(const struct job *job)
{
    if (!job->trace)
        return NULL;
    struct solver_trace *trace = ARENA_NEW(job->arena, struct solver_trace);
    *trace = (struct solver_trace){print_step, job, job->dumps & DUMP_CLAUSES};
    return trace;
}
