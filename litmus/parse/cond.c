/* SPDX-License-Identifier: MIT */
#include "litmus/parse/cond.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/parse/columns.h"
#include "litmus/parse/location.h"
#include "litmus/test/launch.h"

/* The question: "locations [x; 1:r0;] filter (P) exists (1:r0 = 1 /\ x != 0)". */

static struct cond *condition(struct parser *p);

static struct cond *new_cond(struct parser *p, enum cond_kind kind, struct span span)
{
    struct cond *cond = ARENA_NEW(p->arena, struct cond);
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

/* The register of the body that is called alike, or those that it has. */
static const char *registers_hint(const struct parser *p, const struct body *body, const char *name)
{
    const char **known = ARENA_ARRAY(p->arena, const char *, body->reg_count), *all = "";
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->reg_count; i++) {
        if (!*body->regs[i].name) /* of an expression */
            continue;
        all = arena_printf(p->arena, "%s%s%s", all, count ? ", " : "", body->regs[i].name);
        known[count++] = body->regs[i].name;
    }
    const char *near = diag_hint(p->arena, name, strlen(name), known, count);
    return near    ? near
           : count ? arena_printf(p->arena, "the registers of %s are %s", body->name, all)
                   : arena_printf(p->arena, "%s has no registers", body->name);
}

/* A register of the body; "r0" is %r0 when the body has only that. One that only the question names
 * is added, and is 0. */
static uint32_t register_named(struct parser *p, uint32_t body, struct span name)
{
    struct body *to = &p->bodies.at[body];
    const char *text = p->source->text + name.offset;
    const char *percent = arena_printf(p->arena, "%%%s", parse_text(p, name));
    uint32_t index = parse_name(p, p->reg_names.at[body], 0, name);
    if (index == NONE)
        index = names_get(p->reg_names.at[body], 0, percent, name.length + 1);
    if (index != NONE)
        return index;
    const char *plain = *text == '%' ? text + 1 : text;
    if (memchr(text, '.', name.length) || !(g_ascii_isalpha(*plain) || *plain == '_'))
        parse_error(p, unknown_name, name, NULL, "'%s' has no register '%s'", to->name,
                    parse_text(p, name));
    struct reg reg = {parse_text(p, name), TYPE_NONE, name};
    if (!p->diags->errors) /* else what writes it may have been refused */
        parse_error(p, never_written, name, registers_hint(p, to, reg.name),
                    "'%s' of %s is never written: it is 0", reg.name, to->name);
    index = to->reg_count++;
    to->regs = arena_grow(p->arena, to->regs, sizeof reg * index, sizeof reg * (index + 1));
    to->regs[index] = reg;
    names_put(p->reg_names.at[body], 0, reg.name, name.length, index);
    return index;
}

/* '*launch' stays NONE when none has the name. */
static bool find_launch(const struct parser *p, struct span name, uint32_t *launch)
{
    for (uint32_t i = 0; *launch == NONE && i < p->launches.len; i++)
        if (parse_text_is(p, name, p->launches.at[i].label))
            *launch = i;
    return *launch != NONE;
}

/* "[cta,tid]" after a launch's name: linear numbers; a launch of one thread needs none. */
static bool launch_thread(struct parser *p, const struct launch *launch, struct cond_term *term)
{
    uint64_t ctas = launch_volume(launch->grid), tids = launch_volume(launch->block);
    if (!parse_accept(p, '[')) {
        if (ctas == 1 && tids == 1) {
            term->cta = term->tid = 0;
            return true;
        }
        parse_error(p, unknown_thread, term->span, NULL,
                    "'%s' has %llu CTAs of %llu threads: write %s[cta,tid]:register", launch->label,
                    (unsigned long long)ctas, (unsigned long long)tids, launch->label);
        return false;
    }
    return parse_count(p, "the CTA's number", ctas - 1, &term->cta) &&
           parse_expect(p, ',', "',' and the thread's number") &&
           parse_count(p, "the thread's number", tids - 1, &term->tid) &&
           parse_expect(p, ']', "']'");
}

