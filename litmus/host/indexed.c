/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/walk.h"

/* Arrays and vectors that are used only element by element are variables, the others memory. */

/* How often an array's name stands somewhere, and how often before an index. */
struct array_mentions {
    struct walk walk;
    uint32_t all, indexed;
};

/* "v.size()", "v.push_back(1)" */
static bool is_sizing(const struct cpp_expr *expr, const char *name)
{
    static const char *const words[] = {
        "size",  "empty", "reserve", "clear",        "push_back", "resize",    "pop_back",
        "begin", "end",   "cbegin",  "cend",         "insert",    "erase",     "assign",
        "swap",  "front", "back",    "emplace_back", "at",        "pop_front", "push_front"};
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word = callee && callee->kind == CPP_MEMBER && !callee->is_arrow
                           ? eval_word(callee->kids[0])
                           : NULL;
    if (!word || strcmp(word, name) != 0)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(cpp_last_part(&callee->name)->word, words[i]) == 0)
            return true;
    return false;
}

/* "&v.front()" */
static bool points_into(const struct cpp_expr *expr, const char *name)
{
    return expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND && is_sizing(expr->kids[0], name);
}

/* "w.swap(v)" */
static bool is_swapped(const struct cpp_expr *expr, const char *name)
{
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word = expr->kid_count == 2 ? eval_word(expr->kids[1]) : NULL;
    return callee && callee->kind == CPP_MEMBER && word && strcmp(word, name) == 0 &&
           strcmp(cpp_last_part(&callee->name)->word, "swap") == 0;
}

/* "v == w", whose elements are compared */
static unsigned is_compared(const struct cpp_expr *expr, const char *name)
{
    bool compares =
        expr->kind == CPP_BINARY && (expr->mark == CPP_MARK_EQ || expr->mark == CPP_MARK_NE);
    unsigned count = 0;
    for (uint32_t i = 0; compares && i < 2; i++) {
        const char *word = eval_word(expr->kids[i]);
        count += word && strcmp(word, name) == 0;
    }
    return count;
}

static void note_indexed(struct walk *walk, const struct cpp_expr *expr)
{
    struct array_mentions *count = (struct array_mentions *)walk;
    const char *word = eval_word(expr);
    const char *base = expr->kind == CPP_INDEX ? eval_word(expr->kids[0]) : NULL;
    count->all += word && strcmp(word, walk->name) == 0;
    count->indexed += (base && strcmp(base, walk->name) == 0) || is_sizing(expr, walk->name);
    count->indexed += is_swapped(expr, walk->name) || is_compared(expr, walk->name);
    walk->found = walk->found || walk_is_address_of(expr, walk->name) ||
                  points_into(expr, walk->name) ||
                  (expr->kind == CPP_LAMBDA && eval_mentions(expr->lambda->body, walk->name));
}

static void note_referred(struct walk *walk, const struct cpp_declarator *one)
{
    const struct cpp_expr *value = one->given_count == 1 ? one->given[0] : one->value;
    if (one->bound) /* "auto [a, b] = v" */
        return;
    walk->found = walk->found ||
                  (one->type->kind == CPP_TYPE_REFERENCE && walk_is_root(value, walk->name)) ||
                  (one->type->kind == CPP_TYPE_AUTO && walk_is_root(value, walk->name));
}

/* "for (int x : a)" and "auto [x, y] = a" take the elements one by one. */
static uint32_t count_ranges(const struct cpp_stmt *stmt, const char *name)
{
    const char *word = stmt->kind == CPP_RANGE_FOR ? eval_word(stmt->value) : NULL;
    uint32_t count = word && strcmp(word, name) == 0;
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        word = one->bound && one->value && one->type->kind == CPP_TYPE_AUTO ? eval_word(one->value)
                                                                            : NULL;
        count += word && strcmp(word, name) == 0;
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        count += count_ranges(stmt->kids[i], name);
    return count;
}

bool eval_is_only_indexed(const struct cpp_stmt *body, const char *name)
{
    struct array_mentions mentions = {
        {.see = note_indexed, .declares = note_referred, .name = name}, 0, 0};
    walk_stmt(&mentions.walk, body);
    mentions.indexed += count_ranges(body, name);
    return !mentions.walk.found && mentions.all == mentions.indexed;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool is_row(const struct cpp_expr *expr, const char *name)
{
    const char *word = expr->kind == CPP_INDEX ? eval_word(expr->kids[0]) : NULL;
    return word && strcmp(word, name) == 0;
}

static void note_row(struct walk *walk, const struct cpp_expr *expr)
{
    struct array_mentions *count = (struct array_mentions *)walk;
    const struct cpp_expr *callee = expr->kind == CPP_CALL ? expr->kids[0] : NULL;
    const char *word = eval_word(expr);
    bool method = callee && callee->kind == CPP_MEMBER && is_row(callee->kids[0], walk->name) &&
                  strcmp(cpp_last_part(&callee->name)->word, "data") != 0;
    count->all += word && strcmp(word, walk->name) == 0;
    count->indexed += method || (expr->kind == CPP_INDEX && is_row(expr->kids[0], walk->name)) ||
                      is_sizing(expr, walk->name);
    walk->found = walk->found || walk_is_address_of(expr, walk->name) ||
                  (expr->kind == CPP_LAMBDA && eval_mentions(expr->lambda->body, walk->name));
}

bool eval_has_indexed_rows(const struct cpp_stmt *body, const char *name)
{
    struct array_mentions mentions = {
        {.see = note_row, .declares = note_referred, .name = name}, 0, 0};
    walk_stmt(&mentions.walk, body);
    return !mentions.walk.found && mentions.all == mentions.indexed;
}
