/* SPDX-License-Identifier: MIT */
#include "cli/report/families.h"

#include <glib.h>

#include "cli/report/words.h"
#include "cli/show/json.h"

/* 'filter': of the page's table, where a number shows the tests that it counts; NULL: it counts states. */
static const struct {
    const char *id, *heading, *filter, *key;
} tables[FAMILY_TABLES] = {
    {"families", "Families and verdicts", "verdict", "answer"},
    {"axioms", "Families and the axioms that forbid", "axiom", "axiom_words"},
    {"shown", "Families and the final states that a GPU showed", NULL, NULL},
};

struct families families_new(void)
{
    struct families families;
    for (int i = 0; i < FAMILY_TABLES; i++) {
        families.counts[i] = json_object();
        families.words[i] = json_object();
    }
    return families;
}

void families_free(struct families *families)
{
    for (int i = 0; i < FAMILY_TABLES; i++) {
        json_decref(families->counts[i]);
        json_decref(families->words[i]);
    }
}

static void count_words(struct families *f, int table, const char *family, const char *text)
{
    json_auto_t *words = json_object();
    const char *word;
    json_t *value;
    words_add(words, text);
    words_add(f->words[table], text);
    words_count(f->counts[table], family, "", 0); /* a family without any has a row too */
    json_object_foreach(words, word, value) words_count(f->counts[table], family, word, 1);
}

/* Of the tests that a GPU ran: the states that the model allows, and those that showed. */
static void count_states(struct families *f, const json_t *view, const char *family)
{
    const json_t *hardware = json_object_get(view, "hardware");
    json_int_t seen = json_integer_value(json_object_get(hardware, "seen"));
    json_int_t wrong = json_integer_value(json_object_get(hardware, "not_allowed"));
    json_int_t open = json_integer_value(json_object_get(hardware, "unspecified"));
    json_t *counts = f->counts[FAMILY_TABLES - 1], *words = f->words[FAMILY_TABLES - 1];
    if (!json_is_object(hardware))
        return;
    const struct {
        const char *word;
        json_int_t count;
    } columns[] = {{"allowed", json_integer_value(json_object_get(view, "states"))},
                   {"seen of these", seen - wrong - open},
                   {"seen, not allowed", wrong},
                   {"seen, unspecified", open}};
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
        words_count(counts, family, columns[i].word, columns[i].count);
        if (columns[i].count || i < 2)
            json_object_set_new(words, columns[i].word, json_true());
    }
}

void families_add(struct families *f, const json_t *view)
{
    const char *family = json_text_at(view, "family");
    for (int i = 0; i < FAMILY_TABLES; i++)
        if (tables[i].key)
            count_words(f, i, family, json_text_at(view, tables[i].key));
    count_states(f, view, family);
}

/* ---- as the page shows them ----------------------------------------------------------------- */

/* 0 is shown as nothing. */
static json_t *cells(const struct families *f, int table, const char *family, const json_t *words)
{
    json_t *row = json_array(), *word;
    size_t w;
    json_array_foreach((json_t *)words, w, word)
    {
        json_int_t count = words_counted(f->counts[table], family, json_string_value(word));
        json_t *cell = json_pack("{s:I}", "count", count);
        if (tables[table].filter)
            json_object_set_new(cell, "linked",
                                json_pack("{s:s, s:s, s:O}", "of_family", family, "of_filter",
                                          tables[table].filter, "of_word", word));
        json_array_append_new(row, cell);
    }
    return row;
}

static json_t *rows_of(const struct families *f, int table, const json_t *words)
{
    json_auto_t *families = words_sorted(f->counts[table]);
    json_t *rows = json_array(), *family;
    size_t i;
    json_array_foreach(families, i, family)
    {
        const char *name = json_string_value(family);
        json_array_append_new(rows, json_pack("{s:s, s:o}", "row_family", name, "counts",
                                              cells(f, table, name, words)));
    }
    return rows;
}

json_t *families_tables(const struct families *f)
{
    json_t *all = json_array();
    for (int i = 0; i < FAMILY_TABLES; i++) {
        bool of_tests = tables[i].filter; /* one family's tests are in the table of all tests */
        json_auto_t *words = words_sorted(f->words[i]);
        if (json_object_size(f->counts[i]) > of_tests && json_array_size(words))
            json_array_append_new(all, json_pack("{s:s, s:s, s:O, s:o}", "id", tables[i].id,
                                                 "heading", tables[i].heading, "answers", words,
                                                 "rows", rows_of(f, i, words)));
    }
    return all;
}
