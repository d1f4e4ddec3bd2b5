/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* What device code reads, writes and points to: variables, locations, elements of arrays. */

enum { INNERMOST, IMPLICIT }; /* scopes of code->scope */

uint32_t cpp_variable_index(const struct cpp_code *code, const char *name)
{
    uint32_t inner = names_get(&code->scope, INNERMOST, name, strlen(name));
    return inner == NONE || !inner ? NONE : inner - 1;
}

bool cpp_find_variable(struct cpp_code *code, const char *name, struct cpp_operand *to)
{
    uint32_t inner = cpp_variable_index(code, name);
    uint32_t implicit = names_get(&code->scope, IMPLICIT, name, strlen(name));
    if (inner != NONE)
        *to = code->variables.at[inner].operand;
    else if (implicit != NONE)
        *to = code->implicit.at[implicit];
    return inner != NONE || implicit != NONE;
}

void cpp_add_variable(struct cpp_code *code, const char *name, struct cpp_operand operand)
{
    uint32_t outer = names_get(&code->scope, INNERMOST, name, strlen(name));
    struct cpp_variable variable = {name, outer == NONE ? 0 : outer, operand};
    vec_push(code->arena, &code->variables, variable);
    names_put(&code->scope, INNERMOST, name, strlen(name), code->variables.len);
}

void cpp_add_implicit(struct cpp_code *code, const char *name, struct cpp_operand operand)
{
    names_put(&code->scope, IMPLICIT, name, strlen(name), code->implicit.len);
    vec_push(code->arena, &code->implicit, operand);
}

void cpp_close_block(struct cpp_code *code, uint32_t count)
{
    while (code->variables.len > count) {
        const struct cpp_variable *last = &code->variables.at[--code->variables.len];
        names_put(&code->scope, INNERMOST, last->name, strlen(last->name), last->outer);
    }
}

