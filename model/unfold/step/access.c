/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/access.h"

#include "litmus/base/table.h"
#include "model/unfold/step/float_value.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/step/private.h"

/* ld, st, atom, red and fences: the events of ordinary memory instructions (ptx-model.md 1, 8). */

static event_tags proxy_tag(enum proxy proxy)
{
    static const event_tags tags[PROXY_COUNT] = {
#define PROXY(id, word, set, ...) [PROXY_##id] = TAG(set),
#include "litmus/isa/words.def"
    };
    return tags[proxy];
}

event_tags access_semantics_tag(enum sem sem, bool is_read)
{
    static const event_tags of_write[] = {
        [SEM_NONE] = TAG(WEAK),   [SEM_WEAK] = TAG(WEAK),   [SEM_RELAXED] = TAG(RLX),
        [SEM_ACQUIRE] = TAG(RLX), [SEM_RELEASE] = TAG(REL), [SEM_ACQ_REL] = TAG(REL),
        [SEM_SC] = TAG(REL),
    };
    static const event_tags of_read[] = {
        [SEM_NONE] = TAG(WEAK),   [SEM_WEAK] = TAG(WEAK),   [SEM_RELAXED] = TAG(RLX),
        [SEM_ACQUIRE] = TAG(ACQ), [SEM_RELEASE] = TAG(RLX), [SEM_ACQ_REL] = TAG(ACQ),
        [SEM_SC] = TAG(ACQ),
    };
    return is_read ? TABLE_AT(of_read, sem) : TABLE_AT(of_write, sem);
}

/* An access that is seq_cst in C++ is in no other set. */
static event_tags order_tag(const struct unfold_step *s, enum sem sem, bool is_read)
{
    bool is_cpp = s->b->test->language == LANGUAGE_CPP;
    return is_cpp && sem == SEM_SC ? TAG(SC) : access_semantics_tag(sem, is_read);
}

