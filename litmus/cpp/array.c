/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/lower.h"

/* Arrays of a thread, "int seen[2];": each element is a register, and one that a register chooses is found by comparing
 * the index with all of them. An index outside of the array is undefined, as an access outside of one in memory is. */

enum { MOST_LOCAL_ELEMENTS = 64 };

static const struct cpp_expr *const *values_of(const struct cpp_declarator *one, uint32_t *count)
{
    bool list = one->value && one->value->kind == CPP_LIST;
    *count = list ? one->value->kid_count : one->given_count;
    return list ? one->value->kids : one->given;
}

/* How many elements; 0 after a report. */
static uint32_t length(struct cpp_code *code, const struct cpp_declarator *one)
{
    uint32_t given, insts = code->insts.len;
    struct cpp_operand value;
    values_of(one, &given);
    value = cpp_number(given, TYPE_S32);
    if (one->type->length && !cpp_lower_value(code, one->type->length, &value))
        return 0;
    bool good = value.form == CPP_FORM_NUMBER && code->insts.len == insts && value.bits &&
                value.bits <= MOST_LOCAL_ELEMENTS && given <= value.bits;
    if (!good)
        code_error(code, bad_array, one->span, NULL,
                   "an array of a thread has 1 to %d elements, and as many initial values at most",
                   MOST_LOCAL_ELEMENTS);
    return good ? (uint32_t)value.bits : 0;
}

static bool element_kind(struct cpp_code *code, const struct cpp_declarator *one,
                         struct cpp_kind *kind)
{
    bool is_reference;
    if (!cpp_kind_of(code, one->type->to, kind, &is_reference))
        return false;
    if (!is_reference && (kind->is_pointer || (!kind->is_atomic && kind->type != TYPE_NONE)))
        return true;
    code_error(code, cpp_refused, one->span, "declare it in the initial state",
               "an array of a thread has integers or pointers");
    return false;
}

static struct cpp_operand element(const struct cpp_operand *array, uint32_t index)
{
    struct cpp_operand made = cpp_in_register(array->reg + index, array->kind);
    made.is_variable = true;
    return made;
}

bool cpp_declare_array(struct cpp_code *code, const struct cpp_declarator *one)
{
    uint32_t given, count = length(code, one), first = code->regs.len;
    const struct cpp_expr *const *values = values_of(one, &given);
    struct cpp_operand array = {.form = CPP_FORM_ARRAY, .bits = count, .reg = first};
    array.location = NONE;
    if (!count || !element_kind(code, one, &array.kind))
        return false;
    for (uint32_t i = 0; i < count; i++)
        cpp_named_register(code, arena_printf(code->arena, "%s_%u", one->name, i),
                           cpp_value_type(array.kind), one->name_span);
    for (uint32_t i = 0; i < count && (one->is_given || one->value); i++) {
        struct cpp_operand value = cpp_number(0, TYPE_S32), to = element(&array, i);
        if ((i < given && !cpp_lower_value(code, values[i], &value)) ||
            !cpp_write(code, &to, &value, one->span))
            return false;
    }
    cpp_add_variable(code, one->name, array);
    return true;
}

/* The predicate that the index is that number. */
static uint32_t is_chosen(struct cpp_code *code, const struct cpp_operand *choice, uint64_t number,
                          enum cmp cmp, struct span span)
{
    struct cpp_operand index = cpp_in_register(choice->index, cpp_integer_kind(TYPE_U64)), is;
    struct cpp_operand of = cpp_number(number, TYPE_U64);
    cpp_compare(code, cmp, &index, &of, span, &is);
    return is.reg;
}

bool cpp_array_element(struct cpp_code *code, const struct cpp_operand *array,
                       struct cpp_operand index, struct span span, struct cpp_operand *to)
{
    if (index.form == CPP_FORM_NUMBER) {
        if (index.bits < array->bits) {
            *to = element(array, (uint32_t)index.bits);
            return true;
        }
        code_error(code, bad_array, span, NULL, "this array has %u elements",
                   (unsigned)array->bits);
        return false;
    }
    if (!cpp_convert(code, &index, cpp_integer_kind(TYPE_S64), span))
        return false;
    *to = *array;
    to->form = CPP_FORM_CHOICE;
    to->is_variable = true;
    to->index = cpp_temporary(code, TYPE_U64, span); /* the variable may change */
    cpp_move(code, to->index, &index, span);
    uint32_t outside = is_chosen(code, to, array->bits, CMP_GE, span);
    struct inst *inst = cpp_emit(code, OP_TRAP, TYPE_NONE, span);
    inst->guard = outside;
    return true;
}

/* to = p ? a : b */
static void choose(struct cpp_code *code, uint32_t to, const struct cpp_operand *a, uint32_t b,
                   uint32_t predicate, struct span span)
{
    struct inst *inst = cpp_emit(code, OP_SELP, code->regs.at[to].type, span);
    cpp_add_register(inst, to);
    cpp_add_value(inst, a);
    cpp_add_register(inst, b);
    cpp_add_register(inst, predicate);
}

void cpp_read_choice(struct cpp_code *code, struct cpp_operand *choice, struct span span)
{
    uint32_t reg = cpp_temporary(code, code->regs.at[choice->reg].type, span);
    struct cpp_operand first = element(choice, 0);
    cpp_move(code, reg, &first, span);
    for (uint32_t i = 1; i < choice->bits; i++) {
        struct cpp_operand one = element(choice, i);
        choose(code, reg, &one, reg, is_chosen(code, choice, i, CMP_EQ, span), span);
    }
    *choice = cpp_in_register(reg, choice->kind);
}

bool cpp_write_choice(struct cpp_code *code, const struct cpp_operand *choice,
                      struct cpp_operand *value, struct span span)
{
    if (!cpp_convert(code, value, choice->kind, span))
        return false;
    for (uint32_t i = 0; i < choice->bits; i++)
        choose(code, choice->reg + i, value, choice->reg + i,
               is_chosen(code, choice, i, CMP_EQ, span), span);
    return true;
}