/* One of a program's main. */
static bool is_variable(struct parser *p, struct cond_term *term, bool *good)
{
    return p->host_named && parse_at(p, TOKEN_WORD) && p->host_named(p, term, good);
}

/* "1:r0", "P1:r0", "H:q", "K1[2,33]:r0" or "K1:r0": a register of the column, host thread or launch that
 * the current token names. */
static bool register_term(struct parser *p, struct cond_term *term)
{
    struct token thread = p->token;
    uint32_t body, number;
    term->kind = TERM_REG;
    parse_advance(p);
    if (term->launch != NONE && !launch_thread(p, &p->launches.at[term->launch], term))
        return false;
    if (!parse_expect(p, ':', "':' and a register"))
        return false;
    struct span name = p->token.span;
    bool good;
    if (term->host != NONE && is_variable(p, term, &good))
        return good;
    if (!parse_expect(p, TOKEN_WORD, "the name of a register"))
        return false;
    if (term->launch != NONE)
        body = p->launches.at[term->launch].kernel;
    else if (term->host != NONE)
        body = p->host_threads.at[term->host].body;
    else if (parse_thread_number(p, thread.span, &number) && number < p->columns.len)
        body = p->columns.at[term->column = number].body;
    else {
        parse_error(p, unknown_thread, thread.span,
                    p->columns.len
                        ? arena_printf(p->arena, "the last one is P%u", p->columns.len - 1)
                        : NULL,
                    "there is no thread %s", parse_token_text(p, thread));
        return false;
    }
    if (body != NONE) /* else the launch has no kernel, which was reported */
        term->reg = register_named(p, body, name);
    return body != NONE;
}

static bool has_register(const struct parser *p, uint32_t body, struct span name)
{
    return body != NONE && parse_name(p, p->reg_names.at[body], 0, name) != NONE;
}

/* A thread whose register the name is, written as the question must write it, or NULL. */
static const char *owner_of_register(const struct parser *p, struct span name)
{
    for (uint32_t i = 0; i < p->columns.len; i++)
        if (has_register(p, p->columns.at[i].body, name))
            return arena_printf(p->arena, "%u", i);
    for (uint32_t i = 0; i < p->host_threads.len; i++)
        if (has_register(p, p->host_threads.at[i].body, name))
            return p->host_threads.at[i].name;
    for (uint32_t i = 0; i < p->launches.len; i++)
        if (has_register(p, p->launches.at[i].kernel, name))
            return p->launches.at[i].label;
    return NULL;
}

/* One that only the question names is added, and is 0. */
static uint32_t new_location(struct parser *p, struct span name)
{
    const char *text = parse_text(p, name), *owner = owner_of_register(p, name);
    const char **known = ARENA_ARRAY(p->arena, const char *, p->locations.len + 1);
    for (uint32_t i = 0; i < p->locations.len; i++)
        known[i] = p->locations.at[i].name;
    if (owner)
        parse_error(p, name_of_location, name,
                    arena_printf(p->arena, "did you mean '%s:%s'?", owner, text),
                    "'%s' is a register, not a location", text);
    else
        parse_error(p, never_touched, name,
                    diag_hint(p->arena, text, name.length, known, p->locations.len),
                    "no code and no initial state names '%s': it is 0", text);
    return parse_location(p, name);
}

/* A location of the test, else the one that a single kernel declares under this name, else a new
 * one. */
static uint32_t location_named(struct parser *p, struct span name)
{
    uint32_t index, found = NONE, count = 0;
    if (parse_find_location(p, NONE, name, &index))
        return index;
    for (uint32_t i = 0; i < p->reg_names.len; i++)
        if (parse_find_location(p, i, name, &index)) {
            found = index;
            count++;
        }
    if (count > 1)
        parse_error(p, bad_question, name, NULL, "'%s' is declared in %u kernels",
                    parse_text(p, name), count);
    return count ? found : new_location(p, name);
}

