/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/site.h"

#include <string.h>

#include "litmus/base/sort.h"
#include "litmus/base/text.h"
#include "litmus/cpp/cpp.h"
#include "litmus/rewrite/words.h"

/* ---- reading -------------------------------------------------------------------------------- */

static uint32_t end_of(struct span span)
{
    return span.offset + span.length;
}

/* A span begins behind the parentheses that its first operand stands in: with them. */
static struct span balanced(const struct source *source, struct span span)
{
    int open = 0, least = 0;
    for (uint32_t i = span.offset; i < end_of(span); i++) {
        open += source->text[i] == '(' ? 1 : source->text[i] == ')' ? -1 : 0;
        least = open < least ? open : least;
    }
    uint32_t start = span.offset;
    for (uint32_t at = start; least < 0 && at > 0 && strchr(" \t\n(", source->text[at - 1]); at--)
        if (source->text[at - 1] == '(') {
            start = at - 1;
            least++;
        }
    return (struct span){start, end_of(span) - start};
}

/* How many arguments of the function are the object and values; -1: it is no atomic operation. */
static const struct {
    const char *word;
    int values;
} methods[] = {
#define METHOD(word, op, atom_op, values) {word, values},
#define FLAG(word, op, atom_op)           {word, 0},
#include "litmus/cpp/word.def"
};

static int values_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strlen(methods[i].word) == length && memcmp(methods[i].word, word, length) == 0)
            return methods[i].values;
    return -1;
}

static const struct {
    const char *word, *method;
} legacies[] = {{"atomicAdd", "fetch_add"}, {"atomicSub", "fetch_sub"}, {"atomicExch", "exchange"},
                {"atomicMin", "fetch_min"}, {"atomicMax", "fetch_max"}, {"atomicAnd", "fetch_and"},
                {"atomicOr", "fetch_or"},   {"atomicXor", "fetch_xor"}, {"atomicCAS", NULL}};
enum { LEGACIES = sizeof legacies / sizeof *legacies };

/* The row of "atomicAdd_block"; LEGACIES: it is none. */
static size_t legacy_row(const char *word)
{
    size_t i = 0;
    for (; word && i < LEGACIES; i++) {
        size_t length = strlen(legacies[i].word);
        const char *rest = word + length;
        if (strncmp(word, legacies[i].word, length) == 0 &&
            (!*rest || strcmp(rest, "_block") == 0 || strcmp(rest, "_system") == 0))
            return i;
    }
    return LEGACIES;
}

static const char *words_of(struct arena *arena, const struct site *site, struct span span)
{
    return arena_strndup(arena, site->source->text + span.offset, span.length);
}

static bool is_order_word(struct arena *arena, const struct site *site, const struct cpp_expr *expr)
{
    const char *text = words_of(arena, site, expr->span);
    static const char *const words[] = {"relaxed", "consume", "acquire", "release", "acq_rel",
                                        "seq_cst", "rlx",     "acq",     "rel",     "sc"};
    for (size_t i = 0; expr->kind == CPP_NAME && i < sizeof words / sizeof *words; i++)
        if (g_str_has_suffix(text, words[i]))
            return true;
    return false;
}

/* Where the order of an atomic operation stands, or would: behind its values. */
static void find_order(struct arena *arena, struct site *site, uint32_t index)
{
    const struct cpp_expr *expr = site->expr;
    uint32_t close = end_of(site->span) - 1;
    site->kind = SITE_METHOD;
    site->ordered = index < expr->kid_count && is_order_word(arena, site, expr->kids[index]);
    site->first = index == 1;
    if (site->ordered)
        site->order = expr->kids[index]->span;
    else if (index < expr->kid_count) { /* a scope stands there */
        site->order = (struct span){expr->kids[index]->span.offset, 0};
        site->first = false;
    } else
        site->order = (struct span){close, 0};
}

static bool is_fence(const char *word)
{
    return strcmp(word, "atomic_thread_fence") == 0 || strncmp(word, "__threadfence", 13) == 0 ||
           strcmp(word, "fence") == 0;
}

