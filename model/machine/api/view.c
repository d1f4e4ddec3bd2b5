/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* What the rest of the executor may ask of the tasks of a run. */

uint32_t api_task_count(const struct machine *machine)
{
    return machine->api ? machine->api->task_count : 0;
}

struct api_task_view api_task_view(const struct machine *machine, struct state *state,
                                   uint32_t index)
{
    const struct api_task *task = &machine->api->tasks[index];
    const struct host_program *host = machine->test->host;
    return (struct api_task_view){
        .call = task->call,
        .driver = task->driver,
        .device = task->device,
        .stream = machine->api->calls[task->call - host->calls].stream,
        .join = task->join,
        .called = set_has(api_words(machine, state, API_CALLED, 0), index),
        .started = set_has(api_words(machine, state, API_STARTED, 0), index),
        .ended = set_has(api_words(machine, state, API_ENDED, 0), index),
    };
}

const char *api_stream_name(struct arena *arena, const struct machine *machine, uint32_t stream)
{
    const struct host_program *host = machine->test->host;
    if (stream < host->object_count)
        return host->objects[stream].name;
    stream -= host->object_count;
    if (stream < host->thread_count)
        return arena_printf(arena, "per-thread of %s", host->threads[stream].name);
    return "legacy";
}
