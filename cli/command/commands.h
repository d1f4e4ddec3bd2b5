/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_COMMANDS_H
#define CLI_COMMAND_COMMANDS_H

#include "cli/options/options.h"

/* The commands of commands.def, each in a file of its name. All print, and return the exit status. */
typedef int command_function(const struct options *options);
#define COMMAND(id, ...) command_function command_##id;
#include "cli/options/commands.def"
#undef COMMAND

#endif
