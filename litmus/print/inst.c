/* SPDX-License-Identifier: MIT */
#include "litmus/print/inst.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/base/text.h"

/* Prints one instruction: mnemonic, modifiers in a fixed order, operands. */

static void word(struct printer *p, const char *text)
{
    if (*text)
        put_format(p, ".%s", text);
}

static void flags(struct printer *p, const struct inst *inst, char class, uint32_t mask)
{
    uint32_t left = inst->flags & mask;
    for (const struct isa_word *at = isa_words; at->text; at++)
        if (at->class == class && (left & at->value) && isa_word_fits(at, inst->op)) {
            word(p, at->text);
            left &= ~at->value;
        }
}

/* The dialect's word for an access through another proxy, or a branch that compares. */
static const char *dialect_word(const struct inst *inst)
{
    bool plain = inst->flags & FLAG_NC || (inst->op == OP_LD && inst->space == SPACE_CONST);
    enum proxy proxy = plain ? PROXY_GENERIC : inst->proxy;
    enum cmp cmp = inst->op == OP_BRANCH_COMPARE ? inst->cmp : CMP_NONE;
    for (const struct isa_spelling *at = isa_spellings; at->word; at++)
        if ((at->proxy || at->cmp) && at->proxy == proxy && at->cmp == cmp &&
            strcmp(at->stands_for, op_mnemonic(inst->op)) == 0)
            return at->word;
    return op_mnemonic(inst->op);
}

static const char *mnemonic(const struct inst *inst)
{
    if (op_group(inst->op) == GROUP_CTA_BARRIER && inst->flags & FLAG_DIALECT)
        return inst->op == OP_BAR_SYNC ? "bar.cta.sync" : "bar.cta.arrive";
    return inst->op == OP_CP_ASYNC ? "cp.async.ca" : dialect_word(inst);
}

static void matrix_words(struct printer *p, const struct matrix *m)
{
    if (m->m)
        put_format(p, m->k ? ".m%un%uk%u" : ".m%un%u", m->m, m->n, m->k);
    for (uint32_t i = 0; i < m->layouts; i++)
        word(p, m->columns[i] ? "col" : "row");
    if (m->count)
        put_format(p, ".x%u", m->count);
    word(p, m->transposed ? "trans" : "");
    for (uint32_t i = 0; i < m->element_count; i++)
        word(p, matrix_element_name(m->elements[i]));
    word(p, atom_op_name(m->bitwise));
    word(p, m->counts ? "popc" : "");
}

/* In the order in which the decoder takes them (decode/fence.c). */
static void fence_words(struct printer *p, const struct inst *inst)
{
    bool one_way =
        inst->fence_kind == FENCE_PROXY_RELEASE || inst->fence_kind == FENCE_PROXY_ACQUIRE;
    bool restricted =
        inst->fence_kind == FENCE_RESTRICT_RELEASE || inst->fence_kind == FENCE_RESTRICT_ACQUIRE;
    const char *space = inst->space == SPACE_SHARED ? "shared::cta" : space_name(inst->space);
    if (inst->fence_kind == FENCE_PROXY || one_way) {
        word(p, "proxy");
        word(p, one_way ? proxy_row(inst->proxy)->one_way_word : proxy_name(inst->proxy));
    }
    if (inst->fence_kind == FENCE_MBARRIER_INIT)
        word(p, "mbarrier_init");
    word(p, sem_name(inst->sem));
    if ((restricted || one_way) && inst->space != SPACE_GENERIC)
        put_format(p, ".sync_restrict::%s", space);
    else
        word(p, space);
    word(p, scope_name(inst->scope));
}

/* The coordinates of a box of a tensor, or NULL. */
static const struct operand *coordinates(const struct inst *inst)
{
    return op_accepts(inst->op, 'D') ? &inst->operands[op_operand(inst->op, 1) == 'm' ? 2 : 1]
                                     : NULL;
}

static void completion(struct printer *p, const struct inst *inst)
{
    if (op_accepts(inst->op, 'G'))
        word(p,
             inst->operand_count >= 4 || op_operand(inst->op, 2) == 'm' || inst->op == OP_TRY_CANCEL
                 ? "mbarrier::complete_tx::bytes"
                 : "bulk_group");
    if (inst->multicast)
        word(p, inst->multicast == 1 ? "multicast::cluster" : "multicast::cluster::all");
}

