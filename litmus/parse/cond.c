/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <glib.h>
#include <string.h>

/* The question: "locations [x; 1:r0;] filter (P) exists (1:r0 = 1 /\ x != 0)". */

static struct cond *condition(struct parser *parser);

static struct cond *new_cond(struct parser *parser, enum cond_kind kind, struct span span)
{
    struct cond *cond = ARENA_NEW(parser->arena, struct cond);
    cond->kind = kind;
    cond->span = span;
    return cond;
}

static struct cond_term blank_term(struct span span)
{
    return (struct cond_term){.column = NONE,
                              .launch = NONE,
                              .cta = NONE,
                              .tid = NONE,
                              .host = NONE,
                              .reg = NONE,
                              .location = NONE,
                              .span = span};
}

/* A register of the body; "r0" is %r0 when the body has only that. One that only the question names
 * is added, and is 0. */
static uint32_t register_named(struct parser *parser, uint32_t body, struct span name)
{
    struct body *to = &parser->bodies.at[body];
    const char *text = parser->source->text + name.offset;
    uint32_t index;
    const char *percent = arena_printf(parser->arena, "%%%s", span_text(parser, name));
    if (names_get(parser->reg_names.at[body], 0, text, name.length, &index) ||
        names_get(parser->reg_names.at[body], 0, percent, name.length + 1, &index))
        return index;
    const char *plain = *text == '%' ? text + 1 : text;
    if (memchr(text, '.', name.length) || !(g_ascii_isalpha(*plain) || *plain == '_'))
        parse_error(parser, unknown_name, name, NULL, "'%s' has no register '%s'", to->name,
                    span_text(parser, name));
    struct reg reg = {span_text(parser, name), TYPE_NONE, name};
    index = to->reg_count++;
    to->regs = arena_grow(parser->arena, to->regs, sizeof reg * index, sizeof reg * (index + 1));
    to->regs[index] = reg;
    names_put(parser->reg_names.at[body], 0, reg.name, name.length, index);
    parse_error(parser, never_written, name, NULL, "'%s' of %s is never written: it is 0", reg.name,
                to->name);
    return index;
}

/* "P1:r0" and "1:r0"; the current token is the thread. */
static bool column_register(struct parser *parser, struct cond_term *term)
{
    uint32_t number;
    struct token thread = parser->token;
    advance(parser);
    advance(parser);
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a register"))
        return false;
    if (!thread_number(parser, thread.span, &number) || number >= parser->columns.len) {
        parse_error(parser, unknown_thread, thread.span, NULL, "there is no thread %s",
                    token_text(parser, thread));
        return false;
    }
    term->kind = TERM_REG;
    term->column = number;
    term->reg = register_named(parser, parser->columns.at[number].body, name);
    return true;
}

/* "H:q"; the current token is the host thread. */
static bool host_register(struct parser *parser, uint32_t host, struct cond_term *term)
{
    advance(parser);
    struct span name;
    if (!expect(parser, ':', "':' and a register"))
        return false;
    name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a register"))
        return false;
    term->kind = TERM_REG;
    term->host = host;
    term->reg = register_named(parser, parser->host_threads.at[host].body, name);
    return true;
}

static bool find_launch(const struct parser *parser, struct span name, uint32_t *index)
{
    for (*index = 0; *index < parser->launches.len; ++*index)
        if (span_is(parser, name, parser->launches.at[*index].label))
            return true;
    return false;
}

static uint64_t volume(struct dim3 dim)
{
    return (uint64_t)dim.x * dim.y * dim.z;
}

/* "[cta,tid]" after a launch's name: linear numbers; a launch of one thread needs none. */
static bool launch_thread(struct parser *parser, const struct launch *launch,
                          struct cond_term *term)
{
    uint64_t cta = 0, tid = 0, ctas = volume(launch->grid), tids = volume(launch->block);
    if (!accept(parser, '[')) {
        if (ctas == 1 && tids == 1) {
            term->cta = term->tid = 0;
            return true;
        }
        parse_error(parser, unknown_thread, term->span, NULL,
                    "'%s' has %llu CTAs of %llu threads: write %s[cta,tid]:register", launch->label,
                    (unsigned long long)ctas, (unsigned long long)tids, launch->label);
        return false;
    }
    if (!expect_number(parser, "the CTA's number", ctas - 1, &cta) ||
        !expect(parser, ',', "',' and the thread's number") ||
        !expect_number(parser, "the thread's number", tids - 1, &tid) ||
        !expect(parser, ']', "']'"))
        return false;
    term->cta = (uint32_t)cta;
    term->tid = (uint32_t)tid;
    return true;
}

