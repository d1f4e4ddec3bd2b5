/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/float_value.h"

/* A significand carries three bits more than the format has: two behind the last, and one that says whether
 * anything follows. Its leading one stands at bit 'lead' when the number is normal. */

struct format {
    struct expr_pool *pool;
    unsigned width, fraction, exponent_bits;
};

static struct format format_of(struct expr_pool *pool, enum type type)
{
    return type == TYPE_F16    ? (struct format){pool, 16, 10, 5}
           : type == TYPE_BF16 ? (struct format){pool, 16, 7, 8}
           : type == TYPE_F32  ? (struct format){pool, 32, 23, 8}
                               : (struct format){pool, 64, 52, 11};
}

static unsigned lead(const struct format *f)
{
    return f->fraction + 3;
}

static expr_id constant(const struct format *f, uint64_t value)
{
    return expr_const(f->pool, f->width, value);
}

static expr_id operation(const struct format *f, enum expr_op op, expr_id a, expr_id b)
{
    return expr_binary(f->pool, op, a, b);
}

static expr_id with(const struct format *f, enum expr_op op, expr_id a, uint64_t b)
{
    return operation(f, op, a, constant(f, b));
}

static expr_id is(const struct format *f, expr_id a, uint64_t value)
{
    return expr_eq(f->pool, a, constant(f, value));
}

static expr_id choose(const struct format *f, expr_id condition, expr_id then, expr_id otherwise)
{
    return expr_ite(f->pool, condition, then, otherwise);
}

/* 1 or 0. */
static expr_id bit(const struct format *f, expr_id condition)
{
    return choose(f, condition, constant(f, 1), constant(f, 0));
}

static uint64_t sign_bit(const struct format *f)
{
    return UINT64_C(1) << (f->width - 1);
}

static uint64_t infinity(const struct format *f)
{
    return ((UINT64_C(1) << f->exponent_bits) - 1) << f->fraction;
}

static expr_id not_a_number(const struct format *f)
{
    return constant(f, f->width == 64 ? UINT64_C(0xfff8000000000000) : sign_bit(f) - 1);
}

static expr_id magnitude(const struct format *f, expr_id a)
{
    return with(f, EXPR_AND, a, sign_bit(f) - 1);
}

static expr_id is_nan(const struct format *f, expr_id a)
{
    return operation(f, EXPR_ULT, constant(f, infinity(f)), magnitude(f, a));
}

static expr_id is_infinite(const struct format *f, expr_id a)
{
    return is(f, magnitude(f, a), infinity(f));
}

/* That of the smallest normal numbers is also that of what is smaller. */
static expr_id exponent(const struct format *f, expr_id a)
{
    expr_id field = with(f, EXPR_LSHR, magnitude(f, a), f->fraction);
    return choose(f, is(f, field, 0), constant(f, 1), field);
}

static expr_id digits(const struct format *f, expr_id a)
{
    uint64_t hidden = UINT64_C(1) << f->fraction;
    expr_id normal = operation(f, EXPR_ULT, constant(f, hidden - 1), magnitude(f, a));
    expr_id fraction = with(f, EXPR_AND, a, hidden - 1);
    return choose(f, normal, with(f, EXPR_OR, fraction, hidden), fraction);
}

/* To the right; the last bit says whether anything fell off. 'amount' may be any. */
static expr_id shifted_down(const struct format *f, expr_id a, expr_id amount)
{
    uint64_t most = lead(f) + 1;
    expr_id by =
        choose(f, operation(f, EXPR_ULT, constant(f, most), amount), constant(f, most), amount);
    expr_id kept = operation(f, EXPR_LSHR, a, by);
    expr_id lost = expr_not(f->pool, expr_eq(f->pool, operation(f, EXPR_SHL, kept, by), a));
    return operation(f, EXPR_OR, kept, bit(f, lost));
}

/* To the left, until the leading one is at bit 'top' or the exponent is 'least', of which both are signed. */
static void normalize(const struct format *f, unsigned top, expr_id least, expr_id *value,
                      expr_id *exponent)
{
    for (unsigned by = f->width / 2; by; by /= 2) {
        if (by > top)
            continue;
        expr_id small = operation(f, EXPR_ULT, *value, constant(f, UINT64_C(1) << (top + 1 - by)));
        expr_id less = with(f, EXPR_SUB, *exponent, by);
        expr_id room = expr_not(f->pool, operation(f, EXPR_SLT, less, least));
        expr_id moves = expr_and(f->pool, small, room);
        *value = choose(f, moves, with(f, EXPR_SHL, *value, by), *value);
        *exponent = choose(f, moves, less, *exponent);
    }
}

