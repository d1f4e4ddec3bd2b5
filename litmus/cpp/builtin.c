/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* What a kernel knows of itself: threadIdx, blockIdx, blockDim, gridDim and warpSize. */

enum { WARP_SIZE = 32 };

static const struct {
    const char *word;
    enum special x; /* those of y and z follow it */
} builtins[] = {{"threadIdx", SPECIAL_TID_X},
                {"blockDim", SPECIAL_NTID_X},
                {"blockIdx", SPECIAL_CTAID_X},
                {"gridDim", SPECIAL_NCTAID_X}};

static const char *plain_name(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME ? cpp_plain_word(&expr->name) : NULL;
}

bool cpp_is_warp_size(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const char *word = plain_name(expr);
    if (!word || strcmp(word, "warpSize") != 0 || cpp_find_variable(code, word, to))
        return false;
    *to = cpp_number(WARP_SIZE, TYPE_S32);
    return true;
}

static struct cpp_operand special(struct cpp_code *code, enum special of, struct span span)
{
    uint32_t reg = cpp_temporary(code, TYPE_U32, span);
    struct inst *inst = cpp_emit(code, OP_MOV, TYPE_U32, span);
    cpp_add_register(inst, reg);
    cpp_add_special(inst, of);
    return cpp_in_register(reg, cpp_integer_kind(TYPE_U32));
}

bool cpp_builtin(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    const char *word = plain_name(expr->kids[0]), *part = cpp_last_part(&expr->name)->word;
    for (size_t i = 0; word && i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(word, builtins[i].word) != 0)
            continue;
        if (code->kernel == NONE) {
            code_error(code, cpp_unknown_name, expr->span,
                       "write a kernel and a launch, or the thread's own number",
                       "'%s' is one of the code of kernels", word);
            return false;
        }
        if (strlen(part) == 1 && *part >= 'x' && *part <= 'z') {
            *to = special(code, (enum special)(builtins[i].x + (*part - 'x')), expr->span);
            return true;
        }
    }
    code_error(code, cpp_refused, expr->span, NULL, "'%s' is not read in the code of a thread",
               source_words(code->arena, code->source, expr->span));
    return false;
}
