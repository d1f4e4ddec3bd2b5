/* SPDX-License-Identifier: MIT */
#include "cli/options/options.h"

#include <string.h>

#include "cli/command/commands.h"
#include "litmus/base/number.h"

const struct command commands[COMMAND_COUNT] = {
#define COMMAND(id, ...) [COMMAND_##id] = {__VA_ARGS__},
#include "cli/options/commands.def"
#undef COMMAND
};

/* The command line being read. */
struct reader {
    struct arena *arena;
    struct diag_list *diags;
    struct options *options;
    char **words;
    uint32_t count, next;
    uint64_t given; /* bit i: option_rows[i] was on the command line, of OPTIONS_MOST */
};

static bool read_number(const struct option_row *row, const char *text, double *number)
{
    if (row->kind == KIND_SECONDS)
        return number_double(text, strlen(text), number) == NUMBER_GOOD &&
               option_fits(row, *number);
    uint64_t whole;
    if (number_whole(text, strlen(text), 0, UINT32_MAX, &whole) != NUMBER_GOOD)
        return false;
    *number = (double)whole;
    return option_fits(row, *number);
}

static void set_option(struct reader *reader, const struct option_row *row, const char *text)
{
    double number = 0;
    reader->given |= UINT64_C(1) << (row - option_rows);
    bool numeric = row->kind == KIND_NUMBER || row->kind == KIND_SECONDS;
    if (numeric && !read_number(row, text, &number))
        diag_add(reader->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "option '--%s' wants a%s number from %.0f to %.0f, not '%s'", row->name,
                 row->kind == KIND_NUMBER ? " whole" : "", row->least, row->most, text);
    else if (row->kind == KIND_LIST)
        vec_push(reader->arena, (struct text_list *)(void *)((char *)reader->options + row->offset),
                 text);
    else
        option_store(reader->options, row, number, text);
}

static const char *did_you_mean(struct reader *reader, const char *before, const char *nearest)
{
    return nearest ? arena_printf(reader->arena, "did you mean '%s%s'?", before, nearest) : NULL;
}

static const struct option_row *find_long(struct reader *reader, const char *name, size_t length)
{
    const struct option_row *row = option_find(name, length);
    if (row)
        return row;
    const char **names = ARENA_ARRAY(reader->arena, const char *, option_row_count);
    for (uint32_t i = 0; i < option_row_count; i++)
        names[i] = option_rows[i].name;
    const char *nearest = diag_nearest(name, length, names, option_row_count);
    diag_add(reader->diags, DIAG_option_unknown, NULL, (struct span){0},
             did_you_mean(reader, "--", nearest), "unknown option '--%.*s'", (int)length, name);
    return NULL;
}

/* Commands may share a letter for what each calls its output. */
static bool takes(const struct reader *reader, const struct option_row *row)
{
    const struct command *command = reader->options->command;
    return command && (row->commands & 1u << (command - commands));
}

static const struct option_row *find_letter(struct reader *reader, char letter)
{
    const struct option_row *found = NULL;
    for (uint32_t i = 0; i < option_row_count; i++)
        if (option_rows[i].letter == letter && (!found || takes(reader, &option_rows[i])))
            found = &option_rows[i];
    if (!found)
        diag_add(reader->diags, DIAG_option_unknown, NULL, (struct span){0}, NULL,
                 "unknown option '-%c'", letter);
    return found;
}

/* The argument of an option: attached, or the next word. */
static void take_argument(struct reader *reader, const struct option_row *row, const char *attached)
{
    if (attached)
        set_option(reader, row, attached);
    else if (reader->next < reader->count)
        set_option(reader, row, reader->words[reader->next++]);
    else
        diag_add(reader->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "option '--%s' needs its %s", row->name, row->argument);
}

static void read_long(struct reader *reader, const char *word)
{
    size_t length = strcspn(word, "=");
    const struct option_row *row = find_long(reader, word, length);
    if (!row)
        return;
    if (row->kind != KIND_FLAG)
        take_argument(reader, row, word[length] ? word + length + 1 : NULL);
    else if (word[length])
        diag_add(reader->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "option '--%s' takes no value", row->name);
    else
        set_option(reader, row, NULL);
}

static void read_letters(struct reader *reader, const char *letters)
{
    for (; *letters; letters++) {
        const struct option_row *row = find_letter(reader, *letters);
        if (!row)
            return;
        if (row->kind != KIND_FLAG) {
            take_argument(reader, row, letters[1] ? letters + 1 : NULL);
            return;
        }
        set_option(reader, row, NULL);
    }
}

static void read_command(struct reader *reader, const char *word)
{
    const char *names[COMMAND_COUNT];
    for (uint32_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(names[i], word) == 0)
            reader->options->command = &commands[i];
    }
    if (reader->options->command)
        return;
    const char *nearest = diag_nearest(word, strlen(word), names, COMMAND_COUNT);
    diag_add(reader->diags, DIAG_command_unknown, NULL, (struct span){0},
             did_you_mean(reader, "", nearest), "unknown command '%s'", word);
}

static void read_words(struct reader *reader)
{
    bool only_arguments = false, command_seen = false;
    while (reader->next < reader->count) {
        char *word = reader->words[reader->next++];
        if (!only_arguments && strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && word[0] == '-' && word[1] == '-') {
            read_long(reader, word + 2);
        } else if (!only_arguments && word[0] == '-' && word[1]) {
            read_letters(reader, word + 1);
        } else if (!command_seen) {
            command_seen = true;
            read_command(reader, word);
        } else {
            reader->options->arguments[reader->options->argument_count++] = word;
        }
    }
}

/* Does the command take what it was given? */
static void check_fit(struct reader *reader)
{
    const struct options *options = reader->options;
    const struct command *command = options->command;
    if (!command || !command->function || options->help || options->version)
        return;
    if (options->argument_count < command->least || options->argument_count > command->most)
        diag_add(reader->diags, DIAG_arguments_count, NULL, (struct span){0},
                 arena_printf(reader->arena, "ptxlit %s [OPTION…] %s", command->name,
                              command->arguments),
                 options->argument_count < command->least ? "'%s' needs %s" : "'%s' takes only %s",
                 command->name, command->arguments);
}

static void check_options_fit(struct reader *reader)
{
    const struct command *command = reader->options->command;
    for (uint32_t i = 0; command && command->function && i < option_row_count; i++)
        if (reader->given >> i & 1 && !(option_rows[i].commands >> (command - commands) & 1))
            diag_add(reader->diags, DIAG_option_unfit, NULL, (struct span){0}, NULL,
                     "'%s' takes no option '--%s'", command->name, option_rows[i].name);
}

struct options options_parse(struct arena *arena, int argc, char **argv, struct diag_list *diags)
{
    struct options options = {0};
    uint32_t count = argc > 1 ? (uint32_t)argc - 1 : 0;
    options_default(&options);
    options.arguments = ARENA_ARRAY(arena, const char *, count + 1);
    struct reader reader = {arena, diags, &options, argv + 1, count, 0, 0};
    read_words(&reader);
    check_fit(&reader);
    check_options_fit(&reader);
    if (!options.command && !options.help && !options.version && !diags->errors)
        diag_add(diags, DIAG_command_unknown, NULL, (struct span){0},
                 "'ptxlit --help' lists the commands", "no command was given");
    return options;
}
