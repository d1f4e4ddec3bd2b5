/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/host/eval.h"

/* Texts: const char * as it is written out, and std::string, whose characters may have been computed, too. A char that is
 * assigned is not modelled. */

static const struct code_shape character = {.kind = SHAPE_NUMBER, .type = TYPE_S8};
const struct code_shape eval_string_shape = {.kind = SHAPE_AUTO, .is_text = true, .word = "string"};
const struct code_shape eval_characters_shape = {.kind = SHAPE_POINTER, .of = &character};

/* ---- characters ----------------------------------------------------------------------------- */

/* One character behind '\\'; false: of another kind than these. */
static bool escaped(const char **at, const char *end, char *to)
{
    static const char words[] = "nt\\\"'rabfv?", means[] = "\n\t\\\"'\r\a\b\f\v?";
    bool octal = **at >= '0' && **at <= '7', hex = **at == 'x';
    const char *word = strchr(words, **at);
    uint64_t value;
    bool fits;
    *at += !octal;
    if (octal || hex) {
        size_t most = octal && end - *at > 3 ? 3 : (size_t)(end - *at);
        size_t digits = number_digits(*at, most, octal ? 8 : 16, &value, &fits);
        *at += digits;
        *to = (char)value;
        return digits && fits;
    }
    *to = word ? means[word - words] : 0;
    return word;
}

/* "#a" of a macro has become an empty text: what it stands for is not known. */
static bool is_of_macro(const struct eval *e, const char *at)
{
    uint64_t offset = (uint64_t)(at - e->p->source->text);
    return at[1] == '"' && offset >= e->bodies_from && offset < e->bodies_to;
}

/* "\"a\" \"b\"": all its characters, without the quotation marks. */
static bool written(struct eval *e, struct span span, struct code_text *to)
{
    const char *at = e->p->source->text + span.offset, *end = at + span.length;
    char *made = ARENA_ARRAY(e->arena, char, span.length + 1);
    *to = (struct code_text){made, 0};
    while (at < end) {
        if (*at != '"' || is_of_macro(e, at++))
            return false;
        while (at < end && *at != '"') {
            if (*at != '\\')
                made[to->length++] = *at++;
            else if (at++, !escaped(&at, end, &made[to->length++]))
                return false;
        }
        for (at++; at < end && (*at == ' ' || *at == '\n' || *at == '\t'); at++)
            ;
    }
    return span.length;
}

bool eval_literal_text(struct eval *e, struct span span, struct code_text *to)
{
    return written(e, span, to);
}

bool eval_characters(struct eval *e, const struct code_value *value, struct code_text *to)
{
    if (value->kind != VALUE_STRING)
        return false;
    if (value->text) {
        *to = *value->text;
        return true;
    }
    if (!written(e, value->name, to))
        return false;
    to->length = (uint32_t)strnlen(to->at, to->length);
    return true;
}

struct code_value eval_new_text(struct eval *e, const char *at, uint32_t length, struct span span)
{
    struct code_text *text = ARENA_NEW(e->arena, struct code_text);
    *text = (struct code_text){at, length};
    return (struct code_value){.kind = VALUE_STRING, .text = text, .is_string = true, .name = span};
}

struct code_value eval_as_string(struct eval *e, const struct code_value *value, struct span span)
{
    struct code_text text;
    struct code_value unknown = {.kind = VALUE_UNKNOWN, .name = span};
    if (value->kind == VALUE_UNKNOWN || value->is_string)
        return *value;
    return eval_characters(e, value, &text) ? eval_new_text(e, text.at, text.length, span)
                                            : unknown;
}

int eval_order_of_texts(const struct code_text *left, const struct code_text *right)
{
    uint32_t both = left->length < right->length ? left->length : right->length;
    int order = memcmp(left->at, right->at, both);
    return order ? order : (left->length > right->length) - (left->length < right->length);
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* What is added to a std::string: a text, or one character. */
static bool addend(struct eval *e, const struct code_value *value, struct code_text *to)
{
    if (value->kind != VALUE_NUMBER)
        return eval_characters(e, value, to);
    char *one = ARENA_ARRAY(e->arena, char, 1);
    *one = (char)value->number;
    *to = (struct code_text){one, 1};
    return true;
}

bool eval_add_texts(struct eval *e, struct code_value *left, const struct code_value *right,
                    struct span span)
{
    struct code_text a, b;
    if (left->kind == VALUE_UNKNOWN || right->kind == VALUE_UNKNOWN || !addend(e, left, &a) ||
        !addend(e, right, &b)) {
        *left = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
        return true;
    }
    char *both = ARENA_ARRAY(e->arena, char, (size_t)a.length + b.length + 1);
    memcpy(both, a.at, a.length);
    memcpy(both + a.length, b.at, b.length);
    *left = eval_new_text(e, both, a.length + b.length, span);
    return true;
}

/* ---- how a std::string is made -------------------------------------------------------------- */

/* "{'a', 'b'}" */
static bool listed(struct eval *e, const struct code_value *values, uint32_t count,
                   struct span span, struct code_value *to)
{
    char *made = ARENA_ARRAY(e->arena, char, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].kind != VALUE_NUMBER)
            return false;
        made[i] = (char)values[i].number;
    }
    *to = eval_new_text(e, made, count, span);
    return true;
}

/* "(5, 'a')", "(\"abc\", 2)", "(s, 1)", "(s, 1, 2)" */
static bool counted(struct eval *e, const struct code_value *values, uint32_t count,
                    struct span span, struct code_value *to)
{
    struct code_text text;
    if (count > 3 || values[1].kind != VALUE_NUMBER ||
        (count == 3 && values[2].kind != VALUE_NUMBER))
        return false;
    if (count == 2 && values[0].kind == VALUE_NUMBER && values[0].number <= MAX_ELEMENTS) {
        char *made = ARENA_ARRAY(e->arena, char, values[0].number + 1);
        memset(made, (char)values[1].number, values[0].number);
        *to = eval_new_text(e, made, (uint32_t)values[0].number, span);
        return true;
    }
    if (!eval_characters(e, &values[0], &text) || values[1].number > text.length)
        return false;
    uint32_t from = values[0].is_string || count == 3 ? (uint32_t)values[1].number : 0;
    uint64_t most = count == 3            ? values[2].number
                    : values[0].is_string ? UINT64_MAX
                                          : values[1].number;
    uint32_t rest = text.length - from;
    *to = eval_new_text(e, text.at + from, most < rest ? (uint32_t)most : rest, span);
    return true;
}

bool eval_make_text(struct eval *e, const struct cpp_expr *const *given, uint32_t count,
                    bool braced, struct span span, struct code_value *to)
{
    struct code_value *values = ARENA_ARRAY(e->arena, struct code_value, count);
    for (uint32_t i = 0; i < count; i++)
        if (!eval_value(e, given[i], &values[i]))
            return false;
    *to = eval_new_text(e, "", 0, span);
    if (!count)
        return true;
    if (count == 1 && values[0].kind != VALUE_NUMBER) {
        *to = eval_as_string(e, &values[0], span);
        return true;
    }
    if (!(braced && listed(e, values, count, span, to)) &&
        (count == 1 || !counted(e, values, count, span, to)))
        *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    return true;
}
