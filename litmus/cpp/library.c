/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* cuda::latch, counting_semaphore and binary_semaphore: a call of a method becomes the code that the library has for it. */

static const struct {
    enum cpp_class class;
    const char *word, *text;
} rows[] = {
#define LIBRARY(class, word, text) {CPP_CLASS_##class, word, text},
#include "litmus/cpp/library.def"
};

bool cpp_is_library_method(const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return true;
    return false;
}

static const char *text_of(enum cpp_class class, const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].class == class && strcmp(rows[i].word, word) == 0)
            return rows[i].text;
    return NULL;
}

bool cpp_library(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                 const struct cpp_operand *object, struct cpp_operand *to)
{
    const char *text = text_of(object->kind.class, word);
    struct cpp_function *callee = ARENA_NEW(code->arena, struct cpp_function);
    struct cpp_operand self = *object;
    uint32_t insts = code->insts.len, regs = code->regs.len;
    if (!text) {
        code_error(code, cpp_unknown_function, expr->span, NULL,
                   "a latch has count_down, try_wait, wait and arrive_and_wait, a semaphore "
                   "release, acquire and try_acquire; not '%.60s'",
                   word);
        return false;
    }
    self.kind.class = CPP_CLASS_NONE;
    struct cpp_use use = {callee, expr, NULL, &self};
    if (!cpp_function_of_text(code, text, callee))
        return false;
    callee->name = word;
    bool good = cpp_inline(code, &use, to);
    for (uint32_t i = insts; i < code->insts.len; i++)
        code->insts.at[i].span = expr->span; /* where the call is written */
    for (uint32_t i = regs; i < code->regs.len; i++)
        code->regs.at[i].span = expr->span;
    return good;
}
