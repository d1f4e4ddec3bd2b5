/* SPDX-License-Identifier: MIT */
#include "cli/report/words.h"

#include <glib.h>
#include <string.h>

void words_add(json_t *set, const char *text)
{
    if (json_object_get(set, text)) /* most often one word that is there */
        return;
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word; word++)
        if (**word)
            json_object_set_new(set, *word, json_true());
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

json_t *words_sorted(const json_t *set)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    const char *word;
    json_t *value, *sorted = json_array();
    json_object_foreach((json_t *)set, word, value) g_ptr_array_add(words, (char *)word);
    g_ptr_array_sort(words, compare_words);
    for (guint i = 0; i < words->len; i++)
        json_array_append_new(sorted, json_string(words->pdata[i]));
    return sorted;
}

void words_count(json_t *table, const char *row, const char *column, json_int_t by)
{
    if (!json_object_get(table, row))
        json_object_set_new(table, row, json_object());
    json_object_set_new(json_object_get(table, row), column,
                        json_integer(words_counted(table, row, column) + by));
}

json_int_t words_counted(const json_t *table, const char *row, const char *column)
{
    return json_integer_value(json_object_get(json_object_get(table, row), column));
}
