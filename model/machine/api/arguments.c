/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include "litmus/test/launch.h"

/* Calls that fail by what they name: objects that are gone or of another device, memory that is not where the
 * direction of a copy says, or is copied onto itself. */

/* ---- objects that are gone ------------------------------------------------------------------ */

static uint64_t gone(const struct run *run, uint32_t object)
{
    return object == NONE ? 0 : *api_set(run, API_GONE, object);
}

/* GONE_… of the first that is. The letters of the call's row say which objects it is given; a launch has none. */
static uint64_t names_gone(const struct run *run, const struct host_call *call)
{
    uint64_t is =
        call->launch != NONE && call->row->class == HOST_ENQUEUES ? gone(run, call->stream) : 0;
    for (const char *letter = call->row->arguments; !is && letter && *letter; letter++) {
        const struct host_argument *a = *letter == '?' ? NULL : host_argument(*letter);
        if (a && a->kind == HOST_ARGUMENT_OBJECT && a->direction != HOST_MADE)
            is = gone(run, *(const uint32_t *)host_argument_field(a, call));
    }
    return is;
}

/* ---- objects that another thread makes ------------------------------------------------------ */

static bool is_made_elsewhere(const struct run *run, const struct host_call *call, uint32_t event)
{
    const struct host_program *host = api_of(run)->host;
    uint32_t makers = 0;
    bool elsewhere = false;
    for (uint32_t i = 0; event != NONE && i < host->call_count; i++)
        if (host_call_is(&host->calls[i], HOST_CREATES, HOST_SUBJECT_EVENT) &&
            host->calls[i].event == event) {
            makers++;
            elsewhere = host->calls[i].host != call->host;
        }
    return makers == 1 && elsewhere;
}

static bool is_not_made(const struct run *run, const struct host_call *call)
{
    uint32_t events[] = {call->event, call->other_event};
    for (int i = 0; i < 2; i++)
        if (is_made_elsewhere(run, call, events[i]) && !gone(run, events[i]) &&
            !*api_set(run, API_EVENT_DEVICE, events[i]))
            return true;
    return false;
}

/* ---- devices -------------------------------------------------------------------------------- */

static enum host_misuse misuse_of_device(const struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint32_t stream = api_of(run)->calls[index].stream;
    if (call->row->class != HOST_ENQUEUES)
        return HOST_MISUSE_NONE;
    uint64_t device = api_of(run)->streams[stream].device;
    if (call->launch != NONE && device != api_of(run)->calls[index].device)
        return HOST_MISUSE_LAUNCH_DEVICE;
    if (call->row->subject != HOST_SUBJECT_RECORD)
        return HOST_MISUSE_NONE;
    uint64_t of_event = *api_set(run, API_EVENT_DEVICE, call->event);
    return of_event && of_event != 1 + device ? HOST_MISUSE_RECORD_DEVICE : HOST_MISUSE_NONE;
}

static enum host_misuse misuse_of_elapsed(const struct run *run, const struct host_call *call)
{
    uint64_t devices[2] = {*api_set(run, API_EVENT_DEVICE, call->event),
                           *api_set(run, API_EVENT_DEVICE, call->other_event)};
    if (*api_set(run, API_UNTIMED, call->event) || *api_set(run, API_UNTIMED, call->other_event))
        return HOST_MISUSE_ELAPSED_UNTIMED;
    if (devices[0] && devices[1] && devices[0] != devices[1])
        return HOST_MISUSE_ELAPSED_DEVICE;
    bool unrecorded = set_next(api_of(run), api_set(run, API_RECORD, call->event), 0) == NONE ||
                      set_next(api_of(run), api_set(run, API_RECORD, call->other_event), 0) == NONE;
    bool captured = *api_set(run, API_EVENT_CAPTURE, call->event) ||
                    *api_set(run, API_EVENT_CAPTURE, call->other_event);
    return unrecorded && !captured ? HOST_MISUSE_ELAPSED_UNRECORDED : HOST_MISUSE_NONE;
}

/* Fewer CTAs fit than the cooperative launch has. */
static bool is_too_large(const struct run *run, const struct host_call *call)
{
    const struct test *test = run->machine->test;
    uint32_t fit = test->host->platform.co_resident;
    const struct launch *launch = call->launch == NONE ? NULL : &test->launches[call->launch];
    return launch && launch->cooperative && fit && launch_ctas(launch) > fit;
}

/* ---- copies --------------------------------------------------------------------------------- */

enum { SIDE_ANY, SIDE_HOST, SIDE_DEVICE };

