/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* When memory may be touched: from the end of its allocation to the start of its release; managed
 * memory by the host, on a platform without concurrent access, not while a kernel may be running.
 * "From" and "to" are what lanes know, so each such moment leaves a mark in the memory. */

/* RENEWED: allocated once more after it was freed. */
enum {
    ALLOCATED = 1,
    FREED = 2,
    TOUCHED_EARLY = 4,
    FREE_CALLED = 8,
    LAUNCHED = 16,
    RESET = 32,
    RENEWED = 64
};

/* Kinds of marks; their tokens carry a location or a task besides. */
enum { MARK_ALLOCATED, MARK_USED, MARK_MANAGED, MARK_ENDED, MARK_SET };

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

/* Does a call end the block: its release, or that of all that the device holds? */
static bool may_end(const struct machine *machine, uint32_t root)
{
    const struct host_program *host = machine->test->host;
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host->calls[i].row->subject == HOST_SUBJECT_RESET)
            return true;
    return has_call(machine, root, HOST_SUBJECT_RELEASE);
}

static bool report(struct run *run, uint32_t lane, uint32_t root, enum report_id id)
{
    run_report(run, lane, id, "'%s' is touched where it %s",
               run->machine->test->locations[root].name,
               id == REPORT_USE_AFTER_FREE ? "may be freed" : "need not be allocated");
    return false;
}

/* Reports an access to memory that is not allocated as far as the lane knows, or that was freed, or both. */
static bool may_touch(struct run *run, uint32_t lane, uint32_t root)
{
    uint64_t *state = api_set(run, API_LIFETIME, root);
    bool good = true, fresh = true;
    if (has_call(run->machine, root, HOST_SUBJECT_ALLOCATION) && !(*state & ALLOCATED))
        *state |= TOUCHED_EARLY; /* an error if it is allocated after this */
    else if (!(fresh = knows(run, lane, MARK_ALLOCATED, root)))
        good = report(run, lane, root, REPORT_USE_BEFORE_ALLOC);
    if (*state & FREED || (!fresh && *state & RENEWED))
        good = report(run, lane, root, REPORT_USE_AFTER_FREE);
    if (good && may_end(run->machine, root))
        mark(run, lane, MARK_USED, root);
    return good;
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
    if (*state & FREED && *state & ALLOCATED)
        *state |= RENEWED;
    if (*state & ALLOCATED) /* again: a block that is freed before it was ever allocated stays so */
        *state &= ~(uint64_t)(FREED | RESET);
    *state |= ALLOCATED;
}

static void end_block(struct run *run, uint32_t lane, uint32_t root)
{
    if (!knows(run, lane, MARK_USED, root))
        report(run, lane, root, REPORT_USE_AFTER_FREE);
    *api_set(run, API_LIFETIME, root) |= FREED;
}

void api_lifetime_end(struct run *run, uint32_t lane, const struct host_call *call)
{
    if (!is_watched(run) || call->row->subject != HOST_SUBJECT_RELEASE)
        return;
    end_block(run, lane, test_root_location(run->machine->test, call->to.location));
}

bool api_lifetime_is_over(const struct run *run, const struct host_call *call)
{
    uint32_t root = call->to.location == NONE
                        ? NONE
                        : test_root_location(run->machine->test, call->to.location);
    return call->row->subject == HOST_SUBJECT_RELEASE &&
           *api_set(run, API_LIFETIME, root) & FREE_CALLED;
}

void api_lifetime_call(struct run *run, const struct host_call *call)
{
    if (call->row->subject == HOST_SUBJECT_RELEASE)
        *api_set(run, API_LIFETIME, test_root_location(run->machine->test, call->to.location)) |=
            FREE_CALLED;
}

/* ---- blocks of graphs ----------------------------------------------------------------------- */

static uint32_t root_of(const struct run *run, const struct api_node *node)
{
    return test_root_location(run->machine->test, node->call->to.location);
}

bool api_lifetime_may_launch(const struct run *run, uint32_t graph)
{
    const struct api_graph *shape = api_graph_at(api_of(run)->graphs, graph);
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct api_node *node = &shape->nodes[i];
        if (node->child != NONE && !api_lifetime_may_launch(run, node->child))
            return false;
        if (node->call->row->subject != HOST_SUBJECT_ALLOCATION)
            continue;
        uint64_t state = *api_set(run, API_LIFETIME, root_of(run, node));
        if (state & LAUNCHED && !(state & FREE_CALLED))
            return false;
    }
    return true;
}

