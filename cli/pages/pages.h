/* SPDX-License-Identifier: MIT */
#ifndef CLI_PAGES_PAGES_H
#define CLI_PAGES_PAGES_H

#include <stdbool.h>

#include "cli/options/options.h"

/* What is made from the tables of commands and options while building and installed beside the
 * program: its manual page and what shells know of its words. Each prints to standard output. */
void pages_man(void);
void pages_bash(void);
void pages_zsh(void);
void pages_fish(void);

/* Is the command in this build, and does it take the option? */
bool pages_takes(const struct command *command, const struct option_row *row);
/* What completes an option's argument. */
enum argument { ARGUMENT_NONE, ARGUMENT_WORD, ARGUMENT_FILE, ARGUMENT_FOLDER, ARGUMENT_MODEL };
enum argument pages_argument(const struct option_row *row);

#endif