/* The bits without a sign. */
static expr_id rounded(const struct format *f, expr_id value, expr_id exponent)
{
    expr_id low = with(f, EXPR_AND, value, 7), kept = with(f, EXPR_LSHR, value, 3);
    expr_id odd = is(f, with(f, EXPR_AND, kept, 1), 1);
    expr_id above = operation(f, EXPR_ULT, constant(f, 4), low);
    expr_id up = expr_or(f->pool, above, expr_and(f->pool, is(f, low, 4), odd));
    expr_id field = with(f, EXPR_SHL, with(f, EXPR_SUB, exponent, 1), f->fraction);
    expr_id bits = operation(f, EXPR_ADD, field, operation(f, EXPR_ADD, kept, bit(f, up)));
    expr_id fits = operation(f, EXPR_ULT, bits, constant(f, infinity(f)));
    return choose(f, fits, bits, constant(f, infinity(f)));
}

/* What comes out where one of the two may be no number. */
static expr_id nan_of(const struct format *f, expr_id a, expr_id b)
{
    uint64_t quiet = UINT64_C(1) << (f->fraction - 1);
    expr_id other = choose(f, is_nan(f, b), with(f, EXPR_OR, b, quiet), not_a_number(f));
    if (f->width < 64)
        return not_a_number(f);
    return choose(f, is_nan(f, a), with(f, EXPR_OR, a, quiet), other);
}

/* ---- sums ----------------------------------------------------------------------------------- */

typedef expr_id rounding(const struct format *f, expr_id value, expr_id exponent);

/* Of two finite numbers, the larger one first; 'differs': their signs do. */
static expr_id finite_sum(const struct format *f, expr_id large, expr_id small, expr_id differs,
                          rounding *round)
{
    expr_id power = exponent(f, large);
    expr_id x = with(f, EXPR_SHL, digits(f, large), 3);
    expr_id y = shifted_down(f, with(f, EXPR_SHL, digits(f, small), 3),
                             operation(f, EXPR_SUB, power, exponent(f, small)));
    expr_id sum = choose(f, differs, operation(f, EXPR_SUB, x, y), operation(f, EXPR_ADD, x, y));
    expr_id carried = operation(f, EXPR_ULT, constant(f, (UINT64_C(2) << lead(f)) - 1), sum);
    expr_id value = choose(f, carried, shifted_down(f, sum, constant(f, 1)), sum);
    expr_id moved = choose(f, carried, with(f, EXPR_ADD, power, 1), power);
    normalize(f, lead(f), constant(f, 1), &value, &moved);
    return choose(f, is(f, sum, 0), constant(f, 0), round(f, value, moved));
}

static expr_id any_sum(struct expr_pool *pool, enum type type, expr_id a, expr_id b, bool less,
                       rounding *round)
{
    const struct format f = format_of(pool, type);
    expr_id nan = nan_of(&f, a, b);
    b = less ? with(&f, EXPR_XOR, b, sign_bit(&f)) : b;
    expr_id swapped = operation(&f, EXPR_ULT, magnitude(&f, a), magnitude(&f, b));
    expr_id large = choose(&f, swapped, b, a), small = choose(&f, swapped, a, b);
    expr_id zero = constant(&f, 0);
    expr_id differs = operation(&f, EXPR_SLT, operation(&f, EXPR_XOR, a, b), zero);
    expr_id finite = finite_sum(&f, large, small, differs, round);
    expr_id size = choose(&f, is_infinite(&f, large), constant(&f, infinity(&f)), finite);
    expr_id sign = with(&f, EXPR_AND, large, sign_bit(&f));
    expr_id cancels = expr_and(pool, differs, is(&f, size, 0));
    expr_id sum = choose(&f, cancels, zero, operation(&f, EXPR_OR, size, sign));
    expr_id opposed = expr_and(pool, is_infinite(&f, small), differs);
    return choose(&f, expr_or(pool, is_nan(&f, large), opposed), nan, sum);
}

static expr_id sum_of_halves(struct expr_pool *pool, enum type type, expr_id a, expr_id b,
                             bool less, unsigned from)
{
    enum type half = type == TYPE_F16X2 ? TYPE_F16 : TYPE_BF16;
    return any_sum(pool, half, expr_extract(pool, a, from, 16), expr_extract(pool, b, from, 16),
                   less, rounded);
}

expr_id float_sum(struct expr_pool *pool, enum type type, expr_id a, expr_id b, bool less)
{
    if (type != TYPE_F16X2 && type != TYPE_BF16X2)
        return any_sum(pool, type, a, b, less, rounded);
    return expr_binary(pool, EXPR_CONCAT, sum_of_halves(pool, type, a, b, less, 16),
                       sum_of_halves(pool, type, a, b, less, 0));
}

