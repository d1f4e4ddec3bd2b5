/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"

#include "model/graph/layout.h"
#include "model/graph/scope.h"

/* The whole of a host program, once for each order of its calls. */

static event_id call_event(struct step *s, const char *text)
{
    struct event e = {.kind = EVENT_API,
                      .tags = TAG_HOST,
                      .thread = NONE,
                      .position = next_position(s->run),
                      .guard = s->guard,
                      .rmw = NONE,
                      .barrier = NONE,
                      .text = text};
    e.address = e.value = expr_const(s->b->exprs, 64, 0);
    return add_event(s, e);
}

static bool may_wait(enum host_call_id id)
{
    switch (id) {
    case HOST_CALL_MEMCPY:
    case HOST_CALL_MEMCPY_ASYNC:
    case HOST_CALL_MEMCPY_TO_SYMBOL:
    case HOST_CALL_MEMSET:
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        return true;
    default:
        return host_call_is_query(id);
    }
}

/* For liveness: the thread goes on when the call returned; a query does not say for ever that work
 * is unfinished which has ended. */
static void wait_for_progress(struct step *s, struct host_instance *at, bool query)
{
    struct builder *b = s->b;
    expr_id returned = new_delayed(b, 1, query ? &at->unfinished : &at->returned);
    if (query)
        return;
    at->blocked = expr_and(b->exprs, s->guard, expr_not(b->exprs, returned));
    s->guard = s->state->guard = expr_and(b->exprs, s->state->guard, returned);
}

void step_host_call(struct step *s)
{
    struct builder *b = s->b;
    const struct inst *inst = s->inst;
    struct host_instance at = {.call = (uint32_t)inst->operands[1].value,
                               .thread = s->run->thread,
                               .host = b->threads.at[s->run->thread].host,
                               .guard = s->guard,
                               .success = expr_true(b->exprs),
                               .blocked = expr_false(b->exprs),
                               .returned = NONE,
                               .unfinished = NONE,
                               .inst = inst};
    if (b->test->host->threads[at.host].is_function) {
        add_undefined(s, "cudaErrorNotPermitted", "a host function calls the CUDA runtime",
                      expr_true(b->exprs));
        return;
    }
    const struct host_call *call = &b->test->host->calls[at.call];
    at.start = call_event(s, NULL);
    at.back = at.start;
    if (b->options->liveness && may_wait(call->id))
        wait_for_progress(s, &at, host_call_is_query(call->id));
    if (may_wait(call->id))
        at.back =
            call_event(s, arena_printf(b->arena, "return of %s", b->events.at[at.start].text));
    if (host_call_is_query(call->id)) {
        at.success = new_choice(b, "query", 1);
        struct value result = {expr_ite(b->exprs, at.success,
                                        expr_const(b->exprs, 64, HOST_RESULT_SUCCESS),
                                        expr_const(b->exprs, 64, HOST_RESULT_NOT_READY)),
                               NULL};
        write_operand(s, &inst->operands[0], TYPE_NONE, result);
    }
    vec_push(b->arena, &b->instances, at);
}

expr_id host_queries_rightly(struct builder *b, event_id first)
{
    expr_id rightly = expr_true(b->exprs);
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct host_instance *at = &b->instances.at[i];
        if (at->unfinished == NONE || at->start < first)
            continue;
        expr_id unfinished = expr_choice(b->exprs, 1, b->delayed.at[at->unfinished].choice);
        rightly = expr_and(b->exprs, rightly, expr_or(b->exprs, at->success, unfinished));
    }
    return rightly;
}

/* ---- grid.sync and griddepcontrol ----------------------------------------------------------- */

static event_id device_event(struct step *s, const char *text)
{
    struct event e = {.kind = EVENT_API,
                      .thread = NONE,
                      .position = next_position(s->run),
                      .guard = s->guard,
                      .rmw = NONE,
                      .barrier = NONE,
                      .text = text};
    e.address = e.value = expr_const(s->b->exprs, 64, 0);
    return add_event(s, e);
}

void step_grid_wait(struct step *s)
{
    if (s->b->test->host)
        vec_push(s->b->arena, &s->b->grid_waits, device_event(s, NULL));
}

static bool releases(const struct event *fence)
{
    return fence->kind == EVENT_FENCE && fence->inst->fence_kind == FENCE_MEMORY &&
           fence->inst->sem != SEM_ACQUIRE &&
           (fence->scope == SCOPE_GPU || fence->scope == SCOPE_SYS);
}

/* The thread's release fences before griddepcontrol.launch_dependents. */
void step_grid_trigger(struct step *s)
{
    struct builder *b = s->b;
    for (event_id e = 0; b->test->host && e < b->events.len; e++) {
        struct trigger trigger = {e, s->guard};
        if (b->events.at[e].thread == s->run->thread && releases(&b->events.at[e]))
            vec_push(b->arena, &b->triggers, trigger);
    }
}

