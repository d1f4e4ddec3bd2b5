/* SPDX-License-Identifier: MIT */
#include "cli/report/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/words.h"
#include "cli/show/json.h"

/* What a shape says: a key of the test, or of an object in it. 'column' and 'filter': what readers see, or NULL. */
static const struct {
    const char *column, *filter, *object, *key;
    bool several; /* words, separated by blanks */
} fields[] = {{"family", "family", NULL, "family", false},
              {"result", "result", NULL, "word", false},
              {"verdict", "verdict", NULL, "answer", false},
              {"expected", NULL, "expected", "verdict", false},
              {"observation", NULL, NULL, "observation", false},
              {"axioms", "axiom", NULL, "axiom_words", true},
              {"allowed", NULL, NULL, "states", false},
              {"reached", NULL, "executor", "reached", false},
              {"seen", NULL, "hardware", "seen", false},
              {"never seen", NULL, "hardware", "never_seen", false},
              {NULL, "model", NULL, "model", false},
              {NULL, "engine", NULL, "engine", true}};
enum { FIELDS = G_N_ELEMENTS(fields), ROWS_A_LINE = 1000 };

struct table {
    struct report_part *script;
    GHashTable *shapes;    /* its texts as JSON: its number and one */
    GHashTable *names;     /* how many tests have it */
    GPtrArray *links;      /* a test: the words that link to it */
    GString *rows;         /* not written yet */
    json_t *words[FIELDS]; /* that tests have in the field: a set */
};

struct table *table_new(struct report_part *script)
{
    struct table *table = g_new0(struct table, 1);
    table->script = script;
    table->shapes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    table->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    table->links = g_ptr_array_new_with_free_func(g_free);
    table->rows = g_string_new(NULL);
    for (size_t i = 0; i < FIELDS; i++)
        table->words[i] = json_object();
    return table;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    g_hash_table_destroy(table->shapes);
    g_hash_table_destroy(table->names);
    g_ptr_array_free(table->links, TRUE);
    g_string_free(table->rows, TRUE);
    for (size_t i = 0; i < FIELDS; i++)
        json_decref(table->words[i]);
    g_free(table);
}

/* ---- the script ----------------------------------------------------------------------------- */

static void say(struct table *table, const char *function, const char *arguments)
{
    g_autofree char *line = g_strdup_printf("report.%s(%s);\n", function, arguments);
    part_add(table->script, line, strlen(line));
}

/* As JavaScript has it, also inside of a page. */
static char *quote(const json_t *value)
{
    g_autofree char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    g_auto(GStrv) parts = g_strsplit(text, "<", -1);
    return g_strjoinv("\\u003c", parts);
}

static void write_rows(struct table *table)
{
    if (!table->rows->len)
        return;
    g_string_append_c(table->rows, ']');
    say(table, "rows", table->rows->str);
    g_string_truncate(table->rows, 0);
}

/* A text; a number as text; "" when the test has none. */
static json_t *text_of(const json_t *view, size_t field)
{
    const char *object = fields[field].object;
    json_t *value =
        json_object_get(object ? json_object_get(view, object) : view, fields[field].key);
    if (json_is_integer(value))
        return json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return json_is_string(value) ? json_incref(value) : json_string("");
}

static uint32_t shape_of(struct table *table, const json_t *view)
{
    json_auto_t *texts = json_array();
    for (size_t i = 0; i < FIELDS; i++) {
        json_t *text = text_of(view, i);
        if (fields[i].several)
            words_add(table->words[i], json_string_value(text));
        else if (json_string_length(text))
            json_object_set_new(table->words[i], json_string_value(text), json_true());
        json_array_append_new(texts, text);
    }
    g_autofree char *shape = quote(texts);
    gpointer number = g_hash_table_lookup(table->shapes, shape);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    uint32_t fresh = g_hash_table_size(table->shapes);
    say(table, "shape", shape);
    g_hash_table_insert(table->shapes, g_steal_pointer(&shape), GUINT_TO_POINTER(fresh + 1));
    return fresh;
}

/* The name; of the second test of that name "name~2". */
static const char *link_of(struct table *table, const char *name)
{
    guint before = GPOINTER_TO_UINT(g_hash_table_lookup(table->names, name));
    g_hash_table_insert(table->names, g_strdup(name), GUINT_TO_POINTER(before + 1));
    g_autofree char *link = before ? g_strdup_printf("%s~%u", name, before + 1) : g_strdup(name);
    char *escaped = g_uri_escape_string(link, NULL, FALSE);
    g_ptr_array_add(table->links, escaped);
    return escaped;
}

const char *table_add(struct table *table, const json_t *view, bool begins)
{
    uint32_t shape = shape_of(table, view), row = table->links->len;
    const json_t *name = json_object_get(view, "name");
    g_autofree char *quoted = quote(name), *first = g_strdup_printf("%u", row);
    if (begins)
        say(table, "script", first);
    g_string_append_printf(table->rows, "%s%s,%u", table->rows->len ? "," : "[", quoted, shape);
    if (row % ROWS_A_LINE == ROWS_A_LINE - 1)
        write_rows(table);
    return link_of(table, json_string_value(name));
}

/* ---- the order of names --------------------------------------------------------------------- */

/* The digits that begin here, without zeros that change nothing. */
static size_t digits_of(const char **at)
{
    size_t zeros = strspn(*at, "0"), all = strspn(*at, "0123456789");
    *at += MIN(zeros, all - 1);
    return all - MIN(zeros, all - 1);
}

/* Compares the numbers that begin here, and passes over them. */
static int compare_numbers(const char **a, const char **b)
{
    size_t a_digits = digits_of(a), b_digits = digits_of(b);
    int by = a_digits != b_digits ? (a_digits > b_digits) - (a_digits < b_digits)
                                  : strncmp(*a, *b, a_digits);
    *a += a_digits;
    *b += b_digits;
    return by;
}

/* Numbers in names by their value: "a9" before "a10". */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        bool numbers = g_ascii_isdigit(*a) && g_ascii_isdigit(*b);
        int by = numbers ? compare_numbers(&a, &b) : g_ascii_tolower(*a) - g_ascii_tolower(*b);
        if (by)
            return by;
        if (!numbers)
            a++, b++;
    }
    return (*a != 0) - (*b != 0);
}

static int compare_links(gconstpointer a, gconstpointer b, gpointer given)
{
    const GPtrArray *links = given;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int by = compare_names(links->pdata[x], links->pdata[y]);
    return by ? by : (x > y) - (x < y);
}

void table_finish(struct table *table)
{
    uint32_t count = table->links->len;
    g_autofree uint32_t *order = g_new(uint32_t, count + 1);
    g_autoptr(GString) text = g_string_new("[");
    write_rows(table);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)count, sizeof *order, compare_links, table->links);
    for (uint32_t i = 0; i < count; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", order[i]);
    g_string_append_c(text, ']');
    say(table, "order", text->str);
}

/* ---- what the page says of it --------------------------------------------------------------- */

json_t *table_columns(const struct table *table)
{
    json_t *columns = json_array();
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].column && json_object_size(table->words[i]))
            json_array_append_new(
                columns, json_pack("{s:s, s:i}", "column", fields[i].column, "field", (int)i));
    return columns;
}

json_t *table_filters(const struct table *table)
{
    json_t *filters = json_array();
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].filter && json_object_size(table->words[i]) > 1) /* else nothing to choose */
            json_array_append_new(filters,
                                  json_pack("{s:s, s:i, s:o}", "filter", fields[i].filter, "field",
                                            (int)i, "values", words_sorted(table->words[i])));
    return filters;
}
