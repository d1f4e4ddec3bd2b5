/* SPDX-License-Identifier: MIT */
#include "model/bounded/executions.h"

struct execution_search {
    const struct bounded_program *program;
    execution_visit *visit;
    void *context;
};

/* Are both writes, of one location? */
static bool is_rival(const struct bounded_program *program, uint32_t a, uint32_t b)
{
    return bounded_writes(&program->at[a]) && bounded_writes(&program->at[b]) &&
           program->at[a].location == program->at[b].location;
}

/* Every order of the writes from 'index' on: each takes a place at its location, and those before move. */
static bool each_place(const struct execution_search *s, struct bounded_execution *x,
                       uint32_t index)
{
    const struct bounded_program *program = s->program;
    while (index < program->count && !bounded_writes(&program->at[index]))
        index++;
    if (index == program->count)
        return s->visit(s->context, x);
    const struct bounded_execution before = *x;
    uint32_t earlier = 0;
    for (uint32_t i = 0; i < index; i++)
        earlier += is_rival(program, i, index);
    for (uint32_t place = 0; place <= earlier; place++) {
        *x = before;
        x->place[index] = (uint8_t)place;
        for (uint32_t i = 0; i < index; i++)
            x->place[i] += is_rival(program, i, index) && x->place[i] >= place;
        if (!each_place(s, x, index + 1))
            return false;
    }
    *x = before;
    return true;
}

static bool each_source(const struct execution_search *s, struct bounded_execution *x,
                        uint32_t index)
{
    const struct bounded_program *program = s->program;
    while (index < program->count && !bounded_reads(&program->at[index]))
        index++;
    if (index == program->count)
        return each_place(s, x, 0);
    x->from[index] = BOUNDED_INITIAL;
    if (!each_source(s, x, index + 1))
        return false;
    for (uint32_t i = 0; i < program->count; i++) {
        if (i == index || !bounded_writes(&program->at[i]) ||
            program->at[i].location != program->at[index].location)
            continue;
        x->from[index] = (uint8_t)i;
        if (!each_source(s, x, index + 1))
            return false;
    }
    return true;
}

bool executions_enumerate(const struct bounded_program *program, execution_visit *visit,
                          void *context)
{
    const struct execution_search s = {program, visit, context};
    struct bounded_execution x = {{0}, {0}};
    return each_source(&s, &x, 0);
}

bool executions_like(const struct bounded_program *program, const struct bounded_execution *like,
                     execution_visit *visit, void *context)
{
    const struct execution_search s = {program, visit, context};
    struct bounded_execution x = *like;
    for (uint32_t i = 0; i < program->count; i++)
        x.place[i] = 0;
    return each_place(&s, &x, 0);
}

bool execution_ends_with(const struct bounded_program *program,
                         const struct bounded_execution *execution, uint32_t operation)
{
    for (uint32_t i = 0; i < program->count; i++)
        if (is_rival(program, i, operation) && execution->place[i] > execution->place[operation])
            return false;
    return bounded_writes(&program->at[operation]);
}

bool executions_end_alike(const struct bounded_program *program, const struct bounded_execution *a,
                          const struct bounded_execution *b)
{
    for (uint32_t i = 0; i < program->count; i++)
        if (execution_ends_with(program, a, i) != execution_ends_with(program, b, i))
            return false;
    return true;
}