/* "[1][2]", of which the first index is read: the element in the order of memory. One index alone counts all of
 * them. */
static bool further_indices(struct parser *p, const struct location *location, uint32_t *element)
{
    for (uint32_t i = 1; i < location->dim_count && parse_at(p, '['); i++) {
        struct span span = p->token.span;
        uint32_t index;
        if (!parse_index(p, "the element's number", MAX_ELEMENTS, &index))
            return false;
        if (index >= location->dims[i] || (i == 1 && *element >= location->dims[0])) {
            parse_error(p, number_out_of_range, span, NULL, "'%s' has %u rows of %u",
                        location->name, location->dims[0], location->dims[1]);
            return false;
        }
        *element = *element * location->dims[i] + index;
    }
    return true;
}

static bool element_of(struct parser *p, struct span name, const struct location *location,
                       struct cond_term *term)
{
    if (!parse_index(p, "the element's number", MAX_ELEMENTS, &term->element) ||
        !further_indices(p, location, &term->element))
        return false;
    if (term->element < location->elements)
        return true;
    parse_error(p, number_out_of_range, name, NULL, "'%s' has %u element%s", location->name,
                location->elements, location->elements == 1 ? "" : "s");
    return false;
}

/* ".y" behind a vector, which the element so far numbers among the vectors of an array. */
static bool part_of(struct parser *p, const struct location *location, struct cond_term *term)
{
    static const char *const parts[] = {".x", ".y", ".z", ".w"};
    for (uint32_t i = 0; i < location->vector; i++)
        if (parse_at_word(p, parts[i])) {
            uint32_t element = term->element * location->vector + i;
            bool good = element < location->elements;
            if (!good)
                parse_error(p, number_out_of_range, p->token.span, NULL, "'%s' has %u vector%s",
                            location->name, location->elements / location->vector,
                            location->elements == location->vector ? "" : "s");
            term->element = element;
            parse_advance(p);
            return good;
        }
    return true;
}

/* "n.data" of a structure in C++, of which the location is called n_data. */
static bool is_member(const struct parser *p, struct span name, uint32_t *location)
{
    uint32_t whole;
    if (p->next.kind != TOKEN_DOTWORD || p->next.span.offset != name.offset + name.length ||
        parse_find_location(p, NONE, name, &whole))
        return false;
    const char *joined =
        arena_printf(p->arena, "%s_%.*s", parse_text(p, name), (int)p->next.span.length - 1,
                     p->source->text + p->next.span.offset + 1);
    *location = names_get(&p->location_names, NONE, joined, strlen(joined));
    return *location != NONE;
}

/* A location, with its element in an array and its part of a vector. */
static bool location_term(struct parser *p, struct cond_term *term, bool bracketed)
{
    struct span name = p->token.span;
    bool member = parse_at(p, TOKEN_WORD) && is_member(p, name, &term->location);
    if (member)
        parse_advance(p);
    if (!(member ? parse_accept(p, TOKEN_DOTWORD)
                 : parse_expect(p, TOKEN_WORD, "the name of a location")))
        return false;
    if (!member)
        term->location = location_named(p, name);
    const struct location *location = &p->locations.at[term->location];
    return element_of(p, name, location, term) && part_of(p, location, term) &&
           (!bracketed || parse_expect(p, ']', "']'"));
}

