/* SPDX-License-Identifier: MIT */
#include "model/machine/core/report.h"

#include <assert.h>

static const struct {
    const char *name;
    enum report_severity severity;
} rows[] = {
#define REPORT(id, name, severity, text) {name, REPORT_##severity},
#include "model/machine/core/report.def"
#undef REPORT
};

/* Of races: the kind that says most comes first. Other reports: 0. */
static uint32_t race_rank(enum report_id id)
{
    return id == REPORT_DATA_RACE            ? 1
           : id == REPORT_MIXED_SIZE_RACE    ? 2
           : id == REPORT_IMPLICIT_WARP_SYNC ? 3
                                             : 0;
}

bool report_is_race(enum report_id id)
{
    return race_rank(id);
}

bool report_is_same(const struct machine_report *a, const struct machine_report *b)
{
    if (a->id != b->id && !(report_is_race(a->id) && report_is_race(b->id)))
        return false;
    return a->lines || b->lines ? a->lines == b->lines
                                : a->pc == b->pc && a->span.offset == b->span.offset;
}

bool report_is_known(const struct report_list *list, const struct machine_report *report)
{
    for (uint32_t i = 0; i < list->items.len; i++)
        if (report_is_same(&list->items.at[i], report))
            return race_rank(list->items.at[i].id) <= race_rank(report->id);
    return false;
}

void report_join(struct arena *arena, struct machine_report *old,
                 const struct machine_report *report)
{
    uint32_t count = old->count + report->count;
    if (race_rank(report->id) < race_rank(old->id)) {
        *old = *report;
        old->text = arena_strdup(arena, report->text);
    }
    old->count = count;
}

bool report_add(struct report_list *list, const struct machine_report *report)
{
    assert(report->id < REPORT_COUNT && report->text);
    for (uint32_t i = 0; i < list->items.len; i++) {
        struct machine_report *old = &list->items.at[i];
        if (report_is_same(old, report)) {
            report_join(list->arena, old, report);
            return false;
        }
    }
    if (list->items.len >= REPORT_LIMIT) {
        list->dropped += report->count;
        return false;
    }
    struct machine_report copy = *report;
    copy.text = arena_strdup(list->arena, report->text);
    vec_push(list->arena, &list->items, copy);
    return true;
}

const char *report_name(enum report_id id)
{
    assert(id < REPORT_COUNT);
    return rows[id].name;
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
