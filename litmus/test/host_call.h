/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_HOST_CALL_H
#define LITMUS_TEST_HOST_CALL_H

#include <string.h>

#include "litmus/test/test.h"

/* Calls of the CUDA runtime: what is known of each (host_call.def), and one as a test makes it. */

enum host_object_kind {
#define OBJECT_KIND(id, type, name) HOST_##id,
#include "litmus/test/host_object.def"
#undef OBJECT_KIND
    HOST_OBJECT_KINDS
};
extern const struct host_object_row {
    const char *type, *name; /* "cudaStream_t", "a stream" */
} host_object_rows[HOST_OBJECT_KINDS];

/* Streams every program has, first among the objects. Handle 0 is the legacy stream unless the test
 * says 'default stream per-thread'. */
enum { HOST_STREAM_LEGACY = 0, HOST_STREAM_PER_THREAD = 1, HOST_FIRST_NAMED = 2 };

struct host_object {
    enum host_object_kind kind;
    const char *name;
    struct span span;
};

/* Named constants of the runtime that change what a call does: host_constant.def. */
enum host_constant {
    HOST_CONSTANT_NONE,
#define CONSTANT(id, name) HOST_##id,
#include "litmus/test/host_constant.def"
#undef CONSTANT
    HOST_CONSTANT_COUNT,
};
extern const char *const host_constant_names[HOST_CONSTANT_COUNT];
/* It changes nothing of what a call means. */
bool host_constant_is_plain(enum host_constant constant);

/* A piece of memory named by a call. */
struct host_memory {
    uint32_t location; /* NONE: absent */
    uint32_t element;  /* first element */
};

/* What is known of a call from its name: a row of host_call.def. */
enum host_class {
    HOST_ENQUEUES, /* a task into its stream */
    HOST_ADDS,     /* a node to a graph */
    HOST_SETS,     /* what a node does from now on, of a graph or of an executable one */
    HOST_WAITS,    /* for the end of work */
    HOST_ASKS,     /* whether work has ended: a query, the only calls with a result */
    HOST_CREATES,
    HOST_DESTROYS,
    HOST_CHANGES, /* the state of the runtime, at once */
};
enum host_subject {
#define SUBJECT(id, what) HOST_SUBJECT_##id,
#define CALL(name, arguments, class, subject, stream, captured, returns, meaning)
#include "litmus/test/host_call.def"
#undef SUBJECT
#undef CALL
};
enum host_need { HOST_NEEDS_NONE, HOST_NEEDS_ANY, HOST_NEEDS_MADE };
enum host_captured {
    HOST_CAPTURED_NOTHING,
    HOST_CAPTURED_NODE,
    HOST_CAPTURED_EDGE,
    HOST_CAPTURED_ERROR
};
enum host_return {
    HOST_RETURNS_AT_ONCE,
    HOST_RETURNS_STAGED, /* asynchronous, but it waits for some kinds of memory */
    HOST_RETURNS_WHEN_DONE,
};
struct host_call_row {
    const char *name, *arguments; /* arguments: letters, NULL of a kernel launch */
    enum host_class class;
    enum host_subject subject;
    enum host_need stream;
    enum host_captured captured;
    enum host_return returns;
    const char *meaning;
};
extern const struct host_call_row host_call_rows[];
extern const uint32_t host_call_row_count; /* the first is the kernel launch */
/* Code that is not modelled: by one reading it waits for all work of all devices, by the other for nothing. */
extern const struct host_call_row host_gap_row;

/* What memory the allocating call makes where a pointer gets it. */
enum memory_kind host_allocated_memory(const struct host_call_row *row);
/* A call of the runtime that host programs do not have: host_other.def. */
enum host_other_kind { HOST_OTHER_WORK, HOST_OTHER_NOTHING };
struct host_other {
    const char *name;
    enum host_other_kind kind;
    const char *what; /* it does: "frees memory, and may wait for the device" */
};
const struct host_other *host_other(const char *name); /* or NULL */

/* One call, as written: which fields are used follows from its row. */
struct host_call {
    const struct host_call_row *row;
    struct span span;
    uint32_t host;   /* the thread or function that makes it */
    uint32_t stream; /* object, or NONE when it needs none */
    uint32_t event, other_event, graph, exec, node, other_node, child; /* objects or NONE */
    struct host_memory to, from; /* copies; 'to' alone: set, allocation */
    uint64_t value;              /* of a set, the number of a device; else without meaning */
    uint64_t bytes;              /* of each row */
    uint64_t element;            /* of a set: its value has so many bytes, 0: one */
    uint64_t rows, to_pitch,
        from_pitch; /* of copies and sets of rows: how many, and from one to the next */
    uint64_t to_device, from_device; /* of a copy between devices */
    enum host_constant constant;
    uint32_t function; /* host function index in host_program.threads, or NONE */
    uint32_t launch;   /* index into test.launches, or NONE: kernels and kernel nodes */
    uint32_t
        waits; /* a conditional node that repeats: a function that ends when the value is 0; or NONE */
    uint32_t *bodies; /* graphs of a conditional node */
    uint32_t body_count;
    uint32_t *dependencies; /* node objects a graph node depends on */
    uint32_t dependency_count;
};