/* A register, a location, its address, a number, or a word that stands for a number. */
static bool term(struct parser *p, struct cond_term *to)
{
    struct span start = p->token.span;
    bool good = true, word = parse_at(p, TOKEN_WORD);
    *to = blank_term(start);
    if ((word && (find_launch(p, start, &to->launch) || parse_find_host(p, start, &to->host))) ||
        ((word || parse_at(p, TOKEN_NUMBER)) && p->next.kind == ':'))
        good = register_term(p, to);
    else if (is_variable(p, to, &good))
        ;
    else if (parse_at(p, TOKEN_NUMBER) || parse_at(p, '-'))
        good = parse_integer(p, &to->value);
    else if (parse_accept(p, '&')) {
        to->kind = TERM_ADDRESS;
        good = location_term(p, to, false) &&
               (!parse_accept(p, '+') ||
                parse_expect_number(p, "a number of bytes", UINT32_MAX, &to->value));
    } else if (parse_accept_word(p, "true"))
        to->value = 1;
    else if (parse_accept_word(p, "cudaErrorNotReady"))
        to->value = HOST_RESULT_NOT_READY;
    else if (!parse_accept_word(p, "false") && !parse_accept_word(p, "cudaSuccess")) {
        to->kind = TERM_LOCATION;
        good = location_term(p, to, parse_accept(p, '['));
    }
    to->span = parse_span_from(p, start);
    return good;
}

static enum type type_of(const struct parser *p, const struct cond_term *term)
{
    return term->kind == TERM_LOCATION ? p->locations.at[term->location].type : TYPE_NONE;
}

/* "-1.5", compared with memory of floats. */
static bool float_term(struct parser *p, const struct cond *cond, struct cond_term *to)
{
    struct span start = p->token.span;
    enum type type = type_of(p, &cond->left);
    *to = blank_term(start);
    double number = parse_fraction(p);
    to->span = parse_span_from(p, start);
    to->value = type_fraction_bits(type, number);
    if (type_holds_fraction(type) && (cond->cmp == CMP_EQ || cond->cmp == CMP_NE))
        return true;
    parse_error(p, bad_question, to->span, NULL,
                "a fraction is compared by '=' or '!=' with memory of type f16, bf16, f32 or f64");
    return false;
}

/* In a program "x = 3" means the number also where x is a float. */
static void convert(struct parser *p, struct cond *cond)
{
    enum type type = type_of(p, &cond->left);
    struct cond_term *to = &cond->right;
    if (to->kind != TERM_CONST || (type != TYPE_F32 && type != TYPE_F64))
        return;
    if (p->is_program)
        to->value = number_float_bits((double)(int64_t)to->value, type == TYPE_F32);
    else
        parse_doubt_bits(p, to->span, type, to->value);
}

static bool at_comparison(const struct parser *p)
{
    return p->next.kind == '=' || parse_cmp(p, p->next) != CMP_NONE;
}

static struct cond *comparison(struct parser *p)
{
    struct cond *cond = new_cond(p, COND_COMPARE, p->token.span);
    if (!term(p, &cond->left))
        return NULL;
    cond->cmp = CMP_EQ;
    if (parse_at(p, ':') && p->next.kind == '=') {
        parse_error(p, unexpected_token, p->token.span, "write '='", "':=' does not compare");
        return NULL;
    }
    if (!parse_accept(p, '=') &&
        !parse_comparison(p, "a comparison: ==, !=, <, <=, > or >=", &cond->cmp))
        return NULL;
    bool fraction = parse_at_fraction(p);
    if (!(fraction ? float_term(p, cond, &cond->right) : term(p, &cond->right)))
        return NULL;
    if (!fraction)
        convert(p, cond);
    cond->span = parse_span_from(p, cond->span);
    return cond;
}

static struct cond *nested(struct parser *p)
{
    if (!parse_deeper(p, "the condition is"))
        return NULL;
    struct cond *inner = condition(p);
    p->depth--;
    if (inner && (parse_at(p, ',') || parse_at(p, '-') || parse_at(p, '&') || parse_at(p, '|') ||
                  parse_at(p, ';')))
        parse_error(p, unexpected_token, p->token.span,
                    "'and' is '/\\', 'or' is '\\/'; write 'if P, Q' as '~P \\/ Q'",
                    "expected ')', found %s", parse_token_text(p, p->token));
    else if (inner && parse_expect(p, ')', "')'"))
        return inner;
    return NULL;
}