/* ---- products ------------------------------------------------------------------------------- */

/* Of two finite numbers that are not 0. */
static expr_id finite_product(const struct format *f, expr_id a, expr_id b)
{
    expr_id never = constant(f, UINT64_C(1) << (f->width - 1)); /* no exponent is less */
    expr_id x = digits(f, a), y = digits(f, b);
    expr_id p = exponent(f, a), q = exponent(f, b);
    normalize(f, f->fraction, never, &x, &p);
    normalize(f, f->fraction, never, &y, &q);
    const struct format wide = {f->pool, 64, f->fraction, f->exponent_bits};
    expr_id whole = operation(&wide, EXPR_MUL, expr_extend(f->pool, x, 64, false),
                              expr_extend(f->pool, y, 64, false));
    unsigned rest = 2 * f->fraction - lead(f);
    expr_id carried =
        operation(&wide, EXPR_ULT, constant(&wide, (UINT64_C(2) << 2 * f->fraction) - 1), whole);
    expr_id lost = with(&wide, EXPR_AND, whole, (UINT64_C(1) << rest) - 1);
    expr_id kept = operation(&wide, EXPR_OR, with(&wide, EXPR_LSHR, whole, rest),
                             bit(&wide, expr_not(f->pool, is(&wide, lost, 0))));
    expr_id value = expr_extract(f->pool, kept, 0, f->width);
    uint64_t bias = (UINT64_C(1) << (f->exponent_bits - 1)) - 1;
    expr_id power = with(f, EXPR_SUB, operation(f, EXPR_ADD, p, q), bias);
    value = choose(f, carried, shifted_down(f, value, constant(f, 1)), value);
    power = choose(f, carried, with(f, EXPR_ADD, power, 1), power);
    expr_id tiny = operation(f, EXPR_SLT, power, constant(f, 1));
    expr_id by = operation(f, EXPR_SUB, constant(f, 1), power);
    value = choose(f, tiny, shifted_down(f, value, by), value);
    return rounded(f, value, choose(f, tiny, constant(f, 1), power));
}

expr_id float_product(struct expr_pool *pool, expr_id a, expr_id b)
{
    const struct format f = format_of(pool, TYPE_F32);
    expr_id sign = with(&f, EXPR_AND, operation(&f, EXPR_XOR, a, b), sign_bit(&f));
    expr_id nothing = expr_or(pool, is(&f, magnitude(&f, a), 0), is(&f, magnitude(&f, b), 0));
    expr_id endless = expr_or(pool, is_infinite(&f, a), is_infinite(&f, b));
    expr_id size = choose(&f, endless, constant(&f, infinity(&f)), finite_product(&f, a, b));
    size = choose(&f, nothing, constant(&f, 0), size);
    expr_id none = expr_or(pool, expr_or(pool, is_nan(&f, a), is_nan(&f, b)),
                           expr_and(pool, nothing, endless));
    return choose(&f, none, not_a_number(&f), operation(&f, EXPR_OR, size, sign));
}

/* ---- a * b + c ------------------------------------------------------------------------------ */

/* What is lost sets the last bit: of more than twice as many bits, rounding once more rounds as if it were the first time. */
static expr_id to_odd(const struct format *f, expr_id value, expr_id exponent)
{
    expr_id low = with(f, EXPR_AND, value, 7);
    expr_id kept = operation(f, EXPR_OR, with(f, EXPR_LSHR, value, 3),
                             bit(f, expr_not(f->pool, is(f, low, 0))));
    expr_id field = with(f, EXPR_SHL, with(f, EXPR_SUB, exponent, 1), f->fraction);
    return operation(f, EXPR_ADD, field, kept);
}

static expr_id widened(const struct format *f, expr_id a)
{
    return expr_extend(f->pool, a, 64, true);
}

/* 64 bits of a number that is not 0: 'value' has its leading one at bit 52. */
static expr_id composed(const struct format *wide, expr_id value, expr_id exponent, expr_id sign)
{
    expr_id fraction = with(wide, EXPR_AND, value, (UINT64_C(1) << 52) - 1);
    expr_id bits =
        operation(wide, EXPR_OR, with(wide, EXPR_SHL, exponent, wide->fraction), fraction);
    return operation(wide, EXPR_OR, bits, with(wide, EXPR_AND, sign, sign_bit(wide)));
}

enum { BIAS_DIFFERENCE = 1023 - 127 };

