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
    return cpp_at_word(p, "template") || (begins && !cpp_at_naming(p) && specifiers(&copy));
}

static bool read_head(struct cpp_parser *p, struct cpp_function *to)
{
    if (cpp_at_word(p, "template") && !cpp_template_head(p, to))
        return false;
    if (!specifiers(p)) {
        cpp_error(p, cpp_refused, p->token.span, "write the kernel for the type that is used",
                  "templates of kernels are not read");
        return false;
    }
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

bool cpp_function_of_text(struct cpp_code *code, const char *text, struct cpp_function *to)
{
    const struct source *source = source_new(code->arena, "the library", text, strlen(text));
    struct cpp_parser p = cpp_start(code->arena, source, 0, code->diags);
    *to = (struct cpp_function){0};
    return read_head(&p, to) && (to->code = cpp_statement(&p));
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

bool cpp_nameable(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const char *word = expr->kind == CPP_NAME ? cpp_plain_word(&expr->name) : NULL;
    if (word && expr->name.part_count == 1 && cpp_find_variable(code, word, to))
        return !cpp_has_value(to);
    return cpp_group(code, expr, to) || cpp_word(code, expr, to) || cpp_structure(code, expr, to);
}

/* Is it the type of objects that have no copies, so that only its name is passed on? */
static bool is_object_type(struct cpp_code *code, const struct cpp_type *type)
{
    const struct cpp_type *meant = cpp_meant(code, type);
    const char *word = meant->kind == CPP_TYPE_NAMED ? cpp_plain_word(&meant->name) : NULL;
    return word && strncmp(word, "atomic", 6) == 0;
}

/* The argument in the caller: an object, what is only named, or a value. */
static bool given(struct cpp_code *code, const struct cpp_declarator *formal,
                  const struct cpp_expr *expr, struct cpp_operand *to)
{
    const struct cpp_type *type = formal->type;
    bool constant = type->kind == CPP_TYPE_REFERENCE && type->to->is_const;
    bool value = expr->kind == CPP_NUMBER || expr->kind == CPP_BINARY ||
                 (expr->kind == CPP_CALL && !cpp_is_reference(code, expr));
    if (cpp_nameable(code, expr, to))
        return true;
    if (expr->kind == CPP_LAMBDA)
        return cpp_closure(code, expr, to);
    if ((type->kind == CPP_TYPE_REFERENCE && !(constant && value)) || is_object_type(code, type))
        return cpp_object(code, expr, to);
    return cpp_lower_value(code, expr, to);
}

/* The value as the formal's own variable, a copy unless nothing can write it. */
static bool copied(struct cpp_code *code, const struct cpp_function *callee,
                   const struct cpp_declarator *formal, struct span span, struct cpp_operand *to)
{
    struct cpp_type type = *formal->type;
    struct cpp_kind kind;
    bool is_reference;
    if (type.kind == CPP_TYPE_ARRAY) /* "int x[]" is a pointer */
        type.kind = CPP_TYPE_POINTER;
    if (type.kind == CPP_TYPE_AUTO)
        kind = to->kind;
    else if (!cpp_kind_of(code, &type, &kind, &is_reference))
        return false;
    if (!cpp_convert(code, to, kind, span))
        return false;
    bool is_fixed = to->form == CPP_FORM_ADDRESS || to->form == CPP_FORM_NUMBER;
    if (is_fixed && (!formal->name || !cpp_writes(callee->code, formal->name)))
        return true;
    uint32_t reg = cpp_temporary(code, cpp_value_type(kind), span);
    cpp_move(code, reg, to, span);
    *to = cpp_in_register(reg, kind);
    to->is_variable = true;
    return true;
}

/* The formal as the code of the function knows it, in whose scope 'inside' it is entered. */
static bool argument(struct cpp_code *code, const struct cpp_use *use, uint32_t index,
                     struct names *inside)
{
    const struct cpp_declarator *formal = &use->callee->formals[index];
    uint32_t at = index + (use->self ? 0 : 1);
    bool is_self = use->self && !index;
    const struct cpp_expr *expr = at < use->expr->kid_count ? use->expr->kids[at] : formal->value;
    struct cpp_operand operand;
    if (is_self)
        operand = *use->self;
    else if (!given(code, formal, expr, &operand))
        return false;
    cpp_swap_scopes(code, inside);
    cpp_template_deduce(code, use->callee, formal->type, operand.kind);
    bool named = is_self || formal->type->kind == CPP_TYPE_REFERENCE || !cpp_has_value(&operand) ||
                 is_object_type(code, formal->type);
    bool good = named || copied(code, use->callee, formal, expr->span, &operand);
    if (good && formal->name)
        cpp_add_variable(code, formal->name, operand);
    cpp_swap_scopes(code, inside);
    return good;
}

static bool arguments(struct cpp_code *code, const struct cpp_use *use, struct names *inside)
{
    const struct cpp_closure *closure = use->closure;
    cpp_swap_scopes(code, inside);
    for (uint32_t i = 0; closure && i < closure->captured.len; i++)
        cpp_add_variable(code, closure->captured.at[i].name, closure->captured.at[i].operand);
    cpp_swap_scopes(code, inside);
    if (!cpp_template_given(code, use, inside))
        return false;
    for (uint32_t i = 0; i < use->callee->formal_count; i++)
        if (!argument(code, use, i, inside))
            return false;
    cpp_swap_scopes(code, inside);
    bool good = cpp_template_rest(code, use);
    cpp_swap_scopes(code, inside);
    return good;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* What a call hides of its caller: names, labels, and where jumps lead to. */
static struct cpp_code enter(struct cpp_code *code, struct cpp_call *call,
                             const struct names *inside)
{
    struct cpp_code outer = *code;
    code->scope = *inside;
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

/* Is it of no type but that of what is returned? */
static bool is_deduced(const struct cpp_function *callee)
{
    return !callee->result || callee->result->kind == CPP_TYPE_AUTO;
}

/* A register for what the function returns; NOTHING for void, and until that is known. */
static bool result_of(struct cpp_code *code, const struct cpp_function *callee, struct span span,
                      struct cpp_operand *to)
{
    struct cpp_kind kind;
    bool is_reference;
    *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
    if (is_deduced(callee) || callee->result->kind == CPP_TYPE_VOID)
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

/* Does the call give every argument that has no value of its own, and no more? */
static bool enough(const struct cpp_use *use)
{
    uint32_t first = use->self ? 1 : 0, count = use->expr->kid_count - 1 + first;
    bool all = count >= use->callee->formal_count || use->callee->formals[count].value;
    return all && count <= use->callee->formal_count;
}

static bool can_call(struct cpp_code *code, const struct cpp_use *use)
{
    const struct cpp_function *callee = use->callee;
    struct span span = use->expr->span;
    if (!enough(use))
        code_error(code, cpp_arguments, span, NULL, "'%s' has %u parameters, the call gives %u",
                   callee->name, callee->formal_count, use->expr->kid_count - 1);
    else if (is_open(code, callee))
        code_error(code, cpp_refused, span, "write a loop", "'%s' calls itself", callee->name);
    else if (code->insts.len > MOST_INSTRUCTIONS)
        code_error(code, cpp_refused, span, "write a loop",
                   "with the functions that it calls '%s' has too many instructions", code->name);
    else
        return true;
    return false;
}

bool cpp_inline(struct cpp_code *code, const struct cpp_use *use, struct cpp_operand *to)
{
    uint32_t variables = code->variables.len;
    struct names inside = {.arena = code->arena};
    struct cpp_call call = {use->callee, code->call, is_deduced(use->callee), to};
    if (!can_call(code, use) || !arguments(code, use, &inside))
        return false;
    use->callee->is_called = true;
    struct cpp_code outer = enter(code, &call, &inside);
    bool good = result_of(code, use->callee, use->expr->span, to) &&
                cpp_lower_stmt(code, use->callee->code);
    place_end(code);
    cpp_close_block(code, variables);
    leave(code, &outer);
    return good;
}

/* The value as the function returns it. */
static bool set_result(struct cpp_code *code, struct cpp_operand value, struct span span)
{
    struct cpp_operand *result = code->call->result;
    if (!cpp_has_value(&value)) {
        code_error(code, cpp_type, span, NULL, "this has no value that a function returns");
        return false;
    }
    if (!cpp_read(code, &value, span))
        return false;
    cpp_materialize(code, &value, span);
    if (code->call->is_deduced && result->form == CPP_FORM_NOTHING)
        *result =
            cpp_in_register(cpp_temporary(code, cpp_value_type(value.kind), span), value.kind);
    if (!cpp_convert(code, &value, result->kind, span))
        return false;
    cpp_move(code, result->reg, &value, span);
    return true;
}

bool cpp_return_value(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    struct cpp_operand value;
    if (!code->call) {
        code_error(code, cpp_syntax, stmt->span, NULL, "a thread returns nothing");
        return false;
    }
    if (!cpp_lower(code, stmt->value, &value))
        return false;
    bool is_void = code->call->result->form == CPP_FORM_NOTHING && !code->call->is_deduced;
    if (is_void && value.form != CPP_FORM_NOTHING) {
        code_error(code, cpp_type, stmt->span, NULL, "this function returns nothing");
        return false;
    }
    if (value.form != CPP_FORM_NOTHING && !set_result(code, value, stmt->span))
        return false;
    cpp_jump(code, code->end, stmt->span);
    return true;
}
