/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/manual.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/text.h"

#define HEADING "(* ---- "

/* Where the text defines the name, or -1. */
static int find_definition(const char *text, const char *name)
{
    g_autofree char *quoted = g_regex_escape_string(name, -1);
    g_autofree char *pattern = g_strdup_printf(
        "^[ \\t]*(?:let\\s+rec|let|and|with)\\s+%s(?![\\w.-])|\\bas\\s+%s(?![\\w.-])", quoted,
        quoted);
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int start = -1;
    if (regex && g_regex_match(regex, text, 0, &match))
        g_match_info_fetch_pos(match, 0, &start, NULL);
    return start;
}

/* Adds the sections that a piece of the text cites, each once. */
static void add_cited(GString *sections, const char *text, size_t length)
{
    g_autofree char *piece = g_strndup(text, length);
    g_autoptr(GRegex) regex = g_regex_new("\\b[89]\\.\\d+(?:\\.\\d+)*", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    for (bool more = g_regex_match(regex, piece, 0, &match); more;
         more = g_match_info_next(match, NULL)) {
        g_autofree char *section = g_match_info_fetch(match, 0);
        if (!strstr(sections->str, section))
            g_string_append_printf(sections, "%s%s", sections->len ? ", " : "", section);
    }
}

/* The comments of the definition's paragraph: from the last empty line before it to the end of its
 * line. */
static void add_own(GString *sections, const char *text, size_t definition)
{
    size_t end = definition + strcspn(text + definition, "\n");
    const char *empty = g_strrstr_len(text, (gssize)definition, "\n\n");
    const char *at = empty ? empty : text;
    while ((at = g_strstr_len(at, text + end - at, "(*"))) {
        const char *close = strstr(at, "*)");
        if (!close)
            return;
        if (!g_str_has_prefix(at, HEADING))
            add_cited(sections, at, (size_t)(close - at));
        at = close;
    }
}

static void add_heading(GString *sections, const char *text, size_t definition)
{
    const char *heading = g_strrstr_len(text, (gssize)definition, HEADING);
    if (heading)
        add_cited(sections, heading, strcspn(heading, "\n"));
}

static void add_sections(GString *sections, const struct cat_model *model, const char *name)
{
    g_autofree char *text = g_strndup(model->source->text, model->source->length);
    int definition = find_definition(text, name);
    if (definition < 0)
        return;
    add_own(sections, text, (size_t)definition);
    add_heading(sections, text, (size_t)definition);
}

const char *manual_section(struct arena *arena, const struct cat_model *model, const char *name)
{
    struct text *sections = text_open(arena);
    add_sections(sections->out, model, name);
    if (sections->out->len)
        g_string_prepend(sections->out, "PTX ");
    return text_close(sections, arena);
}
