/* SPDX-License-Identifier: MIT
 *
 * Build-time helper: what is installed beside the program and follows from the tables of commands and
 * options: its manual page and what shells know of its words. Usage: pages TEMPLATE ESCAPE */
#include <stdio.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/show/template.h"
#include "litmus/base/file.h"

/* ---- how the outputs spell a text ------------------------------------------------------------ */

/* Its control characters and hyphens stand for themselves. */
static void escape_roff(const char *text, GString *out)
{
    for (const char *at = text; *at; at++) {
        bool first = at == text || at[-1] == '\n';
        if (first && (*at == '.' || *at == '\''))
            g_string_append(out, "\\&");
        else if (*at == '\\' || *at == '-')
            g_string_append_c(out, '\\');
        g_string_append_c(out, *at == '\\' ? 'e' : *at);
    }
}

/* Inside of single quotes, which one of its own would end. */
static void escape_quoted(const char *text, GString *out)
{
    for (; *text; text++) {
        g_string_append_c(out, *text);
        if (*text == '\'')
            g_string_append(out, "\\''");
    }
}

/* fish takes a backslash for itself there. */
static void escape_fish(const char *text, GString *out)
{
    g_auto(GStrv) parts = g_strsplit(text, "\\", -1);
    g_autofree char *doubled = g_strjoinv("\\\\", parts);
    escape_quoted(doubled, out);
}

static const struct {
    const char *name;
    template_escape *escape;
} escapes[] = {{"roff", escape_roff}, {"quoted", escape_quoted}, {"fish", escape_fish}};

/* ---- what the templates are filled with ------------------------------------------------------ */

/* What completes an option's argument. */
static const char *argument_kind(const struct option_row *row)
{
    if (row->kind == KIND_FLAG)
        return "flag";
    if (strcmp(row->name, "model") == 0)
        return "model";
    if (strstr(row->argument, "FOLDER"))
        return "folder";
    return strstr(row->argument, "FILE") || strstr(row->argument, ".json") ? "file" : "word";
}

static json_t *view_option(const struct option_row *row)
{
    json_t *takers = json_array();
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (option_is_of(row, &commands[i]))
            json_array_append_new(takers, json_string(commands[i].name));
    const char letter[] = {row->letter, '\0'};
    return json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:b, s:o, s:b}", "name", row->name, "letter",
                     letter, "help", row->help, "argument", row->argument, "shown", row->shown,
                     "some", json_array_size(takers) < COMMAND_COUNT, "takers", takers,
                     argument_kind(row), 1);
}

static json_t *view_command(const struct command *command)
{
    json_t *options = json_array();
    for (uint32_t i = 0; i < option_row_count; i++)
        if (option_is_of(&option_rows[i], command))
            json_array_append_new(options, view_option(&option_rows[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:b}", "name", command->name, "arguments",
                     command->arguments, "summary", command->summary, "details", command->details,
                     "options", options, "lists_models", command == &commands[COMMAND_models]);
}

/* Adds a word to those that a key has. */
static void join(json_t *view, const char *key, const char *separator, const char *word)
{
    const char *before = json_string_value(json_object_get(view, key));
    json_object_set_new(
        view, key, json_sprintf("%s%s%s", before ? before : "", before ? separator : "", word));
}

static json_t *view_all(void)
{
    json_t *all = json_array(), *options = json_array();
    json_t *view = json_pack("{s:s, s:o, s:o}", "version", PTXLIT_VERSION, "commands", all,
                             "options", options);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        json_array_append_new(all, view_command(&commands[i]));
        join(view, "command_cases", " | ", commands[i].name);
        join(view, "command_words", " ", commands[i].name);
    }
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        g_autofree char *key = g_strconcat(argument_kind(row), "_cases", NULL);
        const char letter[] = {row->letter, '\0'};
        g_autofree char *word =
            g_strconcat("--", row->name, row->letter ? " | -" : "", letter, NULL);
        json_array_append_new(options, view_option(row));
        join(view, key, " | ", word);
    }
    return view;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    size_t length;
    const char *template = argc == 3 ? file_read(arena, argv[1], 1 << 20, &length) : NULL;
    json_auto_t *view = view_all();
    g_autoptr(GString) out = g_string_new(NULL);
    for (size_t i = 0; template && i < G_N_ELEMENTS(escapes); i++)
        if (strcmp(escapes[i].name, argv[2]) == 0)
            template_fill(template, view, escapes[i].escape, out);
    arena_free(arena);
    return out->len && fputs(out->str, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 2;
}
