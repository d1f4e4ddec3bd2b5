/* SPDX-License-Identifier: MIT */
#include "litmus/parse/columns.h"

#include "litmus/base/number.h"
#include "litmus/parse/cond.h"
#include "litmus/parse/inst.h"

/* The table of threads: "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;" and rows of instructions. The rows only
 * lay the text out: each column is a thread of its own. */

enum { MAX_COLUMNS = 1024 };

bool parse_thread_number(const struct parser *p, struct span word, uint32_t *number)
{
    const char *text = p->source->text + word.offset;
    uint32_t i = word.length > 1 && text[0] == 'P';
    uint64_t value;
    bool fits;
    if (number_digits(text + i, word.length - i, 10, &value, &fits) != word.length - i || !fits ||
        value >= NONE || (text[i] == '0' && word.length - i > 1))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* The words that may stand after '@'. */
static const char *const places[] = {
    "lane",
    "warp",
#define PLACE(scope, member) #member,
#include "litmus/isa/words.def"
};
enum { PLACES = sizeof places / sizeof *places };

static uint32_t *placement_field(const struct parser *p, struct column *column)
{
    uint32_t *const fields[PLACES] = {
        &column->lane,
        &column->warp,
#define PLACE(scope, member) &column->member,
#include "litmus/isa/words.def"
    };
    for (int i = 0; i < PLACES; i++)
        if (parse_at_word(p, places[i]))
            return fields[i];
    return NULL;
}

/* "lane, warp, cta, cluster or gpu" */
static const char *place_words(struct arena *arena)
{
    const char *words = places[0];
    for (int i = 1; i < PLACES; i++)
        words = arena_printf(arena, "%s%s%s", words, i + 1 < PLACES ? ", " : " or ", places[i]);
    return words;
}

/* "cta 0", "gpu 1", … after '@'. */
static bool placement(struct parser *p, struct column *column)
{
    uint32_t *field = placement_field(p, column);
    if (!field) {
        parse_error(p, unknown_placement, p->token.span,
                    arena_printf(p->arena, "write %s and a number", place_words(p->arena)),
                    "%s places no thread", parse_token_text(p, p->token));
        return false;
    }
    if (*field != NONE)
        parse_error(p, duplicate_placement, p->token.span, NULL, "%s is given twice",
                    parse_token_text(p, p->token));
    parse_advance(p);
    return parse_count(p, "its number", 1 << 20, field);
}

static bool placements(struct parser *p, struct column *column)
{
    do
        if (!placement(p, column))
            return false;
    while (parse_accept(p, ','));
    return true;
}

/* "P1@cta 1,gpu 0"; the columns are numbered from the left. */
static bool column_head(struct parser *p)
{
    struct column column = {
#define PLACE(scope, member) .member = NONE,
#include "litmus/isa/words.def"
        .warp = NONE, .lane = NONE};
    struct span name = p->token.span;
    uint32_t number;
    if (!parse_expect(p, TOKEN_WORD, "the name of a thread"))
        return false;
    if (!parse_thread_number(p, name, &number) || number != p->columns.len) {
        parse_error(p, bad_column_name, name, NULL, "column %u is called '%s', not '%s'",
                    p->columns.len + 1, arena_printf(p->arena, "P%u", p->columns.len),
                    parse_text(p, name));
    }
    if (parse_accept(p, '@') && !placements(p, &column))
        return false;
    column.span = parse_span_from(p, name);
    column.body = p->raws.len;
    parse_start_body(p, name);
    parse_body(p)->dialect = true;
    vec_push(p->arena, &p->columns, column);
    return true;
}

/* '|' or the '||' of an empty cell between two; returns how many cells end here. */
static uint32_t separators(struct parser *p)
{
    uint32_t count = 0;
    while (parse_at(p, '|') || parse_at(p, TOKEN_BARS)) {
        count += parse_at(p, '|') ? 1 : 2;
        parse_advance(p);
    }
    return count;
}

static bool heads(struct parser *p)
{
    do {
        if (p->columns.len == MAX_COLUMNS) {
            parse_error(p, too_many_columns, p->token.span,
                        "write the body once as a kernel and launch it",
                        "a test has at most %d columns", MAX_COLUMNS);
            return false;
        }
        if (!column_head(p))
            return false;
    } while (separators(p));
    return parse_expect(p, ';', "'|' or ';'");
}

/* "L: ld r0, [x] | st [x], 1 ;", one cell for each column; an empty one says nothing. */
static void row(struct parser *p)
{
    uint32_t cell = 0;
    while (!parse_at(p, ';') && !parse_at(p, TOKEN_END)) {
        uint32_t ended = separators(p);
        cell += ended;
        if (ended)
            continue;
        if (cell >= p->columns.len) {
            parse_error(p, too_many_cells, p->token.span, NULL,
                        "this row has more cells than the %u columns", p->columns.len);
            parse_skip_past(p, ';');
            return;
        }
        p->body = p->columns.at[cell].body;
        parse_labels(p);
        if (!parse_at_cell_end(p) && !parse_instruction(p))
            while (!parse_at_cell_end(p))
                parse_advance(p);
    }
    parse_expect(p, ';', "';' at the end of the row");
}

static bool at_final(const struct parser *p)
{
    static const char *const words[] = {"exists", "forall", "locations", "filter", "kernel",
                                        "host",   "hostfn", "graph",     "not"};
    if (parse_at(p, '~') || parse_at(p, TOKEN_END) || parse_at_misspelt_question(p))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parse_at_word(p, words[i]) && (i != 8 || p->next.kind == TOKEN_WORD) &&
            p->next.kind != ':')
            return i != 8 || parse_text_is(p, p->next.span, "exists");
    return false;
}

void parse_columns(struct parser *p)
{
    if (!heads(p))
        parse_skip_past(p, ';');
    while (!at_final(p))
        row(p);
    parse_end_body(p);
}
