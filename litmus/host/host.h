/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_HOST_H
#define LITMUS_HOST_HOST_H

#include "litmus/parse/parser.h"

/* "host NAME { … }", "hostfn NAME { … }", "platform { … }": the host side of a test, in the words of C++. */
bool host_at(const struct parser *p);
void host_item(struct parser *p); /* the current token is that word */
/* After the last item: host code becomes calls and instructions, as docs/host-programs.md says. */
void host_finish(struct parser *p);
/* Does the name at the current token stand for a variable of a program? Then it is passed, the term is set, and
 * '*good' is false after a report. */
bool host_question_name(struct parser *p, struct cond_term *term, bool *good);
/* When the test is made: does its question depend on code that is not modelled? test->host->unmodelled is set. */
void host_settle_gaps(struct parser *p);

#endif
