/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_HOST_H
#define LITMUS_PRINT_HOST_H

#include "litmus/print/printer.h"

/* The platform and the host threads. */
void printer_host(struct printer *p);

#endif
