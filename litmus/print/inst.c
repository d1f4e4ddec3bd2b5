/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/print/printer.h"

/* One instruction: mnemonic, modifiers in one order, operands. */

static void word(struct printer *printer, const char *text)
{
    if (*text)
        g_string_append_printf(printer->out, ".%s", text);
}

static void flags(struct printer *printer, const struct inst *inst, char class, uint32_t mask)
{
    size_t count;
    const struct isa_word *words = isa_words(&count);
    uint32_t left = inst->flags & mask;
    for (size_t i = 0; i < count; i++)
        if (words[i].class == class && (left & words[i].value) &&
            isa_word_fits(&words[i], inst->op)) {
            word(printer, words[i].text);
            left &= ~words[i].value;
        }
}

static bool accepts(const struct inst *inst, char class)
{
    return strchr(op_modifiers(inst->op), class);
}

/* The dialect's word for an access through another proxy. */
static const char *access_word(const struct inst *inst)
{
    if (inst->flags & FLAG_NC || (inst->op == OP_LD && inst->space == SPACE_CONST))
        return op_mnemonic(inst->op);
    switch (inst->proxy) {
    case PROXY_TEXTURE:
        return "tld";
    case PROXY_CONSTANT:
        return "cold";
    case PROXY_TENSORMAP:
        return "tmld";
    case PROXY_SURFACE:
        return inst->op == OP_LD     ? "suld"
               : inst->op == OP_ST   ? "sust"
               : inst->op == OP_ATOM ? "suatom"
                                     : "sured";
    default:
        return op_mnemonic(inst->op);
    }
}

static const char *branch_word(enum cmp cmp)
{
    switch (cmp) {
    case CMP_EQ:
        return "beq";
    case CMP_NE:
        return "bne";
    case CMP_LT:
        return "blt";
    case CMP_LE:
        return "ble";
    case CMP_GT:
        return "bgt";
    case CMP_GE:
        return "bge";
    default: /* there is no other such branch */
        abort();
    }
}

static const char *mnemonic(const struct inst *inst)
{
    bool dialect = inst->flags & FLAG_DIALECT;
    switch (inst->op) {
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
        return access_word(inst);
    case OP_BRANCH_COMPARE:
        return branch_word(inst->cmp);
    case OP_BAR_SYNC:
        return dialect ? "bar.cta.sync" : op_mnemonic(inst->op);
    case OP_BAR_ARRIVE:
        return dialect ? "bar.cta.arrive" : op_mnemonic(inst->op);
    case OP_CP_ASYNC:
        return "cp.async.ca";
    default:
        return op_mnemonic(inst->op);
    }
}

static void fence_words(struct printer *printer, const struct inst *inst)
{
    bool one_way =
        inst->fence_kind == FENCE_PROXY_RELEASE || inst->fence_kind == FENCE_PROXY_ACQUIRE;
    bool restricted =
        inst->fence_kind == FENCE_RESTRICT_RELEASE || inst->fence_kind == FENCE_RESTRICT_ACQUIRE;
    const char *space = inst->space == SPACE_SHARED ? "shared::cta" : space_name(inst->space);
    if (inst->fence_kind == FENCE_PROXY || one_way) {
        word(printer, "proxy");
        word(printer, proxy_name(inst->proxy));
        if (one_way && inst->proxy != PROXY_ALIAS)
            g_string_append(printer->out, "::generic");
    }
    if (inst->fence_kind == FENCE_MBARRIER_INIT)
        word(printer, "mbarrier_init");
    word(printer, sem_name(inst->sem));
    if ((restricted || one_way) && inst->space != SPACE_GENERIC)
        g_string_append_printf(printer->out, ".sync_restrict::%s", space);
    else
        word(printer, space);
    word(printer, scope_name(inst->scope));
}

static void completion(struct printer *printer, const struct inst *inst)
{
    if (accepts(inst, 'G'))
        word(printer, inst->operand_count == 4 ? "mbarrier::complete_tx::bytes" : "bulk_group");
}

/* Bulk copies have no '.shared': its CTA has to be named. */
static const char *bulk_space(const struct inst *inst, enum space space)
{
    bool bulk = inst->op == OP_CP_ASYNC_BULK || inst->op == OP_CP_REDUCE_ASYNC_BULK;
    return bulk && space == SPACE_SHARED ? "shared::cta" : space_name(space);
}

static bool hides_weak(const struct inst *inst)
{
    return inst->flags & (FLAG_NC | FLAG_VOLATILE) || inst->space == SPACE_PARAM;
}

static void semantics(struct printer *printer, const struct inst *inst)
{
    bool strong = inst->sem != SEM_WEAK && !(inst->flags & FLAG_VOLATILE);
    if (accepts(inst, 'S') && !hides_weak(inst))
        word(printer, sem_name(inst->sem));
    if (accepts(inst, 'C') && strong)
        word(printer, scope_name(inst->scope));
}

