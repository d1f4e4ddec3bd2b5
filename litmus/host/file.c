/* SPDX-License-Identifier: MIT */
#include "litmus/host/file.h"

#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/cpp/lex.h"
#include "litmus/host/eval.h"
#include "litmus/parse/include.h"

/* A file of CUDA C++: its functions for the host, its structures, constants and global variables. Kernels and
 * device functions are passed over: they come from the compiler. What cannot be read is no error until a run
 * comes to it. */

/* ---- the preprocessor's lines --------------------------------------------------------------- */

/* "#define N 4": names that stand for an expression. */
struct define {
    struct span name, value;
};

/* The file's text on its way to functions. */
struct file {
    struct eval *e;
    const struct source *source; /* ends where the file does */
    struct cpp_lexer lexer;
    struct cpp_token token;
    VEC(struct define) defines;
};

static bool begins(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0 &&
           (text + length == end || strchr(" \t\r(", text[length]));
}

static const char *skip_spaces(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

static const char *word_end(const char *text, const char *end)
{
    while (text < end && (*text == '_' || (*text >= '0' && *text <= '9') ||
                          (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z')))
        text++;
    return text;
}

/* A line with those that it is continued on. */
static char *line_end(char *from, char *end)
{
    char *at = from;
    while (at < end && (*at != '\n' || (at > from && at[-1] == '\\')))
        at++;
    return at;
}

/* Spaces in place of text, but for the ends of lines. */
static void blank(char *from, char *end)
{
    for (; from < end; from++)
        if (*from != '\n')
            *from = ' ';
}

/* What is not compiled, up to its "#else" or "#endif", or to an "#elif", which is refused. */
static char *skip_group(char *at, char *end)
{
    unsigned depth = 1;
    char *from = at;
    while (at < end && depth) {
        char *stop = line_end(at, end);
        const char *hash = skip_spaces(at, stop);
        if (hash < stop && *hash == '#') {
            const char *word = skip_spaces(hash + 1, stop);
            if (depth == 1 && begins(word, stop, "elif"))
                break;
            depth += begins(word, stop, "if") || begins(word, stop, "ifdef") ||
                     begins(word, stop, "ifndef");
            depth -= begins(word, stop, "endif") || (depth == 1 && begins(word, stop, "else"));
        }
        at = stop < end ? stop + 1 : end;
    }
    blank(from, at);
    return at;
}

struct macros {
    const char *declarations; /* of those that stand for a value, as C++ */
    const char *names;        /* of all that are defined, with a '\n' before and behind each */
};

static void define(struct parser *p, const char *text, const char *stop, struct macros *macros)
{
    const char *name = skip_spaces(text, stop), *after = word_end(name, stop);
    const char *value = skip_spaces(after, stop);
    int length = (int)(after - name);
    macros->names = arena_printf(p->arena, "%s%.*s\n", macros->names, length, name);
    if (after < stop && *after != '(' && value < stop)
        macros->declarations =
            arena_printf(p->arena, "%sconst auto %.*s = (%.*s);\n", macros->declarations, length,
                         name, (int)(stop - value), value);
}

/* Where the name stands among those that are defined, with the end of a line before it; or NULL. */
static const char *defined(struct parser *p, const char *text, const char *stop,
                           const struct macros *macros, size_t *length)
{
    const char *name = skip_spaces(text, stop);
    *length = (size_t)(word_end(name, stop) - name) + 1;
    return strstr(macros->names, arena_printf(p->arena, "\n%.*s\n", (int)*length - 1, name));
}

static bool is_defined(struct parser *p, const char *text, const char *stop,
                       const struct macros *macros)
{
    size_t length;
    return defined(p, text, stop, macros, &length);
}

static void undefine(struct parser *p, const char *text, const char *stop, struct macros *macros)
{
    size_t length;
    for (const char *at; (at = defined(p, text, stop, macros, &length));)
        macros->names =
            arena_printf(p->arena, "%.*s%s", (int)(at - macros->names), macros->names, at + length);
}

/* Directives that change nothing here are made blank, others stay, and are refused where they stand. An "#else" that
 * is met is that of a group that is compiled. */
static void directive(struct parser *p, char *at, char *end, char **next, struct macros *macros)
{
    char *stop = line_end(at, end);
    const char *word = skip_spaces(skip_spaces(at, stop) + 1, stop);
    *next = stop < end ? stop + 1 : end;
    bool skips = begins(word, stop, "else");
    if (begins(word, stop, "define"))
        define(p, word + 6, stop, macros);
    else if (begins(word, stop, "if") && skip_spaces(word + 2, stop)[0] == '0')
        skips = true;
    else if (begins(word, stop, "ifdef"))
        skips = !is_defined(p, word + 5, stop, macros);
    else if (begins(word, stop, "ifndef"))
        skips = is_defined(p, word + 6, stop, macros);
    else if (begins(word, stop, "undef"))
        undefine(p, word + 5, stop, macros);
    else if (begins(word, stop, "if") || begins(word, stop, "elif"))
        return;
    if (skips)
        *next = skip_group(*next, end);
    blank(at, stop);
}

/* A copy of the text without the preprocessor's lines; '*defines': declarations of what they define. */
static char *preprocessed(struct parser *p, const char *text, size_t length, const char **defines)
{
    char *copy = arena_strndup(p->arena, text, length), *end = copy + length;
    struct macros macros = {"", "\n__CUDACC__\n__NVCC__\n__cplusplus\n"}; /* nvcc's own */
    for (char *at = copy; at < end;) {
        const char *first = skip_spaces(at, end);
        char *next = line_end(at, end);
        next = next < end ? next + 1 : end;
        if (first < end && *first == '#')
            directive(p, at, end, &next, &macros);
        at = next;
    }
    *defines = macros.declarations;
    return copy;
}

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

/* "name(parameters) {": the code, or where it could not be read. */
static void host_function(struct file *f, struct span name)
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
            function->parameters[i] = (struct parameter){list[i].name, list[i].type};
    }
    skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
    while (!at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
           f->token.mark != CPP_MARK_SEMICOLON)
        next(f);
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return; /* a declaration */
    offset = f->token.span.offset + 1;
    skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    function->body = cpp_parse_statements(e->arena, f->source, &offset, diags);
    if (!good || !function->body) {
        function->fault = diags->items.len ? diags->items.at[0].span : name;
        function->body = NULL;
    }
    vec_push(e->arena, &e->functions, function);
}

/* "struct NAME { … };" */
static void structure(struct file *f)
{
    struct eval *e = f->e;
    struct structure *made = ARENA_NEW(e->arena, struct structure);
    next(f);
    made->name = parse_text(e->p, f->token.span);
    next(f);
    if (f->token.mark != CPP_MARK_OPEN_BLOCK)
        return;
    uint32_t offset = f->token.span.offset + 1;
    made->members = cpp_parse_statements(e->arena, f->source, &offset, unheard(f));
    skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
    if (made->members)
        vec_push(e->arena, &e->structures, made);
}

/* A declaration from 'from' to the ';' that is the token. */
static void global(struct file *f, uint32_t from)
{
    struct source *part = ARENA_NEW(f->e->arena, struct source);
    uint32_t offset = from;
    *part = *f->source;
    part->length = f->token.span.offset + 1;
    const struct cpp_stmt *block = cpp_parse_statements(f->e->arena, part, &offset, unheard(f));
    for (uint32_t i = 0; block && i < block->kid_count; i++)
        vec_push(f->e->arena, &f->e->globals, block->kids[i]);
}

/* What a name is: it depends on what stands behind it. */
static void item(struct file *f)
{
    uint32_t from = f->token.span.offset;
    struct span name = {0, 0};
    bool device = false, host = false, assigned = false;
    while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON) {
        device = device || is_word(f, "__global__") || is_word(f, "__device__") ||
                 is_word(f, "__constant__") || is_word(f, "__managed__") || is_word(f, "template");
        host = host || is_word(f, "__host__");
        if (is_word(f, "template")) {
            next(f);
            while (!at_end(f) && f->token.mark != CPP_MARK_OPEN &&
                   f->token.mark != CPP_MARK_SEMICOLON)
                next(f);
            continue;
        }
        if (is_word(f, "__launch_bounds__") || is_word(f, "__attribute__")) {
            next(f);
            skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN && !assigned && (!device || host) && name.length) {
            host_function(f, name);
            return;
        }
        if (f->token.mark == CPP_MARK_OPEN) {
            skip_balanced(f, CPP_MARK_OPEN, CPP_MARK_CLOSE);
            continue;
        }
        if (f->token.mark == CPP_MARK_OPEN_BLOCK) {
            skip_balanced(f, CPP_MARK_OPEN_BLOCK, CPP_MARK_CLOSE_BLOCK);
            if (device)
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
    next(f);
}

static void items(struct file *f)
{
    while (!at_end(f)) {
        if (is_word(f, "using") || is_word(f, "typedef") || is_word(f, "enum")) {
            while (!at_end(f) && f->token.mark != CPP_MARK_SEMICOLON)
                next(f);
        } else if (is_word(f, "namespace") || is_word(f, "extern")) {
            next(f);
            while (!at_end(f) && f->token.mark != CPP_MARK_OPEN_BLOCK &&
                   f->token.mark != CPP_MARK_SEMICOLON && f->token.mark != CPP_MARK_OPEN)
                next(f);
            next(f);
        } else if (is_word(f, "struct") || is_word(f, "class"))
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

void host_program_item(struct parser *p)
{
    struct eval *e = host_code(p);
    const char *defines;
    struct span name = p->next.span;
    parse_include(p);
    struct source_file file = parse_text_file(p, name);
    if (!file.text) {
        parse_error(p, file_unreadable, name, file.hint, "cannot read '%s': %s", file.name,
                    file.fault);
        return;
    }
    char *text = preprocessed(p, file.text, file.length, &defines);
    e->is_file = true;
    if (*defines) {
        const struct source *longer =
            source_append(p->arena, p->source, file.name, defines, strlen(defines));
        uint32_t from = p->source->length + 1;
        if (longer) {
            p->source = p->test->source = longer;
            read_part(e, from, longer->length);
        }
    }
    const struct source *longer = source_append(p->arena, p->source, file.name, text, file.length);
    uint32_t from = p->source->length + 1;
    if (!longer)
        return;
    p->source = p->test->source = longer;
    read_part(e, from, longer->length);
}
