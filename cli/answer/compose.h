/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_COMPOSE_H
#define CLI_ANSWER_COMPOSE_H

#include <stdbool.h>

#include "cli/answer/input.h"
#include "cli/options/settings.h"

/* A test made of a .ptx or .cu file and of the options --with, --launch, --init, --exists, --forall and
 * --never: a text in which each of them is a piece with its own name. */

/* Is the file compiled code, or source that can be compiled? */
bool compose_is_code(const char *path);
/* Was one of the options given? */
bool compose_is_asked(const struct settings *settings);
/* The module of a .ptx or .cu file alone; NULL after an error. */
const struct source *compose_module(struct arena *arena, const char *path,
                                    const struct source_files *files, struct diag_list *diags);
/* A test of nothing but the memory that --with declares and --init fills; NULL after an error. */
const struct test *compose_memory(struct arena *arena, const struct settings *settings,
                                  struct diag_list *diags);
/* The head of the text of a test of that name, with that memory: its initial state may go on. */
const char *compose_head(struct arena *arena, const char *name, const struct settings *settings);
/* The input's text, or the text of the test that the options make of it; NULL after an error in 'diags'. */
const struct source *compose_read(struct arena *arena, const struct input *input,
                                  const struct settings *settings, const struct source_files *files,
                                  struct diag_list *diags);

#endif
