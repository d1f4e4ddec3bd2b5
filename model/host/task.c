/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph/scope.h"
#include "model/host/host.h"
#include "model/unfold/step/access.h"
#include "model/unfold/step/grid.h"
#include "model/unfold/step/operand.h"

/* Tasks become pseudo-threads: a start, the accesses of a copy in no order, an end. FIXED_api_sync edges
 * lie between them, calls, and the threads of kernels and functions. */

/* ---- events --------------------------------------------------------------------------------- */

static event_id api_event(struct host_plan *plan, const struct task *t, uint32_t thread,
                          uint32_t position, const char *text)
{
    return builder_api_event(plan->b, 0, thread, position, host_instance(plan, t)->guard, text,
                             t->call->span);
}

static const char *task_word(const struct host_plan *plan, const struct task *t)
{
    switch (t->does) {
    case HOST_SUBJECT_KERNEL:
        return plan->b->test->launches[t->call->launch].label;
    case HOST_SUBJECT_FUNCTION:
        if (t->call->row->subject != HOST_SUBJECT_FUNCTION)
            return host_task_decides(t) ? "condition" : "default";
        return plan->host->threads[t->call->function].name;
    case HOST_SUBJECT_COPY:
        return "copy";
    case HOST_SUBJECT_SET:
        return "set";
    case HOST_SUBJECT_RECORD:
        return "record";
    case HOST_SUBJECT_EVENT_WAIT:
        return "wait";
    case HOST_SUBJECT_GRAPH:
        return "graph";
    case HOST_SUBJECT_ALLOCATION:
        return "allocation";
    case HOST_SUBJECT_RELEASE:
        return "free";
    case HOST_SUBJECT_ATTACHMENT:
        return "attachment";
    case HOST_SUBJECT_UPLOAD:
        return "upload";
    case HOST_SUBJECT_ENABLED:
        return "disabled node";
    case HOST_SUBJECT_CONDITION:
        return "conditional node";
    case HOST_SUBJECT_NO_NODE:
        return "destroyed node";
    case HOST_SUBJECT_NONE:
        return "empty node";
    case HOST_SUBJECT_STREAM:
    case HOST_SUBJECT_EVENT:
    case HOST_SUBJECT_DEVICE:
    case HOST_SUBJECT_RESET:
    case HOST_SUBJECT_EXECUTABLE:
    case HOST_SUBJECT_BEGIN_CAPTURE:
    case HOST_SUBJECT_END_CAPTURE:
    case HOST_SUBJECT_DEPENDENCY:
    case HOST_SUBJECT_NO_DEPENDENCY:
    case HOST_SUBJECT_UPDATE:
    case HOST_SUBJECT_CAPTURE_MODE:
    case HOST_SUBJECT_CAPTURE_STATUS:
    case HOST_SUBJECT_ELAPSED:
    case HOST_SUBJECT_PEER_ACCESS:
    case HOST_SUBJECT_PEER_NO_ACCESS:
    case HOST_SUBJECT_REGISTRATION:
    case HOST_SUBJECT_LOADING:
    case HOST_SUBJECT_HANDLE:
    case HOST_SUBJECT_CAPTURE_DEPENDENCIES:
        break;
    }
    abort(); /* a row of host_call.def that enqueues what is no work */
}

/* By its call: "copy at :14:5 in s1". */
static const char *task_name(const struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    struct place at = source_place(b->test->source, t->call->span.offset);
    return arena_printf(b->arena, "%s at :%u:%u in %s", task_word(plan, t), at.line, at.column,
                        t->stream);
}

static struct unfold_value memory_address(struct unfold_step *s, struct host_memory m,
                                          uint32_t offset)
{
    uint64_t bytes = s->b->test->locations[m.location].element_bytes;
    uint64_t at = operand_symbol(s->b, s->run->thread, m.location) + m.element * bytes + offset;
    return (struct unfold_value){expr_const(s->b->exprs, 64, at), NULL};
}

