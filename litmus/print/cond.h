/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_COND_H
#define LITMUS_PRINT_COND_H

#include "litmus/print/printer.h"

/* What the test asks. */
void printer_question(struct printer *p);

#endif
