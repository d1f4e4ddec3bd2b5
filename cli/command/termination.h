/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_TERMINATION_H
#define CLI_COMMAND_TERMINATION_H

#include "cli/work/batch.h"

/* check --property termination: does every fair execution of the test end? */
test_work termination_check;

#endif
