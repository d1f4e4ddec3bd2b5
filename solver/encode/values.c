/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

#include <stdlib.h>
#include <string.h>

/* What an expression can be, as literals or bit-vectors, computed by clauses from what its operands
 * are. */

/* ---- values --------------------------------------------------------------------------------- */

lit encode_is(struct encoding *encoding, const struct value *value, uint64_t number)
{
    struct session *session = encoding->session;
    if (value->any)
        return session_equal(session, value->word, session_number(session, value->width, number));
    for (uint32_t i = 0; i < value->count; i++)
        if (value->at[i] == number)
            return value->is[i];
    return session->no;
}

Z3_ast encode_word(struct encoding *encoding, struct value *value)
{
    struct session *session = encoding->session;
    if (value->word)
        return value->word;
    value->word =
        session_number(session, value->width, value->count ? value->at[value->count - 1] : 0);
    for (uint32_t i = value->count; i-- > 1;)
        value->word =
            Z3_mk_ite(session_z3(session), session_term(session, value->is[i - 1]),
                      session_number(session, value->width, value->at[i - 1]), value->word);
    return value->word;
}

static struct value *new_value(struct encoding *encoding, unsigned width, uint32_t count,
                               bool total)
{
    struct value *value = ARENA_NEW(encoding->arena, struct value);
    value->width = width;
    value->total = total;
    value->count = count;
    value->at = ARENA_ARRAY(encoding->arena, uint64_t, count);
    value->is = ARENA_ARRAY(encoding->arena, lit, count);
    return value;
}

/* The values of a domain, which may have none. */
static void take_values(struct value *value, const struct domain *domain)
{
    if (domain->count)
        memcpy(value->at, domain->at, sizeof *domain->at * domain->count);
}

static struct value *new_word(struct encoding *encoding, unsigned width, Z3_ast word)
{
    struct value *value = new_value(encoding, width, 0, true);
    value->any = true;
    value->word = word;
    return value;
}

static struct value *truth(struct encoding *encoding, lit one, lit zero)
{
    struct value *value = new_value(encoding, 1, 2, session_not(encoding->session, one) == zero);
    value->at[1] = 1;
    value->is[0] = zero;
    value->is[1] = one;
    return value;
}

struct value *encode_fresh(struct encoding *encoding, unsigned width, const struct domain *domain,
                           bool total)
{
    struct session *session = encoding->session;
    if (domain->any)
        return new_word(encoding, width, session_word(session, width));
    struct value *value = new_value(encoding, width, domain->count, total);
    take_values(value, domain);
    for (uint32_t i = 0; i < value->count; i++)
        value->is[i] = value->count == 1 ? session->yes : session_bool(session);
    if (total && value->count == 2)
        value->is[0] = session_not(session, value->is[1]);
    return value;
}

void encode_transfer(struct encoding *encoding, lit when, struct value *to, struct value *from)
{
    struct session *session = encoding->session;
    lit not_when = session_not(session, when);
    if (when == session->no)
        return;
    if (to->any) {
        lit equal = session_equal(session, to->word, encode_word(encoding, from));
        SESSION_CLAUSE(session, not_when, equal);
        return;
    }
    if (from->any) { /* no literals that say which of them it is: 'to' is one of its own */
        lit *lits = ARENA_ARRAY(encoding->arena, lit, to->count + 1);
        memcpy(lits, to->is, sizeof *lits * to->count);
        lits[to->count] = not_when;
        session_clause(session, lits, to->count + 1);
    }
    for (uint32_t i = 0; i < from->count; i++)
        SESSION_CLAUSE(session, not_when, session_not(session, from->is[i]),
                       encode_is(encoding, to, from->at[i]));
    for (uint32_t i = 0; i < to->count; i++)
        SESSION_CLAUSE(session, not_when, session_not(session, to->is[i]),
                       encode_is(encoding, from, to->at[i]));
}

struct value *encode_part(struct encoding *encoding, struct value *value, unsigned shift,
                          unsigned bits)
{
    struct session *session = encoding->session;
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    lit *same = ARENA_ARRAY(encoding->arena, lit, value->count);
    uint32_t count = 0;
    if (shift == 0 && bits == value->width)
        return value;
    if (value->any)
        return new_word(encoding, bits,
                        Z3_mk_extract(session_z3(session), shift + bits - 1, shift, value->word));
    struct value *part = new_value(encoding, bits, value->count, value->total);
    for (uint32_t i = 0; i < value->count; i++) {
        uint64_t number = (shift < 64 ? value->at[i] >> shift : 0) & mask;
        uint32_t at = 0, n = 0;
        for (; at < count && part->at[at] != number; at++)
            ;
        if (at < count)
            continue;
        for (uint32_t j = i; j < value->count; j++)
            if (((shift < 64 ? value->at[j] >> shift : 0) & mask) == number)
                same[n++] = value->is[j];
        part->at[count] = number;
        part->is[count++] = session_or(session, same, n);
    }
    part->count = count;
    return part;
}

