/* SPDX-License-Identifier: MIT */
#include "model/graph/layout.h"
#include "model/unfold/step/box.h"
#include "model/unfold/step/mbarrier.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* cp.async, cp.async.bulk, cp.reduce.async.bulk and what waits for them (ptx-model.md 4.1).
 *
 * The accesses of a copy are made by a pseudo-thread of its own, placed like the issuer: reads at
 * position 0, writes at 1. An issue event stands for the instruction in the issuer's program order.
 * The complete-tx of a bulk copy is another pseudo-thread's, so that it follows its own copy and
 * publishes nothing else. All orders between them are FIXED_async edges. */

/* An asynchronous copy: events [first, end), issued before 'position' of its thread. */
struct async_copy {
    bool bulk;
    event_id first, end;
    uint32_t position;
};
struct async_commit {
    bool bulk;
    uint32_t position;
    expr_id guard;
};

static uint32_t pseudo_thread(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct thread t = b->threads.at[s->run->thread];
    t.name = arena_printf(b->arena, "%s~%u", t.name, b->threads.len - b->device_threads + 1);
    t.column = t.launch = t.linear_cta = t.linear_tid = t.host = NONE;
    t.issuer = s->run->thread;
    vec_push(b->arena, &b->threads, t);
    return b->threads.len - 1;
}

static void order(struct unfold_step *s, event_id from, event_id to, expr_id guard,
                  const char *reason)
{
    builder_edge(s->b, FIXED_async, from, to, guard, reason);
}

static bool constant_operand(struct unfold_step *s, const struct operand *o, const char *what,
                             uint32_t *value)
{
    uint64_t bits = 0;
    if (!expr_is_const(s->b->exprs, operand_value(s, o, TYPE_U32).expr, &bits))
        step_unsupported(s, "%s of '%s' is no constant", what, op_mnemonic(s->inst->op));
    *value = (uint32_t)bits;
    return !s->b->failed;
}

/* ---- the accesses of a copy ----------------------------------------------------------------- */

static uint32_t element_bytes(const struct unfold_step *s, const struct operand *memory,
                              uint32_t most)
{
    uint32_t bytes = most;
    if (memory->reg == NONE)
        bytes = s->b->test->locations[memory->location].element_bytes;
    return bytes < most ? bytes : most;
}

struct transfer {
    const struct operand *to, *from;
    uint32_t bytes, copied; /* past 'copied' zeros are written */
    uint32_t chunk;
    event_tags tags;
    bool reads; /* what is written comes from memory */
    enum atom_op reduction;
    bool is_signed;   /* of a reduction: its elements */
    enum scope scope; /* of a reduction that is no copy */
    uint32_t thread;
    event_id issue;
};

static struct unfold_value place(struct unfold_step *s, const struct operand *memory, uint32_t at)
{
    struct unfold_value address = operand_address(s, memory);
    address.expr =
        expr_binary(s->b->exprs, EXPR_ADD, address.expr, expr_const(s->b->exprs, 64, at));
    return address;
}

static struct access chunk_access(struct unfold_step *s, const struct transfer *t,
                                  struct unfold_value address)
{
    return (struct access){.tags = t->tags,
                           .scope = s->inst->scope,
                           .thread = t->thread,
                           .guard = s->guard,
                           .bytes = t->chunk,
                           .address = address};
}

/* The access, which comes after the event that issues it. */
static event_id issued(struct unfold_step *s, const struct transfer *t, event_id access)
{
    order(s, t->issue, access, expr_true(s->b->exprs), "issued here");
    return access;
}

static struct unfold_value read_chunk(struct unfold_step *s, const struct transfer *t,
                                      struct unfold_value address)
{
    struct access a = chunk_access(s, t, address);
    a.tags |= TAG(WEAK);
    event_id read = issued(s, t, access_add(s, EVENT_READ, &a));
    s->b->events.at[read].copied = true;
    return access_value(s, read);
}

