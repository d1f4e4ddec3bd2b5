/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/grid_lockstep.h"

#include "model/machine/core/place.h"
#include "model/machine/memory/sc.h"
#include "model/machine/race/race.h"
#include "model/machine/search/schedule.h"
#include "model/machine/setup/setup.h"

static void run_all(struct grid_result *result, struct run *run, bool races)
{
    struct race_detector *race = races ? race_new(run->machine) : NULL;
    struct random_chooser random;
    schedule_random(&random, schedule_seed(1, 0));
    run->chooser = &random.chooser;
    memory_sc_watch(run->memory, race);
    enum run_end end = schedule_run(scheduler_new(run->machine), run);
    result->done = end == RUN_DONE;
    result->hang = end == RUN_HANG;
    result->bound = end == RUN_BOUND;
    result->instructions = run->steps;
    result->schedules = 1;
    race_free(race);
}

struct grid_result *grid_run_lockstep(struct arena *arena, const struct test *test, uint32_t launch,
                                      const struct grid_options *options, struct diag_list *diags)
{
    struct machine *machine = machine_new(arena, test, &options->machine, diags);
    if (!machine)
        return NULL;
    struct grid_result *result = ARENA_NEW(arena, struct grid_result);
    result->machine = machine;
    result->reports.arena = arena;
    struct run run = {.machine = machine,
                      .memory = memory_sc_new(arena, machine),
                      .reports = &result->reports,
                      .state = arena_alloc(arena, machine->state_bytes + 1)};
    run_all(result, &run, options->races);
    result->clusters = result->done ? place_clusters(&test->launches[launch]) : 0;
    result->memory = arena_alloc(arena, machine->memory_bytes + 1);
    run.memory->ops->final(&run, result->memory);
    return result;
}