lit encode_equal(struct encoding *encoding, struct value *a, struct value *b)
{
    struct session *session = encoding->session;
    uint32_t n = 0;
    if (a == b)
        return session->yes;
    if (a->any || b->any)
        return session_equal(session, encode_word(encoding, a), encode_word(encoding, b));
    lit *both = ARENA_ARRAY(encoding->arena, lit, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        both[n++] = session_and2(session, a->is[i], encode_is(encoding, b, a->at[i]));
    return session_or(session, both, n);
}

/* ---- operations over small domains ---------------------------------------------------------- */

/* A value with the domain found beforehand, its literals to be filled in. */
static struct value *for_domain(struct encoding *encoding, expr_id id, bool total)
{
    const struct domain *domain = &encoding->domains->of[id];
    unsigned width = expr_get(encoding->graph->exprs, id)->width;
    struct value *value = new_value(encoding, width, domain->count, total);
    take_values(value, domain);
    return value;
}

/* Every value of 'a' gives one of the result: 'other' is the only value of the other operand. */
static struct value *map_unary(struct encoding *encoding, expr_id id, const struct value *a,
                               bool left, uint64_t other)
{
    const struct expr_pool *pool = encoding->graph->exprs;
    const struct expr *expr = expr_get(pool, id);
    struct value *value = for_domain(encoding, id, a->total);
    lit *lits = ARENA_ARRAY(encoding->arena, lit, a->count);
    for (uint32_t v = 0; v < value->count; v++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < a->count; i++) {
            uint64_t x = left ? a->at[i] : other, y = left ? other : a->at[i];
            if (expr_apply(pool, expr, x, y) == value->at[v])
                lits[n++] = a->is[i];
        }
        value->is[v] = value->total && value->count == 1 ? encoding->session->yes
                       : value->total && value->count == 2 && v == 1
                           ? session_not(encoding->session, value->is[0])
                           : session_or(encoding->session, lits, n);
    }
    return value;
}

/* The only value there is needs no operand to be known: one that belongs to a read that does not
 * execute must not be forced to. */
static bool is_constant(const struct value *value)
{
    return !value->any && value->count == 1;
}

/* result = v and a = x -> b is one of those with op(x, b) = v; and forwards. */
static void relate_binary(struct encoding *encoding, expr_id id, const struct value *value,
                          const struct value *a, const struct value *b)
{
    const struct expr_pool *pool = encoding->graph->exprs;
    const struct expr *expr = expr_get(pool, id);
    struct session *session = encoding->session;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, (a->count > b->count ? a->count : b->count) + 2);
    for (uint32_t v = 0; v < value->count; v++) {
        lit not_v = session_not(session, value->is[v]);
        for (uint32_t i = 0; i < a->count; i++) {
            lit not_a = session_not(session, a->is[i]);
            uint32_t n = 2;
            lits[0] = not_v;
            lits[1] = not_a;
            for (uint32_t j = 0; j < b->count; j++)
                if (expr_apply(pool, expr, a->at[i], b->at[j]) == value->at[v]) {
                    SESSION_CLAUSE(session, not_a, session_not(session, b->is[j]), value->is[v]);
                    lits[n++] = b->is[j];
                }
            session_clause(session, lits, n);
        }
        lits[0] = not_v;
        for (uint32_t i = 0; i < a->count; i++)
            lits[i + 1] = a->is[i];
        session_clause(session, lits, a->count + 1);
    }
}

static struct value *combine_truth(struct encoding *encoding, enum expr_op op,
                                   const struct value *a, const struct value *b)
{
    struct session *session = encoding->session;
    lit a1 = encode_is(encoding, a, 1), a0 = encode_is(encoding, a, 0);
    lit b1 = encode_is(encoding, b, 1), b0 = encode_is(encoding, b, 0);
    lit one = op == EXPR_AND ? session_and2(session, a1, b1) : session_or2(session, a1, b1);
    if (a->total && b->total)
        return truth(encoding, one, session_not(session, one));
    return truth(encoding, one,
                 op == EXPR_AND ? session_or2(session, a0, b0) : session_and2(session, a0, b0));
}

