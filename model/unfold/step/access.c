/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/access.h"

#include <stdlib.h>

#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* ld, st, atom, red and fences: the events of ordinary memory instructions (ptx-model.md 1, 8). */

event_tags access_proxy_tag(enum proxy proxy)
{
    switch (proxy) {
    case PROXY_TEXTURE:
        return TAG(TEX);
    case PROXY_SURFACE:
        return TAG(SUR);
    case PROXY_CONSTANT:
        return TAG(CON);
    case PROXY_ASYNC:
        return TAG(ASYNC);
    case PROXY_TENSORMAP:
        return TAG(TENSORMAP);
    case PROXY_ALIAS:
        return TAG(ALIAS);
    case PROXY_GENERIC:
        break;
    }
    return TAG(GEN);
}

event_tags access_semantics_tag(enum sem sem, bool is_read)
{
    switch (sem) {
    case SEM_NONE:
    case SEM_WEAK:
        return TAG(WEAK);
    case SEM_ACQUIRE:
        return is_read ? TAG(ACQ) : TAG(RLX);
    case SEM_RELEASE:
        return is_read ? TAG(RLX) : TAG(REL);
    case SEM_ACQ_REL:
    case SEM_SC:
        return is_read ? TAG(ACQ) : TAG(REL);
    case SEM_RELAXED:
        break;
    }
    return TAG(RLX);
}

static event_tags access_tags(const struct inst *inst, bool is_read)
{
    event_tags tags = access_semantics_tag(inst->sem, is_read) | access_proxy_tag(inst->proxy);
    if (inst->flags & FLAG_VOLATILE)
        tags |= TAG(VOLATILE);
    if (inst->flags & FLAG_MMIO)
        tags |= TAG(MMIO);
    if (inst->flags & FLAG_NC)
        tags = (tags & ~TAG(GEN)) | TAG(TEX) | TAG(READ_ONLY);
    if (inst->proxy == PROXY_TEXTURE)
        tags |= TAG(READ_ONLY);
    return tags;
}

event_id access_add(struct unfold_step *s, enum event_kind kind, const struct access *a)
{
    struct event e = event_new(kind, a->tags, a->thread, a->position, a->guard);
    e.scope = a->tags & TAG(WEAK) ? SCOPE_NONE : a->scope;
    e.address = a->address.expr;
    e.bytes = a->bytes;
    e.value = a->value.expr;
    e.text = a->text;
    event_id id = step_add_event(s, e);
    if (kind == EVENT_READ)
        s->b->events.at[id].value = expr_read(s->b->exprs, a->bytes * 8, 0, id);
    else
        builder_edges(s->b, FIXED_data, a->value.deps, id);
    builder_edges(s->b, FIXED_addr, a->address.deps, id);
    return id;
}

/* How an instruction's memory operand is cut into accesses of at most 8 bytes. */
struct shape {
    enum type type; /* of a register the access loads or stores */
    uint32_t bytes; /* of one access */
    uint32_t accesses;
    bool is_signed;
};

static struct shape shape_of(struct unfold_step *s, const struct operand *memory)
{
    const struct inst *inst = s->inst;
    struct shape shape = {inst->type, type_bytes(inst->type), inst->vector ? inst->vector : 1,
                          type_is_signed(inst->type)};
    if (inst->type == TYPE_NONE &&
        memory->reg == NONE) { /* the dialect's: as wide as the location */
        const struct location *l = &s->b->test->locations[memory->location];
        shape.bytes = l->element_bytes;
        shape.is_signed = l->type == TYPE_NONE || type_is_signed(l->type);
    }
    if (shape.bytes == 16) { /* two 64-bit halves: single-copy atomicity is unsettled (2, 12.3) */
        shape.bytes = 8;
        shape.accesses *= 2;
    }
    return shape;
}

static struct access base_access(struct unfold_step *s, const struct operand *memory, bool is_read)
{
    return (struct access){.tags = access_tags(s->inst, is_read),
                           .scope = s->inst->scope,
                           .thread = s->run->thread,
                           .guard = s->guard,
                           .position = step_next_position(s->run),
                           .address = operand_address(s, memory)};
}

/* A vector lies at a multiple of its whole size; of each access alone addresses.c sees to it. */
static void check_alignment(struct unfold_step *s, const struct shape *shape, expr_id address)
{
    struct expr_pool *exprs = s->b->exprs;
    if (shape->accesses == 1)
        return;
    expr_id within = expr_const(exprs, 64, shape->bytes * shape->accesses - 1);
    expr_id rest = expr_binary(exprs, EXPR_AND, address, within);
    step_undefined(s, "misaligned-vector", "the address is no multiple of the vector's size",
                   expr_not(exprs, expr_eq(exprs, rest, expr_const(exprs, 64, 0))));
}

static void advance(struct unfold_step *s, struct access *a)
{
    struct expr_pool *exprs = s->b->exprs;
    a->address.expr =
        expr_binary(exprs, EXPR_ADD, a->address.expr, expr_const(exprs, 64, a->bytes));
}

