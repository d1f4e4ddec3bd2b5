/* SPDX-License-Identifier: MIT */
#include "litmus/host/file.h"

#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/host/macro.h"
#include "litmus/host/preprocess.h"
#include "litmus/host/reading.h"
#include "litmus/parse/include.h"

/* A file of CUDA C++: its functions for the host, its structures, constants and global variables. Kernels and
 * device functions are passed over: they come from the compiler. What cannot be read is no error until a run
 * comes to it. */

/* ---- items ---------------------------------------------------------------------------------- */

/* A declaration from 'from' to the ';' that is the token. */
static void global(struct reading *f, uint32_t from)
{
    const struct cpp_stmt *block = reading_declaration(f, from);
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        vec_push(f->e->arena, &f->e->globals, block->kids[i]);
}

/* "__device__ int a[2];" to the ';' that is the token: the compiler's bytes have that type. */
static void device_variables(struct reading *f, uint32_t from)
{
    const struct cpp_stmt *block = reading_declaration(f, from);
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        for (uint32_t k = 0; k < block->kids[i]->declarator_count; k++)
            eval_type_symbol(f->e, &block->kids[i]->declarators[k]);
}

/* As in a function: up to the ';'. */
static void declaration(struct reading *f, uint32_t from)
{
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.mark == CPP_MARK_OPEN_BLOCK)
            reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
        else
            reading_next(f);
    }
    if (!reading_at_end(f))
        global(f, from);
}

/* The innermost namespace of a name. */
static const char *region(const struct reading *f)
{
    const char *name = NULL;
    for (uint32_t i = 0; i < f->region_count && i < sizeof f->regions / sizeof *f->regions; i++)
        name = f->regions[i] ? f->regions[i] : name;
    return name;
}

/* Of which nothing is known but that it is there. */
static void unread_function(struct reading *f, const struct function_start *start, uint32_t from)
{
    struct eval *e = f->e;
    reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON)
        reading_next(f);
    if (f->token.mark != CPP_MARK_OPEN_BLOCK) {
        global(f, from); /* "W w(5);" */
        return;
    }
    struct code_function *function = ARENA_NEW(e->arena, struct code_function);
    *function = (struct code_function){.name = start->name,
                                       .of = start->of,
                                       .region = region(f),
                                       .host = NONE,
                                       .visible = UINT32_MAX,
                                       .span = start->span,
                                       .fault = start->span};
    reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    vec_push(e->arena, &e->functions, function);
}

/* The code of a function that a class declares. */
static void define_member(struct eval *e, struct code_function *made)
{
    struct code_function *declared =
        reading_declared(e, made->of, made->name, made->parameter_count);
    if (!declared)
        return;
    struct code_function *whole = ARENA_NEW(e->arena, struct code_function);
    *whole = *made;
    whole->is_static = declared->is_static;
    whole->is_virtual = declared->is_virtual;
    for (uint32_t i = 0; i < made->parameter_count; i++) /* values stand in the class */
        if (!made->parameters[i].value)
            made->parameters[i].value = declared->parameters[i].value;
    *declared = *whole;
}

/* "name(parameters) {": the code, or where it could not be read; "name(5);" is a variable. */
static void host_function(struct reading *f, struct function_start *start, uint32_t from)
{
    struct reading before = *f;
    struct code_function *made = reading_function(f, start);
    if (!made) {
        *f = before;
        unread_function(f, start, from);
    } else if (made->body && made->of)
        define_member(f->e, made);
    else if (made->body) {
        made->region = region(f);
        vec_push(f->e->arena, &f->e->functions, made);
    }
}

/* What is known of an item's name up to now. */
struct file_item {
    struct span name, class; /* "class::name" */
    uint32_t from;
    bool device, host, assigned, called, ends;
};

static bool starts_function(const struct file_item *i)
{
    return !i->assigned && (!i->device || i->host) && i->name.length;
}

static void start_function(struct reading *f, const struct file_item *i, const char *name,
                           const struct cpp_type *result, const struct template_head *head)
{
    struct eval *e = f->e;
    struct function_start start = {.name = name, .result = result, .head = *head, .span = i->name};
    uint32_t end = i->class.length ? i->class.offset : i->name.offset;
    const char *class = i->class.length ? parse_text(e->p, i->class) : NULL;
    start.of = class ? eval_structure(e, class) : NULL;
    if (start.of) {
        start.is_constructor = strcmp(class, name) == 0 && !i->ends;
        start.name = arena_printf(e->arena, "%s::%s%s", class, i->ends ? "~" : "", name);
    }
    if (!start.result && !start.is_constructor && !i->ends)
        start.result = reading_result(f, i->from, end);
    host_function(f, &start, i->from);
}

