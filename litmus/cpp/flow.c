/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* Statements of device code: declarations, branches, loops, jumps. */

/* ---- declarations --------------------------------------------------------------------------- */

static void declare(struct cpp_code *code, const char *name, struct cpp_operand operand)
{
    operand.is_variable = true;
    cpp_add_variable(code, name, operand);
}

/* The one expression that a variable gets, or NULL; false: there are several. */
static bool initial_value(struct cpp_code *code, const struct cpp_declarator *one,
                          const struct cpp_expr **value)
{
    *value = one->value ? one->value : one->given_count == 1 ? one->given[0] : NULL;
    if (*value && (*value)->kind == CPP_LIST && (*value)->kid_count == 1)
        *value = (*value)->kids[0];
    if (one->given_count < 2 && (!*value || (*value)->kind != CPP_LIST))
        return true;
    code_error(code, cpp_arguments, one->span, NULL, "'%s' takes one value", one->name);
    return false;
}

/* "cuda::atomic_ref<int> a(x);", "int &y = x;": another name of an object. */
static bool reference(struct cpp_code *code, const struct cpp_declarator *one,
                      const struct cpp_expr *value, bool is_atomic)
{
    struct cpp_operand object;
    if (!value) {
        code_error(code, cpp_arguments, one->span, NULL, "'%s' refers to nothing", one->name);
        return false;
    }
    bool plain = !is_atomic || cpp_is_reference(code, value);
    const struct cpp_type *type = cpp_meant(code, one->type);
    if (!(plain ? cpp_object(code, value, &object)
                : cpp_reference(code, cpp_last_part(&type->name), value, &object)))
        return false;
    declare(code, one->name, object);
    return true;
}

/* "auto r = f.load();" */
static bool deduced(struct cpp_code *code, const struct cpp_declarator *one,
                    const struct cpp_expr *value)
{
    struct cpp_operand operand;
    if (value && cpp_is_reference(code, value))
        return reference(code, one, value, true);
    if (!value) {
        code_error(code, cpp_arguments, one->span, NULL, "'auto' needs a value");
        return false;
    }
    if (!cpp_lower_value(code, value, &operand))
        return false;
    struct cpp_kind kind = cpp_value_kind(operand.kind);
    if (one->type->kind == CPP_TYPE_POINTER && !kind.is_pointer) {
        code_error(code, cpp_type, value->span, NULL, "this is no pointer");
        return false;
    }
    declare(code, one->name, cpp_declare(code, one->name, kind, &operand, one->name_span));
    return true;
}

static bool variable(struct cpp_code *code, const struct cpp_declarator *one, struct cpp_kind kind,
                     const struct cpp_expr *value)
{
    struct cpp_operand operand;
    bool given = value || one->is_braced; /* "int r{};" is 0 */
    operand = cpp_number(0, cpp_value_type(kind));
    if (value && (!cpp_lower_value(code, value, &operand) ||
                  !cpp_convert(code, &operand, kind, value->span)))
        return false;
    declare(code, one->name,
            cpp_declare(code, one->name, kind, given ? &operand : NULL, one->name_span));
    return true;
}

static bool declarator(struct cpp_code *code, const struct cpp_declarator *one)
{
    const struct cpp_expr *value;
    struct cpp_kind kind;
    bool is_reference;
    struct cpp_operand named;
    if (one->type->kind == CPP_TYPE_ARRAY)
        return cpp_declare_array(code, one);
    if (!initial_value(code, one, &value))
        return false;
    if (value && (cpp_nameable(code, value, &named) ||
                  (value->kind == CPP_LAMBDA && cpp_closure(code, value, &named)))) {
        declare(code, one->name, named);
        return true;
    }
    if (one->type->kind == CPP_TYPE_REFERENCE)
        return reference(code, one, value, false);
    if (one->type->kind == CPP_TYPE_AUTO ||
        (one->type->kind == CPP_TYPE_POINTER && one->type->to->kind == CPP_TYPE_AUTO))
        return deduced(code, one, value);
    if (!cpp_kind_of(code, one->type, &kind, &is_reference))
        return false;
    if (is_reference)
        return reference(code, one, value, true);
    if (kind.is_atomic && !kind.is_pointer) {
        code_error(code, cpp_refused, one->span, "declare it in the initial state",
                   "an atomic object of one thread is not read");
        return false;
    }
    return variable(code, one, kind, value);
}

/* "constexpr int n = 2;", an enumerator */
static bool constant(struct cpp_code *code, const struct cpp_declarator *one)
{
    struct cpp_operand value;
    if (!cpp_fixed(code, one, &value))
        return false;
    cpp_add_variable(code, one->name, value);
    return true;
}

