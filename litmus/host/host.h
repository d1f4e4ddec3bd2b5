/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_HOST_H
#define LITMUS_HOST_HOST_H

#include "litmus/parse/parser.h"

/* "host NAME { … }", "hostfn NAME { … }", "platform { … }": the host side of a test, in the words of C++. */
bool host_at(const struct parser *p);
void host_item(struct parser *p); /* the current token is that word */
/* After the last item: host code becomes calls and instructions, as docs/host-programs.md says. */
void host_finish(struct parser *p);

#endif
