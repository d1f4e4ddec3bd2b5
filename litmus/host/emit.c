/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Instructions of host code. */

void eval_emit(struct eval *e, struct raw_inst inst, const struct raw_operand *operands,
               uint32_t count, struct span span)
{
    size_t bytes = sizeof *operands * count;
    if (e->is_dead || e->left)
        return;
    inst.host = true;
    inst.operand_count = count;
    inst.operands = count ? arena_grow(e->arena, (void *)operands, bytes, bytes) : NULL;
    inst.span = span;
    vec_push(e->arena, &parse_body(e->p)->insts, inst);
}

struct raw_operand eval_number_operand(uint64_t number, struct span span)
{
    return (struct raw_operand){.kind = RAW_NUMBER, .value = number, .span = span};
}

struct raw_operand eval_temporary(struct eval *e, struct span span)
{
    return (struct raw_operand){
        .kind = RAW_TEMPORARY, .value = parse_body(e->p)->temporary_count++, .span = span};
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Two variables of one name are told apart by a number; so is one of a file from a location. */
static const char *unique_name(const struct eval *e, const char *name)
{
    const struct raw_body *body = parse_body(e->p);
    const char *unique = name;
    for (uint32_t number = 2;; number++) {
        bool taken = false;
        for (uint32_t i = 0; i < body->variables.len; i++)
            taken = taken || strcmp(body->variables.at[i].name, unique) == 0;
        taken = taken || (e->is_file && names_has(&e->p->location_names, NONE, unique));
        if (!taken)
            return unique;
        unique = arena_printf(e->arena, "%s$%u", name, number);
    }
}

/* "a[1].b" is no name of a register. */
static const char *register_name(const struct eval *e, const char *name)
{
    char *text = arena_strndup(e->arena, name, strlen(name));
    for (char *c = text; *c; c++)
        if (*c == '[' || *c == '.' || *c == ']' || *c == ':')
            *c = '_';
    return text;
}

static struct raw_operand variable(uint32_t index, struct span span)
{
    return (struct raw_operand){.kind = RAW_VARIABLE, .value = index, .span = span};
}

static uint32_t add_variable(struct eval *e, const char *name, bool is_inner)
{
    struct raw_body *body = parse_body(e->p);
    struct raw_variable variable = {unique_name(e, register_name(e, name)), is_inner, false};
    vec_push(e->arena, &body->variables, variable);
    return body->variables.len - 1;
}

struct raw_operand eval_variable(struct eval *e, struct code_cell *cell, struct span span)
{
    if (cell->variable == NONE)
        cell->variable = add_variable(e, cell->name, cell->is_inner);
    return variable(cell->variable, span);
}

struct code_value eval_new_variable(struct eval *e, enum type type, struct span span)
{
    const char *name = arena_printf(e->arena, "value$%u", parse_body(e->p)->variables.len + 1);
    return eval_in_register(variable(add_variable(e, name, true), span), type);
}

struct raw_operand eval_memory(const struct lvalue *place, struct span span)
{
    return (struct raw_operand){.kind = RAW_PLACE,
                                .location = place->location,
                                .value = place->offset,
                                .offset = place->offset > 0,
                                .span = place->span.length ? place->span : span};
}

bool eval_operand(struct eval *e, const struct code_value *value, struct span span,
                  struct raw_operand *to)
{
    switch (value->kind) {
    case VALUE_NUMBER:
        *to = eval_number_operand(value->number, span);
        return true;
    case VALUE_REGISTER:
        *to = value->operand;
        to->span = span;
        return true;
    case VALUE_CONSTANT:
        *to = eval_number_operand(value->number, span);
        return true;
    default:
        return eval_needs(e, value, span, "a number");
    }
}

bool eval_retarget(struct eval *e, const struct raw_operand *from, struct raw_operand to)
{
    struct raw_body *body = parse_body(e->p);
    struct raw_inst *last = body->insts.len ? &body->insts.at[body->insts.len - 1] : NULL;
    if (from->kind != RAW_TEMPORARY || !last || !last->operand_count ||
        last->operands[0].kind != RAW_TEMPORARY || last->operands[0].value != from->value)
        return false;
    last->operands[0] = to;
    return true;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static struct raw_operand target(uint32_t aim, struct span span)
{
    return (struct raw_operand){.kind = RAW_TARGET, .value = aim, .span = span};
}

void eval_jump(struct eval *e, uint32_t aim, struct span span)
{
    struct raw_operand to = target(aim, span);
    if (e->left)
        return;
    eval_reach(e, aim);
    eval_emit(e, (struct raw_inst){.op = OP_BRA}, &to, 1, span);
    e->is_dead = true;
}

void eval_jump_if_floats(struct eval *e, enum cmp cmp, enum type type,
                         const struct raw_operand operands[2], uint32_t aim, struct span span)
{
    struct raw_operand all[3] = {operands[0], operands[1], target(aim, span)};
    struct raw_inst jump = {.op = OP_BRANCH_COMPARE, .cmp = cmp, .type = type};
    eval_reach(e, aim);
    eval_emit(e, jump, all, 3, span);
}

void eval_jump_if(struct eval *e, enum cmp cmp, const struct raw_operand *left,
                  const struct raw_operand *right, uint32_t aim, struct span span)
{
    eval_jump_if_floats(e, cmp, TYPE_NONE, (struct raw_operand[2]){*left, *right}, aim, span);
}

void eval_fence(struct eval *e, enum sem sem, enum scope scope, struct span span)
{
    struct raw_inst fence = {.op = OP_FENCE, .sem = sem, .scope = scope};
    eval_emit(e, fence, NULL, 0, span);
}

void eval_undefined(struct eval *e, struct span span)
{
    eval_emit(e, (struct raw_inst){.op = OP_TRAP}, NULL, 0, span);
    e->is_dead = true;
}

/* ---- the end -------------------------------------------------------------------------------- */

static bool is_jump(const struct raw_inst *inst)
{
    return inst->op == OP_BRA || inst->op == OP_BRANCH_COMPARE;
}

static struct raw_operand *jump_target(struct raw_inst *inst)
{
    return &inst->operands[inst->operand_count - 1];
}

static bool is_variable(const struct raw_operand *operand, uint32_t variable)
{
    return operand->kind == RAW_VARIABLE && operand->value == variable;
}

static bool computes(const struct raw_inst *inst)
{
    return op_group(inst->op) == GROUP_ARITHMETIC || op_group(inst->op) == GROUP_LOGIC ||
           inst->op == OP_MOV;
}

/* What is written only for those who ask, and nobody can: constants, and counters of a program's rounds. */
static bool is_idle(const struct raw_body *body, const struct raw_inst *inst)
{
    const struct raw_operand *to = inst->operand_count ? &inst->operands[0] : NULL;
    if (!to || to->kind != RAW_VARIABLE || !computes(inst))
        return false;
    const struct raw_variable *variable = &body->variables.at[to->value];
    return !variable->is_read &&
           (variable->is_counter ||
            (inst->op == OP_MOV && variable->is_inner && inst->operands[1].kind == RAW_NUMBER));
}

/* Jumps to the next instruction and idle ones are left out; jumps go where they went. */
static void drop_idle(struct eval *e, struct raw_body *body)
{
    uint32_t count = body->insts.len, kept = 0;
    uint32_t *now = ARENA_ARRAY(e->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct raw_inst *inst = &body->insts.at[i];
        now[i] = kept;
        if (!(inst->op == OP_BRA && jump_target(inst)->value == i + 1) && !is_idle(body, inst))
            body->insts.at[kept++] = *inst;
    }
    now[count] = kept;
    body->insts.len = kept;
    for (uint32_t i = 0; i < kept; i++)
        if (is_jump(&body->insts.at[i]))
            jump_target(&body->insts.at[i])->value = now[jump_target(&body->insts.at[i])->value];
}

/* A variable that only itself is computed from is not read, unless by the question. */
static void note_reads(const struct eval *e, struct raw_body *body)
{
    for (uint32_t i = 0; i < body->variables.len; i++)
        body->variables.at[i].is_read = e->is_file && !body->variables.at[i].is_inner &&
                                        eval_is_asked(e, body->variables.at[i].name);
    for (uint32_t i = 0; i < body->insts.len; i++) {
        const struct raw_inst *inst = &body->insts.at[i];
        for (uint32_t k = op_writes(inst->op); k < inst->operand_count; k++) {
            const struct raw_operand *from = &inst->operands[k];
            if (from->kind != RAW_VARIABLE)
                continue;
            bool itself = e->is_file && computes(inst) &&
                          is_variable(&inst->operands[0], (uint32_t)from->value);
            body->variables.at[from->value].is_counter |= itself;
            body->variables.at[from->value].is_read |= !itself;
        }
    }
}

void eval_finish_body(struct eval *e)
{
    struct raw_body *body = parse_body(e->p);
    note_reads(e, body);
    for (uint32_t i = 0; i < body->insts.len; i++)
        if (is_jump(&body->insts.at[i])) {
            struct raw_operand *to = jump_target(&body->insts.at[i]);
            to->value = e->aims.at[to->value].at;
        }
    drop_idle(e, body);
}
