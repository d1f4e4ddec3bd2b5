/* SPDX-License-Identifier: MIT */
#include "litmus/print/cond.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"

/* Prints the question: locations, filter, quantifier and condition. */

/* The register's name without its '%', unless the body has one called so. */
static const char *short_name(const struct body *body, uint32_t reg)
{
    const char *name = body->regs[reg].name;
    if (name[0] != '%')
        return name;
    for (uint32_t i = 0; i < body->reg_count; i++)
        if (strcmp(body->regs[i].name, name + 1) == 0)
            return name;
    return name + 1;
}

static const char *register_term(struct arena *arena, const struct test *test,
                                 const struct cond_term *term)
{
    const char *name = short_name(test_term_body(test, term), term->reg);
    if (term->column != NONE)
        return arena_printf(arena, "%u:%s", term->column, name);
    if (term->host != NONE)
        return arena_printf(arena, "%s:%s", test->host->threads[term->host].name, name);
    const struct launch *launch = &test->launches[term->launch];
    if (launch_ctas(launch) == 1 && launch_volume(launch->block) == 1)
        return arena_printf(arena, "%s:%s", launch->label, name);
    return arena_printf(arena, "%s[%u,%u]:%s", launch->label, term->cta, term->tid, name);
}

const char *print_element(struct arena *arena, const struct location *location, const char *name,
                          uint64_t element)
{
    uint32_t vector = location->vector;
    if (!vector)
        return arena_printf(arena, "%s[%" PRIu64 "]", name, element);
    char part = "xyzw"[element % vector];
    return location->elements > vector
               ? arena_printf(arena, "%s[%" PRIu64 "].%c", name, element / vector, part)
               : arena_printf(arena, "%s.%c", name, part);
}

static const char *location_term(struct arena *arena, const struct test *test,
                                 const struct cond_term *term)
{
    const struct location *location = &test->locations[term->location];
    return location->array ? print_element(arena, location, location->name, term->element)
                           : location->name;
}

const char *print_address(struct arena *arena, const char *name, uint64_t bytes)
{
    return bytes ? arena_printf(arena, "&%s+%" PRIu64, name, bytes)
                 : arena_printf(arena, "&%s", name);
}

const char *print_term(struct arena *arena, const struct test *test, const struct cond_term *term)
{
    switch (term->kind) {
    case TERM_CONST:
        return arena_printf(arena, "%" PRId64, (int64_t)term->value);
    case TERM_REG:
        return register_term(arena, test, term);
    case TERM_LOCATION:
        return location_term(arena, test, term);
    case TERM_ADDRESS:
        return print_address(arena,
                             term->element ? location_term(arena, test, term)
                                           : test->locations[term->location].name,
                             term->value);
    }
    return "?";
}

static void condition(struct printer *p, const struct cond *cond, bool inner);

static void chain(struct printer *p, const struct cond *cond, const char *mark, bool inner)
{
    put(p, inner ? "(" : "");
    for (uint32_t i = 0; i < cond->kid_count; i++) {
        put(p, i ? mark : "");
        condition(p, cond->kids[i], true);
    }
    put(p, inner ? ")" : "");
}

/* 'inner': inside of another condition, where chains need parentheses. */
static void condition(struct printer *p, const struct cond *cond, bool inner)
{
    switch (cond->kind) {
    case COND_TRUE:
        put(p, "true");
        break;
    case COND_FALSE:
        put(p, "false");
        break;
    case COND_NOT:
        put_char(p, '~');
        condition(p, cond->kids[0], true);
        break;
    case COND_AND:
        chain(p, cond, " /\\ ", inner);
        break;
    case COND_OR:
        chain(p, cond, " \\/ ", inner);
        break;
    case COND_COMPARE:
        put_format(p, "%s%s%s", print_term(p->arena, p->test, &cond->left),
                   cond->cmp == CMP_EQ ? "=" : cmp_row(cond->cmp)->mark,
                   print_term(p->arena, p->test, &cond->right));
        break;
    }
}

static void quantified(struct printer *p)
{
    static const char *const words[] = {"exists", "~exists", "forall"};
    put_format(p, "%s (", words[p->test->quantifier]);
    condition(p, p->test->condition, false);
    put_char(p, ')');
}

static bool same_term(const struct cond_term *a, const struct cond_term *b)
{
    return a->kind == b->kind && a->column == b->column && a->launch == b->launch &&
           a->cta == b->cta && a->tid == b->tid && a->host == b->host && a->reg == b->reg &&
           a->location == b->location && a->element == b->element;
}

static bool asks_about(const struct cond *cond, const struct cond_term *term)
{
    if (cond->kind == COND_COMPARE)
        return same_term(&cond->left, term) || same_term(&cond->right, term);
    for (uint32_t i = 0; i < cond->kid_count; i++)
        if (asks_about(cond->kids[i], term))
            return true;
    return false;
}

/* What is shown beyond the condition's own terms. */
static void locations(struct printer *p)
{
    const struct test *test = p->test;
    bool any = false;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        if (asks_about(test->condition, &test->observed[i]))
            continue;
        put_format(p, "%s%s;", any ? " " : "locations [",
                   print_term(p->arena, test, &test->observed[i]));
        any = true;
    }
    put(p, any ? "]\n" : "");
}

void printer_question(struct printer *p)
{
    locations(p);
    if (p->test->filter) {
        put(p, "filter (");
        condition(p, p->test->filter, false);
        put(p, ")\n");
    }
    quantified(p);
    put_char(p, '\n');
}

const char *print_condition(struct arena *arena, const struct test *test, const struct cond *part)
{
    struct text *text = text_open(arena);
    struct printer p = {.out = text->out, .test = test, .arena = arena};
    condition(&p, part, false);
    return text_close(text, arena);
}

const char *print_question(struct arena *arena, const struct test *test)
{
    struct text *text = text_open(arena);
    struct printer p = {.out = text->out, .test = test, .arena = arena};
    quantified(&p);
    return text_close(text, arena);
}
