/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/host/reading.h"

/* The members of a class, one after the other; if one cannot be read, what the class does is not known. */

struct class_reader {
    struct reading *f;
    struct structure *made;
    VEC(const struct cpp_stmt *) members;
};

static const char *of_class(const struct class_reader *r, const char *name)
{
    return arena_printf(r->f->e->arena, "%s::%s", r->made->name, name);
}

/* ---- what belongs to the class and not to its objects -------------------------------------------- */

/* Variables and constants of the file, with the class before their names. */
static void add_statics(struct class_reader *r, const struct cpp_stmt *stmt, bool defined_only)
{
    struct eval *e = r->f->e;
    struct cpp_stmt *made = ARENA_NEW(e->arena, struct cpp_stmt);
    *made = *stmt;
    made->declarators = ARENA_ARRAY(e->arena, struct cpp_declarator, stmt->declarator_count);
    made->declarator_count = 0;
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        struct cpp_declarator one = stmt->declarators[i];
        one.name = of_class(r, one.name);
        if (!defined_only || one.value || one.is_given)
            made->declarators[made->declarator_count++] = one;
    }
    made->specifiers &= ~(uint32_t)CPP_SPECIFIER_STATIC;
    if (made->declarator_count)
        vec_push(e->arena, &e->globals, made);
}

/* "static int n;" is defined elsewhere, "inline static int n = 0;" here. */
static bool data(struct class_reader *r, const struct cpp_stmt *stmt)
{
    if (!(stmt->specifiers & CPP_SPECIFIER_STATIC))
        vec_push(r->f->e->arena, &r->members, stmt);
    else if (r->made->head.count)
        return false; /* one for each class that the template makes */
    else
        add_statics(r, stmt, !(stmt->specifiers & CPP_SPECIFIER_INLINE));
    return stmt->kind == CPP_DECLARATION || stmt->kind == CPP_EMPTY;
}

static void pass_statement(struct reading *f)
{
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.mark == CPP_MARK_OPEN_BLOCK)
            reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
        else
            reading_next(f);
    }
}

/* "using Base::Base;" brings its constructors, "using Base::go;" what is found without it. */
static bool inherits(struct reading *f, bool *constructors)
{
    struct reading at = *f;
    struct span name = {0, 0}, last = {0, 0};
    at.lexer.diags = NULL;
    if (!reading_at_word(f, "using"))
        return false;
    for (reading_next(&at); !reading_at_end(&at) && at.token.mark != CPP_MARK_SEMICOLON;
         reading_next(&at)) {
        if (at.token.mark == CPP_MARK_ASSIGN)
            return false;
        if (at.token.kind == CPP_TOKEN_WORD) {
            name = last;
            last = at.token.span;
        }
    }
    if (name.length == last.length &&
        memcmp(f->source->text + name.offset, f->source->text + last.offset, last.length) == 0)
        *constructors = true;
    reading_move_to(f, at.token.span.offset);
    reading_next(f);
    return true;
}

/* "enum Kind { A, B };", "using T = int;", "typedef int T;" */
static bool named_type(struct class_reader *r)
{
    struct reading *f = r->f;
    uint32_t from = f->token.span.offset;
    bool constants = reading_at_word(f, "enum");
    if (inherits(f, &r->made->inherits))
        return true;
    pass_statement(f);
    const struct cpp_stmt *block = reading_declaration(f, from);
    reading_next(f);
    if (block->kid_count != 1 || block->kids[0]->kind != CPP_DECLARATION)
        return false;
    if (constants)
        add_statics(r, block->kids[0], false);
    else
        vec_push(f->e->arena, &r->members, block->kids[0]);
    return true;
}

/* ---- functions ------------------------------------------------------------------------------ */

struct code_function *reading_declared(struct eval *e, const struct structure *of, const char *name,
                                       uint32_t parameters)
{
    for (uint32_t i = 0; i < e->functions.len; i++) {
        struct code_function *one = e->functions.at[i];
        if (one->of == of && !one->body && !one->is_deleted && !one->is_default &&
            one->parameter_count == parameters && strcmp(one->name, name) == 0)
            return one;
    }
    return NULL;
}

static bool member_function(struct class_reader *r, struct function_start *start)
{
    struct code_function *made = reading_function(r->f, start);
    if (!made)
        return false;
    vec_push(r->f->e->arena, &r->f->e->functions, made);
    return r->made->has_functions = true;
}

/* "friend class W;", "friend int get(W &);", and one with its code, which is a function of the file. */
static bool friend_of(struct class_reader *r)
{
    struct reading *f = r->f;
    reading_next(f);
    uint32_t from = f->token.span.offset;
    struct function_start start = {0};
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON &&
           f->token.mark != CPP_MARK_OPEN) {
        start.span = f->token.span;
        if (reading_at_word(f, "operator"))
            start.name = reading_operator(f, &start.result);
        else {
            start.name = parse_text(f->e->p, f->token.span);
            reading_next(f);
        }
    }
    if (f->token.mark != CPP_MARK_OPEN || !start.name) {
        reading_next(f);
        return true;
    }
    start.result = reading_result(f, from, start.span.offset);
    struct code_function *made = reading_function(f, &start);
    if (made && made->body)
        vec_push(f->e->arena, &f->e->functions, made);
    return made;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* A member as far as it is read: "int a = 1, b[2];", "int *get() const { … }" */
struct member_start {
    struct template_head head;
    uint32_t from;
    struct span name;
    bool assigned, ends;
    bool is_static, is_virtual, device, host;
};

