/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/parse/parser.h"

/* Kernels: "kernel NAME (.param .u64 a) { … }" and PTX's ".visible .entry NAME(…) .maxntid 128 { …
 * }" have the same parameters and the same statements. */

static void block(struct parser *parser, uint32_t raw, uint32_t index);

/* After an error: to the end of the statement. A '}' that a ',' or ';' follows ends a vector. */
static void skip_statement(struct parser *parser)
{
    while (!at(parser, ';') && !at(parser, '{') && !at(parser, TOKEN_END)) {
        if (at(parser, '}') && parser->next.kind != ',' && parser->next.kind != ';')
            return;
        advance(parser);
    }
    accept(parser, ';');
}

/* "ts: .branchtargets L1, L2": the label before it is the list's name. */
static bool branch_targets(struct parser *parser, struct raw_body *body)
{
    VEC(struct span) list = {0};
    struct span span = parser->token.span;
    advance(parser);
    do {
        struct span label = parser->token.span;
        if (!expect(parser, TOKEN_WORD, "a label"))
            return false;
        vec_push(parser->arena, &list, label);
    } while (accept(parser, ','));
    struct raw_label *name = body->labels.len ? &body->labels.at[body->labels.len - 1] : NULL;
    if (!name || name->target != body->insts.len) {
        parse_error(parser, unexpected_token, span, NULL, "a label stands before .branchtargets");
        return false;
    }
    name->list = list.at;
    name->list_count = list.len;
    return true;
}

static void refuse_directive(struct parser *parser)
{
    static const char *const known[] = {".reg",           ".shared", ".local",  ".extern",
                                        ".branchtargets", ".loc",    ".pragma", ".param"};
    const char *text = span_text(parser, parser->token.span);
    const char *near = diag_nearest(text, strlen(text), known, sizeof known / sizeof *known);
    parse_error(parser, unsupported_directive, parser->token.span,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "'%.40s' is not supported in a kernel", text);
}

static void refuse_prototype(struct parser *parser)
{
    parse_error(parser, unsupported_directive, parser->token.span, NULL,
                "calls through registers, which '.callprototype' is for, are not supported");
}

static bool refuse_and_fail(struct parser *parser)
{
    if (at_word(parser, ".callprototype"))
        refuse_prototype(parser);
    else
        refuse_directive(parser);
    return false;
}

static bool declaration(struct parser *parser, uint32_t raw, bool external)
{
    enum space space;
    if (at_word(parser, ".global") || at_word(parser, ".const") || !parse_space(parser, &space))
        return refuse_and_fail(parser);
    return parse_variables(parser, raw, space, external);
}

/* A statement that starts with a dotted word; ".loc" has no end of its own but the line's. */
static void directive(struct parser *parser, uint32_t raw, uint32_t index)
{
    bool good;
    if (at_word(parser, ".loc")) {
        parser_skip_line(parser);
        return;
    }
    if (at_word(parser, ".branchtargets"))
        good = branch_targets(parser, &parser->raws.at[raw]);
    else if (accept_word(parser, ".reg"))
        good = parse_registers(parser, &parser->raws.at[raw], index);
    else if (accept_word(parser, ".pragma"))
        good = expect(parser, TOKEN_STRING, "a string");
    else if (at_word(parser, ".param"))
        good = parse_frame_variable(parser, &parser->raws.at[raw], index);
    else
        good = declaration(parser, raw, accept_word(parser, ".extern"));
    if (!good || !expect(parser, ';', "';'"))
        skip_statement(parser);
}

static uint32_t new_block(struct parser *parser, uint32_t raw, uint32_t parent)
{
    struct raw_body *body = &parser->raws.at[raw];
    vec_push(parser->arena, &body->blocks, parent);
    return body->blocks.len - 1;
}

static void statement(struct parser *parser, uint32_t raw, uint32_t index)
{
    parse_labels(parser, &parser->raws.at[raw], index);
    if (at(parser, '{'))
        block(parser, raw, new_block(parser, raw, index));
    else if (at(parser, TOKEN_DOTWORD))
        directive(parser, raw, index);
    else if (!at(parser, '}') && !accept(parser, ';') &&
             !(parse_instruction(parser, &parser->raws.at[raw], index) && accept(parser, ';')))
        skip_statement(parser);
}

