/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"
#include "litmus/check/checker.h"

void check_test(struct arena *arena, struct test *test, struct diag_list *diags)
{
    struct checker c = {arena, test, diags};
    check_placement(&c);
    check_launches(&c);
    check_locations(&c);
    check_launch_addresses(&c);
    check_instructions(&c);
    check_registers(&c);
    check_question(&c);
    check_silence(&c);
}
