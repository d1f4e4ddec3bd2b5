/* SPDX-License-Identifier: MIT */
#include "litmus/parse/constant.h"

/* A number is signed unless it has an 'U' or needs all 64 bits; operations of a signed and an unsigned
 * one are unsigned. */
struct constant {
    uint64_t bits;
    bool is_unsigned;
};

enum constant_operator {
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    ADD,
    SUBTRACT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    LESS,
    GREATER,
    AT_MOST,
    AT_LEAST,
    EQUAL,
    UNEQUAL,
    BITS_AND,
    BITS_XOR,
    BITS_OR,
    BOTH,
    EITHER,
};

enum level { LEVEL_CHOICE, LEVEL_EITHER, LEVEL_SUM = 9, LEVEL_PRODUCT };

/* Those of two characters come before those that begin like them. */
static const struct operator
{
    int kind, second; /* tokens; 0: there is one only */
    enum constant_operator operation;
    int level; /* the higher, the tighter */
}
operators[] = {
    {'<', '<', SHIFT_LEFT, 8},
    {'>', '>', SHIFT_RIGHT, 8},
    {'*', 0, MULTIPLY, LEVEL_PRODUCT},
    {'/', 0, DIVIDE, LEVEL_PRODUCT},
    {'%', 0, REMAINDER, LEVEL_PRODUCT},
    {'+', 0, ADD, LEVEL_SUM},
    {'-', 0, SUBTRACT, LEVEL_SUM},
    {'<', 0, LESS, 7},
    {'>', 0, GREATER, 7},
    {TOKEN_LE, 0, AT_MOST, 7},
    {TOKEN_GE, 0, AT_LEAST, 7},
    {TOKEN_EQ, 0, EQUAL, 6},
    {TOKEN_NE, 0, UNEQUAL, 6},
    {'&', 0, BITS_AND, 5},
    {'^', 0, BITS_XOR, 4},
    {'|', 0, BITS_OR, 3},
    {TOKEN_AND, 0, BOTH, 2},
    {TOKEN_BARS, 0, EITHER, LEVEL_EITHER},
};

static const struct operator* operator_here(const struct parser *p)
{
    bool adjacent = p->token.span.offset + p->token.span.length == p->next.span.offset;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (parse_at(p, operators[i].kind) &&
            (!operators[i].second || (adjacent && p->next.kind == operators[i].second)))
            return &operators[i];
    return NULL;
}

static bool is_less(struct constant a, struct constant b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static uint64_t magnitude(struct constant a, bool is_unsigned)
{
    return !is_unsigned && (int64_t)a.bits < 0 ? -a.bits : a.bits;
}

/* Towards zero, as C does; INT64_MIN / -1 wraps. */
static uint64_t quotient(struct constant a, struct constant b, bool remainder)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    uint64_t x = magnitude(a, is_unsigned), y = magnitude(b, is_unsigned);
    bool minus = !is_unsigned && ((int64_t)a.bits < 0) != (!remainder && (int64_t)b.bits < 0);
    uint64_t result = remainder ? x % y : x / y;
    return minus ? -result : result;
}

static uint64_t shifted_right(struct constant a, uint64_t by)
{
    uint64_t sign = !a.is_unsigned && (int64_t)a.bits < 0 ? UINT64_MAX : 0;
    if (by > 63)
        return sign;
    return by ? a.bits >> by | sign << (64 - by) : a.bits;
}

/* The result of comparisons and logic is signed, that of '&', '^' and '|' unsigned. */
static struct constant computed(enum constant_operator operation, struct constant a,
                                struct constant b)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (operation) {
    case MULTIPLY:
        return (struct constant){a.bits * b.bits, is_unsigned};
    case DIVIDE:
    case REMAINDER:
        return (struct constant){quotient(a, b, operation == REMAINDER), is_unsigned};
    case ADD:
        return (struct constant){a.bits + b.bits, is_unsigned};
    case SUBTRACT:
        return (struct constant){a.bits - b.bits, is_unsigned};
    case SHIFT_LEFT:
        return (struct constant){b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned};
    case SHIFT_RIGHT:
        return (struct constant){shifted_right(a, b.bits), a.is_unsigned};
    case LESS:
        return (struct constant){is_less(a, b), false};
    case GREATER:
        return (struct constant){is_less(b, a), false};
    case AT_MOST:
        return (struct constant){!is_less(b, a), false};
    case AT_LEAST:
        return (struct constant){!is_less(a, b), false};
    case EQUAL:
        return (struct constant){a.bits == b.bits, false};
    case UNEQUAL:
        return (struct constant){a.bits != b.bits, false};
    case BITS_AND:
        return (struct constant){a.bits & b.bits, true};
    case BITS_XOR:
        return (struct constant){a.bits ^ b.bits, true};
    case BITS_OR:
        return (struct constant){a.bits | b.bits, true};
    case BOTH:
        return (struct constant){a.bits && b.bits, false};
    case EITHER:
        break;
    }
    return (struct constant){a.bits || b.bits, false};
}

