/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_READ_READ_H
#define LITMUS_READ_READ_H

#include "litmus/base/diag.h"
#include "litmus/parse/opaque.h"
#include "litmus/test/test.h"

/* The test in the source, checked and complete, or NULL after errors: several a run, in 'diags'.
 * Warnings may come with a test. Everything is made in 'arena' and refers to 'source', which must
 * live as long. Kernels of PTX that no launch runs may hold what cannot be read: then they are left out. Language: docs/litmus-language.md. */
struct test *litmus_parse(struct arena *arena, const struct source *source,
                          struct diag_list *diags);

/* The same of a program of CUDA C++ in which the kernels of the list are code that is not modelled (host.h): they do
 * nothing, and what they may write is not known. */
struct test *litmus_parse_opaque(struct arena *arena, const struct source *source,
                                 struct opaque_list opaque, struct diag_list *diags);

/* A whole .ptx module: a test with its kernels as bodies, its variables as locations, no threads
 * and nothing asked. Types may not be left out. NULL after errors. */
struct test *litmus_parse_module(struct arena *arena, const struct source *source,
                                 struct diag_list *diags);

/* The same, but of the kernels only those that 'entry' names (or is a part of the name of; NULL: all),
 * and of the functions those that they call: others may hold anything that braces enclose. */
struct test *litmus_parse_entry(struct arena *arena, const struct source *source, const char *entry,
                                struct diag_list *diags);

/* The kernels of a module with their names and parameters, and no code; nothing is reported. */
struct body *litmus_kernels(struct arena *arena, const struct source *source, uint32_t *count);

#endif
