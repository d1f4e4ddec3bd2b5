/* SPDX-License-Identifier: MIT */
#include "cli/pages/pages.h"

#include <stdio.h>
#include <string.h>

bool pages_takes(const struct command *command, const struct option_row *row)
{
    return command->function && (row->commands >> (command - commands) & 1);
}

enum argument pages_argument(const struct option_row *row)
{
    if (row->kind == KIND_FLAG)
        return ARGUMENT_NONE;
    if (strcmp(row->name, "model") == 0)
        return ARGUMENT_MODEL;
    if (strstr(row->argument, "FOLDER"))
        return ARGUMENT_FOLDER;
    return strstr(row->argument, "FILE") || strstr(row->argument, ".json") ? ARGUMENT_FILE
                                                                           : ARGUMENT_WORD;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } pages[] = {
        {"man", pages_man}, {"bash", pages_bash}, {"zsh", pages_zsh}, {"fish", pages_fish}};
    for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++)
        if (strcmp(pages[i].name, argv[1]) == 0) {
            pages[i].print();
            return fflush(stdout) == 0 ? 0 : 2;
        }
    return 2;
}