void cpp_swap_scopes(struct cpp_code *code, struct names *other)
{
    struct names own = code->scope;
    code->scope = *other;
    *other = own;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool find_location(struct cpp_code *code, const char *name, struct cpp_operand *to)
{
    const struct names *names = &code->program->location_names;
    uint32_t index = names_get(names, code->kernel, name, strlen(name));
    if (index == NONE) /* not one of the kernel's own */
        index = names_get(names, NONE, name, strlen(name));
    if (index == NONE)
        return false;
    *to = (struct cpp_operand){CPP_FORM_OBJECT, code->program->kinds.at[index], .reg = NONE};
    to->location = index;
    if (code->program->locations.at[index].array && !to->kind.is_barrier) {
        to->form = CPP_FORM_ADDRESS;
        to->kind.is_pointer = true;
    }
    return true;
}

bool cpp_is_refused(const struct cpp_code *code, const struct cpp_expr *expr)
{
    while (expr->kid_count && expr->kind != CPP_NAME)
        expr = expr->kids[0];
    const char *word = expr->kind == CPP_NAME ? expr->name.parts[0].word : NULL;
    for (uint32_t i = 0; word && i < code->refused.len; i++)
        if (strcmp(code->refused.at[i], word) == 0)
            return true;
    return false;
}

static bool unknown(struct cpp_code *code, const struct cpp_expr *expr, const char *name)
{
    if (cpp_is_refused(code, expr))
        return false;
    const char **known =
        ARENA_ARRAY(code->arena, const char *, code->program->locations.len + code->regs.len);
    size_t count = 0;
    for (uint32_t i = 0; i < code->program->locations.len; i++)
        known[count++] = code->program->locations.at[i].name;
    for (uint32_t i = 0; i < code->regs.len; i++)
        if (code->regs.at[i].name[0] != '%')
            known[count++] = code->regs.at[i].name;
    const char *hint = diag_hint(code->arena, name, strlen(name), known, count);
    code_error(code, cpp_unknown_name, expr->span,
               hint ? hint : "declare it in the initial state: { int x = 0; }",
               "nothing is called '%.60s'", name);
    return false;
}

/* The word of a name that may be a variable's; NULL: it has a namespace. */
static const char *variable_word(const struct cpp_expr *expr)
{
    bool plain =
        expr->kind == CPP_NAME && expr->name.part_count == 1 && !expr->name.parts[0].is_template;
    return plain ? expr->name.parts[0].word : NULL;
}

bool cpp_is_object(struct cpp_code *code, const char *name, struct cpp_operand *to)
{
    return cpp_find_variable(code, name, to) || find_location(code, name, to);
}

static bool named_object(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const char *word = variable_word(expr);
    if (word && (cpp_is_object(code, word, to) || cpp_known_constant(code, word, to)))
        return true;
    if (!word && expr->kind == CPP_NAME && cpp_is_lock_free(cpp_last_part(&expr->name)->word, to))
        return true;
    return unknown(code, expr, source_words(code->arena, code->source, expr->span));
}

/* ---- pointers ------------------------------------------------------------------------------- */

/* The pointer's value in a register. */
static uint32_t address_register(struct cpp_code *code, const struct cpp_operand *pointer,
                                 struct span span)
{
    if (pointer->form == CPP_FORM_REGISTER)
        return pointer->reg;
    uint32_t reg = cpp_temporary(code, TYPE_U64, span);
    cpp_move(code, reg, pointer, span);
    return reg;
}

/* The index in bytes is added to the address. */
static bool computed_element(struct cpp_code *code, struct cpp_operand *pointer,
                             struct cpp_operand index, struct span span)
{
    struct cpp_kind kind = pointer->kind, number = cpp_integer_kind(TYPE_U64);
    struct cpp_operand bytes = cpp_number(type_bytes(kind.type), TYPE_S64);
    struct cpp_operand base = cpp_in_register(address_register(code, pointer, span), number);
    if (!cpp_convert(code, &index, cpp_integer_kind(TYPE_S64), span) ||
        (bytes.bits > 1 && !cpp_binary(code, CPP_MARK_MUL, &index, bytes, span)) ||
        !cpp_binary(code, CPP_MARK_ADD, &base, index, span))
        return false;
    *pointer = base;
    pointer->kind = kind;
    return true;
}

bool cpp_element(struct cpp_code *code, struct cpp_operand *pointer, struct cpp_operand index,
                 struct span span)
{
    if (!pointer->kind.is_pointer || pointer->kind.type == TYPE_NONE || index.kind.is_pointer) {
        code_error(code, cpp_type, span, NULL, "this is no pointer to an object");
        return false;
    }
    if (index.form == CPP_FORM_NUMBER)
        index.bits *= type_bytes(pointer->kind.type);
    else if (!computed_element(code, pointer, index, span))
        return false;
    if (pointer->form == CPP_FORM_NUMBER)
        *pointer = (struct cpp_operand){
            .kind = pointer->kind, .reg = address_register(code, pointer, span), .location = NONE};
    if (index.form == CPP_FORM_NUMBER)
        pointer->bits += index.bits;
    pointer->form = CPP_FORM_OBJECT;
    pointer->is_variable = false;
    pointer->kind.is_pointer = false;
    return true;
}

bool cpp_point_to(struct cpp_code *code, struct cpp_operand *object, struct span span)
{
    struct cpp_kind kind = object->kind;
    kind.is_pointer = true;
    object->form = object->location != NONE ? CPP_FORM_ADDRESS : CPP_FORM_REGISTER;
    if (object->form == CPP_FORM_REGISTER && object->bits) {
        struct cpp_operand more = cpp_number(object->bits, TYPE_U64);
        *object = cpp_in_register(object->reg, cpp_integer_kind(TYPE_U64));
        if (!cpp_binary(code, CPP_MARK_ADD, object, more, span))
            return false;
    }
    object->kind = kind;
    return true;
}

/* ---- objects -------------------------------------------------------------------------------- */

static bool element(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand index, array;
    if (cpp_nameable(code, expr->kids[0], &array) && array.form == CPP_FORM_ARRAY)
        return cpp_lower_value(code, expr->kids[1], &index) &&
               cpp_array_element(code, &array, index, expr->span, to);
    return cpp_lower_value(code, expr->kids[0], to) &&
           cpp_lower_value(code, expr->kids[1], &index) && cpp_element(code, to, index, expr->span);
}

static bool pointed_to(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    return cpp_lower_value(code, expr->kids[0], to) &&
           cpp_element(code, to, cpp_number(0, TYPE_S64), expr->span);
}

bool cpp_object(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    if (expr->kind == CPP_NAME)
        return named_object(code, expr, to);
    if (expr->kind == CPP_INDEX)
        return element(code, expr, to);
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL)
        return pointed_to(code, expr, to);
    if (expr->kind == CPP_MEMBER && cpp_member(code, expr, to))
        return true;
    if (expr->kind == CPP_CALL && cpp_is_reference(code, expr))
        return cpp_call(code, expr, to);
    code_error(code, cpp_type, expr->span, NULL, "'%s' is no object that can be written",
               source_words(code->arena, code->source, expr->span));
    return false;
}

/* Of what is in memory. */
static enum type stored_type(struct cpp_kind kind)
{
    return kind.is_pointer ? TYPE_U64 : kind.type;
}