/* Bulk copies have no '.shared': its CTA has to be named. */
static const char *bulk_space(const struct inst *inst, enum space space)
{
    return op_accepts(inst->op, 'G') && space == SPACE_SHARED ? "shared::cta" : space_name(space);
}

static bool hides_weak(const struct inst *inst)
{
    return inst->flags & (FLAG_NC | FLAG_VOLATILE) || inst->space == SPACE_PARAM;
}

static void semantics(struct printer *p, const struct inst *inst)
{
    bool strong = inst->sem != SEM_WEAK && !(inst->flags & FLAG_VOLATILE);
    if (op_accepts(inst->op, 'S') && !hides_weak(inst))
        word(p, sem_name(inst->sem));
    if (op_accepts(inst->op, 'C') && strong)
        word(p, scope_name(inst->scope));
}

/* PTX asks for it wherever halves are added in memory (9.7.13.5, 9.7.9.25.4). */
static bool adds_halves(const struct inst *inst)
{
    bool in_memory =
        inst->op == OP_ATOM || inst->op == OP_RED || inst->op == OP_CP_REDUCE_ASYNC_BULK;
    return in_memory && inst->atom_op == ATOM_ADD && type_is_half(inst->type);
}

/* In one order, whichever they were written in. */
static void modifiers(struct printer *p, const struct inst *inst)
{
    const uint32_t late = FLAG_ALIGNED | FLAG_NC;
    if (inst->op == OP_FENCE) {
        fence_words(p, inst);
        return;
    }
    flags(p, inst, 'F', ~late);
    if (coordinates(inst))
        put_format(p, ".%ud", coordinates(inst)->part_count);
    if (inst->op == OP_PREFETCH_TENSOR)
        word(p, "L2");
    semantics(p, inst);
    word(p, bulk_space(inst, inst->space));
    word(p, bulk_space(inst, inst->source_space));
    put(p, inst->hints ? inst->hints : "");
    if (coordinates(inst))
        word(p, atom_op_name(inst->atom_op));
    completion(p, inst);
    flags(p, inst, 'F', FLAG_NC);
    if (!coordinates(inst))
        word(p, atom_op_name(inst->atom_op));
    word(p, inst->wide_sum ? "acc::f32" : "");
    word(p, adds_halves(inst) ? "noftz" : "");
    if (op_accepts(inst->op, 'K') && inst->op != OP_BRANCH_COMPARE)
        word(p, cmp_name(inst->cmp));
    word(p, bool_op_name(inst->bool_op));
    flags(p, inst, 'R', ~0u);
    flags(p, inst, 'E', ~0u);
    word(p, inst->satfinite ? "satfinite" : "");
    word(p, inst->relu ? "relu" : "");
    word(p, geometry_name(inst->geometry));
    flags(p, inst, 'F', FLAG_ALIGNED);
    if (inst->vector > 1)
        put_format(p, ".v%u", inst->vector);
    if (inst->matrix)
        matrix_words(p, inst->matrix);
    word(p, type_name(inst->flags & FLAG_WIDE ? inst->source_type : inst->type));
    if (!(inst->flags & FLAG_WIDE))
        word(p, type_name(inst->source_type));
    word(p, boundary_name(inst->boundary));
}

static const char *label_name(const struct body *body, uint32_t target)
{
    for (uint32_t i = 0; i < body->label_count; i++)
        if (body->labels[i].target == target)
            return body->labels[i].name;
    return "?";
}

/* ptxas takes "[r-8]" for no address, and wants "[r+-8]". */
static void offset(struct printer *p, uint64_t value)
{
    if (value && p->ptxas)
        put_format(p, "+%" PRId64, (int64_t)value);
    else if (value)
        put_format(p, "%+" PRId64, (int64_t)value);
}

static void immediate(struct printer *p, const struct inst *inst, uint64_t value)
{
    enum type type = inst_value_type(inst);
    const struct body *function = test_function_at(p->test, value);
    if (function)
        put(p, function->name);
    else if (type == TYPE_F32)
        put_format(p, "0f%08" PRIX64, value);
    else if (type == TYPE_F64)
        put_format(p, "0d%016" PRIX64, value);
    else
        put_format(p, "%" PRId64, (int64_t)value);
}

