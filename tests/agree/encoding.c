/* SPDX-License-Identifier: MIT
 *
 * encoding [COUNT]: what Z3 is told that an operation computes, and what the evaluator says, for
 * every operation of expr.h at every width, on COUNT (10,000) operands each, edge values first, then
 * random ones; each operand comes as a bit-vector, as one of a few values or as a constant. Z3 must
 * give the evaluator's value, and no other. Prints TAP. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/encode/encode.h"
#include "tests/agree/operands.h"

enum { SOURCES = 3, BATCH = 8192 }; /* a batch has one Z3, which takes long to start */

static const unsigned widths[] = {1, 8, 16, 32, 64};
/* How an operand comes. Two constants are folded before anybody is told. */
enum shape { WORD, FEW, CONSTANT, SHAPES };
static const char *const shapes[] = {"word", "few", "constant"};

static const char *const names[] = {
    [EXPR_ADD] = "add",         [EXPR_SUB] = "sub",       [EXPR_MUL] = "mul",
    [EXPR_UDIV] = "udiv",       [EXPR_SDIV] = "sdiv",     [EXPR_UREM] = "urem",
    [EXPR_SREM] = "srem",       [EXPR_AND] = "and",       [EXPR_OR] = "or",
    [EXPR_XOR] = "xor",         [EXPR_NOT] = "not",       [EXPR_SHL] = "shl",
    [EXPR_LSHR] = "lshr",       [EXPR_ASHR] = "ashr",     [EXPR_EQ] = "eq",
    [EXPR_ULT] = "ult",         [EXPR_SLT] = "slt",       [EXPR_ITE] = "ite",
    [EXPR_EXTRACT] = "extract", [EXPR_CONCAT] = "concat", [EXPR_ZEXT] = "zext",
    [EXPR_SEXT] = "sext"};

struct instance {
    enum expr_op op;
    unsigned width;
    enum shape left, right;
    uint32_t source; /* the index of its operands */
    uint64_t expected;
};

/* Instances in a graph without events, and what its choices are to be. */
struct batch {
    struct arena *arena;
    struct test test;
    struct graph graph;
    uint32_t choices, count;
    uint64_t chosen[SOURCES * BATCH]; /* a choice: its value */
    expr_id leaf[SOURCES * BATCH];    /* likewise: its expression */
    expr_id roots[BATCH];
    struct cond_term terms[BATCH];
    struct instance instances[BATCH];
};

struct run {
    uint32_t count, checked, wrong;
    uint64_t *sources[SOURCES];
    struct batch *batch;
};

/* ---- instances ------------------------------------------------------------------------------ */

