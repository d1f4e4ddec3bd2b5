/* SPDX-License-Identifier: MIT */
#include "litmus/test/launch.h"
#include "model/host/plan.h"

#include <string.h>

/* Calls that fail by what they name: objects that were destroyed or belong to another device, and memory that
 * cannot be copied so. */

/* ---- destroyed objects ---------------------------------------------------------------------- */

static bool makes_graph(const struct host_call *call)
{
    return host_call_is(call, HOST_CREATES, HOST_SUBJECT_GRAPH) ||
           call->row->subject == HOST_SUBJECT_END_CAPTURE;
}

/* The objects that the call uses or destroys, NONE among them. */
enum { USED_OBJECTS = 6 };
static void used_objects(const struct host_call *call, uint32_t used[USED_OBJECTS])
{
    bool creates = call->row->class == HOST_CREATES;
    used[0] = creates ? NONE : call->stream;
    used[1] = creates ? NONE : call->event;
    used[2] = makes_graph(call) ? NONE : call->graph;
    used[3] = creates ? NONE : call->exec;
    used[4] = call->child;
    used[5] = call->other_event;
}

/* "'s1', destroyed at :8:3, is used" */
static const char *destruction(const struct planning *p, uint32_t object)
{
    struct place at = source_place(p->b->test->source, p->gone_at[object].offset);
    return arena_printf(p->b->arena, "'%s', destroyed at :%u:%u, is used",
                        p->host->objects[object].name, at.line, at.column);
}

static bool uses_destroyed(struct planning *p)
{
    uint32_t used[USED_OBJECTS];
    bool any = false;
    used_objects(p->call, used);
    for (uint32_t i = 0; i < USED_OBJECTS; i++)
        if (used[i] != NONE && !expr_is_false(p->b->exprs, p->gone[used[i]])) {
            plan_error_told(p, p->reset[used[i]] ? HOST_MISUSE_RESET : HOST_MISUSE_DESTROYED,
                            p->gone[used[i]], destruction(p, used[i]));
            any = any || expr_is_true(p->b->exprs, p->gone[used[i]]);
        }
    return any;
}

/* The only call that makes the object, where another thread does; or NONE. */
static uint32_t other_maker(const struct planning *p, uint32_t object)
{
    uint32_t maker = NONE;
    for (uint32_t i = 0; i < p->b->instances.len; i++) {
        const struct call_instance *at = &p->b->instances.at[i];
        if (host_made_object(&p->host->calls[at->call]) != object)
            continue;
        if (maker != NONE || at->host == p->at->host)
            return NONE;
        maker = i;
    }
    return maker;
}

/* Another thread makes the object, perhaps later; of streams the call itself knows (plan.c). */
static void check_made(struct planning *p)
{
    uint32_t used[USED_OBJECTS];
    used_objects(p->call, used);
    for (uint32_t i = 1; i < USED_OBJECTS; i++) {
        uint32_t maker = used[i] == NONE ? NONE : other_maker(p, used[i]);
        if (maker != NONE)
            plan_error_if(p, HOST_MISUSE_NOT_MADE, host_before(p->plan, p->instance, maker));
    }
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
    p->reset[named_object(p->call)] = false;
    p->gone_at[named_object(p->call)] = p->call->span;
}

/* A stream or an event that a call made on the device. */
static bool is_of_device(const struct planning *p, uint32_t object, uint32_t device)
{
    const struct plan_queue *q = p->streams[object].queue;
    if (p->host->objects[object].kind == HOST_STREAM)
        return object >= HOST_FIRST_NAMED && q && q->device == device;
    return p->host->objects[object].kind == HOST_EVENT && p->events[object].device == device;
}

