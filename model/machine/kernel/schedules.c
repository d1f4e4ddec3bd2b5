/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/schedules.h"

#include <glib.h>

#include "model/machine/core/place.h"
#include "model/machine/kernel/directed.h"
#include "model/machine/kernel/disturbed.h"
#include "model/machine/setup/setup.h"

enum {
    CHEAP = 1 << 23, /* micros of lanes that may be spent on other schedules in any case */
    MOST_TIMES =
        2, /* and so many times what the first took on drawn ones; as much as it took on predicted races */
    MOST = 63,      /* drawn schedules */
    TINY = 1 << 12, /* steps of a launch that has more of them, as they cost nothing */
    MOST_TINY = 255,
    MOST_HUNG = 15,  /* of a launch that hangs: most steps of each go to find that out */
    SHORT = 1 << 16, /* steps of a launch whose drawn schedules predict races, too */
    DEEPEST = 12,    /* steps that synchronize behind an access at which its thread is held */
    WEAK = 1 << 16,  /* number of the first schedule on weak memory */
};

static bool is_late(const struct grid *grid)
{
    return grid->deadline && g_get_monotonic_time() >= grid->deadline;
}

/* What the schedule found that no earlier one did. 'how' it differs, or "". */
static void add_races(struct grid_result *to, const struct grid_result *from,
                      const struct grid *grid, const char *how)
{
    for (uint32_t i = 0; i < from->reports.items.len; i++) {
        struct machine_report report = from->reports.items.at[i];
        if (!report_is_race(report.id) || report_is_known(&to->reports, &report))
            continue;
        report.text = arena_printf(to->reports.arena, "%s; confirmed by schedule %u of seed %llu%s",
                                   report.text, grid->schedule + 1,
                                   (unsigned long long)grid->options->seed, how);
        report_add(&to->reports, &report);
    }
}

/* ---- drawn schedules ----------------------------------------------------------------------- */

static uint32_t most_schedules(const struct grid_result *first)
{
    return first->steps < TINY ? MOST_TINY : MOST;
}

/* How many behind the first. */
static uint32_t schedules_worth(const struct grid_result *first)
{
    if (first->hang)
        return MOST_HUNG;
    uint32_t fewest = first->steps > CHEAP ? 1 : 2;
    return (uint32_t)CLAMP(CHEAP / (first->steps + 1), fewest, most_schedules(first));
}

/* Runs schedule grid->schedule, of so many steps at most; gives those that it took. 'how' it differs, or "". */
static uint64_t run_one(struct grid *grid, struct grid_result *result, uint64_t most,
                        const char *how)
{
    struct arena *scratch = arena_new();
    struct diag_list diags = {.arena = scratch};
    grid->most_steps = most;
    const struct grid_result *other = grid_attempt(scratch, grid, &diags);
    uint64_t steps = other ? MIN(other->steps, most) : most;
    result->schedules += other && other->done;
    if (other)
        add_races(result, other, grid, how);
    arena_free(scratch);
    return steps;
}

static void run_drawn(struct grid *grid, struct grid_result *result)
{
    struct predictions *predictions = grid->predictions;
    uint32_t count = schedules_worth(result);
    uint64_t left = MOST_TIMES * result->steps + CHEAP;
    predictions->first_only = true;
    grid->predictions = result->steps < SHORT && !result->hang ? predictions : NULL;
    for (uint32_t i = 1; i <= count && left && !is_late(grid); i++) {
        grid->schedule = i;
        left -= run_one(grid, result, left, "");
    }
    grid->predictions = predictions;
}

/* ---- predicted races ----------------------------------------------------------------------- */

static bool is_found(const struct grid_result *result, const struct predicted_race *predicted)
{
    for (uint32_t i = 0; i < result->reports.items.len; i++)
        if (report_is_race(result->reports.items.at[i].id) &&
            result->reports.items.at[i].id != REPORT_IMPLICIT_WARP_SYNC &&
            result->reports.items.at[i].lines == predicted->report.lines)
            return true;
    return false;
}

/* Runs a schedule. False: a bound was reached before its end. */
static bool try_direction(struct grid *grid, struct grid_result *result,
                          struct direction *direction, uint64_t *left)
{
    struct arena *scratch = arena_new();
    struct diag_list diags = {.arena = scratch};
    grid->most_steps = MIN(*left, MOST_TIMES * result->steps + CHEAP / 16);
    grid->direction = direction;
    grid->schedule++;
    const struct grid_result *other = grid_attempt(scratch, grid, &diags);
    bool told = other && !other->bound;
    if (direction->done) {
        machine_move_cluster(result->machine, direction->held.cluster);
        const char *name = run_lane_name(scratch, result->machine, direction->held.lane);
        add_races(result, other, grid, arena_printf(scratch, ", which holds %s back", name));
    }
    result->schedules += direction->done;
    *left -= other ? MIN(other->steps, *left) : *left;
    grid->direction = NULL;
    arena_free(scratch);
    return told;
}

