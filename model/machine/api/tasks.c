/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Tasks: taken by calls, started when those they follow have ended, ended when their lanes have
 * exited. */

/* ---- sleeping and waking -------------------------------------------------------------------- */

static void set_asleep(const struct machine *machine, struct state *state, uint32_t lane,
                       bool asleep)
{
    const struct lane_place *place = &machine->lanes[lane];
    struct warp *warp = state_warp(machine, state, place->warp);
    uint32_t bit = 1u << place->lane;
    warp->running = asleep ? warp->running & ~bit : warp->running | bit;
    warp->exited = asleep ? warp->exited | bit : warp->exited & ~bit;
}

void api_start(const struct machine *machine, struct state *state)
{
    const struct api *api = machine->api;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++)
        if (machine->lanes[lane].task != NONE)
            set_asleep(machine, state, lane, true);
    for (uint32_t i = 0; i < api->stream_count; i++)
        if (api->streams[i].from_start)
            *api_words(machine, state, API_EXISTS, i) =
                STREAM_EXISTS | (api->streams[i].blocking ? STREAM_BLOCKING : 0);
}

bool api_is_driver(const struct machine *machine, uint32_t lane)
{
    uint32_t task = machine->api ? machine->lanes[lane].task : NONE;
    return task != NONE && machine->api->tasks[task].driver == lane;
}

bool api_is_repeated(const struct machine *machine, uint32_t lane)
{
    uint32_t task = machine->lanes[lane].task;
    const struct api *api = machine->api;
    return task != NONE && api->calls[api->tasks[task].call - api->host->calls].loops;
}

bool api_has_started(const struct machine *machine, struct state *state, uint32_t lane)
{
    uint32_t task = machine->lanes[lane].task;
    return !machine->api || task == NONE ||
           set_has(api_words(machine, state, API_STARTED, 0), task);
}

/* ---- knowledge ------------------------------------------------------------------------------ */

void api_hand_over(struct run *run, uint32_t from, uint32_t to)
{
    const uint32_t lanes[2] = {to, from};
    const struct sync sync = {.kind = SYNC_HANDOVER, .lanes = lanes, .lane_count = 2};
    run->memory->ops->sync(run, &sync);
}

void api_learn_ends(struct run *run, const uint64_t *tasks, uint32_t lane)
{
    EACH_MEMBER(task, api_of(run), tasks) {
        api_hand_over(run, api_task(run, task)->driver, lane);
    }
}

/* ---- a place for an execution --------------------------------------------------------------- */

/* Kinds of words whose sets hold tasks. */
static bool is_mentioned(const struct run *run, uint32_t task)
{
    static const enum api_words kinds[] = {API_TAIL,   API_LAST,        API_AFTER,  API_PRIMARY,
                                           API_RECORD, API_LAST_LAUNCH, API_AWAITED};
    const struct api *api = api_of(run);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t at = api->at[kinds[k]]; at < api->at[kinds[k] + 1]; at += api->set_words)
            if (set_has(api_set(run, API_CALLED, 0) + at, task))
                return true;
    return false;
}

static bool is_spare(const struct run *run, uint32_t task)
{
    if (!set_has(api_set(run, API_CALLED, 0), task))
        return true;
    return set_has(api_set(run, API_ENDED, 0), task) && !is_mentioned(run, task);
}

/* Makes the lane as it was at the start, so that the task can run once more. */
static void reset_lane(struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    const struct program *program = machine->programs[place->program];
    *run_lane(run, lane) = (struct lane){0};
    for (slot s = 0; s < program->reg_slots; s++) {
        *state_slot(machine, run->state, lane, s) = 0;
        state_poison(machine, run->state, place->warp)[s] &= ~(1u << place->lane);
    }
    memset(state_local(machine, run->state, lane), 0, program->local_bytes);
    if (machine->has_barriers)
        memset(run_barrier(run, place->cta, 0), 0, BARRIERS * sizeof(struct barrier));
    set_remove(api_set(run, API_TRIGGERED, 0), place->cta);
    set_asleep(machine, run->state, lane, true);
}

/* Of a task that has ended: its lanes are those of another execution now. */
static void reset_task(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    reset_lane(run, t->driver);
    for (uint32_t i = 0; i < t->lane_count; i++)
        reset_lane(run, t->first_lane + i);
    set_remove(api_set(run, API_STARTED, 0), task);
    set_remove(api_set(run, API_ENDED, 0), task);
    set_clear(api_of(run), api_set(run, API_PRIMARY, task));
}

static uint32_t find_spare(const struct run *run, const struct host_call *call, bool join,
                           uint32_t device)
{
    for (uint32_t i = 0; i < api_of(run)->task_count; i++) {
        const struct api_task *t = api_task(run, i);
        if (t->call == call && t->join == join && t->device == device && is_spare(run, i))
            return i;
    }
    return NONE;
}

uint32_t api_take_task(struct run *run, uint32_t lane, const struct host_call *call, bool join,
                       uint32_t device)
{
    uint32_t task = find_spare(run, call, join, device);
    if (task == NONE) {
        run_report(run, lane, REPORT_MEMORY_BOUND, "too many tasks of one %s are under way",
                   call->row->name);
        run->full = true;
        return NONE;
    }
    if (set_has(api_set(run, API_CALLED, 0), task))
        reset_task(run, task);
    set_add(api_set(run, API_CALLED, 0), task);
    if (api_has_rule(run, API_RULE_CALL))
        api_hand_over(run, lane, api_task(run, task)->driver);
    return task;
}