static void operand(struct printer *p, const struct inst *inst, const struct operand *op);

static void operand_list(struct printer *p, const struct inst *inst, const struct operand *list,
                         uint32_t count, const char *between)
{
    for (uint32_t i = 0; i < count; i++) {
        put(p, i ? between : "");
        operand(p, inst, &list[i]);
    }
}

/* In a program for ptxas a location is a register: its address, generic, in the shared window or in local memory. */
static const char *location_name(const struct printer *p, const struct inst *inst, uint32_t index)
{
    const struct location *location = &p->test->locations[index];
    if (!p->ptxas)
        return location->name;
    bool shared = location->space == SPACE_SHARED && inst->space != SPACE_GENERIC;
    bool local = location->space == SPACE_LOCAL && inst->space == SPACE_LOCAL;
    return arena_printf(p->arena, "%s_%s",
                        shared  ? "shared"
                        : local ? "local"
                                : "at",
                        print_ptxas_name(p->arena, p->test, index));
}

static void address(struct printer *p, const struct inst *inst, const struct operand *op)
{
    const char *base = op->kind == OPERAND_PARAM   ? p->body->params[op->param].name
                       : op->kind == OPERAND_FRAME ? p->body->frame[op->param].name
                       : op->reg != NONE           ? p->body->regs[op->reg].name
                                                   : location_name(p, inst, op->location);
    put(p, base);
    offset(p, op->value);
}

static void memory(struct printer *p, const struct inst *inst, const struct operand *op)
{
    put_char(p, '[');
    address(p, inst, op);
    put_char(p, ']');
}

/* In a column '&' tells an address from a value; PTX needs no mark. */
static void symbol(struct printer *p, const struct inst *inst, const struct operand *op)
{
    if (p->body->dialect && !p->ptxas)
        put_char(p, '&');
    put(p, location_name(p, inst, op->location));
    offset(p, op->value);
}

static void operand(struct printer *p, const struct inst *inst, const struct operand *op)
{
    if (op->negated)
        put_char(p, '!');
    switch (op->kind) {
    case OPERAND_REG:
        put(p, p->body->regs[op->reg].name);
        break;
    case OPERAND_IMM:
        immediate(p, inst, op->value);
        break;
    case OPERAND_SYMBOL:
        symbol(p, inst, op);
        break;
    case OPERAND_MEMORY:
    case OPERAND_PARAM:
    case OPERAND_FRAME:
        memory(p, inst, op);
        break;
    case OPERAND_FUNCTION:
        put(p, op->target == NONE ? system_row((enum system)op->value)->name
                                  : p->test->bodies[op->target].name);
        break;
    case OPERAND_SPECIAL:
        put(p, special_name(op->special));
        break;
    case OPERAND_VECTOR:
        put_char(p, '{');
        operand_list(p, inst, op->parts, op->part_count, ", ");
        put_char(p, '}');
        break;
    case OPERAND_PAIR:
        operand_list(p, inst, op->parts, op->part_count, "|");
        break;
    case OPERAND_SINK:
        put_char(p, '_');
        break;
    case OPERAND_FRACTION: /* of launches only, and there none is left */
        break;
    case OPERAND_LABEL:
        put(p, label_name(p->body, op->target));
        break;
    }
}

/* The dialect's "A, B, C" again: A is only a label. A resource in a register needs one. */
static void dialect_barrier(struct printer *p, const struct inst *inst)
{
    if (inst->operands[0].kind != OPERAND_IMM)
        put(p, "0, ");
    else if (inst->operand_count == 2) {
        operand(p, inst, &inst->operands[0]);
        put(p, ", ");
    }
    operand_list(p, inst, inst->operands, inst->operand_count, ", ");
}

/* "d, a{, b}, p" is kept as (d, a, p, b). */
static void red_operands(struct printer *p, const struct inst *inst)
{
    operand_list(p, inst, inst->operands, 2, ", ");
    put(p, ", ");
    if (inst->operand_count == 4) {
        operand(p, inst, &inst->operands[3]);
        put(p, ", ");
    }
    operand(p, inst, &inst->operands[2]);
}