static bool function_site(struct arena *arena, struct site *site, const char *word)
{
    static const char prefix[] = "atomic_", suffix[] = "_explicit";
    size_t length = strlen(word);
    site->kind = is_fence(word) ? SITE_FENCE : SITE_BARRIER;
    if (legacy_row(word) < LEGACIES)
        site->kind = SITE_LEGACY;
    if (strncmp(word, prefix, strlen(prefix)) != 0 || site->kind == SITE_FENCE)
        return true;
    length -= strlen(prefix);
    if (g_str_has_suffix(word, suffix))
        length -= strlen(suffix);
    int values = values_of(word + strlen(prefix), length);
    if (values >= 0)
        find_order(arena, site, 2 + (uint32_t)values);
    return values >= 0;
}

static bool call_site(struct arena *arena, struct site *site)
{
    const struct cpp_expr *callee = site->expr->kids[0];
    if (callee->kind == CPP_NAME && cpp_plain_word(&callee->name))
        return function_site(arena, site, cpp_plain_word(&callee->name));
    site->kind = SITE_BARRIER;
    if (callee->kind != CPP_MEMBER)
        return false;
    const char *word = cpp_last_part(&callee->name)->word;
    int values = values_of(word, strlen(word));
    if (values >= 0)
        find_order(arena, site, 1 + (uint32_t)values);
    return values >= 0 || strcmp(word, "sync") == 0;
}

static bool is_update(const struct cpp_expr *expr)
{
    return expr->mark == CPP_MARK_ADD_ASSIGN || expr->mark == CPP_MARK_SUB_ASSIGN ||
           expr->mark == CPP_MARK_AND_ASSIGN || expr->mark == CPP_MARK_OR_ASSIGN ||
           expr->mark == CPP_MARK_XOR_ASSIGN;
}

bool site_of(struct arena *arena, const struct source *source, struct span span, struct site *site)
{
    struct source *part = ARENA_NEW(arena, struct source);
    struct diag_list unheard = {.arena = arena};
    *part = *source;
    *site = (struct site){.source = source, .span = balanced(source, span)};
    part->length = end_of(site->span);
    const struct cpp_expr *expr = cpp_parse_expression(arena, part, site->span.offset, &unheard);
    site->expr = expr;
    if (!expr)
        return false;
    switch (expr->kind) {
    case CPP_CALL:
        return call_site(arena, site);
    case CPP_NAME:
    case CPP_INDEX:
        return site->kind = SITE_LOAD, true;
    case CPP_UNARY:
        site->kind = expr->mark == CPP_MARK_MUL ? SITE_LOAD : SITE_UPDATE;
        return expr->mark == CPP_MARK_MUL || expr->mark == CPP_MARK_INCREMENT ||
               expr->mark == CPP_MARK_DECREMENT;
    case CPP_POSTFIX:
        return site->kind = SITE_UPDATE, true;
    case CPP_ASSIGNMENT:
        site->kind = expr->mark == CPP_MARK_ASSIGN ? SITE_STORE : SITE_UPDATE;
        return expr->mark == CPP_MARK_ASSIGN || is_update(expr);
    default:
        return false;
    }
}

/* ---- pieces --------------------------------------------------------------------------------- */

struct rewording *rewording_begin(struct arena *arena, const struct source *source,
                                  struct span span)
{
    struct rewording *rewrite = ARENA_NEW(arena, struct rewording);
    rewrite->source = source;
    rewrite->line = source_place(source, span.offset).line;
    rewrite->before = rewrite->after = "";
    return rewrite;
}

void rewording_add(struct arena *arena, struct rewording *rewrite, struct span span,
                   const char *text)
{
    struct edit_piece piece = {span, text, EDIT_RANK_LAST, false, 0};
    vec_push(arena, &rewrite->pieces, piece);
}

static int by_offset(const void *x, const void *y)
{
    const struct edit_piece *a = x, *b = y;
    return (a->span.offset > b->span.offset) - (a->span.offset < b->span.offset);
}

