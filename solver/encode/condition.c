/* SPDX-License-Identifier: MIT */
#include "solver/encode/condition.h"

#include <string.h>

#include "model/value/expr_fold.h"
#include "model/graph/layout.h"
#include "model/execution/outcome.h"

/* The condition of a test, its filter or one final state, as literals over the values that are
 * observed. */

/* A comparison whose terms are being tried out: a state in which only they matter. */
struct trial {
    struct encoding *encoding;
    const struct test *test;
    const struct cond *compare;
    uint64_t *state;
    uint32_t left, right; /* observed index, or NONE for a constant */
};

static struct value *value_at(const struct trial *trial, uint32_t index)
{
    return trial->encoding->observed[index];
}

static bool holds(const struct trial *trial)
{
    return outcome_satisfies(trial->test, trial->compare, trial->state);
}

/* ---- small domains: every value is tried ---------------------------------------------------- */

/* Only one side is open: the literals of its values with which the comparison holds. */
static lit try_left(struct trial *trial)
{
    const struct value *left = value_at(trial, trial->left);
    lit *lits = ARENA_ARRAY(trial->encoding->arena, lit, left->count);
    uint32_t n = 0;
    for (uint32_t i = 0; i < left->count; i++) {
        trial->state[trial->left] = left->at[i];
        if (holds(trial))
            lits[n++] = left->is[i];
    }
    return n == left->count ? trial->encoding->session->yes
                            : session_or(trial->encoding->session, lits, n);
}

