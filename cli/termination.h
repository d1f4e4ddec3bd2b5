/* SPDX-License-Identifier: MIT */
#ifndef CLI_TERMINATION_H
#define CLI_TERMINATION_H

#include "cli/batch.h"

/* check --property termination: does every fair execution of the test end? */
test_work check_termination;

#endif
