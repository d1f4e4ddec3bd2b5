/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/program.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/edit/host_gap.h"
#include "litmus/edit/option.h"
#include "litmus/rewrite/gap.h"
#include "litmus/rewrite/site.h"

struct host_file {
    struct arena *arena;
    const struct test *test;
    const struct source *source; /* the file */
    uint32_t from;               /* where its text begins in the test's */
    struct statements statements;
    struct edit_places places;
};

/* ---- the file ------------------------------------------------------------------------------- */

/* The piece of the test's text that holds the place, where it is host code: the last of its file. */
static const struct source_piece *piece_at(const struct test *test, uint32_t offset)
{
    const struct source *source = test->source;
    const struct source_piece *piece = NULL;
    for (uint32_t i = 0; i < source->piece_count && source->pieces[i].offset <= offset; i++)
        if (source->pieces[i].name)
            piece = &source->pieces[i];
    bool added = piece && source->main && piece->offset >= source->main->length;
    return added && g_str_has_suffix(piece->name, ".cu") ? piece : NULL;
}

static const struct source_piece *piece_of(const struct test *test)
{
    const struct source_piece *piece = NULL;
    for (uint32_t b = 0; !piece && b < test->body_count; b++)
        for (uint32_t i = 0; host_gap_is(test, b) && !piece && i < test->bodies[b].inst_count; i++)
            piece = piece_at(test, test->bodies[b].insts[i].span.offset);
    return piece;
}

bool program_is(const struct test *test)
{
    return piece_of(test);
}

/* Where the span stands in the file; false: it is of another text, or of what a macro stands for. */
static bool find_span(const struct host_file *p, struct span span, struct span *found)
{
    *found = (struct span){span.offset - p->from, span.length};
    return span.offset >= p->from && found->offset + span.length <= p->source->length &&
           memcmp(p->source->text + found->offset, p->test->source->text + span.offset,
                  span.length) == 0;
}

/* ---- statements ----------------------------------------------------------------------------- */

/* The statement that holds the place; NULL: it is in no function. */
static const struct statement *statement_of(struct host_file *p, uint32_t offset)
{
    struct span body;
    if (!statements_at(&p->statements, offset) && statements_function(p->source, offset, &body))
        statements_read(p->arena, p->source, body.offset, body.offset + body.length,
                        &p->statements);
    return statements_at(&p->statements, offset);
}

/* The first of its function. */
static const struct statement *first_statement(struct host_file *p, uint32_t offset)
{
    struct span body;
    if (!statements_function(p->source, offset, &body))
        return NULL;
    for (uint32_t i = 0; i < p->statements.items.len; i++)
        if (p->statements.items.at[i].span.offset - body.offset < body.length)
            return &p->statements.items.at[i];
    return NULL;
}

/* ---- words ---------------------------------------------------------------------------------- */

enum { RANK_EVENT, RANK_WAIT, RANK_RECORD, RANK_JOIN };

static uint32_t rank_of(const char *words)
{
    return g_str_has_prefix(words, "cudaEventRecord")       ? RANK_RECORD
           : g_str_has_prefix(words, "cudaStreamWaitEvent") ? RANK_JOIN
                                                            : RANK_WAIT;
}

/* The new event that the call is about, as the places of the host name it; NULL: it is about none. */
static const char *event_in(struct arena *arena, const char *words)
{
    char *at = strstr(words, "done");
    size_t length = at ? strspn(at, "done0123456789") : 0;
    return at ? arena_strndup(arena, at, length) : NULL;
}

/* Does the file have every word among the arguments, or is it new? */
static bool is_spelled(const struct host_file *p, const char *words, const char *event)
{
    const char *open = strchr(words, '(');
    g_autofree char *arguments = g_strndup(open + 1, strcspn(open, ")") - 1);
    char **list = g_strsplit(arguments, ", ", -1);
    bool good = true;
    for (uint32_t i = 0; list[i]; i++) {
        bool known =
            !*list[i] || strcmp(list[i], "0") == 0 || (event && strcmp(list[i], event) == 0);
        good &= known || g_strstr_len(p->source->text, p->source->length, list[i]) != NULL;
    }
    g_strfreev(list);
    return good;
}

