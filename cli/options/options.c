/* SPDX-License-Identifier: MIT */
#include "cli/options/options.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"

/* The command line being read. */
struct line {
    struct arena *arena;
    struct diag_list *diags;
    struct options *options;
    char **words;
    uint32_t count, next;
    bool given[OPTIONS_MOST]; /* option_rows[i] was on the command line */
};

/* Something wrong with the command line, and a hint or NULL. */
#define COMPLAIN(line, id, hint, ...)                                                              \
    diag_add((line)->diags, DIAG_##id, NULL, (struct span){0}, hint, __VA_ARGS__)

static bool read_number(const struct option_row *row, const char *text, double *number)
{
    uint64_t whole = 0;
    bool seconds = row->kind == KIND_SECONDS;
    enum number_fault fault = seconds ? number_double(text, strlen(text), number)
                                      : number_whole(text, strlen(text), 0, UINT32_MAX, &whole);
    if (!seconds)
        *number = (double)whole;
    return fault == NUMBER_GOOD && option_fits(row, *number);
}

static void set_option(struct line *line, const struct option_row *row, const char *text)
{
    double number = 0;
    line->given[row - option_rows] = true;
    bool numeric = row->kind == KIND_NUMBER || row->kind == KIND_SECONDS;
    if (numeric && !read_number(row, text, &number))
        COMPLAIN(line, option_value, NULL,
                 "option '--%s' wants a%s number from %.0f to %.0f, not '%s'", row->name,
                 row->kind == KIND_NUMBER ? " whole" : "", row->least, row->most, text);
    else if (row->kind == KIND_LIST)
        vec_push(line->arena, (struct text_list *)(void *)((char *)line->options + row->offset),
                 text);
    else
        option_store(line->options, row, number, text);
}

/* The command that is named, or will be: the first word from here on that names one. */
static const struct command *command_to_be(const struct line *line)
{
    if (line->options->command)
        return line->options->command;
    for (uint32_t w = line->next; w < line->count; w++)
        for (uint32_t i = 0; i < COMMAND_COUNT; i++)
            if (strcmp(commands[i].name, line->words[w]) == 0)
                return &commands[i];
    return &commands[COMMAND_check];
}

/* What to do instead of an option that is not known: a row of foreign.def, or what Dartagnan's options with points set. */
static const char *foreign_hint(const char *name, size_t length)
{
    const struct foreign_option *foreign = option_foreign(name, length);
    if (foreign)
        return foreign->hint;
    return memchr(name, '.', length) ? "Dartagnan's options with points set its solver and its "
                                       "analyses, which ptxlit has not"
                                     : NULL;
}

static const struct option_row *find_long(struct line *line, const char *name, size_t length)
{
    const struct foreign_option *foreign = option_foreign(name, length);
    const struct option_row *row = option_find(name, length);
    bool is_ours = row && option_is_of(row, command_to_be(line));
    if (!is_ours && foreign && foreign->ours)
        row = option_find(foreign->ours, strlen(foreign->ours));
    if (row)
        return row;
    if (foreign_hint(name, length)) {
        COMPLAIN(line, option_unknown, foreign_hint(name, length), "unknown option '%s%.*s'",
                 length > 1 ? "--" : "-", (int)length, name);
        return NULL;
    }
    const char **names = ARENA_ARRAY(line->arena, const char *, option_row_count);
    for (uint32_t i = 0; i < option_row_count; i++)
        names[i] = option_rows[i].name;
    const char *nearest = diag_nearest(name, length, names, option_row_count);
    COMPLAIN(line, option_unknown,
             nearest ? arena_printf(line->arena, "did you mean '--%s'?", nearest) : NULL,
             "unknown option '--%.*s'", (int)length, name);
    return NULL;
}

/* Commands may share a letter for what each calls its output. */
static const struct option_row *find_letter(struct line *line, char letter)
{
    const struct option_row *found = NULL;
    const struct command *command = line->options->command;
    for (uint32_t i = 0; i < option_row_count; i++)
        if (option_rows[i].letter == letter &&
            (!found || (command && option_is_of(&option_rows[i], command))))
            found = &option_rows[i];
    if (!found)
        COMPLAIN(line, option_unknown, NULL, "unknown option '-%c'", letter);
    return found;
}

/* Are all parts of the word, between commas, words that the option lists as its argument? */
static bool is_listed(const struct option_row *row, const char *word)
{
    g_auto(GStrv) parts = g_strsplit(word, ",", -1), known = g_strsplit(row->argument, "|", -1);
    for (char **part = parts; *part; part++)
        if (!g_strv_contains((const char *const *)known, *part))
            return false;
    return *parts;
}

/* Words may be left out: what follows is taken only if it is made of them. */
static void take_words(struct line *line, const struct option_row *row, const char *attached)
{
    bool next = !attached && line->next < line->count && is_listed(row, line->words[line->next]);
    set_option(line, row, attached ? attached : next ? line->words[line->next++] : "all");
}

/* The argument of an option: attached, or the next word. */
static void take_argument(struct line *line, const struct option_row *row, const char *attached)
{
    if (row->kind == KIND_WORDS)
        take_words(line, row, attached);
    else if (attached)
        set_option(line, row, attached);
    else if (line->next < line->count)
        set_option(line, row, line->words[line->next++]);
    else
        COMPLAIN(line, option_value, NULL, "option '--%s' needs its %s", row->name, row->argument);
}

static void read_long(struct line *line, const char *word)
{
    size_t length = strcspn(word, "=");
    const struct option_row *row = find_long(line, word, length);
    if (!row)
        return;
    if (row->kind != KIND_FLAG)
        take_argument(line, row, word[length] ? word + length + 1 : NULL);
    else if (word[length])
        COMPLAIN(line, option_value, foreign_hint(row->name, length),
                 "option '--%s' takes no value", row->name);
    else
        set_option(line, row, NULL);
}

static const struct option_row *letter_of(const struct line *line, char letter)
{
    for (uint32_t i = 0; i < option_row_count; i++)
        if (option_rows[i].letter == letter && option_is_of(&option_rows[i], command_to_be(line)))
            return &option_rows[i];
    return NULL;
}

/* "-nexto": a word of another tool rather than a letter of the command with its value, or several of its letters. */
static bool is_foreign_word(const struct line *line, const char *letters)
{
    const struct option_row *row = letter_of(line, *letters);
    if (!g_ascii_isalpha(letters[1]))
        return false;
    bool numeric = row && (row->kind == KIND_NUMBER || row->kind == KIND_SECONDS);
    return !row || numeric || (row->kind == KIND_FLAG && !letter_of(line, letters[1]));
}

static void read_letters(struct line *line, const char *letters)
{
    if (is_foreign_word(line, letters)) {
        find_long(line, letters, strcspn(letters, "="));
        return;
    }
    for (; *letters; letters++) {
        const struct option_row *row = find_letter(line, *letters);
        if (!row)
            return;
        if (row->kind != KIND_FLAG) {
            take_argument(line, row, letters[1] ? letters + 1 : NULL);
            return;
        }
        set_option(line, row, NULL);
    }
}

/* "-model": the spelling of other tools. One letter stays one of ours, if it is. */
static bool is_long_with_one_dash(const char *name)
{
    size_t length = strcspn(name, "=");
    if (length > 1 && option_find(name, length))
        return true;
    for (uint32_t i = 0; length == 1 && i < option_row_count; i++)
        if (option_rows[i].letter == *name)
            return false;
    return option_foreign(name, length);
}

static bool is_command(const char *word)
{
    for (uint32_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, word) == 0)
            return true;
    return false;
}

