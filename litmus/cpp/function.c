/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* Functions of a test in C++, "__device__ int take(int *x) { … }": a call becomes the function's code. */

enum { MOST_INSTRUCTIONS = 1 << 16 }; /* of a thread that calls */

/* ---- definitions ---------------------------------------------------------------------------- */

/* "static __device__ __forceinline__"; true if there is no __global__ among them. */
static bool specifiers(struct cpp_parser *p)
{
    uint32_t all = 0, one;
    while ((one = cpp_specifier_at(p)) || cpp_at_word(p, "__forceinline__") ||
           cpp_at_word(p, "__noinline__")) {
        all |= one;
        cpp_advance(p);
        if (one == CPP_SPECIFIER_EXTERN && p->token.kind == CPP_TOKEN_STRING)
            cpp_advance(p);
    }
    return !(all & CPP_SPECIFIER_GLOBAL);
}

/* A name that is known to be that of a type. */
static bool at_named_type(const struct cpp_reader *reader)
{
    const struct span span = reader->p.token.span;
    struct cpp_type type;
    const char *word =
        arena_strndup(reader->p.arena, reader->p.source->text + span.offset, span.length);
    return cpp_at_name(&reader->p) &&
           (names_has(&reader->constant_names, 1, word) || cpp_integer_named(word, &type));
}

bool cpp_at_function(const struct cpp_reader *reader)
{
    const struct cpp_parser *p = &reader->p;
    struct cpp_parser copy = *p;
    copy.lexer.diags = NULL;
    bool begins = cpp_specifier_at(p) || cpp_at_builtin_type(p) || at_named_type(reader) ||
                  cpp_at_word(p, "__forceinline__") || cpp_at_word(p, "__noinline__");
    return begins && !cpp_at_naming(p) && specifiers(&copy);
}

static bool read_head(struct cpp_parser *p, struct cpp_function *to)
{
    specifiers(p);
    to->result = cpp_type(p);
    to->span = p->token.span;
    if (!to->result || !cpp_expect_word(p, "the name of the function", &to->name) ||
        !cpp_parameters(p, &to->formals, &to->formal_count))
        return false;
    if (cpp_at(p, CPP_MARK_OPEN_BLOCK))
        return true;
    cpp_unexpected(p, "'{' and the code of the function");
    return false;
}

static void read_function(struct cpp_reader *reader)
{
    struct cpp_parser *p = &reader->p;
    struct cpp_function made = {.definition = p->token.span};
    if (!read_head(p, &made) || !(made.code = cpp_statement(p))) {
        cpp_recover(p);
        return;
    }
    made.definition = cpp_span_from(p, made.definition);
    for (uint32_t i = 0; i < reader->functions.len; i++)
        if (strcmp(reader->functions.at[i].name, made.name) == 0)
            cpp_error(p, cpp_refused, made.span, "give each its own name",
                      "'%s' is defined twice, and calls are told apart by names only", made.name);
    vec_push(p->arena, &reader->functions, made);
}

void cpp_read_definition(struct cpp_reader *reader)
{
    if (!cpp_at_naming(&reader->p))
        read_function(reader);
    else if (!cpp_read_naming(reader))
        cpp_recover(&reader->p);
}

