/* SPDX-License-Identifier: MIT */
#include "litmus/read/read.h"

#include <string.h>

#include "litmus/check/check.h"
#include "litmus/cpp/program.h"
#include "litmus/decode/decode.h"
#include "litmus/host/file.h"
#include "litmus/host/host.h"
#include "litmus/parse/columns.h"
#include "litmus/parse/cond.h"
#include "litmus/parse/include.h"
#include "litmus/parse/init.h"
#include "litmus/parse/kernel.h"
#include "litmus/parse/launch.h"
#include "litmus/parse/module.h"
#include "litmus/read/progress.h"
#include "litmus/read/reach.h"
#include "litmus/test/promises.h"

/* The whole of a test: header, initial state, threads, question. */

/* Cuts blanks off both ends of [from, to). */
static const char *trimmed(struct parser *p, const char *from, const char *to)
{
    while (from < to && strchr(" \t\r\n", *from))
        from++;
    while (to > from && strchr(" \t\r\n", to[-1]))
        to--;
    return arena_strndup(p->arena, from, (size_t)(to - from));
}

/* "expect MODEL: VERDICT (source)"; the source may be missing. */
static void expectation(struct parser *p, const char *text, struct span span)
{
    const char *colon = strchr(text, ':');
    const char *end = text + strlen(text);
    const char *open = colon ? strchr(colon, '(') : NULL;
    struct expectation found = {.source = "", .span = span};
    if (colon) {
        found.model = trimmed(p, text + strlen("expect"), colon);
        found.verdict = trimmed(p, colon + 1, open ? open : end);
    }
    if (open && end[-1] == ')')
        found.source = trimmed(p, open + 1, end - 1);
    if (!colon || !*found.model || strchr(found.model, ' ') || !*found.verdict ||
        strchr(found.verdict, ' ') || (open && end[-1] != ')')) {
        parse_error(p, bad_expectation, span, NULL, "write \"expect MODEL: VERDICT (source)\"");
        return;
    }
    vec_push(p->arena, &p->expectations, found);
}

static void comments(struct parser *p)
{
    while (parse_at(p, TOKEN_STRING)) {
        struct span span = p->token.span;
        const char *text =
            arena_strndup(p->arena, p->source->text + span.offset + 1, span.length - 2);
        parse_advance(p);
        vec_push(p->arena, &p->comments, text);
        const char *start = text + strspn(text, " \t\r\n");
        if (strncmp(start, "expect", 6) == 0 && (!start[6] || strchr(" \t:", start[6])))
            expectation(p, trimmed(p, start, text + strlen(text)), span);
        progress_comment(p, text, span);
    }
}

/* The name is everything up to the next blank: "2+2W.v2" is no token, so it is read before the
 * first token is. */
static bool test_name(struct parser *p, struct token ptx)
{
    const char *text = p->source->text;
    uint32_t start = ptx.span.offset + ptx.span.length;
    while (start < p->source->length && (text[start] == ' ' || text[start] == '\t'))
        start++;
    uint32_t end = start;
    while (end < p->source->length && !strchr(" \t\r\n\"{", text[end]))
        end++;
    p->test->name = arena_strndup(p->arena, text + start, end - start);
    p->lexer.offset = end;
    if (end == start)
        parse_error(p, not_a_ptx_test, ptx.span, NULL, "a name is needed after 'PTX'");
    return end > start;
}

/* "PTX", or "C++", which is no token of its own, or "C" of herd's tests. */
static bool language(struct parser *p, struct token *first)
{
    const char *text = p->source->text + first->span.offset;
    if (p->source->length - first->span.offset > 3 && memcmp(text, "C++", 3) == 0) {
        p->test->language = LANGUAGE_CPP;
        first->span.length = 3;
    } else if (first->kind == TOKEN_WORD && parse_text_is(p, first->span, "C")) {
        p->test->language = LANGUAGE_CPP;
    }
    return first->kind == TOKEN_WORD &&
           (p->test->language == LANGUAGE_CPP || parse_text_is(p, first->span, "PTX"));
}