static void passed(struct printer *p, const struct operand *list)
{
    put_char(p, '(');
    for (uint32_t i = 0; i < list->part_count; i++)
        put_format(p, "%s%s", i ? ", " : "", p->body->frame[list->parts[i].param].name);
    put_char(p, ')');
}

/* "call (returns), name, (parameters)"; an empty list of returns is left out. */
static void call_operands(struct printer *p, const struct inst *inst)
{
    if (inst->operands[0].part_count) {
        passed(p, &inst->operands[0]);
        put(p, ", ");
    }
    operand(p, inst, &inst->operands[1]);
    put(p, ", ");
    passed(p, &inst->operands[2]);
}

/* "[m, {x, y}]": the coordinates are kept behind the addresses. */
static void tensor_operands(struct printer *p, const struct inst *inst)
{
    const struct operand *box = coordinates(inst);
    uint32_t map = inst->space != SPACE_GLOBAL && box > &inst->operands[1] ? 1 : 0;
    const char *between = "";
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        if (&inst->operands[i] == box)
            continue;
        put(p, between);
        between = ", ";
        if (i != map) {
            operand(p, inst, &inst->operands[i]);
            continue;
        }
        put_char(p, '[');
        address(p, inst, &inst->operands[i]);
        put(p, ", ");
        operand(p, inst, box);
        put_char(p, ']');
    }
}

/* "[object, {coordinates}]" is two operands. */
static void texture_operands(struct printer *p, const struct inst *inst)
{
    bool in_object = false;
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        bool object = op_operand(inst->op, i) == 'm';
        put(p, i ? ", " : "");
        if (object)
            address(p, inst, &inst->operands[i]);
        else
            operand(p, inst, &inst->operands[i]);
        if (in_object || (object && i + 1 == inst->operand_count))
            put_char(p, ']');
        in_object = object;
    }
}

static void operands(struct printer *p, const struct inst *inst)
{
    put(p, inst->operand_count ? " " : "");
    if (inst->flags & FLAG_DIALECT && inst->operand_count)
        dialect_barrier(p, inst);
    else if (coordinates(inst))
        tensor_operands(p, inst);
    else if (inst->op == OP_BAR_RED)
        red_operands(p, inst);
    else if (inst->op == OP_CALL)
        call_operands(p, inst);
    else if (op_group(inst->op) == GROUP_TEXTURE)
        texture_operands(p, inst);
    else if (inst->op == OP_BRX) {
        operand(p, inst, &inst->operands[0]);
        put_format(p, ", $targets%u", (unsigned)(inst - p->body->insts));
    } else
        operand_list(p, inst, inst->operands, inst->operand_count, ", ");
}

/* brx.idx names a list of labels that stands before it. */
static void branch_targets(struct printer *p, const struct inst *inst)
{
    if (inst->op != OP_BRX)
        return;
    const struct operand *list = &inst->operands[1];
    put_format(p, "$targets%u: .branchtargets ", (unsigned)(inst - p->body->insts));
    operand_list(p, inst, list->parts, list->part_count, ", ");
    put(p, "; ");
}

void printer_inst(struct printer *p, const struct inst *inst)
{
    branch_targets(p, inst);
    if (inst->guard != NONE)
        put_format(p, "@%s%s ", inst->guard_negated ? "!" : "", p->body->regs[inst->guard].name);
    put(p, mnemonic(inst));
    modifiers(p, inst);
    operands(p, inst);
}

void printer_labels(struct printer *p, uint32_t target, uint32_t *next)
{
    for (; *next < p->body->label_count && p->body->labels[*next].target == target; ++*next)
        put_format(p, "%s:\n", p->body->labels[*next].name);
}

void printer_code(struct printer *p, const char *before, const char *after)
{
    uint32_t label = 0;
    for (uint32_t i = 0; i < p->body->inst_count; i++) {
        printer_labels(p, i, &label);
        put(p, before);
        printer_inst(p, &p->body->insts[i]);
        put(p, after);
    }
    printer_labels(p, p->body->inst_count, &label);
}

const char *print_inst(struct arena *arena, const struct test *test, const struct body *body,
                       const struct inst *inst)
{
    struct text *text = text_open(arena);
    struct printer p = {.out = text->out, .test = test, .arena = arena, .body = body};
    printer_inst(&p, inst);
    return text_close(text, arena);
}