static void block(struct parser *parser, uint32_t raw, uint32_t index)
{
    if (parser->depth == MAX_DEPTH) {
        parse_error(parser, too_deep, parser->token.span, NULL,
                    "blocks are nested deeper than %d levels", MAX_DEPTH);
        skip_past(parser, TOKEN_END);
        return;
    }
    uint32_t start = parser->token.span.offset;
    parser->depth++;
    advance(parser);
    while (!at(parser, '}') && !at(parser, TOKEN_END))
        statement(parser, raw, index);
    parser->raws.at[raw].code = (struct span){start, parser->token.span.offset + 1 - start};
    expect(parser, '}', "'}' at the end of the block");
    parser->depth--;
}

/* Between ')' and '{': how the kernel may be launched. Only the executor's limits would care. */
static bool performance_directives(struct parser *parser)
{
    static const char *const with_numbers[] = {
        ".maxntid",      ".reqntid",           ".minnctapersm",   ".maxnreg",
        ".maxnctapersm", ".reqnctapercluster", ".maxclusterrank", ".explicitcluster",
        ".noreturn",     ".blocksareclusters"};
    while (at(parser, TOKEN_DOTWORD)) {
        bool known = false;
        for (size_t i = 0; i < sizeof with_numbers / sizeof *with_numbers; i++)
            known = known || at_word(parser, with_numbers[i]);
        if (!known) {
            refuse_directive(parser);
            return false;
        }
        advance(parser);
        while (at(parser, TOKEN_NUMBER) || at(parser, ','))
            advance(parser);
    }
    return true;
}

static bool kernel_name_is_new(const struct parser *parser, struct span name)
{
    for (uint32_t i = 0; i < parser->raws.len; i++)
        if (span_is(parser, name, parser->raws.at[i].name))
            return false;
    return true;
}

/* Adds a body under the name; its index. */
uint32_t start_body(struct parser *parser, struct span name)
{
    struct raw_body body = {.name = span_text(parser, name), .span = name};
    vec_push(parser->arena, &body.blocks, NONE);
    vec_push(parser->arena, &parser->raws, body);
    return parser->raws.len - 1;
}

void parse_body(struct parser *parser, uint32_t raw)
{
    if (at(parser, '{'))
        block(parser, raw, 0);
    else
        unexpected(parser, "'{' and the code");
}

static uint32_t start_named_body(struct parser *parser, struct span name)
{
    if (!kernel_name_is_new(parser, name))
        parse_error(parser, duplicate_kernel, name, NULL, "'%s' is defined twice",
                    span_text(parser, name));
    return start_body(parser, name);
}

/* The current token is the kernel's name. */
void parse_kernel(struct parser *parser)
{
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of the kernel"))
        return;
    uint32_t raw = start_named_body(parser, name);
    struct raw_body *body = &parser->raws.at[raw];
    if ((at(parser, '(') && !parse_parameters(parser, body)) || !performance_directives(parser)) {
        while (!at(parser, '{') && !at(parser, TOKEN_END))
            advance(parser);
    }
    parse_body(parser, raw);
}

/* What stands between '.func' and the code: "(returns) name (parameters) .noreturn". */
static bool function_head(struct parser *parser, struct raw_body *body)
{
    body->function = true;
    if (at(parser, '(') && !parse_frame_list(parser, body))
        return false;
    body->return_count = body->frame.len;
    body->span = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of the function"))
        return false;
    body->name = span_text(parser, body->span);
    if (at(parser, '(') && !parse_frame_list(parser, body))
        return false;
    body->formal_count = body->frame.len - body->return_count;
    return performance_directives(parser);
}

/* ".func (.param .b32 r) f (.param .b32 a) { … }", or ';' for one that comes later or never. */
void parse_function(struct parser *parser)
{
    struct raw_body head = {0};
    if (!function_head(parser, &head))
        while (!at(parser, '{') && !at(parser, ';') && !at(parser, TOKEN_END))
            advance(parser);
    if (accept(parser, ';'))
        return;
    uint32_t raw = start_named_body(parser, head.span);
    head.blocks = parser->raws.at[raw].blocks;
    head.name = parser->raws.at[raw].name;
    parser->raws.at[raw] = head;
    parse_body(parser, raw);
}
