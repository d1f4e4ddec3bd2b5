/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_MAP_H
#define CLI_COMMAND_MAP_H

#include "cli/answer/mapped.h"
#include "cli/work/batch.h"

/* 'ptxlit map FILE --check': what the mapping makes of one test in C++, held against the test. */
enum verdict map_check(struct batch_job *one, const struct mapping_table *mapping);
#endif