/* Of a reduction each element is read and written; of a copy only written. */
static void write_chunk(struct unfold_step *s, const struct transfer *t,
                        struct unfold_value address, struct unfold_value value)
{
    struct access a = chunk_access(s, t, address);
    event_id read = NONE;
    a.position = 1;
    a.tags |= t->reduction ? TAG(RLX) | TAG(RMW) | TAG(RED) : TAG(WEAK);
    a.scope = !t->reduction ? SCOPE_NONE
              : t->scope    ? t->scope
                            : SCOPE_GPU; /* each element of a bulk copy is relaxed.gpu (1.3) */
    if (t->reduction) {
        read = issued(s, t, access_add(s, EVENT_READ, &a));
        struct unfold_value old = access_value(s, read);
        value.expr = access_atom_result(s, t->reduction, t->is_signed, old.expr, value.expr);
        value.deps = deps_union(&s->b->deps, value.deps, old.deps);
        a.position = 2;
    }
    a.value = value;
    event_id write =
        issued(s, t, read == NONE ? access_add(s, EVENT_WRITE, &a) : access_add_write(s, &a, read));
    s->b->events.at[write].copied = t->reads && !t->reduction;
}

/* The accesses from here to end_transfer are those of the copy. */
static struct async_copy begin_transfer(struct unfold_step *s, struct transfer *t, bool bulk)
{
    t->thread = pseudo_thread(s);
    t->issue = step_api_event(s, 0, NULL);
    return (struct async_copy){
        .bulk = bulk, .first = s->b->events.len, .position = s->run->position};
}

static void end_transfer(struct unfold_step *s, struct async_copy copy)
{
    copy.end = s->b->events.len;
    vec_push(s->b->arena, &s->run->copies, copy);
}

/* 'fill': by 8 bytes. */
static struct unfold_value filled(struct unfold_step *s, const struct transfer *t, uint64_t fill)
{
    uint64_t bits = fill >> (8 - t->chunk) * 8;
    return (struct unfold_value){expr_const(s->b->exprs, t->chunk * 8, bits), NULL};
}

static void transfer(struct unfold_step *s, struct transfer t, bool bulk)
{
    struct builder *b = s->b;
    struct async_copy copy = begin_transfer(s, &t, bulk);
    for (uint32_t at = 0; at < t.bytes && !b->failed; at += t.chunk) {
        struct unfold_value v =
            at < t.copied ? read_chunk(s, &t, place(s, t.from, at)) : filled(s, &t, 0);
        write_chunk(s, &t, place(s, t.to, at), v);
    }
    end_transfer(s, copy);
}

static void order_copy(struct unfold_step *s, const struct async_copy *copy, event_id to,
                       bool reads_only, expr_id guard, const char *reason)
{
    for (event_id e = copy->first; e < copy->end; e++)
        if (!reads_only || s->b->events.at[e].kind == EVENT_READ)
            order(s, e, to, guard, reason);
}

/* The widest accesses, of at most 8 bytes, that the elements and the sizes allow. */
static uint32_t chunk_of(const struct unfold_step *s, const struct transfer *t)
{
    uint32_t chunk = t->reduction ? type_bytes(s->inst->type)
                                  : element_bytes(s, t->to, element_bytes(s, t->from, 8));
    while (chunk > 1 && (t->bytes % chunk || t->copied % chunk))
        chunk /= 2;
    return chunk;
}

/* Nothing is read where the predicate holds. */
static bool ignored_source(struct unfold_step *s, const struct operand *o, uint32_t *copied)
{
    uint64_t ignored;
    if (!expr_is_const(s->b->exprs, operand_value(s, o, TYPE_PRED).expr, &ignored)) {
        step_unsupported(s, "the predicate of '%s' is no constant", op_mnemonic(s->inst->op));
        return false;
    }
    *copied = ignored ? 0 : *copied;
    return true;
}

/* cp.async: its accesses are generic, and its source may be shorter than what it writes. */
static void copy_small(struct unfold_step *s)
{
    const struct operand *o = s->inst->operands;
    struct transfer t = {.to = &o[0], .from = &o[1], .tags = TAG(GEN), .reads = true};
    if (!constant_operand(s, &o[2], "the size", &t.bytes))
        return;
    t.copied = t.bytes;
    if (s->inst->may_ignore_source ? !ignored_source(s, &o[3], &t.copied)
                                   : s->inst->operand_count > 3 &&
                                         !constant_operand(s, &o[3], "the source size", &t.copied))
        return;
    t.chunk = chunk_of(s, &t);
    transfer(s, t, false);
}

/* ---- bulk copies ---------------------------------------------------------------------------- */

