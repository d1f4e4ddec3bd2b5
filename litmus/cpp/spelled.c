/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/lower.h"

/* Types of objects in the words of the CUDA library (cuda/atomic). */

static const char *integer(const struct cpp_kind *kind)
{
    if (kind->is_bool)
        return "bool";
    bool is_signed = type_is_signed(kind->type);
    switch (type_bytes(kind->type)) {
    case 1:
        return is_signed ? "signed char" : "unsigned char";
    case 2:
        return is_signed ? "short" : "unsigned short";
    case 4:
        return is_signed ? "int" : "unsigned";
    default:
        return is_signed ? "long long" : "unsigned long long";
    }
}

static const char *scope(enum scope scope)
{
    switch (scope) {
    case SCOPE_CTA:
        return "block";
    case SCOPE_GPU:
        return "device";
    case SCOPE_SYS:
        return "system";
    case SCOPE_NONE:
        return "thread";
    default:
        return NULL;
    }
}

static const char *pointed(struct arena *arena, struct cpp_kind kind)
{
    kind.is_pointer = false;
    const char *to = kind.type == TYPE_NONE ? "void" : cpp_kind_spelled(arena, &kind);
    return to ? arena_printf(arena, "%s *", to) : NULL;
}

/* Functions of C take those of the standard, which are of the system. */
static const char *atomic(struct arena *arena, const struct cpp_kind *kind)
{
    const char *value = kind->held ? pointed(arena, *kind->held) : integer(kind);
    const char *of = scope(kind->scope);
    if (!value || !of || kind->is_flag)
        return NULL;
    return kind->scope == SCOPE_SYS
               ? arena_printf(arena, "cuda::std::atomic<%s>", value)
               : arena_printf(arena, "cuda::atomic<%s, cuda::thread_scope_%s>", value, of);
}

const char *cpp_kind_spelled(struct arena *arena, const struct cpp_kind *kind)
{
    if (kind->is_barrier || kind->class != CPP_CLASS_NONE)
        return NULL;
    if (kind->is_pointer)
        return pointed(arena, *kind);
    const char *name = kind->is_atomic ? atomic(arena, kind) : integer(kind);
    return name ? arena_printf(arena, "%s%s", kind->is_volatile ? "volatile " : "", name) : NULL;
}