static void modifiers(struct printer *printer, const struct inst *inst)
{
    const uint32_t late = FLAG_ALIGNED | FLAG_NC;
    if (inst->op == OP_FENCE) {
        fence_words(printer, inst);
        return;
    }
    flags(printer, inst, 'F', ~late);
    semantics(printer, inst);
    word(printer, bulk_space(inst, inst->space));
    word(printer, bulk_space(inst, inst->source_space));
    completion(printer, inst);
    flags(printer, inst, 'F', FLAG_NC);
    word(printer, atom_op_name(inst->atom_op));
    if (accepts(inst, 'K') && inst->op != OP_BRANCH_COMPARE)
        word(printer, cmp_name(inst->cmp));
    word(printer, bool_op_name(inst->bool_op));
    flags(printer, inst, 'R', ~0u);
    flags(printer, inst, 'F', FLAG_ALIGNED);
    if (inst->vector > 1)
        g_string_append_printf(printer->out, ".v%u", inst->vector);
    word(printer, type_name(inst->flags & FLAG_WIDE ? inst->source_type : inst->type));
    if (!(inst->flags & FLAG_WIDE))
        word(printer, type_name(inst->source_type));
}

static const char *label_name(const struct body *body, uint32_t target)
{
    for (uint32_t i = 0; i < body->label_count; i++)
        if (body->labels[i].target == target)
            return body->labels[i].name;
    return "?";
}

static void offset(struct printer *printer, uint64_t value)
{
    if (value)
        g_string_append_printf(printer->out, "%+" PRId64, (int64_t)value);
}

/* The type whose bits an immediate of the instruction is. */
static enum type immediate_type(const struct inst *inst)
{
    if (inst->op == OP_CVT || inst->op == OP_SET)
        return inst->source_type;
    return accepts(inst, 'T') ? inst->type : TYPE_NONE;
}

static void immediate(struct printer *printer, const struct inst *inst, uint64_t value)
{
    enum type type = immediate_type(inst);
    if (type == TYPE_F32)
        g_string_append_printf(printer->out, "0f%08" PRIX64, value);
    else if (type == TYPE_F64)
        g_string_append_printf(printer->out, "0d%016" PRIX64, value);
    else
        g_string_append_printf(printer->out, "%" PRId64, (int64_t)value);
}

static bool is_column(const struct test *test, const struct body *body)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (&test->bodies[test->columns[i].body] == body)
            return true;
    return false;
}

static void operand(struct printer *printer, const struct body *body, const struct inst *inst,
                    const struct operand *op);

static void operand_list(struct printer *printer, const struct body *body, const struct inst *inst,
                         const struct operand *list, uint32_t count, const char *between)
{
    for (uint32_t i = 0; i < count; i++) {
        g_string_append(printer->out, i ? between : "");
        operand(printer, body, inst, &list[i]);
    }
}

/* In a program for ptxas a location is a register: its address, generic or in the shared window. */
static const char *location_name(const struct printer *printer, const struct inst *inst,
                                 uint32_t index)
{
    const struct location *location = &printer->test->locations[index];
    if (!printer->ptxas)
        return location->name;
    bool window = location->space == SPACE_SHARED && inst->space != SPACE_GENERIC;
    return arena_printf(printer->arena, "%s_%s", window ? "shared" : "at", location->name);
}

static void memory(struct printer *printer, const struct body *body, const struct inst *inst,
                   const struct operand *op)
{
    const char *base = op->kind == OPERAND_PARAM   ? body->params[op->param].name
                       : op->kind == OPERAND_FRAME ? body->frame[op->param].name
                       : op->reg != NONE           ? body->regs[op->reg].name
                                                   : location_name(printer, inst, op->location);
    g_string_append_printf(printer->out, "[%s", base);
    offset(printer, op->value);
    g_string_append_c(printer->out, ']');
}

/* In a column '&' tells an address from a value; PTX needs no mark. */
static void symbol(struct printer *printer, const struct body *body, const struct inst *inst,
                   const struct operand *op)
{
    if (is_column(printer->test, body) && !printer->ptxas)
        g_string_append_c(printer->out, '&');
    g_string_append(printer->out, location_name(printer, inst, op->location));
    offset(printer, op->value);
}

