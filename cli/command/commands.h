/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_COMMANDS_H
#define CLI_COMMAND_COMMANDS_H

#include "cli/options/options.h"

/* The commands of this build; each in a file of its name. All print, and return the exit status. */
command_function command_check, command_compare, command_compare_models, command_outcomes,
    command_explain, command_print, command_models, command_report, command_merge, command_run,
    command_emit;

#endif
