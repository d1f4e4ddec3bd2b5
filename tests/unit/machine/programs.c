/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "model/machine/kernel/grid.h"
#include "model/machine/race/race.h"
#include "model/machine/search/schedule.h"
#include "tests/unit/machine/program.h"
#include "model/machine/setup/setup.h"
#include "tests/unit/machine/reports.h"
#include "model/machine/memory/sc.h"

/* Vectors 1 to 3 of lane-semantics section 14 on the bundled programs, and the sums of whole grids.
 */

struct ran {
    bool done;
    struct report_list reports;
    uint32_t *out;
    uint32_t generations; /* of barrier 0 of the first CTA, lane by lane */
};

static struct ran on_grid(struct arena *arena, const struct program_launch *l, bool races,
                          uint32_t threads)
{
    struct diag_list diags = {.arena = arena};
    const struct test *test = program_test(arena, l);
    const struct grid_options options = {.races = races, .threads = threads};
    struct grid_result *result = grid_run(arena, test, 0, &options, &diags);
    g_assert_nonnull(result);
    struct ran ran = {.done = result->done, .reports = result->reports};
    ran.out = arena_alloc(arena, l->out_words * 4);
    memcpy(ran.out, grid_location(result, test->location_count - 1), l->out_words * 4);
    return ran;
}

static struct ran by_lanes(struct arena *arena, const struct program_launch *l, bool lockstep,
                           uint64_t seed)
{
    struct diag_list diags = {.arena = arena};
    const struct test *test = program_test(arena, l);
    const struct machine_options options = {.mode = lockstep ? MACHINE_LOCKSTEP : MACHINE_ITS};
    struct machine *machine = machine_new(arena, test, &options, &diags);
    struct ran ran = {.reports.arena = arena};
    struct random_chooser random;
    schedule_random(&random, seed);
    struct run run = {.machine = machine,
                      .memory = memory_sc_new(arena, machine),
                      .reports = &ran.reports,
                      .chooser = &random.chooser,
                      .state = arena_alloc(arena, machine->state_bytes + 1)};
    struct race_detector *race = race_new(machine);
    memory_sc_watch(run.memory, race);
    ran.done = schedule_run(scheduler_new(machine), &run) == RUN_DONE;
    ran.generations = run_barrier(&run, 0, 0)->generation;
    uint8_t *bytes = arena_alloc(arena, machine->memory_bytes);
    run.memory->ops->final(&run, bytes);
    for (uint32_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].location == test->location_count - 1)
            ran.out = (uint32_t *)(void *)(bytes + machine->regions[i].memory);
    race_free(race);
    return ran;
}

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

static uint32_t *counting(struct arena *arena, uint32_t count, bool ones)
{
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        words[i] = bits(ones ? 1.0f : (float)(i + 1));
    return words;
}

/* Also: one generation of the barrier before the loop, and one a step. */
static void sum_is(uint32_t grid, uint32_t block, uint32_t n, bool ones, uint32_t cta, float sum)
{
    uint32_t steps = 0;
    for (uint32_t stride = block / 2; stride; stride /= 2)
        steps++;
    struct arena *arena = arena_new();
    uint32_t words = grid * block;
    const struct program_launch l = {"blocksum.ptx", grid, block, counting(arena, words, ones),
                                     words,          grid, n,     0};
    struct ran grid_ran = on_grid(arena, &l, true, 1), lanes = by_lanes(arena, &l, false, 5);
    g_assert_true(grid_ran.done && lanes.done);
    g_assert_cmpuint(grid_ran.reports.items.len + lanes.reports.items.len, ==, 0);
    g_assert_cmphex(grid_ran.out[cta], ==, bits(sum));
    g_assert_cmphex(lanes.out[cta], ==, bits(sum));
    g_assert_cmpuint(lanes.generations, ==, 1 + steps);
    arena_free(arena);
}

static void small_sums(void)
{
    sum_is(1, 8, 8, false, 0, 36);
    sum_is(1, 8, 5, false, 0, 15);
    sum_is(2, 8, 12, true, 0, 8);
    sum_is(2, 8, 12, true, 1, 4);
    sum_is(1, 1, 1, false, 0, 1);
    sum_is(1, 6, 6, false, 0, 12); /* strides 3 and 1: wrong, and no race */
}

static void block_of_512_leaves_the_array(void)
{
    struct arena *arena = arena_new();
    const struct program_launch l = {
        "blocksum.ptx", 1, 512, counting(arena, 512, true), 512, 1, 512, 0};
    struct ran ran = on_grid(arena, &l, false, 1);
    g_assert_false(ran.done);
    g_assert_true(report_has(&ran.reports, REPORT_SHARED_OOB));
    arena_free(arena);
}