static void note_words(const struct reading *f, struct file_item *i)
{
    i->device = i->device || reading_at_word(f, "__global__") || reading_at_word(f, "__device__") ||
                reading_at_word(f, "__constant__") || reading_at_word(f, "__managed__");
    i->host = i->host || reading_at_word(f, "__host__");
    if (f->token.mark == CPP_MARK_ASSIGN || f->token.mark == CPP_MARK_OPEN_INDEX)
        i->assigned = true;
    if (f->token.mark == CPP_MARK_QUALIFY)
        i->class = i->name;
    i->ends = i->ends || f->token.mark == CPP_MARK_COMPLEMENT;
    if (f->token.kind == CPP_TOKEN_WORD)
        i->name = f->token.span;
}

/* What a name is: it depends on what stands behind it. */
static void item(struct reading *f, const struct template_head *head)
{
    struct file_item i = {.from = f->token.span.offset};
    while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        if (reading_at_word(f, "__launch_bounds__") || reading_at_word(f, "__attribute__")) {
            reading_next(f);
            reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (reading_at_word(f, "operator") && !i.assigned && (!i.device || i.host)) {
            const struct cpp_type *result;
            i.name = f->token.span;
            const char *name = reading_operator(f, &result);
            start_function(f, &i, name, result, head);
            return;
        }
        if (f->token.mark == CPP_MARK_OPEN && starts_function(&i)) {
            start_function(f, &i, parse_text(f->e->p, i.name), NULL, head);
            return;
        }
        if (f->token.mark == CPP_MARK_LT && !i.assigned && i.name.length) {
            reading_skip_angles(f);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN) {
            i.called = i.called || !i.assigned;
            reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN_BLOCK) {
            reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
            if (i.device && i.called) /* a function of the device */
                return;
            continue;
        }
        note_words(f, &i);
        reading_next(f);
    }
    if (!i.device && i.name.length)
        global(f, i.from);
    else if (i.device)
        device_variables(f, i.from);
    reading_next(f);
}

/* ---- structures ----------------------------------------------------------------------------- */

/* ": public A, private B<int>" */
static bool bases(struct reading *f, struct structure *made)
{
    VEC(const struct cpp_type *) list = {0};
    do {
        reading_next(f); /* ':' or ',' */
        while (reading_at_word(f, "public") || reading_at_word(f, "private") ||
               reading_at_word(f, "protected"))
            reading_next(f);
        uint32_t from = f->token.span.offset;
        while (!reading_at_end(f) && f->token.mark != CPP_MARK_COMMA &&
               f->token.mark != CPP_MARK_OPEN_BLOCK) {
            if (f->token.mark == CPP_MARK_LT)
                reading_skip_angles(f);
            else
                reading_next(f);
        }
        const struct cpp_type *base = reading_result(f, from, f->token.span.offset);
        if (!base)
            return false;
        vec_push(f->e->arena, &list, base);
    } while (f->token.mark == CPP_MARK_COMMA);
    made->bases = list.at;
    made->base_count = list.len;
    return f->token.mark == CPP_MARK_OPEN_BLOCK;
}

