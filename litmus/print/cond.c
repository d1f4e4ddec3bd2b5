/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"
#include "litmus/print/printer.h"

/* The question: locations, filter, quantifier and condition. */

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
    if (term->column != NONE)
        return arena_printf(arena, "%u:%s", term->column,
                            short_name(&test->bodies[test->columns[term->column].body], term->reg));
    if (term->host != NONE) {
        const struct host_thread *host = &test->host->threads[term->host];
        return arena_printf(arena, "%s:%s", host->name,
                            short_name(&test->bodies[host->body], term->reg));
    }
    const struct launch *launch = &test->launches[term->launch];
    const char *name = short_name(&test->bodies[launch->kernel], term->reg);
    if (launch_ctas(launch) == 1 && launch->block.x * launch->block.y * launch->block.z == 1)
        return arena_printf(arena, "%s:%s", launch->label, name);
    return arena_printf(arena, "%s[%u,%u]:%s", launch->label, term->cta, term->tid, name);
}

static const char *location_term(struct arena *arena, const struct test *test,
                                 const struct cond_term *term)
{
    const struct location *location = &test->locations[term->location];
    if (location->array)
        return arena_printf(arena, "%s[%u]", location->name, term->element);
    return location->name;
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
        return arena_printf(arena, "&%s", location_term(arena, test, term));
    }
    return "?";
}

static const char *comparison(enum cmp cmp)
{
    switch (cmp) {
    case CMP_NE:
        return "!=";
    case CMP_LT:
        return "<";
    case CMP_LE:
        return "<=";
    case CMP_GT:
        return ">";
    case CMP_GE:
        return ">=";
    case CMP_EQ:
        return "=";
    default: /* parse_cond.c makes no other */
        abort();
    }
}

static void condition(struct printer *printer, const struct cond *cond, bool inner);

static void chain(struct printer *printer, const struct cond *cond, const char *mark, bool inner)
{
    g_string_append(printer->out, inner ? "(" : "");
    for (uint32_t i = 0; i < cond->kid_count; i++) {
        g_string_append(printer->out, i ? mark : "");
        condition(printer, cond->kids[i], true);
    }
    g_string_append(printer->out, inner ? ")" : "");
}

static void condition(struct printer *printer, const struct cond *cond, bool inner)
{
    switch (cond->kind) {
    case COND_TRUE:
        g_string_append(printer->out, "true");
        break;
    case COND_FALSE:
        g_string_append(printer->out, "false");
        break;
    case COND_NOT:
        g_string_append_c(printer->out, '~');
        condition(printer, cond->kids[0], true);
        break;
    case COND_AND:
        chain(printer, cond, " /\\ ", inner);
        break;
    case COND_OR:
        chain(printer, cond, " \\/ ", inner);
        break;
    case COND_COMPARE:
        g_string_append_printf(
            printer->out, "%s%s%s", print_term(printer->arena, printer->test, &cond->left),
            comparison(cond->cmp), print_term(printer->arena, printer->test, &cond->right));
        break;
    }
}

static void quantified(struct printer *printer)
{
    static const char *const words[] = {"exists", "~exists", "forall"};
    g_string_append_printf(printer->out, "%s (", words[printer->test->quantifier]);
    condition(printer, printer->test->condition, false);
    g_string_append_c(printer->out, ')');
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
static void locations(struct printer *printer)
{
    const struct test *test = printer->test;
    bool any = false;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        if (asks_about(test->condition, &test->observed[i]))
            continue;
        g_string_append_printf(printer->out, "%s%s;", any ? " " : "locations [",
                               print_term(printer->arena, test, &test->observed[i]));
        any = true;
    }
    g_string_append(printer->out, any ? "]\n" : "");
}

void printer_question(struct printer *printer)
{
    locations(printer);
    if (printer->test->filter) {
        g_string_append(printer->out, "filter (");
        condition(printer, printer->test->filter, false);
        g_string_append(printer->out, ")\n");
    }
    quantified(printer);
    g_string_append_c(printer->out, '\n');
}

const char *print_condition(struct arena *arena, const struct test *test, const struct cond *part)
{
    struct text *text = text_open(arena);
    struct printer printer = {text->out, test, arena};
    condition(&printer, part, false);
    return text_close(text, arena);
}

const char *print_question(struct arena *arena, const struct test *test)
{
    struct text *text = text_open(arena);
    struct printer printer = {text->out, test, arena};
    quantified(&printer);
    return text_close(text, arena);
}