void plan_reset(struct planning *p)
{
    uint32_t device = p->device[p->at->host];
    for (uint32_t i = 0; i < p->host->object_count; i++) {
        if (!is_of_device(p, i, device))
            continue;
        p->gone[i] = p->always;
        p->reset[i] = true;
        p->gone_at[i] = p->call->span;
        if (p->host->objects[i].kind == HOST_STREAM) {
            p->streams[i].queue->destroyer = p->instance;
            p->streams[i] = (struct plan_stream){.capture = NONE};
        }
    }
    plan_free_all(p, device);
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

/* Two events of which no time can be told: whether they were recorded is known when all is planned. */
static bool asks_in_vain(struct planning *p)
{
    if (p->call->row->subject != HOST_SUBJECT_ELAPSED)
        return false;
    const struct plan_event *from = &p->events[p->call->event],
                            *to = &p->events[p->call->other_event];
    bool untimed = from->untimed || to->untimed;
    bool apart = from->device != NONE && to->device != NONE && from->device != to->device;
    if (untimed || apart)
        plan_error(p, untimed ? HOST_MISUSE_ELAPSED_UNTIMED : HOST_MISUSE_ELAPSED_DEVICE);
    return untimed || apart;
}

static bool is_too_large(struct planning *p)
{
    uint32_t most = p->host->platform.co_resident;
    const struct launch *l =
        p->call->launch == NONE ? NULL : &p->b->test->launches[p->call->launch];
    bool is = l && l->cooperative && most && launch_ctas(l) > most;
    if (is)
        plan_error(p, HOST_MISUSE_TOO_LARGE);
    return is;
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
    uint64_t rows = host_call_height(call);
    bool overlap = false;
    if (test_root_location(test, call->to.location) !=
        test_root_location(test, call->from.location))
        return false;
    for (uint64_t i = 0; i < rows && !overlap; i++)
        for (uint64_t k = 0; k < rows && !overlap; k++) {
            uint64_t x = to + i * call->to_pitch, y = from + k * call->from_pitch;
            overlap = x < y + call->bytes && y < x + call->bytes;
        }
    return overlap;
}

/* Past the end of its memory. */
static bool goes_beyond(const struct test *test, const struct host_call *call, struct host_memory m,
                        uint64_t pitch)
{
    const struct location *of = &test->locations[test_root_location(test, m.location)];
    uint64_t rows = host_call_height(call);
    return call->bytes && rows &&
           first_byte(test, m) + (rows - 1) * pitch + call->bytes >
               (uint64_t)of->elements * of->element_bytes;
}

static bool is_out_of_range(const struct test *test, const struct host_call *call)
{
    return goes_beyond(test, call, call->to, call->to_pitch) ||
           (call->row->subject == HOST_SUBJECT_COPY &&
            goes_beyond(test, call, call->from, call->from_pitch));
}

static bool pitch_is_short(const struct host_call *call)
{
    bool copy = call->row->subject == HOST_SUBJECT_COPY;
    return strchr(call->row->arguments ? call->row->arguments : "", 'P') &&
           (call->bytes > call->to_pitch || (copy && call->bytes > call->from_pitch));
}

static bool copies_wrongly(struct planning *p)
{
    if (pitch_is_short(p->call)) {
        plan_error(p, HOST_MISUSE_PITCH);
        return true;
    }
    enum host_subject subject = p->call->row->subject;
    bool accesses = subject == HOST_SUBJECT_COPY || subject == HOST_SUBJECT_SET;
    if (accesses && p->call->to.location != NONE && is_out_of_range(p->b->test, p->call)) {
        plan_error(p, HOST_MISUSE_OUT_OF_RANGE);
        return true;
    }
    if (subject != HOST_SUBJECT_COPY)
        return false;
    bool fit = direction_fits(p->b->test, p->call), overlap = overlaps(p->b->test, p->call);
    if (!fit)
        plan_error(p, HOST_MISUSE_COPY_DIRECTION);
    else if (overlap)
        plan_error(p, HOST_MISUSE_COPY_OVERLAP);
    return !fit || overlap;
}

/* The copy or set touches the memory in a stream that it is not attached to. */
static bool is_attached_elsewhere(const struct planning *p, const struct attachment *a)
{
    const struct host_call *call = p->call;
    bool touches = call->to.location != NONE &&
                   (call->to.location == a->location || call->from.location == a->location);
    const char *stream = p->host->objects[call->stream].name;
    bool single = a->to == HOST_ATTACH_SINGLE && strcmp(stream, a->stream) != 0;
    return touches && (single || a->to == HOST_ATTACH_HOST);
}

static bool attaches_wrongly(struct planning *p)
{
    enum host_subject subject = p->call->row->subject;
    bool single =
        p->call->constant == HOST_ATTACH_SINGLE || p->call->constant == HOST_CONSTANT_NONE;
    bool set = p->call->row->class == HOST_ENQUEUES && subject == HOST_SUBJECT_SET;
    if (subject == HOST_SUBJECT_ATTACHMENT && single && p->call->stream < HOST_FIRST_NAMED) {
        plan_error(p, HOST_MISUSE_ATTACH_DEFAULT);
        return true;
    }
    if (p->host->platform.concurrent_managed_access || !set)
        return false;
    for (uint32_t i = p->plan->attachments.len; i-- > 0;) {
        const struct attachment *a = &p->plan->attachments.at[i];
        if (a->location != p->call->to.location)
            continue;
        if (is_attached_elsewhere(p, a))
            plan_error(p, HOST_MISUSE_ATTACHED_ELSEWHERE);
        return is_attached_elsewhere(p, a);
    }
    return false;
}

bool plan_call_fails(struct planning *p)
{
    check_made(p);
    if (attaches_wrongly(p))
        return true;
    if (host_call_on_value(p->call) &&
        p->b->test->locations[p->call->to.location].memory == MEMORY_MANAGED) {
        plan_error(p, HOST_MISUSE_VALUE_MANAGED);
        return true;
    }
    return uses_destroyed(p) || of_another_device(p) || asks_in_vain(p) || is_too_large(p) ||
           copies_wrongly(p);
}
