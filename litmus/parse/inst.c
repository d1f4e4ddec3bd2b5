/* SPDX-License-Identifier: MIT */
#include "litmus/parse/inst.h"

#include <string.h>

#include "litmus/parse/constant.h"
#include "litmus/parse/mnemonic.h"

/* Labels, and a guarded instruction with its operands. */

static bool operand(struct parser *p, struct raw_operand *to);

/* "+ 4", "- 4" and PTX's "+-4" after a name; in kernels also "+4*2". */
static bool offset(struct parser *p, struct raw_operand *to)
{
    bool minus = parse_at(p, '-');
    if (!minus && !parse_at(p, '+'))
        return true;
    to->offset = true;
    if (!parse_body(p)->dialect)
        return parse_addend(p, &to->value);
    parse_advance(p);
    if (!parse_integer(p, &to->value))
        return false;
    if (minus)
        to->value = -to->value;
    return true;
}

static bool vector(struct parser *p, struct raw_operand *to);

/* A name; "%tid.x" is one name. */
static void name(struct parser *p, struct raw_operand *to)
{
    to->kind = RAW_NAME;
    to->name = p->token.span;
    parse_advance(p);
    if (parse_at(p, TOKEN_DOTWORD) && p->token.span.offset == to->name.offset + to->name.length) {
        to->name.length += p->token.span.length;
        parse_advance(p);
    }
}

/* "[x+4]", or "[m, {0, 0}]" with the coordinates of a box. */
static bool memory(struct parser *p, struct raw_operand *to)
{
    parse_advance(p);
    if (parse_at(p, TOKEN_WORD)) {
        name(p, to);
        if (!offset(p, to))
            return false;
    } else if (!parse_integer(p, &to->value))
        return false;
    if (parse_accept(p, ',') && !vector(p, to))
        return false;
    to->kind = RAW_MEMORY;
    return parse_expect(p, ']', "']'");
}

static void add_part(struct parser *p, struct raw_operand *to, struct raw_operand part)
{
    to->parts = arena_grow(p->arena, to->parts, to->part_count * sizeof part,
                           (to->part_count + 1) * sizeof part);
    to->parts[to->part_count++] = part;
}

enum { LONGEST_VECTOR = 8 };

/* "{a, b}"; an element is a name, a number or '_'. */
static bool vector(struct parser *p, struct raw_operand *to)
{
    if (!parse_expect(p, '{', "'{'"))
        return false;
    to->kind = RAW_VECTOR;
    do {
        struct raw_operand part = {0};
        if (parse_at(p, '{') || parse_at(p, '[') || parse_at(p, '(') ||
            to->part_count == LONGEST_VECTOR) {
            parse_unexpected(p, to->part_count == LONGEST_VECTOR ? "'}': a vector has 8 elements"
                                                                 : "an element of the vector");
            return false;
        }
        if (!operand(p, &part))
            return false;
        add_part(p, to, part);
    } while (parse_accept(p, ','));
    return parse_expect(p, '}', "'}' or ','");
}

enum { LONGEST_CALL = 1024 };

/* "(a, b)" of a call. */
static bool list(struct parser *p, struct raw_operand *to)
{
    parse_advance(p);
    to->kind = RAW_LIST;
    if (parse_accept(p, ')'))
        return true;
    do {
        struct raw_operand part = {.kind = RAW_NAME, .span = p->token.span};
        if (!parse_at(p, TOKEN_WORD) || to->part_count == LONGEST_CALL) {
            parse_unexpected(p, "a .param variable to pass");
            return false;
        }
        name(p, &part);
        add_part(p, to, part);
    } while (parse_accept(p, ','));
    return parse_expect(p, ')', "')' or ','");
}

static bool number(struct parser *p, struct raw_operand *to)
{
    if (parse_at_fraction(p)) { /* "-1.5", too */
        double fraction = parse_fraction(p);
        to->kind = RAW_FLOAT64;
        memcpy(&to->value, &fraction, sizeof fraction);
        return true;
    }
    to->kind = parse_at(p, TOKEN_FLOAT32) ? RAW_FLOAT32 : RAW_NUMBER;
    if (to->kind == RAW_NUMBER)
        return parse_body(p)->dialect ? parse_integer(p, &to->value)
                                      : parse_constant(p, &to->value);
    to->value = p->token.value;
    parse_advance(p);
    return true;
}

