/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/parse/parser.h"

/* Kernels: "kernel NAME (.param .u64 a) { … }" and PTX's ".visible .entry NAME(…) .maxntid 128 { …
 * }" have the same parameters and the same statements. */

static void block(struct parser *p, uint32_t raw, uint32_t index);

/* After an error: to the end of the statement. A '}' that a ',' or ';' follows ends a vector. */
static void skip_statement(struct parser *p)
{
    while (!parse_at(p, ';') && !parse_at(p, '{') && !parse_at(p, TOKEN_END)) {
        if (parse_at(p, '}') && p->next.kind != ',' && p->next.kind != ';')
            return;
        parse_advance(p);
    }
    parse_accept(p, ';');
}

/* "ts: .branchtargets L1, L2": the label before it is the list's name. */
static bool branch_targets(struct parser *p, struct raw_body *body)
{
    VEC(struct span) list = {0};
    struct span span = p->token.span;
    parse_advance(p);
    do {
        struct span label = p->token.span;
        if (!parse_expect(p, TOKEN_WORD, "a label"))
            return false;
        vec_push(p->arena, &list, label);
    } while (parse_accept(p, ','));
    struct raw_label *name = body->labels.len ? &body->labels.at[body->labels.len - 1] : NULL;
    if (!name || name->target != body->insts.len) {
        parse_error(p, unexpected_token, span, NULL, "a label stands before .branchtargets");
        return false;
    }
    name->list = list.at;
    name->list_count = list.len;
    return true;
}

static void refuse_directive(struct parser *p)
{
    static const char *const known[] = {".reg",           ".shared", ".local",  ".extern",
                                        ".branchtargets", ".loc",    ".pragma", ".param"};
    const char *text = parse_text(p, p->token.span);
    parse_error(p, unsupported_directive, p->token.span,
                diag_hint(p->arena, text, strlen(text), known, sizeof known / sizeof *known),
                "'%.40s' is not supported in a kernel", text);
}

static void refuse_prototype(struct parser *p)
{
    parse_error(p, unsupported_directive, p->token.span, NULL,
                "calls through registers, which '.callprototype' is for, are not supported");
}

static bool refuse_and_fail(struct parser *p)
{
    if (parse_at_word(p, ".callprototype"))
        refuse_prototype(p);
    else
        refuse_directive(p);
    return false;
}

static bool declaration(struct parser *p, uint32_t raw, uint32_t index, bool external)
{
    enum space space;
    if (parse_at_word(p, ".global") || parse_at_word(p, ".const") || !parse_space(p, &space))
        return refuse_and_fail(p);
    return parse_variables(p, (struct parse_scope){raw, index}, space, external);
}

/* A statement that starts with a dotted word; ".loc" has no end of its own but the line's. */
static void directive(struct parser *p, uint32_t raw, uint32_t index)
{
    bool good;
    if (parse_at_word(p, ".loc")) {
        parse_skip_line(p);
        return;
    }
    if (parse_at_word(p, ".branchtargets"))
        good = branch_targets(p, &p->raws.at[raw]);
    else if (parse_accept_word(p, ".reg"))
        good = parse_registers(p, &p->raws.at[raw], index);
    else if (parse_accept_word(p, ".pragma"))
        good = parse_expect(p, TOKEN_STRING, "a string");
    else if (parse_at_word(p, ".param"))
        good = parse_frame_variable(p, &p->raws.at[raw], index);
    else
        good = declaration(p, raw, index, parse_accept_word(p, ".extern"));
    if (!good || !parse_expect(p, ';', "';'"))
        skip_statement(p);
}

static uint32_t new_block(struct parser *p, uint32_t raw, uint32_t parent)
{
    struct raw_body *body = &p->raws.at[raw];
    vec_push(p->arena, &body->blocks, parent);
    return body->blocks.len - 1;
}

static void statement(struct parser *p, uint32_t raw, uint32_t index)
{
    parse_labels(p, &p->raws.at[raw], index);
    if (parse_at(p, '{'))
        block(p, raw, new_block(p, raw, index));
    else if (parse_at(p, TOKEN_DOTWORD))
        directive(p, raw, index);
    else if (!parse_at(p, '}') && !parse_accept(p, ';') &&
             !(parse_instruction(p, &p->raws.at[raw], index) && parse_accept(p, ';')))
        skip_statement(p);
}

