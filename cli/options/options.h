/* SPDX-License-Identifier: MIT
 *
 * The command line: the tables of commands and options, and what was given for them. */
#ifndef CLI_OPTIONS_OPTIONS_H
#define CLI_OPTIONS_OPTIONS_H

#include "cli/options/settings.h"
#include "litmus/base/diag.h"

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "cli/options/commands.def"
#undef COMMAND
    COMMAND_COUNT
};

/* A row of commands.def. */
struct command {
    const char *name, *arguments;
    uint32_t least, most;
    const char *summary, *details;
};
extern const struct command commands[COMMAND_COUNT];

/* A row of options.def. */
/* WORDS: a text that may be left out; then it is "all". */
enum option_kind { KIND_FLAG, KIND_NUMBER, KIND_SECONDS, KIND_TEXT, KIND_LIST, KIND_WORDS };
/* What another value does to the result of a test. */
enum option_effect { EFFECT_UNSAID, EFFECT_NONE, EFFECT_RESULTS, EFFECT_FILE };
struct option_row {
    enum option_kind kind;
    size_t offset; /* of its field in struct options */
    char letter;   /* or 0 */
    const char *name, *argument;
    double number; /* the default: of numbers and seconds */
    const char *text;
    double least, most;
    const char *shown; /* the default, for help, or NULL */
    uint32_t commands; /* bit c: COMMAND c takes it */
    enum option_effect effect;
    const char *help;
};
extern const struct option_row option_rows[];
extern const uint32_t option_row_count;
enum { OPTIONS_MOST = 128 };

/* The command line: one field a row of options.def, and the rest. */
struct options {
    struct settings settings;
#define SETTING(...)
#define OPTION(kind, field, ...) OPTION_FIELD_##kind(field)
#include "cli/options/options.def"
#undef SETTING
#undef OPTION
    const char *program;           /* its name and version */
    const char *command_line;      /* as a shell would be given it */
    const struct command *command; /* NULL: none was named, only --help or --version can be asked */
    bool bounds_cycles;            /* --size or --scope-tree was given */
    const char **arguments;        /* of the command, in order */
    uint32_t argument_count;
};

/* The rows, for those who need no command line: the library. */
const struct option_row *option_find(const char *name, size_t length); /* or NULL */
bool option_fits(const struct option_row *row, double number);
/* Does the command take the option? */
bool option_is_of(const struct option_row *row, const struct command *command);
/* A row of foreign.def, by its name; or NULL. */
struct foreign_option {
    const char *name, *ours, *hint;
};
const struct foreign_option *option_foreign(const char *name, size_t length);
/* Sets the row's field: numbers from 'number', texts from 'text', a flag to true. */
void option_store(struct options *options, const struct option_row *row, double number,
                  const char *text);
void options_default(struct options *options);

/* Reads argv, filling in defaults; strings stay in argv. All that is wrong goes to 'diags': the
 * result is then no command line to run. */
struct options options_parse(struct arena *arena, int argc, char **argv, struct diag_list *diags);

/* What --help prints: of the program ('command' NULL) or of a command. In 'arena'. */
const char *options_help(struct arena *arena, const struct command *command);

#endif
