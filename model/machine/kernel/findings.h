/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_FINDINGS_H
#define MODEL_MACHINE_KERNEL_FINDINGS_H

#include <glib.h>

#include "model/machine/core/report.h"

/* What the clusters of a launch reported, put together as if they had run one after the other,
 * whichever host thread ran them. */

struct cluster_count {
    uint32_t cluster, count;
};

/* A report as the first cluster made it that had it to make, and how often each made it. */
struct found_report {
    uint32_t cluster;
    struct machine_report report;
    VEC(struct cluster_count) times;
};

/* What a cluster printed, until it was over or set aside. */
struct printed {
    uint32_t cluster;
    char *text;
};

/* Of the clusters that one host thread runs. */
struct findings {
    struct arena *arena;
    VEC(struct found_report) items; /* in the order of their first clusters */
    VEC(struct printed) printed;    /* in the order in which it was */
    uint32_t dropped;
    struct arena *scratch;   /* of the next */
    struct report_list here; /* this and the next of the cluster that runs now */
    GString *print;
};

void findings_start(struct findings *findings, struct arena *arena);
/* The cluster that ran is over, or set aside: its reports are kept. */
void findings_keep(struct findings *findings, uint32_t cluster);
/* Adds to 'to' what 'count' host threads found in clusters up to number 'last'. */
void findings_collect(const struct findings *const *from, uint32_t count, uint32_t last,
                      struct report_list *to, GString *printed);
void findings_end(struct findings *findings);

#endif
