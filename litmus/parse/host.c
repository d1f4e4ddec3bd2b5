/* SPDX-License-Identifier: MIT */
#include "litmus/parse/host.h"

#include <string.h>

/* Host threads and host functions: C statements become instructions of a thread at system scope
 * (litmus/test/host.h). */

/* ---- statements ----------------------------------------------------------------------------- */

static bool statement(struct parse_host *host);

/* "(a == b)" and a jump where it holds, or where it does not; its target is filled in later. */
static bool condition(const struct parse_host *host, bool when, uint32_t *branch)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[3] = {{0}, {0}, {.kind = RAW_TARGET}};
    enum cmp is;
    if (!parse_expect(parser, '(', "'('") || !parse_host_expression(host, &operands[0]) ||
        !parse_comparison(parser, "==, !=, <, <=, > or >=", &is) ||
        !parse_host_expression(host, &operands[1]) || !parse_expect(parser, ')', "')'"))
        return false;
    struct raw_inst inst = {.op = OP_BRANCH_COMPARE, .cmp = when ? is : cmp_row(is)->opposite};
    operands[2].span = parse_span_from(parser, start);
    *branch = parse_host_code(host)->insts.len;
    parse_host_emit(host, inst, operands, 3, start);
    return true;
}

static void aim(const struct parse_host *host, uint32_t branch, uint32_t target)
{
    struct raw_inst *inst = &parse_host_code(host)->insts.at[branch];
    inst->operands[inst->operand_count - 1].value = target;
}

static bool if_statement(struct parse_host *host)
{
    uint32_t branch;
    if (!condition(host, false, &branch) || !statement(host))
        return false;
    aim(host, branch, parse_host_code(host)->insts.len);
    return true;
}

/* "while (c);" jumps back where c holds; with a body c is asked first. */
static bool while_statement(struct parse_host *host)
{
    uint32_t head = parse_host_code(host)->insts.len, branch;
    struct span start = host->parser->token.span;
    struct raw_operand back = {.kind = RAW_TARGET, .span = start};
    if (!condition(host, false, &branch))
        return false;
    if (parse_accept(host->parser, ';')) {
        struct raw_inst *inst = &parse_host_code(host)->insts.at[branch];
        inst->cmp = cmp_row(inst->cmp)->opposite;
        aim(host, branch, head);
        return true;
    }
    if (!statement(host))
        return false;
    back.value = head;
    parse_host_emit(host, (struct raw_inst){.op = OP_BRA}, &back, 1, start);
    aim(host, branch, parse_host_code(host)->insts.len);
    return true;
}

/* "cudaStream_t s1, s2;" says what the names are; nothing happens. */
static bool declaration(struct parser *parser)
{
    enum host_object_kind kind = parse_object_kind(parser, parser->token.span);
    if (!parse_at(parser, TOKEN_WORD) || kind == HOST_OBJECT_KINDS)
        return false;
    do {
        parse_advance(parser);
        struct span name = parser->token.span;
        if (!parse_expect(parser, TOKEN_WORD, "a name"))
            break;
        parse_host_object(parser, name, kind);
    } while (parse_at(parser, ','));
    return true;
}

static bool simple_statement(struct parse_host *host)
{
    struct parser *parser = host->parser;
    if (declaration(parser))
        return true;
    if (parser->next.kind == TOKEN_WORD && parse_is_register_type(parser, parser->token.span))
        parse_advance(parser);
    if (parse_at_word(parser, "atomic_thread_fence"))
        return parse_host_fence(host);
    if (parse_at_host_call(parser) || parse_at_launch(parser) || parser->next.kind == TOKEN_DOTWORD)
        return parse_host_effect(host);
    if (parser->next.kind == '=' || parser->next.kind == '[')
        return parse_host_assignment(host);
    parse_error(parser, host_statement, parser->token.span,
                "a statement is a call, a launch, an assignment, an atomic operation, if or while",
                "%s starts no statement of a host program",
                parse_token_text(parser, parser->token));
    return false;
}

static bool block(struct parse_host *host)
{
    struct parser *parser = host->parser;
    if (!parse_deeper(parser, "blocks are"))
        return false;
    bool good = parse_expect(parser, '{', "'{'");
    while (good && !parse_at(parser, '}') && !parse_at(parser, TOKEN_END))
        good = statement(host);
    parser->depth--;
    return good && parse_expect(parser, '}', "'}'");
}

static bool nested(struct parse_host *host, bool (*rest)(struct parse_host *))
{
    struct parser *parser = host->parser;
    parse_advance(parser);
    if (!parse_deeper(parser, "statements are"))
        return false;
    bool good = rest(host);
    parser->depth--;
    return good;
}

static bool statement(struct parse_host *host)
{
    struct parser *parser = host->parser;
    if (parse_accept(parser, ';'))
        return true;
    if (parse_at(parser, '{'))
        return block(host);
    if (parse_at_word(parser, "if"))
        return nested(host, if_statement);
    if (parse_at_word(parser, "while"))
        return nested(host, while_statement);
    return simple_statement(host) && parse_expect(parser, ';', "';'");
}

/* ---- items ---------------------------------------------------------------------------------- */

bool parse_at_host(const struct parser *parser)
{
    return parse_at_word(parser, "host") || parse_at_word(parser, "hostfn") ||
           parse_at_word(parser, "platform");
}