void step_grid_sync(struct step *s)
{
    struct builder *b = s->b;
    const struct thread *t = &b->threads.at[s->run->thread];
    if (t->launch == NONE || !b->test->host) {
        refuse(s, DIAG_unfold_unsupported, "grid.sync belongs into a kernel of a host program");
        return;
    }
    if (!b->test->launches[t->launch].cooperative)
        add_undefined(s, "trap", "grid.sync in a grid that was not launched 'cooperative'",
                      expr_true(b->exprs));
    if (b->options->liveness)
        refuse(s, DIAG_unfold_unsupported, "whether a program with grid.sync ends is not modelled");
    if (s->guard != b->starts[s->run->thread])
        refuse(s, DIAG_unfold_unsupported, "grid.sync in a branch is not modelled");
    struct grid_sync sync = {.thread = s->run->thread};
    sync.arrive = device_event(s, NULL);
    sync.leave = device_event(s, "leaves grid.sync");
    vec_push(b->arena, &b->grid_syncs, sync);
}

/* The n-th grid.sync of every thread of the grid is one barrier: all arrive before any leaves
 * (E19). In between stands one event, the last arrival. */
static void join_grid(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    VEC(event_id) hubs = {0};
    uint32_t thread = NONE, nth = 0;
    for (uint32_t i = 0; i < b->grid_syncs.len; i++) {
        const struct grid_sync *sync = &b->grid_syncs.at[i];
        if (sync->thread < t->first_thread || sync->thread >= t->first_thread + t->thread_count)
            continue;
        nth = sync->thread == thread ? nth + 1 : 0;
        thread = sync->thread;
        if (nth == hubs.len)
            vec_push(b->arena, &hubs, sync->arrive);
        if (hubs.at[nth] == sync->arrive)
            continue;
        add_api_edge(b, API_EDGE_E19, sync->arrive, hubs.at[nth] + 1, expr_true(b->exprs),
                     "grid.sync of one grid");
        add_api_edge(b, API_EDGE_E19, hubs.at[nth] + 1, sync->leave, expr_true(b->exprs),
                     "grid.sync of one grid");
    }
}

/* ---- threads -------------------------------------------------------------------------------- */

static struct thread host_thread(const struct host_program *host, uint32_t index)
{
    return (struct thread){.name = host->threads[index].name,
                           .column = NONE,
                           .launch = NONE,
                           .linear_cta = NONE,
                           .linear_tid = NONE,
                           .host = index,
                           .issuer = NONE,
                           .cta = NONE,
                           .cluster = NONE,
                           .gpu = NONE,
                           .warp = NONE};
}

static bool lay_out(struct builder *b)
{
    b->mappings =
        layout_mappings(b->arena, b->test, b->threads.at, b->threads.len, &b->mapping_count);
    if (!b->mappings) {
        diag_add(b->diags, DIAG_memory_too_large, b->test->source, (struct span){0, 0}, NULL,
                 "the locations take more than 1024 MiB");
        b->failed = true;
    }
    return b->mappings;
}

/* Room for what unfold_thread leaves of every thread. */
static void make_room(struct builder *b)
{
    uint32_t before = b->finals ? b->device_threads + 1 : 0, count = b->threads.len + 1;
#define GROW(array, type)                                                                          \
    b->array = arena_grow(b->arena, b->array, sizeof(type) * before, sizeof(type) * count)
    GROW(finals, struct state *);
    GROW(ended, expr_id);
    GROW(starts, expr_id);
    GROW(thread_start, event_id);
    GROW(thread_end, event_id);
    GROW(first_barrier, uint32_t);
#undef GROW
    b->device_threads = b->threads.len;
}

static void unfold_threads(struct builder *b, uint32_t first, uint32_t count)
{
    for (uint32_t t = first; t < first + count && !b->failed; t++) {
        unfold_thread(b, t);
        b->first_barrier[t + 1] = b->barriers.len;
    }
}

static bool run_hosts(struct builder *b)
{
    const struct host_program *host = b->test->host;
    for (uint32_t i = 0; i < host->thread_count; i++)
        if (!host->threads[i].is_function) {
            struct thread t = host_thread(host, i);
            vec_push(b->arena, &b->threads, t);
        }
    if (!lay_out(b))
        return false;
    make_room(b);
    for (uint32_t t = 0; t < b->threads.len; t++)
        b->starts[t] = expr_true(b->exprs);
    unfold_threads(b, 0, b->threads.len);
    return !b->failed;
}

static bool too_many_threads(struct builder *b, const struct task *t)
{
    const struct launch *l = &b->test->launches[t->call->launch];
    if (dim3_size(l->grid) <= MAX_THREADS && dim3_size(l->block) <= MAX_THREADS &&
        dim3_size(l->grid) * dim3_size(l->block) + b->threads.len <= MAX_THREADS)
        return false;
    diag_add(b->diags, DIAG_too_many_threads, b->test->source, t->call->span, NULL,
             "more than %u threads", MAX_THREADS);
    return b->failed = true;
}

