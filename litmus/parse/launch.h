/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_LAUNCH_H
#define LITMUS_PARSE_LAUNCH_H

#include "litmus/parse/parser.h"

bool parse_at_launch(const struct parser *p);
/* "K(x)", where kernels come from a file: its shape is missing, as parse_bare_call reports. */
bool parse_at_bare_call(const struct parser *p);
void parse_bare_call(struct parser *p);
/* "label: K<<<grid, block, shared>>>(args) @ gpu 0 cluster 2": the launch's index is the last one;
 * launch->kernel stays NONE, the name goes to the same index of parser->launch_kernels. False after
 * a report. */
bool parse_labelled_launch(struct parser *p);
void parse_top_launch(struct parser *p); /* and ';' after */
/* Of the list p->opaque, by its name in PTX; or NULL. */
const struct opaque_kernel *parse_is_opaque(const struct parser *p, const char *name);
/* The kernel of that name, or the only one that has it in C++, or NONE; '*matches': how many have. */
uint32_t parse_find_kernel(const struct parser *p, const char *text, uint32_t *matches);
/* Has the body of that index, which is a kernel's, the name in PTX or in C++? */
bool parse_is_kernel_called(const struct parser *p, uint32_t index, const char *text);
void parse_resolve_launches(struct parser *p); /* after the last kernel */

#endif
