/* SPDX-License-Identifier: MIT
 *
 * How long the tests of a report took: how many of them how long, and the slowest. */
#include <glib.h>

#include "cli/report/times.h"
#include "cli/show/json.h"

static const struct {
    const char *name;
    double below; /* milliseconds */
} ranges[] = {{"under 1 ms", 1},    {"1 to 10 ms", 10},   {"10 to 100 ms", 100},
              {"0.1 to 1 s", 1000}, {"1 to 10 s", 10000}, {"10 s and more", G_MAXDOUBLE}};
enum { RANGES = G_N_ELEMENTS(ranges), SLOWEST = 10 };

static double milliseconds(const json_t *test)
{
    return json_number_value(json_object_get(test, "milliseconds"));
}

static json_t *range_rows(const json_t *tests)
{
    int counts[RANGES] = {0}, most = 1;
    json_t *rows = json_array(), *test;
    size_t i;
    json_array_foreach((json_t *)tests, i, test)
    {
        size_t k = 0;
        while (k + 1 < RANGES && milliseconds(test) >= ranges[k].below)
            k++;
        counts[k]++;
        most = MAX(most, counts[k]);
    }
    for (size_t k = 0; k < RANGES; k++)
        json_array_append_new(rows, json_pack("{s:s, s:i, s:i}", "range", ranges[k].name, "tests",
                                              counts[k], "percent", 100 * counts[k] / most));
    return rows;
}

static gint slower(gconstpointer a, gconstpointer b)
{
    double x = milliseconds(*(json_t *const *)a), y = milliseconds(*(json_t *const *)b);
    return (x < y) - (x > y);
}

static json_t *slowest_rows(const json_t *tests)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    json_t *rows = json_array(), *test;
    size_t i;
    json_array_foreach((json_t *)tests, i, test) g_ptr_array_add(sorted, test);
    g_ptr_array_sort(sorted, slower);
    for (guint k = 0; k < sorted->len && k < SLOWEST; k++)
        json_array_append(rows, sorted->pdata[k]);
    return rows;
}

json_t *report_times(const json_t *tests)
{
    bool timed = false;
    for (size_t i = 0; i < json_array_size(tests); i++)
        timed |= json_is_number(json_object_get(json_array_get(tests, i), "milliseconds"));
    return timed ? json_pack("{s:o, s:o}", "ranges", range_rows(tests), "slowest",
                             slowest_rows(tests))
                 : NULL;
}
