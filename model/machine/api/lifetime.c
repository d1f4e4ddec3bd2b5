/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* When memory may be touched: from the end of its allocation to the start of its release; managed
 * memory by the host, on a platform without concurrent access, not while a kernel may be running.
 * "From" and "to" are what lanes know, so each such moment leaves a mark in the memory. */

enum { ALLOCATED = 1, FREED = 2, TOUCHED_EARLY = 4 };

/* Kinds of marks; their tokens carry a location or a task besides. */
enum { MARK_ALLOCATED, MARK_USED, MARK_MANAGED, MARK_ENDED };

static void mark(struct run *run, uint32_t lane, uint32_t kind, uint32_t index)
{
    run->memory->ops->mark(run, lane, kind << 24 | index);
}

static bool knows(struct run *run, uint32_t lane, uint32_t kind, uint32_t index)
{
    return run->memory->ops->knows_marks(run, lane, kind << 24 | index);
}

/* A memory that keeps no marks watches nothing. */
static bool is_watched(const struct run *run)
{
    return run->machine->api && run->memory->ops->mark;
}

static bool has_exclusive_managed(const struct run *run)
{
    return !api_of(run)->test->host->platform.concurrent_managed_access;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Does a call allocate the block, or free it? */
static bool has_call(const struct machine *machine, uint32_t root, enum host_subject subject)
{
    const struct host_program *host = machine->test->host;
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host->calls[i].row->subject == subject &&
            test_root_location(machine->test, host->calls[i].to.location) == root)
            return true;
    return false;
}

static bool report(struct run *run, uint32_t lane, uint32_t root, enum report_id id)
{
    run_report(run, lane, id, "'%s' is touched where it %s",
               run->machine->test->locations[root].name,
               id == REPORT_USE_AFTER_FREE ? "may be freed" : "need not be allocated");
    return false;
}

/* Reports an access to memory that is not allocated as far as the lane knows, or that was freed. */
static bool may_touch(struct run *run, uint32_t lane, uint32_t root)
{
    uint64_t *state = api_set(run, API_LIFETIME, root);
    if (has_call(run->machine, root, HOST_SUBJECT_ALLOCATION) && !(*state & ALLOCATED))
        *state |= TOUCHED_EARLY; /* an error if it is allocated after this */
    else if (!knows(run, lane, MARK_ALLOCATED, root))
        return report(run, lane, root, REPORT_USE_BEFORE_ALLOC);
    if (*state & FREED)
        return report(run, lane, root, REPORT_USE_AFTER_FREE);
    if (has_call(run->machine, root, HOST_SUBJECT_RELEASE))
        mark(run, lane, MARK_USED, root);
    return true;
}

void api_lifetime_begin(struct run *run, uint32_t lane, const struct host_call *call)
{
    if (!is_watched(run) || call->row->subject != HOST_SUBJECT_ALLOCATION)
        return;
    uint32_t root = test_root_location(run->machine->test, call->to.location);
    uint64_t *state = api_set(run, API_LIFETIME, root);
    mark(run, lane, MARK_ALLOCATED, root);
    if (*state & TOUCHED_EARLY)
        report(run, lane, root, REPORT_USE_BEFORE_ALLOC);
    *state |= ALLOCATED;
}

void api_lifetime_end(struct run *run, uint32_t lane, const struct host_call *call)
{
    if (!is_watched(run) || call->row->subject != HOST_SUBJECT_RELEASE)
        return;
    uint32_t root = test_root_location(run->machine->test, call->to.location);
    if (!knows(run, lane, MARK_USED, root))
        report(run, lane, root, REPORT_USE_AFTER_FREE);
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
    EACH_MEMBER(task, api_of(run), api_set(run, API_STARTED, 0)) {
        if (api_task_is_kernel(run, task) &&
            (!set_has(ended, task) || !knows(run, lane, MARK_ENDED, task)))
            return report_managed(run, lane);
    }
    mark(run, lane, MARK_MANAGED, 0);
    return true;
}

void api_lifetime_of_kernel(struct run *run, uint32_t task, bool ends)
{
    uint32_t driver = api_task(run, task)->driver;
    if (!is_watched(run) || !has_exclusive_managed(run) || !api_task_is_kernel(run, task))
        return;
    if (ends)
        mark(run, driver, MARK_ENDED, task);
    else if (!knows(run, driver, MARK_MANAGED, 0))
        report_managed(run, driver);
}

/* ---- accesses ------------------------------------------------------------------------------- */

bool api_note_access(struct run *run, const struct memory_access *access)
{
    const struct lane_place *place = &run->machine->lanes[access->lane];
    if (!is_watched(run) || !access->region)
        return true;
    uint32_t root = test_root_location(run->machine->test, access->region->location);
    bool managed = run->machine->test->locations[root].memory == MEMORY_MANAGED;
    if (managed && place->host != NONE && has_exclusive_managed(run) &&
        !may_touch_managed(run, access->lane))
        return false;
    return may_touch(run, access->lane, root);
}

bool api_leaves_alone(const struct machine *machine, uint32_t location)
{
    uint32_t root = test_root_location(machine->test, location);
    bool managed = machine->test->locations[root].memory == MEMORY_MANAGED &&
                   !machine->test->host->platform.concurrent_managed_access;
    return !managed && !has_call(machine, root, HOST_SUBJECT_ALLOCATION) &&
           !has_call(machine, root, HOST_SUBJECT_RELEASE);
}
