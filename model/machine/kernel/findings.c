/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/findings.h"

#include "litmus/base/sort.h"
#include "model/machine/core/run.h"

void findings_start(struct findings *findings, struct arena *arena)
{
    *findings = (struct findings){.arena = arena, .scratch = arena_new()};
    findings->here.arena = findings->scratch;
    findings->print = g_string_new(NULL);
}

void findings_end(struct findings *findings)
{
    arena_free(findings->scratch);
    g_string_free(findings->print, true);
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
    } else
        report_join(findings->arena, &finding->report, report);
    uint32_t last = finding->times.len - 1;
    if (finding->times.len && finding->times.at[last].cluster == cluster) {
        finding->times.at[last].count += report->count;
        return;
    }
    const struct cluster_count times = {cluster, report->count};
    vec_push(findings->arena, &finding->times, times);
}

static void keep_printed(struct findings *findings, uint32_t cluster)
{
    const struct printed printed = {cluster, arena_strdup(findings->arena, findings->print->str)};
    vec_push(findings->arena, &findings->printed, printed);
    g_string_truncate(findings->print, 0);
}

void findings_keep(struct findings *findings, uint32_t cluster)
{
    struct report_list *here = &findings->here;
    if (findings->print->len)
        keep_printed(findings, cluster);
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

static int compare_printed(const void *left, const void *right)
{
    const struct printed *a = left, *b = right;
    return a->cluster < b->cluster ? -1 : a->cluster > b->cluster;
}

/* With one host thread in the order in which it was printed, which is that of clusters where none
 * was set aside. */
static void collect_printed(const struct findings *const *from, uint32_t count, uint32_t last,
                            struct arena *arena, GString *to)
{
    VEC(struct printed) all = {0};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < from[i]->printed.len; k++)
            if (from[i]->printed.at[k].cluster <= last)
                vec_push(arena, &all, from[i]->printed.at[k]);
    if (count > 1)
        sort_array(all.at, all.len, sizeof *all.at, compare_printed);
    for (uint32_t i = 0; i < all.len; i++)
        if (to->len < PRINTED_MOST)
            g_string_append(to, all.at[i].text);
}

void findings_collect(const struct findings *const *from, uint32_t count, uint32_t last,
                      struct report_list *to, GString *printed)
{
    VEC(const struct found_report *) all = {0};
    collect_printed(from, count, last, to->arena, printed);
    for (uint32_t i = 0; i < count; i++) {
        to->dropped += from[i]->dropped;
        for (uint32_t k = 0; k < from[i]->items.len; k++)
            vec_push(to->arena, &all, (const struct found_report *)&from[i]->items.at[k]);
    }
    sort_array(all.at, all.len, sizeof *all.at, compare_first);
    for (uint32_t i = 0; i < all.len; i++)
        add(to, all.at[i], last);
}
