/* SPDX-License-Identifier: MIT */
#include "litmus/mapping/translate.h"

/* Objects smaller than atom works on: each has a word to itself, which holds its value extended as its type says. */

/* The location that is accessed by its name; NONE: an address that is computed. */
static uint32_t accessed(const struct inst *inst)
{
    const struct operand *memory = inst_operand(inst, OPERAND_MEMORY);
    return memory && memory->reg == NONE ? memory->location : NONE;
}

static enum type wide(const struct translation *t, enum type type)
{
    return type_with(type_is_signed(type) ? 's' : 'u', t->mapping->smallest);
}

void mapping_widen(const struct translation *t, struct inst *inst)
{
    uint32_t location = accessed(inst);
    if (location == NONE || !t->is_wider[location])
        return;
    bool atom = inst->op == OP_ATOM, bits = inst->atom_op == ATOM_EXCH || inst->atom_op == ATOM_CAS;
    inst->type = atom ? type_with(bits ? 'b' : 'u', t->mapping->smallest)
                      : wide(t, t->from->locations[location].type);
}

/* ---- values that do not fit ----------------------------------------------------------------- */

static bool has_loop(const struct translation *t)
{
    for (uint32_t i = 0; i < t->from->body_count; i++)
        for (uint32_t k = 0; k < t->from->bodies[i].inst_count; k++) {
            const struct inst *inst = &t->from->bodies[i].insts[k];
            if (inst->op == OP_BRA && inst->operands[0].target <= k)
                return true;
        }
    return false;
}

/* What the instruction may put there or add at most; UINT64_MAX: anything. */
static uint64_t most_of(const struct inst *inst, uint32_t location)
{
    bool writes = inst->op == OP_ST || inst->op == OP_ATOM;
    const struct operand *last = &inst->operands[inst->operand_count - 1];
    if (!writes || (accessed(inst) != location && accessed(inst) != NONE))
        return 0;
    bool plain = inst->op == OP_ST || inst->atom_op == ATOM_EXCH || inst->atom_op == ATOM_CAS ||
                 inst->atom_op == ATOM_ADD;
    bool known = accessed(inst) == location && plain && last->kind == OPERAND_IMM;
    return known && last->value <= UINT16_MAX ? last->value : UINT64_MAX;
}

/* Has the object no value that is too large, nor a negative one, whatever is executed? */
static bool stays_low(const struct translation *t, uint32_t location)
{
    const struct location *of = &t->from->locations[location];
    uint64_t sum = of->init ? of->init[0].value : 0;
    uint64_t most = (1u << (8 * type_bytes(of->type) - 1)) - 1;
    if (t->from->launch_count || has_loop(t))
        return false;
    for (uint32_t i = 0; i < t->from->body_count && sum <= most; i++)
        for (uint32_t k = 0; k < t->from->bodies[i].inst_count && sum <= most; k++) {
            uint64_t more = most_of(&t->from->bodies[i].insts[k], location);
            sum = more == UINT64_MAX ? more : sum + more;
        }
    return sum <= most;
}

bool mapping_wraps(const struct translation *t, const struct inst *inst)
{
    uint32_t location = accessed(inst);
    bool small = inst->op == OP_ATOM && location != NONE && t->is_wider[location];
    bool moves = inst->atom_op == ATOM_EXCH || inst->atom_op == ATOM_CAS;
    return small && !moves && (inst->atom_op != ATOM_ADD || !stays_low(t, location));
}

/* ---- the loop ------------------------------------------------------------------------------- */

static enum op operation(enum atom_op op)
{
    switch (op) {
    case ATOM_AND:
        return OP_AND;
    case ATOM_OR:
        return OP_OR;
    case ATOM_XOR:
        return OP_XOR;
    case ATOM_MIN:
        return OP_MIN;
    case ATOM_MAX:
        return OP_MAX;
    default:
        return OP_ADD;
    }
}

static struct inst *emit(struct translation *t, const struct inst *from, enum op op, enum type type,
                         uint32_t to)
{
    struct inst made = {.op = op, .type = type, .vector = 1, .guard = NONE, .span = from->span};
    made.operands[made.operand_count++] = mapping_register_operand(to, from->span);
    vec_push(t->arena, &t->insts, made);
    return &t->insts.at[t->insts.len - 1];
}

static void add(struct inst *inst, struct operand operand)
{
    inst->operands[inst->operand_count++] = operand;
}

