/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* The words of memory orders and scopes, which papers and programs write in many ways: acquire,
 * memory_order_acquire, mo_acquire, cuda::std::memory_order::acquire. */

/* "acquire" of __ATOMIC_ACQUIRE and __NV_ATOMIC_ACQUIRE, "device" of __NV_THREAD_SCOPE_DEVICE. */
static const char *builtin_word(const char *word)
{
    static const char *const rows[][2] = {
        {"RELAXED", "relaxed"}, {"CONSUME", "consume"}, {"ACQUIRE", "acquire"},
        {"RELEASE", "release"}, {"ACQ_REL", "acq_rel"}, {"SEQ_CST", "seq_cst"},
        {"THREAD", "thread"},   {"BLOCK", "block"},     {"CLUSTER", "cluster"},
        {"DEVICE", "device"},   {"SYSTEM", "system"}};
    static const char *const prefixes[] = {"__ATOMIC_", "__NV_ATOMIC_", "__NV_THREAD_SCOPE_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0 &&
                strcmp(word + strlen(prefixes[i]), rows[k][0]) == 0)
                return rows[k][1];
    return word;
}

/* The name's word without its namespaces and the prefix ("memory_order"); NULL: there are others. */
static const char *bare_word(const struct cpp_name *name, const char *prefix)
{
    uint32_t i = 0, count = name->part_count;
    size_t length = strlen(prefix);
    while (i + 1 < count &&
           (strcmp(name->parts[i].word, "cuda") == 0 || strcmp(name->parts[i].word, "std") == 0))
        i++;
    if (i + 1 < count && strcmp(name->parts[i].word, prefix) == 0)
        i++;
    const char *word = name->parts[i].word;
    if (i + 1 != count)
        return NULL;
    if (strncmp(word, "__", 2) == 0)
        return builtin_word(word);
    if (strncmp(word, "mo_", 3) == 0 && strcmp(prefix, "memory_order") == 0)
        return word + 3; /* as papers abbreviate it */
    return strncmp(word, prefix, length) == 0 && word[length] == '_' ? word + length + 1 : word;
}

/* The word that a constant stands for, "constexpr auto o = memory_order_acquire;"; itself, if it is none. */
static const struct cpp_name *meant_word(struct cpp_code *code, const struct cpp_name *name)
{
    const char *word = name->parts[0].word;
    struct cpp_operand of;
    bool known = name->part_count == 1 &&
                 (cpp_find_variable(code, word, &of) || cpp_known_constant(code, word, &of));
    return known && of.form == CPP_FORM_WORD ? of.word : name;
}

static const struct cpp_scope_row {
    const char *word;
    enum scope scope;
} scopes[] = {
#define SCOPE_WORD(word, scope) {word, SCOPE_##scope},
#include "litmus/cpp/word.def"
};
enum { SCOPES = sizeof scopes / sizeof *scopes };

static bool scope_named(const struct cpp_name *name, enum scope *scope)
{
    const char *word = bare_word(name, "thread_scope");
    for (size_t i = 0; word && i < SCOPES; i++)
        if (strcmp(word, scopes[i].word) == 0) {
            *scope = scopes[i].scope;
            return true;
        }
    return false;
}

const struct cpp_name *cpp_scope_name(struct cpp_code *code, enum scope scope)
{
    struct cpp_name *name = ARENA_NEW(code->arena, struct cpp_name);
    *name = (struct cpp_name){.parts = ARENA_NEW(code->arena, struct cpp_part), .part_count = 1};
    for (size_t i = SCOPES; i--;)
        if (scopes[i].scope == scope)
            name->parts[0] = (struct cpp_part){.word = scopes[i].word};
    return name;
}

