/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_HOST_H
#define LITMUS_TEST_HOST_H

#include "litmus/test/test.h"

/* The host side of a test: threads and host functions in the words a CUDA programmer writes. Their
 * bodies are ordinary bodies (struct body): plain accesses, atomics, fences and branches are PTX
 * instructions of a thread at system scope, and an API call is an OP_HOST_CALL instruction whose
 * operand 0 is the register of its result (or a sink) and whose operand 1 is an immediate: the index
 * into host_program.calls. docs/host-programs.md describes the language. */

enum host_call_id {
#define CALL(id, name, arguments, result) HOST_CALL_##id,
#include "litmus/test/host_call.def"
#undef CALL
    HOST_CALL_LAUNCH, /* K<<<…>>>(…) */
    HOST_CALL_COUNT
};

enum host_object_kind { HOST_STREAM, HOST_EVENT, HOST_GRAPH, HOST_GRAPH_EXEC, HOST_NODE };

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

/* A piece of memory named by a call. */
struct host_memory {
    uint32_t location; /* NONE: absent */
    uint32_t element;  /* first element */
};

enum { HOST_MAX_DEPENDENCIES = 64 };

/* One call, as written: which fields are used follows from the call's row. */
struct host_call {
    enum host_call_id id;
    struct span span;
    uint32_t host;                                        /* the thread or function that makes it */
    uint32_t stream;                                      /* object, or NONE when not given */
    uint32_t event, graph, exec, node, other_node, child; /* objects or NONE */
    struct host_memory to, from; /* copies; 'to' alone: memset, allocation */
    uint64_t numbers[2];         /* the integers in the order of the arguments */
    uint32_t number_count;
    enum host_constant constant;
    uint32_t function;      /* host function index in host_program.threads, or NONE */
    uint32_t launch;        /* index into test.launches, or NONE: kernels and kernel nodes */
    uint32_t *dependencies; /* node objects a graph node depends on */
    uint32_t dependency_count;
};

/* A host thread, or a host function run by tasks. */
struct host_thread {
    const char *name;
    uint32_t body;    /* index into test.bodies */
    bool is_function; /* hostfn: runs only as a task */
    struct span span;
};

/* Platform facts the verdicts depend on: docs/host-programs.md. */
struct host_platform {
    bool concurrent_managed_access; /* default true */
    bool host_native_atomics;       /* default true */
    bool peer_native_atomics;       /* default true */
    bool per_thread_default_stream; /* handle 0 means the per-thread stream; default false */
    bool pdl_fence_trigger; /* PTX 9.4: a fence before the trigger publishes; default true */
};

struct host_program {
    struct host_object *objects;
    uint32_t object_count;
    struct host_call *calls; /* in textual order */
    uint32_t call_count;
    struct host_thread *threads;
    uint32_t thread_count;
    struct host_platform platform;
};

/* Points where the sources say nothing: reading.def. A set of readings has the bit of those read as 'one'. */
enum host_reading {
#define READING(id, name, zero, one, no, yes) HOST_READING_##id,
#include "litmus/test/reading.def"
#undef READING
    HOST_READING_COUNT
};
const char *host_reading_name(enum host_reading reading);
const char *host_reading_word(enum host_reading reading, bool one); /* "0", "whole" */
const char *host_reading_text(enum host_reading reading, bool yes);
/* The reading of that name; false: there is none. */
bool host_reading_find(const char *name, enum host_reading *reading);

/* What a query's register holds. */
enum { HOST_RESULT_SUCCESS = 0, HOST_RESULT_NOT_READY = 600 };

const char *host_call_name(enum host_call_id id);
const char *host_call_arguments(enum host_call_id id); /* the letters of host_call.def */
bool host_call_is_query(enum host_call_id id);
const char *host_constant_name(enum host_constant constant);
struct host_flag {
    const char *name;
    bool *value;
};
enum { HOST_FLAGS = 5 };
/* The platform's facts by the names that 'platform { … }' uses. */
void host_flags(struct host_platform *platform, struct host_flag flags[HOST_FLAGS]);
struct host_platform host_platform_default(void);

#endif
