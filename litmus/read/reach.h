/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_READ_REACH_H
#define LITMUS_READ_REACH_H

#include "litmus/parse/parser.h"

/* The outline of a text: where the code of its kernels and functions lies and which of it can be reached.
 * Code that cannot be reached may hold anything that braces enclose, and variables of a module that nothing
 * else names may be declared in any way, so the text is read again with blanks in their place: diagnostics
 * concern only what runs, and their places are those of the file. */
struct reach {
    struct parser parser; /* after 'reach_start' its caller reads the text with it */
    bool *needed;         /* by raw body */
};

/* The parser reports to a list that nobody reads, and to the end of the text whatever is wrong. */
void reach_start(struct reach *reach, struct arena *arena, const struct source *source);
/* After reading: nothing is needed yet. */
void reach_outlined(struct reach *reach);
/* The body, and the functions that it calls. */
void reach_need(struct reach *reach, uint32_t body);
/* What launches run, and all that is not a kernel or function of PTX. */
void reach_need_launched(struct reach *reach);
/* The text with blanks for the code of what is not needed ('whole': for its head, too, as for one that cannot be read), or NULL when
 * everything is. */
const struct source *reach_source(const struct reach *reach, bool whole);

#endif