/* "ptxlit FILE" checks it. */
static bool is_input(const char *word)
{
    static const char *const suffixes[] = {".litmus", ".cu", ".ptx"};
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++)
        if (g_str_has_suffix(word, suffixes[i]))
            return true;
    return !is_command(word) && (word[0] == '@' || g_file_test(word, G_FILE_TEST_EXISTS));
}

static void add_argument(struct line *line, const char *word)
{
    line->options->arguments[line->options->argument_count++] = word;
}

static void read_command(struct line *line, const char *word)
{
    const char *names[COMMAND_COUNT];
    for (uint32_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(names[i], word) == 0)
            line->options->command = &commands[i];
    }
    if (!line->options->command)
        COMPLAIN(line, command_unknown,
                 diag_hint(line->arena, word, strlen(word), names, COMMAND_COUNT),
                 "unknown command '%s'", word);
}

static void read_words(struct line *line)
{
    bool only_arguments = false, command_seen = false;
    while (line->next < line->count) {
        char *word = line->words[line->next++];
        if (!only_arguments && strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && word[0] == '-' && word[1] == '-') {
            read_long(line, word + 2);
        } else if (!only_arguments && word[0] == '-' && is_long_with_one_dash(word + 1)) {
            read_long(line, word + 1);
        } else if (!only_arguments && word[0] == '-' && word[1]) {
            read_letters(line, word + 1);
        } else if (command_seen) {
            add_argument(line, word);
        } else if (strcmp(word, "help") == 0) {
            line->options->help = true;
        } else {
            command_seen = true;
            read_command(line, is_input(word) ? "check" : word);
            if (is_input(word))
                add_argument(line, word);
        }
    }
}