/* The product of two finite numbers of 32 bits, which 64 bits hold. */
static expr_id exact_product(const struct format *f, const struct format *wide, expr_id a,
                             expr_id b)
{
    expr_id never = constant(f, UINT64_C(1) << (f->width - 1));
    expr_id x = digits(f, a), y = digits(f, b), p = exponent(f, a), q = exponent(f, b);
    normalize(f, f->fraction, never, &x, &p);
    normalize(f, f->fraction, never, &y, &q);
    expr_id whole = operation(wide, EXPR_MUL, expr_extend(f->pool, x, 64, false),
                              expr_extend(f->pool, y, 64, false));
    expr_id carried =
        operation(wide, EXPR_ULT, constant(wide, (UINT64_C(2) << 2 * f->fraction) - 1), whole);
    expr_id value =
        choose(f, carried, with(wide, EXPR_SHL, whole, 5), with(wide, EXPR_SHL, whole, 6));
    expr_id power =
        with(wide, EXPR_ADD, widened(f, operation(f, EXPR_ADD, p, q)), BIAS_DIFFERENCE - 127);
    power = operation(wide, EXPR_ADD, power, bit(wide, carried));
    expr_id sign = widened(f, operation(f, EXPR_XOR, a, b));
    expr_id nothing = expr_or(f->pool, is(f, magnitude(f, a), 0), is(f, magnitude(f, b), 0));
    return choose(f, nothing, with(wide, EXPR_AND, sign, sign_bit(wide)),
                  composed(wide, value, power, sign));
}

static expr_id to_wide(const struct format *f, const struct format *wide, expr_id a)
{
    expr_id never = constant(f, UINT64_C(1) << (f->width - 1));
    expr_id x = digits(f, a), p = exponent(f, a), sign = widened(f, a);
    normalize(f, f->fraction, never, &x, &p);
    expr_id value = with(wide, EXPR_SHL, expr_extend(f->pool, x, 64, false), 29);
    expr_id power = with(wide, EXPR_ADD, widened(f, p), BIAS_DIFFERENCE);
    return choose(f, is(f, magnitude(f, a), 0), with(wide, EXPR_AND, sign, sign_bit(wide)),
                  composed(wide, value, power, sign));
}

/* To 32 bits; 'a' is finite. */
static expr_id to_narrow(const struct format *f, const struct format *wide, expr_id a)
{
    expr_id whole = digits(wide, a);
    expr_id lost = with(wide, EXPR_AND, whole, (UINT64_C(1) << 26) - 1);
    expr_id kept = operation(wide, EXPR_OR, with(wide, EXPR_LSHR, whole, 26),
                             bit(wide, expr_not(f->pool, is(wide, lost, 0))));
    expr_id value = expr_extract(f->pool, kept, 0, 32);
    expr_id power =
        expr_extract(f->pool, with(wide, EXPR_SUB, exponent(wide, a), BIAS_DIFFERENCE), 0, 32);
    expr_id tiny = operation(f, EXPR_SLT, power, constant(f, 1));
    value = choose(f, tiny, shifted_down(f, value, operation(f, EXPR_SUB, constant(f, 1), power)),
                   value);
    expr_id size = rounded(f, value, choose(f, tiny, constant(f, 1), power));
    expr_id sign = expr_extract(f->pool, with(wide, EXPR_LSHR, a, 32), 0, 32);
    return operation(f, EXPR_OR, size, with(f, EXPR_AND, sign, sign_bit(f)));
}

expr_id float_fused(struct expr_pool *pool, expr_id a, expr_id b, expr_id c)
{
    const struct format f = format_of(pool, TYPE_F32), wide = format_of(pool, TYPE_F64);
    expr_id nothing = expr_or(pool, is(&f, magnitude(&f, a), 0), is(&f, magnitude(&f, b), 0));
    expr_id endless = expr_or(pool, is_infinite(&f, a), is_infinite(&f, b));
    expr_id nan = expr_or(pool, expr_or(pool, is_nan(&f, a), is_nan(&f, b)), is_nan(&f, c));
    expr_id sum = any_sum(pool, TYPE_F64, exact_product(&f, &wide, a, b), to_wide(&f, &wide, c),
                          false, to_odd);
    expr_id finite = to_narrow(&f, &wide, sum);
    expr_id sign = with(&f, EXPR_AND, operation(&f, EXPR_XOR, a, b), sign_bit(&f));
    expr_id large = with(&f, EXPR_OR, sign, infinity(&f));
    expr_id opposed = expr_and(
        pool, endless, expr_and(pool, is_infinite(&f, c), expr_not(pool, expr_eq(pool, c, large))));
    nan = expr_or(pool, nan, expr_or(pool, expr_and(pool, nothing, endless), opposed));
    expr_id result = choose(&f, is_infinite(&f, c), c, finite);
    return choose(&f, nan, not_a_number(&f), choose(&f, endless, large, result));
}
