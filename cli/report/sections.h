/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_SECTIONS_H
#define CLI_REPORT_SECTIONS_H

#include <stdbool.h>

#include "cli/report/part.h"

/* The section of each test, as HTML that the page of a report loads when a reader opens it: some hundred KB to a
 * script, because a page that is a file may load scripts and nothing else. The folder of an earlier report is
 * replaced when all is written. */

struct sections;
/* The folder until all is written: a script that belongs to the sections goes there too. */
#define SECTIONS_FRESH "sections.new"

/* With 'page' the scripts go into that part of the page; else into a folder of 'folder'. NULL: errno says why. */
struct sections *sections_new(const char *folder, struct report_part *page);
/* The next test's; does it begin a script? */
bool sections_add(struct sections *sections, const char *html);
/* Writes what is left and puts the folder in its place: 0, or the error as errno has it. */
int sections_finish(struct sections *sections);
/* Takes away what was not finished. */
void sections_free(struct sections *sections);

#endif
