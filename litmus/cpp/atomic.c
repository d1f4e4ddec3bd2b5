/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/lower.h"

/* Atomic operations: ld, st and atom with the orders of C++. */

/* The value of an operand as the object has it. */
static bool fit_value(struct cpp_code *code, const struct cpp_operand *object,
                      struct cpp_operand *value, struct span span)
{
    return cpp_convert(code, value, cpp_value_kind(object->kind), span);
}

/* What is added to it; to a pointer, that many elements. */
static bool fit_change(struct cpp_code *code, const struct cpp_operand *object,
                       struct cpp_operand *value, struct span span)
{
    if (!object->kind.held)
        return fit_value(code, object, value, span);
    struct cpp_operand bytes = cpp_number(type_bytes(object->kind.held->type), TYPE_S64);
    return cpp_convert(code, value, cpp_integer_kind(TYPE_S64), span) &&
           cpp_binary(code, CPP_MARK_MUL, value, bytes, span) &&
           cpp_convert(code, value, cpp_integer_kind(TYPE_U64), span);
}

static bool is_object(struct cpp_code *code, const struct cpp_operand *object, struct span span)
{
    if (object->kind.class && !object->kind.is_pointer) {
        code_error(code, cpp_type, span, "call one of its methods",
                   "a latch or semaphore has no value that is read or written");
        return false;
    }
    if (object->form == CPP_FORM_OBJECT && !object->kind.is_pointer)
        return true;
    code_error(code, cpp_type, span, "declare it in the initial state",
               "an atomic operation is one on a location, not on a value of the thread");
    return false;
}

static struct cpp_operand result_of(const struct cpp_operand *object, uint32_t reg)
{
    return cpp_in_register(reg, cpp_value_kind(object->kind));
}

bool cpp_atomic_load(struct cpp_code *code, struct cpp_operand *object, enum sem sem,
                     struct span span)
{
    if (!is_object(code, object, span))
        return false;
    uint32_t reg = cpp_temporary(code, cpp_value_type(object->kind), span);
    struct inst *inst = cpp_emit(code, OP_LD, object->kind.type, span);
    inst->sem = sem;
    inst->scope = object->kind.scope;
    cpp_add_register(inst, reg);
    cpp_add_object(inst, object);
    *object = result_of(object, reg);
    return true;
}

bool cpp_atomic_store(struct cpp_code *code, const struct cpp_operand *object,
                      struct cpp_operand *value, enum sem sem, struct span span)
{
    if (!is_object(code, object, span) || !fit_value(code, object, value, span))
        return false;
    struct inst *inst = cpp_emit(code, OP_ST, object->kind.type, span);
    inst->sem = sem;
    inst->scope = object->kind.scope;
    cpp_add_object(inst, object);
    cpp_add_value(inst, value);
    return true;
}

/* Of 4 and 8 bytes those that PTX has; smaller ones exist in C++ only. */
static enum type update_type(enum atom_op op, enum type type)
{
    char kind = atom_row(op)->kind;
    if (type_bytes(type) < 4 || op == ATOM_MIN || op == ATOM_MAX)
        return type;
    if (op == ATOM_ADD)
        kind = type == TYPE_S32 ? 's' : 'u';
    return type_with(kind, type_bytes(type));
}

/* A pointer is exchanged, or moved by elements. */
static bool has_operation(struct cpp_code *code, const struct cpp_operand *object, enum atom_op op,
                          struct span span)
{
    bool has = !object->kind.held || op == ATOM_EXCH || op == ATOM_ADD || op == ATOM_SUB;
    if (!has)
        code_error(code, cpp_type, span, NULL,
                   "an atomic pointer has load, store, exchange, compare_exchange, fetch_add and "
                   "fetch_sub");
    return has;
}

static struct inst *emit_update(struct cpp_code *code, const struct cpp_operand *object,
                                enum atom_op op, struct span span, struct cpp_operand *to)
{
    uint32_t reg = cpp_temporary(code, cpp_value_type(object->kind), span);
    struct inst *inst = cpp_emit(code, OP_ATOM, update_type(op, object->kind.type), span);
    inst->atom_op = op;
    inst->scope = object->kind.scope;
    cpp_add_register(inst, reg);
    cpp_add_object(inst, object);
    *to = result_of(object, reg);
    return inst;
}

bool cpp_atomic_update(struct cpp_code *code, const struct cpp_operand *object, enum atom_op op,
                       struct cpp_operand value, enum sem sem, struct span span,
                       struct cpp_operand *to)
{
    bool changes = op == ATOM_ADD || op == ATOM_SUB;
    if (!is_object(code, object, span) || !has_operation(code, object, op, span) ||
        !(changes ? fit_change(code, object, &value, span) : fit_value(code, object, &value, span)))
        return false;
    if (op == ATOM_SUB) { /* as compilers do */
        struct cpp_operand zero = cpp_number(0, cpp_value_type(object->kind));
        if (!cpp_binary(code, CPP_MARK_SUB, &zero, value, span))
            return false;
        value = zero;
        op = ATOM_ADD;
    }
    struct inst *inst = emit_update(code, object, op, span, to);
    inst->sem = sem;
    cpp_add_value(inst, &value);
    return true;
}

bool cpp_atomic_exchange(struct cpp_code *code, const struct cpp_operand *object,
                         struct cpp_exchange exchange, struct span span, struct cpp_operand *to)
{
    if (!is_object(code, object, span) || !fit_value(code, object, &exchange.expected, span) ||
        !fit_value(code, object, &exchange.desired, span))
        return false;
    struct inst *inst = emit_update(code, object, ATOM_CAS, span, to);
    inst->sem = exchange.sem;
    inst->failed_sem = exchange.failed_sem;
    cpp_add_value(inst, &exchange.expected);
    cpp_add_value(inst, &exchange.desired);
    return true;
}
