/* SPDX-License-Identifier: MIT */
#include "litmus/host/preprocess.h"

#include <string.h>

#include "litmus/cpp/ast.h"
#include "litmus/cpp/cpp.h"

enum { DEEPEST_GROUPS = 64, DEEPEST_MACROS = 16 };

/* "#if" … "#endif" */
struct line_group {
    bool outer;   /* what is around it is compiled */
    bool active;  /* this part is compiled */
    bool taken;   /* this part or one before it */
    bool unknown; /* nobody knows */
};

struct lines {
    struct preprocessed *to;
    struct line_group groups[DEEPEST_GROUPS];
    unsigned depth;
    char *at, *stop; /* the line, with those that it is continued on */
};

/* ---- text ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word_byte(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char *skip_spaces(char *text, const char *end)
{
    while (text < end && (is_space(*text) || *text == '\\' || *text == '\n'))
        text++;
    return text;
}

static char *word_end(char *text, const char *end)
{
    while (text < end && is_word_byte(*text))
        text++;
    return text;
}

static bool is_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) == length && memcmp(text, word, length) == 0;
}

/* Spaces in place of text, but for the ends of lines. */
static void blank(char *from, const char *end)
{
    for (; from < end; from++)
        if (*from != '\n')
            *from = ' ';
}