/* "K1[2,33]:r0" or "K1:r0". */
static bool launch_register(struct parser *parser, uint32_t index, struct cond_term *term)
{
    const struct launch *launch = &parser->launches.at[index];
    advance(parser);
    if (!launch_thread(parser, launch, term) || !expect(parser, ':', "':' and a register"))
        return false;
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a register"))
        return false;
    if (launch->kernel == NONE)
        return false;
    term->kind = TERM_REG;
    term->launch = index;
    term->reg = register_named(parser, launch->kernel, name);
    return true;
}

static bool has_register(const struct parser *parser, uint32_t body, struct span name)
{
    uint32_t index;
    return body != NONE && names_get(parser->reg_names.at[body], 0,
                                     parser->source->text + name.offset, name.length, &index);
}

/* A thread whose register the name is, written as the question must write it; NULL when none has.
 */
static const char *owner_of_register(const struct parser *parser, struct span name)
{
    for (uint32_t i = 0; i < parser->columns.len; i++)
        if (has_register(parser, parser->columns.at[i].body, name))
            return arena_printf(parser->arena, "%u", i);
    for (uint32_t i = 0; i < parser->host_threads.len; i++)
        if (has_register(parser, parser->host_threads.at[i].body, name))
            return parser->host_threads.at[i].name;
    for (uint32_t i = 0; i < parser->launches.len; i++)
        if (has_register(parser, parser->launches.at[i].kernel, name))
            return parser->launches.at[i].label;
    return NULL;
}

/* One that only the question names is added, and is 0. */
static uint32_t new_location(struct parser *parser, struct span name)
{
    const char *text = span_text(parser, name), *owner = owner_of_register(parser, name);
    const char **known = ARENA_ARRAY(parser->arena, const char *, parser->locations.len + 1);
    for (uint32_t i = 0; i < parser->locations.len; i++)
        known[i] = parser->locations.at[i].name;
    const char *near = diag_nearest(text, name.length, known, parser->locations.len);
    if (owner)
        parse_error(parser, name_of_location, name,
                    arena_printf(parser->arena, "did you mean '%s:%s'?", owner, text),
                    "'%s' is a register, not a location", text);
    else
        parse_error(parser, never_touched, name,
                    near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                    "no code and no initial state names '%s': it is 0", text);
    return location_of(parser, name);
}

/* A location of the test, else the one that a single kernel declares under this name, else a new
 * one. */
static uint32_t location_named(struct parser *parser, struct span name)
{
    uint32_t index, found = NONE, count = 0;
    if (location_find(parser, NONE, name, &index))
        return index;
    for (uint32_t i = 0; i < parser->raws.len; i++)
        if (location_find(parser, i, name, &index)) {
            found = index;
            count++;
        }
    if (count > 1)
        parse_error(parser, bad_question, name, NULL, "'%s' is declared in %u kernels",
                    span_text(parser, name), count);
    return count ? found : new_location(parser, name);
}

static bool element_of(struct parser *parser, struct span name, const struct location *location,
                       struct cond_term *term)
{
    uint64_t element = 0;
    if (accept(parser, '[') &&
        (!expect_number(parser, "the element's number", MAX_ELEMENTS, &element) ||
         !expect(parser, ']', "']'")))
        return false;
    term->element = (uint32_t)element;
    if (element < location->elements)
        return true;
    parse_error(parser, number_out_of_range, name, NULL, "'%s' has %u element%s", location->name,
                location->elements, location->elements == 1 ? "" : "s");
    return false;
}

/* A location, with its element in an array. */
static bool location_term(struct parser *parser, struct cond_term *term, bool bracketed)
{
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a location"))
        return false;
    term->location = location_named(parser, name);
    return element_of(parser, name, &parser->locations.at[term->location], term) &&
           (!bracketed || expect(parser, ']', "']'"));
}

