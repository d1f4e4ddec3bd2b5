/* SPDX-License-Identifier: MIT */
#include "litmus/parse/kernel.h"

#include <string.h>

#include "litmus/parse/debug_line.h"
#include "litmus/parse/inst.h"
#include "litmus/parse/location.h"
#include "litmus/parse/vars.h"
#include "litmus/test/launch.h"

/* Kernels: "kernel NAME (.param .u64 a) { … }" and PTX's ".visible .entry NAME(…) .maxntid 128 { …
 * }" have the same parameters and the same statements. */

/* Behind the vector that begins here; false at a block, in which statements end. */
static bool skip_vector(struct parser *p)
{
    struct lexer lexer = p->lexer;
    struct token token = p->token, next = p->next;
    parse_skip_to(p, ";}");
    if (parse_accept(p, '}'))
        return true;
    p->lexer = lexer;
    p->token = token;
    p->next = next;
    return false;
}

/* After an error: to the end of the statement. The error may stand in a vector, whose '}' has ',', ';' or
 * ']' behind it. */
static void skip_statement(struct parser *p)
{
    while (!parse_at(p, ';') && !parse_at(p, TOKEN_END)) {
        if (parse_at(p, '{')) {
            if (!skip_vector(p))
                return;
            continue;
        }
        if (parse_at(p, '}') && p->next.kind != ',' && p->next.kind != ';' && p->next.kind != ']')
            return;
        parse_advance(p);
    }
    parse_accept(p, ';');
}

/* More than any kernel has; a table takes eight bytes a label. */
enum { MOST_LABELS = 1 << 16 };

/* "L", or "L<2>" for L0 and L1. */
static bool one_target(struct parser *p, struct raw_labels *labels)
{
    *labels = (struct raw_labels){p->token.span, 0};
    if (!parse_expect(p, TOKEN_WORD, "a label"))
        return false;
    if (!parse_accept(p, '<'))
        return true;
    if (!parse_count(p, "the number of labels", MOST_LABELS, &labels->count) ||
        !parse_expect(p, '>', "'>'"))
        return false;
    if (!labels->count)
        parse_error(p, bad_array, labels->name, NULL, "a range of no labels");
    return labels->count;
}

