/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_READ_PROGRESS_H
#define LITMUS_READ_PROGRESS_H

#include "litmus/parse/parser.h"

/* "progress gpu: obe": the scheduler of the test, if the comment 'text' names one: 'progress', and a colon, or
 * scopes with a colon each, or one word. Another comment that begins with that word is a comment. */
void progress_comment(struct parser *p, const char *text, struct span span);

#endif
