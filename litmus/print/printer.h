/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_PRINTER_H
#define LITMUS_PRINT_PRINTER_H

#include <glib.h>

#include "litmus/print/print.h"

/* Private to this folder: a text that is being printed. Each function printer_… appends to 'out'. */
struct printer {
    GString *out;
    const struct test *test;
    struct arena *arena;
    const struct body *body; /* whose code is printed */
    /* For ptxas: locations are registers that hold addresses (print_ptxas); of the two that may run the
     * code, the other is NULL. */
    bool ptxas;
    const struct column *column;
    const struct launch *launch;
    /* In host code: what writes each temporary, by register, and the depth of blocks. */
    const struct inst **writers;
    unsigned depth;
};

#define put(p, text)       g_string_append((p)->out, text)
#define put_char(p, c)     g_string_append_c((p)->out, c)
#define put_format(p, ...) g_string_append_printf((p)->out, __VA_ARGS__)

#endif
