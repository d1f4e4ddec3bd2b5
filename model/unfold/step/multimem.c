/* SPDX-License-Identifier: MIT */
#include "model/graph/layout.h"
#include "model/unfold/step/access.h"
#include "model/unfold/step/float_value.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/step/operand.h"

/* multimem: an event on each replica, all of one place in program order and without an order among each other (PTX 8.2.3,
 * 9.7.9.17; ptx-model.md 2). The manual does not say that the common address is an alias as those of 8.2.2 are, so the
 * events have the addresses of the replicas. */

static bool find_replicas(struct unfold_step *s, const struct operand *memory,
                          const struct location **location, uint64_t *offset)
{
    uint64_t address;
    uint32_t index;
    const struct test *test = s->b->test;
    if (!expr_is_const(s->b->exprs, operand_address(s, memory).expr, &address) ||
        !layout_find(test, address, &index, offset)) {
        step_unsupported(s, "the address of '%s' is no constant", op_mnemonic(s->inst->op));
        return false;
    }
    *location = &test->locations[index];
    if ((*location)->replica_count)
        return true;
    step_undefined(s, "bad-multimem", "multimem is given an address of one device",
                   expr_true(s->b->exprs));
    return false;
}

static struct access replica_access(struct unfold_step *s, const struct location *location,
                                    uint32_t replica, uint64_t offset, bool reads)
{
    uint64_t base = operand_symbol(s->b, s->run->thread, location->replicas[replica]);
    return (struct access){.tags = TAG(GEN) | access_semantics_tag(s->inst->sem, reads),
                           .scope = s->inst->scope,
                           .thread = s->run->thread,
                           .guard = s->guard,
                           .bytes = type_bytes(s->inst->type),
                           .address = {expr_const(s->b->exprs, 64, base + offset), NULL}};
}

static struct unfold_value combine(struct unfold_step *s, struct unfold_value a,
                                   struct unfold_value b)
{
    enum type type = s->inst->type;
    expr_id sum = type_is_float(type) ? float_sum(s->b->exprs, type, a.expr, b.expr, false)
                                      : access_atom_result(s, s->inst->atom_op,
                                                           type_is_signed(type), a.expr, b.expr);
    return (struct unfold_value){sum, deps_union(&s->b->deps, a.deps, b.deps)};
}

/* The order in which more than two floats are added is not said. Of two halves the sum in .f32, rounded, is that in their
 * own precision. */
static bool is_known(const struct inst *inst, const struct location *location)
{
    bool adds = inst->op == OP_MULTIMEM_RED || location->replica_count <= 2;
    return !inst->atom_op || !type_is_float(inst->type) || (inst->atom_op == ATOM_ADD && adds);
}

/* An element on all replicas; 'value': what is stored or added, and of a load the result. */
static struct unfold_value on_replicas(struct unfold_step *s, const struct location *location,
                                       uint64_t offset, uint32_t position,
                                       struct unfold_value value)
{
    bool loads = s->inst->op == OP_MULTIMEM_LD_REDUCE, adds = s->inst->op == OP_MULTIMEM_RED;
    for (uint32_t i = 0; i < location->replica_count; i++) {
        struct access a = replica_access(s, location, i, offset, true);
        event_id read = NONE;
        a.position = position;
        if (adds)
            a.tags = TAG(GEN) | TAG(RLX) | TAG(RMW) | TAG(RED);
        if (loads || adds)
            read = access_add(s, EVENT_READ, &a);
        if (loads) {
            value = i ? combine(s, value, access_value(s, read)) : access_value(s, read);
            continue;
        }
        a.tags = TAG(GEN) | access_semantics_tag(s->inst->sem, false);
        a.value = adds ? combine(s, access_value(s, read), value) : value;
        if (adds) {
            a.tags |= TAG(RMW) | TAG(RED);
            a.position = position + 1;
            access_add_write(s, &a, read);
        } else {
            access_add(s, EVENT_WRITE, &a);
        }
    }
    return value;
}

void step_multimem(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    bool loads = inst->op == OP_MULTIMEM_LD_REDUCE;
    const struct operand *o = inst->operands, *values = loads ? &o[0] : &o[1];
    const struct location *location;
    uint64_t offset;
    if (!find_replicas(s, loads ? &o[1] : &o[0], &location, &offset))
        return;
    if (!is_known(inst, location)) {
        step_unsupported(s, "'%s.%s.%s' of %u replicas has no meaning in the axioms",
                         op_mnemonic(inst->op), atom_op_name(inst->atom_op), type_name(inst->type),
                         location->replica_count);
        return;
    }
    uint32_t position = step_next_position(s->run);
    if (inst->op == OP_MULTIMEM_RED)
        step_next_position(s->run);
    for (uint32_t i = 0; i < inst->vector && !s->b->failed; i++) {
        const struct operand *part = values->kind == OPERAND_VECTOR ? &values->parts[i] : values;
        struct unfold_value value = {0};
        if (!loads)
            value = operand_value(s, part, inst->type);
        value = on_replicas(s, location, offset + i * type_bytes(inst->type), position, value);
        if (loads)
            operand_write(s, part, inst->type, value);
    }
}
