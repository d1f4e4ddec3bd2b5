/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* Lambdas of a thread, "auto seen = [&](int i) { return x[i].load(); };": a call becomes the lambda's code, which knows
 * what was there when it was made. */

static bool is_listed(const struct cpp_lambda *lambda, const char *name)
{
    for (uint32_t i = 0; i < lambda->copied_count; i++)
        if (strcmp(lambda->copied[i], name) == 0)
            return true;
    return false;
}

/* The variable as the lambda knows it: itself, or a copy of its value. */
static void capture(struct cpp_code *code, const struct cpp_lambda *lambda, const char *name,
                    struct cpp_operand operand, struct cpp_closure *closure)
{
    bool copy = is_listed(lambda, name) || lambda->copies;
    if (!(copy || lambda->by_reference || operand.form < CPP_FORM_CHOICE) ||
        !cpp_mentions(lambda->body, name))
        return;
    if (copy && operand.form == CPP_FORM_REGISTER) {
        uint32_t reg = cpp_temporary(code, code->regs.at[operand.reg].type, lambda->body->span);
        cpp_move(code, reg, &operand, lambda->body->span);
        operand.reg = reg;
    }
    struct cpp_variable made = {name, 0, operand};
    vec_push(code->arena, &closure->captured, made);
}

static void capture_all(struct cpp_code *code, const struct cpp_lambda *lambda,
                        struct cpp_closure *closure)
{
    struct cpp_operand visible;
    for (uint32_t i = 0; i < code->implicit.len; i++)
        capture(code, lambda, code->regs.at[code->implicit.at[i].reg].name, code->implicit.at[i],
                closure);
    for (uint32_t i = 0; i < code->variables.len; i++) {
        const char *name = code->variables.at[i].name;
        if (cpp_variable_index(code, name) == i && cpp_find_variable(code, name, &visible))
            capture(code, lambda, name, visible, closure);
    }
}

bool cpp_closure(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const struct cpp_lambda *lambda = expr->lambda;
    struct cpp_closure *closure = ARENA_NEW(code->arena, struct cpp_closure);
    *closure = (struct cpp_closure){.function = {.name = "the lambda",
                                                 .span = expr->span,
                                                 .result = lambda->result,
                                                 .formals = lambda->parameters,
                                                 .formal_count = lambda->parameter_count,
                                                 .code = lambda->body}};
    if (lambda->copies && lambda->by_reference) {
        code_error(code, cpp_refused, expr->span, "write [&], or [=]",
                   "a lambda that copies some variables and refers to others is not read");
        return false;
    }
    for (uint32_t i = 0; i < lambda->copied_count; i++)
        if (lambda->copied_values[i]) {
            code_error(code, cpp_refused, expr->span, "declare the variable before the lambda",
                       "a lambda with a variable of its own, '%s', is not read", lambda->copied[i]);
            return false;
        }
    capture_all(code, lambda, closure);
    *to = (struct cpp_operand){.form = CPP_FORM_LAMBDA, .closure = closure};
    return true;
}

bool cpp_call_closure(struct cpp_code *code, const struct cpp_expr *expr, bool *found,
                      struct cpp_operand *to)
{
    const struct cpp_expr *callee = expr->kids[0];
    const char *word = callee->kind == CPP_NAME ? cpp_plain_word(&callee->name) : NULL;
    struct cpp_operand lambda;
    *found = callee->kind == CPP_LAMBDA ||
             (word && cpp_find_variable(code, word, &lambda) && lambda.form == CPP_FORM_LAMBDA);
    if (!*found || (callee->kind == CPP_LAMBDA && !cpp_closure(code, callee, &lambda)))
        return false;
    struct cpp_function *function = (struct cpp_function *)&lambda.closure->function;
    struct cpp_use use = {function, expr, lambda.closure, NULL};
    return cpp_inline(code, &use, to);
}
