/* SPDX-License-Identifier: MIT
 *
 * Pictures as PDF: Graphviz draws its text, in which every position stands. */
#include "cli/show/picture/plan.h"

#include <graphviz/gvc.h>

GString *picture_pdf(const struct picture_plan *plan, const char *title)
{
    GString *dot = picture_dot(plan, title), *pdf = NULL;
    agseterr(AGMAX); /* a library does not print */
    GVC_t *context = gvContext();
    Agraph_t *graph = agmemread(dot->str);
    char *bytes = NULL;
    unsigned length = 0;
    if (graph) /* the page is as large as the picture */
        agattr(graph, AGRAPH, (char *)"margin", (char *)"0");
    if (graph && gvLayout(context, graph, "nop2") == 0) {
        if (gvRenderData(context, graph, "pdf", &bytes, &length) == 0 && bytes)
            pdf = g_string_new_len(bytes, length);
        gvFreeRenderData(bytes);
        gvFreeLayout(context, graph);
    }
    if (graph)
        agclose(graph);
    gvFreeContext(context);
    g_string_free(dot, TRUE);
    return pdf;
}