/* Follows its own copy only (8.9.1.1); releases at cluster scope. */
static void complete_tx(struct unfold_step *s, const struct operand *object, uint32_t bytes)
{
    struct builder *b = s->b;
    struct access a = access_at(s, object, TAG(REL) | TAG(COMPLETE_TX));
    a.scope = SCOPE_CLUSTER;
    a.thread = pseudo_thread(s);
    struct mbarrier_change change = mbarrier_no_change(b);
    change.tx = expr_const(b->exprs, 32, 0 - bytes);
    a.text = arena_printf(b->arena, "complete-tx %u", bytes);
    event_id first = b->events.len;
    mbarrier_update(s, a, change);
    for (event_id e = first; e < b->events.len; e++)
        order_copy(s, &s->run->copies.at[s->run->copies.len - 1], e, false, expr_true(b->exprs),
                   "a complete-tx follows its own copy (8.9.1.1)");
}

/* cp.async.bulk: its accesses are of the async proxy; with an mbarrier, its completion completes a
 * transaction there. */
static void copy_bulk(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *o = inst->operands;
    bool reduces = inst->op == OP_CP_REDUCE_ASYNC_BULK;
    struct transfer t = {.to = &o[0],
                         .from = &o[1],
                         .tags = TAG(ASYNC),
                         .reads = true,
                         .is_signed = type_is_signed(inst->type),
                         .reduction = reduces ? inst->atom_op : ATOM_NONE};
    if (reduces && type_is_float(inst->type)) {
        step_unsupported(s, "floating-point '%s' has no meaning in the axioms",
                         op_mnemonic(inst->op));
        return;
    }
    if (inst->operand_count > 4) {
        step_unsupported(s, "'.multicast::cluster' has no meaning in the axioms");
        return;
    }
    if (!constant_operand(s, &o[2], "the size", &t.bytes))
        return;
    if (t.bytes % 16)
        step_undefined(s, "bulk-copy-size", "a bulk copy of a size that is no multiple of 16",
                       expr_true(s->b->exprs));
    t.copied = t.bytes;
    t.chunk = chunk_of(s, &t);
    transfer(s, t, true);
    if (inst->operand_count <= 3)
        return;
    if (!s->b->failed)
        complete_tx(s, &o[3], t.bytes);
    s->run->copies.len--; /* no group has it */
}

/* ---- boxes of tensors ------------------------------------------------------------------------- */

/* The map is memory that nothing writes, and the coordinates are numbers. */
static bool find_box(struct unfold_step *s, const struct operand *map, struct box *box,
                     uint32_t *tensor)
{
    const struct test *test = s->b->test;
    const struct operand *coordinates = &s->inst->operands[2];
    uint64_t address, offset;
    uint32_t location, at;
    if (!expr_is_const(s->b->exprs, operand_address(s, map).expr, &address) ||
        !layout_find(test, address, &location, &offset) ||
        test->locations[location].space != SPACE_CONST ||
        !tensor_map_at(test, location, offset, &box->map, tensor)) {
        step_unsupported(s,
                         "the axioms know tensor maps that are constants or __grid_constant__ "
                         "parameters, and that of '%s' is none",
                         op_mnemonic(s->inst->op));
        return false;
    }
    if (box->map.rank != coordinates->part_count) {
        step_undefined(s, "bad-tensor-map", "the tensor map has another number of dimensions",
                       expr_true(s->b->exprs));
        return false;
    }
    for (uint32_t d = 0; d < box->map.rank; d++) {
        if (!constant_operand(s, &coordinates->parts[d], "a coordinate", &at))
            return false;
        box->at[d] = (int32_t)at;
    }
    return true;
}

/* The place of a chunk in shared memory. */
static struct unfold_value in_shared(struct unfold_step *s, const struct operand *memory,
                                     const struct box *box, uint64_t offset)
{
    struct unfold_value address = place(s, memory, (uint32_t)offset);
    uint64_t known = 0;
    if (!box->map.swizzle)
        return address;
    if (!expr_is_const(s->b->exprs, address.expr, &known))
        step_unsupported(s, "the place of a swizzled box is no constant");
    address.expr = expr_const(s->b->exprs, 64, box_swizzled(known, box->map.swizzle));
    return address;
}

