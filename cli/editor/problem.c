/* SPDX-License-Identifier: MIT */
#include "cli/editor/problem.h"

#include "cli/editor/position.h"
#include "cli/show/json.h"

/* As the protocol numbers them. */
static const int severities[] = {[SEVERITY_ERROR] = 1, [SEVERITY_WARNING] = 2, [SEVERITY_NOTE] = 3};

/* Does it stand in this text, and not in a file that the text names? */
static bool is_here(const struct source *source, const struct diag *diag)
{
    if (!diag->source || source_seen(diag->source, diag->span.offset) > source->length)
        return false;
    struct place place = source_place(diag->source, diag->span.offset);
    return strcmp(place.name, source->name) == 0;
}

/* At least a character is marked. */
static struct span marked(const struct source *source, const struct diag *diag)
{
    uint32_t from = source_seen(diag->source, diag->span.offset), length = diag->span.length;
    bool at_end = from >= source->length || source->text[from] == '\n';
    if (!length && at_end && from && source->text[from - 1] != '\n')
        from--;
    return (struct span){from, MIN(MAX(length, 1), source->length - from)};
}

static json_t *problem(const struct editor_text *text, const struct diag *diag)
{
    bool here = is_here(text->source, diag);
    const char *said =
        here || !diag->source
            ? diag->message
            : arena_printf(text->arena, "%s:%u: %s",
                           source_place(diag->source, diag->span.offset).name,
                           source_place(diag->source, diag->span.offset).line, diag->message);
    struct span span = here ? marked(text->source, diag) : (struct span){0, 0};
    const char *message =
        diag->hint ? arena_printf(text->arena, "%s\nhint: %s", said, diag->hint) : said;
    return json_pack(
        "{s:o, s:i, s:s, s:s, s:o, s:{s:o}}", "range", position_range(text->source, span),
        "severity", severities[diag_severity(diag->id)], "code", diag_code(diag->id), "source",
        "ptxlit", "message", json_text(message), "data", "hint", json_text(diag->hint));
}

json_t *problem_list(const struct editor_text *text)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < text->diags->items.len; i++)
        json_array_append_new(array, problem(text, &text->diags->items.at[i]));
    if (text->stopped)
        json_array_append_new(array, json_pack("{s:o, s:i, s:s, s:s}", "range",
                                               position_range(text->source, (struct span){0, 0}),
                                               "severity", severities[SEVERITY_WARNING], "source",
                                               "ptxlit", "message", text->stopped));
    return array;
}