static struct cond *compound(struct parser *p, enum cond_kind kind, struct span start,
                             struct cond **kids, uint32_t count)
{
    struct cond *cond = new_cond(p, kind, parse_span_from(p, start));
    cond->kids = kids;
    cond->kid_count = count;
    return cond;
}

static struct cond *negation(struct parser *p);

static struct cond *negated(struct parser *p, struct span start)
{
    if (!parse_deeper(p, "the condition is"))
        return NULL;
    struct cond **kid = ARENA_NEW(p->arena, struct cond *);
    *kid = negation(p);
    p->depth--;
    return *kid ? compound(p, COND_NOT, start, kid, 1) : NULL;
}

static struct cond *negation(struct parser *p)
{
    struct span start = p->token.span;
    if (parse_accept(p, '~') || parse_accept(p, '!') || parse_accept_word(p, "not"))
        return negated(p, start);
    if (parse_accept(p, '('))
        return nested(p);
    if (parse_at_word(p, "true") && !at_comparison(p) && parse_accept_word(p, "true"))
        return new_cond(p, COND_TRUE, start);
    if (parse_at_word(p, "false") && !at_comparison(p) && parse_accept_word(p, "false"))
        return new_cond(p, COND_FALSE, start);
    return comparison(p);
}

/* "kid mark kid mark kid", or the one kid alone. */
static struct cond *chain(struct parser *p, enum cond_kind kind, int mark, const char *word,
                          struct cond *(*kid)(struct parser *))
{
    VEC(struct cond *) kids = {0};
    struct span start = p->token.span;
    do {
        struct cond *one = kid(p);
        if (!one)
            return NULL;
        vec_push(p->arena, &kids, one);
    } while (parse_accept(p, mark) || parse_accept_word(p, word) ||
             (kind == COND_OR && parse_accept(p, TOKEN_BARS)));
    return kids.len == 1 ? kids.at[0] : compound(p, kind, start, kids.at, kids.len);
}

static struct cond *conjunction(struct parser *p)
{
    return chain(p, COND_AND, TOKEN_AND, "and", negation);
}

static struct cond *condition(struct parser *p)
{
    return chain(p, COND_OR, TOKEN_OR, "or", conjunction);
}

static void observe(void *context, const struct cond_term *term)
{
    struct parser *p = context;
    if (term->kind == TERM_REG || term->kind == TERM_LOCATION)
        vec_push(p->arena, &p->observed, *term);
}

enum { MOST_SHOWN = 64 }; /* elements of an array that is named as a whole */

/* An array without an index stands for all its elements. */
static void observe_whole(struct parser *p, const struct cond_term *shown)
{
    const struct location *location = &p->locations.at[shown->location];
    bool whole = shown->kind == TERM_LOCATION && location->elements > 1 &&
                 !strchr(parse_text(p, shown->span), '[');
    uint32_t count = whole ? (uint32_t)location->elements : 1;
    if (count > MOST_SHOWN)
        parse_error(p, bad_question, shown->span,
                    arena_printf(p->arena, "name those to show, as '%s[0]'", location->name),
                    "'%s' has %u elements", location->name, count);
    for (uint32_t i = 0; i < count && count <= MOST_SHOWN; i++) {
        struct cond_term one = *shown;
        one.element += i;
        observe(p, &one);
    }
}

/* "locations [x; 1:r0; s[3]]" */
static void locations(struct parser *p)
{
    if (!parse_expect(p, '[', "'[' after 'locations'"))
        return;
    while (!parse_at(p, ']') && !parse_at(p, TOKEN_END)) {
        struct cond_term shown;
        if (parse_accept(p, ';') || parse_accept(p, ','))
            continue;
        if (!term(p, &shown)) {
            parse_skip_past(p, ']');
            return;
        }
        if (shown.kind == TERM_CONST || shown.kind == TERM_ADDRESS)
            parse_error(p, bad_question, shown.span, NULL, "'%s' is no register and no location",
                        parse_text(p, shown.span));
        else
            observe_whole(p, &shown);
    }
    parse_expect(p, ']', "']'");
    parse_accept(p, ';');
}

