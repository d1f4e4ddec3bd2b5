/* SPDX-License-Identifier: MIT */
#include "cli/answer/job.h"

#include <string.h>

#include "cli/answer/left_out.h"
#include "cli/answer/mapped.h"
#include "cli/answer/trace.h"
#include "litmus/test/code_line.h"
#include "litmus/test/host.h"
#include "litmus/read/read.h"
#include "litmus/print/print.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"

double job_clock(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

double job_milliseconds(const struct job *job)
{
    return (job_clock() - job->started) * 1e3;
}

double job_time_left(const struct job *job)
{
    static const double soonest = 1e-6; /* as 0 is never */
    double timeout = job->settings->timeout;
    return timeout > 0 ? MAX(timeout - (job_clock() - job->started), soonest) : 0;
}

enum { MOST_EVENTS = 20000 };

enum tearing job_tearing(const struct job *job)
{
    if (!job->model || !model_uses(job->model, "single_copy"))
        return TEARING_CUTS;
    return job->readings >> HOST_READING_TEARING & 1 ? TEARING_BYTES : TEARING_WHOLE;
}

/* A text that asks how dependencies are read is read so. */
static void choose_dependencies(struct job *job)
{
    if (job->readings >> HOST_READING_DEPENDENCIES & 1 && job->model && job->model->chosen)
        job->model = job->model->chosen;
}

/* Anew, with loops unrolled 'often' times. */
static struct graph **unfold_to(struct job *job, uint32_t often, struct diag_list *diags)
{
    struct unfold_options options = {
        .unroll = MIN(often, job->settings->unroll),
        .max_events = MOST_EVENTS,
        .liveness = job->liveness,
        .abandon = job->abandon,
        .readings = job->readings,
        .tearing = job_tearing(job),
    };
    uint32_t count;
    struct graph **graphs = unfold(job->arena, job->test, &options, diags, &count);
    if (!graphs)
        return NULL;
    job->graphs = graphs;
    job->graph_count = count;
    job->unrolled = job->rounds = options.unroll;
    trace_unfolded(job);
    return graphs;
}

static bool unfold_for(struct job *job, bool liveness, bool abandon)
{
    choose_dependencies(job);
    job->note->stage = "unfolding it";
    job->liveness = liveness;
    job->abandon = abandon;
    job->endless = false;
    return unfold_to(job, 1, &job->diags);
}

bool job_unfold(struct job *job, bool liveness)
{
    return unfold_for(job, liveness, false);
}

bool job_unfold_abandoned(struct job *job)
{
    return unfold_for(job, true, true);
}

bool job_is_unasked(const struct job *job)
{
    const struct settings *s = job->settings;
    return s->launch.len && !s->exists && !s->forall && !s->never;
}

bool job_has_open_loop(const struct job *job)
{
    for (uint32_t g = 0; g < job->graph_count; g++)
        for (uint32_t i = 0; i < job->graphs[g]->assumption_count; i++)
            if (job->graphs[g]->assumptions[i].kind == ASSUME_BOUND)
                return true;
    return false;
}

/* A test in C++ has a model of its own, unless one was asked for by name. */
static bool use_cpp(struct job *job)
{
    struct settings *settings = ARENA_NEW(job->arena, struct settings);
    *settings = *job->settings;
    settings->model = "cpp";
    job->settings = settings;
    job->model = model_load(job->arena, settings->model, &job->diags);
    return job->model;
}

/* A text says by its first word which language it is about; what says nothing may be asked about any. */
static bool model_fits(struct job *job)
{
    bool is_cpp = job->test->language == LANGUAGE_CPP;
    if (!job->model)
        return true;
    if (is_cpp && !job->settings->model_named)
        return use_cpp(job);
    const char *other = is_cpp ? "PTX" : "C";
    if (!job->model->language || strcmp(job->model->language, other) != 0)
        return true;
    diag_add(&job->diags, DIAG_model_language, job->test->source, (struct span){0, 0},
             is_cpp ? "--model cpp, and texts that begin with the word C, are about C++"
                    : "--model ptx, and texts that begin with the word PTX, are about PTX",
             "this test is in %s, and the model '%s' is about %s", is_cpp ? "C++" : "PTX",
             job->settings->model, is_cpp ? "PTX" : "C++");
    return false;
}

/* Only a model that orders calls excludes what could not have been waited for. */
static bool model_has_host(struct job *job)
{
    if (!job->model || model_uses(job->model, "enqueue"))
        return true;
    diag_add(&job->diags, DIAG_host_unsupported, job->test->source,
             job->test->host->threads[0].span, "--model ptx does",
             "this model does not say how the calls of a host program are ordered");
    return false;
}

/* --reading NAME=VALUE: a word of reading.def. */
static bool take_reading(struct job *job, const char *text)
{
    for (uint32_t i = 0; i < 2 * HOST_READING_COUNT; i++) {
        enum host_reading reading = (enum host_reading)(i / 2);
        const char *name = host_reading_name(reading), *word = host_reading_word(reading, i % 2);
        if (strcmp(text, arena_printf(job->arena, "%s=%s", name, word)) == 0) {
            job->fixed |= 1u << reading;
            job->readings |= i % 2 << reading;
            return true;
        }
    }
    diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0, 0},
             "'ptxlit check --help' lists the names and values", "'--reading' does not know '%s'",
             text);
    return false;
}

