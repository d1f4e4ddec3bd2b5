/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/show/markup.h"
#include "cli/show/picture/text.h"
#include "cli/show/picture/timeline.h"
#include "litmus/test/host.h"
#include "model/machine/core/run.h"
#include "model/machine/core/place.h"

/* The lanes of a run and what they did, as SVG. */

enum {
    ROW_HEIGHT = 44,
    LEAST_WIDTH = 90,
    MARGIN = 40,
    HEAD = 24,
    HALF = PICTURE_NODE_HEIGHT / 2,
    MOST_STREAMS = 1 << 16
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
    struct picture_lane lane = {
        .thread = number, .box = {NONE, NONE, NONE, NONE}, .first = NONE, .width = LEAST_WIDTH};
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
        lane.box[LEVEL_GPU] = place->gpu;
    }
    if (place->host == NONE && !engine) {
        lane.box[LEVEL_CLUSTER] = place->cluster;
        lane.box[LEVEL_CTA] = shown_cta(machine, place->cta);
    }
    lane.title = !engine ? title_of(t, number) : lane.stream ? "tasks" : "node";
    return lane;
}

static void cover(struct picture_lane *lane, uint32_t row)
{
    lane->first = lane->first == NONE || row < lane->first ? row : lane->first;
    lane->last = lane->first == row || row > lane->last ? MAX(row, lane->last) : lane->last;
}

static uint32_t find_lane(const struct picture_lane *lanes, uint32_t count, uint32_t thread)
{
    uint32_t i = 0;
    while (i < count && lanes[i].thread != thread)
        i++;
    return i;
}

/* The lanes that have steps, with their rows and the width of their texts. */
static struct picture_lane *collect_lanes(const struct timeline *t, uint32_t *count)
{
    struct picture_lane *lanes =
        ARENA_ARRAY(t->arena, struct picture_lane, t->steps.len + t->tasks.len);
    *count = 0;
    for (uint32_t row = 0; row < t->steps.len; row++) {
        const struct timeline_step *step = &t->steps.at[row];
        struct picture_lane lane = lane_for(t, step->lane);
        uint32_t at = find_lane(lanes, *count, lane.thread);
        if (at == *count)
            lanes[(*count)++] = lane;
        double width = picture_text_width(step->text, PICTURE_FONT) + 16;
        lanes[at].width = MAX(lanes[at].width, width);
        cover(&lanes[at], row);
    }
    return lanes;
}

/* A task takes its lane from its start on. */
static void cover_tasks(const struct timeline *t, struct picture_lane *lanes, uint32_t *count)
{
    for (uint32_t i = 0; i < t->tasks.len; i++) {
        const struct timeline_task *task = &t->tasks.at[i];
        struct picture_lane lane = lane_for(t, t->views[task->index].driver);
        uint32_t at = find_lane(lanes, *count, lane.thread);
        if (task->started == NONE)
            continue;
        if (at == *count)
            lanes[(*count)++] = lane;
        cover(&lanes[at], MIN(task->started + 1, t->steps.len - 1));
    }
}

void timeline_place(struct timeline *t)
{
    uint32_t count;
    struct picture_lane *lanes = collect_lanes(t, &count);
    cover_tasks(t, lanes, &count);
    lanes_sort(lanes, count);
    t->lane_of = ARENA_ARRAY(t->arena, uint32_t, t->machine->lane_count);
    for (uint32_t i = 0; i < t->machine->lane_count; i++)
        t->lane_of[i] = find_lane(lanes, count, lane_for(t, i).thread);
    t->grid = (struct picture_grid){.arena = t->arena,
                                    .lanes = lanes,
                                    .lane_count = count,
                                    .row_count = t->steps.len,
                                    .own_rows = t->machine->api,
                                    .row_height = ROW_HEIGHT};
    picture_grid_place(&t->grid);
}

/* ---- drawing -------------------------------------------------------------------------------- */

/* In SVG y goes downwards. */
static double left_of(const struct timeline *t, double x)
{
    return x - t->grid.all.left + MARGIN;
}

static double y_of(const struct timeline *t, double y)
{
    return t->grid.all.top - y + HEAD;
}

static double row_y(const struct timeline *t, uint32_t row)
{
    return y_of(t, picture_grid_row(&t->grid, row));
}

static void text_at(double x, double y, const char *class, const char *text, GString *out)
{
    g_string_append_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    markup_escape(text, out);
    g_string_append(out, "</text>\n");
}

static void rectangle(const char *attributes, double x, double y, double width, double height,
                      GString *out)
{
    g_string_append_printf(
        out, "<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\"/>\n",
        attributes, x, y, width, height);
}