/* A volatile access is that of PTX: relaxed, and of the system. */
static struct inst *plain_access(struct cpp_code *code, enum op op, struct cpp_kind kind,
                                 struct span span)
{
    struct inst *inst = cpp_emit(code, op, stored_type(kind), span);
    inst->sem = kind.is_volatile && !kind.is_pointer ? SEM_RELAXED : SEM_WEAK;
    if (inst->sem == SEM_RELAXED) {
        inst->scope = SCOPE_SYS;
        inst->flags |= FLAG_VOLATILE;
    }
    return inst;
}

/* A flag is no number, nor is a barrier. */
static bool is_readable(struct cpp_code *code, const struct cpp_operand *object, struct span span)
{
    bool flag = object->kind.is_flag;
    if ((!flag && !object->kind.is_barrier) || object->kind.is_pointer)
        return true;
    code_error(code, cpp_type, span,
               flag ? "write test(), test_and_set() or clear()" : "write arrive() or wait(token)",
               "%s has no value that is read or written by its name",
               flag ? "an atomic_flag" : "a barrier");
    return false;
}

bool cpp_read(struct cpp_code *code, struct cpp_operand *object, struct span span)
{
    struct cpp_kind kind = object->kind;
    if (object->form == CPP_FORM_CHOICE)
        cpp_read_choice(code, object, span);
    if (object->form != CPP_FORM_OBJECT)
        return true;
    if (!is_readable(code, object, span))
        return false;
    if (kind.is_atomic && !kind.is_pointer)
        return cpp_atomic_load(code, object, SEM_SC, span);
    uint32_t reg = cpp_temporary(code, cpp_value_type(kind), span);
    struct inst *inst = plain_access(code, OP_LD, kind, span);
    cpp_add_register(inst, reg);
    cpp_add_object(inst, object);
    *object = cpp_in_register(reg, cpp_value_kind(kind));
    return true;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Is it the value that the last instruction computed, and needed nowhere else? */
static bool is_fresh(const struct cpp_code *code, const struct cpp_operand *value)
{
    const struct inst *last = code->insts.len ? &code->insts.at[code->insts.len - 1] : NULL;
    return value->form == CPP_FORM_REGISTER && !value->is_variable && last &&
           code->last_aim != code->insts.len && op_writes(last->op) &&
           last->operands[0].kind == OPERAND_REG && last->operands[0].reg == value->reg &&
           value->reg == code->regs.len - 1;
}

void cpp_move(struct cpp_code *code, uint32_t reg, const struct cpp_operand *value,
              struct span span)
{
    struct inst *inst = cpp_emit(code, OP_MOV, code->regs.at[reg].type, span);
    cpp_add_register(inst, reg);
    cpp_add_value(inst, value);
}

/* A variable gets the value, if it can from the instruction that computes it. */
static void set_variable(struct cpp_code *code, uint32_t reg, const struct cpp_operand *value,
                         struct span span)
{
    if (!is_fresh(code, value) || reg == value->reg) {
        cpp_move(code, reg, value, span);
        return;
    }
    code->insts.at[code->insts.len - 1].operands[0].reg = reg;
    code->regs.len--;
    code->temporaries--;
}

struct cpp_operand cpp_declare(struct cpp_code *code, const char *name, struct cpp_kind kind,
                               const struct cpp_operand *value, struct span span)
{
    bool fresh = value && is_fresh(code, value);
    uint32_t last = code->regs.len - 1;
    uint32_t reg = cpp_named_register(code, name, cpp_value_type(kind), span);
    if (fresh) { /* the temporary becomes the variable */
        code->regs.at[last] = code->regs.at[reg];
        names_put(code->reg_names, 0, code->regs.at[last].name, strlen(code->regs.at[last].name),
                  last);
        code->regs.len--;
        code->temporaries--;
        reg = last;
    } else if (value)
        cpp_move(code, reg, value, span);
    struct cpp_operand variable = cpp_in_register(reg, kind);
    variable.is_variable = true;
    return variable;
}

bool cpp_write(struct cpp_code *code, const struct cpp_operand *object, struct cpp_operand *value,
               struct span span)
{
    if (!is_readable(code, object, span))
        return false;
    if (object->kind.is_const && !object->kind.is_pointer) {
        code_error(code, cpp_type, span, NULL, "this object is const");
        return false;
    }
    if (!cpp_has_value(object) || (object->form != CPP_FORM_OBJECT && !object->is_variable)) {
        code_error(code, cpp_type, span, NULL, "this is a value, and cannot be written");
        return false;
    }
    if (object->form == CPP_FORM_OBJECT && object->kind.is_atomic && !object->kind.is_pointer)
        return cpp_atomic_store(code, object, value, SEM_SC, span);
    if (object->form == CPP_FORM_CHOICE)
        return cpp_write_choice(code, object, value, span);
    if (object->form == CPP_FORM_REGISTER) {
        if (!cpp_convert(code, value, object->kind, span))
            return false;
        set_variable(code, object->reg, value, span);
        *value = *object;
        return true;
    }
    if (!cpp_convert(code, value, object->kind, span))
        return false;
    struct inst *inst = plain_access(code, OP_ST, object->kind, span);
    cpp_add_object(inst, object);
    cpp_add_value(inst, value);
    return true;
}

/* ---- assignments ---------------------------------------------------------------------------- */

static enum atom_op atomic_of(enum cpp_mark mark)
{
    switch (mark) {
    case CPP_MARK_ADD:
        return ATOM_ADD;
    case CPP_MARK_SUB:
        return ATOM_SUB;
    case CPP_MARK_AND:
        return ATOM_AND;
    case CPP_MARK_OR:
        return ATOM_OR;
    case CPP_MARK_XOR:
        return ATOM_XOR;
    default:
        return ATOM_NONE;
    }
}

/* "f += v" of an atomic object: '*to' becomes the old value, or the new one. */
static bool atomic_update(struct cpp_code *code, const struct cpp_expr *expr, enum cpp_mark mark,
                          struct cpp_operand object, struct cpp_operand value, bool old,
                          struct cpp_operand *to)
{
    if (!is_readable(code, &object, expr->span))
        return false;
    if (atomic_of(mark) == ATOM_NONE) {
        code_error(code, cpp_type, expr->span, "write a loop of compare_exchange",
                   "an atomic object has no '%s='", cpp_mark_text(mark));
        return false;
    }
    return cpp_atomic_update(code, &object, atomic_of(mark), value, SEM_SC, expr->span, to) &&
           (old || expr == code->dropped ||
            (cpp_binary(code, mark, to, value, expr->span) &&
             cpp_convert(code, to, cpp_value_kind(object.kind), expr->span)));
}

/* A name that nothing declares becomes a register by being assigned. */
static bool implicit(struct cpp_code *code, const struct cpp_expr *left, struct cpp_operand *value)
{
    struct cpp_operand found;
    const char *word = variable_word(left);
    if (!word || cpp_is_object(code, word, &found))
        return false;
    struct cpp_kind kind = value->kind;
    if (!kind.is_pointer)
        kind = cpp_integer_kind(cpp_value_type(kind));
    *value = cpp_declare(code, word, kind, value, left->span);
    cpp_add_implicit(code, word, *value);
    return true;
}

bool cpp_assign(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    enum cpp_mark mark = cpp_mark_assigns(expr->mark);
    struct cpp_operand object, value;
    if (!cpp_lower_value(code, expr->kids[1], to))
        return false;
    if (mark == CPP_MARK_ASSIGN && implicit(code, expr->kids[0], to))
        return true;
    if (!cpp_object(code, expr->kids[0], &object))
        return false;
    if (mark == CPP_MARK_ASSIGN)
        return cpp_write(code, &object, to, expr->span);
    value = *to;
    if (object.form == CPP_FORM_OBJECT && object.kind.is_atomic && !object.kind.is_pointer)
        return atomic_update(code, expr, mark, object, value, false, to);
    *to = object;
    return cpp_read(code, to, expr->span) && cpp_binary(code, mark, to, value, expr->span) &&
           cpp_write(code, &object, to, expr->span);
}

bool cpp_step(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    enum cpp_mark mark = expr->mark == CPP_MARK_INCREMENT ? CPP_MARK_ADD : CPP_MARK_SUB;
    bool old = expr->kind == CPP_POSTFIX && expr != code->dropped;
    struct cpp_operand object, one = cpp_number(1, TYPE_S32), value;
    if (!cpp_object(code, expr->kids[0], &object))
        return false;
    if (object.form == CPP_FORM_OBJECT && object.kind.is_atomic && !object.kind.is_pointer)
        return atomic_update(code, expr, mark, object, one, old, to);
    *to = object;
    if (!cpp_read(code, to, expr->span))
        return false;
    value = *to;
    if (old && object.form == CPP_FORM_REGISTER) {
        uint32_t reg = cpp_temporary(code, cpp_value_type(object.kind), expr->span);
        cpp_move(code, reg, to, expr->span);
        *to = cpp_in_register(reg, to->kind);
    }
    if (!cpp_binary(code, mark, &value, one, expr->span) ||
        !cpp_write(code, &object, &value, expr->span))
        return false;
    *to = old ? *to : value;
    return true;
}
