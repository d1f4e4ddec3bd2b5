/* SPDX-License-Identifier: MIT */
#include "cli/report/clauses.h"
#include "cli/report/words.h"
#include "cli/show/json.h"

struct exercise exercise_new(void)
{
    return (struct exercise){json_object()};
}

void exercise_free(struct exercise *exercise)
{
    json_decref(exercise->clauses);
}

/* Of a clause, by what it is known of: the tests, and the first of them, of which the page has a link. */
static void count(struct exercise *exercise, const json_t *test, const char *link,
                  const char *which)
{
    const json_t *states = json_object_get(json_object_get(test, "clauses"), which);
    json_int_t runs =
        json_integer_value(json_object_get(json_object_get(test, "hardware"), "runs"));
    const char *clause;
    json_t *state;
    json_object_foreach((json_t *)states, clause, state)
    {
        json_t *sums = json_object_get(exercise->clauses, clause);
        json_t *sum = json_object_get(sums, which);
        if (!sums)
            json_object_set_new(exercise->clauses, clause, sums = json_object());
        if (!sum)
            json_object_set_new(sums, which,
                                sum = json_pack("{s:s, s:s, s:O, s:i, s:i}", "test",
                                                json_text_at(test, "test"), "link", link, "state",
                                                state, "tests", 0, "runs", 0));
        json_integer_set(json_object_get(sum, "tests"),
                         json_integer_value(json_object_get(sum, "tests")) + 1);
        json_integer_set(json_object_get(sum, "runs"),
                         json_integer_value(json_object_get(sum, "runs")) + runs);
    }
}

void exercise_add(struct exercise *exercise, const json_t *test, const char *link)
{
    count(exercise, test, link, "exercised");
    count(exercise, test, link, "questioned");
}

json_t *exercise_view(const struct exercise *exercise)
{
    if (!json_object_size(exercise->clauses))
        return NULL;
    json_t *exercised = json_array(), *questioned = json_array();
    json_auto_t *names = words_sorted(exercise->clauses);
    json_t *name;
    size_t i;
    json_array_foreach(names, i, name)
    {
        const json_t *sums = json_object_get(exercise->clauses, json_string_value(name));
        bool seen = json_object_get(sums, "exercised") != NULL;
        json_t *row = json_copy(json_object_get(sums, seen ? "exercised" : "questioned"));
        json_object_set(row, "clause", name);
        json_array_append_new(seen ? exercised : questioned, row);
    }
    return json_pack("{s:o, s:o}", "exercised", exercised, "questioned", questioned);
}
