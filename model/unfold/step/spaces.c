/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

#include <stdlib.h>

/* mapa and isspacep: addresses of shared memory within a cluster, and what lies where (PTX manual
 * 9.7.9.23, 9.7.9.24). */

/* A thread of the CTA, or NONE. */
static uint32_t thread_in(const struct unfold_step *s, uint32_t cta)
{
    for (uint32_t t = 0; t < s->b->device_threads; t++)
        if (s->b->threads.at[t].cta == cta)
            return t;
    return NONE;
}

static bool in_cluster(const struct unfold_step *s, const struct mapping *m)
{
    const struct thread *threads = s->b->threads.at;
    uint32_t other = m->cta == NONE ? NONE : thread_in(s, m->cta);
    return other != NONE && threads[other].cluster == threads[s->run->thread].cluster;
}

/* ---- mapa ----------------------------------------------------------------------------------- */

struct mapped {
    expr_id address, rank; /* of the instruction */
    expr_id result, found; /* so far */
};

/* Copy 'from' of a location to copy 'to', which another CTA of the cluster has. */
static void map_to(struct unfold_step *s, struct mapped *mapped, const struct mapping *from,
                   const struct mapping *to)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct thread *t = &s->b->threads.at[thread_in(s, to->cta)];
    expr_id rank = expr_const(exprs, 32, operand_cluster_rank(s->b, t));
    expr_id here = expr_and(exprs, builder_lies_in(s->b, mapped->address, from),
                            expr_eq(exprs, mapped->rank, rank));
    expr_id apart = expr_const(exprs, 64, to->virtual_base - from->virtual_base);
    mapped->result =
        expr_ite(exprs, here, expr_binary(exprs, EXPR_ADD, mapped->address, apart), mapped->result);
    mapped->found = expr_or(exprs, mapped->found, here);
}

/* mapa: tries each pair of mappings that one location has in the cluster. */
static void map_address(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct builder *b = s->b;
    const struct thread *self = &b->threads.at[s->run->thread];
    struct unfold_value address = operand_value(s, &inst->operands[1], TYPE_U64);
    struct unfold_value rank = operand_value(s, &inst->operands[2], TYPE_U32);
    struct mapped mapped = {address.expr, rank.expr, expr_const(b->exprs, 64, 0),
                            expr_false(b->exprs)};
    if (self->launch == NONE) {
        step_unsupported(s, "CTAs of columns have no rank in their cluster for 'mapa'");
        return;
    }
    for (uint32_t i = 0; i < b->mapping_count; i++)
        for (uint32_t j = 0; in_cluster(s, &b->mappings[i]) && j < b->mapping_count; j++)
            if (b->mappings[j].location == b->mappings[i].location &&
                in_cluster(s, &b->mappings[j]))
                map_to(s, &mapped, &b->mappings[i], &b->mappings[j]);
    step_undefined(s, "bad-mapa", "no shared memory, or no such CTA in the cluster",
                   expr_not(b->exprs, mapped.found));
    struct unfold_value v = {mapped.result, deps_union(&b->deps, address.deps, rank.deps)};
    operand_write(s, &inst->operands[0], TYPE_U64, v);
}

/* ---- getctarank ----------------------------------------------------------------------------- */

static void rank_of_address(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct unfold_value v = operand_value(s, &s->inst->operands[1], s->inst->type);
    expr_id address = expr_extend(b->exprs, v.expr, 64, false), found = expr_false(b->exprs);
    v.expr = expr_const(b->exprs, 32, 0);
    if (b->threads.at[s->run->thread].launch == NONE) {
        step_unsupported(s, "CTAs of columns have no rank in their cluster for 'getctarank'");
        return;
    }
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        if (!in_cluster(s, &b->mappings[i]))
            continue;
        const struct thread *t = &b->threads.at[thread_in(s, b->mappings[i].cta)];
        expr_id here = builder_lies_in(b, address, &b->mappings[i]);
        expr_id rank = expr_const(b->exprs, 32, operand_cluster_rank(b, t));
        v.expr = expr_ite(b->exprs, here, rank, v.expr);
        found = expr_or(b->exprs, found, here);
    }
    step_undefined(s, "bad-mapa", "no shared memory of the cluster", expr_not(b->exprs, found));
    operand_write(s, &s->inst->operands[0], TYPE_U32, v);
}

/* ---- isspacep ------------------------------------------------------------------------------- */

static bool is_in_space(const struct unfold_step *s, const struct mapping *m)
{
    uint32_t cta = s->b->threads.at[s->run->thread].cta;
    bool constant = s->b->test->locations[m->location].space == SPACE_CONST;
    switch (s->inst->space) {
    case SPACE_SHARED:
        return m->cta != NONE && m->cta == cta;
    case SPACE_SHARED_CLUSTER:
        return in_cluster(s, m);
    case SPACE_LOCAL:
        return m->thread == s->run->thread;
    case SPACE_CONST:
        return constant;
    case SPACE_GLOBAL:
        return m->cta == NONE && m->thread == NONE && !constant;
    case SPACE_PARAM: /* no location lies there */
        return false;
    case SPACE_GENERIC:
        break;
    }
    abort(); /* isspacep names a state space: isa.def */
}

static void test_space(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct unfold_value v = operand_value(s, &s->inst->operands[1], TYPE_U64);
    expr_id inside = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->mapping_count; i++)
        if (is_in_space(s, &b->mappings[i]))
            inside = expr_or(b->exprs, inside, builder_lies_in(b, v.expr, &b->mappings[i]));
    v.expr = inside;
    operand_write(s, &s->inst->operands[0], TYPE_PRED, v);
}

void step_space(struct unfold_step *s)
{
    if (s->inst->op == OP_MAPA)
        map_address(s);
    else if (s->inst->op == OP_GETCTARANK)
        rank_of_address(s);
    else
        test_space(s);
}