static void without_barrier(uint32_t block, bool between_warps)
{
    struct arena *arena = arena_new();
    const struct program_launch l = {
        "blocksum-no-barrier.ptx", 1, block, counting(arena, block, true), block, 1, block, 0};
    struct ran ran = on_grid(arena, &l, true, 1);
    g_assert_cmpint(report_has(&ran.reports, REPORT_IMPLICIT_WARP_SYNC), ==, !between_warps);
    g_assert_cmpint(report_has(&ran.reports, REPORT_DATA_RACE), ==, between_warps);
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct ran its = by_lanes(arena, &l, false, seed),
                   lockstep = by_lanes(arena, &l, true, seed);
        g_assert_true(report_has(&its.reports, REPORT_IMPLICIT_WARP_SYNC) ||
                      report_has(&its.reports, REPORT_DATA_RACE));
        if (!between_warps)
            g_assert_false(report_has(&its.reports, REPORT_DATA_RACE));
        g_assert_false(report_has(&lockstep.reports, REPORT_IMPLICIT_WARP_SYNC));
    }
    arena_free(arena);
}

static void missing_barrier_is_named(void)
{
    without_barrier(128, true);
    without_barrier(64, false);
    without_barrier(32, false);
}

static void divergent_barrier_is_named(void)
{
    struct arena *arena = arena_new();
    const struct program_launch l = {
        "blocksum-divergent.ptx", 1, 128, counting(arena, 128, true), 128, 1, 128, 0};
    struct ran ran = on_grid(arena, &l, false, 1);
    g_assert_true(report_has(&ran.reports, REPORT_BARRIER_AFTER_PARTIAL_EXIT));
    arena_free(arena);
}

static void small_histogram(void)
{
    static const uint32_t data[] = {0, 1, 1, 3};
    struct arena *arena = arena_new();
    const struct program_launch l = {"histogram.ptx", 1, 4, data, 4, 4, 4, 0};
    const struct program_launch idle = {"histogram.ptx", 1, 4, data, 4, 4, 3, 0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct ran ran = by_lanes(arena, &l, false, seed);
        g_assert_cmpuint(ran.reports.items.len, ==, 0);
        g_assert_true(ran.out[0] == 1 && ran.out[1] == 2 && ran.out[2] == 0 && ran.out[3] == 1);
    }
    g_assert_cmpuint(by_lanes(arena, &idle, false, 1).out[3], ==, 0);
    arena_free(arena);
}

static void plain_histogram_loses_counts(void)
{
    static const uint32_t data[] = {0, 1, 1, 3};
    struct arena *arena = arena_new();
    const struct program_launch l = {"histogram-plain.ptx", 1, 4, data, 4, 4, 4, 0};
    bool seen[3] = {false};
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct ran ran = by_lanes(arena, &l, false, seed);
        g_assert_true(report_has(&ran.reports, REPORT_IMPLICIT_WARP_SYNC));
        g_assert_cmpuint(ran.out[1], <=, 2);
        seen[ran.out[1]] = true;
    }
    g_assert_true(seen[1] && seen[2]);
    arena_free(arena);
}

static void whole_blocksum(void)
{
    enum { GRID = 4096, BLOCK = 256 };
    struct arena *arena = arena_new();
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, GRID * BLOCK);
    for (uint32_t i = 0; i < GRID * BLOCK; i++)
        in[i] = bits((float)(i / BLOCK % 100));
    const struct program_launch l = {"blocksum.ptx", GRID, BLOCK,        in,
                                     GRID * BLOCK,   GRID, GRID * BLOCK, 0};
    struct ran one = on_grid(arena, &l, true, 1), two = on_grid(arena, &l, false, 2);
    g_assert_cmpuint(one.reports.items.len + two.reports.items.len, ==, 0);
    for (uint32_t i = 0; i < GRID; i++) {
        g_assert_cmphex(one.out[i], ==, bits((float)(i % 100 * BLOCK)));
        g_assert_cmphex(two.out[i], ==, one.out[i]);
    }
    arena_free(arena);
}

static void whole_histogram(const char *file, uint32_t grid)
{
    enum { N = 1 << 20, BINS = 256 };
    struct arena *arena = arena_new();
    uint32_t *in = ARENA_ARRAY(arena, uint32_t, N), bins[BINS] = {0};
    for (uint32_t i = 0; i < N; i++)
        bins[in[i] = (i * 2654435761u >> 13) % BINS]++;
    const struct program_launch l = {file, grid, 256, in, N, BINS, N, BINS};
    struct ran one = on_grid(arena, &l, true, 1), two = on_grid(arena, &l, false, 2);
    g_assert_cmpuint(one.reports.items.len + two.reports.items.len, ==, 0);
    g_assert_cmpmem(one.out, sizeof bins, bins, sizeof bins);
    g_assert_cmpmem(two.out, sizeof bins, bins, sizeof bins);
    arena_free(arena);
}

static void whole_histograms(void)
{
    whole_histogram("histogram.ptx", 4096);
    whole_histogram("histogram-shared.ptx", 64);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/machine/programs/small-sums", small_sums);
    g_test_add_func("/machine/programs/block-512", block_of_512_leaves_the_array);
    g_test_add_func("/machine/programs/missing-barrier", missing_barrier_is_named);
    g_test_add_func("/machine/programs/divergent-barrier", divergent_barrier_is_named);
    g_test_add_func("/machine/programs/small-histogram", small_histogram);
    g_test_add_func("/machine/programs/plain-histogram", plain_histogram_loses_counts);
    g_test_add_func("/machine/programs/whole-blocksum", whole_blocksum);
    g_test_add_func("/machine/programs/whole-histograms", whole_histograms);
    return g_test_run();
}
