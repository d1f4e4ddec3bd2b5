/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIBRARY_PTXLIT_H
#define CLI_LIBRARY_PTXLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libptxlit: litmus tests of the NVIDIA PTX / CUDA memory model, from a C program.
 *
 * A context holds a memory model and limits; tests are read with it and checked by it. A context and
 * its tests belong to one thread at a time; contexts share nothing, so each thread may have its own.
 * Nothing is printed and nothing exits: what goes wrong comes back as a value. (Only when the system
 * itself refuses memory to GLib does GLib end the process.)
 *
 * Structures are made by the library and only read by its user; later versions append fields. */

#ifdef __cplusplus
extern "C" {
#endif

#define PTXLIT_API __attribute__((visibility("default")))

typedef struct ptxlit_context ptxlit_context;
typedef struct ptxlit_test ptxlit_test;

/* Of the library that runs, which may be later than the header: "0.1.0". */
PTXLIT_API const char *ptxlit_version(void);

/* ---- contexts ------------------------------------------------------------------------------- */

PTXLIT_API ptxlit_context *ptxlit_new(void);          /* model "ptx", limits as below */
PTXLIT_API void ptxlit_free(ptxlit_context *context); /* its tests too; accepts NULL */

/* Limits, by the names that the command line has for them, for all later calls:
 *   "timeout"       seconds a call; 60; 0: none
 *   "memory-limit"  MiB that the context holds, and Z3, which counts for the whole process; 2048; 0: none
 *   "unroll"        how often a loop that is no spin loop is unrolled; 8
 *   "states"        how many final states are listed; 0: chosen from the size of the test
 * False, and nothing changes: no such name, or a value out of its range. */
PTXLIT_API bool ptxlit_set(ptxlit_context *context, const char *name, double value);

enum ptxlit_status {
    PTXLIT_OK,
    PTXLIT_REFUSED, /* what was to be read is wrong: the diagnostics say what */
    PTXLIT_TIME,    /* a limit ended the call */
    PTXLIT_MEMORY,
};

/* The model for tests that are read from now on: a bundled one ("ptx", "ptx-6.0", …), or a cat file. */
PTXLIT_API enum ptxlit_status ptxlit_use_model(ptxlit_context *context, const char *name_or_file);
/* The same from a text, which may include the bundled models; 'name' is for diagnostics. Neither is
 * kept. */
PTXLIT_API enum ptxlit_status ptxlit_use_model_text(ptxlit_context *context, const char *name,
                                                    const char *text, size_t length);

/* What the last call that read a model or a test has to say of it; it may warn of one that it accepts.
 * Until the next such call. */
enum ptxlit_severity { PTXLIT_ERROR, PTXLIT_WARNING, PTXLIT_NOTE };
struct ptxlit_diagnostic {
    enum ptxlit_severity severity;
    const char *code;      /* permanent: "L032"; docs/diagnostics.md explains it */
    const char *file;      /* as it was named; NULL: no place in a text */
    unsigned line, column; /* from 1; columns count bytes; 0 without a place */
    const char *message;   /* one line */
    const char *hint;      /* "did you mean …", or NULL */
    const char *text;      /* all of it for people: several lines, with the place shown */
};
PTXLIT_API size_t ptxlit_diagnostic_count(const ptxlit_context *context);
PTXLIT_API const struct ptxlit_diagnostic *ptxlit_diagnostic(const ptxlit_context *context,
                                                             size_t index);

/* ---- tests ---------------------------------------------------------------------------------- */

/* Reads a test, to be judged by the model in use now. *test is NULL unless the answer is PTXLIT_OK. */
PTXLIT_API enum ptxlit_status ptxlit_read_file(ptxlit_context *context, const char *path,
                                               ptxlit_test **test);
PTXLIT_API enum ptxlit_status ptxlit_read_text(ptxlit_context *context, const char *name,
                                               const char *text, size_t length, ptxlit_test **test);
PTXLIT_API const char *ptxlit_test_name(const ptxlit_test *test);
PTXLIT_API void ptxlit_test_free(ptxlit_test *test); /* accepts NULL */

/* ---- what is allowed ------------------------------------------------------------------------ */

enum ptxlit_verdict {
    PTXLIT_HOLDS,     /* the test's condition holds */
    PTXLIT_FAILS,     /* it does not */
    PTXLIT_UNDECIDED, /* not known: 'why' says why. Never to be read as one of the two */
    PTXLIT_DEFECT,    /* the library caught itself in a mistake: 'why' is worth a report */
};

struct ptxlit_result {
    enum ptxlit_verdict verdict;
    const char *why;         /* UNDECIDED, DEFECT: the reason; else NULL */
    const char *condition;   /* "exists (1:r0=1 /\ 1:r1=0)" */
    const char *observation; /* of its proposition: "always", "sometimes", "never", "unknown" */
    bool complete;           /* no allowed final state is missing from the outcomes */
    size_t outcomes;         /* allowed final states found */
    size_t positive;         /* of these: how many satisfy the proposition */
    size_t races;            /* pairs of accesses that the model flags */
    bool races_complete;     /* no such pair is missing */
    size_t undefined;        /* kinds and places of undefined behaviour met */
    const char *hang;        /* a barrier that may wait for ever, or NULL */
    double seconds;          /* taken by the check */
};

/* Searches every execution that the model allows. Never NULL. The result and all that is asked about
 * it below live until the next ptxlit_check of this test or its end. */
PTXLIT_API const struct ptxlit_result *ptxlit_check(ptxlit_test *test);

/* A final state: what the condition and 'locations' name, sorted. */
struct ptxlit_outcome {
    const char *text;         /* "1:r0=1; [x]=2;" */
    bool positive;            /* satisfies the proposition */
    bool race;                /* some execution that ends here has a data race */
    size_t count;             /* of values */
    const char *const *names; /* "1:r0", "[x]" */
    const uint64_t *values;   /* the bits, zeros above */
    bool race_free;           /* some execution that ends here has none */
    bool races_decided; /* false: where race or race_free is false, the search stopped early */
};
/* Calls 'each' for the outcomes of the last check, in order, until it answers false. False: it did. */
typedef bool ptxlit_each_outcome(const struct ptxlit_outcome *outcome, void *data);
PTXLIT_API bool ptxlit_outcomes(const ptxlit_test *test, ptxlit_each_outcome *each, void *data);

struct ptxlit_access {
    const char *thread;    /* "P0"; "init" for initial values */
    const char *text;      /* "st.weak.u32 [x], 1" */
    unsigned line, column; /* in the test */
};
struct ptxlit_race {
    const char *flag; /* as the model calls it: "data-race" */
    struct ptxlit_access first, second;
};
struct ptxlit_undefined {
    const char *name; /* "bad-member-mask" */
    const char *detail;
    unsigned line, column; /* 0: no one place */
};
/* Of the last check; NULL past the end. */
PTXLIT_API const struct ptxlit_race *ptxlit_race(const ptxlit_test *test, size_t index);
PTXLIT_API const struct ptxlit_undefined *ptxlit_undefined(const ptxlit_test *test, size_t index);

/* ---- why ------------------------------------------------------------------------------------ */

struct ptxlit_explanation {
    /* Of the proposition; of a forall: of its negation. */
    enum { PTXLIT_FORBIDDEN, PTXLIT_ALLOWED, PTXLIT_UNEXPLAINED } kind;
    const char *why;           /* UNEXPLAINED: the reason; else NULL */
    size_t axiom_count;        /* FORBIDDEN: a minimal set of axioms that suffices; */
    const char *const *axioms; /* none when the program's values alone exclude it */
    const char *text; /* for people: the cycle edge by edge, or the execution that gets there */
};
/* Never NULL; lives until the next ptxlit_explain of this test or its end. Needs no ptxlit_check. */
PTXLIT_API const struct ptxlit_explanation *ptxlit_explain(ptxlit_test *test);

#ifdef __cplusplus
}
#endif

#endif
