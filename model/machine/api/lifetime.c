/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* When memory may be touched: from the end of its allocation to the start of its release; managed
 * memory by the host, on a platform without concurrent access, not while a kernel may be running.
 * "From" and "to" are what lanes know, so each such moment leaves a mark in the memory. */

enum { ALLOCATED = 1, FREED = 2, TOUCHED_EARLY = 4 };

/* Kinds of marks; their tokens carry a location or a task besides. */
enum { MARK_ALLOCATED, MARK_USED, MARK_MANAGED, MARK_ENDED };

static uint32_t token(uint32_t kind, uint32_t index)
{
    return kind << 24 | index;
}

static void mark(struct run *run, uint32_t lane, uint32_t what)
{
    run->memory->ops->mark(run, lane, what);
}

static bool knows(struct run *run, uint32_t lane, uint32_t what)
{
    return run->memory->ops->knows_marks(run, lane, what);
}

/* A memory that keeps no marks watches nothing. */
static bool is_watched(const struct run *run)
{
    return run->machine->api && run->memory->ops->mark;
}

static uint32_t root_of(const struct test *test, uint32_t location)
{
    while (test->locations[location].alias_of != NONE)
        location = test->locations[location].alias_of;
    return location;
}

static bool has_exclusive_managed(const struct run *run)
{
    return !api_of(run)->test->host->platform.concurrent_managed_access;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static bool allocates(const struct host_call *call)
{
    return call->id == HOST_CALL_MALLOC_ASYNC || call->id == HOST_CALL_MALLOC;
}

static bool frees(const struct host_call *call)
{
    return call->id == HOST_CALL_FREE_ASYNC || call->id == HOST_CALL_FREE;
}

static bool has_call(const struct machine *machine, uint32_t root,
                     bool (*does)(const struct host_call *))
{
    const struct host_program *host = machine->test->host;
    for (uint32_t i = 0; i < host->call_count; i++)
        if (does(&host->calls[i]) && root_of(machine->test, host->calls[i].to.location) == root)
            return true;
    return false;
}

static bool report_early(struct run *run, uint32_t lane, uint32_t root)
{
    run_report(run, lane, REPORT_USE_BEFORE_ALLOC, "'%s' is touched where it need not be allocated",
               run->machine->test->locations[root].name);
    return false;
}

static bool report_late(struct run *run, uint32_t lane, uint32_t root)
{
    run_report(run, lane, REPORT_USE_AFTER_FREE, "'%s' is touched where it may be freed",
               run->machine->test->locations[root].name);
    return false;
}

static bool may_touch(struct run *run, uint32_t lane, uint32_t root)
{
    uint64_t *state = api_set(run, API_LIFETIME, root);
    if (has_call(run->machine, root, allocates) && !(*state & ALLOCATED))
        *state |= TOUCHED_EARLY; /* an error if it is allocated after this */
    else if (!knows(run, lane, token(MARK_ALLOCATED, root)))
        return report_early(run, lane, root);
    if (*state & FREED)
        return report_late(run, lane, root);
    if (has_call(run->machine, root, frees))
        mark(run, lane, token(MARK_USED, root));
    return true;
}

void lifetime_begin(struct run *run, uint32_t lane, const struct host_call *call)
{
    if (!is_watched(run) || !allocates(call))
        return;
    uint32_t root = root_of(run->machine->test, call->to.location);
    uint64_t *state = api_set(run, API_LIFETIME, root);
    mark(run, lane, token(MARK_ALLOCATED, root));
    if (*state & TOUCHED_EARLY)
        report_early(run, lane, root);
    *state |= ALLOCATED;
}

void lifetime_end(struct run *run, uint32_t lane, const struct host_call *call)
{
    if (!is_watched(run) || !frees(call))
        return;
    uint32_t root = root_of(run->machine->test, call->to.location);
    if (!knows(run, lane, token(MARK_USED, root)))
        report_late(run, lane, root);
    *api_set(run, API_LIFETIME, root) |= FREED;
}

/* ---- managed memory ------------------------------------------------------------------------- */

static bool report_managed(struct run *run, uint32_t lane)
{
    run_report(run, lane, REPORT_MANAGED_WHILE_ACTIVE,
               "a host thread touches managed memory and a kernel may be running");
    return false;
}

/* Kernels that have started must be known to have ended; those that start later know of this. */
static bool may_touch_managed(struct run *run, uint32_t lane)
{
    const uint64_t *ended = api_set(run, API_ENDED, 0);
    EACH_MEMBER(task, api_of(run), api_set(run, API_STARTED, 0))
    {
        if (task_is_kernel(run, task) &&
            (!set_has(ended, task) || !knows(run, lane, token(MARK_ENDED, task))))
            return report_managed(run, lane);
    }
    mark(run, lane, token(MARK_MANAGED, 0));
    return true;
}

void lifetime_of_kernel(struct run *run, uint32_t task, bool ends)
{
    uint32_t driver = api_of(run)->tasks[task].driver;
    if (!is_watched(run) || !has_exclusive_managed(run) || !task_is_kernel(run, task))
        return;
    if (ends)
        mark(run, driver, token(MARK_ENDED, task));
    else if (!knows(run, driver, token(MARK_MANAGED, 0)))
        report_managed(run, driver);
}

/* ---- accesses ------------------------------------------------------------------------------- */

bool api_note_access(struct run *run, const struct access *access)
{
    const struct lane_place *place = &run->machine->lanes[access->lane];
    if (!is_watched(run) || !access->region)
        return true;
    uint32_t root = root_of(run->machine->test, access->region->location);
    bool managed = run->machine->test->locations[root].memory == MEMORY_MANAGED;
    if (managed && place->host != NONE && has_exclusive_managed(run) &&
        !may_touch_managed(run, access->lane))
        return false;
    return may_touch(run, access->lane, root);
}

bool api_leaves_alone(const struct machine *machine, uint32_t location)
{
    uint32_t root = root_of(machine->test, location);
    bool managed = machine->test->locations[root].memory == MEMORY_MANAGED &&
                   !machine->test->host->platform.concurrent_managed_access;
    return !managed && !has_call(machine, root, allocates) && !has_call(machine, root, frees);
}