static inline bool host_call_is(const struct host_call *call, enum host_class class,
                                enum host_subject subject)
{
    return call->row->class == class && call->row->subject == subject;
}

/* What a set writes to the eight bytes that begin 'offset' bytes into a row. */
static inline uint64_t host_set_pattern(const struct host_call *call, uint64_t offset)
{
    uint64_t element = call->element ? call->element : 1, pattern = 0;
    for (uint64_t i = 0; i < 8; i++)
        pattern |= (call->value >> (offset + i) % element * 8 & 0xff) << i * 8;
    return pattern;
}

/* A node that does what the one call says can do what the other says instead. */
bool host_call_replaces(const struct test *test, const struct host_call *old,
                        const struct host_call *with);
/* A node that does this can be disabled. */
bool host_call_may_be_off(const struct host_call *node);

/* The value of a handle that no set writes: it has no default, and was not set since the launch. */
#define HOST_HANDLE_UNSET (UINT64_C(1) << 32)

/* The call is not modelled in a branch: it changes what later calls mean. */
struct host_platform;
bool host_call_is_unconditional(const struct host_platform *platform,
                                const struct host_call_row *row);

/* The call waits for a value in memory, reads or writes one, in the order of its stream or graph: a function with code of
 * its own. */
static inline bool host_call_on_value(const struct host_call *call)
{
    return call->function != NONE && call->to.location != NONE;
}

/* A call of the program makes the location the handle of conditional nodes. */
bool host_makes_handle(const struct test *test, uint32_t location);

/* It allocates in the order of a stream or of a graph. */
static inline bool host_call_is_ordered_allocation(const struct host_call *call)
{
    return host_call_is(call, HOST_ENQUEUES, HOST_SUBJECT_ALLOCATION) ||
           host_call_is(call, HOST_ADDS, HOST_SUBJECT_ALLOCATION);
}

/* How many pieces of 'bytes' it copies or sets. */
static inline uint64_t host_call_height(const struct host_call *call)
{
    return call->row->arguments && strchr(call->row->arguments, 'R') ? call->rows : 1;
}

/* The device that holds the memory; NONE: it is no device memory, or allocated in the order of a stream. */
uint32_t host_memory_device(const struct test *test, uint32_t location);
/* The copy is one between devices that the legacy stream orders with the work of the device (E21). */
bool host_call_reaches(const struct test *test, const struct host_call *call, uint32_t device);

/* An argument, by its letter: host_argument.def. */
enum host_argument_kind {
    HOST_ARGUMENT_OBJECT,
    HOST_ARGUMENT_MEMORY,
    HOST_ARGUMENT_NUMBER,
    HOST_ARGUMENT_CONSTANT,
    HOST_ARGUMENT_FUNCTION,
    HOST_ARGUMENT_KERNEL,
    HOST_ARGUMENT_NODES,
    HOST_ARGUMENT_BODIES,
    HOST_ARGUMENT_COUNT,
    HOST_ARGUMENT_IGNORED,
};
enum host_direction { HOST_USED, HOST_MADE };
struct host_argument {
    char letter;
    enum host_argument_kind kind;
    enum host_object_kind object;
    enum host_direction direction;
    size_t field;
};
const struct host_argument *host_argument(char letter);
/* Of type uint32_t (objects, functions, launches, counts), uint64_t (numbers) or struct host_memory. */
void *host_argument_field(const struct host_argument *argument, const struct host_call *call);

/* Why a call fails: host_misuse.def. */
enum host_misuse {
    HOST_MISUSE_NONE,
#define MISUSE(id, error, detail) HOST_MISUSE_##id,
#include "litmus/test/host_misuse.def"
#undef MISUSE
    HOST_MISUSE_COUNT
};
extern const struct host_misuse_row {
    const char *error, *detail; /* error: "cudaErrorStreamCaptureMerge" */
} host_misuse_rows[];

/* What a query's register holds. */
enum { HOST_RESULT_SUCCESS = 0, HOST_RESULT_NOT_READY = 600 };

#endif
