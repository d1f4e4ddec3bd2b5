/* SPDX-License-Identifier: MIT */
#include "litmus/host/host.h"

#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/host/eval.h"
#include "litmus/host/file.h"
#include "litmus/host/gap.h"

/* The items of a host program. Their code is read when all of them are known. */

bool host_at(const struct parser *p)
{
    return parse_at_word(p, "host") || parse_at_word(p, "hostfn") || parse_at_word(p, "platform");
}

static void skip_braces(struct parser *p)
{
    while (!parse_at(p, TOKEN_END) && !parse_at_word(p, "exists") && !parse_at_word(p, "forall") &&
           !parse_at_word(p, "host") && !parse_at_word(p, "hostfn"))
        parse_advance(p);
}

/* "platform { concurrentManagedAccess = 0; }" */
static void platform(struct parser *p)
{
    struct host_flag flags[HOST_FLAGS];
    host_flags(&p->test->host->platform, flags);
    parse_advance(p);
    bool good = parse_expect(p, '{', "'{'");
    while (good && !parse_at(p, '}') && !parse_at(p, TOKEN_END)) {
        const char *known[HOST_FLAGS];
        const struct host_flag *flag = NULL;
        uint64_t value;
        for (int i = 0; i < HOST_FLAGS; i++) {
            known[i] = flags[i].name;
            if (!flag && parse_accept_word(p, flags[i].name))
                flag = &flags[i];
        }
        const char *word = parse_text(p, p->token.span);
        if (!flag)
            parse_error(p, host_argument, p->token.span,
                        diag_hint(p->arena, word, strlen(word), known, HOST_FLAGS),
                        "%s is no property of a platform", parse_token_text(p, p->token));
        good =
            flag && parse_expect(p, '=', "'='") &&
            parse_expect_number(p, flag->most == 1 ? "0 or 1" : "a number", flag->most, &value) &&
            parse_expect(p, ';', "';'");
        if (good)
            *flag->value = (uint32_t)value;
    }
    if (!good || !parse_expect(p, '}', "'}'"))
        skip_braces(p);
}

struct eval *host_code(struct parser *p)
{
    static const char *const names[] = {"cudaStreamLegacy", "cudaStreamPerThread"};
    if (p->host_code)
        return p->host_code;
    p->test->host = ARENA_NEW(p->arena, struct host_program);
    p->test->host->platform = host_platform_default();
    p->host_names.arena = p->arena;
    for (uint32_t i = 0; i < HOST_FIRST_NAMED; i++) {
        struct host_object object = {HOST_STREAM, names[i], {0, 0}};
        vec_push(p->arena, &p->host_objects, object);
        names_put(&p->host_names, 0, names[i], strlen(names[i]), i);
    }
    p->host_code = ARENA_NEW(p->arena, struct eval);
    p->host_code->p = p;
    p->host_code->arena = p->arena;
    p->host_code->host = p->host_code->main_host = NONE;
    p->host_named = host_question_name;
    return p->host_code;
}

/* "(void *data)" */
static bool parameters(struct parser *p, struct code_function *function)
{
    uint32_t offset = p->token.span.offset;
    struct cpp_declarator *list;
    if (!parse_at(p, '('))
        return true;
    if (!cpp_parse_parameters(p->arena, p->lexer.source, &offset, p->diags, &list,
                              &function->parameter_count))
        return false;
    function->parameters = ARENA_ARRAY(p->arena, struct parameter, function->parameter_count);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        function->parameters[i] = (struct parameter){list[i].name, list[i].type, list[i].value};
    p->lexer.offset = offset;
    parse_prime(p);
    return true;
}

/* "{ … }", as a tree. */
static bool code(struct parser *p, struct code_function *function)
{
    uint32_t offset = p->token.span.offset + 1;
    if (!parse_at(p, '{')) {
        parse_unexpected(p, "'{'");
        return false;
    }
    function->body = cpp_parse_host_statements(p->arena, p->lexer.source, &offset, p->diags);
    p->lexer.offset = offset;
    parse_prime(p);
    return parse_expect(p, '}', "'}'") && function->body;
}