static bool header(struct parser *p)
{
    struct token first = lex_next(&p->lexer);
    if (!language(p, &first)) {
        parse_error(
            p, not_a_ptx_test, first.span, "a test in CUDA C++ starts with 'C++' and its name",
            "a test starts with 'PTX' and its name, not with %s", parse_token_text(p, first));
        return false;
    }
    if (p->test->language == LANGUAGE_CPP && memchr(p->source->text, 0, p->source->length)) {
        parse_error(p, not_a_ptx_test, first.span, NULL, "a test in C++ must not hold NUL bytes");
        return false; /* it is printed as it was written */
    }
    if (!test_name(p, first))
        return false;
    parse_prime(p);
    comments(p);
    return true;
}

static bool at_column(const struct parser *p)
{
    uint32_t number;
    return parse_at(p, TOKEN_WORD) && p->source->text[p->token.span.offset] == 'P' &&
           parse_thread_number(p, p->token.span, &number) && p->next.kind != ':' &&
           p->next.kind != TOKEN_LAUNCH;
}

static bool at_question(const struct parser *p)
{
    return parse_at(p, TOKEN_END) || parse_at(p, '~') || parse_at_word(p, "exists") ||
           parse_at_word(p, "forall") || parse_at_word(p, "locations") ||
           parse_at_word(p, "filter") || parse_at_word(p, "not") || parse_at_misspelt_question(p);
}

/* A kernel may have any name: "kernel<<<1, 32>>>(x);", "filter<<<1, 32>>>(x);". */
static bool at_launched_name(const struct parser *p)
{
    return parse_at(p, TOKEN_WORD) && p->next.kind == TOKEN_LAUNCH;
}

/* One kernel, launch, host thread, or the table of columns. */
static void item(struct parser *p)
{
    if (at_launched_name(p))
        parse_top_launch(p);
    else if (parse_accept_word(p, "kernel"))
        parse_kernel(p);
    else if (host_at(p))
        host_item(p);
    else if (host_at_program(p))
        host_program_item(p);
    else if (parse_at(p, TOKEN_DOTWORD))
        parse_module_item(p);
    else if (parse_at_include(p))
        parse_include(p);
    else if (parse_at_launch(p))
        parse_top_launch(p);
    else if (parse_at_bare_call(p))
        parse_bare_call(p);
    else if (p->columns.len == 0 && (at_column(p) || p->raws.len == 0))
        parse_columns(p);
    else {
        parse_unexpected(p, "a kernel, a launch, or 'exists', '~exists', 'forall'");
        parse_skip_past(p, TOKEN_END);
    }
}

static void items(struct parser *p)
{
    struct span start = p->token.span;
    while (at_launched_name(p) || !at_question(p))
        item(p);
    if (p->columns.len && p->columns.len < p->raws.len)
        parse_error(p, mixed_forms, start, NULL, "a test has columns or kernels, not both");
    host_finish(p);
    if (!p->columns.len && !p->launches.len && !p->test->host && !p->diags->errors)
        parse_error(p, no_threads, start, NULL,
                    "the test has no threads: neither columns nor launches");
}

/* The initial state and the threads of a test in C++; the question is that of every test. */
static void cpp_items(struct parser *p)
{
    struct cpp_program program;
    uint32_t offset = p->token.span.offset;
    cpp_read_program(p->arena, p->source, &offset, p->diags, &program);
#define TAKE(array)                                                                                \
    p->array.at = program.array.at, p->array.len = program.array.len,                              \
    p->array.cap = program.array.cap
    TAKE(locations);
    TAKE(bodies);
    TAKE(reg_names);
    TAKE(columns);
    TAKE(launches);
#undef TAKE
    p->location_names = program.location_names;
    p->lexer.offset = offset;
    parse_prime(p);
}

static void ptx_items(struct parser *p)
{
    parse_init(p);
    items(p);
    parse_resolve_launches(p);
}

static void take_code_files(struct parser *p)
{
    struct test *test = p->test;
    test->code_file_count = p->code_files.len;
    test->code_files = ARENA_ARRAY(p->arena, const char *, p->code_files.len);
    for (uint32_t i = 0; i < p->code_files.len; i++)
        test->code_files[i] = p->code_files.at[i].name;
}

