/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"
#include "litmus/host/host.h"
#include "litmus/parse/launch.h"

/* Whether the question of a test depends on code that is not modelled, when all is read. */

struct settling {
    const struct parser *p;
    const struct test *test;
    uint32_t gap; /* the first that is found, or 0 */
};

static void find(struct settling *s, uint32_t gap)
{
    s->gap = s->gap ? s->gap : gap;
}

/* ---- what is asked -------------------------------------------------------------------------- */

static uint32_t gap_of_term(const struct test *test, const struct cond_term *term)
{
    switch (term->kind) {
    case TERM_LOCATION:
        return test->locations[term->location].gap;
    case TERM_REG:
        if (term->launch != NONE)
            return test->launches[term->launch].gap;
        return test_term_body(test, term)->regs[term->reg].gap;
    case TERM_CONST:
    case TERM_ADDRESS:
        return 0;
    }
    return 0;
}

static void find_in_term(void *context, const struct cond_term *term)
{
    struct settling *s = context;
    find(s, gap_of_term(s->test, term));
}

/* ---- what would change all ------------------------------------------------------------------ */

static bool waits_for_others(const struct inst *inst)
{
    enum op_group group = op_group(inst->op);
    return group == GROUP_CTA_BARRIER || group == GROUP_CLUSTER_BARRIER ||
           group == GROUP_MBARRIER || group == GROUP_GRID || group == GROUP_COLLECTIVE;
}

/* A kernel that need not end, or come to its barriers, when it reads something else. */
static bool may_stand_still(const struct body *body)
{
    bool jumps = false, waits = false;
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct operand *to = inst_operand(&body->insts[i], OPERAND_LABEL);
        if (to && to->target <= i)
            return true;
        jumps = jumps || to;
        waits = waits || waits_for_others(&body->insts[i]);
    }
    return jumps && waits;
}

static void find_in_launches(struct settling *s)
{
    for (uint32_t i = 0; i < s->test->launch_count; i++) {
        const struct launch *launch = &s->test->launches[i];
        bool opaque = s->p->opaque.count && /* which ends */
                      parse_is_opaque(s->p, s->test->bodies[launch->kernel].name);
        if (launch->gap && !opaque && may_stand_still(&s->test->bodies[launch->kernel]))
            find(s, launch->gap);
    }
}

static uint32_t thread_count(const struct test *test)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->host->thread_count; i++)
        count += !test->host->threads[i].is_function;
    return count;
}

/* Threads beside the first may have read what changed later. */
static void find_in_threads(struct settling *s)
{
    for (uint32_t t = 1; t < s->test->host->thread_count; t++) {
        const struct body *body = &s->test->bodies[s->test->host->threads[t].body];
        for (uint32_t i = 0; i < body->inst_count; i++) {
            const struct operand *at = inst_operand(&body->insts[i], OPERAND_MEMORY);
            if (at && at->location != NONE)
                find(s, s->test->locations[at->location].gap);
        }
    }
}

void host_settle_gaps(struct parser *p)
{
    const struct eval *e = p->host_code;
    struct host_program *host = p->test->host;
    struct settling s = {.p = p, .test = p->test};
    if (host)
        host->is_file = e->is_file;
    if (!host || !host->gap_count || host->unmodelled)
        return;
    find(&s, e->gap_of_all);
    if (p->test->condition)
        cond_each_term(p->test->condition, find_in_term, &s);
    if (p->test->filter)
        cond_each_term(p->test->filter, find_in_term, &s);
    if (thread_count(p->test) > 1)
        find(&s, e->gap_of_threads);
    find_in_launches(&s);
    find_in_threads(&s);
    if (s.gap)
        host->unmodelled = &host->gaps[s.gap - 1];
}
