/* SPDX-License-Identifier: MIT */
#include "model/machine/report.h"

#include <assert.h>

static const struct {
    const char *name, *text;
    enum report_severity severity;
} rows[] = {
#define REPORT(id, name, severity, text) {name, text, REPORT_##severity},
#include "model/machine/report.def"
#undef REPORT
};

bool report_add(struct report_list *list, const struct machine_report *report)
{
    assert(report->id < REPORT_COUNT && report->text);
    for (uint32_t i = 0; i < list->items.len; i++) {
        struct machine_report *old = &list->items.at[i];
        if (old->id == report->id && old->pc == report->pc &&
            old->span.offset == report->span.offset) {
            old->count++;
            return false;
        }
    }
    if (list->items.len >= REPORT_LIMIT) {
        list->dropped++;
        return false;
    }
    struct machine_report copy = *report;
    copy.text = arena_strdup(list->arena, report->text);
    copy.count = 1;
    vec_push(list->arena, &list->items, copy);
    return true;
}

bool report_has(const struct report_list *list, enum report_id id)
{
    for (uint32_t i = 0; i < list->items.len; i++)
        if (list->items.at[i].id == id)
            return true;
    return false;
}

const char *report_name(enum report_id id)
{
    assert(id < REPORT_COUNT);
    return rows[id].name;
}

const char *report_explanation(enum report_id id)
{
    return rows[id].text;
}

enum report_severity report_severity(enum report_id id)
{
    assert(id < REPORT_COUNT);
    return rows[id].severity;
}

const char *report_severity_name(enum report_severity severity)
{
    static const char *const names[] = {"note", "warning", "undefined", "error", "hang", "unknown"};
    return names[severity];
}
