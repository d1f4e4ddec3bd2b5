/* SPDX-License-Identifier: MIT */
#include "tests/agree/detect.h"

#include "model/machine/race/race.h"
#include "model/machine/search/schedule.h"
#include "model/machine/setup/setup.h"
#include "model/machine/memory/sc.h"

bool detect_races(struct arena *arena, const struct test *test, uint32_t schedules,
                  const char **report)
{
    struct diag_list diags = {.arena = arena};
    struct machine_options options = {.max_steps = 100000};
    struct machine *machine = machine_new(arena, test, &options, &diags);
    *report = NULL;
    if (!machine)
        return false;
    struct report_list reports = {.arena = arena};
    struct run run = {.machine = machine,
                      .reports = &reports,
                      .memory = memory_sc_new(arena, machine),
                      .state = arena_alloc(arena, machine->state_bytes + 1)};
    struct race_detector *race = race_new(machine);
    struct histogram histogram = {.set = {.test = test, .arena = arena}};
    memory_sc_watch(run.memory, race);
    schedule_histogram(&histogram, scheduler_new(machine), &run,
                       &(struct histogram_options){.seed = 1, .runs = schedules});
    for (uint32_t i = 0; i < reports.items.len && !*report; i++)
        if (report_is_race(reports.items.at[i].id))
            *report = arena_printf(arena, "%s: %s", report_name(reports.items.at[i].id),
                                   reports.items.at[i].text);
    race_free(race);
    return true;
}
