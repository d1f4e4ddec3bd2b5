/* SPDX-License-Identifier: MIT */
#include "model/machine/api.h"
#include "model/machine/run.h"

/* grid.sync: the threads of a cooperative grid wait for each other (E19), in the generic proxy. */

static const struct api_task *grid_of(const struct run *run, uint32_t lane)
{
    return &run->machine->api->tasks[run->machine->lanes[lane].task];
}

static bool is_cooperative(const struct run *run, uint32_t lane)
{
    return run->machine->test->launches[run->machine->lanes[lane].launch].cooperative;
}

static bool stands_there(struct run *run, uint32_t lane)
{
    return lane_running(run->machine, run->state, lane) &&
           lane_micro(run->machine, run->state, lane)->kind == MICRO_GRID_SYNC &&
           lane_enabled(run->machine, run->state, lane);
}

bool api_grid_blocked(struct run *run, uint32_t lane)
{
    if (!stands_there(run, lane) || !is_cooperative(run, lane))
        return false;
    const struct api_task *grid = grid_of(run, lane);
    for (uint32_t i = 0; i < grid->lane_count; i++)
        if (!stands_there(run, grid->first_lane + i))
            return true;
    return false;
}

/* The last to come lets everybody go on. */
void api_grid_step(struct run *run, uint32_t lane)
{
    if (!is_cooperative(run, lane)) {
        run_report(run, lane, REPORT_GRID_SYNC_WITHOUT_COOP,
                   "grid.sync needs a cooperative launch");
        return;
    }
    const struct api_task *grid = grid_of(run, lane);
    uint32_t first = grid->first_lane;
    for (uint32_t i = 1; i < grid->lane_count; i++) {
        const uint32_t lanes[2] = {first, first + i};
        const struct sync to_first = {.kind = SYNC_GRID, .lanes = lanes, .lane_count = 2};
        run->memory->ops->sync(run, &to_first);
    }
    for (uint32_t i = 1; i < grid->lane_count; i++) {
        const uint32_t lanes[2] = {first + i, first};
        const struct sync to_others = {.kind = SYNC_GRID, .lanes = lanes, .lane_count = 2};
        run->memory->ops->sync(run, &to_others);
    }
    for (uint32_t i = 0; i < grid->lane_count; i++)
        lane_advance(run, first + i);
    run->changes++;
}
