/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* What functions of std::string, and those of C on texts, give. */

/* ---- methods -------------------------------------------------------------------------------- */

/* What the method is given; more is not known. */
struct text_arguments {
    struct code_value at[2];
    uint32_t count;
};

static bool arguments(struct eval *e, const struct cpp_expr *expr, struct text_arguments *to)
{
    to->count = expr->kid_count - 1;
    for (uint32_t i = 0; i < to->count && i < 2; i++)
        if (!eval_value(e, expr->kids[i + 1], &to->at[i]))
            return false;
    return true;
}

static const char *const changing[] = {"push_back", "append", "clear",   "pop_back", "assign",
                                       "insert",    "erase",  "replace", "resize",   "swap"};

static bool is_changing(const char *word)
{
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        if (strcmp(word, changing[i]) == 0)
            return true;
    return false;
}

/* "s.push_back(c)", "s.append(t)", "s.clear()", "s.pop_back()", "s = t" by its name; what else changes it is not known. */
static bool change(struct eval *e, const struct lvalue *place, const struct cpp_expr *expr,
                   const char *word, const struct text_arguments *given)
{
    const struct code_value unknown = {.kind = VALUE_UNKNOWN, .name = expr->span};
    struct code_value made = place->cell->value;
    struct code_text text;
    bool known = eval_characters(e, &made, &text);
    if (e->branches || e->waiting) {
        eval_error(e, host_statement, expr->span, "change it where every run comes by",
                   "a text that changes in a branch is not read");
        return false;
    }
    bool adds = strcmp(word, "push_back") == 0 || strcmp(word, "append") == 0;
    if (adds && given->count == 1)
        eval_add_texts(e, &made, &given->at[0], expr->span);
    else if (strcmp(word, "clear") == 0)
        made = eval_new_text(e, "", 0, expr->span);
    else if (strcmp(word, "pop_back") == 0 && known && text.length)
        made = eval_new_text(e, text.at, text.length - 1, expr->span);
    else if (strcmp(word, "assign") == 0 && given->count == 1)
        made = eval_as_string(e, &given->at[0], expr->span);
    else
        return eval_needs(e, &unknown, expr->span, "a change of a text");
    return eval_write(e, place, &made, expr->span);
}

static uint64_t found_at(const struct code_text *text, const struct code_text *part)
{
    for (uint64_t i = 0; i + part->length <= text->length; i++)
        if (memcmp(text->at + i, part->at, part->length) == 0)
            return i;
    return UINT64_MAX;
}

static bool is_position(const char *word)
{
    return strcmp(word, "at") == 0 || strcmp(word, "front") == 0 || strcmp(word, "back") == 0;
}

/* What depends on the characters; false: it is none of these, or not known. */
static bool read_text(struct eval *e, const struct code_text *text, const char *word,
                      const struct text_arguments *given, struct span span, struct code_value *to)
{
    const struct code_value *first = given->count ? &given->at[0] : NULL;
    uint64_t from = first && first->kind == VALUE_NUMBER ? first->number : 0;
    struct code_text part;
    if (strcmp(word, "size") == 0 || strcmp(word, "length") == 0)
        *to = eval_number(text->length, TYPE_U64);
    else if (strcmp(word, "empty") == 0)
        *to = eval_number(!text->length, TYPE_U8);
    else if (is_position(word) && (!first || first->kind == VALUE_NUMBER) && from < text->length)
        *to = eval_number((uint64_t)text->at[*word == 'b' ? text->length - 1 : from], TYPE_S8);
    else if (strcmp(word, "substr") == 0 && given->count && first->kind == VALUE_NUMBER &&
             from <= text->length && (given->count < 2 || given->at[1].kind == VALUE_NUMBER)) {
        uint64_t most = given->count < 2 ? UINT64_MAX : given->at[1].number;
        uint32_t rest = text->length - (uint32_t)from;
        *to = eval_new_text(e, text->at + from, most < rest ? (uint32_t)most : rest, span);
    } else if (strcmp(word, "find") == 0 && given->count == 1 && eval_characters(e, first, &part))
        *to = eval_number(found_at(text, &part), TYPE_U64);
    else if (strcmp(word, "compare") == 0 && given->count == 1 && eval_characters(e, first, &part))
        *to = eval_number((uint64_t)(int64_t)eval_order_of_texts(text, &part), TYPE_S32);
    else
        return false;
    return true;
}

