/* SPDX-License-Identifier: MIT */
#include "model/unfold/builder.h"

#include <stdlib.h>

#include "model/graph/layout.h"
#include "model/graph/scope.h"

static expr_id fit(struct builder *b, expr_id value, unsigned width, bool is_signed)
{
    return expr_extend(b->exprs, value, width, is_signed);
}

static expr_id wide_const(struct builder *b, unsigned width, uint64_t value)
{
    return width <= 64 ? expr_const(b->exprs, width, value)
                       : fit(b, expr_const(b->exprs, 64, value), width, false);
}

uint64_t symbol_address(const struct builder *b, uint32_t thread, uint32_t location)
{
    uint32_t target = layout_virtual(b->test, location);
    const struct thread *t = &b->threads.at[thread];
    uint64_t any = UINT64_MAX;
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        const struct mapping *m = &b->mappings[i];
        if (m->location != target)
            continue;
        bool own =
            (m->cta == NONE || m->cta == t->cta) && (m->thread == NONE || m->thread == thread);
        if (own)
            return m->virtual_base;
        any = any == UINT64_MAX ? m->virtual_base : any;
    }
    return any;
}

/* The part of a three-dimensional index that 'which' (0 x, 1 y, 2 z) names. */
static uint32_t coordinate(struct dim3 size, uint32_t linear, unsigned which)
{
    if (which == 0)
        return linear % size.x;
    return which == 1 ? linear / size.x % size.y : linear / size.x / size.y;
}

static uint32_t extent(struct dim3 size, unsigned which)
{
    return which == 0 ? size.x : which == 1 ? size.y : size.z;
}

static struct dim3 cluster_counts(const struct launch *l)
{
    struct dim3 n = {(l->grid.x + l->cluster.x - 1) / l->cluster.x,
                     (l->grid.y + l->cluster.y - 1) / l->cluster.y,
                     (l->grid.z + l->cluster.z - 1) / l->cluster.z};
    return n;
}

static uint32_t lane_special(uint32_t lane, enum special special)
{
    uint32_t below = (UINT32_C(1) << lane) - 1, own = UINT32_C(1) << lane;
    switch (special) {
    case SPECIAL_LANEMASK_EQ:
        return own;
    case SPECIAL_LANEMASK_LT:
        return below;
    case SPECIAL_LANEMASK_LE:
        return below | own;
    case SPECIAL_LANEMASK_GT:
        return ~(below | own);
    case SPECIAL_LANEMASK_GE:
        return ~below;
    case SPECIAL_LANEID:
        return lane;
    default: /* is_of_lane names no other */
        abort();
    }
}

static bool is_of_lane(enum special special)
{
    return special == SPECIAL_LANEID || special == SPECIAL_LANEMASK_EQ ||
           special == SPECIAL_LANEMASK_LT || special == SPECIAL_LANEMASK_LE ||
           special == SPECIAL_LANEMASK_GT || special == SPECIAL_LANEMASK_GE;
}

static uint32_t column_special(struct step *s, const struct column *column, enum special special)
{
    if (special == SPECIAL_CTAID_X)
        return column->cta;
    if (is_of_lane(special))
        return lane_special(column->lane, special);
    refuse(s, DIAG_unfold_unsupported, "special register '%s' has no value in a column test",
           special_name(special));
    return 0;
}

static uint32_t cluster_special(const struct launch *l, uint32_t cta, enum special special)
{
    struct dim3 c = l->cluster;
    uint32_t x = coordinate(l->grid, cta, 0), y = coordinate(l->grid, cta, 1),
             z = coordinate(l->grid, cta, 2);
    switch (special) {
    case SPECIAL_CLUSTERID_X:
        return x / c.x;
    case SPECIAL_CLUSTERID_Y:
        return y / c.y;
    case SPECIAL_CLUSTERID_Z:
        return z / c.z;
    case SPECIAL_CLUSTER_CTAID_X:
        return x % c.x;
    case SPECIAL_CLUSTER_CTAID_Y:
        return y % c.y;
    case SPECIAL_CLUSTER_CTAID_Z:
        return z % c.z;
    case SPECIAL_CLUSTER_NCTARANK:
        return c.x * c.y * c.z;
    case SPECIAL_CLUSTER_CTARANK:
        return x % c.x + c.x * (y % c.y + c.y * (z % c.z));
    default: /* launch_special sends no other */
        abort();
    }
}