static bool declaration(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    bool good = true;
    if (stmt->type) {
        code_error(code, cpp_refused, stmt->span, "define it in the initial state",
                   "a thread defines no structures");
        return false;
    }
    if (stmt->specifiers & CPP_SPECIFIER_TYPEDEF) {
        for (uint32_t i = 0; i < stmt->declarator_count; i++)
            cpp_add_type(code->reader, &stmt->declarators[i]);
        return true;
    }
    if (stmt->specifiers == CPP_SPECIFIER_SHARED && code->kernel != NONE)
        return cpp_declare_shared(code, stmt);
    if (stmt->specifiers & ~(uint32_t)(CPP_SPECIFIER_CONSTEXPR | CPP_SPECIFIER_REGISTER)) {
        code_error(code, cpp_refused, stmt->span, "declare it in the initial state",
                   "a thread declares variables of its own only");
        return false;
    }
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        bool declared = stmt->specifiers & CPP_SPECIFIER_CONSTEXPR ? constant(code, one)
                                                                   : declarator(code, one);
        if (!declared)
            vec_push(code->arena, &code->refused, one->name);
        good = declared && good;
    }
    return good;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static struct cpp_target *target(struct cpp_code *code, const char *name, struct span span)
{
    for (uint32_t i = 0; i < code->targets.len; i++)
        if (strcmp(code->targets.at[i].name, name) == 0)
            return &code->targets.at[i];
    struct cpp_target made = {name, cpp_new_aim(code), false, span};
    vec_push(code->arena, &code->targets, made);
    return &code->targets.at[code->targets.len - 1];
}

static bool label(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    struct span span = {stmt->span.offset, (uint32_t)strlen(stmt->label)};
    struct cpp_target *to = target(code, stmt->label, span);
    if (to->is_placed) {
        code_error(code, duplicate_label, span, NULL, "label '%s' stands twice in '%s'",
                   stmt->label, code->name);
        return false;
    }
    to->is_placed = true;
    cpp_place(code, to->aim);
    struct label made = {stmt->label, code->insts.len, span};
    if (!code->call) /* each call has its own */
        vec_push(code->arena, &code->labels, made);
    return cpp_lower_stmt(code, stmt->kids[0]);
}

void cpp_check_targets(struct cpp_code *code)
{
    for (uint32_t i = 0; i < code->targets.len; i++)
        if (!code->targets.at[i].is_placed)
            code_error(code, unknown_label, code->targets.at[i].used, NULL,
                       "'%s' has no label '%.60s'", code->name, code->targets.at[i].name);
}

/* Where a statement that only jumps goes to; NONE: it does something else, or is wrong. */
static uint32_t aim_of(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_RETURN:
        return stmt->value ? NONE : code->end;
    case CPP_BREAK:
        return code->break_to;
    case CPP_CONTINUE:
        return code->continue_to;
    case CPP_GOTO:
        return target(code, stmt->label, stmt->span)->aim;
    case CPP_BLOCK:
        return stmt->kid_count == 1 ? aim_of(code, stmt->kids[0]) : NONE;
    default:
        return NONE;
    }
}

static bool jump(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t aim = aim_of(code, stmt);
    if (stmt->kind == CPP_RETURN && stmt->value)
        return cpp_return_value(code, stmt);
    if (aim == NONE) {
        code_error(code, cpp_syntax, stmt->span, NULL, "this stands outside of a loop");
        return false;
    }
    cpp_jump(code, aim, stmt->span);
    return true;
}

/* ---- branches and loops --------------------------------------------------------------------- */

/* Of a variable, or of each element of an array. */
static void note_registers(struct cpp_code *code, const char *name,
                           const struct cpp_operand *operand, struct span span)
{
    bool is_array = operand->form == CPP_FORM_ARRAY && operand->reg != NONE;
    uint32_t count = is_array ? (uint32_t)operand->bits : operand->form == CPP_FORM_REGISTER;
    for (uint32_t i = 0; i < count; i++) {
        struct reg *reg = &code->regs.at[operand->reg + i];
        reg->declared_from = span.offset;
        reg->declared_to = span.offset + span.length;
        if (is_array)
            reg->cpp_path = arena_printf(code->arena, "%s[%u]", name, i);
    }
}

void cpp_note_declared(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    for (uint32_t i = 0; stmt->kind == CPP_DECLARATION && i < stmt->declarator_count; i++) {
        const char *name = stmt->declarators[i].name;
        uint32_t variable = cpp_variable_index(code, name);
        if (variable != NONE)
            note_registers(code, name, &code->variables.at[variable].operand, stmt->span);
    }
}

/* What a branch or a loop guards, which may be a declaration by itself. */
static bool guarded(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    bool good = cpp_lower_stmt(code, stmt);
    cpp_note_declared(code, stmt);
    return good;
}

