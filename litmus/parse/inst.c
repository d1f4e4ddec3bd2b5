/* SPDX-License-Identifier: MIT */
#include "litmus/parse/mnemonic.h"

/* Labels, and a guarded instruction with its operands. */

static bool operand(struct parser *parser, struct raw_operand *to);

/* "+ 4", "- 4" and PTX's "+-4" after a name. */
static bool offset(struct parser *parser, struct raw_operand *to)
{
    bool minus = at(parser, '-');
    if (!minus && !at(parser, '+'))
        return true;
    advance(parser);
    to->offset = true;
    if (!parse_integer(parser, &to->value))
        return false;
    if (minus)
        to->value = -to->value;
    return true;
}

/* A name; "%tid.x" is one name. */
static void name(struct parser *parser, struct raw_operand *to)
{
    to->kind = RAW_NAME;
    to->name = parser->token.span;
    advance(parser);
    if (at(parser, TOKEN_DOTWORD) &&
        parser->token.span.offset == to->name.offset + to->name.length) {
        to->name.length += parser->token.span.length;
        advance(parser);
    }
}

static bool memory(struct parser *parser, struct raw_operand *to)
{
    advance(parser);
    if (at(parser, TOKEN_WORD)) {
        name(parser, to);
        if (!offset(parser, to))
            return false;
    } else if (!parse_integer(parser, &to->value))
        return false;
    to->kind = RAW_MEMORY;
    return expect(parser, ']', "']'");
}

static void add_part(struct parser *parser, struct raw_operand *to, struct raw_operand part)
{
    to->parts = arena_grow(parser->arena, to->parts, to->part_count * sizeof part,
                           (to->part_count + 1) * sizeof part);
    to->parts[to->part_count++] = part;
}

enum { LONGEST_VECTOR = 8 };

/* "{a, b}"; an element is a name, a number or '_'. */
static bool vector(struct parser *parser, struct raw_operand *to)
{
    advance(parser);
    to->kind = RAW_VECTOR;
    do {
        struct raw_operand part = {0};
        if (at(parser, '{') || at(parser, '[') || at(parser, '(') ||
            to->part_count == LONGEST_VECTOR) {
            unexpected(parser, to->part_count == LONGEST_VECTOR ? "'}': a vector has 8 elements"
                                                                : "an element of the vector");
            return false;
        }
        if (!operand(parser, &part))
            return false;
        add_part(parser, to, part);
    } while (accept(parser, ','));
    return expect(parser, '}', "'}' or ','");
}

enum { LONGEST_CALL = 1024 };

/* "(a, b)" of a call. */
static bool list(struct parser *parser, struct raw_operand *to)
{
    advance(parser);
    to->kind = RAW_LIST;
    if (accept(parser, ')'))
        return true;
    do {
        struct raw_operand part = {.kind = RAW_NAME, .span = parser->token.span};
        if (!at(parser, TOKEN_WORD) || to->part_count == LONGEST_CALL) {
            unexpected(parser, "a .param variable to pass");
            return false;
        }
        name(parser, &part);
        add_part(parser, to, part);
    } while (accept(parser, ','));
    return expect(parser, ')', "')' or ','");
}

static bool number(struct parser *parser, struct raw_operand *to)
{
    to->kind = at(parser, TOKEN_FLOAT32)   ? RAW_FLOAT32
               : at(parser, TOKEN_FLOAT64) ? RAW_FLOAT64
                                           : RAW_NUMBER;
    if (to->kind == RAW_NUMBER)
        return parse_integer(parser, &to->value);
    to->value = parser->token.value;
    advance(parser);
    return true;
}

static bool plain_operand(struct parser *parser, struct raw_operand *to)
{
    to->negated = accept(parser, '!');
    to->address = accept(parser, '&');
    if (at(parser, TOKEN_WORD)) {
        name(parser, to);
        return offset(parser, to);
    }
    if (to->address) {
        unexpected(parser, "the name of a location after '&'");
        return false;
    }
    if (at(parser, '['))
        return memory(parser, to);
    if (at(parser, '{'))
        return vector(parser, to);
    if (at(parser, '('))
        return list(parser, to);
    if (at(parser, TOKEN_NUMBER) || at(parser, '-') || at(parser, TOKEN_FLOAT32) ||
        at(parser, TOKEN_FLOAT64))
        return number(parser, to);
    to->kind = RAW_SINK;
    return expect(parser, '_', "an operand");
}

static bool operand(struct parser *parser, struct raw_operand *to)
{
    struct span start = parser->token.span;
    if (!plain_operand(parser, to))
        return false;
    to->span = span_until_here(parser, start);
    return true;
}

/* "d|p" of a kernel; in a column '|' ends the cell. */
static bool pair(struct parser *parser, struct raw_operand *to)
{
    struct raw_operand both = {.kind = RAW_PAIR, .span = to->span};
    advance(parser);
    add_part(parser, &both, *to);
    add_part(parser, &both, (struct raw_operand){0});
    if (!operand(parser, &both.parts[1]))
        return false;
    both.span = span_until_here(parser, to->span);
    *to = both;
    return true;
}

enum { LONGEST_OPERAND_LIST = 8 };

static bool operands(struct parser *parser, struct raw_inst *inst, bool column)
{
    struct raw_operand list[LONGEST_OPERAND_LIST];
    uint32_t count = 0;
    if (at(parser, ';') || at(parser, '|') || at(parser, TOKEN_BARS) || at(parser, TOKEN_END))
        return true;
    do {
        if (count == LONGEST_OPERAND_LIST) {
            parse_error(parser, operand_count, parser->token.span, NULL,
                        "'%s' has too many operands", op_mnemonic(inst->op));
            return false;
        }
        list[count] = (struct raw_operand){0};
        if (!operand(parser, &list[count]))
            return false;
        if (!column && at(parser, '|') && !pair(parser, &list[count]))
            return false;
        count++;
    } while (accept(parser, ','));
    inst->operand_count = count;
    inst->operands = arena_grow(parser->arena, list, sizeof *list * count, sizeof *list * count);
    return true;
}

/* "@%p" or "@!%p". */
static bool guard(struct parser *parser, struct raw_inst *inst)
{
    if (!accept(parser, '@'))
        return true;
    inst->guard_negated = accept(parser, '!');
    inst->guard = parser->token.span;
    return expect(parser, TOKEN_WORD, "a predicate register");
}

void parse_labels(struct parser *parser, struct raw_body *body, uint32_t block)
{
    while (at(parser, TOKEN_WORD) && parser->next.kind == ':') {
        struct raw_label label = {
            .name = parser->token.span, .block = block, .target = body->insts.len};
        advance(parser);
        advance(parser);
        vec_push(parser->arena, &body->labels, label);
    }
}

static bool instruction(struct parser *parser, struct raw_inst *inst, bool column)
{
    if (!guard(parser, inst))
        return false;
    if (!at(parser, TOKEN_WORD)) {
        unexpected(parser, "an instruction");
        return false;
    }
    return parse_mnemonic(parser, inst) && operands(parser, inst, column);
}

bool parse_instruction(struct parser *parser, struct raw_body *body, uint32_t block)
{
    struct raw_inst inst = {.block = block};
    struct span start = parser->token.span;
    if (!instruction(parser, &inst, body->column))
        return false;
    inst.span = span_until_here(parser, start);
    vec_push(parser->arena, &body->insts, inst);
    if (at(parser, ';') || (body->column && (at(parser, '|') || at(parser, TOKEN_BARS))))
        return true;
    unexpected(parser, body->column ? "',', '|' or ';'" : "',' or ';'");
    return false;
}
