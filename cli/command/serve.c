/* SPDX-License-Identifier: MIT
 *
 * ptxlit serve: a playground in the browser. */
#include "cli/serve/guard.h"
#include "cli/serve/server.h"

#include <stdio.h>

#include "cli/answer/verdict.h"
#include "cli/command/commands.h"

/* Other machines reach it only when that was asked for. */
static bool is_address_good(const struct options *options)
{
    if (guard_is_local(options) || options->public)
        return true;
    fprintf(stderr,
            "ptxlit: %s: '--address %s' lets others in: say with '--public HOST' by which name\n",
            diag_code(DIAG_option_value), options->address);
    return false;
}

int command_serve(const struct options *options)
{
    struct corpus corpus;
    if (!is_address_good(options))
        return EXIT_WRONG_INPUT;
    int status = EXIT_WRONG_INPUT;
    if (corpus_read(&corpus, options))
        status = playground_run(options, &corpus);
    corpus_end(&corpus);
    return status;
}
