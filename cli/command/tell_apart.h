/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_TELL_APART_H
#define CLI_COMMAND_TELL_APART_H

#include "cli/command/generator_work.h"
#include "cli/work/walk.h"

/* Generated tests that have other final states under one model than under the other. */
struct told_apart {
    struct input_list tests; /* all of the smallest size that has one, in the order of the parts */
    uint64_t tried, open;    /* tests that were asked about; of them, those not decided */
    bool complete;           /* no part was lost */
};
/* Size by size, up to the first with a test: instructions of programs, edges of cycles. The models are
 * those of options->arguments. False after an error, which standard error has. */
bool tell_apart(struct arena *arena, const struct options *options, struct told_apart *told);

#endif