static bool is_on(enum memory_kind memory, int side)
{
    if (side == SIDE_ANY)
        return true;
    return memory != (side == SIDE_HOST ? MEMORY_DEVICE : MEMORY_PAGEABLE);
}

static bool is_misdirected(const struct test *test, const struct host_call *call)
{
    static const struct {
        enum host_constant constant;
        int from, to;
    } directions[] = {
        {HOST_COPY_HOST_TO_HOST, SIDE_HOST, SIDE_HOST},
        {HOST_COPY_HOST_TO_DEVICE, SIDE_HOST, SIDE_DEVICE},
        {HOST_COPY_DEVICE_TO_HOST, SIDE_DEVICE, SIDE_HOST},
        {HOST_COPY_DEVICE_TO_DEVICE, SIDE_DEVICE, SIDE_DEVICE},
    };
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (directions[i].constant == call->constant)
            return !is_on(test->locations[call->from.location].memory, directions[i].from) ||
                   !is_on(test->locations[call->to.location].memory, directions[i].to);
    return false;
}

/* Two areas of one size, or two rows, that begin less than that apart. */
static bool is_copied_onto_itself(const struct test *test, const struct host_call *call)
{
    const struct host_memory *to = &call->to, *from = &call->from;
    if (test_root_location(test, to->location) != test_root_location(test, from->location))
        return false;
    int64_t apart = (int64_t)(to->element * test->locations[to->location].element_bytes) -
                    (int64_t)(from->element * test->locations[from->location].element_bytes);
    int64_t rows = (int64_t)host_call_height(call);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < rows; k++) {
            int64_t way = apart + i * (int64_t)call->to_pitch - k * (int64_t)call->from_pitch;
            if ((uint64_t)(way < 0 ? -way : way) < call->bytes)
                return true;
        }
    return false;
}

/* The last row ends behind the last byte of the object. */
static bool passes_end(const struct test *test, const struct host_call *call, bool target)
{
    const struct host_memory *m = target ? &call->to : &call->from;
    uint64_t pitch = target ? call->to_pitch : call->from_pitch, rows = host_call_height(call);
    const struct location *object = &test->locations[m->location];
    uint64_t size = (uint64_t)object->elements * object->element_bytes;
    uint64_t at = (uint64_t)m->element * object->element_bytes;
    for (uint64_t i = 0; i < rows && call->bytes; i++)
        if (at + i * pitch + call->bytes > size)
            return true;
    return false;
}

static bool has_short_pitch(const struct host_call *call)
{
    bool of_rows = call->row->arguments && strchr(call->row->arguments, 'P');
    bool copy = call->row->subject == HOST_SUBJECT_COPY;
    return of_rows && (call->to_pitch < call->bytes || (copy && call->from_pitch < call->bytes));
}

/* ---- all ------------------------------------------------------------------------------------ */

enum host_misuse api_misuse_of_arguments(const struct run *run, uint32_t index)
{
    const struct test *test = run->machine->test;
    const struct host_call *call = api_call(run, index);
    if (names_gone(run, call))
        return names_gone(run, call) == GONE_RESET ? HOST_MISUSE_RESET : HOST_MISUSE_DESTROYED;
    if (call->row->subject == HOST_SUBJECT_ATTACHMENT && call->stream < HOST_FIRST_NAMED &&
        (call->constant == HOST_ATTACH_SINGLE || call->constant == HOST_CONSTANT_NONE))
        return HOST_MISUSE_ATTACH_DEFAULT;
    if (call->row->class != HOST_CREATES && is_not_made(run, call))
        return HOST_MISUSE_NOT_MADE;
    if (host_call_on_value(call) && test->locations[call->to.location].memory == MEMORY_MANAGED)
        return HOST_MISUSE_VALUE_MANAGED;
    if (call->row->subject == HOST_SUBJECT_ELAPSED)
        return misuse_of_elapsed(run, call);
    if (is_too_large(run, call))
        return HOST_MISUSE_TOO_LARGE;
    if (has_short_pitch(call))
        return HOST_MISUSE_PITCH;
    bool copies = call->row->subject == HOST_SUBJECT_COPY;
    bool accesses = copies || call->row->subject == HOST_SUBJECT_SET;
    if (accesses && call->to.location != NONE &&
        (passes_end(test, call, true) || (copies && passes_end(test, call, false))))
        return HOST_MISUSE_OUT_OF_RANGE;
    if (!copies)
        return misuse_of_device(run, index);
    if (is_misdirected(test, call))
        return HOST_MISUSE_COPY_DIRECTION;
    return is_copied_onto_itself(test, call) ? HOST_MISUSE_COPY_OVERLAP : HOST_MISUSE_NONE;
}