static char *line_end(char *from, char *end)
{
    char *at = from;
    while (at < end &&
           (*at != '\n' || (at > from && (at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\')))))
        at++;
    return at;
}

/* ---- conditions ----------------------------------------------------------------------------- */

static const struct file_macro *macro_named(const struct preprocessed *to, const char *name,
                                            size_t length)
{
    for (uint32_t i = to->macros.len; i-- > 0;) {
        const struct file_macro *macro = &to->macros.at[i];
        if (strlen(macro->name) == length && memcmp(macro->name, name, length) == 0)
            return macro->is_gone ? NULL : macro;
    }
    return NULL;
}

/* What nvcc defines while it compiles host code. */
static bool is_nvcc(const char *name, size_t length, uint64_t *value)
{
    static const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"__CUDACC__", 1},          {"__NVCC__", 1},         {"__cplusplus", 201703},
                {"CUDART_VERSION", 13000},  {"CUDA_VERSION", 13000}, {"__CUDACC_VER_MAJOR__", 13},
                {"__linux__", 1},           {"__GNUC__", 12},        {"__x86_64__", 1},
                {"__CUDACC_VER_MINOR__", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_word(name, name + length, rows[i].name)) {
            *value = rows[i].value;
            return true;
        }
    return false;
}

static bool is_defined(const struct preprocessed *to, const char *name, size_t length)
{
    uint64_t value;
    return macro_named(to, name, length) || is_nvcc(name, length, &value);
}

static bool value_of(const struct preprocessed *to, const char *text, size_t length, unsigned depth,
                     int64_t *value);

static bool name_value(const struct preprocessed *to, const char *word, unsigned depth,
                       int64_t *value)
{
    const struct file_macro *macro = macro_named(to, word, strlen(word));
    uint64_t number;
    *value = 0;
    if (macro && macro->is_function)
        return false;
    if (macro)
        return value_of(to, to->bodies + macro->body.offset, macro->body.length, depth + 1, value);
    if (is_nvcc(word, strlen(word), &number))
        *value = (int64_t)number;
    return true;
}

static bool fold(enum cpp_mark mark, int64_t a, int64_t b, int64_t *value)
{
    switch (mark) {
    case CPP_MARK_ELSE:
        *value = a || b;
        return true;
    case CPP_MARK_ALSO:
        *value = a && b;
        return true;
    case CPP_MARK_EQ:
        *value = a == b;
        return true;
    case CPP_MARK_NE:
        *value = a != b;
        return true;
    case CPP_MARK_LT:
        *value = a < b;
        return true;
    case CPP_MARK_LE:
        *value = a <= b;
        return true;
    case CPP_MARK_GT:
        *value = a > b;
        return true;
    case CPP_MARK_GE:
        *value = a >= b;
        return true;
    case CPP_MARK_ADD:
        *value = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case CPP_MARK_SUB:
        *value = (int64_t)((uint64_t)a - (uint64_t)b);
        return true;
    case CPP_MARK_MUL:
        *value = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    default:
        return false;
    }
}

static bool expression_value(const struct preprocessed *to, const struct cpp_expr *expr,
                             unsigned depth, int64_t *value)
{
    int64_t a, b;
    switch (expr->kind) {
    case CPP_NUMBER:
        *value = (int64_t)expr->value;
        return true;
    case CPP_NAME:
        return cpp_plain_word(&expr->name) &&
               name_value(to, cpp_plain_word(&expr->name), depth, value);
    case CPP_UNARY:
        if (!expression_value(to, expr->kids[0], depth, &a))
            return false;
        *value = expr->mark == CPP_MARK_NOT ? !a : (int64_t)(0 - (uint64_t)a);
        return expr->mark == CPP_MARK_NOT || expr->mark == CPP_MARK_SUB;
    case CPP_BINARY:
        return expression_value(to, expr->kids[0], depth, &a) &&
               expression_value(to, expr->kids[1], depth, &b) && fold(expr->mark, a, b, value);
    default:
        return false;
    }
}

static bool value_of(const struct preprocessed *to, const char *text, size_t length, unsigned depth,
                     int64_t *value)
{
    struct diag_list unheard = {.arena = to->arena};
    const struct source *source = source_new(to->arena, "#if", text, length);
    const struct cpp_expr *expr = cpp_parse_expression(to->arena, source, 0, &unheard);
    *value = 0;
    return depth < DEEPEST_MACROS && expr && !unheard.errors &&
           expression_value(to, expr, depth, value);
}

/* "defined(A)" and "defined A" become 0 or 1, and continued lines one. */
static char *without_defined(const struct lines *l, char *text, size_t *length)
{
    char *copy = arena_strndup(l->to->arena, text, (size_t)(l->stop - text));
    char *end = copy + (l->stop - text);
    for (char *at = copy; at < end; at++)
        if (*at == '\\' || *at == '\n')
            *at = ' ';
    for (char *at = copy; at < end;) {
        char *after = word_end(at, end);
        if (is_word(at, after, "defined")) {
            char *name = skip_spaces(after, end);
            bool open = name < end && *name == '(';
            name = open ? skip_spaces(name + 1, end) : name;
            char *close = word_end(name, end);
            char digit = is_defined(l->to, name, (size_t)(close - name)) ? '1' : '0';
            char *last = open ? skip_spaces(close, end) : close;
            blank(at, last < end && open ? last + 1 : last);
            *at = digit;
            after = close;
        }
        at = after > at ? after : at + 1;
    }
    *length = (size_t)(end - copy);
    return copy;
}

/* Is the condition behind the word of the line met? False, and *unknown: nobody knows. */
static bool is_met(const struct lines *l, const char *kind, const char *kind_end, char *rest,
                   bool *unknown)
{
    char *name = skip_spaces(rest, l->stop), *after = word_end(name, l->stop);
    size_t length;
    int64_t value;
    if (is_word(kind, kind_end, "ifdef"))
        return is_defined(l->to, name, (size_t)(after - name));
    if (is_word(kind, kind_end, "ifndef"))
        return !is_defined(l->to, name, (size_t)(after - name));
    const char *text = without_defined(l, rest, &length);
    if (value_of(l->to, text, length, 0, &value))
        return value;
    *unknown = true;
    return false;
}

static bool is_active(const struct lines *l)
{
    return !l->depth || l->groups[l->depth - 1].active;
}

static void open_group(struct lines *l, const char *kind, const char *kind_end, char *rest)
{
    struct line_group group = {.outer = is_active(l)};
    if (l->depth == DEEPEST_GROUPS)
        return;
    if (group.outer)
        group.active = group.taken = is_met(l, kind, kind_end, rest, &group.unknown);
    if (group.unknown)
        group.active = true;
    l->groups[l->depth++] = group;
}

/* "#elif" asks as "#if" does. */
static const char if_word[] = "if";

static void next_part(struct lines *l, const char *kind, const char *kind_end, char *rest)
{
    struct line_group *group = l->depth ? &l->groups[l->depth - 1] : NULL;
    bool unknown = false;
    if (!group || group->unknown || !group->outer)
        return;
    group->active = !group->taken && (is_word(kind, kind_end, "else") ||
                                      is_met(l, if_word, if_word + 2, rest, &unknown));
    group->active =
        group->active || unknown; /* what follows is taken, and what it is, is asked in it */
    group->taken = group->taken || group->active;
}

/* ---- macros --------------------------------------------------------------------------------- */

static char *parameters(struct lines *l, char *at, struct file_macro *macro)
{
    VEC(const char *) list = {0};
    for (at = skip_spaces(at + 1, l->stop); at < l->stop && *at != ')';) {
        char *after = word_end(at, l->stop);
        bool rest = l->stop - at >= 3 && memcmp(at, "...", 3) == 0;
        macro->takes_more = macro->takes_more || rest;
        if (!rest)
            vec_push(l->to->arena, &list, arena_strndup(l->to->arena, at, (size_t)(after - at)));
        at = skip_spaces(rest ? at + 3 : after > at ? after : at + 1, l->stop);
        at = at < l->stop && *at == ',' ? skip_spaces(at + 1, l->stop) : at;
    }
    macro->parameters = list.at;
    macro->parameter_count = list.len;
    return at < l->stop ? at + 1 : at;
}

/* The body's text; "#a" in it is a string. */
static void take_body(struct lines *l, const struct file_macro *macro)
{
    struct preprocessed *to = l->to;
    char *from = to->bodies + macro->body.offset, *end = from + macro->body.length;
    memcpy(from, to->text + macro->body.offset, macro->body.length);
    for (char *at = from; at < end; at++) {
        if (*at == '\\' && (at + 1 == end || at[1] == '\n' || at[1] == '\r'))
            *at = ' ';
        if (*at != '#' || !macro->is_function || at + 1 >= end || !is_word_byte(at[1]) ||
            (at > from && at[-1] == '#'))
            continue;
        char *after = word_end(at + 1, end);
        blank(at, after);
        at[0] = at[1] = '"';
    }
    if (end < to->bodies + to->length && macro->is_function)
        *end = ';'; /* behind a statement that the call ends */
}

static void define(struct lines *l, char *rest)
{
    struct file_macro macro = {0};
    char *name = skip_spaces(rest, l->stop), *after = word_end(name, l->stop);
    macro.name = arena_strndup(l->to->arena, name, (size_t)(after - name));
    macro.is_function = after < l->stop && *after == '(';
    if (macro.is_function)
        after = parameters(l, after, &macro);
    after = skip_spaces(after, l->stop);
    macro.body = (struct span){(uint32_t)(after - l->to->text), (uint32_t)(l->stop - after)};
    take_body(l, &macro);
    vec_push(l->to->arena, &l->to->macros, macro);
}

static void undefine(struct lines *l, char *rest)
{
    char *name = skip_spaces(rest, l->stop), *after = word_end(name, l->stop);
    struct file_macro macro = {.is_gone = true};
    macro.name = arena_strndup(l->to->arena, name, (size_t)(after - name));
    vec_push(l->to->arena, &l->to->macros, macro);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void enclose(struct lines *l, const char *marks)
{
    if (l->stop - l->at >= 2)
        memcpy(l->at, marks, 2);
}

static void directive(struct lines *l, char *hash)
{
    char *kind = skip_spaces(hash + 1, l->stop), *rest = word_end(kind, l->stop);
    bool opens =
        is_word(kind, rest, "if") || is_word(kind, rest, "ifdef") || is_word(kind, rest, "ifndef");
    bool ends = is_word(kind, rest, "endif") && l->depth;
    bool unknown = ends && l->groups[l->depth - 1].unknown;
    if (opens)
        open_group(l, kind, rest, rest);
    else if (is_word(kind, rest, "elif") || is_word(kind, rest, "else"))
        next_part(l, kind, rest, rest);
    else if (ends)
        l->depth--;
    else if (is_word(kind, rest, "define") && is_active(l))
        define(l, rest);
    else if (is_word(kind, rest, "undef") && is_active(l))
        undefine(l, rest);
    else if (is_word(kind, rest, "pragma") && is_active(l)) {
        char *what = skip_spaces(rest, l->stop);
        l->to->packs = l->to->packs || is_word(what, word_end(what, l->stop), "pack");
    }
    blank(l->at, l->stop);
    if (opens && l->depth && l->groups[l->depth - 1].unknown)
        enclose(l, "@{");
    if (unknown)
        enclose(l, "};");
}

void preprocess(struct arena *arena, const char *text, size_t length, struct preprocessed *to)
{
    *to = (struct preprocessed){.arena = arena, .length = length};
    to->text = arena_strndup(arena, text, length);
    to->bodies = arena_strndup(arena, text, length);
    blank(to->bodies, to->bodies + length);
    struct lines l = {.to = to};
    char *end = to->text + length;
    for (l.at = to->text; l.at < end; l.at = l.stop < end ? l.stop + 1 : end) {
        l.stop = line_end(l.at, end);
        char *first = l.at;
        while (first < l.stop && is_space(*first))
            first++;
        if (first < l.stop && *first == '#')
            directive(&l, first);
        else if (!is_active(&l))
            blank(l.at, l.stop);
    }
}
