/* SPDX-License-Identifier: MIT */
#include "litmus/host/file.h"

#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/cpp/lex.h"
#include "litmus/host/macro.h"
#include "litmus/host/preprocess.h"
#include "litmus/parse/include.h"

/* A file of CUDA C++: its functions for the host, its structures, constants and global variables. Kernels and
 * device functions are passed over: they come from the compiler. What cannot be read is no error until a run
 * comes to it. */

/* The file's text on its way to functions. */
struct file {
    struct eval *e;
    const struct source *source; /* ends where the file does */
    struct cpp_lexer lexer;
    struct cpp_token token;
};

/* ---- tokens --------------------------------------------------------------------------------- */

static void next(struct file *f)
{
    f->token = cpp_lex(&f->lexer);
}

static bool is_word(const struct file *f, const char *word)
{
    return f->token.kind == CPP_TOKEN_WORD && f->token.span.length == strlen(word) &&
           memcmp(f->source->text + f->token.span.offset, word, f->token.span.length) == 0;
}

static bool at_end(const struct file *f)
{
    return f->token.kind == CPP_TOKEN_END;
}

/* Past what is open here: "(…)", "{…}". */
static void skip_balanced(struct file *f, enum cpp_mark open, enum cpp_mark close)
{
    unsigned depth = 0;
    while (!at_end(f)) {
        depth += f->token.mark == open;
        depth -= f->token.mark == close;
        next(f);
        if (!depth)
            return;
    }
}

static void move_to(struct file *f, uint32_t offset)
{
    f->lexer.offset = offset;
    next(f);
}

/* ---- items ---------------------------------------------------------------------------------- */

/* Reads with reports of its own, which are forgotten: the item is as if it were not there. */
static struct diag_list *unheard(const struct file *f)
{
    struct diag_list *diags = ARENA_NEW(f->e->arena, struct diag_list);
    diags->arena = f->e->arena;
    return diags;
}

static const struct cpp_stmt *read_declaration(struct file *f, uint32_t from)
{
    struct source *part = ARENA_NEW(f->e->arena, struct source);
    uint32_t offset = from;
    *part = *f->source;
    part->length = f->token.span.offset + 1;
    return cpp_parse_any_statements(f->e->arena, part, &offset);
}

/* A declaration from 'from' to the ';' that is the token. */
static void global(struct file *f, uint32_t from)
{
    const struct cpp_stmt *block = read_declaration(f, from);
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        vec_push(f->e->arena, &f->e->globals, block->kids[i]);
}

/* "__device__ int a[2];" to the ';' that is the token: the compiler's bytes have that type. */
static void device_variables(struct file *f, uint32_t from)
{
    const struct cpp_stmt *block = read_declaration(f, from);
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        for (uint32_t k = 0; k < block->kids[i]->declarator_count; k++)
            eval_type_symbol(f->e, &block->kids[i]->declarators[k]);
}

/* As in a function: up to the ';'. */
static void declaration(struct file *f, uint32_t from)
{
    while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.mark == CPP_MARK_OPEN_BLOCK)
            skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
        else
            next(f);
    }
    if (!at_end(f))
        global(f, from);
}

/* "name(parameters) {": the code, or where it could not be read; "name(5);" is a variable. */
static void host_function(struct file *f, struct span name, uint32_t from)
{
    struct eval *e = f->e;
    struct code_function *function = ARENA_NEW(e->arena, struct code_function);
    struct diag_list *diags = unheard(f);
    struct cpp_declarator *list;
    uint32_t offset = f->token.span.offset;
    *function = (struct code_function){
        .name = parse_text(e->p, name), .host = NONE, .span = name, .visible = UINT32_MAX};
    bool good = cpp_parse_parameters(e->arena, f->source, &offset, diags, &list,
                                     &function->parameter_count);
    if (good) {
        function->parameters = ARENA_ARRAY(e->arena, struct parameter, function->parameter_count);
        for (uint32_t i = 0; i < function->parameter_count; i++)
            function->parameters[i] = (struct parameter){list[i].name, list[i].type, list[i].value};
    }
    skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    while (!at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON)
        next(f);
    if (f->token.mark != CPP_MARK_OPEN_BLOCK) {
        if (!good)
            global(f, from);
        return;
    }
    offset = f->token.span.offset + 1;
    skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    function->body = cpp_parse_any_statements(e->arena, f->source, &offset);
    if (!good) {
        function->fault = diags->items.len ? diags->items.at[0].span : name;
        function->body = NULL;
        function->parameter_count = 0;
    }
    vec_push(e->arena, &e->functions, function);
}