/* ---- starts and ends ------------------------------------------------------------------------ */

bool api_task_is_done(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    for (uint32_t i = 0; i < t->lane_count; i++)
        if (!run_exited(run, t->first_lane + i))
            return false;
    return true;
}

/* The rule by which threads of the task know of its start, and its end of them. */
static enum api_rule inner_rule(const struct run *run, uint32_t task, bool end)
{
    const struct api_task *t = api_task(run, task);
    if (api_task_is_kernel(run, task))
        return end ? API_RULE_END : API_RULE_START;
    return t->call->function != NONE ? API_RULE_FUNCTION
           : end                     ? API_RULE_COPY_END
                                     : API_RULE_COPY_START;
}

/* What came before is known to the task and all that works for it: E2 to E5, E7, E8, E20. */
static void start(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    uint64_t *after = api_set(run, API_AFTER, task);
    bool inner = api_has_rule(run, inner_rule(run, task, false));
    api_learn_ends(run, after, t->driver);
    set_clear(api_of(run), after);
    EACH_MEMBER(primary, api_of(run), api_set(run, API_PRIMARY, task)) {
        if (api_task(run, primary)->box != NONE)
            api_hand_over(run, api_task(run, primary)->box, t->driver);
    }
    api_lifetime_end(run, t->driver, t->call);
    api_lifetime_of_launch(run, task);
    api_lifetime_of_kernel(run, task, false);
    set_add(api_set(run, API_STARTED, 0), task);
    for (uint32_t i = 0; i < t->lane_count; i++) {
        if (inner)
            api_hand_over(run, t->driver, t->first_lane + i);
        set_asleep(run->machine, run->state, t->first_lane + i, false);
    }
}

static bool overlaps(const struct run *run, uint32_t task)
{
    return !set_within(api_of(run), api_set(run, API_PRIMARY, task), api_set(run, API_ENDED, 0));
}

/* Every CTA of the kernel has allowed dependents to start, or ended. */
static bool has_triggered(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    if (!set_has(api_set(run, API_STARTED, 0), task))
        return false;
    for (uint32_t lane = t->first_lane; lane < t->first_lane + t->lane_count; lane++) {
        uint32_t cta = run->machine->lanes[lane].cta;
        if (!set_has(api_set(run, API_TRIGGERED, 0), cta) && !run_cta_exited(run, cta))
            return false;
    }
    return true;
}

static bool may_start(struct run *run, uint32_t task)
{
    const uint64_t *ended = api_set(run, API_ENDED, 0);
    if (!set_within(api_of(run), api_set(run, API_AFTER, task), ended))
        return false;
    EACH_MEMBER(primary, api_of(run), api_set(run, API_PRIMARY, task)) {
        if (!set_has(ended, primary) && !has_triggered(run, primary))
            return false;
    }
    return true;
}

/* The driver of a kernel that may overlap with an earlier one starts it by a step of its own. */
void api_start_tasks(struct run *run)
{
    const struct api *api = api_of(run);
    const uint64_t *started = api_set(run, API_STARTED, 0);
    EACH_MEMBER(task, api, api_set(run, API_CALLED, 0)) {
        if (set_has(started, task) || !may_start(run, task))
            continue;
        set_asleep(run->machine, run->state, api_task(run, task)->driver, false);
        if (!overlaps(run, task))
            start(run, task);
    }
    run->changes++;
}

/* A step of the driver: E6, E7, E8. */
void api_end_task(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    if (!set_has(api_set(run, API_STARTED, 0), task)) {
        start(run, task);
        return;
    }
    for (uint32_t i = 0; i < t->lane_count; i++)
        if (api_has_rule(run, inner_rule(run, task, true)))
            api_hand_over(run, t->first_lane + i, t->driver);
    api_lifetime_begin(run, t->driver, t->call);
    api_lifetime_of_kernel(run, task, true);
    api_decide(run, task);
    set_add(api_set(run, API_ENDED, 0), task);
    run_advance(run, t->driver);
    api_start_tasks(run);
}

/* ---- order ---------------------------------------------------------------------------------- */

bool api_comes_after(struct run *run, uint32_t lane, uint32_t before)
{
    const struct api *api = api_of(run);
    uint32_t task = run->machine->lanes[lane].task, first = run->machine->lanes[before].task;
    const uint64_t *started = api_set(run, API_STARTED, 0);
    uint64_t reached[API_SET_WORDS] = {0};
    if (task == NONE || first == NONE || !set_has(api_set(run, API_CALLED, 0), task))
        return false;
    set_add(reached, task);
    for (bool more = true; more && !set_has(reached, first);) {
        more = false;
        EACH_MEMBER(t, api, api_set(run, API_CALLED, 0)) {
            if (!set_has(reached, t) || set_has(started, t))
                continue;
            const uint64_t *after = api_set(run, API_AFTER, t);
            more = more || !set_within(api, after, reached);
            set_join(api, reached, after);
        }
    }
    return task != first && set_has(reached, first);
}