static bool term(struct parser *parser, struct cond_term *to)
{
    struct span start = parser->token.span;
    uint32_t launch;
    bool good = true;
    *to = blank_term(start);
    if (at(parser, TOKEN_WORD) && find_launch(parser, start, &launch))
        good = launch_register(parser, launch, to);
    else if (at(parser, TOKEN_WORD) && host_thread_find(parser, start, &launch))
        good = host_register(parser, launch, to);
    else if ((at(parser, TOKEN_WORD) || at(parser, TOKEN_NUMBER)) && parser->next.kind == ':')
        good = column_register(parser, to);
    else if (at(parser, TOKEN_NUMBER) || at(parser, '-'))
        good = parse_integer(parser, &to->value);
    else if (accept(parser, '&')) {
        to->kind = TERM_ADDRESS;
        good = location_term(parser, to, false);
    } else if (accept_word(parser, "true"))
        to->value = 1;
    else if (accept_word(parser, "cudaErrorNotReady"))
        to->value = HOST_RESULT_NOT_READY;
    else if (!accept_word(parser, "false") && !accept_word(parser, "cudaSuccess")) {
        to->kind = TERM_LOCATION;
        good = location_term(parser, to, accept(parser, '['));
    }
    to->span = span_until_here(parser, start);
    return good;
}