static void draw_boxes(const struct timeline *t, GString *out)
{
    for (uint32_t i = 0; i < t->grid.boxes.len; i++) {
        const struct picture_box *box = &t->grid.boxes.at[i];
        const struct rectangle *at = &box->at;
        g_autofree char *fill = g_strdup_printf("class=\"box\" fill=\"%s\"",
                                                picture_box_fill(picture_box_depth(&t->grid, i)));
        rectangle(fill, left_of(t, at->left), y_of(t, at->top), at->right - at->left,
                  at->top - at->bottom, out);
        text_at(left_of(t, at->left) + 6, y_of(t, at->top) + 13, "name", box->name, out);
    }
}

static void draw_lanes(const struct timeline *t, GString *out)
{
    for (uint32_t i = 0; i < t->grid.lane_count; i++) {
        const struct picture_lane *lane = &t->grid.lanes[i];
        double x = left_of(t, t->grid.x[i]);
        text_at(x, y_of(t, picture_grid_title(&t->grid, i)) + 4, "lane", lane->title, out);
        g_string_append_printf(out, "<path class=\"life\" d=\"M%.1f,%.1fV%.1f\"/>\n", x,
                               row_y(t, lane->first), row_y(t, lane->last));
    }
}

static uint32_t lane_of_call(const struct timeline *t, const struct timeline_task *task)
{
    return t->lane_of[t->steps.at[task->called].lane];
}

/* From where a task starts to where it ends, or to the bottom; and the call that enqueued it. */
static void draw_task(const struct timeline *t, const struct timeline_task *task, GString *out)
{
    uint32_t lane = t->lane_of[t->views[task->index].driver];
    if (task->started == NONE || lane == t->grid.lane_count)
        return;
    uint32_t last = task->ended == NONE ? t->steps.len - 1 : task->ended;
    double x = left_of(t, t->grid.x[lane]), half = t->grid.lanes[lane].width / 2 + 4;
    double top = row_y(t, task->started) + HALF + 2, bottom = row_y(t, last) + HALF + 2;
    rectangle("class=\"task\"", x - half, top, 2 * half, bottom - top, out);
    uint32_t from = lane_of_call(t, task);
    g_string_append_printf(out, "<path class=\"call\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n",
                           left_of(t, t->grid.x[from] + t->grid.lanes[from].width / 2),
                           row_y(t, task->called), x - half, top + 4);
}

static void draw_step(const struct timeline *t, uint32_t row, GString *out)
{
    const struct timeline_step *step = &t->steps.at[row];
    uint32_t lane = t->lane_of[step->lane];
    double x = left_of(t, t->grid.x[lane]), y = row_y(t, row);
    double width = t->grid.lanes[lane].width;
    g_auto(GStrv) lines = g_strsplit(step->text, "\n", 2);
    rectangle("class=\"step\"", x - width / 2, y - HALF, width, PICTURE_NODE_HEIGHT, out);
    text_at(x, y + (lines[1] ? -2 : 4), "code", lines[0], out);
    if (lines[1])
        text_at(x, y + 11, "code", lines[1], out);
    g_autofree char *number = g_strdup_printf("%u", row + 1);
    text_at(MARGIN / 2.0, y + 4, "number", number, out);
}

static const char style[] =
    "<style>text{font:11px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1a1a1a}"
    ".code{font-family:Courier,monospace}.lane,.title{font-weight:bold}.name,.title{text-anchor:"
    "start}.name,.number{fill:#44515e}.box{stroke:#b4bfc9}.life{stroke:#8a8a8a}.task{fill:#fff1d6;"
    "stroke:#c9a55c}.step{fill:#fff;stroke:#555}.call{stroke:#007f5f;fill:none;marker-end:url(#a)}"
    "</style>\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path fill=\"#007f5f\" d=\"M0,0L8,4L0,8z\"/></marker>"
    "</defs>\n";

GString *timeline_draw(const struct timeline *t)
{
    const struct rectangle *all = &t->grid.all;
    double width = all->right - all->left + MARGIN + 8, height = all->top - all->bottom + HEAD + 8;
    GString *out = g_string_new("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    g_string_append_printf(out, " width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
                           width, height, width, height);
    g_string_append(out, "<title>");
    markup_escape(t->title, out);
    g_string_append_printf(out, "</title>\n%s", style);
    rectangle("fill=\"white\"", 0, 0, width, height, out);
    text_at(8, 15, "title", t->title, out);
    draw_boxes(t, out);
    draw_lanes(t, out);
    for (uint32_t i = 0; i < t->tasks.len; i++)
        draw_task(t, &t->tasks.at[i], out);
    for (uint32_t row = 0; row < t->steps.len; row++)
        draw_step(t, row, out);
    g_string_append(out, "</svg>\n");
    return out;
}