static event_tags access_tags(const struct unfold_step *s, bool is_read)
{
    const struct inst *inst = s->inst;
    event_tags tags = order_tag(s, inst->sem, is_read) | proxy_tag(inst->proxy);
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

struct access access_at(struct unfold_step *s, const struct operand *memory, event_tags tags)
{
    return (struct access){.tags = tags,
                           .scope = s->inst->scope,
                           .thread = s->run->thread,
                           .guard = s->guard,
                           .bytes = 8,
                           .address = operand_address(s, memory)};
}

struct unfold_value access_value(struct unfold_step *s, event_id read)
{
    return (struct unfold_value){s->b->events.at[read].value, deps_of(&s->b->deps, read)};
}

/* How an instruction's memory operand is cut into accesses of at most 8 bytes. */
struct shape {
    uint32_t bytes; /* of one access */
    uint32_t accesses;
    uint32_t halves; /* accesses that load or store one register */
    bool is_signed;
};

static struct shape shape_of(struct unfold_step *s, const struct operand *memory)
{
    const struct inst *inst = s->inst;
    struct shape shape = {type_bytes(inst->type), inst->vector ? inst->vector : 1, 1,
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
        shape.halves = 2;
    }
    return shape;
}

/* The first access of the instruction. A vector lies at a multiple of its whole size; of each access
 * alone addresses.c sees to it. */
static struct access first_access(struct unfold_step *s, const struct operand *memory, bool is_read,
                                  const struct shape *shape)
{
    struct expr_pool *exprs = s->b->exprs;
    struct access a = access_at(s, memory, access_tags(s, is_read));
    a.position = step_next_position(s->run);
    a.bytes = shape->bytes;
    if (shape->accesses > 1) {
        expr_id within = expr_const(exprs, 64, shape->bytes * shape->accesses - 1);
        expr_id rest = expr_binary(exprs, EXPR_AND, a.address.expr, within);
        step_undefined(s, "misaligned-vector", "the address is no multiple of the vector's size",
                       expr_not(exprs, expr_eq(exprs, rest, expr_const(exprs, 64, 0))));
    }
    return a;
}

void access_advance(struct unfold_step *s, struct access *a, uint32_t bytes)
{
    struct expr_pool *exprs = s->b->exprs;
    a->address.expr = expr_binary(exprs, EXPR_ADD, a->address.expr, expr_const(exprs, 64, bytes));
}

/* ---- .param variables of calls: a register for each byte (thread/inline.h) -------------------- */

static void load_bytes(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *to = &inst->operands[0];
    uint32_t bytes = type_bytes(inst->type), from = inst->operands[1].reg;
    for (uint32_t i = 0; i < (inst->vector > 1 ? inst->vector : 1); i++) {
        struct unfold_value v = {0};
        for (uint32_t k = 0; k < bytes; k++, from++) {
            struct unfold_value part = {s->state->regs[from], s->state->deps[from]};
            v = k ? operand_append(s, v, part) : part;
        }
        bool vector = to->kind == OPERAND_VECTOR;
        operand_write(s, vector ? &to->parts[i] : to, inst->type, v);
    }
}

static void store_bytes(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *from = &inst->operands[1];
    uint32_t bytes = type_bytes(inst->type), to = inst->operands[0].reg;
    for (uint32_t i = 0; i < (inst->vector > 1 ? inst->vector : 1); i++) {
        bool vector = from->kind == OPERAND_VECTOR;
        struct unfold_value v = operand_value(s, vector ? &from->parts[i] : from, inst->type);
        for (uint32_t k = 0; k < bytes; k++, to++) {
            const struct operand byte = {.kind = OPERAND_REG, .reg = to};
            struct unfold_value part = {expr_extract(s->b->exprs, v.expr, 8 * k, 8), v.deps};
            operand_write(s, &byte, TYPE_U8, part);
        }
    }
}

/* A parameter of a kernel: an element after the other. */
static void load_parameter(struct unfold_step *s)
{
    const struct operand *to = &s->inst->operands[0];
    struct operand element = s->inst->operands[1];
    bool vector = to->kind == OPERAND_VECTOR;
    for (uint32_t i = 0; i < (vector ? s->inst->vector : 1); i++) {
        operand_write(s, vector ? &to->parts[i] : to, s->inst->type,
                      operand_value(s, &element, s->inst->type));
        element.value += type_bytes(s->inst->type);
    }
}

/* ---- loads and stores ------------------------------------------------------------------------- */

static void step_load(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *to = &inst->operands[0], *memory = &inst->operands[1];
    if (memory->kind == OPERAND_FRAME) {
        load_bytes(s);
        return;
    }
    if (memory->kind == OPERAND_PARAM) {
        load_parameter(s);
        return;
    }
    struct shape shape = shape_of(s, memory);
    struct access a = first_access(s, memory, true, &shape);
    struct unfold_value v = {0};
    for (uint32_t i = 0; i < shape.accesses; i++) {
        uint32_t reg = private_register(s, &a);
        struct unfold_value part =
            reg == NONE ? access_value(s, access_add(s, EVENT_READ, &a)) : private_load(s, &a, reg);
        access_advance(s, &a, a.bytes);
        v = i % shape.halves ? operand_append(s, v, part) : part;
        if ((i + 1) % shape.halves)
            continue;
        if (inst->type == TYPE_NONE)
            v.expr = expr_extend(s->b->exprs, v.expr, 64, shape.is_signed);
        bool vector = to->kind == OPERAND_VECTOR;
        operand_write(s, vector ? &to->parts[i / shape.halves] : to, inst->type, v);
    }
}

static void step_store(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *memory = &inst->operands[0], *from = &inst->operands[1];
    if (memory->kind == OPERAND_FRAME) {
        store_bytes(s);
        return;
    }
    struct shape shape = shape_of(s, memory);
    struct access a = first_access(s, memory, false, &shape);
    for (uint32_t i = 0; i < shape.accesses; i++) {
        bool vector = from->kind == OPERAND_VECTOR && inst->vector > 1;
        struct unfold_value v =
            operand_value(s, vector ? &from->parts[i / shape.halves] : from, inst->type);
        a.value.expr = expr_extract(s->b->exprs, v.expr, i % shape.halves * 64, a.bytes * 8);
        a.value.deps = v.deps;
        uint32_t reg = private_register(s, &a);
        if (reg == NONE)
            access_add(s, EVENT_WRITE, &a);
        else
            private_store(s, &a, reg);
        access_advance(s, &a, a.bytes);
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
    const enum expr_op plain[] = {
        [ATOM_ADD] = EXPR_ADD, [ATOM_SUB] = EXPR_SUB,
        [ATOM_MUL] = EXPR_MUL, [ATOM_DIV] = is_signed ? EXPR_SDIV : EXPR_UDIV,
        [ATOM_AND] = EXPR_AND, [ATOM_OR] = EXPR_OR,
        [ATOM_XOR] = EXPR_XOR,
    };
    switch (op) {
    case ATOM_MIN:
        return expr_ite(exprs, expr_binary(exprs, less, x, old), x, old);
    case ATOM_MAX:
        return expr_ite(exprs, expr_binary(exprs, less, old, x), x, old);
    case ATOM_INC:
    case ATOM_DEC:
        return count_within(s, op, old, x);
    case ATOM_EXCH:
        return x;
    default: /* cas writes on a condition: step_atomic */
        return expr_binary(exprs, TABLE_AT(plain, op), old, x);
    }
}

static bool atomic_supported(struct unfold_step *s, const struct shape *shape)
{
    const struct inst *inst = s->inst;
    if (shape->accesses > 1)
        step_unsupported(s, "'%s' of more than 8 bytes has no meaning in the axioms",
                         op_mnemonic(inst->op));
    return !s->b->failed;
}

/* The read half; red's starts no acquire pattern (D13), so its acquire has no effect. */
static event_id atomic_read(struct unfold_step *s, struct access *a, event_tags extra)
{
    event_tags tags = access_tags(s, true);
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

/* A compare and exchange of C++ whose order differs where it fails: the read is one event there and
 * another where it succeeds, of which one executes. Returns the latter, and what is read in 'old'. */
static event_id two_reads(struct unfold_step *s, struct access *a, event_tags failed,
                          expr_id expected, struct unfold_value *old)
{
    struct builder *b = s->b;
    struct expr_pool *exprs = b->exprs;
    expr_id hits = builder_choice(b, "compare_exchange succeeds", 1), taken = a->guard;
    struct access miss = *a;
    a->guard = expr_and(exprs, taken, hits);
    miss.guard = expr_and(exprs, taken, expr_not(exprs, hits));
    miss.tags = failed | proxy_tag(s->inst->proxy);
    event_id read = access_add(s, EVENT_READ, a), other = access_add(s, EVENT_READ, &miss);
    expr_id found = b->events.at[read].value, unlike = b->events.at[other].value;
    expected = expr_extract(exprs, expected, 0, a->bytes * 8);
    expr_id rightly =
        expr_and(exprs, expr_implies(exprs, a->guard, expr_eq(exprs, found, expected)),
                 expr_not(exprs, expr_and(exprs, miss.guard, expr_eq(exprs, unlike, expected))));
    builder_assume(b, ASSUME_PLAIN, rightly, s->inst->span, s->run->thread);
    old->expr = expr_ite(exprs, hits, found, unlike);
    old->deps = deps_union(&b->deps, deps_of(&b->deps, read), deps_of(&b->deps, other));
    return read;
}

static bool fails_otherwise(const struct unfold_step *s)
{
    enum sem failed = s->inst->failed_sem;
    return s->inst->atom_op == ATOM_CAS && failed != SEM_NONE &&
           order_tag(s, failed, true) != order_tag(s, s->inst->sem, true);
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
    struct access a = first_access(s, memory, true, &shape);
    event_tags extra = red ? TAG(RMW) | TAG(RED) : TAG(RMW);
    struct unfold_value old, x = operand_value(s, memory + 1, inst->type), to = x;
    event_id read;
    if (fails_otherwise(s)) {
        a.tags |= extra;
        read = two_reads(s, &a, order_tag(s, inst->failed_sem, true), x.expr, &old);
    } else {
        read = atomic_read(s, &a, extra);
        old = access_value(s, read);
    }
    x.expr = expr_extract(b->exprs, x.expr, 0, a.bytes * 8);
    const struct deps *decides = NULL;
    if (cas) {
        to = operand_value(s, memory + 2, inst->type);
        to.expr = expr_extract(b->exprs, to.expr, 0, a.bytes * 8);
        a.guard = expr_and(b->exprs, s->guard, expr_eq(b->exprs, old.expr, x.expr));
        decides = deps_union(&b->deps, old.deps, x.deps);
    } else {
        to.expr = type_is_float(inst->type) && inst->atom_op == ATOM_ADD
                      ? float_sum(b->exprs, inst->type, old.expr, x.expr, false)
                      : access_atom_result(s, inst->atom_op, shape.is_signed, old.expr, x.expr);
        to.deps = inst->atom_op == ATOM_EXCH ? x.deps : deps_union(&b->deps, old.deps, x.deps);
    }
    a.tags = access_tags(s, false) | extra;
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
    const event_tags acquires = TAG(ACQUIRE_FENCE) | TAG(ACQ),
                     releases = TAG(RELEASE_FENCE) | TAG(REL);
    const event_tags kinds[] = {
        [FENCE_PROXY] = TAG(PROXY_FENCE),
        [FENCE_PROXY_RELEASE] = TAG(ONE_WAY) | releases,
        [FENCE_PROXY_ACQUIRE] = TAG(ONE_WAY) | acquires,
        [FENCE_MBARRIER_INIT] = releases,
        [FENCE_RESTRICT_RELEASE] = releases,
        [FENCE_RESTRICT_ACQUIRE] = acquires,
    };
    const event_tags memory[] = {
        [SEM_SC] = TAG(SC) | TAG(ACQ_REL),
        [SEM_ACQ_REL] = TAG(ACQ_REL),
        [SEM_ACQUIRE] = acquires,
        [SEM_RELEASE] = releases,
    };
    return proxy_tag(inst->proxy) |
           (inst->fence_kind == FENCE_MEMORY ? TABLE_AT(memory, inst->sem)
                                             : TABLE_AT(kinds, inst->fence_kind));
}

void step_fence(struct unfold_step *s)
{
    struct event e = step_event(s, EVENT_FENCE, fence_tags(s->inst));
    e.scope = s->inst->scope;
    step_add_event(s, e);
}
