/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/host/eval.h"
#include "litmus/host/host.h"
#include "litmus/parse/location.h"

/* What the question of a program names: a variable of the file or of main, written as C++ does ("h",
 * "plan[0].sum", "list->count"), with the value that it has in the end. */

void eval_keep_names(struct eval *e, const struct cpp_stmt *block)
{
    if (!e->is_file || e->calls || e->host != e->main_host || block != e->code)
        return;
    for (uint32_t i = 0; i < e->scope.len; i++)
        vec_push(e->arena, &e->last_scope, e->scope.at[i]);
}

/* ---- its text ------------------------------------------------------------------------------- */

static bool is_name_byte(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static uint32_t skip_name(const struct source *source, uint32_t at)
{
    while (at < source->length && is_name_byte(source->text[at]))
        at++;
    return at;
}

static uint32_t skip_index(const struct source *source, uint32_t at)
{
    unsigned depth = 0;
    for (; at < source->length; at++) {
        depth += source->text[at] == '[';
        depth -= source->text[at] == ']';
        if (!depth)
            return at + 1;
    }
    return at;
}

bool eval_is_asked(const struct eval *e, const char *name)
{
    const struct source *text = e->p->lexer.source;
    for (uint32_t at = e->p->token.span.offset; at < text->length; at++) {
        uint32_t from = at;
        at = skip_name(text, at);
        if (at > from && strncmp(name, text->text + from, at - from) == 0 &&
            strchr("_$", name[at - from]))
            return true;
    }
    return false;
}

/* Behind "name", then any of "[…]", ".name", "->name", "::name". */
static uint32_t end_of_place(const struct source *source, uint32_t at)
{
    for (at = skip_name(source, at); at + 2 < source->length;) {
        const char *text = source->text + at;
        bool member = text[0] == '.' && is_name_byte(text[1]);
        bool mark = memcmp(text, "->", 2) == 0 || memcmp(text, "::", 2) == 0;
        if (text[0] == '[')
            at = skip_index(source, at);
        else if (member || (mark && is_name_byte(text[2])))
            at = skip_name(source, at + (member ? 1 : 2));
        else
            break;
    }
    return at;
}

/* ---- what it stands for --------------------------------------------------------------------- */

struct named {
    struct eval *e;
    struct span span;
    struct cond_term *term;
};

static bool refuse(const struct named *n, const char *why)
{
    struct parser *p = n->e->p;
    parse_error(p, bad_question, n->span, NULL, "'%s' %s", parse_text(p, n->span), why);
    return false;
}

static bool in_memory(const struct named *n, const struct lvalue *place)
{
    uint64_t unit = eval_unit(n->e, place->location);
    uint64_t element = place->offset / unit;
    if (place->offset % unit || element >= n->e->p->locations.at[place->location].elements)
        return refuse(n, "is outside of the memory");
    n->term->kind = TERM_LOCATION;
    n->term->location = place->location;
    n->term->element = (uint32_t)element;
    return true;
}

/* The register that holds the variable in the end; false: none does. */
static bool in_register(const struct named *n, const struct code_cell *cell)
{
    const struct parser *p = n->e->p;
    uint32_t host = cell->host == NONE ? n->e->main_host : cell->host;
    uint32_t body = p->host_threads.at[host].body;
    if (cell->variable >= p->raws.at[body].variables.len)
        return false;
    const char *name = p->raws.at[body].variables.at[cell->variable].name;
    uint32_t reg = names_get(p->reg_names.at[body], 0, name, strlen(name));
    if (reg == NONE)
        return false;
    n->term->kind = TERM_REG;
    n->term->host = host;
    n->term->reg = reg;
    return true;
}

/* What no code changes is memory with that value from the start, so that states show it. */
static bool constant(const struct named *n, struct code_cell *cell)
{
    struct eval *e = n->e;
    enum type type = cell->shape->kind == SHAPE_NUMBER ? cell->shape->type : cell->value.type;
    type = type == TYPE_NONE ? TYPE_S64 : type;
    uint64_t bits = cell->value.number;
    if (type_is_float(type))
        bits = eval_float_bits(&cell->value, type);
    const char *name = parse_text(e->p, n->span);
    cell->location = eval_new_location(e, name, type, 1, MEMORY_PAGEABLE, n->span);
    struct location *made = &e->p->locations.at[cell->location];
    made->init = ARENA_NEW(e->arena, struct location_init);
    made->init[0] = (struct location_init){bits, NONE};
    made->initialized = true;
    n->term->kind = TERM_LOCATION;
    n->term->location = cell->location;
    return true;
}

static bool not_modelled(const struct named *n, const struct code_value *value)
{
    struct host_program *host = n->e->p->test->host;
    struct host_gap *gap = ARENA_NEW(n->e->arena, struct host_gap);
    const char *what = eval_text(n->e, value->name);
    *gap = (struct host_gap){value->name, arena_printf(n->e->arena, "the value of '%.60s'", what),
                             NULL};
    if (value->number)
        *gap = n->e->gaps.at[value->number - 1];
    if (!host->unmodelled)
        host->unmodelled = gap;
    n->term->kind = TERM_LOCATION;
    n->term->location = eval_new_location(n->e, parse_text(n->e->p, n->span), TYPE_S64, 1,
                                          MEMORY_PAGEABLE, n->span);
    return true;
}

static bool variable(const struct named *n, struct code_cell *cell)
{
    switch (cell->value.kind) {
    case VALUE_NUMBER:
    case VALUE_FLOAT:
        return in_register(n, cell) || constant(n, cell);
    case VALUE_REGISTER:
        return in_register(n, cell) || refuse(n, "is not kept: nothing but itself reads it");
    case VALUE_UNKNOWN:
        return not_modelled(n, &cell->value);
    case VALUE_NOTHING:
        return refuse(n, "has no value: nothing assigns it");
    default:
        return refuse(n, "is no number");
    }
}

/* A name alone, or an element by its number: locations have such names, too, and one of a pointer's
 * name is the first memory that the pointer got. */
static bool is_memory_name(const struct named *n, const struct cpp_expr *expr)
{
    const struct cpp_expr *root = expr->kind == CPP_INDEX ? expr->kids[0] : expr;
    const char *word = eval_word(root);
    if (!word || names_get(&n->e->p->location_names, NONE, word, strlen(word)) == NONE)
        return false;
    const struct code_cell *cell = eval_find(n->e, word);
    return !cell || cell->value.kind == VALUE_ADDRESS;
}

/* "true", "cudaSuccess" and the like: a number, unless the program has a variable of that name. */
static bool number(const struct named *n, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    struct code_value value;
    bool is_literal = word ? !eval_find(n->e, word) && eval_is_runtime_word(word)
                           : expr->kind == CPP_NUMBER || expr->kind == CPP_NULL;
    if (!is_literal || !eval_value(n->e, expr, &value) || value.kind != VALUE_NUMBER)
        return false;
    n->term->kind = TERM_CONST;
    n->term->value = value.number;
    return true;
}

static bool find(const struct named *n, const struct cpp_expr *expr, bool *good)
{
    struct lvalue place;
    if (number(n, expr))
        return *good = true;
    struct diag_list *reported = n->e->p->diags, unheard = {.arena = n->e->arena};
    if (is_memory_name(n, expr))
        return false;
    n->e->p->diags = &unheard;
    bool found = eval_place_of(n->e, expr, &place);
    n->e->p->diags = reported;
    if (!found || (place.cell && place.cell->shape->kind == SHAPE_OBJECT))
        return false;
    *good = place.cell ? variable(n, place.cell) : in_memory(n, &place);
    return true;
}

/* As at the end of main. */
static bool named(const struct named *n, bool *good)
{
    struct eval *e = n->e, outer = *e;
    struct diag_list unheard = {.arena = e->arena};
    struct source *part = ARENA_NEW(e->arena, struct source);
    *part = *e->p->source;
    part->length = n->span.offset + n->span.length;
    const struct cpp_expr *expr = cpp_parse_expression(e->arena, part, n->span.offset, &unheard);
    uint32_t body = e->p->body;
    e->p->body = e->p->host_threads.at[e->main_host].body;
    e->scope.at = e->last_scope.at;
    e->scope.len = e->scope.cap = e->last_scope.len;
    e->frame = (struct code_frame){.visible = e->scope.len, .floor = e->scope.len};
    e->host = e->main_host;
    e->is_dead = true; /* nothing is emitted */
    bool found = expr && find(n, expr, good);
    e->p->body = body;
    e->scope = outer.scope;
    e->frame = outer.frame;
    e->host = outer.host;
    e->is_dead = outer.is_dead;
    return found;
}

/* What is left is a location of a kernel, or a register of another thread. */
static bool is_elsewhere(const struct parser *p, const struct cond_term *term)
{
    struct span name = p->token.span;
    uint32_t location;
    if (term->host != NONE)
        return parse_name(p, p->reg_names.at[p->host_threads.at[term->host].body], 0, name) != NONE;
    bool found = parse_find_location(p, NONE, name, &location);
    for (uint32_t i = 0; !found && i < p->reg_names.len; i++)
        found = parse_find_location(p, i, name, &location);
    return found;
}

bool host_question_name(struct parser *p, struct cond_term *term, bool *good)
{
    struct named n = {p->host_code, p->token.span, term};
    if (!n.e || !n.e->is_file || n.e->main_host == NONE)
        return false;
    uint32_t end = end_of_place(p->lexer.source, n.span.offset);
    n.span.length = end - n.span.offset;
    bool of_main = term->host == NONE || term->host == n.e->main_host;
    bool found = of_main && named(&n, good);
    if (!found && is_elsewhere(p, term))
        return false;
    if (!found)
        *good = refuse(&n, "names nothing of the program");
    p->lexer.offset = end;
    parse_prime(p);
    return true;
}