void host_item(struct parser *p)
{
    struct eval *e = host_code(p);
    struct code_function *function = ARENA_NEW(p->arena, struct code_function);
    struct host_thread thread = {.is_function = parse_at_word(p, "hostfn")};
    uint32_t other;
    if (parse_at_word(p, "platform")) {
        platform(p);
        return;
    }
    parse_advance(p);
    thread.span = p->token.span;
    thread.name = parse_text(p, thread.span);
    if (!parse_expect(p, TOKEN_WORD, "the name of the host thread")) {
        skip_braces(p);
        return;
    }
    if (parse_find_host(p, thread.span, &other))
        parse_error(p, duplicate_kernel, thread.span, NULL, "'%s' is defined twice", thread.name);
    *function = (struct code_function){
        .name = thread.name, .is_task = thread.is_function, .host = NONE, .span = thread.span};
    if (!parameters(p, function) || !code(p, function)) {
        skip_braces(p);
        return;
    }
    if (!function->parameter_count) {
        function->host = p->host_threads.len;
        vec_push(p->arena, &p->host_threads, thread);
    }
    vec_push(p->arena, &e->functions, function);
}

/* A host program launches every kernel of its test, and something runs. */
static void check_items(struct parser *p)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < p->host_calls.len; i++)
        inside += p->host_calls.at[i].launch != NONE;
    if (p->columns.len || inside < p->launches.len)
        parse_error(p, host_columns,
                    p->host_threads.len ? p->host_threads.at[0].span : (struct span){0, 0},
                    "write the launches into the host program",
                    "a host program launches every kernel of its test");
    bool runs = false;
    for (uint32_t i = 0; i < p->host_threads.len; i++)
        runs = runs || !p->host_threads.at[i].is_function;
    if (!runs)
        parse_error(p, no_threads, p->token.span, "write a host thread: host H { … }",
                    "nothing runs: no host thread starts anything");
}

static void read_threads(struct eval *e)
{
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *function = e->functions.at[i];
        uint32_t host;
        if (function->host != NONE)
            eval_thread_body(e,
                             &(struct thread_code){function, function->name, function->is_task,
                                                   NULL, 0, NONE, NONE, NULL},
                             &host);
    }
}

/* Reports that no statement has: nothing is known. */
static void keep_fault(struct eval *e, const struct diag_list *unheard)
{
    if (!unheard->errors)
        return;
    const struct diag *first = &unheard->items.at[0];
    struct host_gap gap = {first->span, first->message, first->hint};
    vec_push(e->arena, &e->gaps, gap);
    gap_cover_all(e, e->gaps.len);
}

/* argv: the name of the program and no more. */
static struct code_value words_of_command(struct eval *e)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO},
                                   words = {.kind = SHAPE_ARRAY, .of = &any, .count = 2};
    struct code_cell *cell = eval_new_cell(e, "argv", &words);
    eval_part(e, cell, 1)->value = eval_number(0, TYPE_U64);
    eval_part(e, cell, 0)->value = (struct code_value){.kind = VALUE_STRING};
    return (struct code_value){.kind = VALUE_CELL, .cell = cell};
}

/* 'main' is a thread. What it does that is not modelled are gaps. */
static void read_main(struct eval *e)
{
    struct parser *p = e->p;
    struct diag_list *reported = p->diags, unheard = {.arena = p->arena};
    const struct code_function *function = eval_function(e, "main");
    struct code_value arguments[2] = {eval_number(1, TYPE_S32), words_of_command(e)};
    uint32_t host;
    if (!function) {
        parse_error(p, no_threads, p->token.span, "write int main() { … }",
                    "nothing runs: the program has no function main");
        return;
    }
    p->diags = &unheard;
    struct thread_code code = {function, "main", false, arguments, 2, NONE, NONE, NULL};
    eval_thread_body(e, &code, &host);
    p->diags = reported;
    keep_fault(e, &unheard);
    p->test->host->gaps = e->gaps.at;
    p->test->host->gap_count = e->gaps.len;
}

void host_finish(struct parser *p)
{
    struct eval *e = p->host_code;
    if (!e)
        return;
    e->first_location = p->locations.len;
    if (e->is_file)
        read_main(e);
    else
        read_threads(e);
    if (!p->diags->errors && !p->test->host->gap_count)
        check_items(p);
    p->test->host->objects = p->host_objects.at;
    p->test->host->object_count = p->host_objects.len;
    p->test->host->calls = p->host_calls.at;
    p->test->host->call_count = p->host_calls.len;
    p->test->host->threads = p->host_threads.at;
    p->test->host->thread_count = p->host_threads.len;
}
