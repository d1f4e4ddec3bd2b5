/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* What kernels of a host program say to the runtime: grid.sync of a cooperative grid (E19), and
 * griddepcontrol between kernels that may overlap (E20). */

static const struct api_task *grid_of(const struct run *run, uint32_t lane)
{
    return api_task(run, run->machine->lanes[lane].task);
}

static bool is_cooperative(const struct run *run, uint32_t lane)
{
    return run->machine->test->launches[run->machine->lanes[lane].launch].cooperative;
}

static bool stands_at(struct run *run, uint32_t lane, enum micro_kind kind)
{
    return run_runs(run, lane) && run_micro(run, lane)->kind == kind && run_enabled(run, lane);
}

/* ---- grid.sync ------------------------------------------------------------------------------ */

static bool sync_blocked(struct run *run, uint32_t lane)
{
    const struct api_task *grid = grid_of(run, lane);
    for (uint32_t i = 0; is_cooperative(run, lane) && i < grid->lane_count; i++)
        if (!stands_at(run, grid->first_lane + i, MICRO_GRID_SYNC))
            return true;
    return false;
}

static void share(struct run *run, uint32_t to, uint32_t from)
{
    const uint32_t lanes[2] = {to, from};
    const struct sync sync = {.kind = SYNC_GRID, .lanes = lanes, .lane_count = 2};
    if (api_has_rule(run, API_RULE_GRID_SYNC))
        run->memory->ops->sync(run, &sync);
}

/* The last to come lets everybody go on, in the generic proxy. */
static void sync_grid(struct run *run, uint32_t lane)
{
    if (!is_cooperative(run, lane)) {
        run_report(run, lane, REPORT_GRID_SYNC_WITHOUT_COOP,
                   "grid.sync needs a cooperative launch");
        return;
    }
    const struct api_task *grid = grid_of(run, lane);
    uint32_t first = grid->first_lane;
    for (uint32_t i = 1; i < grid->lane_count; i++)
        share(run, first, first + i);
    for (uint32_t i = 1; i < grid->lane_count; i++)
        share(run, first + i, first);
    for (uint32_t i = 0; i < grid->lane_count; i++)
        run_advance(run, first + i);
}

/* ---- griddepcontrol ------------------------------------------------------------------------- */

static bool is_wait(struct run *run, uint32_t lane)
{
    return run_micro(run, lane)->inst->op == OP_GRIDDEP_WAIT;
}

static bool wait_blocked(struct run *run, uint32_t lane)
{
    const uint64_t *primary = api_set(run, API_PRIMARY, run->machine->lanes[lane].task);
    return is_wait(run, lane) && api_has_rule(run, API_RULE_GRID_WAIT) &&
           !set_within(api_of(run), primary, api_set(run, API_ENDED, 0));
}

/* Has a kernel that may overlap with this one started already? */
static bool has_dependents(const struct run *run, uint32_t task)
{
    EACH_MEMBER(other, api_of(run), api_set(run, API_STARTED, 0)) {
        if (set_has(api_set(run, API_PRIMARY, other), task))
            return true;
    }
    return false;
}

/* What the thread's release fences knew is known when a dependent kernel starts. One that has
 * started has missed it: no execution is like this. */
static void publish(struct run *run, uint32_t lane)
{
    uint32_t task = run->machine->lanes[lane].task;
    const uint32_t lanes[2] = {api_task(run, task)->box, lane};
    const struct sync sync = {
        .kind = SYNC_PUBLISH, .lanes = lanes, .lane_count = 2, .late = has_dependents(run, task)};
    if (run->machine->test->host->platform.pdl_fence_trigger && api_has_rule(run, API_RULE_PUBLISH))
        run->memory->ops->sync(run, &sync);
}

/* griddepcontrol: a wait learns what the primary kernel did; else the CTA says that what depends on
 * it may start. */
static void control(struct run *run, uint32_t lane)
{
    uint32_t task = run->machine->lanes[lane].task;
    bool wait = is_wait(run, lane);
    run_advance(run, lane);
    if (wait) {
        if (api_has_rule(run, API_RULE_GRID_WAIT))
            api_learn_ends(run, api_set(run, API_PRIMARY, task), lane);
        return;
    }
    publish(run, lane);
    set_add(api_set(run, API_TRIGGERED, 0), run->machine->lanes[lane].cta);
    api_start_tasks(run);
}

/* ---- both ----------------------------------------------------------------------------------- */

bool api_grid_blocked(struct run *run, uint32_t lane)
{
    if (run->machine->lanes[lane].launch == NONE)
        return false;
    if (stands_at(run, lane, MICRO_GRID_SYNC))
        return sync_blocked(run, lane);
    return stands_at(run, lane, MICRO_GRIDDEP) && wait_blocked(run, lane);
}

bool api_grid_step(struct run *run, uint32_t lane)
{
    if (api_grid_blocked(run, lane))
        return false;
    if (run_micro(run, lane)->kind == MICRO_GRID_SYNC)
        sync_grid(run, lane);
    else
        control(run, lane);
    run->changes++;
    return true;
}