/* One known operand makes the operation unary. Else the values of both are related pair by pair. */
static struct value *combine(struct encoding *encoding, expr_id id, const struct value *a,
                             const struct value *b)
{
    const struct expr *expr = expr_get(encoding->graph->exprs, id);
    if (expr->width == 1 && (expr->op == EXPR_AND || expr->op == EXPR_OR))
        return combine_truth(encoding, expr->op, a, b);
    if (b->count == 1)
        return map_unary(encoding, id, a, true, b->at[0]);
    if (a->count == 1)
        return map_unary(encoding, id, b, false, a->at[0]);
    struct value *value =
        encode_fresh(encoding, expr->width, &encoding->domains->of[id], a->total && b->total);
    if (!is_constant(value))
        relate_binary(encoding, id, value, a, b);
    return value;
}

/* The value of the side that the condition takes; while the condition has no value, none. */
static struct value *choose(struct encoding *encoding, expr_id id, const struct value *condition,
                            struct value *then, struct value *otherwise)
{
    struct session *session = encoding->session;
    const struct expr *expr = expr_get(encoding->graph->exprs, id);
    lit one = encode_is(encoding, condition, 1), zero = encode_is(encoding, condition, 0);
    if (one == session->yes || zero == session->yes)
        return one == session->yes ? then : otherwise;
    struct value *value = encode_fresh(encoding, expr->width, &encoding->domains->of[id],
                                       condition->total && then->total && otherwise->total);
    if (is_constant(value))
        return value;
    encode_transfer(encoding, one, value, then);
    encode_transfer(encoding, zero, value, otherwise);
    for (uint32_t i = 0; i < value->count; i++)
        SESSION_CLAUSE(session, session_not(session, value->is[i]), one, zero);
    return value;
}

/* ---- operations over bit-vectors ------------------------------------------------------------ */

static Z3_ast word_binary(struct session *session, enum expr_op op, Z3_ast a, Z3_ast b)
{
    Z3_context z3 = session_z3(session);
    switch (op) {
    case EXPR_ADD:
        return Z3_mk_bvadd(z3, a, b);
    case EXPR_SUB:
        return Z3_mk_bvsub(z3, a, b);
    case EXPR_MUL:
        return Z3_mk_bvmul(z3, a, b);
    case EXPR_UDIV:
        return Z3_mk_bvudiv(z3, a, b);
    case EXPR_SDIV:
        return Z3_mk_bvsdiv(z3, a, b);
    case EXPR_UREM:
        return Z3_mk_bvurem(z3, a, b);
    case EXPR_SREM:
        return Z3_mk_bvsrem(z3, a, b);
    case EXPR_AND:
        return Z3_mk_bvand(z3, a, b);
    case EXPR_OR:
        return Z3_mk_bvor(z3, a, b);
    case EXPR_XOR:
        return Z3_mk_bvxor(z3, a, b);
    case EXPR_SHL:
        return Z3_mk_bvshl(z3, a, b);
    case EXPR_LSHR:
        return Z3_mk_bvlshr(z3, a, b);
    case EXPR_ASHR:
        return Z3_mk_bvashr(z3, a, b);
    case EXPR_EQ:
        return Z3_mk_eq(z3, a, b);
    case EXPR_ULT:
        return Z3_mk_bvult(z3, a, b);
    case EXPR_SLT:
        return Z3_mk_bvslt(z3, a, b);
    case EXPR_CONCAT:
        return Z3_mk_concat(z3, a, b);
    default: /* no operation of two operands */
        abort();
    }
}

static Z3_ast word_operation(struct encoding *encoding, const struct expr *expr)
{
    struct session *session = encoding->session;
    Z3_ast a = encode_word(encoding, encoding->of[expr->a]);
    unsigned width = encoding->of[expr->a]->width;
    switch (expr->op) {
    case EXPR_NOT:
        return Z3_mk_bvnot(session_z3(session), a);
    case EXPR_EXTRACT:
        return Z3_mk_extract(session_z3(session), (unsigned)expr->value + expr->width - 1,
                             (unsigned)expr->value, a);
    case EXPR_ZEXT:
        return Z3_mk_zero_ext(session_z3(session), expr->width - width, a);
    case EXPR_SEXT:
        return Z3_mk_sign_ext(session_z3(session), expr->width - width, a);
    default:
        return word_binary(session, expr->op, a, encode_word(encoding, encoding->of[expr->b]));
    }
}

static struct value *by_words(struct encoding *encoding, const struct expr *expr)
{
    struct session *session = encoding->session;
    Z3_ast result = word_operation(encoding, expr);
    bool is_truth = Z3_get_sort_kind(session_z3(session),
                                     Z3_get_sort(session_z3(session), result)) == Z3_BOOL_SORT;
    if (expr->width > 1)
        return new_word(encoding, expr->width, result);
    lit one = is_truth ? session_name(session, result)
                       : session_equal(session, result, session_number(session, 1, 1));
    return truth(encoding, one, session_not(session, one));
}

/* ---- all expressions that matter ------------------------------------------------------------ */

