/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_KERNEL_H
#define LITMUS_PRINT_KERNEL_H

#include "litmus/print/printer.h"

void printer_kernel(struct printer *p, uint32_t body);
/* Without ';'. 'stream' is the launch's in a host program, else NULL. */
void printer_launch(struct printer *p, const struct launch *launch, const char *stream);

#endif
