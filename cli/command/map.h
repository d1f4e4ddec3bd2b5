/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_MAP_H
#define CLI_COMMAND_MAP_H

#include "cli/answer/why/soundness.h"
#include "cli/work/batch.h"

/* 'ptxlit map FILE --check': what the mapping makes of one test in C++, held against the test. */
enum verdict map_check(struct batch_job *one, const struct mapping_table *mapping);
/* 'ptxlit map --bound N': the same of every program of up to N events. Gives the exit status; what is wrong
 * with the question is in 'diags'. */
int map_bound(const struct options *options, struct arena *arena,
              const struct mapping_table *mapping, struct diag_list *diags);

/* One line, and with 'shown' below it a counterexample. */
void map_print_soundness(const struct soundness *soundness, bool shown, GString *out);
/* Or null, of what is not unsound. */
json_t *map_json_counterexample(const struct soundness *soundness);

#endif