void rewording_name(struct arena *arena, struct rewording *rewrite, struct span span)
{
    struct text *text = text_open(arena);
    uint32_t at = span.offset;
    const char *from = rewrite->source->text;
    sort_array(rewrite->pieces.at, rewrite->pieces.len, sizeof *rewrite->pieces.at, by_offset);
    for (uint32_t i = 0; i < rewrite->pieces.len; i++) {
        const struct edit_piece *piece = &rewrite->pieces.at[i];
        if (piece->span.offset < at || end_of(piece->span) > end_of(span))
            continue;
        g_string_append_len(text->out, from + at, piece->span.offset - at);
        g_string_append(text->out, piece->text);
        at = end_of(piece->span);
    }
    g_string_append_len(text->out, from + at, end_of(span) - at);
    rewrite->before = arena_strndup(arena, from + span.offset, span.length);
    rewrite->after = text_close(text, arena);
}

/* ---- writing -------------------------------------------------------------------------------- */

static struct span at_offset(uint32_t offset)
{
    return (struct span){offset, 0};
}

/* Behind the expression, and what of it ends there. */
static void add_end(struct arena *arena, const struct site *site, struct rewording *rewrite,
                    const char *text)
{
    struct edit_piece piece = {at_offset(end_of(site->span)), text, EDIT_RANK_LAST, false,
                               site->span.offset + 1};
    vec_push(arena, &rewrite->pieces, piece);
}

static struct rewording *begin(struct arena *arena, const struct site *site)
{
    return rewording_begin(arena, site->source, site->span);
}

static struct rewording *done(struct arena *arena, const struct site *site,
                              struct rewording *rewrite)
{
    rewording_name(arena, rewrite, site->span);
    return rewrite;
}

static const char *reference(struct arena *arena, const struct site_wish *wish)
{
    return arena_printf(arena, "%satomic_ref<%s, %s>(%s", wish->prefix, wish->type,
                        words_scope(arena, wish->prefix, wish->scope),
                        wish->open ? wish->open : "");
}

/* What closes it. */
static const char *end_reference(struct arena *arena, const struct site_wish *wish)
{
    return arena_printf(arena, "%s)", wish->close ? wish->close : "");
}

static const char *order(struct arena *arena, const struct site_wish *wish)
{
    return words_order(arena, wish->prefix, wish->sem);
}

/* Of an assignment: its mark with the blanks around it. */
static struct span mark_span(const struct site *site)
{
    const struct source *source = site->source;
    struct cpp_lexer lexer = {source, NULL, end_of(site->expr->kids[0]->span), 0};
    struct cpp_token token = cpp_lex(&lexer);
    while (token.kind == CPP_TOKEN_MARK && token.mark == CPP_MARK_CLOSE) /* "(x) = 1" */
        token = cpp_lex(&lexer);
    uint32_t from = token.span.offset, to = end_of(token.span);
    while (from > site->span.offset && strchr(" \t", source->text[from - 1]))
        from--;
    while (to < end_of(site->span) && strchr(" \t", source->text[to]))
        to++;
    return (struct span){from, to - from};
}

static void load(struct arena *arena, const struct site *site, const struct site_wish *wish,
                 struct rewording *rewrite, bool refers)
{
    if (refers)
        rewording_add(arena, rewrite, at_offset(site->span.offset), reference(arena, wish));
    add_end(arena, site, rewrite,
            arena_printf(arena, "%s.load(%s)", refers ? end_reference(arena, wish) : "",
                         order(arena, wish)));
}

static void store(struct arena *arena, const struct site *site, const struct site_wish *wish,
                  struct rewording *rewrite, bool refers)
{
    if (refers)
        rewording_add(arena, rewrite, at_offset(site->span.offset), reference(arena, wish));
    rewording_add(arena, rewrite, mark_span(site),
                  arena_printf(arena, "%s.store(", refers ? end_reference(arena, wish) : ""));
    add_end(arena, site, rewrite, arena_printf(arena, ", %s)", order(arena, wish)));
}

