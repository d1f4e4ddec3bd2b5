/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "cli/show/picture/timeline.h"
#include "litmus/test/host.h"
#include "model/machine/core/run.h"
#include "model/machine/core/place.h"

/* The lanes of a run and what they did, painted. */

enum {
    ROW_HEIGHT = 44,
    ASIDE = 20, /* row numbers, from the boxes */
    HEAD = 7,
    HALF = PICTURE_NODE_HEIGHT / 2,
    MOST_STREAMS = 1 << 16,
    LINE = 16,      /* of notes */
    BACK = 26,      /* how far the arrow back stands out */
    MOST_TOLD = 40, /* steps, in the words for readers who do not see them */
};

/* ---- lanes ---------------------------------------------------------------------------------- */

static const char *title_of(const struct timeline *t, uint32_t lane)
{
    const struct machine *machine = t->machine;
    const struct lane_place *place = &machine->lanes[lane];
    if (place->launch == NONE || !machine->test->launches)
        return run_lane_name(t->arena, machine, lane);
    return arena_printf(t->arena, "%s[%u,%u]", machine->test->launches[place->launch].label,
                        place_linear_cta(machine, place->cta), place->tid);
}

/* Hosts and tasks have CTAs of their own, which nobody should count. */
static uint32_t shown_cta(const struct machine *machine, uint32_t cta)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < cta; i++)
        number += !machine->api || machine->ctas[i].launch != NONE;
    return number;
}

/* The lane that a step of the machine's lane is drawn in; .thread tells lanes apart. */
static struct picture_lane lane_for(const struct timeline *t, uint32_t number)
{
    const struct machine *machine = t->machine;
    const struct lane_place *place = &machine->lanes[number];
    struct picture_lane lane = picture_lane_empty(number, title_of(t, number));
    bool engine = machine_is_engine(machine, number);
    if (machine->api && place->task != NONE && place->host == NONE) {
        const struct api_task_view *task = &t->views[place->task];
        lane.box[LEVEL_GPU] = task->device;
        lane.box[LEVEL_STREAM] = task->stream;
        if (task->stream != NONE)
            lane.stream = api_stream_name(t->arena, machine, task->stream);
        if (engine)
            lane.thread =
                machine->lane_count + (lane.stream ? task->stream : MOST_STREAMS + place->task);
    } else if (place->host == NONE) {
        lane.box[LEVEL_GPU] = machine->ctas[place->cta].gpu;
    }
    if (place->host == NONE && !engine) {
        lane.box[LEVEL_CLUSTER] = place->cluster;
        lane.box[LEVEL_CTA] = shown_cta(machine, place->cta);
    }
    if (engine)
        lane.title = lane.stream ? "tasks" : "node";
    return lane;
}

static uint32_t find_lane(const struct picture_lane *lanes, uint32_t count, uint32_t thread)
{
    uint32_t i = 0;
    while (i < count && lanes[i].thread != thread)
        i++;
    return i;
}

/* The machine's lane has a step of this text on the row. */
static void add_step(struct timeline *t, struct picture_lane *lanes, uint32_t of, uint32_t row,
                     const char *text)
{
    struct picture_lane lane = lane_for(t, of);
    uint32_t at = find_lane(lanes, t->grid.lane_count, lane.thread);
    if (at == t->grid.lane_count)
        lanes[t->grid.lane_count++] = lane;
    picture_lane_add(&lanes[at], row, text);
}

/* The lanes that have steps. A task takes its lane from its start on. */
static struct picture_lane *collect_lanes(struct timeline *t)
{
    struct picture_lane *lanes =
        ARENA_ARRAY(t->arena, struct picture_lane, t->steps.len + t->tasks.len);
    for (uint32_t row = 0; row < t->steps.len; row++)
        add_step(t, lanes, t->steps.at[row].lane, row, t->steps.at[row].text);
    for (uint32_t i = 0; i < t->tasks.len; i++) {
        const struct timeline_task *task = &t->tasks.at[i];
        if (task->started != NONE)
            add_step(t, lanes, t->views[task->index].driver,
                     MIN(task->started + 1, t->steps.len - 1), "");
    }
    picture_lanes_sort(lanes, t->grid.lane_count);
    return lanes;
}

