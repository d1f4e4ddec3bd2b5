/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include "cli/report/clauses.h"
#include "cli/report/families.h"
#include "cli/report/times.h"
#include "cli/show/json.h"
#include "cli/work/batch.h"
#include "cli/work/shard.h"

/* What the files of 'ptxlit report' share. A worker makes an object of each test; the parent makes
 * the files from all objects. docs/report.schema.json describes them. */

/* In a worker: prints the object of a test, with its picture under "svg". */
test_work report_test;

enum report_outcome {
#define OUTCOME(id, ...) OUTCOME_##id,
#include "cli/report/outcome.def"
#undef OUTCOME
    OUTCOME_COUNT
};
/* A row of outcome.def. */
struct report_outcome_row {
    const char *class, *word, *element, *type;
};
extern const struct report_outcome_row report_outcomes[OUTCOME_COUNT];

enum { REPORT_VERSION = 1 };

/* A report in the making. What a test leaves in memory is its name, and words that many tests share; the rest is in
 * files at once. */
struct report {
    /* given */
    const struct options *options;
    const char *digest; /* of the model's text; NULL: it is computed */
    double started;     /* seconds, monotonic */
    struct shard shard;
    /* what the tests so far sum up to */
    uint32_t tests, outcomes[OUTCOME_COUNT];
    uint32_t silent;       /* tests that pass and expect nothing */
    bool executor;         /* some test was run by the executor */
    uint32_t unsound;      /* tests in which the executor reaches what is not allowed */
    bool hardware;         /* a GPU showed some test */
    uint32_t contradicted; /* tests in which it showed what is not allowed */
    double seconds;        /* that they took */
    json_t *models;        /* by which tests were judged: strings, in the order of the tests */
    json_t *attention;     /* outcomes: what is shown of the first tests that need it */
    json_t *changes;       /* since the baseline: array, or NULL */
    struct families families;
    struct times times;
    struct exercise exercise;
    /* what is being written */
    struct baseline *baseline;
    struct report_part *json, *junit, *script;
    struct table *table;
    struct sections *sections;
};

/* What a reader has to look at. A test that expects nothing passes when it has a verdict. */
enum report_outcome report_outcome(const json_t *test);
/* Does the executor reach what is not allowed? Did a GPU show that? */
bool report_unsound(const json_t *test);
bool report_contradicted(const json_t *test);
/* The name of the model by which the tests were judged, as JSON and XML can hold it; where there are several, since tests
 * in C++ have one of their own, that of tests in PTX. The caller frees it. */
char *report_model(const struct report *report);
/* How it was made, an object: the program and the digest of the model's text; unless times are left out the
 * command line, the host, the date and the seconds it took. */
json_t *report_made(const struct report *report);
/* What the model says of the condition's proposition: "allowed", "forbidden", or in a word why there is no answer. */
const char *report_answer(const json_t *test);
/* Adds a test to the sums. */
void report_count(struct report *report, const json_t *test);
/* One sentence: does it conform, with the numbers. The caller frees it. */
char *report_sentence(const struct report *report);
/* The folder that a test's file lies in. The caller frees it. */
char *report_family(const json_t *test);

/* Makes the folder of '-o'; false after saying on standard error why not. */
bool report_folder(const struct options *options);
/* The journal of that folder, whose lock the writer of a report holds. The caller frees it. */
char *report_journal(const struct options *options);
/* Says on standard error why it cannot be had, which errno tells. */
void report_journal_refused(const char *path);
/* Begins to write; false after saying on standard error why it cannot. */
bool report_open(struct report *report);
/* The next test; it stays the caller's. */
void report_take(struct report *report, const json_t *test);
/* Puts the files in their place (*written: all of them) and prints the sentence; gives the exit status, which
 * begins as 'status'. */
int report_finish(struct report *report, int status, bool *written);
/* Also of a report that was not opened, or not finished. */
void report_close(struct report *report);

/* What the templates of a test's section and of its case in JUnit are filled with. The caller owns it. */
json_t *report_view_test(const json_t *test);
/* The same of the page, and of JUnit. */
json_t *report_view(const struct report *report);

#endif
