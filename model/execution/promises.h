/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_PROMISES_H
#define MODEL_EXECUTION_PROMISES_H

#include "model/execution/execution.h"

/* Asserts what execution.h promises of a complete execution. Nothing in a release build. */
#ifdef NDEBUG
#define execution_promises(execution) ((void)(execution))
#else
void execution_promises(const struct execution *execution);
#endif

#endif
