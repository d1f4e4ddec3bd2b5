/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_PART_H
#define CLI_REPORT_PART_H

#include <glib.h>
#include <stdbool.h>

/* The inner part of a file whose first lines are known last, such as counts of what follows them. It is kept in
 * a file without a name beside the one that it becomes a part of, so that memory does not grow with it. */

struct report_part;

/* NULL when the folder takes no file: errno says why. */
struct report_part *part_new(const char *folder);
void part_free(struct report_part *part);
/* What cannot be written shows in part_write. */
void part_add(struct report_part *part, const char *text, size_t length);
/* Writes 'before', the part (which may be NULL) and 'after' to a file, which is replaced at once or not at all. 0,
 * or the error as errno has it. */
int part_write(struct report_part *part, const char *path, const char *before, const char *after);

#endif