void api_lifetime_launch(struct run *run, uint32_t graph, uint32_t fork)
{
    const struct api_graph *shape = api_graph_at(api_of(run)->graphs, graph);
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct api_node *node = &shape->nodes[i];
        if (node->child != NONE)
            api_lifetime_launch(run, node->child, fork);
        if (node->call->row->subject == HOST_SUBJECT_RELEASE)
            *api_set(run, API_LIFETIME, root_of(run, node)) |= FREE_CALLED;
        if (node->call->row->subject != HOST_SUBJECT_ALLOCATION)
            continue;
        uint64_t *state = api_set(run, API_LIFETIME, root_of(run, node));
        if (*state & LAUNCHED && !(*state & FREE_CALLED))
            *api_set(run, API_FREED_BY, root_of(run, node)) = 1 + fork;
        *state = (*state & ~(uint64_t)FREE_CALLED) | LAUNCHED;
    }
}

void api_lifetime_of_launch(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    for (uint32_t root = 0; t->call->row->subject == HOST_SUBJECT_GRAPH && is_watched(run) &&
                            root < run->machine->test->location_count;
         root++) {
        uint64_t *freed = api_set(run, API_FREED_BY, root);
        if (*freed != 1 + task)
            continue;
        *freed = 0;
        end_block(run, t->driver, root);
    }
}

void api_lifetime_of_device(struct run *run, uint32_t lane, uint32_t device)
{
    const struct api *api = api_of(run);
    for (uint32_t i = 0; i < api->host->call_count; i++) {
        const struct host_call *call = &api->host->calls[i];
        if (!host_call_is(call, HOST_CHANGES, HOST_SUBJECT_ALLOCATION) ||
            api->calls[i].device != device)
            continue;
        uint32_t root = test_root_location(api->test, call->to.location);
        uint64_t *state = api_set(run, API_LIFETIME, root);
        if (is_watched(run) && *state & ALLOCATED && !(*state & FREED)) {
            end_block(run, lane, root);
            *state |= RESET;
        }
    }
}

bool api_lifetime_is_reset(const struct run *run, const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_RELEASE &&
           *api_set(run, API_LIFETIME, test_root_location(api_of(run)->test, call->to.location)) &
               RESET;
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

/* ---- memory of other devices ---------------------------------------------------------------- */

/* A kernel of the device may touch what the call says, and its own. */
static bool may_reach(struct run *run, uint32_t lane, uint32_t root)
{
    const struct test *test = run->machine->test;
    uint32_t task = run->machine->lanes[lane].task, device = host_memory_device(test, root);
    if (test->host->platform.peer_access || task == NONE || !api_task_is_kernel(run, task) ||
        device == NONE || device == api_task(run, task)->device ||
        *api_set(run, API_PEERS, api_task(run, task)->device) >> device & 1)
        return true;
    run_report(run, lane, REPORT_API_ILLEGAL_ADDRESS, "'%s' is memory of device %u",
               test->locations[root].name, device);
    return false;
}

/* ---- handles of conditional nodes ----------------------------------------------------------- */

static bool is_handle(const struct machine *machine, uint32_t location)
{
    return has_call(machine, location, HOST_SUBJECT_HANDLE);
}

/* Reports a set that does not come after every earlier one, as far as the lane knows. */
static void note_set(struct run *run, uint32_t lane, uint32_t root)
{
    if (!knows(run, lane, MARK_SET, root))
        run_report(run, lane, REPORT_API_CONDITION_RACE, "'%s' is set by two kernels in no order",
                   run->machine->test->locations[root].name);
    mark(run, lane, MARK_SET, root);
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
    if (access->writes && is_handle(run->machine, root))
        note_set(run, access->lane, root);
    return may_reach(run, access->lane, root) && may_touch(run, access->lane, root);
}

bool api_leaves_alone(const struct machine *machine, uint32_t location)
{
    uint32_t root = test_root_location(machine->test, location);
    bool managed = machine->test->locations[root].memory == MEMORY_MANAGED &&
                   !machine->test->host->platform.concurrent_managed_access;
    bool reached = machine->test->host->platform.peer_access ||
                   machine->test->locations[root].memory != MEMORY_DEVICE;
    return !managed && reached && !is_handle(machine, root) &&
           !has_call(machine, root, HOST_SUBJECT_ALLOCATION) &&
           !has_call(machine, root, HOST_SUBJECT_RELEASE);
}
