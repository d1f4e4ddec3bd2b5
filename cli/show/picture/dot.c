/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/dot.h"

#include "cli/show/markup.h"

struct dot_writer {
    const struct picture_plan *plan;
    const struct arrow_list *arrows;
    const struct wording *labels;
    GString *out;
};

/* "name=value" with the value as a string. */
static void put(GString *out, const char *name, const char *value)
{
    g_autofree char *clean = markup_clean(value);
    g_auto(GStrv) parts = g_strsplit_set(clean, "\"", -1);
    g_autofree char *quoted = g_strjoinv("\\\"", parts);
    g_string_append_printf(out, ", %s=\"%s\"", name, quoted);
}

static void put_look(GString *out, const struct paint_look *look)
{
    put(out, "fillcolor", look->light.fill);
    put(out, "color", look->light.line);
    put(out, "fontcolor", look->light.text);
    g_string_append_printf(out, ", penwidth=%g", look->width);
}

static void write_node(const struct dot_writer *w, const struct picture_node *node, uint32_t number)
{
    const struct rectangle *at = &node->at;
    bool title = node->event == NONE;
    g_string_append_printf(w->out, "\t%c%u [pos=\"%.1f,%.1f\", width=%.4f, height=%.4f",
                           title ? 't' : 'e', title ? number : node->event,
                           (at->left + at->right) / 2, (at->bottom + at->top) / 2,
                           (at->right - at->left) / 72, (at->top - at->bottom) / 72);
    put(w->out, "label", node->text);
    if (title)
        g_string_append(w->out, ", shape=plaintext, style=\"\", fontname=\"Helvetica-Bold\"");
    else
        put_look(w->out,
                 &paint_looks[w->arrows->in_cycle[node->event] ? PAINT_cycle : PAINT_event]);
    g_string_append(w->out, "];\n");
}

/* What is in the box, or outside of all: NONE. */
static void write_box(const struct dot_writer *w, uint32_t number)
{
    const struct picture_grid *grid = &w->plan->grid;
    for (uint32_t i = 0; i < grid->boxes.len; i++) {
        const struct picture_box *box = &grid->boxes.at[i];
        if (box->parent != number)
            continue;
        g_string_append_printf(w->out,
                               "\tsubgraph cluster_%u {\n\tgraph [bb=\"%.1f,%.1f,%.1f,%.1f\"", i,
                               box->at.left, box->at.bottom, box->at.right, box->at.top);
        put(w->out, "label", box->name);
        g_string_append_printf(w->out, ", lp=\"%.1f,%.1f\", style=\"rounded,filled\"",
                               box->at.left + 6 + paint_text_width(box->name) / 2, box->at.top - 9);
        put_look(w->out, &paint_looks[PAINT_box_0 + picture_box_depth(grid, i)]);
        g_string_append(w->out, "];\n");
        write_box(w, i);
        g_string_append(w->out, "\t}\n");
    }
    for (uint32_t i = 0; i < w->plan->nodes.len; i++)
        if (w->plan->nodes.at[i].box == number)
            write_node(w, &w->plan->nodes.at[i], i);
}

/* Colours joined by ':' are drawn as parallel lines, one a relation. */
static void put_style(const struct dot_writer *w, const struct arrow *arrow)
{
    static const char *const words[] = {"solid", "dashed", "dotted"};
    g_autoptr(GString) colours = g_string_new(NULL);
    const struct paint_look *look = NULL;
    for (int kind = 0; kind < ARROW_KINDS; kind++) {
        if (!(arrow->kinds & 1u << kind))
            continue;
        look = &paint_looks[PAINT_ARROWS + kind];
        g_string_append_printf(colours, "%s%s", colours->len ? ":" : "", look->light.line);
    }
    bool alone = (arrow->kinds & (arrow->kinds - 1)) == 0;
    put(w->out, "color", colours->str);
    put(w->out, "fontcolor", look->light.text);
    put(w->out, "style", words[alone ? look->dash : PAINT_SOLID]);
    put(w->out, "fontname", arrow->in_cycle ? "Helvetica-Bold" : "Helvetica");
    g_string_append_printf(w->out, ", penwidth=%g",
                           arrow->in_cycle ? PAINT_BOLD_WIDTH : look->width);
}

static void write_arrow(const struct dot_writer *w, const struct arrow *arrow,
                        const struct wording *label)
{
    const struct picture_way *way = label->way;
    g_string_append_printf(w->out, "\te%u -> e%u [lp=\"%.1f,%.1f\"", arrow->from, arrow->to,
                           label->middle.x, label->middle.y);
    put(w->out, "label", label->text);
    put_style(w, arrow);
    g_string_append_printf(w->out, ", pos=\"e,%.1f,%.1f", way->tip.x, way->tip.y);
    for (uint32_t i = 0; i < way->count; i++)
        g_string_append_printf(w->out, " %.1f,%.1f", way->at[i].x, way->at[i].y);
    g_string_append(w->out, "\"];\n");
}

GString *picture_dot(const char *title, const struct picture_plan *plan,
                     const struct arrow_list *arrows, const struct wording *labels)
{
    struct dot_writer w = {plan, arrows, labels, g_string_new("digraph {\n\tgraph [splines=true")};
    put(w.out, "name", title);
    g_string_append_printf(w.out,
                           ", outputorder=nodesfirst, fontname=Helvetica, fontsize=%d];\n"
                           "\tnode [shape=box, style=\"rounded,filled\", fixedsize=true, "
                           "fontname=Courier, fontsize=%d];\n"
                           "\tedge [arrowsize=0.7, fontsize=%d];\n",
                           PAINT_FONT_SIZE, PAINT_FONT_SIZE, PAINT_FONT_SIZE);
    write_box(&w, NONE);
    for (uint32_t i = 0; i < arrows->items.len; i++)
        write_arrow(&w, &arrows->items.at[i], &labels[i]);
    g_string_append(w.out, "}\n");
    return w.out;
}
