/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include "cli/answer/names.h"

enum { LINE = 16, SAMPLE = 34, GAP = 8 };

static const char *const meanings[ARROW_KINDS] = {
#define LEGEND(kind, meaning) [ARROW_##kind] = meaning,
#include "cli/show/picture/legend.def"
};

static void paint_row(struct painting *p, enum arrow_kind kind, double left, double y)
{
    const struct point line[] = {{left, y}, {left + SAMPLE, y}};
    paint_open(p, PAINT_ARROWS + kind, false);
    paint_curve(p, line, 2, NULL);
    paint_close(p);
    paint_open(p, PAINT_heading, false);
    paint_text(p, (struct point){left + SAMPLE + GAP, y}, meanings[kind]);
    paint_close(p);
}

void picture_legend(const struct picture_plan *plan, struct painting *p)
{
    uint32_t kinds = 0;
    double left = p->drawn.left, y = p->drawn.bottom - LINE;
    for (uint32_t i = 0; i < plan->arrows.len; i++)
        kinds |= plan->arrows.at[i].kinds;
    for (int kind = 0; kind < ARROW_KINDS; kind++)
        if (kinds & 1u << kind) {
            paint_row(p, kind, left, y);
            y -= LINE;
        }
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
