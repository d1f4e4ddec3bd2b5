/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "litmus/cpp/threads.h"

/* Names that stand for numbers, those of the headers, enumerators and what is constexpr; and for types. */

static const struct {
    const char *word;
    uint64_t bits;
    enum type type;
} limits[] = {
    {"INT_MAX", INT32_MAX, TYPE_S32},     {"INT_MIN", (uint64_t)INT32_MIN, TYPE_S32},
    {"INT32_MAX", INT32_MAX, TYPE_S32},   {"INT32_MIN", (uint64_t)INT32_MIN, TYPE_S32},
    {"UINT_MAX", UINT32_MAX, TYPE_U32},   {"UINT32_MAX", UINT32_MAX, TYPE_U32},
    {"LLONG_MAX", INT64_MAX, TYPE_S64},   {"LLONG_MIN", (uint64_t)INT64_MIN, TYPE_S64},
    {"INT64_MAX", INT64_MAX, TYPE_S64},   {"INT64_MIN", (uint64_t)INT64_MIN, TYPE_S64},
    {"ULLONG_MAX", UINT64_MAX, TYPE_U64}, {"UINT64_MAX", UINT64_MAX, TYPE_U64},
    {"SIZE_MAX", UINT64_MAX, TYPE_U64},   {"NULL", 0, TYPE_U64},
    {"ATOMIC_FLAG_INIT", 0, TYPE_S32},
};

bool cpp_known_constant(struct cpp_code *code, const char *word, struct cpp_operand *to)
{
    uint32_t index = names_get(&code->reader->constant_names, 0, word, strlen(word));
    if (index != NONE) {
        *to = code->reader->constants.at[index];
        return true;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcmp(word, limits[i].word) == 0) {
            *to = cpp_number(limits[i].bits, limits[i].type);
            return true;
        }
    return false;
}

bool cpp_fixed(struct cpp_code *code, const struct cpp_declarator *one, struct cpp_operand *to)
{
    const struct cpp_expr *value = one->value         ? one->value
                                   : one->given_count ? one->given[0]
                                                      : NULL;
    uint32_t insts = code->insts.len;
    struct cpp_kind kind;
    bool is_reference;
    if (!value) {
        code_error(code, cpp_arguments, one->span, NULL, "a constant needs a value");
        return false;
    }
    if (value->kind == CPP_LIST && value->kid_count == 1)
        value = value->kids[0];
    if (cpp_word(code, value, to))
        return true;
    if (!cpp_lower_value(code, value, to))
        return false;
    if (to->form != CPP_FORM_NUMBER || code->insts.len != insts) {
        code_error(code, cpp_type, value->span, NULL, "this is no constant");
        return false;
    }
    return one->type->kind == CPP_TYPE_AUTO ||
           (cpp_kind_of(code, one->type, &kind, &is_reference) &&
            cpp_convert(code, to, kind, value->span));
}

void cpp_add_constants(struct cpp_reader *reader, const struct cpp_stmt *stmt)
{
    struct cpp_code code = cpp_new_code(reader, "the initial state");
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        struct cpp_operand value;
        if (!cpp_fixed(&code, one, &value))
            return;
        names_put(&reader->constant_names, 0, one->name, strlen(one->name), reader->constants.len);
        vec_push(reader->p.arena, &reader->constants, value);
    }
}

bool cpp_at_naming(const struct cpp_parser *p)
{
    return cpp_at_word(p, "enum") || cpp_at_word(p, "using") || cpp_at_word(p, "typedef") ||
           cpp_at_word(p, "static_assert") || cpp_at_word(p, "namespace") ||
           cpp_keyword_at(p) == CPP_KEYWORD_STRUCT;
}

bool cpp_read_naming(struct cpp_reader *reader)
{
    const struct cpp_stmt *stmt = cpp_statement(&reader->p);
    if (stmt && stmt->type)
        cpp_add_structure(reader, stmt);
    else if (stmt && stmt->specifiers & CPP_SPECIFIER_TYPEDEF)
        for (uint32_t i = 0; i < stmt->declarator_count; i++)
            cpp_add_type(reader, &stmt->declarators[i]);
    else if (stmt && stmt->kind == CPP_DECLARATION)
        cpp_add_constants(reader, stmt);
    return stmt;
}

/* ---- types ---------------------------------------------------------------------------------- */

void cpp_add_type(struct cpp_reader *reader, const struct cpp_declarator *one)
{
    names_put(&reader->constant_names, 1, one->name, strlen(one->name), reader->types.len);
    vec_push(reader->p.arena, &reader->types, one->type);
}

const struct cpp_type *cpp_meant(const struct cpp_code *code, const struct cpp_type *type)
{
    for (uint32_t i = 0; i <= code->reader->types.len; i++) { /* "using T = T;" ends */
        const char *word = type->kind == CPP_TYPE_NAMED ? cpp_plain_word(&type->name) : NULL;
        uint32_t index =
            word ? names_get(&code->reader->constant_names, 1, word, strlen(word)) : NONE;
        if (index == NONE)
            break;
        type = code->reader->types.at[index];
    }
    return type;
}
