/* SPDX-License-Identifier: MIT */
#include "cli/report/times.h"

#include <glib.h>

#include "cli/show/json.h"

static const struct {
    const char *name;
    double below; /* milliseconds */
} ranges[TIMES_RANGES] = {{"under 1 ms", 1},     {"1 to 10 ms", 10},
                          {"10 to 100 ms", 100}, {"0.1 to 1 s", 1000},
                          {"1 to 10 s", 10000},  {"10 s and more", G_MAXDOUBLE}};

static void keep_slow(struct times *times, const json_t *view, const char *link, double took)
{
    int place = TIMES_SLOWEST;
    while (place > 0 &&
           (!times->slowest[place - 1].shown || times->slowest[place - 1].milliseconds < took))
        place--;
    if (place == TIMES_SLOWEST)
        return;
    json_decref(times->slowest[TIMES_SLOWEST - 1].shown);
    for (int i = TIMES_SLOWEST - 1; i > place; i--)
        times->slowest[i] = times->slowest[i - 1];
    times->slowest[place].milliseconds = took;
    times->slowest[place].shown = json_pack("{s:s, s:s, s:s}", "name", json_text_at(view, "name"),
                                            "link", link, "seconds", json_text_at(view, "seconds"));
}

void times_add(struct times *times, const json_t *view, const char *link)
{
    const json_t *took = json_object_get(view, "milliseconds");
    double milliseconds = json_number_value(took);
    int range = 0;
    times->some |= json_is_number(took);
    while (range + 1 < TIMES_RANGES && milliseconds >= ranges[range].below)
        range++;
    times->counts[range]++;
    keep_slow(times, view, link, milliseconds);
}

json_t *times_view(const struct times *times)
{
    if (!times->some)
        return NULL;
    int most = 1;
    json_t *rows = json_array(), *slowest = json_array();
    for (int i = 0; i < TIMES_RANGES; i++)
        most = MAX(most, times->counts[i]);
    for (int i = 0; i < TIMES_RANGES; i++)
        json_array_append_new(rows, json_pack("{s:s, s:i, s:i}", "range", ranges[i].name, "tests",
                                              times->counts[i], "percent",
                                              (int)(100.0 * times->counts[i] / most)));
    for (int i = 0; i < TIMES_SLOWEST && times->slowest[i].shown; i++)
        json_array_append(slowest, times->slowest[i].shown);
    return json_pack("{s:o, s:o}", "ranges", rows, "slowest", slowest);
}

void times_free(struct times *times)
{
    for (int i = 0; i < TIMES_SLOWEST; i++)
        json_decref(times->slowest[i].shown);
}