static lit try_both(struct trial *trial)
{
    struct session *session = trial->encoding->session;
    const struct value *right = value_at(trial, trial->right);
    lit *lits = ARENA_ARRAY(trial->encoding->arena, lit, right->count);
    for (uint32_t i = 0; i < right->count; i++) {
        trial->state[trial->right] = right->at[i];
        lits[i] = session_and2(session, right->is[i], try_left(trial));
    }
    return session_or(session, lits, right->count);
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The words of [low, high] for which the comparison holds. Signed or not, an order between a word
 * and a constant changes its answer at most once between 0 and the largest signed number, and at
 * most once from the smallest one up. An equation holds for at most one word: the constant's own
 * bits. */
static lit within(struct trial *trial, uint64_t low, uint64_t high)
{
    struct encoding *encoding = trial->encoding;
    struct session *session = encoding->session;
    struct value *value = value_at(trial, trial->left);
    uint64_t same_from = low, other_from = high;
    trial->state[trial->left] = low;
    bool first = holds(trial);
    trial->state[trial->left] = high;
    bool last = holds(trial);
    if (first == last)
        return first ? session->yes : session->no;
    while (other_from - same_from > 1) {
        trial->state[trial->left] = same_from + (other_from - same_from) / 2;
        if (holds(trial) == first)
            same_from = trial->state[trial->left];
        else
            other_from = trial->state[trial->left];
    }
    lit below =
        session_name(session, Z3_mk_bvult(session_z3(session), encode_word(encoding, value),
                                          session_number(session, value->width, other_from)));
    return first ? below : session_not(session, below);
}

/* The words up to the largest signed number, and those from the smallest one up. */
static lit order_word(struct trial *trial)
{
    struct encoding *encoding = trial->encoding;
    struct session *session = encoding->session;
    struct value *value = value_at(trial, trial->left);
    uint64_t mask = width_mask(value->width), middle = mask / 2;
    lit low = session_name(session, Z3_mk_bvule(session_z3(session), encode_word(encoding, value),
                                                session_number(session, value->width, middle)));
    return session_or2(
        session, session_and2(session, low, within(trial, 0, middle)),
        session_and2(session, session_not(session, low), within(trial, middle + 1, mask)));
}

/* Does it ask nothing of which operand is less? */
static bool is_equation(enum cmp cmp)
{
    const char *holds = cmp_row(cmp)->holds;
    return strcmp(holds, "=") == 0 || strcmp(holds, "<>") == 0;
}

static uint64_t constant_of(const struct trial *trial)
{
    const struct cond_term *term = &trial->compare->right;
    uint64_t base =
        term->kind == TERM_ADDRESS ? layout_address(trial->test, term->location, term->element) : 0;
    return base + term->value;
}

static lit equate_word(struct trial *trial, uint64_t constant)
{
    struct encoding *encoding = trial->encoding;
    struct value *value = value_at(trial, trial->left);
    uint64_t bits = constant & width_mask(value->width);
    bool positive = strchr(cmp_row(trial->compare->cmp)->holds, '=');
    trial->state[trial->left] = bits;
    lit equal = holds(trial) == positive ? encode_is(encoding, value, bits) : encoding->session->no;
    return positive ? equal : session_not(encoding->session, equal);
}

static bool reads_signed(const struct trial *trial, const struct cond_term *term, uint32_t index)
{
    struct cond negative = {.kind = COND_COMPARE,
                            .cmp = CMP_LT,
                            .left = *term,
                            .right = {.kind = TERM_CONST, .value = 0}};
    trial->state[index] = width_mask(value_at(trial, index)->width);
    return outcome_satisfies(trial->test, &negative, trial->state);
}

static Z3_ast widened(const struct trial *trial, uint32_t index, bool is_signed)
{
    struct session *session = trial->encoding->session;
    struct value *value = value_at(trial, index);
    Z3_ast word = encode_word(trial->encoding, value);
    if (value->width == 64)
        return word;
    return is_signed ? Z3_mk_sign_ext(session_z3(session), 64 - value->width, word)
                     : Z3_mk_zero_ext(session_z3(session), 64 - value->width, word);
}

/* Two words that can be anything: as outcome.c compares them. */
static lit compare_words(struct trial *trial)
{
    struct session *session = trial->encoding->session;
    const struct cond *compare = trial->compare;
    bool left_signed = reads_signed(trial, &compare->left, trial->left);
    bool right_signed = reads_signed(trial, &compare->right, trial->right);
    unsigned left = value_at(trial, trial->left)->width,
             right = value_at(trial, trial->right)->width;
    bool is_signed = left == right  ? left_signed && right_signed
                     : left > right ? left_signed
                                    : right_signed;
    Z3_ast a = widened(trial, trial->left, left_signed),
           b = widened(trial, trial->right, right_signed);
    const struct cmp_row *row = cmp_row(compare->cmp);
    lit equal = session_equal(session, a, b);
    lit less = session_name(session, is_signed && row->reads != 'u'
                                         ? Z3_mk_bvslt(session_z3(session), a, b)
                                         : Z3_mk_bvult(session_z3(session), a, b));
    bool if_less = strchr(row->holds, '<'), if_equal = strchr(row->holds, '='),
         if_greater = strchr(row->holds, '>');
    if (if_less == if_greater) {
        lit differ_too = if_less ? session->yes : session->no;
        return if_equal == if_less ? differ_too : if_equal ? equal : session_not(session, equal);
    }
    lit not_greater = if_less == if_equal ? session_or2(session, less, equal) : less;
    return if_less ? not_greater : session_not(session, not_greater);
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* With listed values the comparison is tried for each; else Z3 compares words. */
static lit compare_terms(struct trial *trial)
{
    struct session *session = trial->encoding->session;
    const struct cond *compare = trial->compare;
    bool any;
    if (trial->left == NONE && trial->right == NONE)
        return holds(trial) ? session->yes : session->no;
    if (trial->left == trial->right) { /* a term with itself: any of its values will do */
        trial->state[trial->left] = 0;
        return holds(trial) ? session->yes : session->no;
    }
    any = value_at(trial, trial->left)->any ||
          (trial->right != NONE && value_at(trial, trial->right)->any);
    if (trial->right == NONE && any)
        return is_equation(compare->cmp) ? equate_word(trial, constant_of(trial))
                                         : order_word(trial);
    if (any)
        return compare_words(trial);
    return trial->right == NONE ? try_left(trial) : try_both(trial);
}

/* A constant is brought to the right side. */
static lit encode_compare(struct encoding *encoding, const struct cond *condition)
{
    const struct test *test = encoding->graph->test;
    struct cond compare = *condition;
    struct trial trial = {.encoding = encoding,
                          .test = test,
                          .compare = &compare,
                          .state = ARENA_ARRAY(encoding->arena, uint64_t, test->observed_count)};
    trial.left = outcome_index(test, &compare.left);
    trial.right = outcome_index(test, &compare.right);
    if (trial.left == NONE && trial.right != NONE) {
        compare.left = condition->right;
        compare.right = condition->left;
        compare.cmp = cmp_mirrored(condition->cmp);
        trial.left = trial.right;
        trial.right = NONE;
    }
    return compare_terms(&trial);
}

lit encode_condition(struct encoding *encoding, const struct cond *condition)
{
    struct session *session = encoding->session;
    if (!condition || condition->kind == COND_TRUE)
        return session->yes;
    switch (condition->kind) {
    case COND_FALSE:
        return session->no;
    case COND_COMPARE:
        return encode_compare(encoding, condition);
    case COND_NOT:
        return session_not(session, encode_condition(encoding, condition->kids[0]));
    case COND_TRUE:
    case COND_AND:
    case COND_OR:
        break;
    }
    lit *kids = ARENA_ARRAY(encoding->arena, lit, condition->kid_count);
    for (uint32_t i = 0; i < condition->kid_count; i++)
        kids[i] = encode_condition(encoding, condition->kids[i]);
    return condition->kind == COND_AND ? session_and(session, kids, condition->kid_count)
                                       : session_or(session, kids, condition->kid_count);
}

lit encode_differs(struct encoding *encoding, const uint64_t *observed)
{
    struct session *session = encoding->session;
    uint32_t count = encoding->graph->test->observed_count;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, count);
    for (uint32_t i = 0; i < count; i++)
        lits[i] = session_not(session, encode_is(encoding, encoding->observed[i], observed[i]));
    return session_or(session, lits, count);
}