uint32_t cluster_rank(const struct builder *b, const struct thread *thread)
{
    return cluster_special(&b->test->launches[thread->launch], thread->linear_cta,
                           SPECIAL_CLUSTER_CTARANK);
}

static uint32_t launch_special(struct step *s, const struct thread *t, enum special special)
{
    const struct launch *l = &s->b->test->launches[t->launch];
    if (is_of_lane(special))
        return lane_special(t->linear_tid % 32, special);
    switch (special) {
    case SPECIAL_TID_X:
    case SPECIAL_TID_Y:
    case SPECIAL_TID_Z:
        return coordinate(l->block, t->linear_tid, special_axis(special));
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
        return extent(l->block, special_axis(special));
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z:
        return coordinate(l->grid, t->linear_cta, special_axis(special));
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
        return extent(l->grid, special_axis(special));
    case SPECIAL_NCLUSTERID_X:
    case SPECIAL_NCLUSTERID_Y:
    case SPECIAL_NCLUSTERID_Z:
        return extent(cluster_counts(l), special_axis(special));
    case SPECIAL_CLUSTER_NCTAID_X:
    case SPECIAL_CLUSTER_NCTAID_Y:
    case SPECIAL_CLUSTER_NCTAID_Z:
        return extent(l->cluster, special_axis(special));
    case SPECIAL_CLUSTERID_X:
    case SPECIAL_CLUSTERID_Y:
    case SPECIAL_CLUSTERID_Z:
    case SPECIAL_CLUSTER_CTAID_X:
    case SPECIAL_CLUSTER_CTAID_Y:
    case SPECIAL_CLUSTER_CTAID_Z:
    case SPECIAL_CLUSTER_CTARANK:
    case SPECIAL_CLUSTER_NCTARANK:
        return cluster_special(l, t->linear_cta, special);
    case SPECIAL_WARPID:
        return t->linear_tid / 32;
    case SPECIAL_NWARPID:
        return (uint32_t)((dim3_size(l->block) + 31) / 32);
    case SPECIAL_DYNAMIC_SMEM_SIZE:
        return l->dynamic_shared_bytes;
    default:
        refuse(s, DIAG_unfold_unsupported, "special register '%s' has no value in the axioms",
               special_name(special));
        return 0;
    }
}

expr_id special_value(struct step *s, enum special special)
{
    const struct thread *t = &s->b->threads.at[s->run->thread];
    uint32_t value = t->launch != NONE
                         ? launch_special(s, t, special)
                         : column_special(s, &s->b->test->columns[t->column], special);
    return expr_const(s->b->exprs, 32, value);
}

static struct value reg_value(struct step *s, const struct operand *o, enum type type)
{
    const struct reg *reg = &s->run->body->regs[o->reg];
    struct value v = {s->state->regs[o->reg], s->state->deps[o->reg]};
    unsigned width = type_bits(type);
    if (width == 1 && type_bits(reg->type) > 1) { /* any other number used as a truth value */
        expr_id zero = wide_const(s->b, type_bits(reg->type), 0);
        v.expr = expr_not(s->b->exprs, expr_eq(s->b->exprs, v.expr, zero));
    } else {
        v.expr = fit(s->b, v.expr, width, type_is_signed(reg->type));
    }
    if (o->negated)
        v.expr = expr_not(s->b->exprs, v.expr);
    return v;
}

/* { a, b }: the first element is lowest. */
static struct value vector_value(struct step *s, const struct operand *o, enum type type)
{
    unsigned width = type_bits(type) / o->part_count;
    struct value whole = {0, NULL};
    for (uint32_t i = 0; i < o->part_count; i++) {
        const struct operand *part = &o->parts[i];
        enum type own = part->kind == OPERAND_REG ? s->run->body->regs[part->reg].type : type;
        struct value v = operand_value(s, part, own);
        expr_id bits = fit(s->b, v.expr, width, false);
        whole.expr = i ? expr_binary(s->b->exprs, EXPR_CONCAT, bits, whole.expr) : bits;
        whole.deps = deps_union(&s->b->deps, whole.deps, v.deps);
    }
    return whole;
}

