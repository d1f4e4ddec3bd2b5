/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_HOST_H
#define LITMUS_PARSE_HOST_H

#include "litmus/parse/parser.h"

/* "host NAME { … }", "hostfn NAME { … }", "platform { … }". */
bool parse_at_host(const struct parser *p);
void parse_host(struct parser *p); /* the current token is that word */
/* The host thread or function of the name; false, and NONE: there is none. */
bool parse_find_host(const struct parser *p, struct span name, uint32_t *index);
void parse_finish_host(struct parser *p); /* after the last item */

#endif
