/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_PRINTER_H
#define LITMUS_PRINT_PRINTER_H

#include <glib.h>

#include "litmus/print/print.h"

/* Private to this folder: the parts of printing a test. Each function appends to 'out'. */
struct printer {
    GString *out;
    const struct test *test;
    struct arena *arena;
    bool ptxas; /* for ptxas: locations are registers that hold addresses (print_ptxas.c) */
};

#define put(p, text)       g_string_append((p)->out, text)
#define put_char(p, c)     g_string_append_c((p)->out, c)
#define put_format(p, ...) g_string_append_printf((p)->out, __VA_ARGS__)

void printer_inst(struct printer *p, const struct body *body, const struct inst *inst);
void printer_question(struct printer *p);
void printer_init(struct printer *p); /* "{ … }" */
void printer_location(struct printer *p, const struct location *location, bool ptx);
void printer_kernel(struct printer *p, uint32_t body);
/* Without ';'. 'stream' is the launch's in a host program, else NULL. */
void printer_launch(struct printer *p, const struct launch *launch, const char *stream);
void printer_host(struct printer *p, uint32_t thread); /* "host H { … }" */
void printer_platform(struct printer *p);
/* Locations in the order of their declarations, then those made by use; 'count' of them. */
const struct location **printer_locations(struct printer *p, uint32_t kernel, uint32_t *count);

#endif
