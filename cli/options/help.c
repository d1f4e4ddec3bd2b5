/* SPDX-License-Identifier: MIT
 *
 * What --help prints, from the tables of commands and options. */
#include <glib.h>

#include "cli/options/options.h"

static const char *option_synopsis(struct arena *arena, const struct option_row *row)
{
    const char *letter = row->letter ? arena_printf(arena, "-%c, ", row->letter) : "    ";
    const char *argument = row->argument ? arena_printf(arena, " %s", row->argument) : "";
    return arena_printf(arena, "%s--%s%s", letter, row->name, argument);
}

enum { COMMAND_WIDTH = 14, TEXT_AT = 31, LINE_WIDTH = 100, SHARED_BY = 5 };

/* Words in lines of LINE_WIDTH that begin at TEXT_AT; the first is at 'column'. */
static void print_wrapped(const char *text, size_t column, GString *out)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    bool first = true;
    if (column >= TEXT_AT) {
        g_string_append_c(out, '\n');
        column = 0;
    }
    for (char **word = words; *word; word++, first = false) {
        size_t width = (size_t)g_utf8_strlen(*word, -1);
        if (!first && column + 1 + width > LINE_WIDTH) {
            g_string_append_c(out, '\n');
            column = 0;
        } else if (!first) {
            g_string_append_c(out, ' ');
            column++;
        }
        for (; column < TEXT_AT; column++)
            g_string_append_c(out, ' ');
        g_string_append(out, *word);
        column += width;
    }
    g_string_append_c(out, '\n');
}

static void print_option(struct arena *arena, const struct option_row *row, GString *out)
{
    const char *synopsis = option_synopsis(arena, row);
    const char *help =
        row->shown ? arena_printf(arena, "%s [%s]", row->help, row->shown) : row->help;
    g_string_append_printf(out, "  %s", synopsis);
    print_wrapped(help, 2 + (size_t)g_utf8_strlen(synopsis, -1), out);
}

/* Those that all of 'commands_mask' have: 'shared' ones are options of many commands. */
static void print_options(struct arena *arena, GString *out, uint32_t commands_mask, bool shared)
{
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if ((row->commands & commands_mask) == commands_mask &&
            (__builtin_popcount(row->commands) >= SHARED_BY) == shared)
            print_option(arena, row, out);
    }
}

/* The row of example.def. */
static void print_example(GString *out, enum command_id command)
{
    static const struct {
        const char *line, *does;
    } examples[COMMAND_COUNT] = {
#define EXAMPLE(command, line, does) [COMMAND_##command] = {line, does},
#include "cli/options/example.def"
    };
    if (examples[command].line)
        g_string_append_printf(out, "\nexample: %s\n  %s\n", examples[command].does,
                               examples[command].line);
}

static void program_help(struct arena *arena, GString *out)
{
    g_string_append(out, "ptxlit checks litmus tests of the NVIDIA PTX / CUDA memory model.\n\n"
                         "usage: ptxlit COMMAND [OPTION…] FILE|DIR…\n\ncommands:\n");
    for (uint32_t i = 0; i < COMMAND_COUNT; i++)
        g_string_append_printf(out, "  %-*s %s\n", COMMAND_WIDTH, commands[i].name,
                               commands[i].summary);
    g_string_append(out, "\nA DIR is searched for *.litmus; '-' is standard input.\n"
                         "\noptions of every command:\n");
    print_options(arena, out, (1u << COMMAND_COUNT) - 1, true);
    g_string_append(out,
                    "\n'ptxlit FILE' is 'ptxlit check FILE'; 'ptxlit help COMMAND' tells more.\n");
}

static void command_help(struct arena *arena, GString *out, const struct command *command)
{
    g_string_append_printf(out, "usage: ptxlit %s [OPTION…] %s\n\n%s: %s\n", command->name,
                           command->arguments, command->name, command->summary);
    if (*command->details)
        g_string_append_printf(out, "\n%s\n", command->details);
    GString *own = g_string_new(NULL);
    print_options(arena, own, 1u << (command - commands), false);
    if (own->len)
        g_string_append_printf(out, "\noptions:\n%s", own->str);
    g_string_free(own, TRUE);
    g_string_append(out, "\noptions that other commands have too:\n");
    print_options(arena, out, 1u << (command - commands), true);
    print_example(out, (enum command_id)(command - commands));
}

const char *options_help(struct arena *arena, const struct command *command)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (command)
        command_help(arena, out, command);
    else
        program_help(arena, out);
    return arena_strndup(arena, out->str, out->len);
}