static void place_task_threads(struct host_plan *plan)
{
    struct builder *b = plan->b;
    struct numbering *numbering = scope_numbering(b->arena);
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        struct task *t = &plan->tasks.at[i];
        t->first_thread = b->threads.len;
        if (t->kind == TASK_KERNEL && !too_many_threads(b, t)) {
            uint32_t count;
            struct thread *threads =
                scope_launch_threads(numbering, b->test, t->call->launch, t->device, &count);
            for (uint32_t k = 0; k < count; k++)
                vec_push(b->arena, &b->threads, threads[k]);
        } else if (t->kind == TASK_FUNCTION) {
            struct thread thread = host_thread(plan->host, t->call->function);
            vec_push(b->arena, &b->threads, thread);
        }
        t->thread_count = b->threads.len - t->first_thread;
        for (uint32_t k = t->first_thread; k < b->threads.len; k++)
            b->threads.at[k].stream = t->stream;
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
        count += t->kind == TASK_KERNEL && t->call->launch == term->launch;
        count += t->kind == TASK_FUNCTION && t->call->function == term->host;
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
        diag_add(b->diags, DIAG_host_question, b->test->source, term->span,
                 "let it store the value",
                 "this runs more than once, so its registers have several final values");
        b->failed = true;
    }
}

/* ---- orders --------------------------------------------------------------------------------- */

static void enqueue_edges(struct builder *b, const uint32_t *order)
{
    for (uint32_t i = 0; i < b->instances.len; i++)
        for (uint32_t k = i + 1; k < b->instances.len; k++) {
            const struct host_instance *x = &b->instances.at[order[i]],
                                       *y = &b->instances.at[order[k]];
            if (x->host != y->host && host_conflict(b, x, y))
                add_edge(b, FIXED_ENQUEUE, x->start, y->start, expr_true(b->exprs),
                         "the one call was made before the other");
        }
}

/* The plan in this order, from a builder in which only the hosts have run. */
static struct graph *unfold_order(struct builder *b, const uint32_t *order)
{
    struct host_plan plan = {.b = b};
    plan_calls(&plan, order);
    check_question_runs(&plan);
    if (b->failed)
        return NULL;
    place_task_threads(&plan);
    if (b->failed || !lay_out(b))
        return NULL;
    make_room(b);
    for (uint32_t i = 0; i < plan.tasks.len && !b->failed; i++) {
        start_task(&plan, i);
        unfold_threads(b, plan.tasks.at[i].first_thread, plan.tasks.at[i].thread_count);
    }
    if (b->failed)
        return NULL;
    task_events(&plan);
    if (b->failed)
        return NULL;
    task_edges(&plan);
    for (uint32_t i = 0; i < plan.tasks.len; i++)
        join_grid(&plan, &plan.tasks.at[i]);
    enqueue_edges(b, order);
    misuse_edges(&plan);
    if (b->options->liveness)
        settle_progress(&plan);
    struct graph *graph = unfold_finish(b);
    if (graph)
        graph->open |= plan.open;
    return graph;
}

static bool is_programmatic(const struct test *test)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (test->launches[i].programmatic)
            return true;
    for (uint32_t i = 0; i < test->host->call_count; i++)
        if (test->host->calls[i].constant == HOST_DEPENDENCY_PROGRAMMATIC)
            return true;
    return false;
}

static bool refused(struct builder *b)
{
    const struct host_program *host = b->test->host;
    const char *why = NULL;
    if (b->options->liveness && is_programmatic(b->test))
        why = "whether a program with programmatic launches ends is not modelled";
    else if (!host->platform.host_native_atomics || !host->platform.peer_native_atomics)
        why = "a platform without native atomics is not modelled";
    if (why)
        diag_add(b->diags, DIAG_host_unsupported, b->test->source, host->threads[0].span, NULL,
                 "%s", why);
    return why;
}

struct graph **unfold_host(struct builder *b, uint32_t *count)
{
    if (refused(b))
        return NULL;
    struct builder first = *b;
    uint32_t **orders = run_hosts(&first) ? host_orders(&first, count) : NULL;
    if (!orders)
        return NULL;
    struct graph **graphs = ARENA_ARRAY(b->arena, struct graph *, *count);
    for (uint32_t i = 0; i < *count; i++) {
        struct builder again = *b;
        again.exprs = expr_pool_new(b->arena);
        again.deps = (struct deps_context){b->arena, again.exprs};
        graphs[i] = run_hosts(&again) ? unfold_order(&again, orders[i]) : NULL;
        if (!graphs[i])
            return NULL;
    }
    return graphs;
}