static uint32_t chunk_of(const struct builder *b, const struct host_call *call, uint32_t bytes)
{
    uint32_t chunk = b->test->locations[call->to.location].element_bytes;
    if (call->from.location != NONE &&
        b->test->locations[call->from.location].element_bytes < chunk)
        chunk = b->test->locations[call->from.location].element_bytes;
    chunk = chunk > 8 ? 8 : chunk;
    while (chunk > 1 && (bytes | call->to_pitch | call->from_pitch) % chunk)
        chunk /= 2;
    return chunk;
}

const char *host_access_text(const struct builder *b, const char *what, struct host_memory m,
                             uint32_t offset)
{
    const struct location *location = &b->test->locations[m.location];
    uint64_t bytes = m.element * location->element_bytes + offset;
    return bytes ? arena_printf(b->arena, "%s [%s+%" PRIu64 "]", what, location->name, bytes)
                 : arena_printf(b->arena, "%s [%s]", what, location->name);
}

static struct unfold_value copied_value(struct unfold_step *s, const struct task *t,
                                        struct access a, uint32_t row, uint32_t byte_of_row)
{
    struct builder *b = s->b;
    uint32_t offset = row * (uint32_t)t->call->from_pitch + byte_of_row;
    if (t->does == HOST_SUBJECT_SET) {
        uint64_t pattern = host_set_pattern(t->call, byte_of_row);
        return (struct unfold_value){expr_const(b->exprs, a.bytes * 8, pattern), NULL};
    }
    a.address = memory_address(s, t->call->from, offset);
    a.text = host_access_text(b, "copy reads", t->call->from, offset);
    event_id read = access_add(s, EVENT_READ, &a);
    b->events.at[read].copied = true;
    return access_value(s, read);
}

static void one_access(struct unfold_step *s, const struct task *t, struct access a, uint32_t row,
                       uint32_t byte_of_row)
{
    uint32_t offset = row * (uint32_t)t->call->to_pitch + byte_of_row;
    a.value = copied_value(s, t, a, row, byte_of_row);
    a.address = memory_address(s, t->call->to, offset);
    const char *who = t->does == HOST_SUBJECT_SET ? "set writes" : "copy writes";
    a.text = host_access_text(s->b, who, t->call->to, offset);
    event_id write = access_add(s, EVENT_WRITE, &a);
    s->b->events.at[write].copied = true;
}

enum { MOST_BYTES = 4096 };

/* E7 */
static void accesses(struct host_plan *plan, struct task *t, uint32_t thread)
{
    struct builder *b = plan->b;
    struct unfold_run run = {.b = b, .thread = thread};
    const struct inst *inst = host_instance(plan, t)->inst;
    struct unfold_step s = {.run = &run, .b = b, .inst = inst, .guard = t->started};
    const struct host_call *call = t->call;
    uint64_t bytes = call->bytes, rows = host_call_height(call);
    if (bytes > MOST_BYTES || rows > MOST_BYTES || bytes * rows > MOST_BYTES) {
        step_refuse(&s, DIAG_host_unsupported, "more than %d bytes are copied", MOST_BYTES);
        return;
    }
    uint32_t chunk = chunk_of(b, call, (uint32_t)bytes);
    struct access a = {.tags = TAG(WEAK) | TAG(GEN),
                       .thread = thread,
                       .position = 1,
                       .guard = t->started,
                       .bytes = chunk};
    t->first_access = b->events.len;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t at = 0; at < bytes && !b->failed; at += chunk)
            one_access(&s, t, a, row, at);
    t->last_access = b->events.len;
}

void host_task_events(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->tasks.len && !b->failed; i++) {
        struct task *t = &plan->tasks.at[i];
        const char *name = task_name(plan, t);
        struct thread thread = scope_thread(name);
        thread.stream = t->stream;
        thread.gpu = t->device;
        vec_push(b->arena, &b->threads, thread);
        uint32_t number = b->threads.len - 1;
        t->start = api_event(plan, t, number, 0, arena_printf(b->arena, "%s starts", name));
        if (t->does == HOST_SUBJECT_COPY || t->does == HOST_SUBJECT_SET)
            accesses(plan, t, number);
        t->end = api_event(plan, t, number, 2, arena_printf(b->arena, "%s ends", name));
    }
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void edge(struct host_plan *plan, enum api_edge rule, event_id from, event_id to,
                 const char *reason)
{
    builder_api_edge(plan->b, rule, from, to, expr_true(plan->b->exprs), reason);
}

