/* SPDX-License-Identifier: MIT */
#include "litmus/host/reading.h"

#include <string.h>

#include "litmus/cpp/cpp.h"

/* ---- tokens --------------------------------------------------------------------------------- */

void reading_next(struct reading *f)
{
    f->token = cpp_lex(&f->lexer);
}

bool reading_at_word(const struct reading *f, const char *word)
{
    return f->token.kind == CPP_TOKEN_WORD && f->token.span.length == strlen(word) &&
           memcmp(f->source->text + f->token.span.offset, word, f->token.span.length) == 0;
}

bool reading_at_end(const struct reading *f)
{
    return f->token.kind == CPP_TOKEN_END;
}

void reading_skip(struct reading *f, enum cpp_mark open, enum cpp_mark close)
{
    unsigned depth = 0;
    while (!reading_at_end(f)) {
        depth += f->token.mark == open;
        depth -= f->token.mark == close;
        reading_next(f);
        if (!depth)
            return;
    }
}

void reading_skip_angles(struct reading *f)
{
    unsigned depth = 0;
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON &&
           f->token.mark != CPP_MARK_OPEN_BLOCK) {
        depth += f->token.mark == CPP_MARK_LT;
        unsigned closed = f->token.mark == CPP_MARK_GT ? 1 : f->token.mark == CPP_MARK_SHR ? 2 : 0;
        depth = closed > depth ? 0 : depth - closed;
        reading_next(f);
        if (!depth)
            return;
    }
}

void reading_move_to(struct reading *f, uint32_t offset)
{
    f->lexer.offset = offset;
    reading_next(f);
}

struct diag_list *reading_unheard(const struct reading *f)
{
    struct diag_list *diags = ARENA_NEW(f->e->arena, struct diag_list);
    diags->arena = f->e->arena;
    return diags;
}

static struct source *part_to(const struct reading *f, uint32_t end)
{
    struct source *part = ARENA_NEW(f->e->arena, struct source);
    *part = *f->source;
    part->length = end;
    return part;
}

const struct cpp_stmt *reading_declaration(struct reading *f, uint32_t from)
{
    uint32_t offset = from;
    return cpp_parse_any_statements(f->e->arena, part_to(f, f->token.span.offset + 1), &offset);
}

/* ---- templates ------------------------------------------------------------------------------ */

/* ">>" is two of them. */
static void split_angle(struct reading *f)
{
    if (f->token.mark != CPP_MARK_SHR)
        return;
    f->token.mark = CPP_MARK_GT;
    f->token.span.length = 1;
    f->lexer.offset = f->token.span.offset + 1;
}

/* To the ',' or '>' that ends a parameter of a template. */
static void pass_default(struct reading *f)
{
    unsigned depth = 0;
    while (!reading_at_end(f)) {
        split_angle(f);
        bool opens = f->token.mark == CPP_MARK_LT || f->token.mark == CPP_MARK_OPEN;
        bool closes = f->token.mark == CPP_MARK_GT || f->token.mark == CPP_MARK_CLOSE;
        if (!depth && (closes || f->token.mark == CPP_MARK_COMMA))
            return;
        depth += opens;
        depth -= closes;
        reading_next(f);
    }
}

static void default_of(struct reading *f, struct template_parameter *one)
{
    reading_next(f);
    uint32_t from = f->token.span.offset;
    pass_default(f);
    const struct source *part = part_to(f, f->token.span.offset);
    if (one->is_type)
        one->type = cpp_parse_type(f->e->arena, part, from, reading_unheard(f));
    else
        one->value = cpp_parse_expression(f->e->arena, part, from, reading_unheard(f));
}

/* "typename T", "class... A", "int N = 2", "typename = void" */
static bool template_parameter(struct reading *f, struct template_parameter *one)
{
    *one = (struct template_parameter){.is_type = reading_at_word(f, "typename") ||
                                                  reading_at_word(f, "class")};
    if (reading_at_word(f, "template"))
        return false;
    uint32_t from = f->token.span.offset, to = from;
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_COMMA && f->token.mark != CPP_MARK_GT &&
           f->token.mark != CPP_MARK_ASSIGN) {
        if (f->token.mark == CPP_MARK_LT) {
            reading_skip_angles(f);
            continue;
        }
        one->is_pack = one->is_pack || f->token.mark == CPP_MARK_ELLIPSIS;
        bool word = f->token.kind == CPP_TOKEN_WORD && !reading_at_word(f, "typename") &&
                    !reading_at_word(f, "class");
        if (word) {
            one->name = parse_text(f->e->p, f->token.span);
            to = f->token.span.offset;
        }
        reading_next(f);
    }
    if (!one->is_type && !one->is_pack && to > from)
        one->of = cpp_parse_type(f->e->arena, part_to(f, to), from, reading_unheard(f));
    if (f->token.mark == CPP_MARK_ASSIGN)
        default_of(f, one);
    if (!one->name)
        one->name = "";
    return true;
}

bool reading_template(struct reading *f, struct template_head *head)
{
    VEC(struct template_parameter) list = {0};
    reading_next(f);
    if (f->token.mark != CPP_MARK_LT)
        return false;
    reading_next(f);
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_GT) {
        struct template_parameter one;
        if (!template_parameter(f, &one))
            return false;
        vec_push(f->e->arena, &list, one);
        if (f->token.mark == CPP_MARK_COMMA)
            reading_next(f);
    }
    reading_next(f);
    *head = (struct template_head){list.at, list.len, !list.len};
    return true;
}

/* ---- functions ------------------------------------------------------------------------------ */