/* The first one late or the second one early, in clusters that start before others, or in the usual order.
 * False: a bound was reached before that could be told. */
static bool try_before(struct grid *grid, struct grid_result *result,
                       const struct predicted_race *predicted, uint64_t *left)
{
    const struct direction directions[] = {
        {.held = predicted->first, .goal = predicted->second, .starts = true},
        {.held = predicted->second, .goal = predicted->first, .starts = true},
        {.held = predicted->first, .goal = predicted->second}};
    uint32_t count = grid->total > 1 ? 3 : 2;
    bool told = true;
    for (uint32_t i = 0; i < count && told && !is_found(result, predicted); i++) {
        struct direction direction = directions[i];
        told = *left && !is_late(grid) && try_direction(grid, result, &direction, left);
    }
    return told;
}

/* The thread of 'held' goes on behind its access, one step that synchronizes after the other, until
 * that of 'goal' comes to its own: what the former has done by then is all that may order the two, and no
 * fence behind it. */
static void try_behind(struct grid *grid, struct grid_result *result,
                       const struct predicted_race *predicted, struct direction first,
                       uint64_t *left)
{
    bool goes_on = true;
    for (uint32_t beyond = 1;
         beyond <= DEEPEST && goes_on && *left && !is_late(grid) && !is_found(result, predicted);
         beyond++) {
        struct direction direction = first;
        direction.beyond = beyond;
        goes_on =
            try_direction(grid, result, &direction, left) && direction.holds && !direction.reached;
    }
}

static void try_all_behind(struct grid *grid, struct grid_result *result,
                           const struct predicted_race *predicted, uint64_t *left)
{
    for (uint32_t i = 0; i < 4; i++) {
        bool swap = i & 1;
        try_behind(grid, result, predicted,
                   (struct direction){.held = swap ? predicted->second : predicted->first,
                                      .goal = swap ? predicted->first : predicted->second,
                                      .starts = true,
                                      .goal_first = i < 2},
                   left);
    }
}

/* Every predicted race is run, or said to be possible where that takes too long and nothing that a thread
 * reads could keep it from happening. */
static void run_predicted(struct grid *grid, struct grid_result *result)
{
    const struct predictions *predictions = grid->predictions;
    bool decides = program_decides(result->reports.arena, machine_program(result->machine, 0));
    uint64_t left = result->steps + CHEAP / 4;
    grid->schedule = MOST_TINY; /* behind those that any launch may have */
    for (uint32_t i = 0; i < predictions->items.len; i++) {
        const struct predicted_race *predicted = &predictions->items.at[i];
        if (!is_found(result, predicted) && !try_before(grid, result, predicted, &left) && !decides)
            report_add(&result->reports, &predicted->report);
    }
    for (uint32_t i = 0; i < predictions->items.len && decides && left; i++)
        if (!is_found(result, &predictions->items.at[i]))
            try_all_behind(grid, result, &predictions->items.at[i], &left);
    result->cut = predictions->cut || (decides && !left);
}

/* ---- weak memory --------------------------------------------------------------------------- */

/* What a thread reads decides what it accesses, and it may read an old value: schedules in which it does show races on
 * paths that no interleaving takes. Lanes go one by one there, so there are fewer of them. */
static void run_weak(struct grid *grid, struct grid_result *result)
{
    struct arena *scratch = arena_new();
    bool decides = program_decides(scratch, machine_program(result->machine, 0));
    uint64_t left = CHEAP / 8;
    uint32_t count = decides && !result->hang
                         ? (uint32_t)MIN(left / (result->steps + 1), most_schedules(result))
                         : 0;
    arena_free(scratch);
    grid->predictions = NULL;
    grid->weak = true;
    for (uint32_t i = 0; i < count && left && !is_late(grid); i++) {
        grid->schedule = WEAK + i;
        left -= run_one(grid, result, left, ", in which loads return old values");
    }
    grid->weak = false;
}

void schedules_run(struct grid *grid, struct grid_result *result)
{
    if (!disturbed_differs(machine_program(result->machine, 0)))
        return;
    run_drawn(grid, result);
    run_predicted(grid, result);
    run_weak(grid, result);
}
