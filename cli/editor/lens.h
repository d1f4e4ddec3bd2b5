/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_LENS_H
#define CLI_EDITOR_LENS_H

#include <jansson.h>

#include "cli/answer/answer.h"
#include "cli/editor/reading.h"

/* The verdict of a test in a line, shown where its question stands. */

/* The question's place; false: the text is no test that was read. */
bool lens_place(const struct editor_text *text, struct span *place);
/* "forbidden by ptx: none of 3 final states". Searches, which takes a process of its own. In the job's arena. */
const char *lens_title(struct job *job);
/* The same of an answer that is there. */
const char *lens_words(const struct answer *answer);

#endif
