/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "model/machine/race/clock.h"

/* Clocks that are joined and added to at random know what plain arrays of times know. */

enum { KEYS = 700, CLOCKS = 12, STEPS = 4000 };

struct known {
    struct clock *clock;
    uint32_t times[KEYS];
};

static void check(const struct known *known)
{
    for (uint32_t key = 0; key < KEYS; key++)
        g_assert_cmpuint(clock_time(known->clock, CLOCK_WARP(key)), ==, known->times[key]);
}

static void set(struct known *to, struct clock *clock)
{
    clock_unref(to->clock);
    to->clock = clock;
}

static void add_entries(GRand *random, struct known *to, uint32_t time)
{
    struct clock_entry entries[3];
    uint32_t key = (uint32_t)g_rand_int_range(random, 0, KEYS / 3);
    for (uint32_t i = 0; i < 3; i++, key += (uint32_t)g_rand_int_range(random, 1, KEYS / 3)) {
        uint32_t when = (uint32_t)g_rand_int_range(random, 0, (gint32)time);
        entries[i] = (struct clock_entry){CLOCK_WARP(key), when};
        to->times[key] = MAX(to->times[key], when);
    }
    set(to, clock_with(to->clock, entries, 3));
}

static void join(struct known *to, const struct known *from)
{
    for (uint32_t key = 0; key < KEYS; key++)
        to->times[key] = MAX(to->times[key], from->times[key]);
    set(to, clock_join(to->clock, from->clock));
}

static void same_as_arrays(void)
{
    struct known *known = g_new0(struct known, CLOCKS);
    GRand *random = g_rand_new_with_seed(1);
    for (uint32_t step = 1; step <= STEPS; step++) {
        struct known *to = &known[g_rand_int_range(random, 0, CLOCKS)];
        if (g_rand_int_range(random, 0, 3))
            add_entries(random, to, step);
        else if (g_rand_int_range(random, 0, 20))
            join(to, &known[g_rand_int_range(random, 0, CLOCKS)]);
        else {
            set(to, NULL);
            *to = (struct known){0};
        }
        check(to);
    }
    for (uint32_t i = 0; i < CLOCKS; i++)
        clock_unref(known[i].clock);
    g_rand_free(random);
    g_free(known);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/machine/clock/same-as-arrays", same_as_arrays);
    return g_test_run();
}
