/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/weak_runs.h"

#include <glib.h>
#include <string.h>

#include "model/machine/setup/setup.h"

/* Micros of lanes that all runs may take. */
enum { MOST_WEAK_STEPS = 1 << 27 };

/* Do the buffers of the launch hold the same? */
static bool same_buffers(const struct grid *grid, const struct grid_result *result,
                         const uint8_t *a, const uint8_t *b)
{
    const struct launch *launch = &grid->test->launches[grid->launch];
    for (uint32_t i = 0; i < result->machine->region_count; i++) {
        const struct region *region = &result->machine->regions[i];
        for (uint32_t k = 0; k < launch->arg_count; k++)
            if (launch->args[k].location != NONE && launch->args[k].location == region->location &&
                memcmp(a + region->memory, b + region->memory, region->bytes))
                return false;
    }
    return true;
}

static void count_outcome(const struct grid *grid, struct grid_result *to,
                          const struct grid_result *run)
{
    struct arena *arena = to->reports.arena;
    for (uint32_t i = 0; i < to->outcomes.len; i++)
        if (same_buffers(grid, to, to->outcomes.at[i].memory, run->memory)) {
            to->outcomes.at[i].runs++;
            return;
        }
    if (to->outcomes.len == GRID_OUTCOMES)
        return;
    uint8_t *memory = arena_alloc(arena, run->machine->memory_bytes + 1);
    memcpy(memory, run->memory, run->machine->memory_bytes);
    vec_push(arena, &to->outcomes, ((struct grid_outcome){1, grid->schedule, memory}));
}

/* What is wrong in the run. */
static void add_reports(const struct grid *grid, struct grid_result *to,
                        const struct grid_result *run)
{
    for (uint32_t i = 0; i < run->reports.items.len; i++) {
        struct machine_report report = run->reports.items.at[i];
        if (report_is_race(report.id) && !grid->options->races)
            continue;
        if (!report_is_known(&to->reports, &report))
            report.text = arena_printf(to->reports.arena, "%s; in run %u of seed %llu", report.text,
                                       grid->schedule, (unsigned long long)grid->options->seed);
        report_add(&to->reports, &report);
    }
}

/* Adds what run number grid->schedule gives. False: no further run. */
static bool run_weak(struct grid *grid, struct grid_result *to)
{
    struct arena *scratch = arena_new();
    struct diag_list diags = {.arena = scratch};
    const struct grid_result *run = grid_attempt(scratch, grid, &diags);
    bool good = run && run->done;
    if (run) {
        add_reports(grid, to, run);
        to->instructions += run->instructions;
        to->steps += run->steps;
        to->hung += run->hang;
        to->hang = to->hung > 0;
    }
    if (good)
        count_outcome(grid, to, run);
    to->schedules += good;
    arena_free(scratch);
    return run && (!grid->deadline || g_get_monotonic_time() < grid->deadline);
}

struct grid_result *weak_runs(struct arena *arena, struct grid *grid, struct diag_list *diags)
{
    struct grid_result *result = ARENA_NEW(arena, struct grid_result);
    result->reports.arena = arena;
    result->machine =
        machine_new_cluster(arena, grid->test, grid->launch, &grid->options->machine, diags);
    if (!result->machine)
        return NULL;
    uint32_t run = 1;
    for (bool goes_on = true; goes_on && run <= grid->options->weak_runs; run++) {
        grid->schedule = run;
        goes_on = run_weak(grid, result) && result->steps < MOST_WEAK_STEPS;
    }
    result->done = result->schedules == run - 1;
    result->bound = !result->done;
    result->clusters = result->schedules ? grid->total : 0;
    result->memory = result->outcomes.len ? result->outcomes.at[0].memory
                                          : arena_alloc(arena, result->machine->memory_bytes + 1);
    return result;
}
