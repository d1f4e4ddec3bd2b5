/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/operand.h"

#include "litmus/test/launch.h"
#include "model/graph/layout.h"
#include "model/graph/scope.h"
#include "model/unfold/step/barrier.h"

/* Operands of instructions: reading one as a value of a type, writing a result to a register. */

unsigned operand_bits(enum type type)
{
    return type == TYPE_PRED ? 1 : type_bytes(type) * 8;
}

static expr_id wide_const(struct builder *b, unsigned width, uint64_t value)
{
    return width <= 64 ? expr_const(b->exprs, width, value)
                       : expr_extend(b->exprs, expr_const(b->exprs, 64, value), width, false);
}

uint64_t operand_symbol(const struct builder *b, uint32_t thread, uint32_t location)
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

/* The three-dimensional index of the linear one. */
static struct dim3 place_in(struct dim3 size, uint32_t linear)
{
    return (struct dim3){linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

static struct dim3 quotient(struct dim3 a, struct dim3 b)
{
    return (struct dim3){a.x / b.x, a.y / b.y, a.z / b.z};
}

static struct dim3 remainder_of(struct dim3 a, struct dim3 b)
{
    return (struct dim3){a.x % b.x, a.y % b.y, a.z % b.z};
}

static struct dim3 cluster_counts(const struct launch *l)
{
    struct dim3 c = l->cluster;
    return quotient((struct dim3){l->grid.x + c.x - 1, l->grid.y + c.y - 1, l->grid.z + c.z - 1},
                    c);
}

static uint32_t rank_in(struct dim3 cluster, struct dim3 cta)
{
    struct dim3 at = remainder_of(cta, cluster);
    return at.x + cluster.x * (at.y + cluster.y * at.z);
}

uint32_t operand_cluster_rank(const struct builder *b, const struct thread *thread)
{
    const struct launch *l = &b->test->launches[thread->launch];
    return rank_in(l->cluster, place_in(l->grid, thread->linear_cta));
}

#define VECTOR(name, of)                                                                           \
    {SPECIAL_##name##_X, (of).x}, {SPECIAL_##name##_Y, (of).y},                                    \
    {                                                                                              \
        SPECIAL_##name##_Z, (of).z                                                                 \
    }

/* 0 without a cooperative launch: what meets then traps. */
static uint64_t workspace_address(struct unfold_step *s, uint32_t launch)
{
    uint32_t location = launch == NONE ? NONE : s->b->workspaces[launch];
    return location == NONE ? 0 : operand_symbol(s->b, s->run->thread, location);
}

static bool is_clock(enum special special)
{
    return special == SPECIAL_CLOCK || special == SPECIAL_CLOCK64 ||
           special == SPECIAL_GLOBALTIMER || special == SPECIAL_GLOBALTIMER_LO ||
           special == SPECIAL_GLOBALTIMER_HI;
}

static uint32_t special_value(struct unfold_step *s, enum special special)
{
    static const struct launch nowhere = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .cluster = {1, 1, 1}};
    const struct thread *t = &s->b->threads.at[s->run->thread];
    bool kernel = t->launch != NONE;
    const struct launch *l = kernel ? &s->b->test->launches[t->launch] : &nowhere;
    struct dim3 tid = place_in(l->block, t->linear_tid), cta = place_in(l->grid, t->linear_cta);
    uint32_t lane = barrier_lane(s->b, s->run->thread), own = UINT32_C(1) << lane, below = own - 1;
    const struct {
        enum special special;
        uint32_t value;
    } list[] = {
        {SPECIAL_LANEID, lane},
        {SPECIAL_LANEMASK_EQ, own},
        {SPECIAL_LANEMASK_LT, below},
        {SPECIAL_LANEMASK_LE, below | own},
        {SPECIAL_LANEMASK_GT, ~(below | own)},
        {SPECIAL_LANEMASK_GE, ~below},
        {SPECIAL_CTAID_X, kernel ? cta.x : s->b->test->columns[t->column].cta},
        /* what follows columns do not have */
        {SPECIAL_CTAID_Y, cta.y},
        {SPECIAL_CTAID_Z, cta.z},
        VECTOR(TID, tid),
        VECTOR(NTID, l->block),
        VECTOR(NCTAID, l->grid),
        VECTOR(CLUSTERID, quotient(cta, l->cluster)),
        VECTOR(NCLUSTERID, cluster_counts(l)),
        VECTOR(CLUSTER_CTAID, remainder_of(cta, l->cluster)),
        VECTOR(CLUSTER_NCTAID, l->cluster),
        {SPECIAL_CLUSTER_CTARANK, rank_in(l->cluster, cta)},
        {SPECIAL_CLUSTER_NCTARANK, l->cluster.x * l->cluster.y * l->cluster.z},
        {SPECIAL_IS_EXPLICIT_CLUSTER, kernel && launch_is_clustered(s->b->test, l)},
        {SPECIAL_WARPID, t->linear_tid / 32},
        {SPECIAL_NWARPID, (uint32_t)((dim3_size(l->block) + 31) / 32)},
        {SPECIAL_DYNAMIC_SMEM_SIZE, l->dynamic_shared_bytes},
        {SPECIAL_ENVREG1, (uint32_t)(workspace_address(s, t->launch) >> 32)},
        {SPECIAL_ENVREG2, (uint32_t)workspace_address(s, t->launch)},
    };
    for (size_t i = 0; i < (kernel ? G_N_ELEMENTS(list) : 7); i++)
        if (list[i].special == special)
            return list[i].value;
    step_unsupported(s, "special register '%s' has no value in %s", special_name(special),
                     kernel ? "the axioms" : "a column test");
    return 0;
}

/* The register, brought to the width that the instruction wants. */
static struct unfold_value reg_value(struct unfold_step *s, const struct operand *o, enum type type)
{
    const struct reg *reg = &s->run->body->regs[o->reg];
    struct unfold_value v = {s->state->regs[o->reg], s->state->deps[o->reg]};
    unsigned width = operand_bits(type);
    if (width == 1 && operand_bits(reg->type) > 1) { /* any other number used as a truth value */
        expr_id zero = wide_const(s->b, operand_bits(reg->type), 0);
        v.expr = expr_not(s->b->exprs, expr_eq(s->b->exprs, v.expr, zero));
    } else {
        v.expr = expr_extend(s->b->exprs, v.expr, width, type_is_signed(reg->type));
    }
    if (o->negated)
        v.expr = expr_not(s->b->exprs, v.expr);
    return v;
}

/* { a, b }: the first element is lowest. */
static struct unfold_value vector_value(struct unfold_step *s, const struct operand *o,
                                        enum type type)
{
    unsigned width = operand_bits(type) / o->part_count;
    struct unfold_value whole = {0, NULL};
    for (uint32_t i = 0; i < o->part_count; i++) {
        const struct operand *part = &o->parts[i];
        enum type own = part->kind == OPERAND_REG ? s->run->body->regs[part->reg].type : type;
        struct unfold_value v = operand_value(s, part, own);
        expr_id bits = expr_extend(s->b->exprs, v.expr, width, false);
        whole.expr = i ? expr_binary(s->b->exprs, EXPR_CONCAT, bits, whole.expr) : bits;
        whole.deps = deps_union(&s->b->deps, whole.deps, v.deps);
    }
    return whole;
}

static uint64_t param_value(struct unfold_step *s, const struct operand *o, unsigned width)
{
    const struct thread *t = &s->b->threads.at[s->run->thread];
    const struct launch *launch = &s->b->test->launches[t->launch];
    uint32_t word = (uint32_t)(o->value / 8);
    const struct location_init init = launch_argument_word(
        s->b->test, &s->b->test->bodies[launch->kernel], launch->args, o->param, word);
    uint64_t bits = init.value;
    if (init.address_of != NONE)
        bits += operand_symbol(s->b, s->run->thread, init.address_of);
    if (o->value % 8 * 8 + width <= 64)
        return bits >> o->value % 8 * 8;
    step_unsupported(s, "a kernel parameter is read across 8 bytes");
    return bits;
}

struct unfold_value operand_value(struct unfold_step *s, const struct operand *o, enum type type)
{
    unsigned width = operand_bits(type);
    uint64_t bits = 0;
    switch (o->kind) {
    case OPERAND_REG:
        return reg_value(s, o, type);
    case OPERAND_VECTOR:
        return vector_value(s, o, type);
    case OPERAND_IMM:
        bits = o->negated ? !o->value : o->value;
        break;
    case OPERAND_SYMBOL:
        bits = operand_symbol(s->b, s->run->thread, o->location) + o->value;
        break;
    case OPERAND_SPECIAL:
        if (is_clock(o->special))
            return (struct unfold_value){builder_anything(s->b, "what a clock shows", width), NULL};
        bits = special_value(s, o->special);
        break;
    case OPERAND_PARAM:
        bits = param_value(s, o, width);
        break;
    default:
        step_unsupported(s, "operand of '%s' has no value here", op_mnemonic(s->inst->op));
    }
    return (struct unfold_value){wide_const(s->b, width, bits), NULL};
}

struct unfold_value operand_address(struct unfold_step *s, const struct operand *o)
{
    struct expr_pool *exprs = s->b->exprs;
    if (o->kind == OPERAND_FRAME) {
        step_unsupported(s, "calls, here '%s.param', have no meaning in the axioms",
                         op_mnemonic(s->inst->op));
        return (struct unfold_value){expr_const(exprs, 64, 0), NULL};
    }
    if (o->reg == NONE) {
        uint64_t base = operand_symbol(s->b, s->run->thread, o->location);
        return (struct unfold_value){expr_const(exprs, 64, base + o->value), NULL};
    }
    struct unfold_value v = {s->state->regs[o->reg], s->state->deps[o->reg]};
    v.expr = expr_extend(s->b->exprs, v.expr, 64, false);
    v.expr = expr_binary(exprs, EXPR_ADD, v.expr, expr_const(exprs, 64, o->value));
    return v;
}

/* Where a value came in parts from two ways of a branch, one of the two whole ones. */
static expr_id append(struct expr_pool *exprs, expr_id low, expr_id high)
{
    const struct expr x = *expr_get(exprs, low), y = *expr_get(exprs, high);
    if (x.op != EXPR_ITE || y.op != EXPR_ITE || x.a != y.a)
        return expr_binary(exprs, EXPR_CONCAT, high, low);
    return expr_ite(exprs, x.a, append(exprs, x.b, y.b), append(exprs, x.c, y.c));
}

struct unfold_value operand_append(struct unfold_step *s, struct unfold_value low,
                                   struct unfold_value high)
{
    return (struct unfold_value){append(s->b->exprs, low.expr, high.expr),
                                 deps_union(&s->b->deps, low.deps, high.deps)};
}

/* Where the instruction's predicate is false the register keeps its old value, on which it then
 * depends. */
static void write_reg(struct unfold_step *s, uint32_t reg, enum type type, struct unfold_value v)
{
    struct builder *b = s->b;
    struct state *state = s->state;
    unsigned width = operand_bits(s->run->body->regs[reg].type);
    if (s->inst->guard != NONE)
        v.deps = deps_union(&b->deps, v.deps, state->deps[s->inst->guard]);
    state->deps[reg] = expr_is_true(b->exprs, s->predicate)
                           ? v.deps
                           : deps_union(&b->deps, v.deps, state->deps[reg]);
    state->regs[reg] =
        expr_ite(b->exprs, s->predicate, expr_extend(b->exprs, v.expr, width, type_is_signed(type)),
                 state->regs[reg]);
    if (expr_get(b->exprs, state->regs[reg])->depth > EXPR_MAX_DEPTH)
        step_refuse(s, DIAG_unfold_too_deep,
                    "the value computed here depends on more than %u steps", EXPR_MAX_DEPTH);
}

void operand_write(struct unfold_step *s, const struct operand *o, enum type type,
                   struct unfold_value v)
{
    if (o->kind == OPERAND_REG) {
        write_reg(s, o->reg, type, v);
    } else if (o->kind == OPERAND_VECTOR) {
        unsigned width = expr_get(s->b->exprs, v.expr)->width / o->part_count;
        for (uint32_t i = 0; i < o->part_count; i++) {
            struct unfold_value part = {expr_extract(s->b->exprs, v.expr, i * width, width),
                                        v.deps};
            operand_write(s, &o->parts[i], TYPE_B64, part);
        }
    } else if (o->kind != OPERAND_SINK) {
        step_unsupported(s, "destination of '%s' is no register", op_mnemonic(s->inst->op));
    }
}
