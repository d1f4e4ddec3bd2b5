/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/host/file.h"

/* What of the library of C++ is written in C++: its text joins the program's when a name of it is used. */

static const unsigned char text[] = {
#include "litmus/standard.hpp.inc"
};

static bool is_defined(const char *word)
{
    static const char *const words[] = {
#define WORD(word) word,
#include "litmus/host/standard.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

const struct structure *eval_version_of_threads(struct eval *e, const struct structure *of,
                                                const struct cpp_part *name)
{
    bool queue = of && of->members->kid_count && strcmp(of->name, "queue") == 0 &&
                 eval_is_of_library(e, of->members->kids[0]->span);
    if (!queue || name->argument_count != 1 || !name->arguments[0].type || !eval_has_threads(e))
        return of;
    const struct code_shape *element = eval_shape(e, name->arguments[0].type);
    bool number = element && element->kind == SHAPE_NUMBER && !element->is_atomic;
    return number ? eval_structure(e, "queue_of_threads") : of;
}

static struct list_growth *growth_of(struct eval *e, uint32_t location)
{
    const struct list_growth none = {location, 0};
    for (uint32_t i = 0; i < e->growths.len; i++)
        if (e->growths.at[i].location == location)
            return &e->growths.at[i];
    vec_push(e->arena, &e->growths, none);
    return &e->growths.at[e->growths.len - 1];
}

bool eval_take_one_more(struct eval *e, const struct cpp_expr *expr)
{
    struct lvalue place;
    if (!eval_place_of(e, expr->kids[1], &place))
        return false;
    if (place.cell)
        return eval_needs(e, &place.cell->value, expr->span, "a list in memory");
    const struct location *list = &e->p->locations.at[place.location];
    bool again = e->waiting || (e->host != NONE && e->p->host_threads.at[e->host].is_function);
    if (!again && ++growth_of(e, place.location)->count <= list->elements)
        return true;
    eval_error(e, host_statement, expr->span,
               "push fewer elements, where every thread comes by once",
               again ? "a queue of several threads that grows in a loop that waits, or in a host "
                       "function, is not modelled"
                     : "a queue of several threads that gets more than %u elements is not modelled",
               list->elements);
    return false;
}

bool eval_is_of_library(const struct eval *e, struct span span)
{
    return span.offset >= e->library_from && span.offset < e->library_to;
}

bool eval_read_library(struct eval *e, const char *word)
{
    if (e->library_to || !is_defined(word))
        return false;
    uint32_t globals = e->globals.len;
    e->library_from =
        host_add_text(e->p, "the library of C++", (const char *)text, sizeof text - 1);
    if (e->library_from == NONE)
        return false;
    e->library_to = e->p->source->length;
    host_read_part(e, e->library_from, e->library_to);
    e->globals.len = globals;
    return true;
}