void timeline_place(struct timeline *t)
{
    t->grid = (struct picture_grid){.arena = t->arena,
                                    .row_count = t->steps.len,
                                    .own_rows = t->machine->api,
                                    .row_height = ROW_HEIGHT};
    t->grid.lanes = collect_lanes(t);
    t->lane_of = ARENA_ARRAY(t->arena, uint32_t, t->machine->lane_count);
    for (uint32_t i = 0; i < t->machine->lane_count; i++)
        t->lane_of[i] = find_lane(t->grid.lanes, t->grid.lane_count, lane_for(t, i).thread);
    picture_grid_place(&t->grid);
}

/* ---- painting ------------------------------------------------------------------------------- */

static double row_y(const struct timeline *t, uint32_t row)
{
    return picture_grid_row(&t->grid, row);
}

static void paint_words(struct painting *p, enum paint_style style, double x, double y,
                        const char *text)
{
    paint_open(p, style, false);
    paint_text(p, (struct point){x, y}, text);
    paint_close(p);
}

static void paint_lane(const struct timeline *t, uint32_t number, struct painting *p)
{
    const struct picture_lane *lane = &t->grid.lanes[number];
    double x = t->grid.x[number];
    const struct point life[] = {{x, row_y(t, lane->first)}, {x, row_y(t, lane->last)}};
    paint_open(p, PAINT_lane, false);
    paint_text(p, (struct point){x, picture_grid_title(&t->grid, number)}, lane->title);
    paint_curve(p, life, 2, NULL);
    paint_close(p);
}

/* From the call that enqueued the task to where it starts. */
static void paint_call(const struct timeline *t, const struct timeline_task *task, struct point to,
                       struct painting *p)
{
    uint32_t lane = t->lane_of[t->steps.at[task->called].lane];
    struct point from = {t->grid.x[lane] + t->grid.lanes[lane].width / 2, row_y(t, task->called)};
    double dx = to.x - from.x, dy = to.y - from.y, short_of = 1 - HEAD / hypot(dx, dy);
    const struct point line[] = {from, {from.x + short_of * dx, from.y + short_of * dy}};
    paint_open(p, PAINT_synchronizes, false);
    paint_curve(p, line, 2, &to);
    paint_close(p);
}

/* A bar from where a task starts to where it ends; of one that does not, past the bottom. */
static void paint_task(const struct timeline *t, const struct timeline_task *task,
                       struct painting *p)
{
    uint32_t lane = t->lane_of[t->views[task->index].driver];
    if (task->started == NONE || lane == t->grid.lane_count)
        return;
    bool ends = task->ended != NONE;
    uint32_t last = ends ? task->ended : t->steps.len - 1;
    double x = t->grid.x[lane], half = t->grid.lanes[lane].width / 2 + 4;
    double top = row_y(t, task->started) - HALF - 2, bottom = row_y(t, last) - HALF - 2;
    bottom -= ends ? 0 : 2 * LINE;
    paint_open(p, PAINT_task, false);
    paint_box(p, (struct rectangle){x - half, bottom, x + half, top});
    paint_close(p);
    if (!ends)
        paint_words(p, PAINT_number, x, bottom + LINE / 2.0, "has not ended");
    paint_call(t, task, (struct point){x - half, top - 4}, p);
}

static void paint_step(const struct timeline *t, uint32_t row, struct painting *p)
{
    const struct timeline_step *step = &t->steps.at[row];
    uint32_t lane = t->lane_of[step->lane];
    double x = t->grid.x[lane], y = row_y(t, row), half = t->grid.lanes[lane].width / 2;
    paint_open(p, row >= t->loop ? PAINT_cycle : PAINT_event, false);
    paint_box(p, (struct rectangle){x - half, y - HALF, x + half, y + HALF});
    paint_text(p, (struct point){x, y}, step->text);
    paint_close(p);
}

static bool has_lane(const uint32_t *lanes, uint32_t count, uint32_t lane)
{
    uint32_t i = 0;
    while (i < count && lanes[i] != lane)
        i++;
    return i < count;
}

