/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/lower.h"

/* 'switch': its value is compared with one case after the other, and then its body follows. */

/* Enters the cases of the body, without those of a switch in it. */
static void find_cases(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_CASE) {
        struct cpp_case one = {stmt, cpp_new_aim(code)};
        vec_push(code->arena, &code->cases, one);
    }
    for (uint32_t i = 0; stmt->kind != CPP_SWITCH && i < stmt->kid_count; i++)
        find_cases(code, stmt->kids[i]);
}

/* Jumps to the case if the value is its own. */
static bool try_case(struct cpp_code *code, const struct cpp_operand *value,
                     const struct cpp_case *one)
{
    const struct cpp_expr *expr = one->stmt->value;
    struct cpp_operand of, is = *value;
    if (!cpp_lower_value(code, expr, &of))
        return false;
    if (of.form != CPP_FORM_NUMBER) {
        code_error(code, cpp_type, expr->span, NULL, "the value of a case is a constant");
        return false;
    }
    if (!cpp_binary(code, CPP_MARK_EQ, &is, of, expr->span))
        return false;
    if (is.form == CPP_FORM_PREDICATE)
        cpp_jump_if(code, is.reg, true, one->aim, expr->span);
    else if (is.bits)
        cpp_jump(code, one->aim, expr->span);
    return true;
}

/* Jumps to one of the cases from 'first' on; to 'end' if there is none. */
static bool choose(struct cpp_code *code, const struct cpp_stmt *stmt, uint32_t first, uint32_t end)
{
    struct cpp_operand value;
    if (!cpp_lower_value(code, stmt->value, &value))
        return false;
    for (uint32_t i = first; i < code->cases.len; i++)
        if (!code->cases.at[i].stmt->value)
            end = code->cases.at[i].aim;
        else if (!try_case(code, &value, &code->cases.at[i]))
            return false;
    cpp_jump(code, end, stmt->value->span);
    return true;
}

bool cpp_switch(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    uint32_t first = code->cases.len, end = cpp_new_aim(code), outer = code->break_to;
    find_cases(code, stmt->kids[0]);
    if (!choose(code, stmt, first, end))
        return false;
    code->break_to = end;
    bool good = cpp_lower_stmt(code, stmt->kids[0]);
    code->break_to = outer;
    code->cases.len = first;
    cpp_place(code, end);
    return good;
}

bool cpp_case(struct cpp_code *code, const struct cpp_stmt *stmt)
{
    for (uint32_t i = code->cases.len; i--;)
        if (code->cases.at[i].stmt == stmt) {
            cpp_place(code, code->cases.at[i].aim);
            return cpp_lower_stmt(code, stmt->kids[0]);
        }
    code_error(code, cpp_syntax, stmt->span, NULL, "this stands outside of a 'switch'");
    return false;
}
