/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Calls that fail by what they name: objects that are gone or of another device, memory that is not where the
 * direction of a copy says, or is copied onto itself. */

/* ---- objects that are gone ------------------------------------------------------------------ */

static bool is_gone(const struct run *run, uint32_t object)
{
    return *api_set(run, API_GONE, object);
}

/* The letters of the call's row say which objects it is given; a launch has none. */
static bool names_gone(const struct run *run, const struct host_call *call)
{
    bool gone = call->launch != NONE && call->row->class == HOST_ENQUEUES && call->stream != NONE &&
                is_gone(run, call->stream);
    for (const char *letter = call->row->arguments; letter && *letter; letter++) {
        const struct host_argument *a = *letter == '?' ? NULL : host_argument(*letter);
        if (!a || a->kind != HOST_ARGUMENT_OBJECT || a->direction == HOST_MADE)
            continue;
        const uint32_t *object = host_argument_field(a, call);
        gone = gone || (*object != NONE && is_gone(run, *object));
    }
    return gone;
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

/* Two areas of one size that begin less than that apart. */
static bool is_copied_onto_itself(const struct test *test, const struct host_call *call)
{
    const struct host_memory *to = &call->to, *from = &call->from;
    if (test_root_location(test, to->location) != test_root_location(test, from->location))
        return false;
    int64_t apart = (int64_t)(to->element * test->locations[to->location].element_bytes) -
                    (int64_t)(from->element * test->locations[from->location].element_bytes);
    return (uint64_t)(apart < 0 ? -apart : apart) < call->bytes;
}

/* ---- all ------------------------------------------------------------------------------------ */

enum host_misuse api_misuse_of_arguments(const struct run *run, uint32_t index)
{
    const struct test *test = run->machine->test;
    const struct host_call *call = api_call(run, index);
    if (names_gone(run, call))
        return HOST_MISUSE_DESTROYED;
    if (call->row->subject != HOST_SUBJECT_COPY)
        return misuse_of_device(run, index);
    if (is_misdirected(test, call))
        return HOST_MISUSE_COPY_DIRECTION;
    return is_copied_onto_itself(test, call) ? HOST_MISUSE_COPY_OVERLAP : HOST_MISUSE_NONE;
}