static const char *update_method(enum cpp_mark mark)
{
    switch (mark) {
    case CPP_MARK_ADD_ASSIGN:
    case CPP_MARK_INCREMENT:
        return "fetch_add";
    case CPP_MARK_SUB_ASSIGN:
    case CPP_MARK_DECREMENT:
        return "fetch_sub";
    case CPP_MARK_AND_ASSIGN:
        return "fetch_and";
    case CPP_MARK_OR_ASSIGN:
        return "fetch_or";
    default:
        return "fetch_xor";
    }
}

/* "++x" and "x++" as statements, and "x += 1". */
static void update(struct arena *arena, const struct site *site, const struct site_wish *wish,
                   struct rewording *rewrite, bool refers)
{
    const struct cpp_expr *expr = site->expr, *object = expr->kids[0];
    const char *method = update_method(expr->mark), *open = refers ? reference(arena, wish) : "";
    const char *close = refers ? end_reference(arena, wish) : "";
    struct span mark =
        expr->kind == CPP_ASSIGNMENT ? mark_span(site)
        : expr->kind == CPP_POSTFIX
            ? (struct span){end_of(site->span) - 2, 2}
            : (struct span){site->span.offset, object->span.offset - site->span.offset};
    if (expr->kind == CPP_UNARY)
        rewording_add(arena, rewrite, mark, open);
    else
        rewording_add(arena, rewrite, at_offset(site->span.offset), open);
    if (expr->kind != CPP_UNARY)
        rewording_add(arena, rewrite, mark,
                      expr->kind == CPP_ASSIGNMENT
                          ? arena_printf(arena, "%s.%s(", close, method)
                          : arena_printf(arena, "%s.%s(1, %s)", close, method, order(arena, wish)));
    if (expr->kind != CPP_POSTFIX)
        add_end(arena, site, rewrite,
                expr->kind == CPP_ASSIGNMENT
                    ? arena_printf(arena, ", %s)", order(arena, wish))
                    : arena_printf(arena, "%s.%s(1, %s)", close, method, order(arena, wish)));
}

/* "atomicAdd(&x, 1)": to an atomic_ref of x, or of what is pointed to. */
static bool legacy(struct arena *arena, const struct site *site, const struct site_wish *wish,
                   struct rewording *rewrite)
{
    const struct cpp_expr *expr = site->expr, *pointer = expr->kids[1];
    const char *method = legacies[legacy_row(cpp_plain_word(&expr->kids[0]->name))].method;
    bool address = pointer->kind == CPP_UNARY && pointer->mark == CPP_MARK_AND;
    bool plain = pointer->kind == CPP_NAME || pointer->kind == CPP_INDEX;
    if (!method || expr->kid_count != 3)
        return false;
    uint32_t from = site->span.offset,
             to = address ? pointer->kids[0]->span.offset : pointer->span.offset;
    rewording_add(arena, rewrite, (struct span){from, to - from},
                  arena_printf(arena, "%s%s", reference(arena, wish),
                               address ? ""
                               : plain ? "*"
                                       : "*("));
    from = end_of(pointer->span);
    to = expr->kids[2]->span.offset;
    rewording_add(arena, rewrite, (struct span){from, to - from},
                  arena_printf(arena, "%s%s.%s(", address || plain ? "" : ")",
                               end_reference(arena, wish), method));
    rewording_add(arena, rewrite, at_offset(end_of(site->span) - 1),
                  arena_printf(arena, ", %s", order(arena, wish)));
    return true;
}

static void method(struct arena *arena, const struct site *site, const struct site_wish *wish,
                   struct rewording *rewrite)
{
    if (site->ordered) {
        rewording_add(arena, rewrite, site->order,
                      words_order_like(arena, words_of(arena, site, site->order), wish->sem));
        return;
    }
    bool last = site->order.offset == end_of(site->span) - 1;
    rewording_add(arena, rewrite, site->order,
                  arena_printf(arena, "%s%s%s", last && !site->first ? ", " : "",
                               order(arena, wish), last ? "" : ", "));
}