static bool take_readings(struct job *job)
{
    for (uint32_t i = 0; i < job->settings->reading.len; i++)
        if (!take_reading(job, job->settings->reading.at[i]))
            return false;
    return true;
}

/* The program again, in which nothing is known of these kernels; what it warns of has been said. */
static bool read_again(struct job *job, const struct source *source, struct opaque_list opaque)
{
    struct diag_list unheard = {.arena = job->diags.arena};
    struct test *open = litmus_parse_opaque(job->arena, source, opaque, &unheard);
    if (open && job->settings->ptx_lines)
        test_forget_code_lines(open);
    if (open)
        job->test = open;
    return open;
}

/* What the axioms do not model in kernels of a program leaves open what depends on these. */
static bool unfold_without_kernels(struct job *job, const struct source *source, bool liveness)
{
    struct diag_list *diags = &job->diags;
    struct opaque_list opaque = {NULL, 0};
    while (diags->items.len) {
        const struct diag fault = diags->items.at[diags->items.len - 1];
        if (!left_out_kernel(job->arena, job->test, &fault, &opaque) ||
            !read_again(job, source, opaque))
            return false;
        diags->items.len--;
        diags->errors--;
        if (job_unfold(job, liveness))
            return true;
    }
    return false;
}

static bool unfold_first(struct job *job, const struct source *source)
{
    bool liveness = strcmp(job->settings->property, "termination") == 0;
    return job_unfold(job, liveness) || unfold_without_kernels(job, source, liveness);
}

bool job_read(struct job *job, const struct source *source, bool unfolded)
{
    if (!take_readings(job) || !trace_take(job))
        return false;
    struct test *test = litmus_parse(job->arena, source, &job->diags);
    job->test = test;
    if (!test)
        return false;
    if (job->settings->ptx_lines)
        test_forget_code_lines(test);
    if (test->language == LANGUAGE_CPP && job->settings->compiled) {
        job->compiled = test;
        job->test = mapped_by_settings(job, test);
    }
    if (!job->test)
        return false;
    trace_read(job);
    if (!model_fits(job))
        return false;
    g_strlcpy(job->note->test, job->test->name, sizeof job->note->test);
    return !unfolded || ((!job->test->host || model_has_host(job)) && unfold_first(job, source));
}

/* Of a loop that goes round for ever there is no more to find than an execution that does not, which is soon found
 * where there is one; and that it goes on. In Z3's measure, so that the answer does not depend on the machine: both
 * are a fraction of a second. */
enum { ENDLESS_EFFORT = 1000000, GOES_ON_EFFORT = 3000000 };

/* Who takes a lock twice goes round twice, which may be searched for longer; a second or so of what goes round more often
 * tells whether more would help. */
enum { FEW_ROUNDS = 3, ROUNDS_EFFORT = 16000000 };

unsigned job_rounds_effort(const struct job *job)
{
    double times = MAX(job->settings->timeout / SETTINGS_USUAL_TIMEOUT, 1);
    return (unsigned)MIN(ROUNDS_EFFORT * times, (double)INT_MAX);
}

/* Of the loops that go round more often, the one that made the most events; NULL: there is none. */
static const struct unrolled_loop *busiest_loop(const struct job *job)
{
    const struct unrolled_loop *most = NULL;
    for (uint32_t g = 0; g < job->graph_count; g++)
        for (uint32_t i = 0; i < job->graphs[g]->unrolled_count; i++) {
            const struct unrolled_loop *loop = &job->graphs[g]->unrolled[i];
            if (loop->rounds > FEW_ROUNDS && loop->events && (!most || loop->events > most->events))
                most = loop;
        }
    return most;
}

static unsigned effort_of(const struct job *job)
{
    unsigned most = job->endless ? ENDLESS_EFFORT : job->effort;
    return most || !busiest_loop(job) ? most : job_rounds_effort(job);
}

static struct solver_options options_of(const struct job *job, bool witnesses)
{
    return (struct solver_options){
        .test = job->test,
        .graphs = job->graphs,
        .graph_count = job->graph_count,
        .model = job->model,
        .timeout_seconds = job_time_left(job),
        .clock = job->clock,
        .effort = effort_of(job),
        .made = job->made,
        .trace = trace_solver(job),
        .state_limit = job->settings->states,
        .states = true,
        .witnesses = witnesses,
        .races = true,
    };
}

static bool may_go_on(const struct job *job)
{
    struct solver_options options = options_of(job, false);
    options.trace = NULL;
    options.effort = GOES_ON_EFFORT;
    return job_has_open_loop(job) &&
           (job->graph_count > 1 || solver_passes_bound(job->arena, &options, 0));
}

uint32_t job_event_count(const struct job *job)
{
    uint32_t events = 0;
    for (uint32_t g = 0; g < job->graph_count; g++)
        events += job->graphs[g]->event_count;
    return events;
}

