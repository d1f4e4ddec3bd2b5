/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* Texts that are written out, as const char * and std::string have them. What changes one is not modelled, so a text that
 * is known is the one that was written. */

bool eval_is_plain_text(const struct eval *e, const struct code_value *value)
{
    const char *text = e->p->source->text + value->name.offset;
    return value->kind == VALUE_STRING && value->name.length > 1 && *text == '"' &&
           text[value->name.length - 1] == '"' && !memchr(text + 1, '"', value->name.length - 2) &&
           !memchr(text, '\\', value->name.length);
}

int eval_order_of_texts(const struct eval *e, const struct code_value *left,
                        const struct code_value *right)
{
    uint32_t a = left->name.length - 2, b = right->name.length - 2, both = a < b ? a : b;
    int order = memcmp(e->p->source->text + left->name.offset + 1,
                       e->p->source->text + right->name.offset + 1, both);
    return order ? order : a < b ? -1 : a > b;
}

bool eval_text_method(const struct eval *e, const struct code_value *text, const char *word,
                      struct code_value *to)
{
    uint32_t length = text->name.length - 2;
    bool counts = strcmp(word, "size") == 0 || strcmp(word, "length") == 0;
    if (text->kind == VALUE_STRING && (strcmp(word, "c_str") == 0 || strcmp(word, "data") == 0)) {
        *to = *text;
        return true;
    }
    if ((!counts && strcmp(word, "empty") != 0) || !eval_is_plain_text(e, text))
        return false;
    *to = counts ? eval_number(length, TYPE_U64) : eval_number(!length, TYPE_U8);
    return true;
}

bool eval_text_length(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                      struct code_value *to)
{
    struct code_value text;
    *found = strcmp(word, "strlen") == 0 && expr->kid_count == 2;
    if (!*found || !eval_value(e, expr->kids[1], &text))
        return false;
    if (!eval_is_plain_text(e, &text))
        return eval_needs(e, &text, expr->kids[1]->span, "a text that is written out");
    *to = eval_number(text.name.length - 2, TYPE_U64);
    return true;
}
