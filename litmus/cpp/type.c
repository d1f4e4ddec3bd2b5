/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/parser.h"

/* Names and types. */

static struct cpp_type *new_type(struct cpp_parser *p, struct cpp_type type, struct span from)
{
    struct cpp_type *made = ARENA_NEW(p->arena, struct cpp_type);
    *made = type;
    made->span = cpp_span_from(p, from);
    made->height = type.to ? type.to->height + 1 : 1;
    return cpp_height_fits(p, made->height, made->span) ? made : NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool at_type(const struct cpp_parser *p)
{
    bool word = p->host && (cpp_at_word(p, "decltype") || cpp_at_word(p, "typename"));
    return word || cpp_at_builtin_type(p) || cpp_at_name(p) || cpp_at(p, CPP_MARK_QUALIFY);
}

/* A type where one can stand; else an expression that has no '>' outside of parentheses. */
static bool template_argument(struct cpp_parser *p, struct cpp_argument *argument)
{
    if (at_type(p)) {
        argument->type = cpp_type(p);
        argument->is_function = argument->type && cpp_at(p, CPP_MARK_OPEN); /* "void(int)" */
        struct cpp_declarator *parameters;
        if (argument->is_function && !cpp_parameters(p, &parameters, &argument->parameter_count))
            return false;
        if (argument->is_function)
            argument->parameters = parameters;
        if (argument->type && p->host && cpp_accept(p, CPP_MARK_OPEN_INDEX)) { /* "int[]" */
            argument->type = cpp_array_of(p, argument->type, NULL);
            if (!cpp_expect(p, CPP_MARK_CLOSE_INDEX, "']'"))
                return false;
        }
        if (p->host && cpp_accept(p, CPP_MARK_ELLIPSIS))
            argument->type = NULL;
        if (!argument->type && cpp_at(p, CPP_MARK_GT)) /* "<A...>" says nothing that is not known */
            return true;
    } else
        argument->value = p->host && cpp_at(p, CPP_MARK_SUB) ? cpp_unary(p) : cpp_primary(p);
    return argument->type || argument->value || p->host;
}

static bool template_arguments(struct cpp_parser *p, struct cpp_part *part)
{
    VEC(struct cpp_argument) arguments = {0};
    part->is_template = true;
    cpp_advance(p);
    while (!cpp_at(p, CPP_MARK_GT)) {
        struct cpp_argument argument = {0};
        if (!template_argument(p, &argument))
            return false;
        if (argument.type || argument.value)
            vec_push(p->arena, &arguments, argument);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    part->arguments = arguments.at;
    part->argument_count = arguments.len;
    return cpp_close_angle(p);
}

static bool name_parts(struct cpp_parser *p, struct cpp_name *name)
{
    VEC(struct cpp_part) parts = {0};
    do {
        struct cpp_part part = {0};
        if (!cpp_expect_word(p, "a name", &part.word))
            return false;
        if (cpp_at(p, CPP_MARK_LT) && cpp_opens_arguments(p) && !template_arguments(p, &part))
            return false;
        vec_push(p->arena, &parts, part);
    } while (cpp_accept(p, CPP_MARK_QUALIFY));
    name->parts = parts.at;
    name->part_count = parts.len;
    return true;
}

bool cpp_name(struct cpp_parser *p, struct cpp_name *name)
{
    struct span from = p->token.span;
    *name = (struct cpp_name){.global = cpp_accept(p, CPP_MARK_QUALIFY)};
    if (!cpp_deeper(p))
        return false;
    bool good = name_parts(p, name);
    p->depth--;
    name->span = cpp_span_from(p, from);
    return good;
}

const struct cpp_part *cpp_last_part(const struct cpp_name *name)
{
    return &name->parts[name->part_count - 1];
}

const char *cpp_plain_word(const struct cpp_name *name)
{
    for (uint32_t i = 0; i + 1 < name->part_count; i++)
        if (strcmp(name->parts[i].word, "std") != 0 &&
            (i > 0 || strcmp(name->parts[i].word, "cuda") != 0))
            return NULL;
    return cpp_last_part(name)->word;
}

/* ---- types ---------------------------------------------------------------------------------- */

/* "unsigned long long int": how often each word stands. */
struct cpp_type_words {
    unsigned of[CPP_KEYWORD_STRUCT + 1], count;
};

static bool is_word_of_type(enum cpp_keyword keyword)
{
    return keyword == CPP_KEYWORD_VOID || keyword == CPP_KEYWORD_BOOL ||
           keyword == CPP_KEYWORD_CHAR || keyword == CPP_KEYWORD_SHORT ||
           keyword == CPP_KEYWORD_INT || keyword == CPP_KEYWORD_LONG ||
           keyword == CPP_KEYWORD_SIGNED || keyword == CPP_KEYWORD_UNSIGNED ||
           keyword == CPP_KEYWORD_FLOAT || keyword == CPP_KEYWORD_DOUBLE ||
           keyword == CPP_KEYWORD_AUTO;
}

/* How large the integer is: long has 64 bits, as nvcc's has on Linux. */
static uint32_t integer_bytes(const struct cpp_type_words *words)
{
    return words->of[CPP_KEYWORD_CHAR]    ? 1
           : words->of[CPP_KEYWORD_SHORT] ? 2
           : words->of[CPP_KEYWORD_LONG]  ? 8
                                          : 4;
}

static struct cpp_type builtin_type(const struct cpp_type_words *words)
{
    struct cpp_type type = {.kind = CPP_TYPE_INTEGER};
    if (words->of[CPP_KEYWORD_VOID])
        type.kind = CPP_TYPE_VOID;
    else if (words->of[CPP_KEYWORD_AUTO])
        type.kind = CPP_TYPE_AUTO;
    else if (words->of[CPP_KEYWORD_FLOAT] || words->of[CPP_KEYWORD_DOUBLE])
        type.kind = CPP_TYPE_FLOAT;
    else if (words->of[CPP_KEYWORD_BOOL])
        type.kind = CPP_TYPE_BOOL;
    if (type.kind == CPP_TYPE_INTEGER || type.kind == CPP_TYPE_BOOL) {
        type.bytes = type.kind == CPP_TYPE_BOOL ? 1 : integer_bytes(words);
        type.is_signed = type.kind == CPP_TYPE_INTEGER && !words->of[CPP_KEYWORD_UNSIGNED];
    } else if (type.kind == CPP_TYPE_FLOAT)
        type.bytes = words->of[CPP_KEYWORD_FLOAT] ? 4 : 8;
    return type;
}

/* Do the words make a type? "short long" and "unsigned float" do not. */
static bool words_fit(const struct cpp_type_words *words)
{
    const unsigned *of = words->of;
    unsigned alone =
        of[CPP_KEYWORD_VOID] + of[CPP_KEYWORD_AUTO] + of[CPP_KEYWORD_BOOL] + of[CPP_KEYWORD_FLOAT];
    unsigned sizes = of[CPP_KEYWORD_CHAR] + of[CPP_KEYWORD_SHORT] + (of[CPP_KEYWORD_LONG] > 0);
    unsigned signs = of[CPP_KEYWORD_SIGNED] + of[CPP_KEYWORD_UNSIGNED];
    if (alone)
        return words->count == 1;
    if (of[CPP_KEYWORD_DOUBLE])
        return words->count == 1; /* "long double" has other values */
    return sizes <= 1 && signs <= 1 && of[CPP_KEYWORD_LONG] <= 2 && of[CPP_KEYWORD_INT] <= 1 &&
           !(of[CPP_KEYWORD_CHAR] && of[CPP_KEYWORD_INT]);
}

/* What the fixed-width names and those that go with pointers stand for. */
bool cpp_integer_named(const char *word, struct cpp_type *type)
{
    static const struct {
        const char *word;
        uint32_t bytes;
        bool is_signed;
    } rows[] = {
        {"int8_t", 1, true},    {"uint8_t", 1, false},   {"int16_t", 2, true},
        {"uint16_t", 2, false}, {"int32_t", 4, true},    {"uint32_t", 4, false},
        {"int64_t", 8, true},   {"uint64_t", 8, false},  {"size_t", 8, false},
        {"clock_t", 8, true},   {"time_t", 8, true},     {"ptrdiff_t", 8, true},
        {"intptr_t", 8, true},  {"uintptr_t", 8, false},
    };
    for (size_t i = 0; word && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].word) == 0) {
            type->kind = CPP_TYPE_INTEGER;
            type->bytes = rows[i].bytes;
            type->is_signed = rows[i].is_signed;
            return true;
        }
    return false;
}

