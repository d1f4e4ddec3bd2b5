/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_STORED_H
#define CLI_REPORT_STORED_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* A report.json that lies on disk, of this version of ptxlit or an older one. Its tests are read one by one, so that
 * memory does not grow with them. */
struct stored {
    const char *path;
    GMappedFile *file;
    json_t *head;         /* all keys but "tests" */
    const char *at, *end; /* what is left of the tests */
    bool damaged;         /* a test could not be read */
};

/* False after saying on standard error what is wrong with the file. 'path' stays the caller's. */
bool stored_open(struct stored *stored, const char *path);
/* The next test, which the caller owns; NULL behind the last, or after saying what is wrong with this one. */
json_t *stored_next(struct stored *stored);
/* Of a struct of zeros too. */
void stored_close(struct stored *stored);

#endif