/* "void (*f)(int);" is a variable. */
static bool opens_parameters(const struct reading *f, const struct member_start *m)
{
    struct reading pointer = *f;
    if (f->token.mark != CPP_MARK_OPEN || m->assigned || !m->name.length)
        return false;
    reading_next(&pointer);
    return pointer.token.mark != CPP_MARK_MUL;
}

static bool at_function(const struct reading *f, const struct member_start *m)
{
    return opens_parameters(f, m) || (reading_at_word(f, "operator") && !m->assigned);
}

/* A function of the device: no code of the host calls it. */
static bool pass_function(struct reading *f)
{
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.mark == CPP_MARK_OPEN_BLOCK) {
            reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
            return true;
        }
        reading_next(f);
    }
    reading_next(f);
    return true;
}

static bool class_function(struct class_reader *r, const struct member_start *m)
{
    struct reading *f = r->f;
    struct function_start start = {.of = r->made, .head = m->head};
    start.is_static = m->is_static;
    start.is_virtual = m->is_virtual;
    if (m->device && !m->host && !m->ends)
        return pass_function(f);
    if (reading_at_word(f, "operator")) {
        const struct cpp_type *converted;
        start.span = f->token.span;
        start.name = of_class(r, reading_operator(f, &converted));
        start.result = converted ? converted : reading_result(f, m->from, start.span.offset);
        return member_function(r, &start);
    }
    const char *word = parse_text(f->e->p, m->name);
    start.span = m->name;
    start.name = of_class(r, m->ends ? arena_printf(f->e->arena, "~%s", word) : word);
    start.is_constructor = !m->ends && strcmp(word, r->made->name) == 0;
    if (!m->ends && !start.is_constructor)
        start.result = reading_result(f, m->from, m->name.offset);
    return member_function(r, &start);
}

static void pass_token(struct reading *f, struct member_start *m)
{
    m->is_static = m->is_static || reading_at_word(f, "static");
    m->is_virtual = m->is_virtual || reading_at_word(f, "virtual");
    m->device = m->device || reading_at_word(f, "__device__");
    m->host = m->host || reading_at_word(f, "__host__");
    m->ends = m->ends || f->token.mark == CPP_MARK_COMPLEMENT;
    m->assigned =
        m->assigned || f->token.mark == CPP_MARK_ASSIGN || f->token.mark == CPP_MARK_OPEN_BLOCK;
    if (f->token.kind == CPP_TOKEN_WORD)
        m->name = f->token.span;
    if (f->token.mark == CPP_MARK_OPEN)
        reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    else if (f->token.mark == CPP_MARK_OPEN_BLOCK)
        reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    else
        reading_next(f);
}

static bool class_member(struct class_reader *r, struct template_head head)
{
    struct reading *f = r->f;
    struct member_start m = {.head = head, .from = f->token.span.offset};
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (at_function(f, &m))
            return class_function(r, &m);
        if (f->token.mark == CPP_MARK_LT && !m.assigned)
            reading_skip_angles(f);
        else
            pass_token(f, &m);
    }
    const struct cpp_stmt *block = reading_declaration(f, m.from);
    reading_next(f);
    if (m.device)
        return false;
    for (uint32_t i = 0; i < block->kid_count; i++)
        if (!data(r, block->kids[i]))
            return false;
    return true;
}

static bool at_definition(const struct reading *f)
{
    struct reading at = *f;
    at.lexer.diags = NULL;
    reading_next(&at);
    if (at.token.kind != CPP_TOKEN_WORD)
        return at.token.mark == CPP_MARK_OPEN_BLOCK;
    reading_next(&at);
    return at.token.mark == CPP_MARK_OPEN_BLOCK || at.token.mark == CPP_MARK_COLON;
}

static bool member(struct class_reader *r)
{
    struct reading *f = r->f;
    struct template_head head = {NULL, 0, false};
    if (reading_at_word(f, "public") || reading_at_word(f, "private") ||
        reading_at_word(f, "protected")) {
        reading_next(f);
        reading_next(f);
        return true;
    }
    if (f->token.mark == CPP_MARK_SEMICOLON) {
        reading_next(f);
        return true;
    }
    if (reading_at_word(f, "static_assert")) {
        pass_statement(f);
        reading_next(f);
        return true;
    }
    if (reading_at_word(f, "template") && !reading_template(f, &head))
        return false;
    if (reading_at_word(f, "friend"))
        return friend_of(r);
    if (reading_at_word(f, "using") || reading_at_word(f, "typedef") || reading_at_word(f, "enum"))
        return named_type(r);
    if ((reading_at_word(f, "struct") || reading_at_word(f, "class")) && at_definition(f)) {
        reading_structure(f, &head);
        if (f->token.mark == CPP_MARK_SEMICOLON)
            reading_next(f);
        return true;
    }
    return class_member(r, head);
}

bool reading_members(struct reading *f, struct structure *made)
{
    struct class_reader r = {.f = f, .made = made};
    uint32_t functions = f->e->functions.len, globals = f->e->globals.len;
    bool good = true;
    reading_next(f);
    while (good && !reading_at_end(f) && f->token.mark != CPP_MARK_CLOSE_BLOCK)
        good = member(&r);
    struct cpp_stmt *block = ARENA_NEW(f->e->arena, struct cpp_stmt);
    *block = (struct cpp_stmt){.kind = CPP_BLOCK, .kids = r.members.at, .kid_count = r.members.len};
    made->members = block;
    made->is_own = good;
    made->has_functions = good && made->has_functions;
    if (!good) {
        f->e->functions.len = functions;
        f->e->globals.len = globals;
    } else
        reading_next(f);
    return good;
}