/* "template <typename T, int N>": a type of that name may be any. */
static void template_head(struct file *f)
{
    static const struct cpp_type any = {.kind = CPP_TYPE_AUTO};
    unsigned depth = 0;
    next(f);
    do {
        bool type = is_word(f, "typename") || is_word(f, "class");
        depth += f->token.mark == CPP_MARK_LT;
        depth -= f->token.mark == CPP_MARK_GT;
        next(f);
        if (type && f->token.kind == CPP_TOKEN_WORD)
            eval_name_type(f->e, parse_text(f->e->p, f->token.span), &any);
    } while (depth && !at_end(f));
}

/* What a name is: it depends on what stands behind it. */
static void item(struct file *f)
{
    uint32_t from = f->token.span.offset;
    struct span name = {0, 0};
    bool device = false, host = false, assigned = false, called = false;
    while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        device = device || is_word(f, "__global__") || is_word(f, "__device__") ||
                 is_word(f, "__constant__") || is_word(f, "__managed__");
        host = host || is_word(f, "__host__");
        if (is_word(f, "template")) {
            template_head(f);
            continue;
        }
        if (is_word(f, "__launch_bounds__") || is_word(f, "__attribute__")) {
            next(f);
            skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN && !assigned && (!device || host) && name.length) {
            host_function(f, name, from);
            return;
        }
        if (f->token.mark == CPP_MARK_OPEN) {
            called = called || !assigned;
            skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN_BLOCK) {
            skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
            if (device && called) /* a function of the device */
                return;
            continue;
        }
        if (f->token.mark == CPP_MARK_ASSIGN || f->token.mark == CPP_MARK_OPEN_INDEX)
            assigned = true;
        if (f->token.kind == CPP_TOKEN_WORD)
            name = f->token.span;
        next(f);
    }
    if (!device && name.length)
        global(f, from);
    else if (device)
        device_variables(f, from);
    next(f);
}

/* ---- classes -------------------------------------------------------------------------------- */

/* One member after the other; if one cannot be read, what the class does is not known. */
struct class_reader {
    struct file *f;
    struct structure *made;
    VEC(const struct cpp_stmt *) members;
};

static const struct cpp_expr *new_expr(struct eval *e, struct cpp_expr expr,
                                       const struct cpp_expr *first, const struct cpp_expr *second)
{
    struct cpp_expr *made = ARENA_NEW(e->arena, struct cpp_expr);
    *made = expr;
    made->kid_count = (first != NULL) + (second != NULL);
    made->kids = ARENA_ARRAY(e->arena, const struct cpp_expr *, 2);
    made->kids[0] = first;
    made->kids[1] = second;
    return made;
}

static const struct cpp_expr *new_name(struct eval *e, const char *word, struct span span,
                                       const struct cpp_expr *of)
{
    struct cpp_part *part = ARENA_NEW(e->arena, struct cpp_part);
    part->word = word;
    struct cpp_expr expr = {.kind = of ? CPP_MEMBER : CPP_NAME,
                            .is_arrow = of,
                            .name = {.parts = part, .part_count = 1, .span = span},
                            .span = span};
    return new_expr(e, expr, of, NULL);
}

/* Past "(…)" or "{…}"; the value in it, 0 if there is none, or NULL. */
static const struct cpp_expr *value_in_brackets(struct file *f)
{
    struct cpp_expr zero = {
        .kind = CPP_NUMBER, .bytes = 4, .is_signed = true, .span = f->token.span};
    struct source part = *f->source;
    uint32_t from = f->token.span.offset + 1;
    unsigned depth = 0;
    do {
        depth += f->token.mark == CPP_MARK_OPEN || f->token.mark == CPP_MARK_OPEN_BLOCK;
        depth -= f->token.mark == CPP_MARK_CLOSE || f->token.mark == CPP_MARK_CLOSE_BLOCK;
        part.length = f->token.span.offset;
        next(f);
    } while (depth && !at_end(f));
    struct cpp_lexer lexer = {&part, unheard(f), from, UINT32_MAX};
    if (cpp_lex(&lexer).kind == CPP_TOKEN_END)
        return new_expr(f->e, zero, NULL, NULL);
    return cpp_parse_expression(f->e->arena, &part, from, unheard(f));
}

/* "n(k), s(t)" before the code of a constructor: "this->n = k; this->s = t;". */
static bool member_values(struct file *f, struct cpp_stmt *block)
{
    VEC(const struct cpp_stmt *) list = {0};
    struct eval *e = f->e;
    do {
        struct cpp_expr assign = {
            .kind = CPP_ASSIGNMENT, .mark = CPP_MARK_ASSIGN, .span = f->token.span};
        struct cpp_stmt *stmt = ARENA_NEW(e->arena, struct cpp_stmt);
        const char *word = parse_text(e->p, f->token.span);
        next(f);
        const struct cpp_expr *value =
            f->token.mark == CPP_MARK_OPEN || f->token.mark == CPP_MARK_OPEN_BLOCK
                ? value_in_brackets(f)
                : NULL;
        if (!value)
            return false;
        const struct cpp_expr *self = new_name(e, "this", assign.span, NULL);
        *stmt = (struct cpp_stmt){.kind = CPP_EXPRESSION, .span = assign.span};
        stmt->value = new_expr(e, assign, new_name(e, word, assign.span, self), value);
        vec_push(e->arena, &list, stmt);
    } while (f->token.mark == CPP_MARK_COMMA && (next(f), f->token.kind == CPP_TOKEN_WORD));
    *block = (struct cpp_stmt){.kind = CPP_BLOCK, .kids = list.at, .kid_count = list.len};
    return f->token.mark == CPP_MARK_OPEN_BLOCK;
}

