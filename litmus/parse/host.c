/* SPDX-License-Identifier: MIT */
#include "litmus/parse/host.h"

#include <string.h>

#include "litmus/parse/host_call.h"
#include "litmus/parse/host_value.h"
#include "litmus/parse/launch.h"

/* Host threads and host functions: C statements become instructions of a thread at system scope
 * (litmus/test/host.h). */

/* ---- statements ----------------------------------------------------------------------------- */

static bool statement(struct parser *p);

/* "(a == b)" and a jump where it does not hold; its target is filled in later. */
static bool condition(struct parser *p, uint32_t *branch)
{
    struct span start = p->token.span;
    struct raw_operand operands[3] = {{0}, {0}, {.kind = RAW_TARGET}};
    enum cmp is;
    if (!parse_expect(p, '(', "'('") || !parse_host_expression(p, &operands[0]) ||
        !parse_comparison(p, "==, !=, <, <=, > or >=", &is) ||
        !parse_host_expression(p, &operands[1]) || !parse_expect(p, ')', "')'"))
        return false;
    struct raw_inst inst = {.op = OP_BRANCH_COMPARE, .cmp = cmp_row(is)->opposite};
    operands[2].span = parse_span_from(p, start);
    *branch = parse_body(p)->insts.len;
    parse_host_emit(p, inst, operands, 3, start);
    return true;
}

static void aim(struct parser *p, uint32_t branch, uint32_t target)
{
    struct raw_inst *inst = &parse_body(p)->insts.at[branch];
    inst->operands[inst->operand_count - 1].value = target;
}

static bool if_statement(struct parser *p)
{
    uint32_t branch;
    if (!condition(p, &branch) || !statement(p))
        return false;
    aim(p, branch, parse_body(p)->insts.len);
    return true;
}

/* "while (c);" jumps back where c holds; with a body c is asked first. */
static bool while_statement(struct parser *p)
{
    uint32_t head = parse_body(p)->insts.len, branch;
    struct span start = p->token.span;
    struct raw_operand back = {.kind = RAW_TARGET, .span = start};
    if (!condition(p, &branch))
        return false;
    if (parse_accept(p, ';')) {
        struct raw_inst *inst = &parse_body(p)->insts.at[branch];
        inst->cmp = cmp_row(inst->cmp)->opposite;
        aim(p, branch, head);
        return true;
    }
    if (!statement(p))
        return false;
    back.value = head;
    parse_host_emit(p, (struct raw_inst){.op = OP_BRA}, &back, 1, start);
    aim(p, branch, parse_body(p)->insts.len);
    return true;
}

/* "cudaStream_t s1, s2;" says what the names are; nothing happens. */
static bool declaration(struct parser *p)
{
    enum host_object_kind kind = parse_object_kind(p, p->token.span);
    if (!parse_at(p, TOKEN_WORD) || kind == HOST_OBJECT_KINDS)
        return false;
    do {
        parse_advance(p);
        struct span name = p->token.span;
        if (!parse_expect(p, TOKEN_WORD, "a name"))
            break;
        parse_host_object(p, name, kind);
    } while (parse_at(p, ','));
    return true;
}

static bool simple_statement(struct parser *p)
{
    if (declaration(p))
        return true;
    if (p->next.kind == TOKEN_WORD && parse_is_register_type(p, p->token.span))
        parse_advance(p);
    if (parse_at_word(p, "atomic_thread_fence"))
        return parse_host_fence(p);
    if (parse_at_host_call(p) || parse_at_launch(p) || p->next.kind == TOKEN_DOTWORD)
        return parse_host_effect(p);
    if (p->next.kind == '=' || p->next.kind == '[')
        return parse_host_assignment(p);
    parse_error(p, host_statement, p->token.span,
                "a statement is a call, a launch, an assignment, an atomic operation, if or while",
                "%s starts no statement of a host program", parse_token_text(p, p->token));
    return false;
}

static bool block(struct parser *p)
{
    if (!parse_deeper(p, "blocks are"))
        return false;
    bool good = parse_expect(p, '{', "'{'");
    while (good && !parse_at(p, '}') && !parse_at(p, TOKEN_END))
        good = statement(p);
    p->depth--;
    return good && parse_expect(p, '}', "'}'");
}