/* What the object holds afterwards, in a register of its own. */
static uint32_t emit_result(struct translation *t, const struct inst *inst, uint32_t old)
{
    enum op op = operation(inst->atom_op);
    bool bits = op == OP_AND || op == OP_OR || op == OP_XOR;
    enum type narrow = t->from->locations[accessed(inst)].type, type = wide(t, narrow);
    uint32_t result = mapping_new_register(t, type), fitted = mapping_new_register(t, type);
    struct operand value = inst->operands[2];
    if (value.kind == OPERAND_IMM)
        value.value = type_is_signed(type) ? (uint64_t)(int32_t)value.value : (uint32_t)value.value;
    struct inst *compute =
        emit(t, inst, op, bits ? type_with('b', type_bytes(type)) : type, result);
    add(compute, mapping_register_operand(old, inst->span));
    add(compute, value);
    struct inst *fit = emit(t, inst, OP_CVT, type, fitted);
    fit->source_type = narrow;
    add(fit, mapping_register_operand(result, inst->span));
    return fitted;
}

void mapping_emit_loop(struct translation *t, const struct mapping_step *step,
                       const struct inst *inst, uint32_t old)
{
    enum type bits = type_with('b', t->mapping->smallest);
    uint32_t head = t->insts.len, differs = mapping_new_register(t, TYPE_PRED);
    uint32_t found = inst->operands[0].reg, result = emit_result(t, inst, old);
    struct inst cas = mapping_step_inst(t, step, inst, OP_ATOM);
    cas.atom_op = ATOM_CAS;
    cas.type = bits;
    cas.operand_count = 2;
    add(&cas, mapping_register_operand(old, inst->span));
    add(&cas, mapping_register_operand(result, inst->span));
    vec_push(t->arena, &t->insts, cas);
    struct inst *compare = emit(t, inst, OP_SETP, bits, differs);
    compare->cmp = CMP_NE;
    add(compare, mapping_register_operand(found, inst->span));
    add(compare, mapping_register_operand(old, inst->span));
    add(emit(t, inst, OP_MOV, bits, old), mapping_register_operand(found, inst->span));
    struct inst jump = {.op = OP_BRA, .vector = 1, .guard = differs, .span = inst->span};
    struct operand label = mapping_register_operand(NONE, inst->span);
    label.kind = OPERAND_LABEL;
    label.target = head;
    add(&jump, label);
    vec_push(t->arena, &t->insts, jump);
}

/* ---- which they are ------------------------------------------------------------------------- */

static bool refuse(struct translation *t, const struct inst *inst, bool looks)
{
    uint32_t bytes = type_bytes(inst->type);
    diag_add(t->diags, DIAG_mapping_unsupported, t->from->source, inst->span,
             looks ? "name an object of the initial state that is no array"
                   : "take --mapping library-small, or an object of 4 bytes",
             "PTX has no atom on %u byte%s, and the mapping '%s' has no way around it here", bytes,
             bytes == 1 ? "" : "s", t->mapping->name);
    return false;
}

/* The word around a small object is part of the operation; what else is in it would be too. */
static bool note_small(struct translation *t, const struct inst *inst, bool *is_wider)
{
    uint32_t location = accessed(inst);
    bool small = inst->op == OP_ATOM && type_bytes(inst->type) < 4;
    if (!small)
        return true;
    const struct mapping_row *row = mapping_row(t->mapping, inst);
    bool looks = false;
    for (uint32_t i = 0; row && i < row->step_count; i++)
        looks |= row->steps[i].form == MAPPING_IS_LOOK || row->steps[i].form == MAPPING_IS_FAIL;
    if (!looks || location == NONE || t->from->locations[location].array)
        return refuse(t, inst, looks);
    is_wider[location] = true;
    return true;
}

bool mapping_find_small(struct translation *t)
{
    bool *is_wider = ARENA_ARRAY(t->arena, bool, t->from->location_count + 1), good = true;
    for (uint32_t i = 0; i < t->from->body_count; i++)
        for (uint32_t k = 0; k < t->from->bodies[i].inst_count; k++)
            good = note_small(t, &t->from->bodies[i].insts[k], is_wider) && good;
    t->is_wider = is_wider;
    return good;
}

void mapping_widen_locations(const struct translation *t)
{
    struct test *test = t->to;
    test->locations = ARENA_ARRAY(t->arena, struct location, test->location_count + 1);
    for (uint32_t i = 0; i < test->location_count; i++) {
        test->locations[i] = t->from->locations[i];
        if (!t->is_wider[i])
            continue;
        test->locations[i].type = wide(t, t->from->locations[i].type);
        test->locations[i].element_bytes = t->mapping->smallest;
    }
}
