/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "litmus/cpp/lower.h"

/* Registers, instructions and jumps of a thread. */

static uint32_t add_register(struct cpp_code *code, const char *name, enum type type,
                             struct span span)
{
    struct reg reg = {name, type, span};
    vec_push(code->arena, &code->regs, reg);
    return code->regs.len - 1;
}

uint32_t cpp_temporary(struct cpp_code *code, enum type type, struct span span)
{
    return add_register(code, arena_printf(code->arena, "%%%u", ++code->temporaries), type, span);
}

uint32_t cpp_named_register(struct cpp_code *code, const char *name, enum type type,
                            struct span span)
{
    const char *unique = name;
    for (unsigned i = 2; names_has(code->reg_names, 0, unique); i++)
        unique = arena_printf(code->arena, "%s$%u", name, i);
    uint32_t reg = add_register(code, unique, type, span);
    names_put(code->reg_names, 0, unique, strlen(unique), reg);
    return reg;
}

struct inst *cpp_emit(struct cpp_code *code, enum op op, enum type type, struct span span)
{
    struct inst inst = {.op = op, .type = type, .vector = 1, .guard = NONE, .span = span};
    if (op_group(op) == GROUP_ACCESS || op == OP_FENCE)
        inst.flags = FLAG_DIALECT;
    vec_push(code->arena, &code->insts, inst);
    return &code->insts.at[code->insts.len - 1];
}

static struct operand *add_operand(struct inst *inst, enum operand_kind kind)
{
    assert(inst->operand_count < MAX_OPERANDS);
    struct operand *operand = &inst->operands[inst->operand_count++];
    *operand = (struct operand){.kind = kind,
                                .reg = NONE,
                                .location = NONE,
                                .target = NONE,
                                .param = NONE,
                                .span = inst->span};
    return operand;
}

void cpp_add_register(struct inst *inst, uint32_t reg)
{
    add_operand(inst, OPERAND_REG)->reg = reg;
}

void cpp_add_number(struct inst *inst, uint64_t value)
{
    add_operand(inst, OPERAND_IMM)->value = value;
}

void cpp_add_special(struct inst *inst, enum special special)
{
    add_operand(inst, OPERAND_SPECIAL)->special = special;
}

void cpp_add_formal(struct inst *inst, uint32_t index)
{
    add_operand(inst, OPERAND_PARAM)->param = index;
}

void cpp_add_value(struct inst *inst, const struct cpp_operand *value)
{
    assert(value->form == CPP_FORM_NUMBER || value->form == CPP_FORM_REGISTER ||
           value->form == CPP_FORM_ADDRESS);
    if (value->form == CPP_FORM_NUMBER)
        cpp_add_number(inst, value->bits);
    else if (value->form == CPP_FORM_REGISTER)
        cpp_add_register(inst, value->reg);
    else {
        struct operand *operand = add_operand(inst, OPERAND_SYMBOL);
        operand->location = value->location;
        operand->value = value->bits;
    }
}

void cpp_add_object(struct inst *inst, const struct cpp_operand *object)
{
    struct operand *operand = add_operand(inst, OPERAND_MEMORY);
    operand->location = object->location;
    operand->reg = object->reg;
    operand->value = object->bits;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

uint32_t cpp_new_aim(struct cpp_code *code)
{
    vec_push(code->arena, &code->aims, NONE);
    return code->aims.len - 1;
}

void cpp_place(struct cpp_code *code, uint32_t aim)
{
    code->aims.at[aim] = code->insts.len;
    code->last_aim = code->insts.len;
}

void cpp_jump(struct cpp_code *code, uint32_t aim, struct span span)
{
    struct inst *inst = cpp_emit(code, OP_BRA, TYPE_NONE, span);
    add_operand(inst, OPERAND_LABEL)->target = aim;
}

void cpp_jump_if(struct cpp_code *code, uint32_t predicate, bool when, uint32_t aim,
                 struct span span)
{
    cpp_jump(code, aim, span);
    struct inst *inst = &code->insts.at[code->insts.len - 1];
    inst->guard = predicate;
    inst->guard_negated = !when;
}

/* Aims become instructions. */
void cpp_end_jumps(struct cpp_code *code)
{
    for (uint32_t i = 0; i < code->insts.len; i++) {
        struct operand *to = &code->insts.at[i].operands[0];
        if (code->insts.at[i].op == OP_BRA)
            to->target = code->aims.at[to->target];
    }
}