static bool plain_operand(struct parser *p, struct raw_operand *to)
{
    if (!parse_body(p)->dialect && !parse_at_fraction(p) && parse_at_constant(p))
        return number(p, to);
    to->negated = parse_accept(p, '!');
    to->address = parse_accept(p, '&');
    if (parse_at(p, TOKEN_WORD)) {
        name(p, to);
        return offset(p, to);
    }
    if (to->address) {
        parse_unexpected(p, "the name of a location after '&'");
        return false;
    }
    if (parse_at(p, '['))
        return memory(p, to);
    if (parse_at(p, '{'))
        return vector(p, to);
    if (parse_at(p, '('))
        return list(p, to);
    if (parse_at(p, TOKEN_NUMBER) || parse_at(p, '-') || parse_at(p, TOKEN_FLOAT32) ||
        parse_at(p, TOKEN_FLOAT64))
        return number(p, to);
    to->kind = RAW_SINK;
    return parse_expect(p, '_', "an operand");
}

static bool operand(struct parser *p, struct raw_operand *to)
{
    struct span start = p->token.span;
    if (!plain_operand(p, to))
        return false;
    to->span = parse_span_from(p, start);
    return true;
}

/* "d|p" of a kernel; in a column '|' ends the cell. */
static bool pair(struct parser *p, struct raw_operand *to)
{
    struct raw_operand both = {.kind = RAW_PAIR, .span = to->span};
    parse_advance(p);
    add_part(p, &both, *to);
    add_part(p, &both, (struct raw_operand){0});
    if (!operand(p, &both.parts[1]))
        return false;
    both.span = parse_span_from(p, to->span);
    *to = both;
    return true;
}

enum { LONGEST_OPERAND_LIST = 8 };

/* The coordinates behind the handle of a texture are an operand of their own. */
static void split_coordinates(struct raw_operand list[2], uint32_t *count)
{
    if (list->kind != RAW_MEMORY || !list->part_count)
        return;
    list[1] = *list;
    list[1].kind = RAW_VECTOR;
    list[0].parts = NULL;
    list[0].part_count = 0;
    ++*count;
}

static bool operands(struct parser *p, struct raw_inst *inst)
{
    struct raw_operand list[LONGEST_OPERAND_LIST + 1];
    uint32_t count = 0;
    if (parse_at_cell_end(p))
        return true;
    do {
        if (count >= LONGEST_OPERAND_LIST) {
            parse_error(p, operand_count, p->token.span, NULL, "'%s' has too many operands",
                        op_mnemonic(inst->op));
            return false;
        }
        list[count] = (struct raw_operand){0};
        if (!operand(p, &list[count]))
            return false;
        if (!parse_body(p)->dialect && parse_at(p, '|') && !pair(p, &list[count]))
            return false;
        if (op_group(inst->op) == GROUP_TEXTURE)
            split_coordinates(&list[count], &count);
        count++;
    } while (parse_accept(p, ','));
    inst->operand_count = count;
    inst->operands = arena_grow(p->arena, list, sizeof *list * count, sizeof *list * count);
    return true;
}

/* "@%p" or "@!%p". */
static bool guard(struct parser *p, struct raw_inst *inst)
{
    if (!parse_accept(p, '@'))
        return true;
    inst->guard_negated = parse_accept(p, '!');
    inst->guard = p->token.span;
    return parse_expect(p, TOKEN_WORD, "a predicate register");
}

/* "cuda::…", which is a name of C++ and no label. */
static bool is_qualified(const struct parser *p)
{
    const struct source *source = p->source;
    uint32_t behind = p->next.span.offset + 1;
    return behind < source->length && source->text[behind] == ':';
}

void parse_labels(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    while (parse_at(p, TOKEN_WORD) && p->next.kind == ':' && !is_qualified(p)) {
        struct raw_label label = {
            .name = p->token.span, .block = p->block, .target = body->insts.len};
        parse_advance(p);
        parse_advance(p);
        vec_push(p->arena, &body->labels, label);
    }
}

bool parse_at_cell_end(const struct parser *p)
{
    return parse_at(p, '|') || parse_at(p, ';') || parse_at(p, TOKEN_BARS) ||
           parse_at(p, TOKEN_END);
}

bool parse_instruction(struct parser *p)
{
    struct raw_body *body = parse_body(p);
    struct raw_inst inst = {.block = p->block};
    struct span start = p->token.span;
    if (!guard(p, &inst))
        return false;
    if (parse_at(p, '=')) {
        parse_error(p, unexpected_token, p->token.span, "'mov.u32 r1, 1' gives a register a value",
                    "expected an instruction, found '='");
        return false;
    }
    if (!parse_at(p, TOKEN_WORD)) {
        parse_unexpected(p, "an instruction");
        return false;
    }
    if (!parse_mnemonic(p, &inst) || !operands(p, &inst))
        return false;
    inst.span = parse_span_from(p, start);
    vec_push(p->arena, &body->insts, inst);
    if (parse_at(p, ';') || (body->dialect && parse_at_cell_end(p) && !parse_at(p, TOKEN_END)))
        return true;
    parse_unexpected(p, body->dialect ? "',', '|' or ';'" : "',' or ';'");
    return false;
}