/* On the row of the last arrival: to those who leave, or from those who only arrived. */
static void paint_link(const struct timeline *t, uint32_t row, uint32_t lane, bool leaves,
                       struct painting *p)
{
    uint32_t last = t->lane_of[t->steps.at[row].lane], other = t->lane_of[lane];
    if (other == last || other == t->grid.lane_count)
        return;
    double y = row_y(t, row), side = t->grid.x[other] > t->grid.x[last] ? 1 : -1;
    struct point box = {t->grid.x[last] + side * t->grid.lanes[last].width / 2, y};
    struct point there = {t->grid.x[other], y}, tip = leaves ? there : box;
    struct point from = leaves ? box : there;
    const struct point line[] = {from, {tip.x + (tip.x > from.x ? -HEAD : HEAD), y}};
    paint_open(p, PAINT_synchronizes, false);
    paint_curve(p, line, 2, &tip);
    paint_close(p);
}

/* Barriers that were left. */
static void paint_crossings(const struct timeline *t, struct painting *p)
{
    for (uint32_t i = 0; i < t->crossings.items.len; i++) {
        const struct crossing *m = &t->crossings.items.at[i];
        for (uint32_t k = 0; k < m->left.len; k++)
            paint_link(t, m->row, m->left.at[k], true, p);
        for (uint32_t k = 0; m->left.len && k < m->arrived.len; k++)
            if (!has_lane(m->left.at, m->left.len, m->arrived.at[k]))
                paint_link(t, m->row, m->arrived.at[k], false, p);
    }
}

/* From the last row back to where the loop begins: what never ends has no end to be drawn. */
static void paint_loop(const struct timeline *t, struct painting *p)
{
    if (t->loop == NONE)
        return;
    double right = p->drawn.right + HEAD, out = right + BACK;
    double top = row_y(t, t->loop), bottom = row_y(t, t->steps.len - 1) - HALF / 2.0;
    const struct point tip = {right, top},
                       way[] = {{right, bottom}, {out, bottom}, {out, top}, {right + HEAD, top}};
    paint_open(p, PAINT_again, false);
    paint_curve(p, way, 4, &tip);
    paint_text(p, (struct point){out, (top + bottom) / 2}, "again and again");
    paint_close(p);
}

static void paint_notes(const struct timeline *t, struct painting *p)
{
    double left = p->drawn.left, y = p->drawn.bottom;
    for (uint32_t i = 0; i < t->notes.len; i++)
        paint_words(p, PAINT_heading, left, y -= LINE, t->notes.at[i]);
}

/* The run for readers who do not see it: who does what, one after the other. */
static const char *words_of(const struct timeline *t)
{
    GString *words = g_string_new(t->title);
    for (uint32_t row = 0; row < MIN(t->steps.len, MOST_TOLD); row++) {
        const struct timeline_step *step = &t->steps.at[row];
        g_auto(GStrv) lines = g_strsplit(step->text, "\n", -1);
        g_autofree char *text = g_strjoinv(", ", lines);
        g_string_append_printf(words, "; %s: %s", title_of(t, step->lane), text);
    }
    if (t->steps.len > MOST_TOLD)
        g_string_append_printf(words, "; and %u more steps", t->steps.len - MOST_TOLD);
    for (uint32_t i = 0; i < t->notes.len; i++)
        g_string_append_printf(words, "; %s", t->notes.at[i]);
    const char *kept = arena_printf(t->arena, "%s", words->str);
    g_string_free(words, TRUE);
    return kept;
}

GString *timeline_draw(const struct timeline *t, const struct paint_form *form)
{
    struct painting p;
    paint_begin(&p, form);
    picture_grid_paint(&t->grid, &p);
    for (uint32_t i = 0; i < t->grid.lane_count; i++)
        paint_lane(t, i, &p);
    for (uint32_t i = 0; i < t->tasks.len; i++)
        paint_task(t, &t->tasks.at[i], &p);
    paint_crossings(t, &p);
    for (uint32_t row = 0; row < t->steps.len; row++)
        paint_step(t, row, &p);
    paint_loop(t, &p);
    paint_notes(t, &p);
    double left = p.drawn.left - ASIDE;
    for (uint32_t row = 0; row < t->steps.len; row++)
        paint_words(&p, PAINT_number, left, row_y(t, row), arena_printf(t->arena, "%u", row + 1));
    paint_words(&p, PAINT_heading, left, p.drawn.top + ASIDE, t->title);
    paint_end(&p, t->title, words_of(t));
    return p.out;
}
