/* SPDX-License-Identifier: MIT */
#ifndef CLI_LSP_SERVER_H
#define CLI_LSP_SERVER_H

#include "cli/options/options.h"

/* Serves the editor at the other end of standard input and output until it says 'exit'. The exit status: 0 when it said
 * 'shutdown' before. */
int server_run(const struct options *options);

#endif