static struct unfold_value read_value(struct unfold_step *s, event_id read)
{
    return (struct unfold_value){s->b->events.at[read].value, deps_of(&s->b->deps, read)};
}

static struct unfold_value append(struct unfold_step *s, struct unfold_value low,
                                  struct unfold_value high)
{
    return (struct unfold_value){expr_binary(s->b->exprs, EXPR_CONCAT, high.expr, low.expr),
                                 deps_union(&s->b->deps, low.deps, high.deps)};
}

static void step_load(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *to = &inst->operands[0], *memory = &inst->operands[1];
    if (memory->kind == OPERAND_PARAM) {
        operand_write(s, to, inst->type, operand_value(s, memory, inst->type));
        return;
    }
    struct shape shape = shape_of(s, memory);
    struct access a = base_access(s, memory, true);
    uint32_t halves = shape.accesses / (inst->vector ? inst->vector : 1);
    check_alignment(s, &shape, a.address.expr);
    a.bytes = shape.bytes;
    for (uint32_t i = 0; i < shape.accesses; i += halves) {
        struct unfold_value v = read_value(s, access_add(s, EVENT_READ, &a));
        advance(s, &a);
        for (uint32_t half = 1; half < halves; half++) {
            v = append(s, v, read_value(s, access_add(s, EVENT_READ, &a)));
            advance(s, &a);
        }
        if (inst->type == TYPE_NONE)
            v.expr = expr_extend(s->b->exprs, v.expr, 64, shape.is_signed);
        bool vector = to->kind == OPERAND_VECTOR;
        operand_write(s, vector ? &to->parts[i / halves] : to, inst->type, v);
    }
}

static void step_store(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *memory = &inst->operands[0], *from = &inst->operands[1];
    struct shape shape = shape_of(s, memory);
    struct access a = base_access(s, memory, false);
    uint32_t halves = shape.accesses / (inst->vector ? inst->vector : 1);
    check_alignment(s, &shape, a.address.expr);
    a.bytes = shape.bytes;
    for (uint32_t i = 0; i < shape.accesses; i++) {
        bool vector = from->kind == OPERAND_VECTOR && inst->vector > 1;
        struct unfold_value v =
            operand_value(s, vector ? &from->parts[i / halves] : from, inst->type);
        a.value.expr = expr_extract(s->b->exprs, v.expr, i % halves * 64, a.bytes * 8);
        a.value.deps = v.deps;
        access_add(s, EVENT_WRITE, &a);
        advance(s, &a);
    }
}

/* inc: r >= s ? 0 : r + 1.  dec: r == 0 or r > s ? s : r - 1 (section 8). */
static expr_id count_within(struct unfold_step *s, enum atom_op op, expr_id old, expr_id bound)
{
    struct expr_pool *exprs = s->b->exprs;
    unsigned width = expr_get(exprs, old)->width;
    expr_id zero = expr_const(exprs, width, 0), one = expr_const(exprs, width, 1);
    if (op == ATOM_INC)
        return expr_ite(exprs, expr_binary(exprs, EXPR_ULT, old, bound),
                        expr_binary(exprs, EXPR_ADD, old, one), zero);
    expr_id wraps =
        expr_or(exprs, expr_eq(exprs, old, zero), expr_binary(exprs, EXPR_ULT, bound, old));
    return expr_ite(exprs, wraps, bound, expr_binary(exprs, EXPR_SUB, old, one));
}

expr_id access_atom_result(struct unfold_step *s, enum atom_op op, bool is_signed, expr_id old,
                           expr_id x)
{
    struct expr_pool *exprs = s->b->exprs;
    enum expr_op less = is_signed ? EXPR_SLT : EXPR_ULT;
    switch (op) {
    case ATOM_ADD:
        return expr_binary(exprs, EXPR_ADD, old, x);
    case ATOM_SUB:
        return expr_binary(exprs, EXPR_SUB, old, x);
    case ATOM_MUL:
        return expr_binary(exprs, EXPR_MUL, old, x);
    case ATOM_DIV:
        return expr_binary(exprs, is_signed ? EXPR_SDIV : EXPR_UDIV, old, x);
    case ATOM_MIN:
        return expr_ite(exprs, expr_binary(exprs, less, x, old), x, old);
    case ATOM_MAX:
        return expr_ite(exprs, expr_binary(exprs, less, old, x), x, old);
    case ATOM_INC:
    case ATOM_DEC:
        return count_within(s, op, old, x);
    case ATOM_AND:
        return expr_binary(exprs, EXPR_AND, old, x);
    case ATOM_OR:
        return expr_binary(exprs, EXPR_OR, old, x);
    case ATOM_XOR:
        return expr_binary(exprs, EXPR_XOR, old, x);
    case ATOM_EXCH:
        return x;
    case ATOM_CAS: /* writes on a condition: step_atomic */
    case ATOM_POPC:
    case ATOM_NONE:
        break;
    }
    abort();
}