static void block(struct parser *p, uint32_t raw, uint32_t index)
{
    if (!parse_deeper(p, "blocks are")) {
        parse_skip_past(p, TOKEN_END);
        return;
    }
    uint32_t start = p->token.span.offset;
    parse_advance(p);
    while (!parse_at(p, '}') && !parse_at(p, TOKEN_END))
        statement(p, raw, index);
    p->raws.at[raw].code = (struct span){start, p->token.span.offset + 1 - start};
    parse_expect(p, '}', "'}' at the end of the block");
    p->depth--;
}

/* Between ')' and '{': how the kernel may be launched. Only the executor's limits would care. */
static bool performance_directives(struct parser *p)
{
    static const char *const with_numbers[] = {
        ".maxntid",      ".reqntid",           ".minnctapersm",   ".maxnreg",
        ".maxnctapersm", ".reqnctapercluster", ".maxclusterrank", ".explicitcluster",
        ".noreturn",     ".blocksareclusters"};
    while (parse_at(p, TOKEN_DOTWORD)) {
        bool known = false;
        for (size_t i = 0; i < sizeof with_numbers / sizeof *with_numbers; i++)
            known = known || parse_at_word(p, with_numbers[i]);
        if (!known) {
            refuse_directive(p);
            return false;
        }
        parse_advance(p);
        while (parse_at(p, TOKEN_NUMBER) || parse_at(p, ','))
            parse_advance(p);
    }
    return true;
}

static bool kernel_name_is_new(const struct parser *p, struct span name)
{
    for (uint32_t i = 0; i < p->raws.len; i++)
        if (parse_text_is(p, name, p->raws.at[i].name))
            return false;
    return true;
}

/* Adds a body under the name; its index. */
uint32_t parse_start_body(struct parser *p, struct span name)
{
    struct raw_body body = {.name = parse_text(p, name), .span = name};
    vec_push(p->arena, &body.blocks, NONE);
    vec_push(p->arena, &p->raws, body);
    return p->raws.len - 1;
}

static void body_of(struct parser *p, uint32_t raw)
{
    if (parse_at(p, '{'))
        block(p, raw, 0);
    else
        parse_unexpected(p, "'{' and the code");
}

static uint32_t start_named_body(struct parser *p, struct span name)
{
    if (!kernel_name_is_new(p, name))
        parse_error(p, duplicate_kernel, name, NULL, "'%s' is defined twice", parse_text(p, name));
    return parse_start_body(p, name);
}

/* The current token is the kernel's name. */
void parse_kernel(struct parser *p)
{
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the kernel"))
        return;
    uint32_t raw = start_named_body(p, name);
    struct raw_body *body = &p->raws.at[raw];
    if ((parse_at(p, '(') && !parse_parameters(p, body)) || !performance_directives(p)) {
        while (!parse_at(p, '{') && !parse_at(p, TOKEN_END))
            parse_advance(p);
    }
    body_of(p, raw);
}

/* What stands between '.func' and the code: "(returns) name (parameters) .noreturn". */
static bool function_head(struct parser *p, struct raw_body *body)
{
    body->function = true;
    if (parse_at(p, '(') && !parse_frame_list(p, body))
        return false;
    body->return_count = body->frame.len;
    body->span = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the function"))
        return false;
    body->name = parse_text(p, body->span);
    if (parse_at(p, '(') && !parse_frame_list(p, body))
        return false;
    body->formal_count = body->frame.len - body->return_count;
    return performance_directives(p);
}

/* ".func (.param .b32 r) f (.param .b32 a) { … }", or ';' for one that comes later or never. */
void parse_function(struct parser *p)
{
    struct raw_body head = {0};
    if (!function_head(p, &head))
        while (!parse_at(p, '{') && !parse_at(p, ';') && !parse_at(p, TOKEN_END))
            parse_advance(p);
    if (parse_accept(p, ';'))
        return;
    uint32_t raw = start_named_body(p, head.span);
    head.blocks = p->raws.at[raw].blocks;
    head.name = p->raws.at[raw].name;
    p->raws.at[raw] = head;
    body_of(p, raw);
}
