/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_TABLE_H
#define LITMUS_BASE_TABLE_H

#include <stdlib.h>

/* The entry of an enumerator in an array none of whose entries is 0. Aborts where nobody wrote one, or past the last. */
#define TABLE_AT(table, index)                                                                     \
    ((table)[(size_t)(index) < sizeof(table) / sizeof *(table) && (table)[index]                   \
                 ? (size_t)(index)                                                                 \
                 : (abort(), (size_t)0)])

#endif
