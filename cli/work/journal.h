/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_JOURNAL_H
#define CLI_WORK_JOURNAL_H

#include "cli/options/options.h"
#include "cli/work/pool.h"
#include "cli/work/walk.h"
#include "model/cat/cat.h"

/* The results of a long run, kept in a file as they come, so that an interrupted run can go on.
 * Each test has a line under a key that is made of all that its result depends on: where the test,
 * the model, the program or an option has changed, the test is worked on again. */

struct journal;

/* The journal in the file 'path', for this process alone until it is closed. With 'resume' it
 * begins with what the file holds (nothing when there is no file; a line that is damaged counts for
 * nothing), otherwise empty. NULL when it cannot be written: errno says why, EAGAIN when another
 * run has it. */
struct journal *journal_open(const char *path, bool resume);
/* Ends it; the file stays when 'keep'. */
void journal_close(struct journal *journal, bool keep);
/* Does the file hold nothing? */
bool journal_is_empty(const struct journal *journal);

/* A test of this run has no result: only another run can give it one. */
void journal_miss(struct journal *journal);
/* Was any missed? */
bool journal_lacks(const struct journal *journal);

/* What the results of a run have in common: this program, the model and the options. In 'arena'. */
const char *journal_run(struct arena *arena, const struct options *options,
                        const struct cat_model *model);
/* The key of one test in such a run. In 'arena'. */
const char *journal_key(struct arena *arena, const char *run, const struct input *input);

/* The kept result, whose strings the caller frees; false when there is none. */
bool journal_recall(const struct journal *journal, const char *key, struct result *result);
/* The bytes are with the system when this returns. False when they cannot be written: errno says
 * why. */
bool journal_keep(struct journal *journal, const char *key, const struct result *result);

#endif
