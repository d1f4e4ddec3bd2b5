/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/words.h"

#include <glib.h>
#include <string.h>

const char *words_prefix(const struct source *source)
{
    g_autofree char *text = g_strndup(source->text, source->length);
    bool bare = strstr(text, "memory_order") || strstr(text, "atomic_");
    return strstr(text, "cuda::")  ? "cuda::"
           : strstr(text, "std::") ? "std::"
           : bare                  ? ""
                                   : "cuda::";
}

const char *words_scoped_prefix(const struct source *source)
{
    const char *prefix = words_prefix(source);
    return strcmp(prefix, "std::") == 0 ? "cuda::" : prefix;
}

/* ---- orders --------------------------------------------------------------------------------- */

/* What comes before the last word of a name that '_' or "::" puts together. */
static const char *stem(struct arena *arena, const char *like, const char *const *words,
                        size_t count)
{
    size_t length = strlen(like);
    for (size_t i = 0; i < count; i++) {
        size_t end = words[i] ? strlen(words[i]) : 0;
        bool ends = end && length >= end && strcmp(like + length - end, words[i]) == 0;
        if (ends && (length == end || strchr("_:", like[length - end - 1])))
            return arena_strndup(arena, like, length - end);
    }
    return NULL;
}

static const char *const orders[SEM_COUNT] = {
    [SEM_ACQ_REL] = "acq_rel", [SEM_RELAXED] = "relaxed", [SEM_ACQUIRE] = "acquire",
    [SEM_RELEASE] = "release", [SEM_SC] = "seq_cst",
};
static const char *const short_orders[SEM_COUNT] = {
    [SEM_ACQ_REL] = "acq_rel", [SEM_RELAXED] = "rlx", [SEM_ACQUIRE] = "acq",
    [SEM_RELEASE] = "rel",     [SEM_SC] = "sc",
};

const char *words_order_like(struct arena *arena, const char *like, enum sem sem)
{
    static const char *const consume[] = {"consume"};
    const char *before = stem(arena, like, orders, SEM_COUNT), *word = orders[sem];
    if (!before)
        before = stem(arena, like, consume, 1);
    if (!before && (before = stem(arena, like, short_orders, SEM_COUNT)))
        word = short_orders[sem];
    return before ? arena_printf(arena, "%s%s", before, word) : words_order(arena, "cuda::", sem);
}

const char *words_order(struct arena *arena, const char *prefix, enum sem sem)
{
    return arena_printf(arena, "%smemory_order_%s", prefix, orders[sem]);
}

/* ---- scopes --------------------------------------------------------------------------------- */

static const char *const scopes[SCOPE_COUNT] = {
    [SCOPE_NONE] = "thread", [SCOPE_CTA] = "block",  [SCOPE_CLUSTER] = "cluster",
    [SCOPE_GPU] = "device",  [SCOPE_SYS] = "system",
};
static const char *const short_scopes[SCOPE_COUNT] = {
    [SCOPE_NONE] = "thread", [SCOPE_CTA] = "cta", [SCOPE_CLUSTER] = "cluster",
    [SCOPE_GPU] = "gpu",     [SCOPE_SYS] = "sys",
};

const char *words_scope_like(struct arena *arena, const char *like, enum scope scope)
{
    const char *before = stem(arena, like, scopes, SCOPE_COUNT), *word = scopes[scope];
    if (!before && (before = stem(arena, like, short_scopes, SCOPE_COUNT)))
        word = short_scopes[scope];
    return before ? arena_printf(arena, "%s%s", before, word) : words_scope(arena, "cuda::", scope);
}

const char *words_scope(struct arena *arena, const char *prefix, enum scope scope)
{
    return arena_printf(arena, "%sthread_scope_%s", prefix, scopes[scope]);
}

/* ---- fences and types ----------------------------------------------------------------------- */

const char *words_fence(struct arena *arena, const char *prefix, enum sem sem, enum scope scope)
{
    if (sem == SEM_SC && scope == SCOPE_CTA)
        return "__threadfence_block()";
    if (sem == SEM_SC && scope == SCOPE_GPU)
        return "__threadfence()";
    if (sem == SEM_SC && scope == SCOPE_SYS)
        return "__threadfence_system()";
    return arena_printf(arena, "%satomic_thread_fence(%s, %s)", prefix,
                        words_order(arena, prefix, sem), words_scope(arena, prefix, scope));
}

const char *words_type(enum type type)
{
    bool is_signed = type_is_signed(type) && type != TYPE_NONE;
    switch (type_bytes(type)) {
    case 1:
        return is_signed ? "signed char" : "unsigned char";
    case 2:
        return is_signed ? "short" : "unsigned short";
    case 8:
        return is_signed ? "long long" : "unsigned long long";
    default:
        return is_signed ? "int" : "unsigned";
    }
}
