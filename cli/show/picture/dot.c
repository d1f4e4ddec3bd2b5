/* SPDX-License-Identifier: MIT */
#include "cli/show/markup.h"
#include "cli/show/picture/plan.h"

/* The picture as text for Graphviz, with every position in it. */

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

static void write_node(const struct picture_plan *p, uint32_t number, GString *out)
{
    const struct picture_node *node = &p->nodes.at[number];
    const struct rectangle *at = &node->at;
    bool title = node->event == NONE;
    g_string_append_printf(out, "\t%c%u [pos=\"%.1f,%.1f\", width=%.4f, height=%.4f",
                           title ? 't' : 'e', title ? number : node->event,
                           (at->left + at->right) / 2, (at->bottom + at->top) / 2,
                           (at->right - at->left) / 72, (at->top - at->bottom) / 72);
    put(out, "label", node->text);
    if (title)
        g_string_append(out, ", shape=plaintext, style=\"\", fontname=\"Helvetica-Bold\"");
    else
        put_look(out, &paint_looks[p->in_cycle[node->event] ? PAINT_cycle : PAINT_event]);
    g_string_append(out, "];\n");
}

/* What is in the box, or outside of all: NONE. */
static void write_box(const struct picture_plan *p, uint32_t number, GString *out)
{
    const struct picture_grid *grid = &p->grid;
    for (uint32_t i = 0; i < grid->boxes.len; i++) {
        const struct picture_box *box = &grid->boxes.at[i];
        if (box->parent != number)
            continue;
        g_string_append_printf(out, "\tsubgraph cluster_%u {\n\tgraph [bb=\"%.1f,%.1f,%.1f,%.1f\"",
                               i, box->at.left, box->at.bottom, box->at.right, box->at.top);
        put(out, "label", box->name);
        struct rectangle name = picture_box_name(box);
        g_string_append_printf(out, ", lp=\"%.1f,%.1f\", style=\"rounded,filled\"",
                               (name.left + name.right) / 2, (name.bottom + name.top) / 2);
        put_look(out, &paint_looks[PAINT_box_0 + picture_box_depth(grid, i)]);
        g_string_append(out, "];\n");
        write_box(p, i, out);
        g_string_append(out, "\t}\n");
    }
    for (uint32_t i = 0; i < p->nodes.len; i++)
        if (p->nodes.at[i].box == number)
            write_node(p, i, out);
}

/* Colours joined by ':' are drawn as parallel lines, one a relation. */
static void put_style(const struct arrow *arrow, GString *out)
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
    put(out, "color", colours->str);
    put(out, "fontcolor", look->light.text);
    put(out, "style", words[alone ? look->dash : PAINT_SOLID]);
    put(out, "fontname", arrow->in_cycle ? "Helvetica-Bold" : "Helvetica");
    g_string_append_printf(out, ", penwidth=%g", arrow->in_cycle ? PAINT_BOLD_WIDTH : look->width);
}

static void write_arrow(const struct arrow *arrow, GString *out)
{
    g_string_append_printf(out, "\te%u -> e%u [lp=\"%.1f,%.1f\"", arrow->from, arrow->to,
                           arrow->label_at.x, arrow->label_at.y);
    put(out, "label", arrow->label);
    put_style(arrow, out);
    g_string_append_printf(out, ", pos=\"e,%.1f,%.1f", arrow->tip.x, arrow->tip.y);
    for (uint32_t i = 0; i < arrow->points; i++)
        g_string_append_printf(out, " %.1f,%.1f", arrow->way[i].x, arrow->way[i].y);
    g_string_append(out, "\"];\n");
}

GString *picture_dot(const struct picture_plan *p, const char *title)
{
    GString *out = g_string_new("digraph {\n\tgraph [splines=true");
    put(out, "name", title);
    g_string_append_printf(out,
                           ", outputorder=nodesfirst, fontname=Helvetica, fontsize=%d];\n"
                           "\tnode [shape=box, style=\"rounded,filled\", fixedsize=true, "
                           "fontname=Courier, fontsize=%d];\n"
                           "\tedge [arrowsize=0.7, fontsize=%d];\n",
                           PAINT_FONT_SIZE, PAINT_FONT_SIZE, PAINT_FONT_SIZE);
    write_box(p, NONE, out);
    for (uint32_t i = 0; i < p->arrows.len; i++)
        write_arrow(&p->arrows.at[i], out);
    g_string_append(out, "}\n");
    return out;
}