static void implied(struct arena *arena, const struct site *site, const struct site_wish *wish,
                    struct rewording *rewrite)
{
    bool assigns = site->expr->kind == CPP_ASSIGNMENT && site->expr->mark == CPP_MARK_ASSIGN;
    bool updates = site->expr->kind == CPP_ASSIGNMENT || site->expr->kind == CPP_POSTFIX ||
                   (site->expr->kind == CPP_UNARY && site->expr->mark != CPP_MARK_MUL);
    (assigns ? store : updates ? update : load)(arena, site, wish, rewrite, false);
}

struct rewording *site_write(struct arena *arena, const struct site *site,
                             const struct site_wish *wish)
{
    struct rewording *rewrite = begin(arena, site);
    if (wish->cast.length)
        rewording_add(arena, rewrite, wish->cast, wish->as);
    switch (site->kind) {
    case SITE_LOAD:
        load(arena, site, wish, rewrite, true);
        break;
    case SITE_STORE:
        store(arena, site, wish, rewrite, true);
        break;
    case SITE_UPDATE:
        update(arena, site, wish, rewrite, true);
        break;
    case SITE_METHOD:
        method(arena, site, wish, rewrite);
        break;
    case SITE_IMPLIED:
        implied(arena, site, wish, rewrite);
        break;
    case SITE_LEGACY:
        if (!legacy(arena, site, wish, rewrite))
            return NULL;
        break;
    case SITE_FENCE:
    case SITE_BARRIER:
        return NULL;
    }
    return done(arena, site, rewrite);
}

struct rewording *site_plain(struct arena *arena, const struct site *site)
{
    const struct cpp_expr *callee = site->expr->kids[0];
    const struct cpp_expr *object = callee->kind == CPP_MEMBER ? callee->kids[0] : NULL;
    const char *word = object ? cpp_last_part(&callee->name)->word : "";
    bool refers = object && object->kind == CPP_CALL && object->kid_count == 2 &&
                  object->kids[0]->kind == CPP_NAME &&
                  strcmp(cpp_last_part(&object->kids[0]->name)->word, "atomic_ref") == 0;
    bool loads = strcmp(word, "load") == 0;
    if (!refers || (!loads && strcmp(word, "store") != 0) || site->kind != SITE_METHOD)
        return NULL;
    struct rewording *rewrite = begin(arena, site);
    uint32_t from = site->span.offset, to = object->kids[1]->span.offset;
    rewording_add(arena, rewrite, (struct span){from, to - from}, "");
    from = end_of(object->kids[1]->span);
    to = loads ? end_of(site->span) : site->expr->kids[1]->span.offset;
    rewording_add(arena, rewrite, (struct span){from, to - from}, loads ? "" : " = ");
    from = loads ? to : end_of(site->expr->kids[1]->span);
    rewording_add(arena, rewrite, (struct span){from, end_of(site->span) - from}, "");
    return done(arena, site, rewrite);
}

struct rewording *site_scope(struct arena *arena, const struct site *site, enum scope scope)
{
    if (site->kind != SITE_LEGACY ||
        (scope != SCOPE_CTA && scope != SCOPE_GPU && scope != SCOPE_SYS))
        return NULL;
    struct rewording *rewrite = begin(arena, site);
    struct span callee = site->expr->kids[0]->span;
    const char *word = legacies[legacy_row(cpp_plain_word(&site->expr->kids[0]->name))].word;
    const char *suffix = scope == SCOPE_CTA ? "_block" : scope == SCOPE_SYS ? "_system" : "";
    rewording_add(arena, rewrite, callee, arena_printf(arena, "%s%s", word, suffix));
    return done(arena, site, rewrite);
}

struct rewording *site_replace(struct arena *arena, const struct site *site, const char *words)
{
    struct rewording *rewrite = begin(arena, site);
    rewording_add(arena, rewrite, site->span, words);
    return done(arena, site, rewrite);
}
