/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_TEXT_H
#define CLI_SHOW_TEXT_H

#include <glib.h>

#include "cli/answer/answer.h"
#include "cli/answer/expect.h"
#include "cli/options/options.h"

/* Results for people: herd's block, which herd's tools can read, and lines after it that they
 * skip. */
void text_expectation(const struct expect_result *expected, GString *out);
void text_answer(const struct options *options, const struct answer *answer,
                 const struct expect_result *expected, GString *out);
/* The lines after the block: races, undefined behaviour, limits. */
void text_remarks(const struct answer *answer, GString *out);
/* herd's word for what a condition claims: "Allowed", "Forbidden", "Required". */
const char *text_kind(enum quantifier quantifier);
/* "Ok", "No", "Undecided" or "Error" on a line, coloured on a terminal. */
void text_verdict(enum verdict verdict, GString *out);
/* What device code printed; our own line behind it begins a line. */
void text_printed(const char *printed, GString *out);
/* herd's "Time NAME seconds", unless --no-time. */
void text_time(const struct options *options, const char *test, double milliseconds, GString *out);

#endif
