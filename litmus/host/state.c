/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* What is known of variables where ways of the program meet: what is the same on every way. */

struct code_value *eval_save(const struct eval *e, uint32_t *count)
{
    struct code_value *known = ARENA_ARRAY(e->arena, struct code_value, e->cells.len);
    for (uint32_t i = 0; i < e->cells.len; i++)
        known[i] = e->cells.at[i]->value;
    *count = e->cells.len;
    return known;
}

bool eval_same_value(const struct code_value *a, const struct code_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_NOTHING:
    case VALUE_UNKNOWN:
        return true;
    case VALUE_STRING:
        return a->text && b->text ? !eval_order_of_texts(a->text, b->text)
                                  : !a->text && !b->text && a->name.offset == b->name.offset;
    case VALUE_NUMBER:
    case VALUE_FLOAT:
        return a->number == b->number;
    case VALUE_CONSTANT:
        return a->constant == b->constant;
    case VALUE_REGISTER:
        return a->operand.kind == b->operand.kind && a->operand.value == b->operand.value;
    case VALUE_ADDRESS:
        return a->location == b->location && a->number == b->number;
    case VALUE_CELL:
        return a->cell == b->cell && a->number == b->number;
    case VALUE_CHOICE:
        return a->choice == b->choice;
    case VALUE_OBJECT:
        return a->object == b->object;
    case VALUE_FUNCTION:
        return a->function == b->function;
    case VALUE_KERNEL:
        return a->name.offset == b->name.offset && a->kernel == b->kernel;
    }
    return false;
}

/* Is the number in the variable's register, if it has one? *type: of a float, that of its bits there. */
static bool is_in_register(const struct code_cell *cell, const struct code_value *value,
                           enum type *type)
{
    bool is_float = cell->shape->kind == SHAPE_NUMBER && type_is_float(cell->shape->type);
    *type = eval_float_type(value);
    if (value->kind == VALUE_FLOAT && is_float)
        *type = cell->shape->type;
    return value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER || eval_is_float(value);
}

/* Of one cell on two ways; a number is in the variable's register on both. */
static struct code_value merged(const struct code_cell *cell, const struct code_value *a,
                                const struct code_value *b)
{
    enum type types[2];
    bool numbers = is_in_register(cell, a, &types[0]) && is_in_register(cell, b, &types[1]) &&
                   types[0] == types[1];
    struct code_value either = {.kind = VALUE_UNKNOWN};
    if (eval_same_value(a, b))
        return *a;
    if (!numbers && (a->kind == VALUE_NOTHING || b->kind == VALUE_NOTHING)) {
        either = a->kind == VALUE_NOTHING ? *b : *a; /* nobody may read what was not assigned */
        if (either.kind != VALUE_NUMBER || cell->variable == NONE)
            return either;
        b = a = &either;
        numbers = true;
    }
    if (numbers && cell->variable != NONE) {
        either.kind = VALUE_REGISTER;
        either.type = types[0] ? types[0] : a->type;
        either.operand = (struct raw_operand){.kind = RAW_VARIABLE, .value = cell->variable};
        return either;
    }
    either.name = a->kind == VALUE_UNKNOWN ? a->name : b->name;
    return either;
}

uint32_t eval_new_aim(struct eval *e)
{
    struct aim aim = {.at = NONE};
    vec_push(e->arena, &e->aims, aim);
    return e->aims.len - 1;
}

bool eval_is_conditional(const struct eval *e)
{
    for (uint32_t i = 0; i < e->aims.len; i++)
        if (e->aims.at[i].is_reached && e->aims.at[i].at == NONE)
            return true;
    return false;
}

void eval_reach(struct eval *e, uint32_t index)
{
    struct aim *aim = &e->aims.at[index];
    if (e->is_dead || aim->at != NONE)
        return; /* backwards: nothing is known there of what changes */
    if (!aim->is_reached) {
        aim->known = eval_save(e, &aim->known_count);
        aim->is_reached = true;
        return;
    }
    for (uint32_t i = 0; i < aim->known_count; i++)
        aim->known[i] = merged(e->cells.at[i], &aim->known[i], &e->cells.at[i]->value);
}

void eval_place(struct eval *e, uint32_t index)
{
    eval_reach(e, index);
    struct aim *aim = &e->aims.at[index];
    aim->at = parse_body(e->p)->insts.len;
    for (uint32_t i = 0; aim->is_reached && i < aim->known_count; i++)
        e->cells.at[i]->value = aim->known[i];
    e->is_dead = e->is_dead && !aim->is_reached;
}