static bool is_reading(const char *word)
{
    static const char *const words[] = {"size", "length", "empty", "at",     "front",
                                        "back", "substr", "find",  "compare"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

bool eval_text_method(struct eval *e, const struct lvalue *place, const struct cpp_expr *expr,
                      const char *word, bool *found, struct code_value *to)
{
    const struct code_value value = place->cell->value;
    bool gives = strcmp(word, "c_str") == 0 || strcmp(word, "data") == 0;
    bool changes = place->cell->shape->is_text && is_changing(word);
    struct text_arguments given;
    struct code_text text;
    *found = changes || (value.kind == VALUE_STRING && (gives || is_reading(word)));
    if (!*found || !eval_take_to_read(e, place->cell, expr->span) || !arguments(e, expr, &given))
        return false;
    if (changes)
        return change(e, place, expr, word, &given);
    *to = value;
    to->is_string = false;
    if (gives ||
        (eval_characters(e, &value, &text) && read_text(e, &text, word, &given, expr->span, to)))
        return true;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    return true;
}

/* ---- functions of C ------------------------------------------------------------------------- */

static bool length_of(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value value;
    struct code_text text;
    if (!eval_value(e, expr->kids[1], &value))
        return false;
    if (!eval_characters(e, &value, &text))
        return eval_needs(e, &value, expr->kids[1]->span, "a text that is written out");
    *to = eval_number(strnlen(text.at, text.length), TYPE_U64);
    return true;
}

/* "strcmp(a, b)", "strncmp(a, b, n)" */
static bool compared(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value values[3];
    struct code_text texts[2];
    values[2] = eval_number(UINT32_MAX, TYPE_U64);
    for (uint32_t i = 0; i + 1 < expr->kid_count; i++)
        if (!eval_value(e, expr->kids[i + 1], &values[i]))
            return false;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    if (values[2].kind != VALUE_NUMBER)
        return true;
    for (uint32_t i = 0; i < 2; i++) {
        if (!eval_characters(e, &values[i], &texts[i]))
            return true;
        uint64_t most = values[2].number < texts[i].length ? values[2].number : texts[i].length;
        texts[i].length = (uint32_t)strnlen(texts[i].at, most);
    }
    int order = eval_order_of_texts(&texts[0], &texts[1]);
    *to = eval_number((uint64_t)(int64_t)((order > 0) - (order < 0)), TYPE_S32);
    return true;
}

/* "std::to_string(5)" */
static bool spelled(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value value;
    if (!eval_value(e, expr->kids[1], &value))
        return false;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = expr->span};
    if (value.kind != VALUE_NUMBER)
        return true;
    const char *text = type_is_signed(value.type) || value.type == TYPE_NONE
                           ? arena_printf(e->arena, "%lld", (long long)value.number)
                           : arena_printf(e->arena, "%llu", (unsigned long long)value.number);
    *to = eval_new_text(e, text, (uint32_t)strlen(text), expr->span);
    return true;
}

bool eval_text_function(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                        struct code_value *to)
{
    bool counts = strcmp(word, "strlen") == 0 && expr->kid_count == 2;
    bool compares = (strcmp(word, "strcmp") == 0 && expr->kid_count == 3) ||
                    (strcmp(word, "strncmp") == 0 && expr->kid_count == 4);
    bool spells = strcmp(word, "to_string") == 0 && expr->kid_count == 2;
    *found = counts || compares || spells;
    if (!*found)
        return false;
    return counts     ? length_of(e, expr, to)
           : compares ? compared(e, expr, to)
                      : spelled(e, expr, to);
}