/* CMP_NONE: the token compares nothing. */
static enum cmp comparison_of(int token)
{
    static const struct {
        int token;
        enum cmp cmp;
    } marks[] = {{'=', CMP_EQ},      {TOKEN_EQ, CMP_EQ}, {TOKEN_NE, CMP_NE}, {'<', CMP_LT},
                 {TOKEN_LE, CMP_LE}, {'>', CMP_GT},      {TOKEN_GE, CMP_GE}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (token == marks[i].token)
            return marks[i].cmp;
    return CMP_NONE;
}

static bool comparison_mark(struct parser *parser, enum cmp *cmp)
{
    *cmp = comparison_of(parser->token.kind);
    if (*cmp != CMP_NONE)
        advance(parser);
    return *cmp != CMP_NONE;
}

static bool at_comparison(const struct parser *parser)
{
    return comparison_of(parser->next.kind) != CMP_NONE;
}

static struct cond *comparison(struct parser *parser)
{
    struct cond *cond = new_cond(parser, COND_COMPARE, parser->token.span);
    if (!term(parser, &cond->left))
        return NULL;
    if (!comparison_mark(parser, &cond->cmp)) {
        unexpected(parser, "a comparison: ==, !=, <, <=, > or >=");
        return NULL;
    }
    if (!term(parser, &cond->right))
        return NULL;
    cond->span = span_until_here(parser, cond->span);
    return cond;
}

/* Enters one level of nesting; the levels are counted because the parser recurses. */
static bool deeper(struct parser *parser)
{
    if (parser->depth < MAX_DEPTH) {
        parser->depth++;
        return true;
    }
    parse_error(parser, too_deep, parser->token.span, NULL,
                "the condition is nested deeper than %d levels", MAX_DEPTH);
    return false;
}

static struct cond *nested(struct parser *parser)
{
    if (!deeper(parser))
        return NULL;
    struct cond *inner = condition(parser);
    parser->depth--;
    return inner && expect(parser, ')', "')'") ? inner : NULL;
}

static struct cond *negation(struct parser *parser);

static struct cond *negated(struct parser *parser, struct span start)
{
    if (!deeper(parser))
        return NULL;
    struct cond *kid = negation(parser);
    parser->depth--;
    if (!kid)
        return NULL;
    struct cond *cond = new_cond(parser, COND_NOT, span_until_here(parser, start));
    cond->kids = ARENA_NEW(parser->arena, struct cond *);
    cond->kids[0] = kid;
    cond->kid_count = 1;
    return cond;
}

static struct cond *negation(struct parser *parser)
{
    struct span start = parser->token.span;
    if (accept(parser, '~') || accept(parser, '!') || accept_word(parser, "not"))
        return negated(parser, start);
    if (accept(parser, '('))
        return nested(parser);
    if (at_word(parser, "true") && !at_comparison(parser) && accept_word(parser, "true"))
        return new_cond(parser, COND_TRUE, start);
    if (at_word(parser, "false") && !at_comparison(parser) && accept_word(parser, "false"))
        return new_cond(parser, COND_FALSE, start);
    return comparison(parser);
}

/* "kid mark kid mark kid", or the one kid alone. */
static struct cond *chain(struct parser *parser, enum cond_kind kind, int mark, const char *word,
                          struct cond *(*kid)(struct parser *))
{
    VEC(struct cond *) kids = {0};
    struct span start = parser->token.span;
    do {
        struct cond *one = kid(parser);
        if (!one)
            return NULL;
        vec_push(parser->arena, &kids, one);
    } while (accept(parser, mark) || accept_word(parser, word) ||
             (kind == COND_OR && accept(parser, TOKEN_BARS)));
    if (kids.len == 1)
        return kids.at[0];
    struct cond *cond = new_cond(parser, kind, span_until_here(parser, start));
    cond->kids = kids.at;
    cond->kid_count = kids.len;
    return cond;
}

static struct cond *conjunction(struct parser *parser)
{
    return chain(parser, COND_AND, TOKEN_AND, "and", negation);
}

static struct cond *condition(struct parser *parser)
{
    return chain(parser, COND_OR, TOKEN_OR, "or", conjunction);
}

static void observe(struct parser *parser, const struct cond_term *term)
{
    if (term->kind == TERM_REG || term->kind == TERM_LOCATION)
        vec_push(parser->arena, &parser->observed, *term);
}

static void observe_all(struct parser *parser, const struct cond *cond)
{
    if (cond->kind == COND_COMPARE) {
        observe(parser, &cond->left);
        observe(parser, &cond->right);
    }
    for (uint32_t i = 0; i < cond->kid_count; i++)
        observe_all(parser, cond->kids[i]);
}

/* "locations [x; 1:r0; s[3]]" */
static void locations(struct parser *parser)
{
    if (!expect(parser, '[', "'[' after 'locations'"))
        return;
    while (!at(parser, ']') && !at(parser, TOKEN_END)) {
        struct cond_term shown;
        if (accept(parser, ';') || accept(parser, ','))
            continue;
        if (!term(parser, &shown)) {
            skip_past(parser, ']');
            return;
        }
        if (shown.kind == TERM_CONST || shown.kind == TERM_ADDRESS)
            parse_error(parser, bad_question, shown.span, NULL,
                        "'%s' is no register and no location", span_text(parser, shown.span));
        observe(parser, &shown);
    }
    expect(parser, ']', "']'");
    accept(parser, ';');
}

static bool quantifier(struct parser *parser, enum quantifier *to)
{
    bool negative = accept(parser, '~') || accept_word(parser, "not");
    if (accept_word(parser, "exists")) {
        *to = negative ? QUANTIFIER_NOT_EXISTS : QUANTIFIER_EXISTS;
        return true;
    }
    if (!negative && accept_word(parser, "forall")) {
        *to = QUANTIFIER_FORALL;
        return true;
    }
    return false;
}

static void question(struct parser *parser)
{
    struct test *test = parser->test;
    if (at(parser, TOKEN_END))
        return;
    if (!quantifier(parser, &test->quantifier)) {
        unexpected(parser, "'exists', '~exists' or 'forall'");
        skip_past(parser, TOKEN_END);
        return;
    }
    test->condition = condition(parser);
    if (!test->condition)
        skip_past(parser, TOKEN_END);
    else if (!at(parser, TOKEN_END))
        unexpected(parser, "the end of the test");
}

void parse_final(struct parser *parser)
{
    struct test *test = parser->test;
    for (;;) {
        if (accept_word(parser, "locations"))
            locations(parser);
        else if (!test->filter && accept_word(parser, "filter"))
            test->filter = condition(parser);
        else
            break;
    }
    question(parser);
    if (!test->condition)
        test->condition = new_cond(parser, COND_TRUE, (struct span){parser->source->length, 0});
    observe_all(parser, test->condition);
}