/* "cudaEvent_t done; cudaEventCreate(&done);" where the function begins, once for all that are about it. */
static void make_event(struct host_file *p, struct rewording *words, uint32_t offset,
                       const char *event)
{
    struct statement_gap start = {NULL, first_statement(p, offset)};
    const char *text = arena_printf(p->arena, "cudaEvent_t %s; cudaEventCreate(&%s)", event, event);
    struct rewording *made = gap_write(p->arena, p->source, &start, text, RANK_EVENT);
    for (uint32_t i = 0; i < made->pieces.len; i++) {
        made->pieces.at[i].once = true;
        vec_push(p->arena, &words->pieces, made->pieces.at[i]);
    }
}

/* The calls, a line each, before the statement. */
static struct rewording *write_calls(struct host_file *p, const struct statement *statement,
                                     const char *words, const char *event)
{
    struct statement_gap gap = {NULL, statement};
    struct rewording *all = rewording_begin(p->arena, p->source, statement->span);
    char **lines = g_strsplit(words, "\n", -1);
    bool good = true;
    for (uint32_t i = 0; lines[i]; i++) {
        const char *line = arena_strdup(p->arena, lines[i]);
        struct rewording *one = gap_write(p->arena, p->source, &gap, line, rank_of(line));
        good &= is_spelled(p, line, event);
        for (uint32_t k = 0; k < one->pieces.len; k++)
            vec_push(p->arena, &all->pieces, one->pieces.at[k]);
    }
    g_autofree char *shown = g_strjoinv("; ", lines);
    g_strfreev(lines);
    all->after = arena_strdup(p->arena, shown);
    return good ? all : NULL;
}

static const struct rewording *reword(struct host_file *p, const struct edit *edit)
{
    const char *event = event_in(p->arena, edit->words);
    struct span span;
    struct rewording *words;
    if (!find_span(p, edit->inst->span, &span))
        return NULL;
    const struct statement *statement = statement_of(p, span.offset);
    if (!statement)
        return NULL;
    if (edit->kind == EDIT_CHANGE && !is_spelled(p, edit->words, NULL))
        return NULL;
    if (edit->kind == EDIT_CHANGE) {
        words = rewording_begin(p->arena, p->source, span);
        rewording_add(p->arena, words, span, edit->words);
        rewording_name(p->arena, words, span);
    } else {
        words = write_calls(p, statement, edit->words, event);
        if (words && event)
            make_event(p, words, span.offset, event);
    }
    if (words)
        words->is_read = true;
    return words;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The place with its options in words of the file. */
static void translate(struct host_file *p, const struct edit_place *from)
{
    struct edit_place place = {
        .body = from->body, .inst = from->inst, .gap = from->gap, .shy = from->shy};
    option_add(p->arena, &place, from->options.at[0]);
    for (uint32_t i = 1; i < from->options.len; i++) {
        struct edit_option option = from->options.at[i];
        option.edit.rewording = reword(p, &option.edit);
        if (option.edit.rewording)
            option_add(p->arena, &place, option);
    }
    edit_places_add(p->arena, &p->places, place);
}

static const struct source *read_file(struct arena *arena, const char *path)
{
    size_t length;
    const char *text = file_read(arena, path, SOURCE_MAX_BYTES, &length);
    return text ? source_new(arena, path, text, length) : NULL;
}

struct edit_places program_places(struct arena *arena, const struct test *test)
{
    const struct source_piece *piece = piece_of(test);
    struct host_file p = {.arena = arena, .test = test, .statements = {.lists = 1}};
    p.source = piece ? read_file(arena, piece->name) : NULL;
    if (!p.source)
        return p.places;
    p.from = piece->offset;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; host_gap_is(test, b) && i < test->bodies[b].inst_count; i++) {
            struct edit_places gaps = host_gap_places(arena, test, &test->bodies[b], i);
            for (uint32_t k = 0; k < gaps.items.len; k++)
                translate(&p, &gaps.items.at[k]);
        }
    return p.places;
}
