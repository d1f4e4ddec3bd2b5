/* SPDX-License-Identifier: MIT
 *
 * The tables of commands and options as arrays, and the fields that options fill in. */
#include <glib.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cli/options/options.h"

const struct command commands[COMMAND_COUNT] = {
#define COMMAND(id, ...) [COMMAND_##id] = {__VA_ARGS__},
#include "cli/options/commands.def"
#undef COMMAND
};

#define ON(id) (1u << COMMAND_##id)
#define ON_ALL ((1u << COMMAND_COUNT) - 1)
#define ON_SEARCH                                                                                  \
    (ON(check) | ON(outcomes) | ON(explain) | ON(compare) | ON(compare_models) | ON(repair) |      \
     ON(weaken) | ON(report) | ON(campaign))
#define ON_TESTS    (ON_SEARCH | ON(print) | ON(emit) | ON(run) | ON(map))
#define ON_GENERATE (ON(generate) | ON(compare_models))

#define INITIAL_FLAG(value)    0, NULL
#define INITIAL_NUMBER(value)  (value), NULL
#define INITIAL_SECONDS(value) (value), NULL
#define INITIAL_TEXT(value)    0, (value)
#define INITIAL_LIST(value)    0, NULL
#define INITIAL_WORDS(value)   0, (value)
#define ROW(kind, place, letter, name, argument, initial, ...)                                     \
    {KIND_##kind, offsetof(struct options, place), letter,     name,                               \
     argument,    INITIAL_##kind(initial),         __VA_ARGS__},

const struct option_row option_rows[] = {
#define SETTING(kind, field, ...) ROW(kind, settings.field, __VA_ARGS__)
#define OPTION(kind, field, ...)  ROW(kind, field, __VA_ARGS__)
#include "cli/options/options.def"
#undef SETTING
#undef OPTION
};
const uint32_t option_row_count = G_N_ELEMENTS(option_rows);
G_STATIC_ASSERT(G_N_ELEMENTS(option_rows) <= OPTIONS_MOST);

const struct option_row *option_find(const char *name, size_t length)
{
    for (uint32_t i = 0; i < option_row_count; i++)
        if (strlen(option_rows[i].name) == length && memcmp(option_rows[i].name, name, length) == 0)
            return &option_rows[i];
    return NULL;
}

const struct foreign_option *option_foreign(const char *name, size_t length)
{
    static const struct foreign_option rows[] = {
#define FOREIGN(name, ours, hint) {name, ours, hint},
#include "cli/options/foreign.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

bool option_fits(const struct option_row *row, double number)
{
    if (!isfinite(number) || (row->kind == KIND_NUMBER && number != floor(number)))
        return false;
    return number >= row->least && number <= row->most;
}

bool option_is_of(const struct option_row *row, const struct command *command)
{
    return row->commands >> (command - commands) & 1;
}

void option_store(struct options *options, const struct option_row *row, double number,
                  const char *text)
{
    void *field = (char *)options + row->offset;
    if (row->kind == KIND_FLAG)
        *(bool *)field = true;
    else if (row->kind == KIND_NUMBER)
        *(uint32_t *)field = (uint32_t)number;
    else if (row->kind == KIND_SECONDS)
        *(double *)field = number;
    else if (row->kind == KIND_TEXT || row->kind == KIND_WORDS)
        *(const char **)field = text;
    /* a list starts empty; set_option appends */
}

void options_default(struct options *options)
{
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->kind != KIND_FLAG)
            option_store(options, row, row->number, row->text);
    }
}