/* "ts: .branchtargets L1, L2": the label before it is the list's name. */
static bool branch_targets(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    VEC(struct raw_labels) list = {0};
    struct span span = p->token.span;
    parse_advance(p);
    do {
        struct raw_labels labels;
        if (!one_target(p, &labels))
            return false;
        vec_push(p->arena, &list, labels);
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

static bool declaration(struct parser *p)
{
    bool external = parse_accept_word(p, ".extern");
    enum space space;
    if (parse_at_word(p, ".callprototype") || /* the call passes the same */
        parse_at_word(p, ".calltargets")) {   /* it may enter what the register holds */
        parse_skip_to(p, ";");
        return true;
    }
    if (!parse_space(p, &space)) {
        refuse_directive(p);
        return false;
    }
    return parse_variables(p, space, external);
}

/* A statement that starts with a dotted word. */
static void directive(struct parser *p)
{
    bool good;
    struct span start = p->token.span;
    if (parse_debug_line(p))
        return;
    if (parse_at_word(p, ".branchtargets"))
        good = branch_targets(p);
    else if (parse_accept_word(p, ".reg"))
        good = parse_registers(p);
    else if (parse_accept_word(p, ".pragma"))
        good = parse_expect(p, TOKEN_STRING, "a string");
    else if (parse_at_word(p, ".param"))
        good = parse_frame_variable(p);
    else
        good = declaration(p);
    if (good && parse_expect(p, ';', "';'"))
        return;
    skip_statement(p);
    parse_note_unread(p, start);
}

static void code(struct parser *p);

/* A block in a body: what it declares is known in it only. */
static void inner_block(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    uint32_t around = p->block;
    p->block = body->blocks.len;
    vec_push(p->arena, &body->blocks, around);
    code(p);
    p->block = around;
}

static void statement(struct parser *p)
{
    parse_labels(p);
    if (parse_at(p, '{'))
        inner_block(p);
    else if (parse_at(p, TOKEN_DOTWORD))
        directive(p);
    else if (!parse_at(p, '}') && !parse_accept(p, ';') &&
             !(parse_instruction(p) && parse_accept(p, ';')))
        skip_statement(p);
}

/* From '{' to '}'. */
static void code(struct parser *p)
{
    if (!parse_deeper(p, "blocks are")) {
        parse_skip_past(p, TOKEN_END);
        return;
    }
    uint32_t start = p->token.span.offset;
    parse_advance(p);
    while (!parse_at(p, '}') && !parse_at(p, TOKEN_END))
        statement(p);
    parse_body(p)->code = (struct span){start, p->token.span.offset + 1 - start};
    parse_expect(p, '}', "'}' at the end of the block");
    p->depth--;
}

/* "128" or "16, 16, 1", of which a launch has to know; what is left out is 1. */
static bool rule_size(struct parser *p, struct dim3 *dim)
{
    uint32_t sizes[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++)
        if (!parse_count(p, "a size", LAUNCH_LARGEST_SIZE, &sizes[i]) || !parse_accept(p, ','))
            break;
    *dim = (struct dim3){sizes[0], sizes[1], sizes[2]};
    return dim->x && dim->y && dim->z;
}

/* Those that only help the compiler, and their numbers. */
static bool hint(struct parser *p)
{
    static const char *const hints[] = {".minnctapersm", ".maxnreg", ".maxnctapersm", ".noreturn"};
    bool known = false;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        known = known || parse_at_word(p, hints[i]);
    if (!known)
        return false;
    parse_advance(p);
    while (parse_at(p, TOKEN_NUMBER) || parse_at(p, ','))
        parse_advance(p);
    return true;
}

static bool rule(struct parser *p, struct launch_rules *rules)
{
    if (parse_accept_word(p, ".maxntid"))
        return rule_size(p, &rules->most_threads);
    if (parse_accept_word(p, ".reqntid"))
        return rule_size(p, &rules->threads);
    if (parse_accept_word(p, ".reqnctapercluster"))
        return rule_size(p, &rules->cluster);
    if (parse_accept_word(p, ".maxclusterrank"))
        return parse_count(p, "a number of CTAs", UINT32_MAX, &rules->most_ctas);
    if (parse_accept_word(p, ".explicitcluster"))
        return rules->explicit_cluster = true;
    if (parse_accept_word(p, ".blocksareclusters"))
        return rules->blocks_are_clusters = true;
    if (hint(p))
        return true;
    refuse_directive(p);
    return false;
}

/* Between ')' and '{': how the kernel may be launched. */
static bool performance_directives(struct parser *p)
{
    while (parse_at(p, TOKEN_DOTWORD))
        if (!rule(p, &parse_body(p)->rules))
            return false;
    return true;
}

/* Reports an earlier body of the same name. */
static void check_name(struct parser *p)
{
    struct span name = parse_body(p)->span;
    for (uint32_t i = 0; i < p->body; i++)
        if (parse_text_is(p, name, p->raws.at[i].name)) {
            parse_error(p, duplicate_kernel, name, NULL, "'%s' is defined twice",
                        parse_text(p, name));
            return;
        }
}

static void body_of(struct parser *p)
{
    if (parse_at(p, '{'))
        code(p);
    else
        parse_unexpected(p, "'{' and the code");
    parse_end_body(p);
    parse_end_code_line(p);
}

void parse_kernel(struct parser *p)
{
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the kernel"))
        return;
    parse_start_body(p, name);
    check_name(p);
    if ((parse_at(p, '(') && !parse_parameters(p)) || !performance_directives(p))
        parse_skip_to(p, "{");
    body_of(p);
}

/* What stands between '.func' and the code: "(returns) name (parameters) .noreturn". */
static bool function_head(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    body->function = true;
    if (!parse_function_attributes(p))
        return false;
    if (parse_at(p, '(') && !parse_frame_list(p))
        return false;
    body->return_count = body->frame.len;
    body->span = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the function"))
        return false;
    body->name = parse_text(p, body->span);
    if (parse_at(p, '(') && !parse_frame_list(p))
        return false;
    body->formal_count = body->frame.len - body->return_count;
    return performance_directives(p);
}

/* ".func (.param .b32 r) f (.param .b32 a) { … }", or ';' for one that comes later or never. */
void parse_function(struct parser *p)
{
    parse_start_body(p, (struct span){0, 0});
    if (!function_head(p))
        parse_skip_to(p, "{;");
    if (parse_accept(p, ';')) {
        vec_push(p->arena, &p->functions, parse_body(p)->span);
        p->raws.len--;
        parse_end_body(p);
        return;
    }
    check_name(p);
    body_of(p);
}
