/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CONFIRM_CONFIRM_H
#define TESTS_CONFIRM_CONFIRM_H

#include "model/theory/theory.h"

/* Do the facts of the violation alone imply it? Evaluates bounds of the model from nothing but the
 * facts, and shares no code with what found them. */
bool confirm_violation(struct theory *theory, const struct violation *violation);

#endif