static bool expression(struct parser *p, int level, struct constant *to);

static bool literal(struct parser *p, struct constant *to)
{
    struct span span = p->token.span;
    if (parse_accept_word(p, "WARP_SZ")) {
        *to = (struct constant){32, false};
        return true;
    }
    *to = (struct constant){p->token.value, p->token.value > INT64_MAX};
    if (!parse_expect(p, TOKEN_NUMBER, "a number"))
        return false;
    if (p->source->text[span.offset + span.length - 1] == 'U')
        to->is_unsigned = true;
    return true;
}

static bool unary(struct parser *p, struct constant *to);

/* "(4*2)", or "(.s64)4": behind the parenthesis. */
static bool parenthesis(struct parser *p, struct constant *to)
{
    bool is_signed = parse_at_word(p, ".s64");
    if (!is_signed && !parse_at_word(p, ".u64"))
        return expression(p, LEVEL_CHOICE, to) && parse_expect(p, ')', "')'");
    parse_advance(p);
    if (!parse_expect(p, ')', "')'") || !unary(p, to))
        return false;
    to->is_unsigned = !is_signed;
    return true;
}

static bool negative(struct parser *p, struct constant *to)
{
    struct token token = p->token;
    if (!unary(p, to))
        return false;
    if (token.kind == TOKEN_NUMBER && token.value > (uint64_t)1 << 63) {
        parse_error(p, number_out_of_range, token.span, NULL, "the number does not fit 64 bits");
        return false;
    }
    to->is_unsigned = to->is_unsigned && token.kind != TOKEN_NUMBER;
    to->bits = -to->bits;
    return true;
}

static bool prefixed(struct parser *p, struct constant *to)
{
    if (parse_accept(p, '-'))
        return negative(p, to);
    if (parse_accept(p, '+'))
        return unary(p, to);
    if (parse_accept(p, '('))
        return parenthesis(p, to);
    if (parse_accept(p, '~')) {
        bool good = unary(p, to);
        *to = (struct constant){~to->bits, true};
        return good;
    }
    if (parse_accept(p, '!')) {
        bool good = unary(p, to);
        *to = (struct constant){!to->bits, false};
        return good;
    }
    return literal(p, to);
}

static bool unary(struct parser *p, struct constant *to)
{
    *to = (struct constant){0, false};
    if (!parse_deeper(p, "a constant is"))
        return false;
    bool good = prefixed(p, to);
    p->depth--;
    return good;
}

/* "a ? b : c": behind the question mark. */
static bool choice(struct parser *p, struct constant *to)
{
    struct constant yes, no;
    if (!expression(p, LEVEL_CHOICE, &yes) || !parse_expect(p, ':', "':'") ||
        !expression(p, LEVEL_CHOICE, &no))
        return false;
    *to = (struct constant){to->bits ? yes.bits : no.bits, yes.is_unsigned || no.is_unsigned};
    return true;
}

/* Operators of this level and tighter ones. */
static bool expression(struct parser *p, int level, struct constant *to)
{
    const struct operator* found;
    if (!unary(p, to))
        return false;
    while ((found = operator_here(p)) && found->level >= level) {
        struct constant right;
        struct span span = p->token.span;
        parse_advance(p);
        if (found->second)
            parse_advance(p);
        if (!expression(p, found->level + 1, &right))
            return false;
        bool divides = found->operation == DIVIDE || found->operation == REMAINDER;
        if (divides && !right.bits) {
            parse_error(p, number_out_of_range, span, NULL, "a constant is divided by zero");
            return false;
        }
        *to = computed(found->operation, *to, right);
    }
    return level > LEVEL_CHOICE || !parse_accept(p, '?') || choice(p, to);
}

bool parse_at_constant(const struct parser *p)
{
    int kind = parse_at(p, '!') || parse_at(p, '(') ? p->next.kind : p->token.kind;
    return kind == TOKEN_NUMBER || kind == '-' || kind == '+' || kind == '~' || kind == '(' ||
           kind == TOKEN_DOTWORD || (kind == '!' && parse_at(p, '(')) ||
           parse_at_word(p, "WARP_SZ");
}

bool parse_constant(struct parser *p, uint64_t *value)
{
    struct constant constant;
    bool good = expression(p, LEVEL_CHOICE, &constant);
    *value = constant.bits;
    return good;
}

bool parse_addend(struct parser *p, uint64_t *value)
{
    *value = 0;
    while (parse_at(p, '+') || parse_at(p, '-')) {
        struct constant term;
        bool minus = parse_at(p, '-');
        parse_advance(p);
        if (!expression(p, LEVEL_PRODUCT, &term))
            return false;
        *value += minus ? -term.bits : term.bits;
    }
    return true;
}
