/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_rule.h"
#include "model/graph/layout.h"
#include "model/graph/scope.h"
#include "model/host/host.h"
#include "model/unfold/step/access.h"
#include "model/unfold/step/operand.h"

/* Memory that is allocated once more: nothing stays of what the block held. An agent of its own writes anything to it,
 * between the start and the end of the task that allocates in stream order, or of the call. */

enum { MOST_PIECES = 4096 };

struct renewal {
    const struct lifetime *lifetime;
    uint32_t bytes, chunk; /* of the block, and of each write */
    bool *touched;         /* by chunk: some other event may access it */
};

static bool renews(const struct host_plan *plan, uint32_t index)
{
    const struct lifetime *l = &plan->lifetimes.at[index];
    if (l->ends || !layout_unset(plan->b->test, l->location))
        return false;
    for (uint32_t i = 0; i < index; i++)
        if (plan->lifetimes.at[i].location == l->location && !plan->lifetimes.at[i].ends)
            return true;
    return false;
}

/* ---- which bytes matter --------------------------------------------------------------------- */

static void touch(struct renewal *r, uint64_t first, uint64_t last)
{
    for (uint64_t at = first / r->chunk; at <= last / r->chunk && at * r->chunk < r->bytes; at++)
        r->touched[at] = true;
}

static void touched_by(struct builder *b, struct renewal *r, const struct event *e,
                       const struct mapping *m)
{
    expr_id inside = builder_lies_in(b, e->address, m);
    const struct expr *address = expr_get(b->exprs, e->address);
    if (expr_is_false(b->exprs, inside))
        return;
    uint64_t first = address->op == EXPR_CONST ? address->value - m->virtual_base : 0;
    touch(r, first, address->op == EXPR_CONST ? first + e->bytes - 1 : r->bytes - 1);
}

/* What nothing touches is left as it is: what it holds is unknown all the same. */
static void find_touched(struct builder *b, struct renewal *r)
{
    uint32_t root = test_root_location(b->test, r->lifetime->location);
    for (uint32_t i = 0; i < b->mapping_count; i++)
        for (event_id e = 0; e < b->events.len; e++)
            if (event_is_memory(&b->events.at[e]) &&
                test_root_location(b->test, b->mappings[i].location) == root)
                touched_by(b, r, &b->events.at[e], &b->mappings[i]);
}

static struct renewal renewal_of(struct builder *b, const struct lifetime *l)
{
    const struct location *location = &b->test->locations[l->location];
    struct renewal r = {.lifetime = l, .bytes = location->elements * location->element_bytes};
    r.chunk = location->element_bytes > 8 ? 8 : location->element_bytes;
    r.touched = ARENA_ARRAY(b->arena, bool, r.bytes / r.chunk + 1);
    find_touched(b, &r);
    return r;
}

/* ---- events --------------------------------------------------------------------------------- */

static void write_anything(struct unfold_step *s, const struct renewal *r, struct access a,
                           uint32_t offset)
{
    struct builder *b = s->b;
    uint64_t base = operand_symbol(b, a.thread, r->lifetime->location);
    a.address = (struct unfold_value){expr_const(b->exprs, 64, base + offset), NULL};
    a.value =
        (struct unfold_value){builder_anything(b, "what an allocation holds", a.bytes * 8), NULL};
    a.text = host_access_text(b, "allocation leaves anything in",
                              (struct host_memory){.location = r->lifetime->location}, offset);
    b->events.at[access_add(s, EVENT_WRITE, &a)].copied = true;
}

static void write_touched(struct host_plan *plan, const struct renewal *r, uint32_t thread,
                          expr_id guard)
{
    struct unfold_run run = {.b = plan->b, .thread = thread};
    struct unfold_step s = {.run = &run,
                            .b = plan->b,
                            .inst = plan->b->instances.at[r->lifetime->instance].inst,
                            .guard = guard};
    struct access a = {.tags = TAG(WEAK) | TAG(GEN),
                       .thread = thread,
                       .position = 1,
                       .guard = guard,
                       .bytes = r->chunk};
    uint32_t pieces = 0;
    for (uint32_t at = 0; at < r->bytes / r->chunk && !plan->b->failed; at++) {
        if (r->touched[at])
            write_anything(&s, r, a, at * r->chunk);
        if (r->touched[at] && ++pieces == MOST_PIECES)
            step_refuse(&s, DIAG_host_unsupported,
                        "more than %d elements of a block that is allocated again are accessed",
                        MOST_PIECES);
    }
}

/* Between what allocates, which is a task or a call, and its end. */
static void renew(struct host_plan *plan, struct lifetime *l)
{
    struct builder *b = plan->b;
    const struct call_instance *at = &b->instances.at[l->instance];
    const struct task *t = l->task == NONE ? NULL : &plan->tasks.at[l->task];
    const char *name =
        arena_printf(b->arena, "allocation at line %u", host_line(b, at->inst->span));
    expr_id guard = t ? t->started : at->guard;
    uint32_t thread = b->threads.len;
    struct renewal r = renewal_of(b, l);
    vec_push(b->arena, &b->threads, scope_thread(name));
    event_id start =
        builder_api_event(b, 0, thread, 0, guard, "memory is made anew", at->inst->span);
    l->first_access = b->events.len;
    write_touched(plan, &r, thread, guard);
    l->last_access = b->events.len;
    event_id end = builder_api_event(b, 0, thread, 2, guard, "memory is anew", at->inst->span);
    builder_api_edge(b, API_EDGE_E7, t ? t->start : at->start, start, expr_true(b->exprs),
                     "what allocates memory makes it anew");
    builder_api_edge(b, API_EDGE_E7, end, t ? t->end : at->back, expr_true(b->exprs),
                     "memory is anew when it is allocated");
}

void host_renew_memory(struct host_plan *plan)
{
    for (uint32_t i = 0; i < plan->lifetimes.len && !plan->b->failed; i++)
        if (renews(plan, i) && plan->b->options->without != HOST_RULE_RENEWED_CONTENTS)
            renew(plan, &plan->lifetimes.at[i]);
}
