/* SPDX-License-Identifier: MIT */
#include "cli/answer/mapped.h"

#include <string.h>

#include "litmus/check/check.h"
#include "litmus/print/print.h"
#include "litmus/read/read.h"

bool mapped_read(struct job *job, const struct test *source, const struct mapping_table *mapping,
                 struct mapped_test *to)
{
    struct diag_list remarks = {.arena = job->arena};
    *to = (struct mapped_test){.mapping = mapping, .source = source};
    to->made = mapping_translate(job->arena, mapping, source, &job->diags);
    if (!to->made)
        return false;
    to->text = print_test(job->arena, to->made);
    const char *name = arena_printf(job->arena, "%s (%s)", source->source->name, mapping->name);
    to->test = litmus_parse(job->arena, source_new(job->arena, name, to->text, strlen(to->text)),
                            &remarks);
    for (uint32_t i = 0; !to->test && i < remarks.items.len; i++)
        vec_push(job->arena, &job->diags.items, remarks.items.at[i]);
    job->diags.errors += to->test ? 0 : remarks.errors;
    return to->test;
}

const char *mapping_name(const struct settings *settings)
{
    return settings->mapping ? settings->mapping : MAPPING_DEFAULT;
}

const struct test *mapped_by_settings(struct job *job, const struct test *source)
{
    const char *name = mapping_name(job->settings);
    const struct mapping_table *mapping = mapping_load(job->arena, name, &job->diags);
    struct test *named = ARENA_NEW(job->arena, struct test);
    struct mapped_test mapped;
    *named = *source;
    named->name = arena_printf(job->arena, "%s@%s", source->name, name);
    return mapping && mapped_read(job, named, mapping, &mapped) ? mapped.test : NULL;
}

static void body_lines(const struct job *job, const struct mapped_test *mapped, uint32_t body,
                       struct mapped_lines *lines)
{
    const struct body *made = &mapped->made->bodies[body], *read = &mapped->test->bodies[body];
    for (uint32_t i = 0; i < made->inst_count && i < read->inst_count; i++) {
        const struct source *source = mapped->source->source;
        struct span from = made->insts[i].span;
        vec_push(job->arena, &lines->items,
                 ((struct mapped_line){
                     .thread = read->name,
                     .instruction = print_inst(job->arena, mapped->test, read, &read->insts[i]),
                     .words = source_words(job->arena, source, from),
                     .place = source_place(mapped->test->source, read->insts[i].span.offset),
                     .from = source_place(source, from.offset)}));
    }
}

struct mapped_lines mapped_lines(const struct job *job, const struct mapped_test *mapped)
{
    struct mapped_lines lines = {0};
    for (uint32_t i = 0; i < mapped->made->body_count; i++)
        body_lines(job, mapped, i, &lines);
    return lines;
}

/* ---- what is observed ----------------------------------------------------------------------- */

enum { MOST_OBSERVED = 256 };

static struct cond_term term_of(int kind)
{
    return (struct cond_term){.kind = kind,
                              .column = NONE,
                              .launch = NONE,
                              .cta = NONE,
                              .tid = NONE,
                              .host = NONE,
                              .reg = NONE,
                              .location = NONE};
}

static bool is_unclear(const struct location *location)
{
    return location->space == SPACE_LOCAL || location->alias_of != NONE ||
           (location->space == SPACE_SHARED && location->cta == NONE);
}

static void observe_registers(struct test *test, uint32_t column)
{
    const struct body *body = &test->bodies[test->columns[column].body];
    for (uint32_t i = 0; i < body->reg_count && test->observed_count < MOST_OBSERVED; i++) {
        struct cond_term term = term_of(TERM_REG);
        term.column = column;
        term.reg = i;
        if (body->regs[i].name[0] && body->regs[i].name[0] != '%')
            test->observed[test->observed_count++] = term;
    }
}

static void observe_location(struct test *test, uint32_t location)
{
    uint32_t elements = test->locations[location].elements;
    for (uint32_t i = 0; i < elements && test->observed_count < MOST_OBSERVED; i++) {
        struct cond_term term = term_of(TERM_LOCATION);
        term.location = location;
        term.element = i;
        test->observed[test->observed_count++] = term;
    }
}

const struct test *mapped_observing_all(struct arena *arena, const struct test *test)
{
    struct test *all = ARENA_NEW(arena, struct test);
    *all = *test;
    all->observed = ARENA_ARRAY(arena, struct cond_term, test->observed_count + MOST_OBSERVED);
    memcpy(all->observed, test->observed, sizeof *all->observed * test->observed_count);
    for (uint32_t i = 0; i < all->column_count; i++)
        observe_registers(all, i);
    for (uint32_t i = 0; i < all->location_count; i++)
        if (!is_unclear(&all->locations[i]))
            observe_location(all, i);
    check_observed(all);
    return all;
}