static uint64_t cut(uint64_t value, unsigned width)
{
    return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static expr_id choose(struct batch *batch, unsigned width, uint64_t value)
{
    uint32_t choice = batch->choices++;
    batch->chosen[choice] = value;
    batch->leaf[choice] = expr_choice(batch->graph.exprs, width, choice);
    return batch->leaf[choice];
}

static expr_id operand(struct batch *batch, enum shape shape, unsigned width, uint64_t value,
                       uint64_t other)
{
    struct expr_pool *pool = batch->graph.exprs;
    expr_id constant = expr_const(pool, width, value);
    if (shape == CONSTANT)
        return constant;
    if (shape == WORD)
        return choose(batch, width, value);
    expr_id which = choose(batch, 1, value & 1);
    expr_id second = expr_const(pool, width, cut(other, width));
    return value & 1 ? expr_ite(pool, which, constant, second)
                     : expr_ite(pool, which, second, constant);
}

/* The operation on these operands: on constants, what the evaluator says. The switch names every
 * operation, so that the compiler asks for one that is new. */
static expr_id build(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b, expr_id c,
                     uint64_t dice)
{
    unsigned width = expr_get(pool, a)->width, low = (unsigned)(dice % width);
    switch (op) {
    case EXPR_CONST:
    case EXPR_READ:
    case EXPR_CHOICE:
        break;
    case EXPR_NOT:
        return expr_not(pool, a);
    case EXPR_ITE:
        return expr_ite(pool, expr_extract(pool, c, 0, 1), a, b);
    case EXPR_EXTRACT:
        return expr_extract(pool, a, low, 1 + (unsigned)(dice >> 8) % (width - low));
    case EXPR_ZEXT:
    case EXPR_SEXT:
        return expr_extend(pool, a, width + (unsigned)(dice >> 8) % (65 - width), op == EXPR_SEXT);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT:
    case EXPR_CONCAT:
        return expr_binary(pool, op, a, b);
    }
    abort();
}

static void add_instance(struct run *run, struct instance instance)
{
    struct batch *batch = run->batch;
    struct expr_pool *pool = batch->graph.exprs;
    unsigned width = instance.width;
    uint32_t i = instance.source, n = batch->count++;
    uint64_t dice = run->sources[2][i], a = cut(run->sources[0][i], width),
             b = cut(run->sources[1][i], width), c = cut(dice, width);
    expr_id folded = build(pool, instance.op, expr_const(pool, width, a),
                           expr_const(pool, width, b), expr_const(pool, width, c), dice);
    expr_id x = operand(batch, instance.left, width, a, ~b);
    expr_id y = operand(batch, instance.right, width, b, a + 1);
    expr_id z = operand(batch, WORD, width, c, 0);
    if (!expr_is_const(pool, folded, &instance.expected))
        abort();
    batch->roots[n] = build(pool, instance.op, x, y, z, dice);
    batch->terms[n] = (struct cond_term){.kind = TERM_REG};
    batch->instances[n] = instance;
}

static struct batch *batch_new(void)
{
    struct arena *arena = arena_new();
    struct batch *batch = ARENA_NEW(arena, struct batch);
    batch->arena = arena;
    batch->graph = (struct graph){.test = &batch->test,
                                  .arena = arena,
                                  .exprs = expr_pool_new(arena),
                                  .observed = batch->roots};
    batch->test.observed = batch->terms;
    return batch;
}

/* ---- what both say -------------------------------------------------------------------------- */

static void complain(struct run *run, uint32_t n, const char *who)
{
    const struct instance *is = &run->batch->instances[n];
    if (run->wrong++ < 20)
        printf("# %s.%u (%s, %s) of %#" G_GINT64_MODIFIER "x, %#" G_GINT64_MODIFIER
               "x, %#" G_GINT64_MODIFIER "x: not %#" G_GINT64_MODIFIER "x, %s\n",
               names[is->op], is->width, shapes[is->left], shapes[is->right],
               run->sources[0][is->source], run->sources[1][is->source],
               run->sources[2][is->source], is->expected, who);
}

static bool read_choice(void *context, const struct expr *leaf, uint64_t *value)
{
    *value = ((const struct batch *)context)->chosen[leaf->a];
    return true;
}

static void ask_evaluator(struct run *run)
{
    struct batch *batch = run->batch;
    struct expr_memo memo = expr_memo_new(batch->arena, batch->graph.exprs);
    for (uint32_t n = 0; n < batch->count; n++) {
        uint64_t value;
        if (!expr_eval_memo(batch->graph.exprs, &memo, batch->roots[n], read_choice, batch,
                            &value) ||
            value != batch->instances[n].expected)
            complain(run, n, "says the evaluator of what was simplified");
    }
}

static bool is_expected(const struct encoding *encoding, const struct value *value,
                        uint64_t expected)
{
    bool one = false;
    if (value->any)
        return session_value(encoding->session, value->word) == expected;
    for (uint32_t v = 0; v < value->count; v++)
        if (session_true(encoding->session, value->is[v])) {
            if (value->at[v] != expected)
                return false;
            one = true;
        }
    return one;
}

static void make_choices(const struct batch *batch, struct encoding *encoding)
{
    for (uint32_t c = 0; c < batch->choices; c++) {
        const struct value *leaf = encoding->of[batch->leaf[c]];
        if (leaf)
            SESSION_CLAUSE(encoding->session, encode_is(encoding, leaf, batch->chosen[c]));
    }
}

/* With every choice made there is one execution, in which all is as expected ... */
static void ask_what_is(struct run *run, struct encoding *encoding)
{
    struct batch *batch = run->batch;
    if (session_check(encoding->session, NULL, 0) != SESSION_SAT) {
        complain(run, 0, "or one after it: Z3 knows no value");
        return;
    }
    for (uint32_t n = 0; n < batch->count; n++)
        if (!is_expected(encoding, encoding->of[batch->roots[n]], batch->instances[n].expected))
            complain(run, n, "says Z3");
}

/* ... and none in which something is not. A term over words has one value as it is; literals have
 * what the clauses say. */
static void ask_what_else(struct run *run, struct encoding *encoding)
{
    struct batch *batch = run->batch;
    struct session *session = encoding->session;
    lit *others = ARENA_ARRAY(batch->arena, lit, batch->count);
    uint32_t count = 0;
    for (uint32_t n = 0; n < batch->count; n++) {
        const struct value *value = encoding->of[batch->roots[n]];
        if (!value->any)
            others[count++] =
                session_not(session, encode_is(encoding, value, batch->instances[n].expected));
    }
    session_clause(session, others, count);
    if (session_check(session, NULL, 0) != SESSION_UNSAT)
        complain(run, 0, "or one after it: Z3 knows another value");
}

static void compare(struct run *run)
{
    struct batch *batch = run->batch;
    struct solver_options options = {.test = &batch->test};
    struct session *session = session_new(batch->arena, &options, 0);
    uint32_t before = run->wrong;
    batch->test.observed_count = batch->count;
    struct encoding *encoding = encoding_new(batch->arena, session, &batch->graph, NULL);
    make_choices(batch, encoding);
    ask_evaluator(run);
    ask_what_is(run, encoding);
    if (run->wrong == before)
        ask_what_else(run, encoding);
    run->checked += batch->count;
    encoding_free(encoding);
    session_free(session);
    arena_free(batch->arena);
    run->batch = NULL;
}

/* On the operands number i: every operation and width, in one shape of many. */
static void add_all(struct run *run, uint32_t i)
{
    uint32_t shape = (i + i / 32) % (SHAPES * SHAPES - 1);
    for (enum expr_op op = EXPR_ADD; op <= EXPR_SEXT; op++)
        for (size_t w = 0; w < G_N_ELEMENTS(widths); w++) {
            if (op == EXPR_CONCAT && widths[w] > 32)
                continue; /* wider than the evaluator's numbers */
            if (!run->batch)
                run->batch = batch_new();
            add_instance(run, (struct instance){.op = op,
                                                .width = widths[w],
                                                .left = (enum shape)(shape / SHAPES),
                                                .right = (enum shape)(shape % SHAPES),
                                                .source = i});
            if (run->batch->count == BATCH)
                compare(run);
        }
}

int main(int argc, char **argv)
{
    struct run run = {.count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000};
    for (uint32_t k = 0; k < SOURCES; k++)
        run.sources[k] = g_new(uint64_t, run.count);
    operands_fill(run.sources, SOURCES, run.count);
    for (uint32_t i = 0; i < run.count; i++)
        add_all(&run, i);
    if (run.batch)
        compare(&run);
    printf("%s 1 %u instances of %d operations, %u differ\n1..1\n", run.wrong ? "not ok" : "ok",
           run.checked, EXPR_SEXT - EXPR_ADD + 1, run.wrong);
    for (uint32_t k = 0; k < SOURCES; k++)
        g_free(run.sources[k]);
    return run.wrong != 0;
}