/* Twice the rounds make twice the events, unless each round adds ways to go round the next: gigabytes, in the end. */
static bool multiplies(uint32_t before, uint32_t after)
{
    enum { MANY = 100 };
    return after > MANY && after > 3 * before;
}

/* Most loops that may go round again do not: who takes a lock reads one of two values. So they are unrolled once, and
 * more often only as long as that is not enough. What becomes too large then stays as it was. */
void job_unroll(struct job *job)
{
    uint32_t most = job->settings->unroll;
    struct diag_list diags = {.arena = job->arena};
    while (job->unrolled < most && may_go_on(job)) {
        uint32_t next = job->graph_count > 1 ? most : 2 * job->unrolled;
        uint32_t before = job_event_count(job);
        if (!unfold_to(job, next, &diags))
            break;
        bool last = job->unrolled == most || multiplies(before, job_event_count(job));
        job->endless = last && job_has_open_loop(job);
        if (last)
            break;
    }
    job->unrolled = most;
}

bool job_unroll_less(struct job *job)
{
    struct diag_list diags = {.arena = job->arena};
    uint32_t most = job->unrolled;
    if (!job->endless || job->rounds < 2)
        return false;
    bool made = unfold_to(job, job->rounds / 2, &diags);
    job->unrolled = most;
    return made;
}

struct solver_options job_solver_options(struct job *job, bool witnesses)
{
    job_unroll(job);
    return options_of(job, witnesses);
}

/* ":11" of the file that has main; a kernel stands in another. */
static const char *gap_place(const struct job *job, const struct host_gap *gap)
{
    const struct source *source = job->test->source;
    struct place place = source_place(source, gap->span.offset);
    const char *own = source_place(source, job->test->host->threads[0].span.offset).name;
    if (strcmp(place.name, own) == 0)
        return arena_printf(job->arena, ":%u", place.line);
    return test_code_line(job->test, gap->span.offset)
               ? job_line(job, gap->span)
               : arena_printf(job->arena, "%s:%u", place.name, place.line);
}

static const char *gap_text(const struct job *job, const struct host_gap *gap)
{
    return arena_printf(job->arena, "%s not modelled: %s%s%s%s", gap_place(job, gap), gap->message,
                        gap->hint ? " (" : "", gap->hint ? gap->hint : "", gap->hint ? ")" : "");
}

const char *job_gap(const struct job *job)
{
    const struct host_gap *gap = job->test->host ? job->test->host->unmodelled : NULL;
    return gap ? gap_text(job, gap) : NULL;
}

const char *job_first_gap(const struct job *job)
{
    bool has = job->test->host && job->test->host->gap_count;
    return has ? gap_text(job, &job->test->host->gaps[0]) : NULL;
}

/* The loop that is met first. */
static struct span endless_loop(const struct job *job)
{
    for (uint32_t i = 0; i < job->graphs[0]->assumption_count; i++)
        if (job->graphs[0]->assumptions[i].kind == ASSUME_BOUND)
            return job->graphs[0]->assumptions[i].span;
    return (struct span){0, 0};
}

static bool is_late(const struct job *job)
{
    double timeout = job->settings->timeout;
    return timeout > 0 && job_clock() - job->started >= timeout;
}

const char *job_stopped(const struct job *job, enum solver_status status)
{
    if (status == SOLVER_TIMEOUT && job->endless)
        return job_open_loop(job, endless_loop(job));
    const struct unrolled_loop *busiest = busiest_loop(job);
    if (status == SOLVER_TIMEOUT && busiest && (!job->effort || is_late(job)))
        return arena_printf(job->arena, "loop at %s goes round in more ways than were searched",
                            job_line(job, busiest->span));
    if (status == SOLVER_TIMEOUT && job->effort && !is_late(job))
        return "work: more than '--timeout' allows";
    switch (status) {
    case SOLVER_DONE:
    case SOLVER_STATES:
        return NULL;
    case SOLVER_TIMEOUT:
        return arena_printf(job->arena, "time: more than %g s", job->settings->timeout);
    case SOLVER_MEMORY:
        return job->settings->memory_limit ? arena_printf(job->arena, "memory: more than %u MiB",
                                                          job->settings->memory_limit)
                                           : "memory: the system gave no more";
    case SOLVER_BOUND:
        return "a loop can run further than it was unrolled";
    case SOLVER_UNDEFINED:
        return "undefined behaviour: whatever follows is possible";
    case SOLVER_UNKNOWN:
    case SOLVER_INTERNAL:
        return "the solver gave up";
    }
    return NULL;
}

const char *job_line(const struct job *job, struct span span)
{
    const char *line = test_line_words(job->arena, job->test, span.offset);
    return g_str_has_prefix(line, "line ") ? arena_printf(job->arena, ":%s", line + strlen("line "))
                                           : line;
}

const char *job_open_loop(const struct job *job, struct span loop)
{
    return arena_printf(job->arena, "loop at %s can go round more often than it was unrolled",
                        job_line(job, loop));
}

const char *job_question(const struct job *job)
{
    return print_question(job->arena, job->test);
}
