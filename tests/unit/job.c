/* SPDX-License-Identifier: MIT */
#include "cli/answer/job.h"

#include <glib.h>

#include "cli/options/options.h"

/* What a test has used up, reading included, is gone for its next question. */
static void questions_share_the_time_of_the_test(void)
{
    struct options options;
    options_default(&options);
    struct job job = {.settings = &options.settings, .started = job_clock() - 5};
    options.settings.timeout = 10;
    double left = job_time_left(&job);
    g_assert_true(left > 0 && left <= 5);
    g_assert_true(job_solver_options(&job, false).timeout_seconds <= 5);
    options.settings.timeout = 3;
    left = job_time_left(&job);
    g_assert_true(left > 0 && left < 1e-3);
    options.settings.timeout = 0;
    g_assert_true(job_time_left(&job) == 0);
}

/* Who gives more time than usual wants more searched; less time is the clock's. */
static void rounds_get_more_with_more_time(void)
{
    struct options options;
    options_default(&options);
    struct job job = {.settings = &options.settings};
    unsigned usual = job_rounds_effort(&job);
    options.settings.timeout = 600;
    g_assert_cmpuint(job_rounds_effort(&job), ==, 10 * usual);
    options.settings.timeout = 1;
    g_assert_cmpuint(job_rounds_effort(&job), ==, usual);
    options.settings.timeout = 1e6;
    g_assert_cmpuint(job_rounds_effort(&job), ==, INT_MAX);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/job/time", questions_share_the_time_of_the_test);
    g_test_add_func("/job/rounds", rounds_get_more_with_more_time);
    return g_test_run();
}
