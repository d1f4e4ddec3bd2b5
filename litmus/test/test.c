/* SPDX-License-Identifier: MIT */
#include "litmus/test/test.h"

const char *memory_kind_name(enum memory_kind kind)
{
    static const char *const names[] = {"device", "mapped", "managed", "pinned", "pageable"};
    return names[kind];
}
