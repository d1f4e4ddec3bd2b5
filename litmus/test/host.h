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
    uint32_t concurrent_managed_access; /* 0 or 1, as all but the last; default 1 */
    uint32_t host_native_atomics;       /* default 1 */
    uint32_t peer_native_atomics;       /* default 1 */
    uint32_t per_thread_default_stream; /* handle 0 means the per-thread stream; default 0 */
    uint32_t pdl_fence_trigger; /* PTX 9.4: a fence before the trigger publishes; default 1 */
    uint32_t eager_loading;     /* no launch waits until its kernel is loaded; default 0 */
    uint32_t peer_access;       /* devices reach each other's memory without a call; default 1 */
    uint32_t co_resident;       /* so many CTAs of a cooperative grid fit; default 0: any number */
};

/* Code of a program that is not modelled: what it may change is not known from there on, and it may wait for the
 * devices (the call 'host_gap_row'). 'gap' of a location, a launch and a register counts from 1; 0: it is known. */
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
    const struct host_gap *gaps;
    uint32_t gap_count;
    bool is_file;                      /* main and what it calls, of a file of CUDA C++ */
    const struct host_gap *unmodelled; /* what the question depends on; or NULL */
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
    uint32_t *value, most;
};
enum { HOST_FLAGS = 8 };
/* The platform's facts by the names that 'platform { … }' uses. */
void host_flags(struct host_platform *platform, struct host_flag flags[HOST_FLAGS]);
struct host_platform host_platform_default(void);

#endif
