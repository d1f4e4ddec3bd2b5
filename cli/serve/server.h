/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_SERVER_H
#define CLI_SERVE_SERVER_H

#include "cli/serve/corpus.h"

/* Serves the page until the process is ended. Otherwise the exit status: it could not begin, and standard error says why. */
int playground_run(const struct options *options, const struct corpus *corpus);

#endif