/* A question about what stands behind a gap cannot be read, and needs no answer. */
static void parse_question(struct parser *p)
{
    struct diag_list *reported = p->diags, unheard = {.arena = p->arena};
    if (!p->test->host || !p->test->host->gap_count) {
        parse_final(p);
        return;
    }
    p->diags = p->lexer.diags = &unheard;
    parse_final(p);
    p->diags = p->lexer.diags = reported;
    if (!unheard.errors)
        return;
    p->test->condition = ARENA_NEW(p->arena, struct cond);
    p->test->condition->kind = COND_TRUE;
    p->test->filter = NULL;
    p->observed.len = 0;
    if (!p->test->host->unmodelled)
        p->test->host->unmodelled = &p->test->host->gaps[0];
}

/* Checks what was read. */
static struct test *finish(struct parser *p, uint32_t errors_before)
{
    struct test *test = p->test;
    parse_question(p);
    if (p->diags->errors > errors_before)
        return NULL;
#define TAKE(array, count) test->array = p->array.at, test->count = p->array.len
    TAKE(comments, comment_count);
    TAKE(expectations, expectation_count);
    TAKE(locations, location_count);
    TAKE(bodies, body_count);
    TAKE(columns, column_count);
    TAKE(launches, launch_count);
    TAKE(observed, observed_count);
    TAKE(code_lines, code_line_count);
#undef TAKE
    take_code_files(p);
    check_test(p->arena, test, p->diags);
    if (p->diags->errors > errors_before)
        return NULL;
    host_settle_gaps(p);
    test_promises(test);
    return test;
}

/* All but the meaning of the code. */
static bool read_test(struct parser *p)
{
    if (!header(p))
        return false;
    (p->test->language == LANGUAGE_CPP ? cpp_items : ptx_items)(p);
    return true;
}

static void empty_opaque(struct parser *p)
{
    for (uint32_t i = 0; i < p->bodies.len; i++)
        if (parse_is_opaque(p, p->bodies.at[i].name))
            p->bodies.at[i].inst_count = p->bodies.at[i].label_count = 0;
}

/* 'before': who has read the test, with its files, or NULL. */
static struct test *parse_test(struct parser *p, const struct source *source,
                               const struct parser *before, struct opaque_list opaque,
                               struct arena *arena, struct diag_list *diags)
{
    parse_start(p, arena, source, diags);
    p->opaque = opaque;
    if (before)
        parse_have_files(p, before);
    if (!read_test(p))
        return NULL;
    if (p->test->language == LANGUAGE_PTX)
        decode_bodies(p);
    empty_opaque(p);
    return finish(p, 0);
}

/* The text without kernels and functions of PTX that no launch runs, or NULL when there are none. */
static const struct source *launched(const struct parser *before)
{
    struct reach reach = {0};
    reach_start(&reach, before->arena, before->source);
    parse_have_files(&reach.parser, before);
    if (!read_test(&reach.parser) || reach.parser.test->language != LANGUAGE_PTX)
        return NULL;
    for (uint32_t i = 0; i < reach.parser.launches.len; i++)
        if (reach.parser.launches.at[i].kernel == NONE) /* its message lists what there is */
            return NULL;
    reach_outlined(&reach);
    reach_need_launched(&reach);
    return reach_source(&reach, true);
}

static void append(struct diag_list *to, const struct diag_list *from)
{
    for (uint32_t i = 0; i < from->items.len && to->items.len < DIAG_LIMIT; i++)
        vec_push(to->arena, &to->items, from->items.at[i]);
    to->errors += from->errors;
}

struct test *litmus_parse(struct arena *arena, const struct source *source, struct diag_list *diags)
{
    return litmus_parse_opaque(arena, source, (struct opaque_list){NULL, 0}, diags);
}

struct test *litmus_parse_opaque(struct arena *arena, const struct source *source,
                                 struct opaque_list opaque, struct diag_list *diags)
{
    struct diag_list found = {.arena = diags->arena}, of_launched = {.arena = diags->arena};
    struct parser first, second;
    struct test *test = parse_test(&first, source, NULL, opaque, arena, &found);
    const struct source *rest = test ? NULL : launched(&first);
    if (rest)
        test = parse_test(&second, rest, &first, opaque, arena, &of_launched);
    append(diags, rest ? &of_launched : &found);
    return test;
}

struct test *litmus_parse_module(struct arena *arena, const struct source *source,
                                 struct diag_list *diags)
{
    struct parser p;
    uint32_t errors = diags->errors;
    parse_start(&p, arena, source, diags);
    p.test->name = source->name;
    parse_module(&p);
    decode_bodies(&p);
    return finish(&p, errors);
}