static bool if_statement(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t otherwise, end, aim = aim_of(code, stmt->kids[0]);
    bool has_else = stmt->kid_count > 1;
    if (aim != NONE) { /* "if (c) return;" is one jump */
        bool good = cpp_branch(code, stmt->condition, true, aim);
        return (!has_else || guarded(code, stmt->kids[1])) && good;
    }
    otherwise = cpp_new_aim(code);
    bool good = cpp_branch(code, stmt->condition, false, otherwise);
    good = guarded(code, stmt->kids[0]) && good;
    if (!has_else) {
        cpp_place(code, otherwise);
        return good;
    }
    end = cpp_new_aim(code);
    cpp_jump(code, end, stmt->span);
    cpp_place(code, otherwise);
    good = guarded(code, stmt->kids[1]) && good;
    cpp_place(code, end);
    return good;
}

/* A loop's body, in which break and continue have their aims. */
static bool body(struct cpp_code *code, const struct cpp_stmt *stmt, uint32_t break_to,
                 uint32_t continue_to)
{
    uint32_t outer_break = code->break_to, outer_continue = code->continue_to;
    code->break_to = break_to;
    code->continue_to = continue_to;
    bool good = guarded(code, stmt);
    code->break_to = outer_break;
    code->continue_to = outer_continue;
    return good;
}

static bool is_empty(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_EMPTY ||
           (stmt->kind == CPP_BLOCK &&
            (!stmt->kid_count || (stmt->kid_count == 1 && is_empty(stmt->kids[0]))));
}

/* "while (c);" is one jump back where c holds; with a body c is asked first. */
static bool while_statement(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t head = cpp_new_aim(code), end = cpp_new_aim(code);
    bool good;
    cpp_place(code, head);
    if (is_empty(stmt->kids[0]))
        return cpp_branch(code, stmt->condition, true, head);
    good = cpp_branch(code, stmt->condition, false, end);
    good = body(code, stmt->kids[0], end, head) && good;
    cpp_jump(code, head, stmt->span);
    cpp_place(code, end);
    return good;
}

static bool do_statement(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t head = cpp_new_aim(code), next = cpp_new_aim(code), end = cpp_new_aim(code);
    cpp_place(code, head);
    bool good = body(code, stmt->kids[0], end, next);
    cpp_place(code, next);
    good = cpp_branch(code, stmt->condition, true, head) && good;
    cpp_place(code, end);
    return good;
}

static bool for_statement(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t head = cpp_new_aim(code), next = cpp_new_aim(code), end = cpp_new_aim(code);
    uint32_t variables = code->variables.len;
    struct cpp_operand dropped;
    bool good = cpp_lower_stmt(code, stmt->kids[0]);
    cpp_place(code, head);
    good = (!stmt->condition || cpp_branch(code, stmt->condition, false, end)) && good;
    good = body(code, stmt->kids[1], end, next) && good;
    cpp_place(code, next);
    code->dropped = stmt->step;
    good = (!stmt->step || cpp_lower(code, stmt->step, &dropped)) && good;
    cpp_jump(code, head, stmt->span);
    cpp_place(code, end);
    cpp_close_block(code, variables);
    return good;
}

static bool block(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t variables = code->variables.len;
    bool good = true;
    for (uint32_t i = 0; i < stmt->kid_count; i++) {
        good = cpp_lower_stmt(code, stmt->kids[i]) && good;
        cpp_note_declared(code, stmt->kids[i]);
    }
    cpp_close_block(code, variables);
    return good;
}

/* An expression for its effect; a plain object that is only named is not read. */
static bool effect(struct cpp_code *code, const struct cpp_expr *expr)
{
    struct cpp_operand dropped;
    code->dropped = expr;
    return cpp_lower(code, expr, &dropped);
}

bool cpp_lower_stmt(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_EMPTY:
        return true;
    case CPP_BLOCK:
        return block(code, stmt);
    case CPP_DECLARATION:
        return declaration(code, stmt);
    case CPP_EXPRESSION:
        return effect(code, stmt->value);
    case CPP_IF:
        return if_statement(code, stmt);
    case CPP_WHILE:
        return while_statement(code, stmt);
    case CPP_DO:
        return do_statement(code, stmt);
    case CPP_FOR:
        return for_statement(code, stmt);
    case CPP_LABEL:
        return label(code, stmt);
    case CPP_RANGE_FOR:
        code_error(code, cpp_refused, stmt->span, "count with an index",
                   "a loop over a range is not read");
        return false;
    case CPP_SWITCH:
        return cpp_switch(code, stmt);
    case CPP_CASE:
        return cpp_case(code, stmt);
    case CPP_UNREAD:
        return false; /* the parser makes none of device code */
    default:
        return jump(code, stmt);
    }
}
