/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/test/host_rule.h"
#include "model/graph/scope.h"
#include "model/host/host.h"
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/step/grid.h"
#include "model/unfold/thread/thread.h"

/* The whole of a host program, once for each order of its calls. */

/* ---- threads -------------------------------------------------------------------------------- */

static void add_host_thread(struct builder *b, uint32_t host)
{
    struct thread t = scope_thread(b->test->host->threads[host].name);
    t.host = host;
    vec_push(b->arena, &b->threads, t);
}

static bool run_hosts(struct builder *b)
{
    const struct host_program *host = b->test->host;
    for (uint32_t i = 0; i < host->thread_count; i++)
        if (!host->threads[i].is_function)
            add_host_thread(b, i);
    if (!thread_make_room(b))
        return false;
    thread_unfold_all(b, 0, b->threads.len);
    return !b->failed;
}

static bool too_many_threads(struct builder *b, const struct task *t)
{
    const struct launch *l = &b->test->launches[t->call->launch];
    if (dim3_size(l->grid) <= MAX_THREADS && dim3_size(l->block) <= MAX_THREADS &&
        dim3_size(l->grid) * dim3_size(l->block) + b->threads.len <= MAX_THREADS)
        return false;
    builder_fail(b, DIAG_too_many_threads, t->call->span, NULL, "more than %u threads",
                 MAX_THREADS);
    return true;
}

static void place_task_threads(struct host_plan *plan)
{
    struct builder *b = plan->b;
    struct numbering *numbering = scope_numbering(b->arena);
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        struct task *t = &plan->tasks.at[i];
        t->first_thread = b->threads.len;
        if (t->does == HOST_SUBJECT_KERNEL && !too_many_threads(b, t)) {
            uint32_t count;
            struct thread *threads =
                scope_launch_threads(numbering, b->test, t->call->launch, t->device, &count);
            for (uint32_t k = 0; k < count; k++)
                vec_push(b->arena, &b->threads, threads[k]);
        } else if (t->does == HOST_SUBJECT_FUNCTION) {
            add_host_thread(b, t->repeats ? t->call->waits : t->call->function);
        }
        t->thread_count = b->threads.len - t->first_thread;
        for (uint32_t k = t->first_thread; k < b->threads.len; k++) {
            b->threads.at[k].stream = t->stream;
            if (b->options->without == HOST_RULE_DOMAINS)
                b->threads.at[k].domain = 0;
        }
    }
}

/* ---- what may be asked ---------------------------------------------------------------------- */

static uint32_t runs_of(const struct host_plan *plan, const struct cond_term *term)
{
    uint32_t count = 0;
    if (term->host != NONE && !plan->host->threads[term->host].is_function)
        return 1;
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        const struct task *t = &plan->tasks.at[i];
        count += t->does == HOST_SUBJECT_KERNEL && t->call->launch == term->launch;
        count += t->does == HOST_SUBJECT_FUNCTION && t->call->function == term->host;
    }
    return count;
}

static void check_question_runs(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->test->observed_count && !b->failed; i++) {
        const struct cond_term *term = &b->test->observed[i];
        if (term->kind != TERM_REG || runs_of(plan, term) <= 1)
            continue;
        builder_fail(b, DIAG_host_question, term->span, "let it store the value",
                     "this runs more than once, so its registers have several final values");
    }
}

/* ---- orders --------------------------------------------------------------------------------- */

/* The plan in this order, from a builder in which only the hosts have run; when more queries than
 * before turn out to be 'answered', no graph is made. */
static struct graph *in_order(struct builder *b, const uint32_t *order, const bool *always,
                              bool *answered, bool *more)
{
    struct host_plan plan = {.b = b, .always = always};
    host_plan_calls(&plan, order);
    check_question_runs(&plan);
    if (b->failed)
        return NULL;
    place_task_threads(&plan);
    if (b->failed || !thread_make_room(b))
        return NULL;
    for (uint32_t i = 0; i < plan.tasks.len && !b->failed; i++) {
        host_start_task(&plan, i);
        thread_unfold_all(b, plan.tasks.at[i].first_thread, plan.tasks.at[i].thread_count);
    }
    if (b->failed)
        return NULL;
    host_task_events(&plan);
    if (b->failed)
        return NULL;
    host_renew_memory(&plan);
    if (b->failed)
        return NULL;
    host_task_edges(&plan);
    for (uint32_t i = 0; i < plan.tasks.len; i++)
        host_join_grid(&plan, &plan.tasks.at[i]);
    host_order_edges(&plan, order);
    *more = host_answer_queries(&plan, answered);
    if (*more)
        return NULL;
    host_misuse_edges(&plan);
    host_settle_conditions(&plan);
    if (b->options->liveness)
        host_settle_progress(&plan);
    struct graph *graph = freeze(b);
    if (graph)
        graph->open |= plan.open;
    return graph;
}

static struct graph *unfold_order(const struct builder *b, const uint32_t *order,
                                  const bool *always)
{
    struct graph *graph = NULL;
    bool *answered = ARENA_ARRAY(b->arena, bool, b->test->host->call_count + 1), more;
    do {
        struct builder again = *b;
        again.exprs = expr_pool_new(b->arena);
        again.deps = (struct deps_context){b->arena, again.exprs};
        again.answered = answered;
        more = false;
        if (run_hosts(&again))
            graph = in_order(&again, order, always, answered, &more);
    } while (more);
    return graph;
}

/* For liveness, where a call that waits is a condition of all that follow it: the calls that stand in
 * no branch, by what the threads do when everything ends. */
static bool *calls_outside_branches(const struct builder *b)
{
    uint32_t count = b->test->host->call_count;
    bool *always = ARENA_ARRAY(b->arena, bool, count + 1);
    struct unfold_options ends = *b->options;
    struct builder plain = *b;
    ends.liveness = false;
    plain.options = &ends;
    plain.exprs = expr_pool_new(b->arena);
    plain.deps = (struct deps_context){b->arena, plain.exprs};
    if (!run_hosts(&plain))
        return NULL;
    memset(always, true, count * sizeof *always);
    for (uint32_t i = 0; i < plain.instances.len; i++)
        if (!host_is_certain(&plain, plain.instances.at[i].thread, plain.instances.at[i].guard))
            always[plain.instances.at[i].call] = false;
    return always;
}

static bool refused(struct builder *b)
{
    const struct host_program *host = b->test->host;
    const char *why = NULL;
    if (!host->platform.host_native_atomics || !host->platform.peer_native_atomics)
        why = "a platform without native atomics is not modelled";
    if (why)
        builder_fail(b, DIAG_host_unsupported, host->threads[0].span, NULL, "%s", why);
    return why;
}

struct graph **host_graphs(struct builder *b, uint32_t *count)
{
    if (refused(b))
        return NULL;
    const bool *always = b->options->liveness ? calls_outside_branches(b) : NULL;
    struct builder first = *b;
    uint32_t **orders = run_hosts(&first) ? host_orders(&first, count) : NULL;
    if (!orders)
        return NULL;
    struct graph **graphs = ARENA_ARRAY(b->arena, struct graph *, *count);
    for (uint32_t i = 0; i < *count; i++) {
        graphs[i] = unfold_order(b, orders[i], always);
        if (!graphs[i])
            return NULL;
    }
    return graphs;
}