static bool nested(struct parser *p, bool (*rest)(struct parser *))
{
    parse_advance(p);
    if (!parse_deeper(p, "statements are"))
        return false;
    bool good = rest(p);
    p->depth--;
    return good;
}

static bool statement(struct parser *p)
{
    if (parse_accept(p, ';'))
        return true;
    if (parse_at(p, '{'))
        return block(p);
    if (parse_at_word(p, "if"))
        return nested(p, if_statement);
    if (parse_at_word(p, "while"))
        return nested(p, while_statement);
    return simple_statement(p) && parse_expect(p, ';', "';'");
}

/* ---- items ---------------------------------------------------------------------------------- */

bool parse_at_host(const struct parser *p)
{
    return parse_at_word(p, "host") || parse_at_word(p, "hostfn") || parse_at_word(p, "platform");
}

bool parse_find_host(const struct parser *p, struct span name, uint32_t *index)
{
    *index = NONE;
    for (uint32_t i = 0; *index == NONE && i < p->host_threads.len; i++)
        if (parse_text_is(p, name, p->host_threads.at[i].name))
            *index = i;
    return *index != NONE;
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
        bool *flag = NULL;
        uint64_t value;
        for (int i = 0; i < HOST_FLAGS; i++) {
            known[i] = flags[i].name;
            if (!flag && parse_accept_word(p, flags[i].name))
                flag = flags[i].value;
        }
        const char *word = parse_text(p, p->token.span);
        if (!flag)
            parse_error(p, host_argument, p->token.span,
                        diag_hint(p->arena, word, strlen(word), known, HOST_FLAGS),
                        "%s is no property of a platform", parse_token_text(p, p->token));
        good = flag && parse_expect(p, '=', "'='") && parse_expect_number(p, "0 or 1", 1, &value) &&
               parse_expect(p, ';', "';'");
        if (good)
            *flag = value;
    }
    if (!good || !parse_expect(p, '}', "'}'"))
        skip_braces(p);
}

static void start_host(struct parser *p)
{
    static const char *const names[] = {"cudaStreamLegacy", "cudaStreamPerThread"};
    if (p->test->host)
        return;
    p->test->host = ARENA_NEW(p->arena, struct host_program);
    p->test->host->platform = host_platform_default();
    p->host_names.arena = p->arena;
    for (uint32_t i = 0; i < HOST_FIRST_NAMED; i++) {
        struct host_object object = {HOST_STREAM, names[i], {0, 0}};
        vec_push(p->arena, &p->host_objects, object);
        names_put(&p->host_names, 0, names[i], strlen(names[i]), i);
    }
}

void parse_host(struct parser *p)
{
    struct host_thread thread = {.is_function = parse_at_word(p, "hostfn")};
    uint32_t other;
    start_host(p);
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
    thread.body = p->raws.len;
    parse_start_body(p, thread.span);
    parse_body(p)->dialect = true;
    if (!block(p))
        skip_braces(p);
    parse_end_body(p);
    vec_push(p->arena, &p->host_threads, thread);
}

static void resolve_functions(struct parser *p)
{
    for (uint32_t i = 0; i < p->host_calls.len; i++) {
        struct span name = p->functions_called.at[i];
        uint32_t index;
        if (!name.length)
            continue;
        if (parse_find_host(p, name, &index) && p->host_threads.at[index].is_function)
            p->host_calls.at[i].function = index;
        else
            parse_error(p, unknown_kernel, name, "define it: hostfn NAME { … }",
                        "there is no host function '%.60s'", parse_text(p, name));
    }
}

void parse_finish_host(struct parser *p)
{
    struct host_program *host = p->test->host;
    if (!host)
        return;
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
    resolve_functions(p);
    host->objects = p->host_objects.at;
    host->object_count = p->host_objects.len;
    host->calls = p->host_calls.at;
    host->call_count = p->host_calls.len;
    host->threads = p->host_threads.at;
    host->thread_count = p->host_threads.len;
}
