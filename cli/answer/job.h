/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_JOB_H
#define CLI_ANSWER_JOB_H

#include <glib.h>

#include "cli/answer/hardware.h"
#include "cli/answer/note.h"
#include "cli/options/settings.h"
#include "solver/solver.h"

/* What the solver may do for details of an answer that stands without them. */
enum { JOB_DETAIL_EFFORT = 4000000 };

/* One test being worked on, in a worker or for a user of the library. */
struct job {
    const struct settings *settings;
    const struct cat_model *model;    /* like the graphs, NULL when it is only parsed */
    const struct hardware *hardware;  /* of --hardware, or NULL */
    const char *path;                 /* the file, as results show it */
    struct arena *arena;              /* of this test */
    struct diag_list diags;           /* what reading it found */
    struct note *note;                /* kept up to date for the case that this process dies */
    double started;                   /* seconds, monotonic */
    const struct solver_clock *clock; /* of the timeout; NULL: the system's */
    uint64_t *made; /* what the solver did for the test is added to it, as it counts; or NULL */
    unsigned
        effort; /* what the solver may do for a question about a graph, as it counts; 0: no limit */
    uint64_t most_states; /* of a search through every schedule; 0: no limit */
    const struct test *test;
    const struct test *compiled; /* the test in C++ that 'test' was compiled from, or NULL */
    struct graph **graphs;
    uint32_t graph_count;
    GString *trace;           /* where --verbose tells what is done (trace.h), or NULL */
    bool untimed;             /* and leaves out how long it takes */
    uint32_t dumps;           /* of --dump: a set of enum dump */
    uint32_t readings, fixed; /* of what the sources leave open, and those that --reading fixed */
    bool liveness, abandon;   /* of the graphs: what they were unfolded for, */
    uint32_t unrolled;        /* and how often loops went round, */
    uint32_t rounds;          /* and how often they do in the graphs at hand */
    bool endless; /* a loop was unrolled as often as it may, and before that went on each time */
};

/* Reads the test and, when 'unfolded', makes its graphs. False after an error, which job->diags has. */
bool job_read(struct job *job, const struct source *source, bool unfolded);
/* Unfolds job->test into job->graphs; 'liveness' for questions about termination. False after an
 * error, which job->diags has. */
bool job_unfold(struct job *job, bool liveness);
/* The same for schedulers that may leave threads standing anywhere; not of host programs. */
bool job_unfold_abandoned(struct job *job);

/* May a loop go round more often than it was unrolled? */
bool job_has_open_loop(const struct job *job);
/* Launches of --launch with no --exists, --forall or --never: whether something is wrong is the question. */
bool job_is_unasked(const struct job *job);
/* Of all its graphs. */
uint32_t job_event_count(const struct job *job);

/* Makes the graphs anew where loops have to be unrolled more often. */
void job_unroll(struct job *job);
/* A loop that goes on for ever took all of the effort: makes the graphs anew with half as many rounds, in which what is
 * there may be found. False: that is no such loop, or it goes round once. */
bool job_unroll_less(struct job *job);
/* How the solver is asked: every state, the races, and a witness of each state when asked. Loops are unrolled first. */
struct solver_options job_solver_options(struct job *job, bool witnesses);
/* "time: more than 60 s", "memory", … for a search that stopped early; NULL for SOLVER_DONE. */
/* Code of the host program that is not modelled and that the question depends on, as the reason of what is undecided;
 * or NULL. */
const char *job_gap(const struct job *job);
/* The first of such code, whatever depends on it; or NULL. */
const char *job_first_gap(const struct job *job);
const char *job_stopped(const struct job *job, enum solver_status status);
/* ":7", or the place in a file beside the test's. */
const char *job_line(const struct job *job, struct span span);
/* "loop at :7 can go round more often than it was unrolled". */
const char *job_open_loop(const struct job *job, struct span loop);

/* Which accesses are single copies: only a model that says it has others. */
enum tearing job_tearing(const struct job *job);

/* "exists (1:r0=1)"; in the job's arena. */
const char *job_question(const struct job *job);

/* Since the work on the test began, reading included. */
double job_milliseconds(const struct job *job);
/* What a search of the ways that loops go round may take, in Z3's measure, so that the answer does not depend on the machine: a
 * few seconds; a multiple of it with as many times the usual --timeout. */
unsigned job_rounds_effort(const struct job *job);
/* Seconds of --timeout that the test has left, for one more question of many; 0 only without a
 * limit. */
double job_time_left(const struct job *job);
/* Seconds, monotonic. */
double job_clock(void);

#endif
