/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"

void check_test(struct arena *arena, struct test *test, struct diag_list *diags)
{
    struct checker checker = {arena, test, diags};
    check_placement(&checker);
    check_launches(&checker);
    check_locations(&checker);
    check_instructions(&checker);
    check_host(&checker);
    check_registers(&checker);
    check_question(&checker);
    check_silence(&checker);
}
