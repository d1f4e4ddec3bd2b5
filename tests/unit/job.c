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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/job/time", questions_share_the_time_of_the_test);
    return g_test_run();
}
