/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_call.h"

#include <stddef.h>
#include <string.h>

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

bool host_call_reaches(const struct host_call *call, uint32_t device)
{
    return call->row->arguments && strchr(call->row->arguments, 'p') &&
           (call->to_device == device || call->from_device == device);
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
