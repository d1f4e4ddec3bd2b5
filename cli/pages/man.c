/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/pages/pages.h"

/* Text as roff: its control characters and hyphens stand for themselves. */
static void print_text(const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        line_start = *text == '\n';
    }
}

static void print_paragraph(const char *text)
{
    print_text(text);
    putchar('\n');
}

static void print_command(const struct command *command)
{
    printf(".TP\n\\fB");
    print_text(command->name);
    printf("\\fR ");
    print_paragraph(command->arguments);
    print_paragraph(command->summary);
    if (*command->details) {
        printf(".IP\n");
        print_paragraph(command->details);
    }
}

static void print_takers(const struct option_row *row)
{
    bool all = true;
    for (int i = 0; i < COMMAND_COUNT; i++)
        all &= !commands[i].function || pages_takes(&commands[i], row);
    if (all)
        return;
    printf(".br\nTaken by");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (pages_takes(&commands[i], row)) {
            putchar(' ');
            print_text(commands[i].name);
        }
    printf(".\n");
}

static void print_option(const struct option_row *row)
{
    printf(".TP\n\\fB");
    if (row->letter)
        printf("\\-%c\\fR, \\fB", row->letter);
    printf("\\-\\-");
    print_text(row->name);
    printf("\\fR");
    if (row->argument) {
        printf(" \\fI");
        print_text(row->argument);
        printf("\\fR");
    }
    putchar('\n');
    print_text(row->help);
    if (row->shown) {
        printf(" [");
        print_text(row->shown);
        putchar(']');
    }
    putchar('\n');
    print_takers(row);
}

void pages_man(void)
{
    printf(
        ".\\\" Made from cli/options/commands.def and cli/options/options.def by cli/pages.\n"
        ".TH PTXLIT 1 \"\" \"ptxlit %s\" \"User Commands\"\n"
        ".SH NAME\nptxlit \\- litmus tests of the NVIDIA PTX / CUDA memory model\n"
        ".SH SYNOPSIS\n.B ptxlit\n.I COMMAND\n[\\fIOPTION\\fR…] \\fIFILE\\fR|\\fIDIR\\fR…\n"
        ".SH DESCRIPTION\n"
        "Says whether the memory model allows the outcome that a litmus test asks about, and why.\n"
        "A \\fIDIR\\fR is searched for *.litmus files; \\- is standard input.\n"
        "Results go to standard output, everything else to standard error.\n"
        ".SH COMMANDS\n",
        PTXLIT_VERSION);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].function)
            print_command(&commands[i]);
    printf(".SH OPTIONS\n");
    for (uint32_t i = 0; i < option_row_count; i++)
        print_option(&option_rows[i]);
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhen it is set and not empty, nothing is coloured.\n"
           ".SH SEE ALSO\n.BR ptxlit (3),\n.BR herd7 (1)\n");
}
