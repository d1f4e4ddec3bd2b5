/* SPDX-License-Identifier: MIT */
#include "cli/show/style.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool coloured(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
           !(term && strcmp(term, "dumb") == 0);
}

const char *style_on(enum style style)
{
    static const char *const escapes[] = {[STYLE_GOOD] = "\033[32m",
                                          [STYLE_BAD] = "\033[31m",
                                          [STYLE_OPEN] = "\033[33m",
                                          [STYLE_STRONG] = "\033[1m"};
    return coloured() ? escapes[style] : "";
}

const char *style_off(void)
{
    return coloured() ? "\033[0m" : "";
}