static struct value *encode_leaf(struct encoding *encoding, expr_id id, const struct expr *expr)
{
    bool total = expr->op != EXPR_READ ||
                 expr_is_true(encoding->graph->exprs, encoding->graph->events[expr->b].guard);
    return encode_fresh(encoding, expr->width, &encoding->domains->of[id], total);
}

/* Would relating every value of one operand with every one of the other take too many clauses? */
static bool are_too_many(const struct value *a, const struct value *b)
{
    return a->count > 1 && b->count > 1 &&
           (uint64_t)a->count * b->count > DOMAIN_LIMIT * DOMAIN_LIMIT;
}

/* Operands come first. Domains that are listed are related value by value, others as words. */
static struct value *encode_expr(struct encoding *encoding, expr_id id)
{
    const struct expr *expr = expr_get(encoding->graph->exprs, id);
    expr_id kids[3];
    unsigned count = expr_kids(expr, kids);
    if (expr->op == EXPR_CONST && expr->width > 64)
        return new_word(encoding, expr->width,
                        session_number(encoding->session, expr->width, expr->value));
    if (count == 0)
        return encode_leaf(encoding, id, expr);
    struct value *a = encoding->of[expr->a], *b = count == 1 ? a : encoding->of[expr->b];
    if (count == 3)
        return choose(encoding, id, a, b, encoding->of[expr->c]);
    if (a->any || b->any || encoding->domains->of[id].any || (count == 2 && are_too_many(a, b)))
        return by_words(encoding, expr);
    return count == 1 ? map_unary(encoding, id, a, true, 0) : combine(encoding, id, a, b);
}

static void mark(bool *needed, const expr_id *ids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        needed[ids[i]] = true;
}

/* Everything that executions, the question or the theory ask the value of; what these do not need
 * is not encoded. */
static void mark_roots(const struct graph *graph, bool *needed)
{
    for (event_id e = 0; e < graph->event_count; e++) {
        const struct event *event = &graph->events[e];
        needed[event->guard] = true;
        if (event_is_memory(event))
            mark(needed, (expr_id[]){event->address, event->value}, 2);
    }
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        needed[graph->barriers[i].resource] = true;
        needed[graph->barriers[i].passed] = true;
        needed[graph->barriers[i].number] = true;
        if (graph->barriers[i].counted)
            mark(needed, (expr_id[]){graph->barriers[i].need, graph->barriers[i].gathered}, 2);
    }
    for (uint32_t i = 0; i < graph->companion_count; i++)
        needed[graph->companions[i].together] = true;
    for (uint32_t i = 0; i < graph->departure_count; i++)
        needed[graph->departures[i].absent] = true;
    for (int kind = 0; kind < FIXED_COUNT; kind++)
        for (uint32_t i = 0; i < graph->fixed_count[kind]; i++)
            needed[graph->fixed[kind][i].guard] = true;
    for (uint32_t i = 0; i < graph->assumption_count; i++)
        needed[graph->assumptions[i].condition] = true;
    for (uint32_t i = 0; i < graph->choice_count; i++)
        if (graph->choices[i].rests_on)
            needed[graph->choices[i].rests_on - 1] = true;
    for (uint32_t i = 0; i < graph->spin_count; i++)
        needed[graph->spins[i].condition] = needed[graph->spins[i].writes] = true;
    for (uint32_t i = 0; i < graph->repeat_count; i++)
        needed[graph->repeats[i].condition] = true;
    for (uint32_t i = 0; i < graph->undefined_count; i++)
        needed[graph->undefined[i].condition] = true;
    if (graph->ended)
        mark(needed, graph->ended, graph->thread_count);
    for (uint32_t i = 0; i < graph->test->observed_count; i++)
        if (graph->test->observed[i].kind == TERM_REG)
            needed[graph->observed[i]] = true;
}

static void mark_kids(const struct expr_pool *pool, bool *needed)
{
    for (expr_id id = expr_count(pool); id-- > 0;) {
        expr_id kids[3];
        if (needed[id])
            mark(needed, kids, expr_kids(expr_get(pool, id), kids));
    }
}

void encode_values(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    uint32_t count = expr_count(graph->exprs);
    bool *needed = ARENA_ARRAY(encoding->arena, bool, count);
    mark_roots(graph, needed);
    mark_kids(graph->exprs, needed);
    encoding->of = ARENA_ARRAY(encoding->arena, struct value *, count);
    for (expr_id id = 0; id < count; id++)
        if (needed[id])
            encoding->of[id] = encode_expr(encoding, id);
    encoding->executed = ARENA_ARRAY(encoding->arena, lit, graph->event_count);
    for (event_id e = 0; e < graph->event_count; e++)
        encoding->executed[e] = encode_is(encoding, encoding->of[graph->events[e].guard], 1);
}
