/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/machine/kernel/grid.h"
#include "tests/unit/machine/program.h"

/* Lane-instructions a second of blockSum (256 threads, 4,096 blocks) on the sc memory, beside a
 * plain C loop that does the same arithmetic. Processor time, medians of five. */

enum { GRID = 4096, BLOCK = 256, ROUNDS = 5 };

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2];
}

/* The kernel's arithmetic: the same tree of additions, a block at a time. */
static float plain_sum(const float *in, float *out)
{
    float total = 0;
    for (uint32_t b = 0; b < GRID; b++) {
        float data[BLOCK];
        memcpy(data, in + (size_t)b * BLOCK, sizeof data);
        for (uint32_t stride = BLOCK / 2; stride; stride /= 2)
            for (uint32_t i = 0; i < stride; i++)
                data[i] += data[i + stride];
        out[b] = data[0];
        total += data[0];
    }
    return total;
}

static double time_plain(const float *in, float *check)
{
    static const int repeats = 20;
    double times[ROUNDS];
    float *out = g_new(float, GRID);
    for (int r = 0; r < ROUNDS; r++) {
        double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < repeats; i++)
            *check += plain_sum(in, out);
        times[r] = (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / repeats;
    }
    g_free(out);
    return median(times);
}

/* Time of the launch itself: a run of one empty block is taken off. */
static double time_grid(const struct program_launch *l, bool races, uint32_t threads,
                        clockid_t clock, uint64_t *instructions)
{
    double times[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        struct arena *arena = arena_new();
        struct diag_list diags = {.arena = arena};
        struct program_launch one = *l;
        one.grid = 1;
        const struct grid_options options = {.races = races, .threads = threads};
        const struct test *whole = program_test(arena, l), *single = program_test(arena, &one);
        double start = seconds(clock);
        const struct grid_result *result = grid_run(arena, whole, 0, &options, &diags);
        double middle = seconds(clock);
        grid_run(arena, single, 0, &options, &diags);
        times[r] = middle - start - (seconds(clock) - middle);
        *instructions = result->instructions;
        arena_free(arena);
    }
    return median(times);
}

int main(void)
{
    uint32_t *words = g_new(uint32_t, GRID * BLOCK);
    float one = 1, check = 0;
    for (uint32_t i = 0; i < GRID * BLOCK; i++)
        memcpy(&words[i], &one, 4);
    const struct program_launch l = {"blocksum.ptx", GRID, BLOCK,        words,
                                     GRID * BLOCK,   GRID, GRID * BLOCK, 0};
    uint64_t count = 0;
    double plain = time_plain((const float *)(void *)words, &check);
    double cpu = time_grid(&l, false, 1, CLOCK_PROCESS_CPUTIME_ID, &count);
    double races = time_grid(&l, true, 1, CLOCK_PROCESS_CPUTIME_ID, &count);
    double wall1 = time_grid(&l, false, 1, CLOCK_MONOTONIC, &count);
    double wall2 = time_grid(&l, false, 2, CLOCK_MONOTONIC, &count);
    printf("blocksum %u x %u: %.1f million lane-instructions\n", GRID, BLOCK, (double)count / 1e6);
    printf("one core: %.0f million a second, %.1f times the plain C loop (%.2f ms)\n",
           (double)count / cpu / 1e6, cpu / plain, plain * 1e3);
    printf("race detection: %.2f times slower\n", races / cpu);
    printf("two threads: %.2f times faster by the clock\n", wall1 / wall2);
    g_free(words);
    return check == 0;
}
