/* SPDX-License-Identifier: MIT */
#include "litmus/edit/strength.h"

#include <string.h>

#include "litmus/base/text.h"

bool strength_sem(enum sem more, enum sem less)
{
    static const uint32_t included[] = {
        [SEM_NONE] = 1u << SEM_NONE,
        [SEM_WEAK] = 1u << SEM_WEAK | 1u << SEM_NONE,
        [SEM_RELAXED] = 1u << SEM_RELAXED | 1u << SEM_WEAK | 1u << SEM_NONE,
        [SEM_ACQUIRE] = 1u << SEM_ACQUIRE | 1u << SEM_RELAXED | 1u << SEM_WEAK | 1u << SEM_NONE,
        [SEM_RELEASE] = 1u << SEM_RELEASE | 1u << SEM_RELAXED | 1u << SEM_WEAK | 1u << SEM_NONE,
        [SEM_ACQ_REL] = (2u << SEM_ACQ_REL) - 1,
        [SEM_SC] = (2u << SEM_SC) - 1,
    };
    return included[more] >> less & 1;
}

bool strength_scope(enum scope more, enum scope less)
{
    return more >= less;
}

static bool is_proxy_fence(const struct inst *fence)
{
    return fence->fence_kind == FENCE_PROXY || fence->fence_kind == FENCE_PROXY_RELEASE ||
           fence->fence_kind == FENCE_PROXY_ACQUIRE;
}

/* A fence without a space acts on all. */
static bool includes_space(const struct inst *more, const struct inst *less)
{
    return more->space == less->space || more->space == SPACE_GENERIC;
}

/* A two-way proxy fence does what a one-way one does only in its own CTA, so neither includes the other. */
static bool strength_fences(const struct inst *more, const struct inst *less)
{
    if (is_proxy_fence(more) || is_proxy_fence(less))
        return more->fence_kind == less->fence_kind && more->proxy == less->proxy &&
               strength_scope(more->scope, less->scope) && includes_space(more, less);
    return (more->fence_kind == FENCE_MEMORY || more->fence_kind == less->fence_kind) &&
           strength_sem(more->sem, less->sem) && strength_scope(more->scope, less->scope);
}

bool strength_inst(const struct inst *more, const struct inst *less)
{
    if (more->op == OP_FENCE && less->op == OP_FENCE)
        return strength_fences(more, less);
    return more->op == less->op && strength_sem(more->sem, less->sem) &&
           strength_scope(more->scope, less->scope);
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span strength_span(const struct test *test, const struct inst *inst)
{
    const char *text = test->source->text;
    uint32_t at = inst->span.offset, end = at + inst->span.length;
    if (inst->op == OP_HOST_CALL)
        return inst->span;
    if (at < end && text[at] == '@') {
        while (at < end && !is_blank(text[at]))
            at++;
        while (at < end && is_blank(text[at]))
            at++;
    }
    uint32_t start = at;
    while (at < end && !is_blank(text[at]))
        at++;
    return (struct span){start, at - start};
}

struct span strength_words_span(const struct test *test, const struct inst *inst)
{
    uint32_t from = strength_span(test, inst).offset;
    return (struct span){from, inst->span.offset + inst->span.length - from};
}

const char *strength_fence(struct arena *arena, const struct inst *fence)
{
    const char *scope = scope_name(fence->scope), *sem = sem_name(fence->sem);
    const char *space = fence->space == SPACE_SHARED ? "shared::cta" : space_name(fence->space);
    bool spaced = fence->space != SPACE_GENERIC;
    switch (fence->fence_kind) {
    case FENCE_MEMORY:
        return arena_printf(arena, "fence.%s.%s", sem, scope);
    case FENCE_PROXY:
        return arena_printf(arena, "fence.proxy.%s%s%s", proxy_name(fence->proxy),
                            spaced ? "." : "", spaced ? space : "");
    case FENCE_PROXY_RELEASE:
    case FENCE_PROXY_ACQUIRE:
        return arena_printf(arena, "fence.proxy.%s.%s%s%s.%s",
                            proxy_row(fence->proxy)->one_way_word, sem,
                            spaced ? ".sync_restrict::" : "", spaced ? space : "", scope);
    case FENCE_MBARRIER_INIT:
        return "fence.mbarrier_init.release.cluster";
    case FENCE_RESTRICT_RELEASE:
    case FENCE_RESTRICT_ACQUIRE:
        return arena_printf(arena, "fence.%s.sync_restrict::%s.cluster", sem, space);
    }
    return "";
}

static bool is_class(const char *word, char class)
{
    return isa_word_of(class, word, strlen(word));
}

static bool is_strength_word(const char *word)
{
    return is_class(word, 'S') || is_class(word, 'C') || strcmp(word, "volatile") == 0 ||
           strcmp(word, "mmio") == 0;
}

/* Flags that PTX writes before the semantics. */
static bool is_before_strength(const char *word)
{
    static const char *const words[] = {"expect_tx", "noComplete", "parity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void add_strength(GString *out, const struct inst *to)
{
    if (to->sem != SEM_NONE)
        g_string_append_printf(out, ".%s", sem_name(to->sem));
    if (to->sem != SEM_WEAK && to->scope != SCOPE_NONE && op_accepts(to->op, 'C'))
        g_string_append_printf(out, ".%s", scope_name(to->scope));
}

/* How many words of the mnemonic are its name: "mbarrier.arrive" has two. */
static uint32_t name_length(enum op op)
{
    uint32_t count = 1;
    for (const char *c = op_mnemonic(op); *c; c++)
        count += *c == '.';
    return count;
}

const char *strength_words(struct arena *arena, const struct test *test, const struct inst *from,
                           const struct inst *to)
{
    if (to->op == OP_FENCE)
        return strength_fence(arena, to);
    struct span span = strength_span(test, from);
    char **words =
        g_strsplit(arena_strndup(arena, test->source->text + span.offset, span.length), ".", -1);
    struct text *text = text_open(arena);
    uint32_t i = 0, named = name_length(from->op);
    for (; words[i] && (i < named || is_before_strength(words[i])); i++)
        g_string_append_printf(text->out, "%s%s", i ? "." : "", words[i]);
    add_strength(text->out, to);
    for (; words[i]; i++)
        if (!is_strength_word(words[i]))
            g_string_append_printf(text->out, ".%s", words[i]);
    g_strfreev(words);
    return text_close(text, arena);
}

/* The word of the class in the mnemonic. */
static struct span word_span(const struct test *test, const struct inst *inst, char class)
{
    struct span span = strength_span(test, inst);
    uint32_t at = span.offset, end = span.offset + span.length;
    while (at < end) {
        uint32_t from = at;
        while (at < end && test->source->text[at] != '.')
            at++;
        if (isa_word_of(class, test->source->text + from, at - from))
            return (struct span){from, at - from};
        at++;
    }
    return (struct span){0, 0};
}

struct span strength_sem_span(const struct test *test, const struct inst *inst)
{
    return word_span(test, inst, 'S');
}

struct span strength_scope_span(const struct test *test, const struct inst *inst)
{
    return word_span(test, inst, 'C');
}