bool cpp_unknown_scope(struct cpp_code *code, const struct cpp_expr *expr)
{
    const char *text = source_words(code->arena, code->source, expr->span), *words[SCOPES];
    for (size_t i = 0; i < SCOPES; i++)
        words[i] = scopes[i].word;
    code_error(code, cpp_scope, expr->span,
               diag_hint(code->arena, text, strlen(text), words, SCOPES),
               "a scope is thread, block, cluster, device or system, not '%s'", text);
    return false;
}

bool cpp_scope_word(struct cpp_code *code, const struct cpp_expr *expr, enum scope *scope)
{
    return expr->kind == CPP_NAME && scope_named(meant_word(code, &expr->name), scope);
}

bool cpp_scope_argument(struct cpp_code *code, const struct cpp_argument *argument,
                        enum scope *scope)
{
    return argument->type && argument->type->kind == CPP_TYPE_NAMED &&
           scope_named(meant_word(code, &argument->type->name), scope);
}

static const struct cpp_order_row {
    const char *word;
    enum sem sem;
    const char *operations;
} orders[] = {
#define ORDER(word, sem, operations) {word, SEM_##sem, operations},
#include "litmus/cpp/word.def"
};
enum { ORDERS = sizeof orders / sizeof *orders };

static const struct cpp_order_row *order_named(const char *word)
{
    for (size_t i = 0; i < ORDERS; i++)
        if (strcmp(word, orders[i].word) == 0)
            return &orders[i];
    return NULL;
}

static const char *operation_name(char operation)
{
    return operation == 'l'   ? "a load"
           : operation == 's' ? "a store"
           : operation == 'f' ? "a fence"
           : operation == 'x' ? "a compare and exchange that fails"
                              : "a read-modify-write";
}

/* "relaxed, release, seq_cst": those that the operation may have, without their short forms. */
static const char *legal_orders(struct cpp_code *code, char operation)
{
    enum { SHORT = 3 };
    const char *list = "";
    for (size_t i = 0; i < ORDERS; i++)
        if (strchr(orders[i].operations, operation) && strlen(orders[i].word) > SHORT)
            list = arena_printf(code->arena, "%s%s%s", list, *list ? ", " : "", orders[i].word);
    return list;
}

static bool unknown_order(struct cpp_code *code, const struct cpp_expr *expr, const char *word)
{
    const char *words[ORDERS];
    for (size_t i = 0; i < ORDERS; i++)
        words[i] = orders[i].word;
    const char *hint = word ? diag_hint(code->arena, word, strlen(word), words, ORDERS) : NULL;
    code_error(code, cpp_order, expr->span, hint,
               "a memory order is relaxed, consume, acquire, release, acq_rel or seq_cst, not '%s'",
               source_words(code->arena, code->source, expr->span));
    return false;
}

bool cpp_order(struct cpp_code *code, const struct cpp_expr *expr, char operation, enum sem *sem)
{
    const char *word =
        expr->kind == CPP_NAME ? bare_word(meant_word(code, &expr->name), "memory_order") : NULL;
    const struct cpp_order_row *row = word ? order_named(word) : NULL;
    if (!row)
        return unknown_order(code, expr, word);
    *sem = row->sem;
    if (strchr(row->operations, operation))
        return true;
    code_error(code, cpp_order, expr->span,
               arena_printf(code->arena, "its orders are %s", legal_orders(code, operation)),
               "%s cannot be %s", operation_name(operation), row->word);
    return false;
}

bool cpp_word(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    enum scope scope;
    if (expr->kind != CPP_NAME)
        return false;
    const struct cpp_name *name = meant_word(code, &expr->name);
    const char *plain = name->part_count == 1 ? name->parts[0].word : NULL;
    if (name == &expr->name && plain &&
        (cpp_is_object(code, plain, to) || cpp_known_constant(code, plain, to)))
        return false; /* "block" may be anything */
    const char *word = bare_word(name, "memory_order");
    *to = (struct cpp_operand){.form = CPP_FORM_WORD, .word = name};
    return (word && order_named(word)) || scope_named(name, &scope);
}
