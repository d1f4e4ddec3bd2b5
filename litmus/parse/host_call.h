/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_HOST_CALL_H
#define LITMUS_PARSE_HOST_CALL_H

#include "litmus/parse/parser.h"

/* "cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s)" and launches, for the host that comes next in
 * parser->host_threads. The number of the call, or NONE after a report. */
bool parse_at_host_call(const struct parser *p);
uint32_t parse_host_call(struct parser *p);
uint32_t parse_host_launch(struct parser *p); /* with "label:" before */
/* The object of the name, made when it is new; reports one of another kind. */
uint32_t parse_host_object(struct parser *p, struct span name, enum host_object_kind kind);

#endif
