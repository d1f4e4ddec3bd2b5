/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_call.h"

#include <stddef.h>
#include <string.h>

#include "litmus/test/host.h"

const struct host_call_row host_call_rows[] = {
#define SUBJECT(id, what)
#define CALL(name, arguments, class, subject, stream, captured, returns, meaning)                  \
    {name,                                                                                         \
     arguments,                                                                                    \
     HOST_##class,                                                                                 \
     HOST_SUBJECT_##subject,                                                                       \
     HOST_NEEDS_##stream,                                                                          \
     HOST_CAPTURED_##captured,                                                                     \
     HOST_RETURNS_##returns,                                                                       \
     meaning},
#include "litmus/test/host_call.def"
#undef SUBJECT
#undef CALL
};
const uint32_t host_call_row_count = sizeof host_call_rows / sizeof *host_call_rows;

const struct host_call_row host_gap_row = {"code that is not modelled",
                                           "",
                                           HOST_WAITS,
                                           HOST_SUBJECT_DEVICE,
                                           HOST_NEEDS_NONE,
                                           HOST_CAPTURED_NOTHING,
                                           HOST_RETURNS_WHEN_DONE,
                                           "it may wait"};

uint32_t host_memory_device(const struct test *test, uint32_t location)
{
    uint32_t root = test_root_location(test, location);
    const struct location *l = &test->locations[root];
    for (uint32_t i = 0; i < test->host->call_count; i++) {
        const struct host_call *call = &test->host->calls[i];
        if (host_call_is_ordered_allocation(call) &&
            test_root_location(test, call->to.location) == root)
            return NONE;
    }
    return l->memory != MEMORY_DEVICE ? NONE : l->gpu == NONE ? 0 : l->gpu;
}

bool host_call_reaches(const struct test *test, const struct host_call *call, uint32_t device)
{
    uint32_t to, from;
    if (call->row->subject != HOST_SUBJECT_COPY)
        return false;
    bool named = strchr(call->row->arguments, 'p');
    to = named ? (uint32_t)call->to_device : host_memory_device(test, call->to.location);
    from = named ? (uint32_t)call->from_device : host_memory_device(test, call->from.location);
    return (named || (to != from && to != NONE && from != NONE)) &&
           (to == device || from == device);
}

bool host_call_replaces(const struct test *test, const struct host_call *old,
                        const struct host_call *with)
{
    bool launch = old->launch != NONE && with->launch != NONE;
    return old->row->subject == with->row->subject &&
           (!launch ||
            test->launches[old->launch].cooperative == test->launches[with->launch].cooperative);
}

bool host_call_may_be_off(const struct host_call *node)
{
    enum host_subject subject = node->row->subject;
    return subject == HOST_SUBJECT_KERNEL || subject == HOST_SUBJECT_COPY ||
           subject == HOST_SUBJECT_SET;
}

bool host_call_is_unconditional(const struct host_platform *platform,
                                const struct host_call_row *row)
{
    if (row->class == HOST_ADDS || row->class == HOST_SETS)
        return true;
    switch (row->subject) {
    case HOST_SUBJECT_GRAPH:
        return row->class != HOST_DESTROYS &&
               row->class != HOST_ENQUEUES; /* a launch may stand anywhere */
    case HOST_SUBJECT_EXECUTABLE:
        return row->class != HOST_DESTROYS; /* what a graph was launched as stays */
    case HOST_SUBJECT_UPLOAD:
    case HOST_SUBJECT_ALLOCATION:
    case HOST_SUBJECT_RESET:
    case HOST_SUBJECT_BEGIN_CAPTURE:
    case HOST_SUBJECT_END_CAPTURE:
    case HOST_SUBJECT_DEPENDENCY:
    case HOST_SUBJECT_NO_DEPENDENCY:
    case HOST_SUBJECT_ENABLED:
    case HOST_SUBJECT_UPDATE:
    case HOST_SUBJECT_CAPTURE_MODE:
    case HOST_SUBJECT_CAPTURE_DEPENDENCIES:
    case HOST_SUBJECT_HANDLE:
    case HOST_SUBJECT_NO_NODE:
        return true;
    case HOST_SUBJECT_PEER_ACCESS:
    case HOST_SUBJECT_PEER_NO_ACCESS:
        return !platform->peer_access;
    default:
        return false;
    }
}

bool host_makes_handle(const struct test *test, uint32_t location)
{
    for (uint32_t i = 0; test->host && i < test->host->call_count; i++)
        if (test->host->calls[i].row->subject == HOST_SUBJECT_HANDLE &&
            test->host->calls[i].to.location == location)
            return true;
    return false;
}

static const struct host_other others[] = {
#define OTHER(name, kind, what) {name, HOST_OTHER_##kind, what},
#include "litmus/test/host_other.def"
#undef OTHER
};

const struct host_other *host_other(const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0)
            return &others[i];
    return NULL;
}

static const struct host_argument host_arguments[] = {
#define OBJECT(letter, direction, kind, field, word)                                               \
    {letter, HOST_ARGUMENT_OBJECT, HOST_##kind, HOST_##direction,                                  \
     offsetof(struct host_call, field)},
#define ARGUMENT(letter, kind, field, word)                                                        \
    {letter, HOST_ARGUMENT_##kind, HOST_STREAM, HOST_USED, offsetof(struct host_call, field)},
#include "litmus/test/host_argument.def"
#undef OBJECT
#undef ARGUMENT
};

const struct host_argument *host_argument(char letter)
{
    const struct host_argument *argument = host_arguments;
    while (argument->letter != letter)
        argument++;
    return argument;
}

void *host_argument_field(const struct host_argument *argument, const struct host_call *call)
{
    return (char *)call + argument->field;
}

const struct host_object_row host_object_rows[HOST_OBJECT_KINDS] = {
#define OBJECT_KIND(id, type, name) {type, name},
#include "litmus/test/host_object.def"
#undef OBJECT_KIND
};

const char *const host_constant_names[HOST_CONSTANT_COUNT] = {
    "0",
#define CONSTANT(id, name) name,
#include "litmus/test/host_constant.def"
#undef CONSTANT
};

bool host_constant_is_plain(enum host_constant constant)
{
    switch (constant) {
#define CONSTANT(id, name)
#define PLAIN(id, name) case HOST_##id:
#include "litmus/test/host_constant.def"
#undef CONSTANT
        return true;
    default:
        return false;
    }
}

enum memory_kind host_allocated_memory(const struct host_call_row *row)
{
    static const struct {
        const char *name;
        enum memory_kind kind;
    } rows[] = {{"cudaMallocManaged", MEMORY_MANAGED},
                {"cudaMallocHost", MEMORY_PINNED},
                {"cudaHostAlloc", MEMORY_PINNED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(row->name, rows[i].name) == 0)
            return rows[i].kind;
    return MEMORY_DEVICE;
}

const struct host_misuse_row host_misuse_rows[] = {
    {"cudaSuccess", ""},
#define MISUSE(id, error, detail) {error, detail},
#include "litmus/test/host_misuse.def"
#undef MISUSE
};