/* What it holds is not known: its members as far as they are read. */
static void unread_members(struct reading *f, struct structure *made, uint32_t offset)
{
    reading_move_to(f, offset - 1);
    made->members = cpp_parse_any_statements(f->e->arena, f->source, &offset);
    made->is_own = made->has_functions = false;
    reading_skip(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
}

void reading_structure(struct reading *f, const struct template_head *head)
{
    struct eval *e = f->e;
    struct structure *made = ARENA_NEW(e->arena, struct structure);
    uint32_t from = f->token.span.offset;
    reading_next(f);
    while (reading_at_word(f, "alignas") || reading_at_word(f, "__align__") ||
           reading_at_word(f, "__attribute__")) {
        reading_next(f);
        reading_skip(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    }
    struct span name = f->token.span;
    made->name = parse_text(e->p, name);
    made->from = from;
    made->head = *head;
    if (f->token.kind == CPP_TOKEN_WORD)
        reading_next(f);
    if (reading_at_word(f, "final"))
        reading_next(f);
    if (f->token.mark ==
        CPP_MARK_LT) { /* a specialization: of what the template makes nothing is known */
        struct structure *whole = (struct structure *)eval_structure(e, made->name);
        reading_skip_angles(f);
        if (whole)
            whole->is_own = whole->has_functions = false;
        made->name = arena_printf(e->arena, "%s<>", made->name);
    }
    bool derives = f->token.mark == CPP_MARK_COLON, good = !derives || bases(f, made);
    if (!derives && (f->token.kind == CPP_TOKEN_WORD || f->token.mark == CPP_MARK_MUL)) {
        static const struct template_head none = {NULL, 0, false};
        reading_move_to(f, name.offset);
        item(f, &none);
        return;
    }
    while (!good && !reading_at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON)
        reading_next(f);
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return;
    uint32_t offset = f->token.span.offset + 1;
    for (uint32_t i = 0; i < e->structures.len; i++)
        if (strcmp(e->structures.at[i]->name, made->name) == 0)
            e->structures.at[i]->is_one_of_several = made->is_one_of_several = true;
    vec_push(e->arena, &e->structures, made);
    if (!good || !reading_members(f, made))
        unread_members(f, made, offset);
    if (f->token.mark != CPP_MARK_SEMICOLON)
        declaration(f, from);
}

/* "namespace a {", "extern "C" {": what is inside is read as if it stood alone. */
static void open_region(struct reading *f)
{
    bool is_extern = reading_at_word(f, "extern");
    const char *name = NULL;
    reading_next(f);
    if (is_extern && f->token.kind != CPP_TOKEN_STRING) { /* of another file */
        while (!reading_at_end(f) && f->token.mark != CPP_MARK_SEMICOLON)
            reading_next(f);
        return;
    }
    if (is_extern)
        reading_next(f);
    while (!is_extern && !reading_at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON) {
        if (f->token.kind == CPP_TOKEN_WORD)
            name = parse_text(f->e->p, f->token.span);
        reading_next(f);
    }
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return;
    if (f->region_count < sizeof f->regions / sizeof *f->regions)
        f->regions[f->region_count] = name;
    f->region_count++;
    reading_next(f);
}

/* Past "template <>", "requires …" and what else stands before an item; *head: its parameters. */
static void template_item(struct reading *f)
{
    struct template_head head = {NULL, 0, false};
    bool good = reading_template(f, &head);
    bool class = reading_at_word(f, "struct") || reading_at_word(f, "class");
    if (class && good)
        reading_structure(f, &head);
    else if (reading_at_word(f, "using")) /* a template of names of types */
        declaration(f, f->token.span.offset);
    else
        item(f, &head);
}

void reading_items(struct reading *f)
{
    static const struct template_head none = {NULL, 0, false};
    while (!reading_at_end(f)) {
        if (reading_at_word(f, "using") || reading_at_word(f, "typedef") ||
            reading_at_word(f, "enum"))
            declaration(f, f->token.span.offset);
        else if (reading_at_word(f, "namespace") || reading_at_word(f, "extern"))
            open_region(f);
        else if (reading_at_word(f, "struct") || reading_at_word(f, "class"))
            reading_structure(f, &none);
        else if (reading_at_word(f, "template"))
            template_item(f);
        else if (f->token.kind == CPP_TOKEN_WORD || f->token.mark == CPP_MARK_QUALIFY)
            item(f, &none);
        else {
            f->region_count -= f->token.mark == CPP_MARK_CLOSE_BLOCK && f->region_count;
            reading_next(f);
        }
    }
}

/* ---- the program ---------------------------------------------------------------------------- */

bool host_at_program(const struct parser *p)
{
    return parse_at_word(p, "program") && p->next.kind == TOKEN_STRING;
}

void host_read_part(struct eval *e, uint32_t from, uint32_t to)
{
    struct reading f = {.e = e};
    struct source *part = ARENA_NEW(e->arena, struct source);
    *part = *e->p->source;
    part->length = to;
    f.source = part;
    f.lexer = (struct cpp_lexer){part, reading_unheard(&f), from, UINT32_MAX};
    reading_move_to(&f, from);
    reading_items(&f);
}

/* Where the text begins in the test's; NONE: it is too long. */
uint32_t host_add_text(struct parser *p, const char *name, const char *text, size_t length)
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
    e->packs = text.packs;
    uint32_t bodies = host_add_text(p, file.name, text.bodies, text.length);
    e->bodies_from = bodies == NONE ? 0 : bodies;
    e->bodies_to = bodies == NONE ? 0 : bodies + (uint32_t)text.length;
    if (bodies != NONE)
        macro_read(e, text.macros.at, text.macros.len, bodies);
    uint32_t from = host_add_text(p, file.name, text.text, text.length);
    if (from != NONE)
        host_read_part(e, from, p->source->length);
}
