/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include <jansson.h>

#include "cli/work/batch.h"
#include "cli/work/shard.h"

/* The parts of 'ptxlit report'. A worker makes an object of each test; the parent makes the files
 * of all objects. docs/report.schema.json describes them. */

/* In a worker: prints the object of a test, with its picture under "svg". */
test_work report_test;

/* All objects, and what they sum up to. */
struct report {
    const struct options *options;
    json_t *tests;                              /* array, in the order of the inputs */
    json_t *changes;                            /* since the baseline: array, or NULL */
    uint32_t met, missed, open, errors, silent; /* expectations; 'silent': nothing is expected */
    bool executor;                              /* some test was run by the executor */
    struct shard shard;
    uint32_t unsound;      /* tests in which the executor reaches what is not allowed */
    bool hardware;         /* a GPU showed some test */
    uint32_t contradicted; /* tests in which it showed what is not allowed */
};

/* "fail", "open", "error", "pass": what a reader has to look at. A test that expects nothing passes
 * when it has a verdict. */
const char *report_outcome(const json_t *test);
/* Does the executor reach what is not allowed? Did a GPU show that? */
bool report_unsound(const json_t *test);
bool report_contradicted(const json_t *test);
/* The name of the model as JSON and XML can hold it. The caller frees it. */
char *report_model(const struct report *report);
/* One sentence: does it conform, with the numbers. The caller frees it. */
char *report_sentence(const struct report *report);
/* The value of a key as text, or "". */
const char *report_text(const json_t *object, const char *key);
/* The folder that a test's file lies in. In 'arena' or a constant. */
char *report_family(const json_t *test);

/* Makes the folder of '-o'; false after saying on standard error why not. */
bool report_folder(const struct options *options);
/* Counts, compares with the baseline, writes the files (*written: all of them) and prints the
 * sentence; gives the exit status, which begins as 'status'. */
int report_finish(struct report *report, int status, bool *written);

void report_html(const struct report *report, GString *out);
void report_junit(const struct report *report, GString *out);

#endif
