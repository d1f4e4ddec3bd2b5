/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_PRINTER_H
#define LITMUS_PRINT_PRINTER_H

#include <glib.h>

#include "litmus/print/print.h"

/* Private to print*.c: each appends to 'out'. */
struct printer {
    GString *out;
    const struct test *test;
    struct arena *arena;
    bool ptxas; /* for ptxas: locations are registers that hold addresses (print_ptxas.c) */
};

void printer_inst(struct printer *printer, const struct body *body, const struct inst *inst);
void printer_question(struct printer *printer);
void printer_init(struct printer *printer); /* "{ … }" */
void printer_location(struct printer *printer, const struct location *location, bool ptx);
void printer_kernel(struct printer *printer, uint32_t body);
/* Without ';'. 'stream' is the launch's in a host program, else NULL. */
void printer_launch(struct printer *printer, const struct launch *launch, const char *stream);
void printer_host(struct printer *printer, uint32_t thread); /* "host H { … }" */
void printer_platform(struct printer *printer);
/* Locations in the order of their declarations, then those made by use; 'count' of them. */
const struct location **printer_locations(struct printer *printer, uint32_t kernel,
                                          uint32_t *count);

#endif