static struct value param_value(struct step *s, const struct operand *o, enum type type)
{
    struct builder *b = s->b;
    const struct thread *t = &b->threads.at[s->run->thread];
    const struct operand *arg = &b->test->launches[t->launch].args[o->param];
    uint64_t bits = arg->value;
    if (arg->kind == OPERAND_SYMBOL)
        bits += symbol_address(b, s->run->thread, arg->location);
    if (o->value >= 8 || type_bits(type) > 64)
        refuse(s, DIAG_unfold_unsupported, "a kernel parameter is read past its first 8 bytes");
    else
        bits >>= 8 * o->value;
    return (struct value){wide_const(b, type_bits(type), bits), NULL};
}

struct value operand_value(struct step *s, const struct operand *o, enum type type)
{
    unsigned width = type_bits(type);
    switch (o->kind) {
    case OPERAND_REG:
        return reg_value(s, o, type);
    case OPERAND_IMM:
        return (struct value){wide_const(s->b, width, o->negated ? !o->value : o->value), NULL};
    case OPERAND_SYMBOL:
        return (struct value){
            wide_const(s->b, width, symbol_address(s->b, s->run->thread, o->location) + o->value),
            NULL};
    case OPERAND_SPECIAL:
        return (struct value){fit(s->b, special_value(s, o->special), width, false), NULL};
    case OPERAND_VECTOR:
        return vector_value(s, o, type);
    case OPERAND_PARAM:
        return param_value(s, o, type);
    default:
        refuse(s, DIAG_unfold_unsupported, "operand of '%s' has no value here",
               op_mnemonic(s->inst->op));
        return (struct value){wide_const(s->b, width, 0), NULL};
    }
}

struct value operand_address(struct step *s, const struct operand *o)
{
    struct expr_pool *exprs = s->b->exprs;
    if (o->kind == OPERAND_FRAME) {
        refuse(s, DIAG_unfold_unsupported, "calls, here '%s.param', have no meaning in the axioms",
               op_mnemonic(s->inst->op));
        return (struct value){expr_const(exprs, 64, 0), NULL};
    }
    if (o->reg == NONE) {
        uint64_t base = symbol_address(s->b, s->run->thread, o->location);
        return (struct value){expr_const(exprs, 64, base + o->value), NULL};
    }
    struct value v = {s->state->regs[o->reg], s->state->deps[o->reg]};
    v.expr = fit(s->b, v.expr, 64, false);
    v.expr = expr_binary(exprs, EXPR_ADD, v.expr, expr_const(exprs, 64, o->value));
    return v;
}

static void write_reg(struct step *s, uint32_t reg, enum type type, struct value v)
{
    struct builder *b = s->b;
    struct state *state = s->state;
    unsigned width = type_bits(s->run->body->regs[reg].type);
    if (s->inst->guard != NONE)
        v.deps = deps_union(&b->deps, v.deps, state->deps[s->inst->guard]);
    state->deps[reg] = expr_is_true(b->exprs, s->predicate)
                           ? v.deps
                           : deps_union(&b->deps, v.deps, state->deps[reg]);
    state->regs[reg] = expr_ite(b->exprs, s->predicate, fit(b, v.expr, width, type_is_signed(type)),
                                state->regs[reg]);
    if (expr_get(b->exprs, state->regs[reg])->depth > EXPR_MAX_DEPTH)
        refuse(s, DIAG_unfold_too_deep, "the value computed here depends on more than %u steps",
               EXPR_MAX_DEPTH);
}

void write_operand(struct step *s, const struct operand *o, enum type type, struct value v)
{
    if (o->kind == OPERAND_REG) {
        write_reg(s, o->reg, type, v);
    } else if (o->kind == OPERAND_VECTOR) {
        unsigned width = expr_get(s->b->exprs, v.expr)->width / o->part_count;
        for (uint32_t i = 0; i < o->part_count; i++) {
            struct value part = {expr_extract(s->b->exprs, v.expr, i * width, width), v.deps};
            write_operand(s, &o->parts[i], TYPE_B64, part);
        }
    } else if (o->kind != OPERAND_SINK) {
        refuse(s, DIAG_unfold_unsupported, "destination of '%s' is no register",
               op_mnemonic(s->inst->op));
    }
}