/* The code of a function from its '{' on, behind what its constructor sets. */
static const struct cpp_stmt *member_code(struct file *f, const struct cpp_stmt *values)
{
    struct cpp_stmt *both = ARENA_NEW(f->e->arena, struct cpp_stmt);
    uint32_t offset = f->token.span.offset + 1;
    skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    const struct cpp_stmt *code = cpp_parse_any_statements(f->e->arena, f->source, &offset);
    *both = *values;
    both->kind = CPP_BLOCK;
    both->kids = ARENA_ARRAY(f->e->arena, const struct cpp_stmt *, values->kid_count + 1);
    for (uint32_t i = 0; i < values->kid_count; i++)
        both->kids[i] = values->kids[i];
    both->kids[both->kid_count++] = code;
    both->span = code->span;
    return both;
}

/* "= default;", "= delete;" */
static bool without_code(struct file *f)
{
    next(f);
    bool is = is_word(f, "default") || is_word(f, "delete");
    next(f);
    is = is && f->token.mark == CPP_MARK_SEMICOLON;
    next(f);
    return is;
}

static void pass_qualifiers(struct file *f)
{
    while (is_word(f, "const") || is_word(f, "noexcept") || is_word(f, "override") ||
           is_word(f, "final"))
        next(f);
}

/* "name(parameters) … {" */
static bool member_function(struct class_reader *r, struct span name, bool ends)
{
    struct file *f = r->f;
    struct eval *e = f->e;
    struct code_function *function = ARENA_NEW(e->arena, struct code_function);
    struct cpp_stmt values = {.kind = CPP_BLOCK};
    struct cpp_declarator *list;
    uint32_t offset = f->token.span.offset;
    *function =
        (struct code_function){.host = NONE, .span = name, .visible = UINT32_MAX, .of = r->made};
    function->name =
        arena_printf(e->arena, "%s::%s%s", r->made->name, ends ? "~" : "", parse_text(e->p, name));
    if (!cpp_parse_parameters(e->arena, f->source, &offset, unheard(f), &list,
                              &function->parameter_count))
        return false;
    function->parameters = ARENA_ARRAY(e->arena, struct parameter, function->parameter_count);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        function->parameters[i] = (struct parameter){list[i].name, list[i].type, list[i].value};
    skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    pass_qualifiers(f);
    if (f->token.mark == CPP_MARK_ASSIGN)
        return without_code(f);
    if (f->token.mark == CPP_MARK_COLON && (next(f), !member_values(f, &values)))
        return false;
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return false;
    for (uint32_t i = 0; i < e->functions.len; i++) /* one of them for each number of arguments */
        if (e->functions.at[i]->of == r->made &&
            strcmp(e->functions.at[i]->name, function->name) == 0 &&
            e->functions.at[i]->parameter_count == function->parameter_count)
            return false;
    function->body = member_code(f, &values);
    vec_push(e->arena, &e->functions, function);
    return r->made->has_functions = true;
}

/* What more than variables and functions there may be in a class. */
static bool is_other_member(const struct file *f)
{
    static const char *const words[] = {"static", "virtual",  "template", "friend", "using",
                                        "enum",   "operator", "typedef",  "struct", "class"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(f, words[i]))
            return true;
    return f->token.mark == CPP_MARK_OPEN_BLOCK;
}

/* "int a = 1, b[2];", "int *get() const { … }" */
static bool class_member(struct class_reader *r)
{
    struct file *f = r->f;
    uint32_t from = f->token.span.offset;
    struct span name = {0, 0};
    bool assigned = false, ends = false;
    while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.mark == CPP_MARK_OPEN && !assigned)
            return name.length && member_function(r, name, ends);
        if (is_other_member(f) && !assigned)
            return false;
        ends = ends || f->token.mark == CPP_MARK_COMPLEMENT;
        assigned = assigned || f->token.mark == CPP_MARK_ASSIGN;
        if (f->token.kind == CPP_TOKEN_WORD)
            name = f->token.span;
        if (f->token.mark == CPP_MARK_OPEN_BLOCK)
            skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
        else
            next(f);
    }
    const struct cpp_stmt *block = read_declaration(f, from);
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        vec_push(f->e->arena, &r->members, block->kids[i]);
    next(f);
    return block;
}

