/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_HOST_H
#define LITMUS_TEST_HOST_H

#include "litmus/test/host_call.h"

/* The host side of a test: threads and host functions in the words a CUDA programmer writes. Their
 * bodies are ordinary bodies (struct body): plain accesses, atomics, fences and branches are PTX
 * instructions of a thread at system scope, and an API call is an OP_HOST_CALL instruction whose
 * operand 0 is the register of its result (or a sink) and whose operand 1 is an immediate: the index
 * into host_program.calls. docs/host-programs.md describes the language. */

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
    bool eager_loading;     /* no launch waits until its kernel is loaded; default false */
};

/* Code of a program that is not modelled: what depends on it is not known. */
struct host_gap {
    struct span span;
    const char *message, *hint; /* hint: or NULL */
};

struct host_program {
    struct host_object *objects;
    uint32_t object_count;
    struct host_call *calls; /* in textual order */
    uint32_t call_count;
    struct host_thread *threads;
    uint32_t thread_count;
    struct host_platform platform;
    const struct host_gap *unmodelled; /* or NULL */
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
/* The reading of that name; false: there is none. */
bool host_reading_find(const char *name, enum host_reading *reading);

struct host_flag {
    const char *name;
    bool *value;
};
enum { HOST_FLAGS = 6 };
/* The platform's facts by the names that 'platform { … }' uses. */
void host_flags(struct host_platform *platform, struct host_flag flags[HOST_FLAGS]);
struct host_platform host_platform_default(void);

#endif
