/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* The types that device code computes with: integers, pointers to them, atomic objects of them. */

struct cpp_kind cpp_integer_kind(enum type type)
{
    return (struct cpp_kind){.type = type};
}

enum type cpp_promoted(enum type type)
{
    return type_bytes(type) < 4 ? TYPE_S32 : type;
}

struct cpp_kind cpp_value_kind(struct cpp_kind kind)
{
    struct cpp_kind value = {.type = kind.type, .is_bool = kind.is_bool};
    return kind.is_pointer ? kind : kind.held ? *kind.held : value;
}

enum type cpp_value_type(struct cpp_kind kind)
{
    return kind.is_pointer ? TYPE_U64 : cpp_promoted(kind.type);
}

uint32_t cpp_kind_bytes(struct cpp_kind kind)
{
    return kind.is_pointer ? 8 : type_bytes(kind.type);
}

enum type cpp_common_type(enum type a, enum type b)
{
    a = cpp_promoted(a);
    b = cpp_promoted(b);
    if (type_bytes(a) != type_bytes(b))
        return type_bytes(a) > type_bytes(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

uint64_t cpp_fit(uint64_t bits, enum type type)
{
    unsigned cut = 64 - 8 * type_bytes(type);
    return type_is_signed(type) ? (uint64_t)((int64_t)(bits << cut) >> cut) : bits << cut >> cut;
}

static bool refuse(struct cpp_code *code, const struct cpp_type *type, const char *hint)
{
    code_error(code, cpp_type, type->span, hint, "'%s' is no type of a test",
               source_words(code->arena, code->source, type->span));
    return false;
}

/* "atomic_int", "atomic_uint64_t" and their like. */
static bool c_atomic(const char *word, struct cpp_kind *kind)
{
    static const char prefix[] = "atomic_";
    static const struct {
        const char *word;
        enum type type;
    } rows[] = {{"int", TYPE_S32},   {"uint", TYPE_U32},   {"long", TYPE_S64}, {"ulong", TYPE_U64},
                {"llong", TYPE_S64}, {"ullong", TYPE_U64}, {"char", TYPE_S8},  {"uchar", TYPE_U8},
                {"short", TYPE_S16}, {"ushort", TYPE_U16}, {"bool", TYPE_U8}};
    struct cpp_type type;
    if (strncmp(word, prefix, strlen(prefix)) != 0)
        return false;
    word += strlen(prefix);
    *kind = (struct cpp_kind){.is_atomic = true, .scope = SCOPE_SYS};
    kind->is_bool = strcmp(word, "bool") == 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0)
            kind->type = rows[i].type;
    if (cpp_integer_named(word, &type))
        kind->type = type_with(type.is_signed ? 's' : 'u', type.bytes);
    return kind->type != TYPE_NONE;
}

/* The library keeps it in an int. */
static bool atomic_flag(const char *word, struct cpp_kind *kind)
{
    if (strcmp(word, "atomic_flag") != 0)
        return false;
    *kind =
        (struct cpp_kind){.type = TYPE_S32, .is_atomic = true, .is_flag = true, .scope = SCOPE_SYS};
    return true;
}

static bool scope_argument(struct cpp_code *code, const struct cpp_type *type,
                           const struct cpp_part *part, uint32_t index, struct cpp_kind *kind)
{
    if (cpp_scope_argument(code, &part->arguments[index], &kind->scope))
        return true;
    code_error(code, cpp_scope, type->span,
               "write thread_scope_thread, _block, _cluster, _device or _system",
               "the %s argument of '%s' is no scope", index ? "second" : "first", part->word);
    return false;
}

struct cpp_kind cpp_pointer_holder(struct cpp_code *code, struct cpp_kind pointer)
{
    struct cpp_kind *held = ARENA_NEW(code->arena, struct cpp_kind);
    *held = pointer;
    return (struct cpp_kind){.type = TYPE_U64, .held = held};
}

/* The arguments of "atomic<int, thread_scope_device>": only cuda's own has a scope. */
static bool atomic_arguments(struct cpp_code *code, const struct cpp_type *type,
                             const struct cpp_part *part, struct cpp_kind *kind)
{
    bool nested;
    *kind = (struct cpp_kind){.type = TYPE_S32};
    if (part->argument_count &&
        (!part->arguments[0].type || !cpp_kind_of(code, part->arguments[0].type, kind, &nested)))
        return refuse(code, type, "write the type of its value in '<>'");
    if (kind->is_pointer)
        *kind = cpp_pointer_holder(code, *kind);
    kind->is_atomic = true;
    kind->scope = SCOPE_SYS;
    return part->argument_count < 2 || scope_argument(code, type, part, 1, kind);
}

/* "barrier<thread_scope_block>" */
static bool barrier_kind(struct cpp_code *code, const struct cpp_type *type,
                         const struct cpp_part *part, struct cpp_kind *kind)
{
    *kind = (struct cpp_kind){.type = TYPE_S32, .is_barrier = true, .scope = SCOPE_SYS};
    if (part->argument_count > 1)
        return refuse(code, type, "a barrier that calls a function is not read");
    return !part->argument_count || scope_argument(code, type, part, 0, kind);
}

/* "latch<thread_scope_block>", "counting_semaphore<thread_scope_device, 4>", "binary_semaphore<…>"; '*found': it is one. */
static bool class_kind(struct cpp_code *code, const struct cpp_type *type,
                       const struct cpp_part *part, bool *found, struct cpp_kind *kind)
{
    bool latch = strcmp(part->word, "latch") == 0;
    bool binary = strcmp(part->word, "binary_semaphore") == 0;
    *found = latch || binary || strcmp(part->word, "counting_semaphore") == 0;
    *kind = (struct cpp_kind){.type = TYPE_S64, .is_atomic = true, .scope = SCOPE_SYS};
    for (uint32_t i = 0; *found && i < part->argument_count; i++) {
        const struct cpp_expr *value = part->arguments[i].value;
        binary = binary || (value && value->kind == CPP_NUMBER && value->value == 1);
        if (!value && !scope_argument(code, type, part, i, kind))
            return false;
    }
    kind->type = binary ? TYPE_S32 : TYPE_S64;
    kind->class = latch ? CPP_CLASS_LATCH : binary ? CPP_CLASS_BINARY : CPP_CLASS_SEMAPHORE;
    return *found;
}

static bool named_kind(struct cpp_code *code, const struct cpp_type *type, struct cpp_kind *kind,
                       bool *is_reference)
{
    const char *word = cpp_plain_word(&type->name);
    const struct cpp_part *part = cpp_last_part(&type->name);
    const struct cpp_type *meant = cpp_meant(code, type);
    struct cpp_operand bound;
    if (word && cpp_find_variable(code, word, &bound) && bound.form == CPP_FORM_TYPE) {
        *kind = bound.kind;
        return true;
    }
    if (meant->members)
        return refuse(
            code, type,
            "a test has single objects of a structure: point to a member of one, and write "
            "an array for each member in place of an array of it");
    if (meant != type)
        return cpp_kind_of(code, meant, kind, is_reference);
    if (word && (c_atomic(word, kind) || atomic_flag(word, kind)))
        return true;
    *is_reference = word && strcmp(word, "atomic_ref") == 0;
    if (*is_reference || (word && strcmp(word, "atomic") == 0))
        return atomic_arguments(code, type, part, kind);
    if (word && strcmp(word, "barrier") == 0)
        return barrier_kind(code, type, part, kind);
    bool found = false, good = word && class_kind(code, type, part, &found, kind);
    if (found)
        return good;
    if (strcmp(part->word, "arrival_token") == 0) {
        *kind = cpp_integer_kind(TYPE_S32);
        return true;
    }
    return refuse(code, type,
                  "a test has integers, pointers to them, atomic<T>, atomic_ref<T>, atomic_flag, "
                  "barrier, latch, counting_semaphore and binary_semaphore");
}

static bool pointer_kind(struct cpp_code *code, const struct cpp_type *type, struct cpp_kind *kind,
                         bool *is_reference)
{
    if (type->is_volatile)
        return refuse(code, type, "what a pointer points to may be volatile: volatile int *p");
    if (!cpp_kind_of(code, type->to, kind, is_reference))
        return false;
    if (kind->is_pointer || *is_reference)
        return refuse(code, type, "a test has pointers to integers and atomic objects only");
    kind->is_pointer = true;
    return true;
}

bool cpp_kind_of(struct cpp_code *code, const struct cpp_type *type, struct cpp_kind *kind,
                 bool *is_reference)
{
    *kind = (struct cpp_kind){.is_const = type->is_const, .is_volatile = type->is_volatile};
    *is_reference = false;
    switch (type->kind) {
    case CPP_TYPE_VOID:
        return true;
    case CPP_TYPE_BOOL:
        kind->is_bool = true;
        kind->type = TYPE_U8;
        return true;
    case CPP_TYPE_INTEGER:
        kind->type = type_with(type->is_signed ? 's' : 'u', type->bytes);
        return true;
    case CPP_TYPE_NAMED:
        return named_kind(code, type, kind, is_reference);
    case CPP_TYPE_POINTER:
        return pointer_kind(code, type, kind, is_reference);
    case CPP_TYPE_FLOAT:
        return refuse(code, type, "a test in C++ computes with integers");
    default:
        return refuse(code, type, NULL);
    }
}