/* Rows of asked.def. */
static const struct {
    const char *word, *hint;
} asked[] = {
#define ASKED(word, hint) {word, hint},
#include "litmus/parse/asked.def"
};

/* What to write in place of the current word, where the question begins; NULL: it is no such word. */
static const char *asked_hint(const struct parser *p)
{
    const char *word = parse_text(p, p->token.span), *begins[G_N_ELEMENTS(asked)];
    uint32_t count = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(asked); i++) {
        if (asked[i].hint && g_ascii_strcasecmp(word, asked[i].word) == 0)
            return asked[i].hint;
        if (!asked[i].hint)
            begins[count++] = asked[i].word;
    }
    return diag_hint(p->arena, word, strlen(word), begins, count);
}

/* Does the current word begin a question as it is? */
static bool is_asked(const struct parser *p)
{
    return parse_at_word(p, "exists") || parse_at_word(p, "forall");
}

/* "allowed: 1:r0=1": no label, as no instruction follows. */
static bool is_question_with_colon(const struct parser *p)
{
    if (p->next.kind != ':')
        return false;
    size_t from = p->next.span.offset + 1, rest = p->source->length - from;
    const char *at = arena_strndup(p->arena, p->source->text + from, rest < 64 ? rest : 64);
    at += strspn(at, " \t\n");
    bool value = g_ascii_isdigit(*at) || *at == '(' || *at == '[' || *at == '~';
    at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.%[]");
    at += strspn(at, " \t");
    return value || *at == '=' || (*at == '!' && at[1] == '=');
}

bool parse_at_misspelt_question(const struct parser *p)
{
    if (parse_at(p, TOKEN_WORD) && is_question_with_colon(p))
        return is_asked(p) || asked_hint(p);
    bool follows = p->next.kind == '(' || p->next.kind == '[' || p->next.kind == TOKEN_NUMBER;
    return parse_at(p, TOKEN_WORD) && follows && asked_hint(p);
}

static bool quantifier(struct parser *p, enum quantifier *to)
{
    bool negative = parse_accept(p, '~') || parse_accept_word(p, "not");
    if (parse_accept_word(p, "exists")) {
        *to = negative ? QUANTIFIER_NOT_EXISTS : QUANTIFIER_EXISTS;
        return true;
    }
    if (!negative && parse_accept_word(p, "forall")) {
        *to = QUANTIFIER_FORALL;
        return true;
    }
    return false;
}

static void question(struct parser *p)
{
    struct test *test = p->test;
    if (parse_at(p, TOKEN_END))
        return;
    if (!quantifier(p, &test->quantifier)) {
        parse_error(
            p, unexpected_token, p->token.span, parse_at(p, TOKEN_WORD) ? asked_hint(p) : NULL,
            "expected 'exists', '~exists' or 'forall', found %s", parse_token_text(p, p->token));
        parse_skip_past(p, TOKEN_END);
        return;
    }
    if (parse_at(p, ':'))
        parse_error(p, unexpected_token, p->token.span, "the question is written without ':'",
                    "expected a condition, found ':'");
    parse_accept(p, ':');
    test->condition = condition(p);
    if (!test->condition)
        parse_skip_past(p, TOKEN_END);
    else if (!parse_at(p, TOKEN_END))
        parse_unexpected(p, "the end of the test");
}

void parse_final(struct parser *p)
{
    struct test *test = p->test;
    for (;;) {
        if (parse_accept_word(p, "locations"))
            locations(p);
        else if (!test->filter && parse_accept_word(p, "filter"))
            test->filter = condition(p);
        else
            break;
    }
    question(p);
    if (!test->condition)
        test->condition = new_cond(p, COND_TRUE, (struct span){p->lexer.source->length, 0});
    cond_each_term(test->condition, observe, p);
    if (test->filter)
        cond_each_term(test->filter, observe, p);
}