/* A name; "std::uint32_t" is an integer. */
static bool named_type(struct cpp_parser *p, struct cpp_type *type)
{
    type->kind = CPP_TYPE_NAMED;
    if (!cpp_name(p, &type->name))
        return false;
    cpp_integer_named(cpp_plain_word(&type->name), type);
    return true;
}

/* const and volatile on either side of a type. */
static void qualifiers(struct cpp_parser *p, struct cpp_type *type)
{
    for (;;) {
        if (cpp_accept_keyword(p, CPP_KEYWORD_CONST))
            type->is_const = true;
        else if (cpp_accept_keyword(p, CPP_KEYWORD_VOLATILE))
            type->is_volatile = true;
        else
            return;
    }
}

static bool type_words(struct cpp_parser *p, struct cpp_type *type)
{
    struct cpp_type_words words = {{0}, 0};
    struct span from = p->token.span;
    for (enum cpp_keyword at; is_word_of_type(at = cpp_keyword_at(p)); cpp_advance(p)) {
        words.of[at]++;
        words.count++;
    }
    if (!words_fit(&words)) {
        cpp_error(p, cpp_syntax, cpp_span_from(p, from), NULL, "these words make no type");
        return false;
    }
    struct cpp_type built = builtin_type(&words);
    built.is_const = type->is_const;
    built.is_volatile = type->is_volatile;
    *type = built;
    return true;
}

