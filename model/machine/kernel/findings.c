/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/findings.h"

#include "litmus/base/sort.h"

void findings_start(struct findings *findings, struct arena *arena)
{
    *findings = (struct findings){.arena = arena, .scratch = arena_new()};
    findings->here.arena = findings->scratch;
}

void findings_end(struct findings *findings)
{
    arena_free(findings->scratch);
}

static struct found_report *find(struct findings *findings, const struct machine_report *report)
{
    for (uint32_t i = 0; i < findings->items.len; i++)
        if (report_is_same(&findings->items.at[i].report, report))
            return &findings->items.at[i];
    return NULL;
}

static void keep(struct findings *findings, const struct machine_report *report, uint32_t cluster)
{
    struct found_report *finding = find(findings, report);
    if (!finding && findings->items.len >= REPORT_LIMIT) {
        findings->dropped += report->count;
        return;
    }
    if (!finding) {
        struct found_report first = {.cluster = cluster, .report = *report};
        first.report.text = arena_strdup(findings->arena, report->text);
        vec_push(findings->arena, &findings->items, first);
        finding = &findings->items.at[findings->items.len - 1];
    }
    uint32_t last = finding->times.len - 1;
    if (finding->times.len && finding->times.at[last].cluster == cluster) {
        finding->times.at[last].count += report->count;
        return;
    }
    const struct cluster_count times = {cluster, report->count};
    vec_push(findings->arena, &finding->times, times);
}

void findings_keep(struct findings *findings, uint32_t cluster)
{
    struct report_list *here = &findings->here;
    if (!here->items.len)
        return;
    for (uint32_t i = 0; i < here->items.len; i++)
        keep(findings, &here->items.at[i], cluster);
    findings->dropped += here->dropped;
    arena_free(findings->scratch);
    findings->scratch = arena_new();
    *here = (struct report_list){.arena = findings->scratch};
}

/* Those of one host thread keep their order. */
static int compare_first(const void *left, const void *right)
{
    const struct found_report *const *a = left, *const *b = right;
    if ((*a)->cluster != (*b)->cluster)
        return (*a)->cluster < (*b)->cluster ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static void add(struct report_list *to, const struct found_report *finding, uint32_t last)
{
    struct machine_report report = finding->report;
    report.count = 0;
    for (uint32_t i = 0; i < finding->times.len; i++)
        if (finding->times.at[i].cluster <= last)
            report.count += finding->times.at[i].count;
    if (report.count)
        report_add(to, &report);
}

void findings_collect(const struct findings *const *from, uint32_t count, uint32_t last,
                      struct report_list *to)
{
    VEC(const struct found_report *) all = {0};
    for (uint32_t i = 0; i < count; i++) {
        to->dropped += from[i]->dropped;
        for (uint32_t k = 0; k < from[i]->items.len; k++)
            vec_push(to->arena, &all, (const struct found_report *)&from[i]->items.at[k]);
    }
    sort_array(all.at, all.len, sizeof *all.at, compare_first);
    for (uint32_t i = 0; i < all.len; i++)
        add(to, all.at[i], last);
}
