/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_API_API_H
#define MODEL_MACHINE_API_API_H

#include "litmus/test/host.h"
#include "model/machine/core/run.h"

/* The CUDA runtime under a host program: streams are queues of tasks, a task starts when those it
 * follows have ended, its lanes sleep until then. Every task has a driver, a lane that keeps what
 * is known at its start and steps at its end. Knowledge is handed from lane to lane only at a call,
 * a start, an end or a return (SYNC_HANDOVER). docs/machine.md describes it. */

/* Looks through the calls; NULL after an error in 'diags' (X001 by name: what is not modelled). */
struct api *api_new(struct machine *machine, struct diag_list *diags);
/* The most lanes, warps, CTAs and programs that api_place adds. */
struct api_room {
    uint64_t lanes, warps, ctas, programs;
};
struct api_room api_room(const struct api *api, const struct test *test);
/* Programs and places of host threads, kernels, copies and drivers. */
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
/* MICRO_GRID_SYNC and MICRO_GRIDDEP of a host program; false: blocked. */
bool api_grid_step(struct run *run, uint32_t lane);
/* Before an access is performed or issued; false: reported, memory that it must not touch now. */
bool api_note_access(struct run *run, const struct memory_access *access);

/* Is the lane a task's driver? */
bool api_is_driver(const struct machine *machine, uint32_t lane);
/* Can 'lane' not run before the task of 'before' has ended? */
bool api_comes_after(struct run *run, uint32_t lane, uint32_t before);
/* No rule of the runtime about when memory may be touched looks at the location. */
bool api_leaves_alone(const struct machine *machine, uint32_t location);
/* May the lane's task run more than once, one run after the other? */
bool api_is_repeated(const struct machine *machine, uint32_t lane);
/* Did the lane's task start? Lanes without a task always run. */
bool api_has_started(const struct machine *machine, struct state *state, uint32_t lane);

/* One of the places for a task, as a picture of a run shows it. */
struct api_task_view {
    const struct host_call *call;
    uint32_t driver; /* lane */
    uint32_t device;
    uint32_t stream; /* NONE: a node of a graph */
    bool join;       /* the end of a launch of a graph, whose start is another task */
    bool called, started, ended;
};
uint32_t api_task_count(const struct machine *machine); /* 0 without a host program */
struct api_task_view api_task_view(const struct machine *machine, struct state *state,
                                   uint32_t index);
/* "s1", "legacy", "per-thread of H". */
const char *api_stream_name(struct arena *arena, const struct machine *machine, uint32_t stream);

/* Leaves out one rule of rule.def, by its number from 1 on; for tests. */
void api_skip(const struct machine *machine, uint32_t rule);

#endif
