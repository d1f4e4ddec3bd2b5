/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_REPORT_H
#define MODEL_MACHINE_CORE_REPORT_H

#include <stdbool.h>

#include "litmus/base/arena.h"
#include "litmus/base/source.h"

/* What a run reports of the program besides its outcome: undefined behaviour, races, hangs. */

enum report_id {
#define REPORT(id, name, severity, text) REPORT_##id,
#include "model/machine/core/report.def"
#undef REPORT
    REPORT_COUNT
};

enum report_severity {
    REPORT_note,
    REPORT_warning,
    REPORT_undefined,
    REPORT_error,
    REPORT_hang,
    REPORT_bound
};

struct machine_report {
    enum report_id id;
    uint32_t lane;  /* lane of the machine, or UINT32_MAX */
    uint32_t pc;    /* instruction index in its body */
    uint64_t lines; /* of a race: the two source lines, in either order; else 0 */
    uint32_t launch, cta, tid, column; /* who that is, for printing; UINT32_MAX where not */
    struct span span;
    const char *text; /* "lane 3 of warp 0 (tid 3): …": the whole story but the place */
    uint32_t count;   /* times found: the same is kept once */
};

/* Keeps the first REPORT_LIMIT different reports; counts the rest. */
enum { REPORT_LIMIT = 64 };
struct report_list {
    struct arena *arena;
    VEC(struct machine_report) items;
    uint32_t dropped;
};

bool report_is_race(enum report_id id);
/* Do both say the same of the same instruction? Races of every kind at the same two lines are one. */
bool report_is_same(const struct machine_report *a, const struct machine_report *b);
/* Does the list say that already, and of a race at least as much? */
bool report_is_known(const struct report_list *list, const struct machine_report *report);
/* The same was found again: of races the kind that says most stays, one between warps before one within them. */
void report_join(struct arena *arena, struct machine_report *old,
                 const struct machine_report *report);
/* Adds the report, or its count when the same is there already. 'text' is copied. Returns true when
 * new. */
bool report_add(struct report_list *list, const struct machine_report *report);
const char *report_name(enum report_id id);
enum report_severity report_severity(enum report_id id);
const char *report_severity_name(enum report_severity severity); /* "undefined", … */

#endif