/* A class with functions; what has none is read as any structure. */
static bool class_members(struct file *f, struct structure *made)
{
    struct class_reader r = {.f = f, .made = made};
    uint32_t functions = f->e->functions.len;
    bool good = true;
    next(f);
    while (good && !at_end(f) && f->token.mark != CPP_MARK_CLOSE_BLOCK)
        if (is_word(f, "public") || is_word(f, "private") || is_word(f, "protected")) {
            next(f);
            next(f);
        } else
            good = class_member(&r);
    struct cpp_stmt *block = ARENA_NEW(f->e->arena, struct cpp_stmt);
    *block = (struct cpp_stmt){.kind = CPP_BLOCK, .kids = r.members.at, .kid_count = r.members.len};
    made->members = block;
    made->has_functions = good && made->has_functions;
    if (!made->has_functions)
        f->e->functions.len = functions;
    next(f);
    return made->has_functions;
}

/* "struct NAME { … };", "struct NAME { … } a;", "struct NAME a;" */
static void structure(struct file *f)
{
    struct eval *e = f->e;
    struct structure *made = ARENA_NEW(e->arena, struct structure);
    uint32_t from = f->token.span.offset;
    next(f);
    struct span name = f->token.span;
    made->name = parse_text(e->p, name);
    if (f->token.kind == CPP_TOKEN_WORD)
        next(f);
    if (f->token.kind == CPP_TOKEN_WORD || f->token.mark == CPP_MARK_MUL) {
        move_to(f, name.offset);
        item(f);
        return;
    }
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return;
    uint32_t offset = f->token.span.offset + 1;
    if (!class_members(f, made)) {
        move_to(f, offset - 1);
        made->members = cpp_parse_any_statements(e->arena, f->source, &offset);
        skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    }
    if (made->members)
        vec_push(e->arena, &e->structures, made);
    if (f->token.mark != CPP_MARK_SEMICOLON)
        declaration(f, from);
}

/* "namespace a {", "extern "C" {": what is inside is read as if it stood alone. */
static void open_region(struct file *f)
{
    bool is_extern = is_word(f, "extern");
    next(f);
    if (is_extern && f->token.kind != CPP_TOKEN_STRING) { /* of another file */
        while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON)
            next(f);
        return;
    }
    if (is_extern)
        next(f);
    while (!is_extern && !at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON)
        next(f);
    if (f->token.mark == CPP_MARK_OPEN_BLOCK)
        next(f);
}

static void items(struct file *f)
{
    while (!at_end(f)) {
        if (is_word(f, "using") || is_word(f, "typedef") || is_word(f, "enum"))
            declaration(f, f->token.span.offset);
        else if (is_word(f, "namespace") || is_word(f, "extern"))
            open_region(f);
        else if (is_word(f, "struct") || is_word(f, "class"))
            structure(f);
        else if (f->token.kind == CPP_TOKEN_WORD || f->token.mark == CPP_MARK_QUALIFY)
            item(f);
        else
            next(f);
    }
}

/* ---- the program ---------------------------------------------------------------------------- */

bool host_at_program(const struct parser *p)
{
    return parse_at_word(p, "program") && p->next.kind == TOKEN_STRING;
}

static void read_part(struct eval *e, uint32_t from, uint32_t to)
{
    struct file f = {.e = e};
    struct source *part = ARENA_NEW(e->arena, struct source);
    *part = *e->p->source;
    part->length = to;
    f.source = part;
    f.lexer = (struct cpp_lexer){part, unheard(&f), from, UINT32_MAX};
    move_to(&f, from);
    items(&f);
}

/* Where the text begins in the test's; NONE: it is too long. */
static uint32_t add_text(struct parser *p, const char *name, const char *text, size_t length)
{
    uint32_t from = p->source->length + 1;
    const struct source *longer = source_append(p->arena, p->source, name, text, length);
    if (!longer)
        return NONE;
    p->source = p->test->source = longer;
    return from;
}

void host_program_item(struct parser *p)
{
    struct eval *e = host_code(p);
    struct span name = p->next.span;
    parse_include(p);
    struct source_file file = parse_text_file(p, name);
    if (!file.text) {
        parse_error(p, file_unreadable, name, file.hint, "cannot read '%s': %s", file.name,
                    file.fault);
        return;
    }
    struct preprocessed text;
    preprocess(p->arena, file.text, file.length, &text);
    e->is_file = p->is_program = true;
    uint32_t bodies = add_text(p, file.name, text.bodies, text.length);
    if (bodies != NONE)
        macro_read(e, text.macros.at, text.macros.len, bodies);
    uint32_t from = add_text(p, file.name, text.text, text.length);
    if (from != NONE)
        read_part(e, from, p->source->length);
}