bool parse_find_host(const struct parser *parser, struct span name, uint32_t *index)
{
    for (*index = 0; *index < parser->host_threads.len; ++*index)
        if (parse_text_is(parser, name, parser->host_threads.at[*index].name))
            return true;
    return false;
}

static void skip_braces(struct parser *parser)
{
    while (!parse_at(parser, TOKEN_END) && !parse_at_word(parser, "exists") &&
           !parse_at_word(parser, "forall") && !parse_at_word(parser, "host") &&
           !parse_at_word(parser, "hostfn"))
        parse_advance(parser);
}

/* "platform { concurrentManagedAccess = 0; }" */
static void platform(struct parser *parser)
{
    struct host_flag flags[HOST_FLAGS];
    host_flags(&parser->host.platform, flags);
    parse_advance(parser);
    bool good = parse_expect(parser, '{', "'{'");
    while (good && !parse_at(parser, '}') && !parse_at(parser, TOKEN_END)) {
        const char *known[HOST_FLAGS];
        bool *flag = NULL;
        uint64_t value;
        for (int i = 0; i < HOST_FLAGS; i++) {
            known[i] = flags[i].name;
            if (!flag && parse_accept_word(parser, flags[i].name))
                flag = flags[i].value;
        }
        const char *word = parse_text(parser, parser->token.span);
        if (!flag)
            parse_error(parser, host_argument, parser->token.span,
                        diag_hint(parser->arena, word, strlen(word), known, HOST_FLAGS),
                        "%s is no property of a platform", parse_token_text(parser, parser->token));
        good = flag && parse_expect(parser, '=', "'='") &&
               parse_expect_number(parser, "0 or 1", 1, &value) && parse_expect(parser, ';', "';'");
        if (good)
            *flag = value;
    }
    if (!good || !parse_expect(parser, '}', "'}'"))
        skip_braces(parser);
}

static void start_host(struct parser *parser)
{
    static const char *const names[] = {"cudaStreamLegacy", "cudaStreamPerThread"};
    if (parser->test->host)
        return;
    parser->test->host = ARENA_NEW(parser->arena, struct host_program);
    parser->host.platform = host_platform_default();
    parser->host_names.arena = parser->arena;
    for (uint32_t i = 0; i < HOST_FIRST_NAMED; i++) {
        struct host_object object = {HOST_STREAM, names[i], {0, 0}};
        vec_push(parser->arena, &parser->host_objects, object);
        names_put(&parser->host_names, 0, names[i], (uint32_t)strlen(names[i]), i);
    }
}

void parse_host(struct parser *parser)
{
    struct parse_host host = {.parser = parser};
    struct host_thread thread = {.is_function = parse_at_word(parser, "hostfn")};
    uint32_t other;
    start_host(parser);
    if (parse_at_word(parser, "platform")) {
        platform(parser);
        return;
    }
    parse_advance(parser);
    thread.span = parser->token.span;
    thread.name = parse_text(parser, thread.span);
    if (!parse_expect(parser, TOKEN_WORD, "the name of the host thread")) {
        skip_braces(parser);
        return;
    }
    if (parse_find_host(parser, thread.span, &other))
        parse_error(parser, duplicate_kernel, thread.span, NULL, "'%s' is defined twice",
                    thread.name);
    thread.body = host.raw = parse_start_body(parser, thread.span);
    parse_host_code(&host)->column = true;
    if (!block(&host))
        skip_braces(parser);
    vec_push(parser->arena, &parser->host_threads, thread);
}

static void resolve_functions(struct parser *parser)
{
    for (uint32_t i = 0; i < parser->host_calls.len; i++) {
        struct span name = parser->functions_called.at[i];
        uint32_t index;
        if (!name.length)
            continue;
        if (parse_find_host(parser, name, &index) && parser->host_threads.at[index].is_function)
            parser->host_calls.at[i].function = index;
        else
            parse_error(parser, unknown_kernel, name, "define it: hostfn NAME { … }",
                        "there is no host function '%.60s'", parse_text(parser, name));
    }
}

void parse_finish_host(struct parser *parser)
{
    struct host_program *host = parser->test->host;
    if (!host)
        return;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < parser->host_calls.len; i++)
        inside += parser->host_calls.at[i].launch != NONE;
    if (parser->columns.len || inside < parser->launches.len)
        parse_error(parser, host_columns,
                    parser->host_threads.len ? parser->host_threads.at[0].span
                                             : (struct span){0, 0},
                    "write the launches into the host program",
                    "a host program launches every kernel of its test");
    bool runs = false;
    for (uint32_t i = 0; i < parser->host_threads.len; i++)
        runs = runs || !parser->host_threads.at[i].is_function;
    if (!runs)
        parse_error(parser, no_threads, parser->token.span, "write a host thread: host H { … }",
                    "nothing runs: no host thread starts anything");
    resolve_functions(parser);
    *host = (struct host_program){.objects = parser->host_objects.at,
                                  .object_count = parser->host_objects.len,
                                  .calls = parser->host_calls.at,
                                  .call_count = parser->host_calls.len,
                                  .threads = parser->host_threads.at,
                                  .thread_count = parser->host_threads.len,
                                  .platform = parser->host.platform};
}