const struct cpp_type *reading_result(const struct reading *f, uint32_t from, uint32_t to)
{
    static const char *const words[] = {"static",     "inline",   "virtual",    "explicit",
                                        "constexpr",  "friend",   "extern",     "__host__",
                                        "__device__", "noexcept", "typename",   "__forceinline__",
                                        "const",      "struct",   "__inline__", "__noinline__"};
    struct reading at = *f;
    at.lexer.diags = NULL;
    reading_move_to(&at, from);
    for (bool passed = true; passed && at.token.span.offset < to;) {
        passed = at.token.kind == CPP_TOKEN_STRING;
        for (size_t i = 0; !passed && i < sizeof words / sizeof *words; i++)
            passed = reading_at_word(&at, words[i]);
        if (passed)
            reading_next(&at);
    }
    if (at.token.span.offset >= to)
        return NULL;
    return cpp_parse_type(f->e->arena, part_to(f, to), at.token.span.offset, reading_unheard(f));
}

const char *reading_operator(struct reading *f, const struct cpp_type **result)
{
    struct eval *e = f->e;
    *result = NULL;
    reading_next(f);
    uint32_t from = f->token.span.offset;
    if (f->token.mark == CPP_MARK_OPEN) { /* "operator()" */
        reading_next(f);
        reading_next(f);
        return "operator()";
    }
    bool conversion = f->token.kind == CPP_TOKEN_WORD && !reading_at_word(f, "new") &&
                      !reading_at_word(f, "delete");
    const char *name = "operator";
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_OPEN) {
        if (!conversion)
            name = arena_printf(e->arena, "%s%s", name, parse_text(e->p, f->token.span));
        reading_next(f);
    }
    if (conversion) {
        *result =
            cpp_parse_type(e->arena, part_to(f, f->token.span.offset), from, reading_unheard(f));
        name = "operator conversion";
    }
    return name;
}

static void pass_qualifiers(struct reading *f)
{
    for (;;) {
        if (f->token.mark == CPP_MARK_ARROW) /* "-> int" */
            while (!reading_at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
                   f->token.mark != CPP_MARK_SEMICOLON)
                reading_next(f);
        else if (reading_at_word(f, "const") || reading_at_word(f, "noexcept") ||
                 reading_at_word(f, "override") || reading_at_word(f, "final") ||
                 f->token.mark == CPP_MARK_AND)
            reading_next(f);
        else if (f->token.mark == CPP_MARK_OPEN) /* "noexcept(true)" */
            reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
        else
            return;
    }
}

/* "n(k), s{t}" before the code of a constructor. */
static bool member_values(struct reading *f, struct code_function *made)
{
    VEC(struct member_value) list = {0};
    struct eval *e = f->e;
    do {
        reading_next(f); /* ':' or ',' */
        struct member_value one = {.name = parse_text(e->p, f->token.span), .span = f->token.span};
        if (f->token.kind != CPP_TOKEN_WORD)
            return false;
        reading_next(f);
        while (f->token.mark == CPP_MARK_QUALIFY) { /* "app::Base(1)" */
            reading_next(f);
            one.name = parse_text(e->p, f->token.span);
            reading_next(f);
        }
        if (f->token.mark == CPP_MARK_LT)
            reading_skip_angles(f);
        uint32_t offset = f->token.span.offset;
        if ((f->token.mark != CPP_MARK_OPEN && f->token.mark != CPP_MARK_OPEN_BLOCK) ||
            !cpp_parse_arguments(e->arena, f->source, &offset, reading_unheard(f), &one.given,
                                 &one.given_count, &one.is_braced))
            return false;
        reading_move_to(f, offset);
        vec_push(e->arena, &list, one);
    } while (f->token.mark == CPP_MARK_COMMA);
    made->values = list.at;
    made->value_count = list.len;
    return f->token.mark == CPP_MARK_OPEN_BLOCK;
}

/* "= default;", "= delete;", "= 0;", ";" */
static bool without_code(struct reading *f, struct code_function *made)
{
    if (f->token.mark == CPP_MARK_ASSIGN) {
        reading_next(f);
        made->is_default = reading_at_word(f, "default");
        made->is_deleted = reading_at_word(f, "delete");
        reading_next(f);
    }
    made->fault = made->span;
    bool good = f->token.mark == CPP_MARK_SEMICOLON;
    reading_next(f);
    return good;
}

struct code_function *reading_function(struct reading *f, const struct function_start *start)
{
    struct eval *e = f->e;
    struct code_function *made = ARENA_NEW(e->arena, struct code_function);
    struct cpp_declarator *list;
    uint32_t offset = f->token.span.offset;
    *made = (struct code_function){.name = start->name,
                                   .result = start->result,
                                   .of = start->of,
                                   .head = start->head,
                                   .host = NONE,
                                   .visible = UINT32_MAX,
                                   .span = start->span,
                                   .is_static = start->is_static,
                                   .is_virtual = start->is_virtual,
                                   .is_constructor = start->is_constructor};
    if (!cpp_parse_parameters(e->arena, f->source, &offset, reading_unheard(f), &list,
                              &made->parameter_count))
        return NULL;
    made->parameters = ARENA_ARRAY(e->arena, struct parameter, made->parameter_count);
    for (uint32_t i = 0; i < made->parameter_count; i++)
        made->parameters[i] = (struct parameter){list[i].name, list[i].type, list[i].value};
    reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    pass_qualifiers(f);
    if (f->token.mark == CPP_MARK_ASSIGN || f->token.mark == CPP_MARK_SEMICOLON)
        return without_code(f, made) ? made : NULL;
    if (f->token.mark == CPP_MARK_COLON && !member_values(f, made))
        return NULL;
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return NULL;
    offset = f->token.span.offset + 1;
    reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    made->body = cpp_parse_any_statements(e->arena, f->source, &offset);
    reading_local_classes(f, made->body);
    return made;
}
