/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_EVAL_H
#define LITMUS_HOST_EVAL_H

/* Private to what turns host code into calls and instructions. The code is run as far as it can be
 * while it is read: a number, a stream, a pointer that is known becomes what it stands for, a loop
 * whose condition is known is unrolled, a function is read at its call. What depends on memory or on the result
 * of a query is left to the instructions of the thread's body. A function that returns bool is false
 * after a report. */

#include "litmus/host/class.h"
#include "litmus/host/context.h"
#include "litmus/host/emit.h"
#include "litmus/host/expression.h"
#include "litmus/host/function.h"
#include "litmus/host/launch.h"
#include "litmus/host/method.h"
#include "litmus/host/place.h"
#include "litmus/host/runtime.h"
#include "litmus/host/statement.h"
#include "litmus/host/thread.h"
#include "litmus/host/type.h"
#include "litmus/host/variable.h"

#endif
