/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <string.h>

/* The table of threads: "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;" and rows of instructions. The rows only
 * lay the text out: each column is a thread of its own. */

static uint32_t *placement_field(const struct parser *parser, struct column *column)
{
    const struct {
        const char *word;
        uint32_t *field;
    } levels[] = {{"lane", &column->lane},
                  {"warp", &column->warp},
                  {"cta", &column->cta},
                  {"cluster", &column->cluster},
                  {"gpu", &column->gpu}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (at_word(parser, levels[i].word))
            return levels[i].field;
    return NULL;
}

/* "cta 0", "gpu 1", … after '@'. */
static bool placement(struct parser *parser, struct column *column)
{
    uint64_t number;
    uint32_t *field = placement_field(parser, column);
    if (!field) {
        parse_error(parser, unknown_placement, parser->token.span,
                    "write lane, warp, cta, cluster or gpu and a number", "%s places no thread",
                    token_text(parser, parser->token));
        return false;
    }
    if (*field != NONE)
        parse_error(parser, duplicate_placement, parser->token.span, NULL, "%s is given twice",
                    token_text(parser, parser->token));
    advance(parser);
    if (!expect_number(parser, "its number", 1 << 20, &number))
        return false;
    *field = (uint32_t)number;
    return true;
}

static bool placements(struct parser *parser, struct column *column)
{
    do
        if (!placement(parser, column))
            return false;
    while (accept(parser, ','));
    return true;
}

static void add_column(struct parser *parser, struct column column, struct span name)
{
    struct raw_body body = {.name = span_text(parser, name), .column = true, .span = name};
    vec_push(parser->arena, &body.blocks, NONE);
    column.body = parser->raws.len;
    vec_push(parser->arena, &parser->raws, body);
    vec_push(parser->arena, &parser->columns, column);
}

static bool column_head(struct parser *parser)
{
    struct column column = {.warp = NONE, .cta = NONE, .cluster = NONE, .gpu = NONE, .lane = NONE};
    struct span name = parser->token.span;
    uint32_t number;
    if (!expect(parser, TOKEN_WORD, "the name of a thread"))
        return false;
    if (!thread_number(parser, name, &number) || number != parser->columns.len) {
        parse_error(parser, bad_column_name, name, NULL, "column %u is called '%s', not '%s'",
                    parser->columns.len + 1,
                    arena_printf(parser->arena, "P%u", parser->columns.len),
                    span_text(parser, name));
    }
    if (accept(parser, '@') && !placements(parser, &column))
        return false;
    column.span = span_until_here(parser, name);
    add_column(parser, column, name);
    return true;
}

/* '|' or the '||' of an empty cell between two; returns how many cells end here. */
static uint32_t separators(struct parser *parser)
{
    uint32_t count = 0;
    while (at(parser, '|') || at(parser, TOKEN_BARS)) {
        count += at(parser, '|') ? 1 : 2;
        advance(parser);
    }
    return count;
}

static bool heads(struct parser *parser)
{
    do {
        if (parser->columns.len == MAX_COLUMNS) {
            parse_error(parser, too_many_columns, parser->token.span,
                        "write the body once as a kernel and launch it",
                        "a test has at most %d columns", MAX_COLUMNS);
            return false;
        }
        if (!column_head(parser))
            return false;
    } while (separators(parser));
    return expect(parser, ';', "'|' or ';'");
}

static bool at_cell_end(const struct parser *parser)
{
    return at(parser, '|') || at(parser, ';') || at(parser, TOKEN_BARS) || at(parser, TOKEN_END);
}

static void skip_cell(struct parser *parser)
{
    while (!at_cell_end(parser))
        advance(parser);
}

static void row(struct parser *parser)
{
    uint32_t cell = 0;
    while (!at(parser, ';') && !at(parser, TOKEN_END)) {
        uint32_t ended = separators(parser);
        cell += ended;
        if (ended)
            continue;
        if (cell >= parser->columns.len) {
            parse_error(parser, too_many_cells, parser->token.span, NULL,
                        "this row has more cells than the %u columns", parser->columns.len);
            skip_past(parser, ';');
            return;
        }
        struct raw_body *body = &parser->raws.at[parser->columns.at[cell].body];
        parse_labels(parser, body, 0);
        if (!at_cell_end(parser) && !parse_instruction(parser, body, 0))
            skip_cell(parser);
    }
    expect(parser, ';', "';' at the end of the row");
}

static bool at_final(const struct parser *parser)
{
    static const char *const words[] = {"exists", "forall", "locations", "filter", "kernel",
                                        "host",   "hostfn", "graph",     "not"};
    if (at(parser, '~') || at(parser, TOKEN_END))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(parser, words[i]) && (i != 8 || parser->next.kind == TOKEN_WORD) &&
            parser->next.kind != ':')
            return i != 8 || span_is(parser, parser->next.span, "exists");
    return false;
}

void parse_columns(struct parser *parser)
{
    if (!heads(parser))
        skip_past(parser, ';');
    while (!at_final(parser))
        row(parser);
}