struct cpp_function *cpp_function_named(const struct cpp_code *code, const char *word)
{
    for (uint32_t i = 0; i < code->reader->functions.len; i++)
        if (strcmp(code->reader->functions.at[i].name, word) == 0)
            return &code->reader->functions.at[i];
    return NULL;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* The formal as the code of the function knows it: the caller's object, or a copy of a value. */
static bool argument(struct cpp_code *code, const struct cpp_function *callee, uint32_t index,
                     const struct cpp_expr *expr, struct cpp_operand *to)
{
    const struct cpp_declarator *formal = &callee->formals[index];
    struct cpp_type type = *formal->type;
    struct cpp_kind kind;
    bool is_reference;
    if (type.kind == CPP_TYPE_REFERENCE)
        return cpp_object(code, expr, to);
    if (type.kind == CPP_TYPE_AUTO)
        return cpp_lower_value(code, expr, to);
    if (type.kind == CPP_TYPE_ARRAY) /* "int x[]" is a pointer */
        type.kind = CPP_TYPE_POINTER;
    if (!cpp_kind_of(code, &type, &kind, &is_reference))
        return false;
    if (is_reference || (kind.is_atomic && !kind.is_pointer))
        return cpp_object(code, expr, to);
    if (!cpp_lower_value(code, expr, to) || !cpp_convert(code, to, kind, expr->span))
        return false;
    bool is_fixed = to->form == CPP_FORM_ADDRESS || to->form == CPP_FORM_NUMBER;
    if (is_fixed && (!formal->name || !cpp_writes(callee->code, formal->name)))
        return true;
    uint32_t reg = cpp_temporary(code, cpp_value_type(kind), expr->span);
    cpp_move(code, reg, to, expr->span);
    *to = cpp_in_register(reg, kind);
    to->is_variable = true;
    return true;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* What a call hides of its caller: names, labels, and where jumps lead to. */
static struct cpp_code enter(struct cpp_code *code, const struct cpp_call *call)
{
    struct cpp_code outer = *code;
    code->scope = (struct names){.arena = code->arena};
    code->targets.at = NULL;
    code->targets.len = code->targets.cap = 0;
    code->end = cpp_new_aim(code);
    code->break_to = code->continue_to = NONE;
    code->call = call;
    return outer;
}

static void leave(struct cpp_code *code, const struct cpp_code *outer)
{
    cpp_check_targets(code);
    code->scope = outer->scope;
    code->targets = outer->targets;
    code->end = outer->end;
    code->break_to = outer->break_to;
    code->continue_to = outer->continue_to;
    code->call = outer->call;
}

/* A jump to the end of the function that stands there already is left out. */
static void place_end(struct cpp_code *code)
{
    const struct inst *last = code->insts.len ? &code->insts.at[code->insts.len - 1] : NULL;
    if (last && last->op == OP_BRA && last->guard == NONE &&
        last->operands[0].target == code->end && code->last_aim != code->insts.len)
        code->insts.len--;
    cpp_place(code, code->end);
}

/* A register for what the function returns; NOTHING for void. */
static bool result_of(struct cpp_code *code, const struct cpp_function *callee, struct span span,
                      struct cpp_operand *to)
{
    struct cpp_kind kind;
    bool is_reference;
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    if (callee->result->kind == CPP_TYPE_VOID)
        return true;
    if (!cpp_kind_of(code, callee->result, &kind, &is_reference))
        return false;
    if (is_reference || (kind.is_atomic && !kind.is_pointer)) {
        code_error(code, cpp_type, callee->result->span, NULL,
                   "a function of a test returns an integer, a pointer or nothing");
        return false;
    }
    *to = cpp_in_register(cpp_temporary(code, cpp_value_type(kind), span), kind);
    return true;
}

static bool is_open(const struct cpp_code *code, const struct cpp_function *callee)
{
    for (const struct cpp_call *call = code->call; call; call = call->outer)
        if (call->callee == callee)
            return true;
    return false;
}

static bool can_call(struct cpp_code *code, const struct cpp_function *callee,
                     const struct cpp_expr *expr)
{
    if (expr->kid_count - 1 != callee->formal_count)
        code_error(code, cpp_arguments, expr->span, NULL,
                   "'%s' has %u parameters, the call gives %u", callee->name, callee->formal_count,
                   expr->kid_count - 1);
    else if (is_open(code, callee))
        code_error(code, cpp_refused, expr->span, "write a loop", "'%s' calls itself",
                   callee->name);
    else if (code->insts.len > MOST_INSTRUCTIONS)
        code_error(code, cpp_refused, expr->span, "write a loop",
                   "with the functions that it calls '%s' has too many instructions", code->name);
    else
        return true;
    return false;
}

bool cpp_inline(struct cpp_code *code, struct cpp_function *callee, const struct cpp_expr *expr,
                struct cpp_operand *to)
{
    struct cpp_operand *given = ARENA_ARRAY(code->arena, struct cpp_operand, expr->kid_count);
    uint32_t variables = code->variables.len;
    if (!can_call(code, callee, expr))
        return false;
    for (uint32_t i = 0; i < callee->formal_count; i++)
        if (!argument(code, callee, i, expr->kids[i + 1], &given[i]))
            return false;
    if (!result_of(code, callee, expr->span, to))
        return false;
    callee->is_called = true;
    struct cpp_call call = {callee, code->call, to};
    struct cpp_code outer = enter(code, &call);
    for (uint32_t i = 0; i < callee->formal_count; i++)
        if (callee->formals[i].name)
            cpp_add_variable(code, callee->formals[i].name, given[i]);
    bool good = cpp_lower_stmt(code, callee->code);
    place_end(code);
    cpp_close_block(code, variables);
    leave(code, &outer);
    return good;
}

bool cpp_return_value(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    struct cpp_operand value;
    const struct cpp_operand *result = code->call ? code->call->result : NULL;
    if (!result) {
        code_error(code, cpp_syntax, stmt->span, NULL, "a thread returns nothing");
        return false;
    }
    if (!cpp_lower(code, stmt->value, &value))
        return false;
    if (result->form == CPP_FORM_NOTHING && value.form != CPP_FORM_NOTHING) {
        code_error(code, cpp_type, stmt->span, NULL, "this function returns nothing");
        return false;
    }
    if (value.form != CPP_FORM_NOTHING) {
        if (value.form == CPP_FORM_OBJECT && !cpp_read(code, &value, stmt->span))
            return false;
        cpp_materialize(code, &value, stmt->span);
        if (!cpp_convert(code, &value, result->kind, stmt->span))
            return false;
        cpp_move(code, result->reg, &value, stmt->span);
    }
    cpp_jump(code, code->end, stmt->span);
    return true;
}