/* What to do instead of an option that only other commands take: which they are. */
static const char *unfit_hint(const struct line *line, const struct option_row *row)
{
    const char *hint = foreign_hint(row->name, strlen(row->name)), *names = "";
    uint32_t left = (uint32_t)__builtin_popcount(row->commands);
    for (uint32_t i = 0; i < COMMAND_COUNT && !hint; i++)
        if (option_is_of(row, &commands[i])) {
            left--;
            names = arena_printf(line->arena, "%s%s'%s'", names,
                                 !*names ? ""
                                 : left  ? ", "
                                         : " and ",
                                 commands[i].name);
        }
    return hint                             ? hint
           : strstr(names, " and ") != NULL ? arena_printf(line->arena, "%s take it", names)
                                            : arena_printf(line->arena, "%s takes it", names);
}

/* Does the command take what it was given? */
static void check_fit(struct line *line, const struct command *command)
{
    const struct options *options = line->options;
    bool few = options->argument_count < command->least;
    if (!options->help && !options->version && (few || options->argument_count > command->most))
        COMPLAIN(
            line, arguments_count,
            arena_printf(line->arena, "ptxlit %s [OPTION…] %s", command->name, command->arguments),
            few                   ? "'%s' needs %s"
            : *command->arguments ? "'%s' takes only %s"
                                  : "'%s' takes no arguments%s",
            command->name, command->arguments);
    for (uint32_t i = 0; i < option_row_count; i++)
        if (line->given[i] && !option_is_of(&option_rows[i], command))
            COMPLAIN(line, option_unfit, unfit_hint(line, &option_rows[i]),
                     "'%s' takes no option '--%s'", command->name, option_rows[i].name);
}

/* What runs needs PTX; what asks a model has one of C++ unless a mapping is named. */
static bool is_compiled(const struct options *options)
{
    const struct command *command = options->command;
    bool runs = command == &commands[COMMAND_run] || command == &commands[COMMAND_compare] ||
                command == &commands[COMMAND_emit];
    return runs || (options->settings.mapping && command != &commands[COMMAND_map]);
}

static const char *quoted(struct arena *arena, int argc, char **argv)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./=+,:@%";
    g_autoptr(GString) words = g_string_new("ptxlit");
    for (int i = 1; i < argc; i++) {
        bool needs = !*argv[i] || argv[i][strspn(argv[i], plain)];
        g_autofree char *word = needs ? g_shell_quote(argv[i]) : g_strdup(argv[i]);
        g_string_append_printf(words, " %s", word);
    }
    return arena_strdup(arena, words->str);
}

static bool is_given(const struct line *line, const char *name)
{
    return line->given[option_find(name, strlen(name)) - option_rows];
}

struct options options_parse(struct arena *arena, int argc, char **argv, struct diag_list *diags)
{
    struct options options = {0};
    uint32_t count = argc > 1 ? (uint32_t)argc - 1 : 0;
    options_default(&options);
    options.command_line = quoted(arena, argc, argv);
    options.arguments = ARENA_ARRAY(arena, const char *, count + 1);
    struct line line = {arena, diags, &options, argv + 1, count, 0, {0}};
    read_words(&line);
    options.settings.compiled = is_compiled(&options);
    options.settings.model_named = is_given(&line, "model");
    options.bounds_cycles = is_given(&line, "size") || is_given(&line, "scope-tree");
    if (options.command)
        check_fit(&line, options.command);
    else if (!options.help && !options.version && !diags->errors)
        COMPLAIN(&line, command_unknown, "'ptxlit --help' lists the commands",
                 "no command was given");
    return options;
}