/* To shared memory, which is filled where it is outside of the tensor; or to global memory, but for that. */
static void move_box(struct unfold_step *s, struct transfer *t, const struct box *box,
                     uint32_t tensor)
{
    bool loads = s->inst->space != SPACE_GLOBAL;
    uint64_t base = operand_symbol(s->b, s->run->thread, tensor) + box->map.offset;
    uint64_t fill = tensor_map_fill(&box->map);
    uint32_t count;
    const struct box_chunk *chunks = box_chunks(s->b->arena, box, &count);
    for (uint32_t i = 0; i < count && !s->b->failed; i++) {
        const struct box_chunk *chunk = &chunks[i];
        struct unfold_value global = {expr_const(s->b->exprs, 64, base + chunk->global), NULL};
        struct unfold_value shared = in_shared(s, loads ? t->to : t->from, box, chunk->shared);
        t->chunk = chunk->bytes;
        if (loads)
            write_chunk(s, t, shared,
                        chunk->inside ? read_chunk(s, t, global) : filled(s, t, fill));
        else if (chunk->inside)
            write_chunk(s, t, global, read_chunk(s, t, shared));
    }
}

/* cp.async.bulk.tensor and its reduction: as a bulk copy, of the elements of a box. */
static void copy_box(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *o = inst->operands;
    bool loads = inst->space != SPACE_GLOBAL;
    struct transfer t = {
        .to = &o[0], .from = &o[1], .tags = TAG(ASYNC), .reads = true, .reduction = inst->atom_op};
    struct box box = {0};
    uint32_t tensor;
    if (inst->operand_count > 4) {
        step_unsupported(s, "'.multicast::cluster' has no meaning in the axioms");
        return;
    }
    if (!find_box(s, loads ? &o[1] : &o[0], &box, &tensor))
        return;
    if (inst->atom_op && !tensor_map_reduces(&box.map, inst->atom_op)) {
        step_undefined(s, "bad-tensor-map",
                       arena_printf(s->b->arena, "there is no reduction .%s of elements .%s",
                                    atom_op_name(inst->atom_op), type_name(box.map.type)),
                       expr_true(s->b->exprs));
        return;
    }
    if (inst->atom_op && type_is_float(box.map.type)) {
        step_unsupported(s, "floating-point '%s' has no meaning in the axioms",
                         op_mnemonic(inst->op));
        return;
    }
    t.is_signed = type_is_signed(box.map.type);
    struct async_copy copy = begin_transfer(s, &t, true);
    move_box(s, &t, &box, tensor);
    end_transfer(s, copy);
    if (!loads)
        return;
    if (!s->b->failed)
        complete_tx(s, &o[3], tensor_map_bytes(&box.map));
    s->run->copies.len--; /* no group has it */
}

/* ---- st.bulk -------------------------------------------------------------------------------- */

/* Zeros by ordinary weak stores, of 8 bytes, which have no order among each other. */
static void fill(struct unfold_step *s)
{
    enum { UNIT = 8 };
    const struct operand *o = s->inst->operands;
    uint32_t bytes;
    if (!constant_operand(s, &o[1], "the size", &bytes))
        return;
    if (bytes % UNIT)
        step_undefined(s, "bulk-store-size", "st.bulk of a size that is no multiple of 8",
                       expr_true(s->b->exprs));
    uint32_t position = step_next_position(s->run);
    for (uint32_t at = 0; at < bytes && !s->b->failed; at += UNIT) {
        struct access a = access_at(s, &o[0], TAG(GEN) | TAG(WEAK));
        a.position = position;
        a.value = (struct unfold_value){expr_const(s->b->exprs, UNIT * 8, 0), NULL};
        access_advance(s, &a, at);
        event_id write = access_add(s, EVENT_WRITE, &a);
        s->b->events.at[write].copied = true;
    }
}

/* ---- st.async, red.async ---------------------------------------------------------------------- */

/* Generic accesses of a pseudo-thread, of values from registers: a weak store, or relaxed operations at cluster scope
 * (PTX 9.7.9.13, 9.7.13.7; ptx-model.md 4.1). */
static void store_later(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct operand *o = inst->operands;
    uint32_t parts = o[1].kind == OPERAND_VECTOR ? o[1].part_count : 1;
    struct transfer t = {.to = &o[0],
                         .chunk = type_bytes(inst->type),
                         .tags = TAG(GEN),
                         .is_signed = type_is_signed(inst->type),
                         .reduction = inst->op == OP_RED_ASYNC ? inst->atom_op : ATOM_NONE,
                         .scope = SCOPE_CLUSTER};
    t.bytes = parts * t.chunk;
    struct async_copy copy = begin_transfer(s, &t, true);
    for (uint32_t i = 0; i < parts && !s->b->failed; i++)
        write_chunk(s, &t, place(s, t.to, i * t.chunk),
                    operand_value(s, parts > 1 ? &o[1].parts[i] : &o[1], inst->type));
    end_transfer(s, copy);
    if (!s->b->failed)
        complete_tx(s, &o[2], t.bytes);
    s->run->copies.len--; /* no group has it */
}

