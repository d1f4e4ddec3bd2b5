/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_HOST_RULE_H
#define LITMUS_TEST_HOST_RULE_H

#include "litmus/test/host_call.h"

/* Numbers of what a test may leave out (unfold_options.without): those of enum host_misuse, then these. */
enum host_rule {
    HOST_RULE_FIRST = HOST_MISUSE_COUNT - 1,
#define RULE(id, what) HOST_RULE_##id,
#include "litmus/test/host_rule.def"
#undef RULE
    HOST_RULE_COUNT
};

#endif
