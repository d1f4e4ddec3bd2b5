/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MACHINE_REPORTS_H
#define TESTS_UNIT_MACHINE_REPORTS_H

#include "model/machine/core/report.h"

/* Is there a report of this kind among them? */
static inline bool report_has(const struct report_list *list, enum report_id id)
{
    for (uint32_t i = 0; i < list->items.len; i++)
        if (list->items.at[i].id == id)
            return true;
    return false;
}

#endif
