/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Calls that fail by what they name: objects that were destroyed or belong to another device, and memory that
 * cannot be copied so. */

/* ---- destroyed objects ---------------------------------------------------------------------- */

static bool makes_graph(const struct host_call *call)
{
    return host_call_is(call, HOST_CREATES, HOST_SUBJECT_GRAPH) ||
           call->row->subject == HOST_SUBJECT_END_CAPTURE;
}

/* The objects that the call uses or destroys, NONE among them. */
enum { USED_OBJECTS = 5 };
static void used_objects(const struct host_call *call, uint32_t used[USED_OBJECTS])
{
    bool creates = call->row->class == HOST_CREATES;
    used[0] = creates ? NONE : call->stream;
    used[1] = creates ? NONE : call->event;
    used[2] = makes_graph(call) ? NONE : call->graph;
    used[3] = creates ? NONE : call->exec;
    used[4] = call->child;
}

static bool uses_destroyed(struct planning *p)
{
    uint32_t used[USED_OBJECTS];
    bool any = false;
    used_objects(p->call, used);
    for (uint32_t i = 0; i < USED_OBJECTS; i++)
        if (used[i] != NONE && !expr_is_false(p->b->exprs, p->gone[used[i]])) {
            plan_error_if(p, HOST_MISUSE_DESTROYED, p->gone[used[i]]);
            any = any || expr_is_true(p->b->exprs, p->gone[used[i]]);
        }
    return any;
}

static uint32_t named_object(const struct host_call *call)
{
    switch (call->row->subject) {
    case HOST_SUBJECT_STREAM:
        return call->stream;
    case HOST_SUBJECT_EVENT:
        return call->event;
    case HOST_SUBJECT_EXECUTABLE:
        return call->exec;
    default:
        return call->graph;
    }
}

void plan_note_destroyed(struct planning *p)
{
    bool creates = p->call->row->class == HOST_CREATES || makes_graph(p->call);
    if (!creates && p->call->row->class != HOST_DESTROYS)
        return;
    p->gone[named_object(p->call)] = creates ? expr_false(p->b->exprs) : p->at->guard;
}

/* ---- devices -------------------------------------------------------------------------------- */

static bool of_another_device(struct planning *p)
{
    if (p->call->row->class != HOST_ENQUEUES)
        return false;
    const struct plan_stream *s = plan_stream(p, p->call->stream);
    bool launch = p->call->launch != NONE, record = p->call->row->subject == HOST_SUBJECT_RECORD;
    struct plan_event *e = record ? &p->events[p->call->event] : NULL;
    if (!s->queue)
        return false;
    if (launch && s->queue->device != p->device[p->at->host]) {
        plan_error(p, HOST_MISUSE_LAUNCH_DEVICE);
        return true;
    }
    if (record && e->device != NONE && e->device != s->queue->device) {
        plan_error(p, HOST_MISUSE_RECORD_DEVICE);
        return true;
    }
    if (record)
        e->device = s->queue->device;
    return false;
}

/* ---- copies --------------------------------------------------------------------------------- */

/* Memory of cudaMalloc is never on the host, pageable memory never on the device. */
static bool fits(enum memory_kind memory, bool on_host)
{
    return on_host ? memory != MEMORY_DEVICE : memory != MEMORY_PAGEABLE;
}

static bool direction_fits(const struct test *test, const struct host_call *call)
{
    enum memory_kind to = test->locations[call->to.location].memory;
    enum memory_kind from = test->locations[call->from.location].memory;
    switch (call->constant) {
    case HOST_COPY_HOST_TO_HOST:
        return fits(from, true) && fits(to, true);
    case HOST_COPY_HOST_TO_DEVICE:
        return fits(from, true) && fits(to, false);
    case HOST_COPY_DEVICE_TO_HOST:
        return fits(from, false) && fits(to, true);
    case HOST_COPY_DEVICE_TO_DEVICE:
        return fits(from, false) && fits(to, false);
    default:
        return true;
    }
}

static uint64_t first_byte(const struct test *test, struct host_memory m)
{
    return (uint64_t)m.element * test->locations[m.location].element_bytes;
}

static bool overlaps(const struct test *test, const struct host_call *call)
{
    uint64_t to = first_byte(test, call->to), from = first_byte(test, call->from);
    return test_root_location(test, call->to.location) ==
               test_root_location(test, call->from.location) &&
           to < from + call->bytes && from < to + call->bytes;
}

static bool copies_wrongly(struct planning *p)
{
    if (p->call->row->subject != HOST_SUBJECT_COPY)
        return false;
    bool fit = direction_fits(p->b->test, p->call), overlap = overlaps(p->b->test, p->call);
    if (!fit)
        plan_error(p, HOST_MISUSE_COPY_DIRECTION);
    else if (overlap)
        plan_error(p, HOST_MISUSE_COPY_OVERLAP);
    return !fit || overlap;
}

bool plan_call_fails(struct planning *p)
{
    return uses_destroyed(p) || of_another_device(p) || copies_wrongly(p);
}