/* ---- groups --------------------------------------------------------------------------------- */

static void commit(struct unfold_step *s)
{
    struct async_commit c = {s->inst->op == OP_CP_ASYNC_BULK_COMMIT, s->run->position, s->guard};
    vec_push(s->b->arena, &s->run->commits, c);
}

/* All but the youngest 'pending' groups are complete: a copy is when more groups were closed since.
 */
static expr_id group_complete(struct unfold_step *s, const struct async_copy *copy,
                              uint32_t pending)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id closed = expr_const(exprs, 32, 0);
    for (uint32_t i = 0; i < s->run->commits.len; i++) {
        const struct async_commit *c = &s->run->commits.at[i];
        if (c->bulk == copy->bulk && c->position >= copy->position)
            closed = expr_binary(exprs, EXPR_ADD, closed, builder_count(s->b, c->guard));
    }
    return expr_binary(exprs, EXPR_ULT, expr_const(exprs, 32, pending), closed);
}

/* A wait orders the copies of its own thread that it waits for before what follows it. */
static void wait_group(struct unfold_step *s)
{
    bool bulk = s->inst->op == OP_CP_ASYNC_BULK_WAIT, all = s->inst->op == OP_CP_ASYNC_WAIT_ALL;
    uint32_t pending = 0;
    if (!all && !constant_operand(s, &s->inst->operands[0], "the number of groups", &pending))
        return;
    event_id wait = step_api_event(s, 0, NULL);
    bool reads_only = bulk && (s->inst->flags & FLAG_READ);
    for (uint32_t i = 0; i < s->run->copies.len; i++) {
        const struct async_copy *copy = &s->run->copies.at[i];
        if (copy->bulk == bulk)
            order_copy(s, copy, wait, reads_only,
                       all ? expr_true(s->b->exprs) : group_complete(s, copy, pending),
                       "the wait is for this copy (8.9.1.1)");
    }
}

/* Arrives when all earlier cp.async of the thread are done; without .noinc the pending count grows
 * by one first, so that the phase waits for it. */
static void arrive_when_copied(struct unfold_step *s)
{
    struct builder *b = s->b;
    expr_id one = expr_const(b->exprs, 32, 1);
    struct mbarrier_change change = mbarrier_no_change(b);
    struct access a = access_at(s, &s->inst->operands[0], TAG(RLX));
    a.scope = SCOPE_CTA;
    if (!(s->inst->flags & FLAG_NOINC)) {
        change.more = one;
        a.position = step_next_position(s->run);
        step_next_position(s->run);
        mbarrier_update(s, a, change);
    }
    change = mbarrier_no_change(b);
    change.arrivals = one;
    a.tags = TAG(REL);
    a.thread = pseudo_thread(s);
    a.position = 0;
    event_id first = b->events.len;
    mbarrier_update(s, a, change);
    for (event_id e = first; e < b->events.len; e++)
        for (uint32_t i = 0; i < s->run->copies.len; i++)
            if (!s->run->copies.at[i].bulk)
                order_copy(s, &s->run->copies.at[i], e, false, expr_true(b->exprs),
                           "the arrival follows the copies of its thread (8.9.1.1)");
}

void step_async(struct unfold_step *s)
{
    static void (*const steps[OP_COUNT])(struct unfold_step * s) = {
        [OP_CP_ASYNC] = copy_small,
        [OP_CP_ASYNC_COMMIT] = commit,
        [OP_CP_ASYNC_BULK_COMMIT] = commit,
        [OP_CP_ASYNC_WAIT_GROUP] = wait_group,
        [OP_CP_ASYNC_WAIT_ALL] = wait_group,
        [OP_CP_ASYNC_BULK_WAIT] = wait_group,
        [OP_CP_ASYNC_MBARRIER_ARRIVE] = arrive_when_copied,
        [OP_CP_ASYNC_BULK] = copy_bulk,
        [OP_CP_REDUCE_ASYNC_BULK] = copy_bulk,
        [OP_CP_ASYNC_BULK_TENSOR] = copy_box,
        [OP_CP_REDUCE_ASYNC_BULK_TENSOR] = copy_box,
        [OP_ST_BULK] = fill,
        [OP_ST_ASYNC] = store_later,
        [OP_RED_ASYNC] = store_later,
    };
    steps[s->inst->op](s);
}
