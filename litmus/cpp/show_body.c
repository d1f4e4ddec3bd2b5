/* SPDX-License-Identifier: MIT */
#include "litmus/base/text.h"
#include "litmus/cpp/program.h"

/* Instructions as text: much as PTX writes them, jumps with the number of the instruction. */

static void show_operand(GString *out, const struct cpp_program *program, const struct body *body,
                         const struct operand *operand)
{
    const char *location =
        operand->location != NONE ? program->locations.at[operand->location].name : NULL;
    const char *reg = operand->reg != NONE ? body->regs[operand->reg].name : "";
    switch (operand->kind) {
    case OPERAND_REG:
        g_string_append(out, reg);
        break;
    case OPERAND_IMM:
        g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64)operand->value);
        break;
    case OPERAND_LABEL:
        g_string_append_printf(out, "L%u", operand->target);
        break;
    case OPERAND_MEMORY:
        g_string_append_printf(out, "[%s", location ? location : reg);
        g_string_append_printf(out, operand->value ? "+%d]" : "]", (int)operand->value);
        break;
    default:
        g_string_append_printf(out, operand->value ? "&%s+%d" : "&%s", location,
                               (int)operand->value);
    }
}

static void show_words(GString *out, const struct inst *inst)
{
    const char *words[] = {sem_name(inst->sem),
                           scope_name(inst->scope),
                           atom_op_name(inst->atom_op),
                           cmp_name(inst->cmp),
                           inst->type ? type_name(inst->type) : "",
                           inst->source_type ? type_name(inst->source_type) : ""};
    g_string_append(out, op_mnemonic(inst->op));
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (words[i] && *words[i])
            g_string_append_printf(out, ".%s", words[i]);
        if (i == 0 && inst->failed_sem)
            g_string_append_printf(out, "/%s", sem_name(inst->failed_sem));
    }
}

static void show_inst(GString *out, const struct cpp_program *program, const struct body *body,
                      const struct inst *inst)
{
    if (inst->guard != NONE)
        g_string_append_printf(out, "@%s%s ", inst->guard_negated ? "!" : "",
                               body->regs[inst->guard].name);
    show_words(out, inst);
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        g_string_append(out, i ? ", " : " ");
        show_operand(out, program, body, &inst->operands[i]);
    }
    g_string_append_c(out, '\n');
}

const char *cpp_show_body(struct arena *arena, const struct cpp_program *program,
                          const struct body *body)
{
    struct text *text = text_open(arena);
    for (uint32_t i = 0; i < body->inst_count; i++) {
        g_string_append_printf(text->out, "%u: ", i);
        show_inst(text->out, program, body, &body->insts[i]);
    }
    return text_close(text, arena);
}
