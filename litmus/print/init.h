/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_INIT_H
#define LITMUS_PRINT_INIT_H

#include "litmus/print/printer.h"

void printer_init(struct printer *p); /* "{ … }" */
/* The locations that the kernel declares (NONE: the test), in the order of their declarations, then
 * those made by use; NULL ends them. */
const struct location **printer_locations(struct printer *p, uint32_t kernel);
/* A declaration; 'ptx': in PTX's dotted words. */
void printer_location(struct printer *p, const struct location *location, bool ptx);

#endif