/* "decltype(x)", of which only host code is run. */
static const struct cpp_type *type_of_expression(struct cpp_parser *p, struct cpp_type type,
                                                 struct span from)
{
    cpp_advance(p);
    cpp_open(p, CPP_MARK_OPEN, "'('");
    type.kind = CPP_TYPE_AUTO;
    type.value = cpp_expression(p);
    return type.value && cpp_close(p, CPP_MARK_CLOSE, "')'") ? new_type(p, type, from) : NULL;
}

const struct cpp_type *cpp_type_specifier(struct cpp_parser *p)
{
    struct cpp_type type = {.kind = CPP_TYPE_NAMED};
    struct span from = p->token.span;
    qualifiers(p, &type);
    if (p->host && (cpp_at_word(p, "typename") || cpp_at_word(p, "class")))
        cpp_advance(p);
    if (p->host && cpp_at_word(p, "decltype") && cpp_next(p).mark == CPP_MARK_OPEN)
        return type_of_expression(p, type, from);
    if (cpp_accept_keyword(p, CPP_KEYWORD_STRUCT) && cpp_members(p, &type))
        return type.members ? new_type(p, type, from) : NULL;
    bool good = is_word_of_type(cpp_keyword_at(p)) ? type_words(p, &type) : named_type(p, &type);
    if (!good)
        return NULL;
    qualifiers(p, &type);
    return new_type(p, type, from);
}

const struct cpp_type *cpp_pointers(struct cpp_parser *p, const struct cpp_type *to)
{
    while (to) {
        struct cpp_type type = {.kind = CPP_TYPE_POINTER, .to = to};
        type.is_rvalue = cpp_at(p, CPP_MARK_ALSO);
        if (cpp_accept(p, CPP_MARK_AND) || cpp_accept(p, CPP_MARK_ALSO))
            type.kind = CPP_TYPE_REFERENCE;
        else if (!cpp_accept(p, CPP_MARK_MUL))
            return to;
        qualifiers(p, &type);
        if (cpp_at_word(p, "__restrict__"))
            cpp_advance(p);
        to = new_type(p, type, to->span);
    }
    return NULL;
}

/* "(*)(int)" behind a type, without a name: any function. */
static const struct cpp_type *function_type(struct cpp_parser *p, const struct cpp_type *type)
{
    struct cpp_declarator *parameters;
    uint32_t count;
    struct span from = p->token.span;
    struct cpp_parser copy = *p;
    copy.lexer.diags = NULL;
    cpp_advance(&copy);
    if (!p->host || !type || !cpp_at(p, CPP_MARK_OPEN) || !cpp_at(&copy, CPP_MARK_MUL) ||
        cpp_next(&copy).mark != CPP_MARK_CLOSE)
        return type;
    cpp_advance(p);
    cpp_advance(p);
    cpp_advance(p);
    if (!cpp_parameters(p, &parameters, &count))
        return NULL;
    return new_type(p, (struct cpp_type){.kind = CPP_TYPE_AUTO}, from);
}

const struct cpp_type *cpp_type(struct cpp_parser *p)
{
    return function_type(p, cpp_pointers(p, cpp_type_specifier(p)));
}

const struct cpp_type *cpp_array_of(struct cpp_parser *p, const struct cpp_type *to,
                                    const struct cpp_expr *length)
{
    return new_type(p, (struct cpp_type){.kind = CPP_TYPE_ARRAY, .to = to, .length = length},
                    to->span);
}
