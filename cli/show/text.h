/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_TEXT_H
#define CLI_SHOW_TEXT_H

#include "cli/answer/answer.h"
#include "cli/answer/expect.h"

/* Results for people, in herd's block, which herd's tools read too: they skip the lines after it.
 */
void text_expectation(const struct expect_result *expected, GString *out);
void text_answer(const struct answer *answer, const struct expect_result *expected, GString *out);
/* The lines after the block: races, undefined behaviour, limits. */
void text_remarks(const struct answer *answer, GString *out);
/* "Ok", "No", "Undecided" or "Error" on a line, coloured on a terminal. */
void text_verdict(enum verdict verdict, GString *out);
/* herd's "Time NAME seconds", unless --no-time. */
void text_time(const struct options *options, const char *test, double milliseconds, GString *out);

#endif
