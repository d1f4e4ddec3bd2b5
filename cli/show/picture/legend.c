/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include "cli/answer/names.h"

enum { LINE = 16, SAMPLE = 34, GAP = 8 };

static const char *const meanings[ARROW_KINDS] = {
#define LEGEND(kind, meaning) [ARROW_##kind] = meaning,
#include "cli/show/picture/legend.def"
};

/* A row of the legend: a sample of the arrow, and what it means. */
static void paint_row(struct painting *p, enum arrow_kind kind, bool bold, const char *meaning,
                      struct point at)
{
    const struct point line[] = {at, {at.x + SAMPLE, at.y}};
    paint_open(p, PAINT_ARROWS + kind, bold);
    paint_curve(p, line, 2, NULL);
    paint_close(p);
    paint_open(p, PAINT_heading, false);
    paint_text(p, (struct point){at.x + SAMPLE + GAP, at.y}, meaning);
    paint_close(p);
}

void picture_legend(const struct picture_plan *plan, struct painting *p)
{
    uint32_t kinds = 0;
    struct point at = {p->drawn.left, p->drawn.bottom - LINE};
    for (uint32_t i = 0; i < plan->arrows.len; i++)
        kinds |= plan->arrows.at[i].kinds;
    for (int kind = 0; kind < ARROW_KINDS; kind++)
        if (kinds & 1u << kind) {
            paint_row(p, kind, false, meanings[kind], at);
            at.y -= LINE;
        }
    if (kinds && plan->explanation->example)
        paint_row(p, ARROW_po, true, "bold, of any colour: these arrows break the axiom", at);
}

static const char *name_of(const struct picture_plan *plan, event_id event)
{
    return name_event(plan->arena, plan->execution, event);
}

const char *picture_words(const struct picture_plan *plan)
{
    const struct explanation *e = plan->explanation;
    const char *words = arena_printf(plan->arena, "An execution of %s", e->job->test->name);
    if (e->example) {
        const struct cat_axiom *axiom = &e->job->model->axioms[e->example->violation.axiom];
        words = arena_printf(plan->arena, "%s that breaks %s:", words, axiom->name);
    }
    bool some = false;
    for (uint32_t i = 0; i < plan->arrows.len; i++) {
        const struct arrow *arrow = &plan->arrows.at[i];
        if (e->example && !arrow->in_cycle)
            continue;
        words = arena_printf(plan->arena, "%s%s %s to %s (%s)", words,
                             some         ? ","
                             : e->example ? ""
                                          : ":",
                             name_of(plan, arrow->from), name_of(plan, arrow->to), arrow->label);
        some = true;
    }
    return words;
}
