/* SPDX-License-Identifier: MIT
 *
 * Which of a test's locations its program has. A module declares variables for kernels that are not launched; what is launched, asked
 * about, or pointed to by what is, gets a place. */
#include "cli/emit/view.h"

struct marking {
    const struct test *test;
    bool *used;
};

static void mark(struct marking *m, uint32_t location)
{
    if (location == NONE || m->used[location])
        return;
    m->used[location] = true;
    const struct location *l = &m->test->locations[location];
    mark(m, l->alias_of);
    for (uint32_t i = 0; l->init && i < l->elements; i++)
        mark(m, l->init[i].address_of);
}

static void mark_operand(struct marking *m, const struct operand *op)
{
    if (op->kind == OPERAND_MEMORY || op->kind == OPERAND_SYMBOL)
        mark(m, op->location);
    for (uint32_t i = 0; i < op->part_count; i++)
        mark_operand(m, &op->parts[i]);
}

static void mark_kernel(struct marking *m, const struct body *body)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t k = 0; k < body->insts[i].operand_count; k++)
            mark_operand(m, &body->insts[i].operands[k]);
    for (uint32_t i = 0; i < body->param_count; i++)
        if (body->params[i].location)
            mark(m, body->params[i].location - 1);
}

static void mark_term(void *context, const struct cond_term *term)
{
    if (term->kind == TERM_LOCATION || term->kind == TERM_ADDRESS)
        mark(context, term->location);
}

static void mark_launched(struct marking *m)
{
    const struct test *test = m->test;
    for (uint32_t i = 0; i < test->launch_count; i++) {
        mark_kernel(m, &test->bodies[test->launches[i].kernel]);
        for (uint32_t k = 0; k < test->launches[i].arg_count; k++)
            mark_operand(m, &test->launches[i].args[k]);
    }
    for (uint32_t i = 0; i < test->observed_count; i++)
        mark_term(m, &test->observed[i]);
    cond_each_term(test->condition, mark_term, m);
    if (test->filter)
        cond_each_term(test->filter, mark_term, m);
}

uint32_t *emit_place_numbers(struct arena *arena, const struct test *test, uint32_t *count)
{
    uint32_t n = test->location_count;
    struct marking m = {test, ARENA_ARRAY(arena, bool, n + 1)};
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, n + 1);
    bool all = !test->launch_count || test->host || test->language == LANGUAGE_CPP;
    if (!all)
        mark_launched(&m);
    *count = 0;
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = all || m.used[i] ? (*count)++ : NONE;
    return numbers;
}