static bool atomic_supported(struct unfold_step *s, const struct shape *shape)
{
    const struct inst *inst = s->inst;
    bool moves = inst->atom_op == ATOM_EXCH || inst->atom_op == ATOM_CAS;
    if (type_is_float(inst->type) && !moves)
        step_unsupported(s, "floating-point '%s' has no meaning in the axioms",
                         op_mnemonic(inst->op));
    else if (shape->accesses > 1)
        step_unsupported(s, "'%s' of more than 8 bytes has no meaning in the axioms",
                         op_mnemonic(inst->op));
    return !s->b->failed;
}

/* The read half; red's starts no acquire pattern (D13), so its acquire has no effect. */
static event_id atomic_read(struct unfold_step *s, struct access *a, event_tags extra)
{
    event_tags tags = access_tags(s->inst, true);
    if ((extra & TAG(RED)) && (tags & TAG(ACQ)))
        tags = (tags & ~TAG(ACQ)) | TAG(RLX);
    a->tags = tags | extra;
    return access_add(s, EVENT_READ, a);
}

event_id access_add_write(struct unfold_step *s, const struct access *a, event_id read)
{
    event_id write = access_add(s, EVENT_WRITE, a);
    s->b->events.at[read].rmw = write;
    s->b->events.at[write].rmw = read;
    return write;
}

static void step_atomic(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct builder *b = s->b;
    bool red = inst->op == OP_RED, cas = inst->atom_op == ATOM_CAS;
    const struct operand *memory = &inst->operands[red ? 0 : 1];
    struct shape shape = shape_of(s, memory);
    if (!atomic_supported(s, &shape))
        return;
    struct access a = base_access(s, memory, true);
    event_tags extra = red ? TAG(RMW) | TAG(RED) : TAG(RMW);
    a.bytes = shape.bytes;
    event_id read = atomic_read(s, &a, extra);
    struct unfold_value old = read_value(s, read), x = operand_value(s, memory + 1, inst->type),
                        to = x;
    x.expr = expr_extract(b->exprs, x.expr, 0, a.bytes * 8);
    const struct deps *decides = NULL;
    if (cas) {
        to = operand_value(s, memory + 2, inst->type);
        to.expr = expr_extract(b->exprs, to.expr, 0, a.bytes * 8);
        a.guard = expr_and(b->exprs, s->guard, expr_eq(b->exprs, old.expr, x.expr));
        decides = deps_union(&b->deps, old.deps, x.deps);
    } else {
        to.expr = access_atom_result(s, inst->atom_op, shape.is_signed, old.expr, x.expr);
        to.deps = inst->atom_op == ATOM_EXCH ? x.deps : deps_union(&b->deps, old.deps, x.deps);
    }
    a.tags = access_tags(inst, false) | extra;
    a.position = step_next_position(s->run);
    a.value = to;
    builder_edges(b, FIXED_ctrl, decides, access_add_write(s, &a, read));
    if (red)
        return;
    if (inst->type == TYPE_NONE)
        old.expr = expr_extend(b->exprs, old.expr, 64, shape.is_signed);
    operand_write(s, &inst->operands[0], inst->type, old);
}

void step_access(struct unfold_step *s)
{
    if (op_is_atomic(s->inst->op))
        step_atomic(s);
    else if (s->inst->op == OP_LD)
        step_load(s);
    else
        step_store(s);
}

static event_tags fence_tags(const struct inst *inst)
{
    switch (inst->fence_kind) {
    case FENCE_PROXY:
        return TAG(PROXY_FENCE) | access_proxy_tag(inst->proxy);
    case FENCE_PROXY_RELEASE:
        return TAG(ONE_WAY) | TAG(RELEASE_FENCE) | TAG(REL) | access_proxy_tag(inst->proxy);
    case FENCE_PROXY_ACQUIRE:
        return TAG(ONE_WAY) | TAG(ACQUIRE_FENCE) | TAG(ACQ) | access_proxy_tag(inst->proxy);
    case FENCE_MBARRIER_INIT:
    case FENCE_RESTRICT_RELEASE:
        return TAG(RELEASE_FENCE) | TAG(REL) | TAG(GEN);
    case FENCE_RESTRICT_ACQUIRE:
        return TAG(ACQUIRE_FENCE) | TAG(ACQ) | TAG(GEN);
    case FENCE_MEMORY:
        break;
    }
    switch (inst->sem) {
    case SEM_SC:
        return TAG(SC) | TAG(ACQ_REL) | TAG(GEN);
    case SEM_ACQUIRE:
        return TAG(ACQUIRE_FENCE) | TAG(ACQ) | TAG(GEN);
    case SEM_RELEASE:
        return TAG(RELEASE_FENCE) | TAG(REL) | TAG(GEN);
    case SEM_ACQ_REL:
        return TAG(ACQ_REL) | TAG(GEN);
    default: /* decode_fence.c makes no other memory fence */
        abort();
    }
}

void step_fence(struct unfold_step *s)
{
    struct event e = step_event(s, EVENT_FENCE, fence_tags(s->inst));
    e.scope = s->inst->scope;
    step_add_event(s, e);
}