static void operand(struct printer *printer, const struct body *body, const struct inst *inst,
                    const struct operand *op)
{
    if (op->negated)
        g_string_append_c(printer->out, '!');
    switch (op->kind) {
    case OPERAND_REG:
        g_string_append(printer->out, body->regs[op->reg].name);
        break;
    case OPERAND_IMM:
        immediate(printer, inst, op->value);
        break;
    case OPERAND_SYMBOL:
        symbol(printer, body, inst, op);
        break;
    case OPERAND_MEMORY:
    case OPERAND_PARAM:
    case OPERAND_FRAME:
        memory(printer, body, inst, op);
        break;
    case OPERAND_FUNCTION:
        g_string_append(printer->out, printer->test->bodies[op->target].name);
        break;
    case OPERAND_SPECIAL:
        g_string_append(printer->out, special_name(op->special));
        break;
    case OPERAND_VECTOR:
        g_string_append_c(printer->out, '{');
        operand_list(printer, body, inst, op->parts, op->part_count, ", ");
        g_string_append_c(printer->out, '}');
        break;
    case OPERAND_PAIR:
        operand_list(printer, body, inst, op->parts, op->part_count, "|");
        break;
    case OPERAND_SINK:
        g_string_append_c(printer->out, '_');
        break;
    case OPERAND_LABEL:
        g_string_append(printer->out, label_name(body, op->target));
        break;
    }
}

/* The dialect's "A, B, C" again: A is only a label. A resource in a register needs one. */
static void dialect_barrier(struct printer *printer, const struct body *body,
                            const struct inst *inst)
{
    if (inst->operands[0].kind != OPERAND_IMM)
        g_string_append(printer->out, "0, ");
    else if (inst->operand_count == 2) {
        operand(printer, body, inst, &inst->operands[0]);
        g_string_append(printer->out, ", ");
    }
    operand_list(printer, body, inst, inst->operands, inst->operand_count, ", ");
}

/* "d, a{, b}, p" is kept as (d, a, p, b). */
static void red_operands(struct printer *printer, const struct body *body, const struct inst *inst)
{
    operand_list(printer, body, inst, inst->operands, 2, ", ");
    g_string_append(printer->out, ", ");
    if (inst->operand_count == 4) {
        operand(printer, body, inst, &inst->operands[3]);
        g_string_append(printer->out, ", ");
    }
    operand(printer, body, inst, &inst->operands[2]);
}

static void passed(struct printer *printer, const struct body *body, const struct operand *list)
{
    g_string_append_c(printer->out, '(');
    for (uint32_t i = 0; i < list->part_count; i++)
        g_string_append_printf(printer->out, "%s%s", i ? ", " : "",
                               body->frame[list->parts[i].param].name);
    g_string_append_c(printer->out, ')');
}

/* "call (returns), name, (parameters)"; an empty list of returns is left out. */
static void call_operands(struct printer *printer, const struct body *body, const struct inst *inst)
{
    if (inst->operands[0].part_count) {
        passed(printer, body, &inst->operands[0]);
        g_string_append(printer->out, ", ");
    }
    operand(printer, body, inst, &inst->operands[1]);
    g_string_append(printer->out, ", ");
    passed(printer, body, &inst->operands[2]);
}

static void operands(struct printer *printer, const struct body *body, const struct inst *inst)
{
    g_string_append(printer->out, inst->operand_count ? " " : "");
    if (inst->flags & FLAG_DIALECT && inst->operand_count)
        dialect_barrier(printer, body, inst);
    else if (inst->op == OP_BAR_RED)
        red_operands(printer, body, inst);
    else if (inst->op == OP_CALL)
        call_operands(printer, body, inst);
    else if (inst->op == OP_BRX) {
        operand(printer, body, inst, &inst->operands[0]);
        g_string_append_printf(printer->out, ", $targets%u", (unsigned)(inst - body->insts));
    } else
        operand_list(printer, body, inst, inst->operands, inst->operand_count, ", ");
}

/* brx.idx names a list of labels that stands before it. */
static void branch_targets(struct printer *printer, const struct body *body,
                           const struct inst *inst)
{
    if (inst->op != OP_BRX)
        return;
    const struct operand *list = &inst->operands[1];
    g_string_append_printf(printer->out, "$targets%u: .branchtargets ",
                           (unsigned)(inst - body->insts));
    operand_list(printer, body, inst, list->parts, list->part_count, ", ");
    g_string_append(printer->out, "; ");
}

void printer_inst(struct printer *printer, const struct body *body, const struct inst *inst)
{
    branch_targets(printer, body, inst);
    if (inst->guard != NONE)
        g_string_append_printf(printer->out, "@%s%s ", inst->guard_negated ? "!" : "",
                               body->regs[inst->guard].name);
    g_string_append(printer->out, mnemonic(inst));
    modifiers(printer, inst);
    operands(printer, body, inst);
}

const char *print_inst(struct arena *arena, const struct test *test, const struct body *body,
                       const struct inst *inst)
{
    struct text *text = text_open(arena);
    struct printer printer = {text->out, test, arena};
    printer_inst(&printer, body, inst);
    return text_close(text, arena);
}
