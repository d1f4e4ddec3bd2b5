/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_FAILURE_H
#define CLI_SHOW_FAILURE_H

#include <glib.h>

#include "cli/answer/verdict.h"
#include "cli/options/options.h"

/* A test without an answer: it could not be read, or its worker could not finish it. */
struct failure {
    const char *path, *test; /* 'test' may be "" */
    enum verdict verdict;    /* VERDICT_UNDECIDED or VERDICT_ERROR */
    const char *message;     /* one line: the first error's headline, or what was exceeded */
    double milliseconds;
};

/* Prints it as a result, in text or JSON, so that no test disappears from one. */
void failure_print(const struct options *options, const struct failure *failure, GString *out);

#endif
