/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_API_H
#define MODEL_MACHINE_API_H

#include "litmus/host.h"
#include "model/machine/memory.h"

/* The CUDA runtime under a host program: streams are queues of tasks, a task starts when those it
 * follows have ended, its lanes sleep until then. Every call that enqueues has one task; every task
 * has a driver, a lane that keeps what is known at its start and steps at its end. Knowledge goes
 * from lane to lane only where a call, a start, an end or a return does (SYNC_HANDOVER). */

enum { API_TASKS = 64, API_DEVICES = 8 }; /* sets of tasks are bits of one word */

struct api_task {
    const struct host_call *call;
    uint32_t stream, device;
    uint32_t driver;
    uint32_t first_lane, lane_count; /* that do the work */
};

struct api_stream {
    uint32_t device;
    bool blocking, legacy;
    bool from_start; /* default streams: no call makes them */
};

struct api {
    struct api_task *tasks;
    uint32_t task_count;
    uint32_t *task_of, *stream_of, *device_of; /* by call; NONE where it has none */
    struct api_stream *streams; /* by object, then per-thread streams, then legacy ones */
    uint32_t stream_count;
    bool queries; /* somebody can notice when a task ends */
    bool several; /* several host threads: the order of their calls matters */
};

/* Its part of the state block. Sets of tasks, a bit each. */
struct api_state {
    uint64_t called, started, ended;
    uint64_t words[]; /* see api_run.c */
};

/* Looks through the calls; NULL after an error in 'diags' (X001 by name: what is not modelled). */
struct api *api_new(struct machine *machine, struct diag_list *diags);
/* How many lanes api_place adds at most. */
uint32_t api_lanes(const struct api *api, const struct test *test);
/* Programs and places of host threads, copies and drivers; after the launches are placed. */
bool api_place(struct machine *machine, struct diag_list *diags);

size_t api_state_bytes(const struct machine *machine);
/* Puts to sleep what no call has launched yet. */
void api_start(const struct machine *machine, struct state *state);

/* Of a running lane: does it stand at a call that cannot return yet, or wait for its task's end? */
bool api_blocked(struct run *run, uint32_t lane);
/* Of one that is not blocked: can no other lane tell when it steps? */
bool api_unnoticed(struct run *run, uint32_t lane);
/* MICRO_HOST_CALL; false: blocked. */
bool api_step(struct run *run, uint32_t lane);
/* MICRO_GRID_SYNC: blocked until every thread of the grid stands at one. */
bool api_grid_blocked(struct run *run, uint32_t lane);
void api_grid_step(struct run *run, uint32_t lane);
/* Does the lane work for the runtime: a copy's, a set's, a driver? */
bool api_is_engine(const struct machine *machine, uint32_t lane);
bool api_is_driver(const struct machine *machine, uint32_t lane);
/* "cudaMemcpyAsync (line 7)", or the name of the host thread or function. */
const char *api_lane_name(struct arena *arena, const struct machine *machine, uint32_t lane);

#endif
