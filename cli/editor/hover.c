/* SPDX-License-Identifier: MIT */
#include "cli/editor/hover.h"

#include <string.h>

#include "cli/editor/definition.h"
#include "cli/editor/instruction.h"
#include "cli/editor/position.h"
#include "cli/show/json.h"
#include "model/models/models.h"
#include "model/relation/pair.h"

enum { MOST_DEFINITION_BYTES = 2000 };

static bool is_word_byte(const struct editor_text *text, char c)
{
    if (g_ascii_isalnum(c) || c == '_')
        return true;
    return strchr(text->is_model ? "-." : ".:%$", c) && c;
}

struct span hover_word(const struct editor_text *text, uint32_t offset)
{
    const struct source *source = text->source;
    uint32_t from = MIN(offset, source->length), to = from;
    while (from && is_word_byte(text, source->text[from - 1]))
        from--;
    while (to < source->length && is_word_byte(text, source->text[to]))
        to++;
    return (struct span){from, to - from};
}

const char *hover_folder(const struct editor_text *text)
{
    const char *path = text->source->name, *slash = strrchr(path, '/');
    return slash ? arena_strndup(text->arena, path, (size_t)(slash - path)) : ".";
}

/* ---- a test --------------------------------------------------------------------------------- */

/* The instruction that stands around the offset, or NULL. */
static const struct inst *instruction_at(const struct test *test, uint32_t offset)
{
    for (uint32_t b = 0; test && b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            if (offset >= inst->span.offset && offset < inst->span.offset + inst->span.length)
                return inst;
        }
    return NULL;
}

/* "- `ACQ`: acquire reads; …", of each set that some event is in and was not told. */
static void print_sets(const struct event *event, uint64_t *told, GString *out)
{
    for (uint32_t base = BASE__ + 1; base < model_base_count; base++) {
        const struct cat_base *row = &model_bases[base];
        if (!row->is_set || *told >> base & 1 || !pair_in_set(event, (enum base)base))
            continue;
        g_string_append_printf(out, "- `%s`: %s\n", row->name, row->meaning);
        *told |= UINT64_C(1) << base;
    }
}

static void print_events(const struct editor_text *text, const struct inst *inst, GString *out)
{
    const struct job *job = &text->job;
    uint64_t told = 0;
    size_t start = out->len;
    for (uint32_t g = 0; job->graphs && g < job->graph_count; g++)
        for (event_id id = 0; id < job->graphs[g]->event_count; id++) {
            const struct event *event = &job->graphs[g]->events[id];
            if (event->inst && event->inst->span.offset == inst->span.offset)
                print_sets(event, &told, out);
        }
    if (out->len > start) {
        g_autofree char *head = g_strdup_printf("\nHere it is, for the model `%s`, in the sets\n",
                                                job->settings->model);
        g_string_insert(out, (gssize)start, head);
    }
}

static bool print_special(const char *word, size_t length, GString *out)
{
    static const struct {
        const char *name;
        enum type type;
    } registers[] = {
#define SPECIAL(id, name, type) {name, type},
#include "litmus/isa/special.def"
#undef SPECIAL
    };
    for (size_t i = 0; i < G_N_ELEMENTS(registers); i++)
        if (strlen(registers[i].name) == length && memcmp(registers[i].name, word, length) == 0) {
            g_string_append_printf(out, "**`%s`** — special register, `.%s`\n", registers[i].name,
                                   type_name(registers[i].type));
            return true;
        }
    return false;
}

static void print_word(const struct editor_text *text, struct span span, uint32_t offset,
                       GString *out)
{
    const char *word = text->source->text + span.offset;
    const struct isa_spelling *spelling;
    const struct inst *inst = instruction_at(text->job.test, offset);
    if (print_special(word, span.length, out))
        return;
    enum op op = instruction_find(text->arena, word, span.length, &spelling);
    if (op == OP_COUNT || (text->job.test && !inst))
        return;
    if (spelling)
        g_string_append_printf(out, "`%s` is another spelling of `%s`%s%s%s.\n\n", spelling->word,
                               spelling->stands_for, spelling->proxy ? ", through the " : "",
                               spelling->proxy ? proxy_name(spelling->proxy) : "",
                               spelling->proxy ? " proxy" : "");
    instruction_describe(text->arena, op, out);
    if (inst)
        print_events(text, inst, out);
}

/* ---- a cat text ----------------------------------------------------------------------------- */

static void print_definition(const struct definition *found, GString *out)
{
    const struct source *source = found->source;
    struct place place = source_place(source, found->name.offset);
    uint32_t shown = MIN(found->whole.length, MOST_DEFINITION_BYTES);
    g_autofree char *base = g_path_get_basename(place.name);
    g_string_append_printf(out, "%s, line %u:\n\n```\nlet %.*s%s\n```\n", base, place.line,
                           (int)shown, source->text + found->whole.offset,
                           shown < found->whole.length ? " …" : "");
}

static void print_name(const struct editor_text *text, struct span span, uint32_t offset,
                       GString *out)
{
    const char *word = text->source->text + span.offset;
    struct definition found;
    if (definition_find(text->arena, text->source, hover_folder(text), offset, &found)) {
        if (found.name.length)
            print_definition(&found, out);
        return;
    }
    for (uint32_t i = 0; i < model_base_count; i++)
        if (strlen(model_bases[i].name) == span.length &&
            memcmp(model_bases[i].name, word, span.length) == 0)
            g_string_append_printf(out, "**`%s`** — a %s that the program supplies: %s\n",
                                   model_bases[i].name, model_bases[i].is_set ? "set" : "relation",
                                   model_bases[i].meaning);
}

json_t *hover_at(const struct editor_text *text, uint32_t offset)
{
    g_autoptr(GString) out = g_string_new(NULL);
    struct span span = hover_word(text, offset);
    if (text->is_model)
        print_name(text, span, offset, out);
    else if (span.length)
        print_word(text, span, offset, out);
    if (!out->len)
        return json_null();
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                     json_text(out->str), "range", position_range(text->source, span));
}