static bool waits_for_value(const struct task *t)
{
    return t->does == HOST_SUBJECT_FUNCTION && host_call_on_value(t->call) &&
           strncmp(t->call->row->name, "cuStreamWait", 12) == 0;
}

/* E1, E5, E6, E8 */
static void own_edges(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    bool function = t->does == HOST_SUBJECT_FUNCTION;
    const char *what = function ? "the host function" : "the kernel";
    edge(plan, API_EDGE_E1, host_instance(plan, t)->start, t->start,
         arena_printf(b->arena, "enqueued by the call at line %u",
                      host_line(b, host_instance(plan, t)->inst->span)));
    for (uint32_t i = 0; i < t->thread_count; i++) {
        edge(plan, function ? API_EDGE_E8 : API_EDGE_E5, t->start,
             b->thread_start[t->first_thread + i],
             arena_printf(b->arena, "%s's start comes before its threads", what));
        event_id end = b->thread_end[t->first_thread + i];
        if (waits_for_value(t) && !host_reading(plan, HOST_READING_WAIT_VALUE))
            builder_edge(b, FIXED_enqueue, end, t->end, expr_true(b->exprs),
                         "the stream goes on when the value is there");
        else
            edge(plan, function ? API_EDGE_E8 : API_EDGE_E6, end, t->end,
                 arena_printf(b->arena, "%s ends after its threads", what));
    }
}

static void order_edge(struct host_plan *plan, const struct task_edge *e)
{
    const struct task *from = &plan->tasks.at[e->from], *to = &plan->tasks.at[e->to];
    builder_api_edge(plan->b, e->rule, e->kind == START_TO_START ? from->start : from->end,
                     e->kind == END_TO_END ? to->end : to->start, e->guard, e->reason);
}

static uint32_t waits_of(const struct host_plan *plan, uint32_t instance)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->waits.len; i++)
        count += plan->waits.at[i].instance == instance;
    return count;
}

/* E13 to E18; and a query that said no came before the end of what it asked about. */
static void wait_edges(struct host_plan *plan, const struct task_wait *w)
{
    struct builder *b = plan->b;
    const struct task *t = &plan->tasks.at[w->task];
    const struct call_instance *at = &b->instances.at[w->instance];
    if (w->only_time)
        builder_edge(b, FIXED_enqueue, t->end, at->back, w->guard, w->reason);
    else if (!w->only_reads)
        builder_api_edge(b, w->rule, t->end, at->back, w->guard, w->reason);
    for (event_id e = t->first_access; w->only_reads && e < t->last_access; e++)
        if (b->events.at[e].kind == EVENT_READ)
            builder_api_edge(b, w->rule, e, at->back, w->guard, w->reason);
    expr_id no = expr_and(b->exprs, w->alive, expr_not(b->exprs, at->success));
    if (w->only_time)
        no = expr_and(b->exprs, no, w->late);
    if (plan->host->calls[at->call].row->class == HOST_ASKS &&
        (w->only_time || waits_of(plan, w->instance) == 1))
        builder_edge(b, FIXED_enqueue, at->start, t->end, no,
                     "the query returned cudaErrorNotReady");
}

void host_task_edges(struct host_plan *plan)
{
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        own_edges(plan, &plan->tasks.at[i]);
        host_programmatic_edges(plan, &plan->tasks.at[i]);
    }
    for (uint32_t i = 0; i < plan->edges.len; i++)
        order_edge(plan, &plan->edges.at[i]);
    for (uint32_t i = 0; i < plan->waits.len; i++)
        wait_edges(plan, &plan->waits.at[i]);
}
