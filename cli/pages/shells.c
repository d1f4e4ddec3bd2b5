/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/pages/pages.h"

static void print_commands(const char *separator)
{
    const char *before = "";
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function) {
            printf("%s%s", before, commands[i].name);
            before = separator;
        }
}

/* A word in single quotes; a quote in it would end them. */
static void print_quoted(const char *text, const char *escaped)
{
    for (putchar('\''); *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*escaped && strchr(escaped, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
    putchar('\'');
}

/* ---- bash ----------------------------------------------------------------------------------- */

static void print_bash_options(const struct command *command)
{
    printf("    %s) options='", command->name);
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (pages_takes(command, row) && row->letter)
            printf("-%c ", row->letter);
        if (pages_takes(command, row))
            printf("--%s ", row->name);
    }
    printf("' ;;\n");
}

/* "--model | -m" of every option whose argument is completed alike. Bash takes the first case of a
 * letter that two options share. */
static void print_bash_case(enum argument argument, const char *action)
{
    const char *before = "    ";
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (pages_argument(row) != argument)
            continue;
        printf("%s--%s", before, row->name);
        before = " | ";
        if (row->letter)
            printf(" | -%c", row->letter);
    }
    printf(") %s ;;\n", action);
}

void pages_bash(void)
{
    printf("# Made from cli/options/commands.def and cli/options/options.def by cli/pages.\n"
           "_ptxlit_model() {\n"
           "    mapfile -t COMPREPLY < <(compgen -f -W \"$(ptxlit models 2>/dev/null | cut -d' ' "
           "-f1)\" -- \"$1\")\n"
           "}\n"
           "_ptxlit() {\n"
           "    local word command= options= current=$2 previous=$3\n"
           "    COMPREPLY=()\n"
           "    [[ $current == = ]] && current=\n"
           "    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $word in ");
    print_commands(" | ");
    printf(") command=$word; break ;; esac\n"
           "    done\n"
           "    case $previous in\n");
    print_bash_case(ARGUMENT_MODEL, "_ptxlit_model \"$current\"; return");
    print_bash_case(ARGUMENT_FOLDER,
                    "mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); return");
    print_bash_case(ARGUMENT_FILE, "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return");
    print_bash_case(ARGUMENT_WORD, "return");
    printf("    esac\n"
           "    case $command in\n"
           "    '') options='--help --version ");
    print_commands(" ");
    printf("' ;;\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function)
            print_bash_options(&commands[i]);
    printf("    esac\n"
           "    if [[ -z $command || $current == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
           "    elif [[ $command == models ]]; then\n"
           "        _ptxlit_model \"$current\"\n"
           "    else\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _ptxlit ptxlit\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

static const char *zsh_action(enum argument argument)
{
    static const char *const actions[] = {[ARGUMENT_NONE] = "",
                                          [ARGUMENT_WORD] = " ",
                                          [ARGUMENT_FILE] = "_files",
                                          [ARGUMENT_FOLDER] = "_files -/",
                                          [ARGUMENT_MODEL] = "_ptxlit_models"};
    return actions[argument];
}

static void print_zsh_option(const struct option_row *row, const char *name)
{
    enum argument argument = pages_argument(row);
    char word[256];
    if (argument == ARGUMENT_NONE)
        snprintf(word, sizeof word, "%s[%s]", name, row->help);
    else
        snprintf(word, sizeof word, "%s[%s]:argument:%s", name, row->help, zsh_action(argument));
    printf("        ");
    print_quoted(word, "");
    printf(" \\\n");
}

static void print_zsh_command(const struct command *command)
{
    char name[64];
    printf("    %s)\n      _arguments -s \\\n", command->name);
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (!pages_takes(command, row))
            continue;
        snprintf(name, sizeof name, "--%s%s", row->name, row->kind == KIND_FLAG ? "" : "=");
        print_zsh_option(row, name);
        snprintf(name, sizeof name, "-%c%s", row->letter, row->kind == KIND_FLAG ? "" : "+");
        if (row->letter)
            print_zsh_option(row, name);
    }
    printf("        '*:file:%s' ;;\n",
           command == &commands[COMMAND_models] ? "_ptxlit_models" : "_files");
}

void pages_zsh(void)
{
    printf("#compdef ptxlit\n# Made from cli/options/commands.def and cli/options/options.def by "
           "cli/pages.\n"
           "_ptxlit_models() {\n"
           "  compadd -- ${(f)\"$(ptxlit models 2>/dev/null | cut -d' ' -f1)\"}\n"
           "  _files -g '*.cat'\n"
           "}\n"
           "_ptxlit() {\n"
           "  local line state\n"
           "  _arguments -C '--help[this text]' '--version[the version]' '1: :->command' '*:: "
           ":->rest'\n"
           "  case $state in\n"
           "  command)\n    local -a words=(\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function) {
            char word[256];
            snprintf(word, sizeof word, "%s:%s", commands[i].name, commands[i].summary);
            printf("      ");
            print_quoted(word, "");
            putchar('\n');
        }
    printf("    )\n    _describe command words ;;\n"
           "  rest)\n    case $line[1] in\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function)
            print_zsh_command(&commands[i]);
    printf("    esac ;;\n  esac\n}\n_ptxlit \"$@\"\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

static const char fish_models[] =
    " -a \"(ptxlit models 2>/dev/null | string replace -r ' .*' '')\"";

static const char *fish_argument(enum argument argument)
{
    static const char *const words[] = {
        [ARGUMENT_NONE] = "",
        [ARGUMENT_WORD] = " -x",
        [ARGUMENT_FILE] = " -r -F",
        [ARGUMENT_FOLDER] = " -x -a '(__fish_complete_directories)'",
        [ARGUMENT_MODEL] =
            " -r -F -a \"(ptxlit models 2>/dev/null | string replace -r ' .*' '')\""};
    return words[argument];
}

static void print_fish_option(const struct option_row *row)
{
    printf("complete -c ptxlit -n '__fish_seen_subcommand_from");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (pages_takes(&commands[i], row))
            printf(" %s", commands[i].name);
    printf("' -l %s%s", row->name, fish_argument(pages_argument(row)));
    if (pages_argument(row) == ARGUMENT_MODEL)
        printf("%s", fish_models);
    if (row->letter)
        printf(" -s %c", row->letter);
    printf(" -d ");
    print_quoted(row->help, "\\");
    putchar('\n');
}

void pages_fish(void)
{
    printf("# Made from cli/options/commands.def and cli/options/options.def by cli/pages.\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function) {
            printf("complete -c ptxlit -n __fish_use_subcommand -f -a %s -d ", commands[i].name);
            print_quoted(commands[i].summary, "\\");
            putchar('\n');
        }
    for (uint32_t i = 0; i < option_row_count; i++)
        print_fish_option(&option_rows[i]);
    printf("complete -c ptxlit -n '__fish_seen_subcommand_from models' -f%s\n", fish_models);
}
