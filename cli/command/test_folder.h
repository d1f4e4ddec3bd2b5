/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_TEST_FOLDER_H
#define CLI_COMMAND_TEST_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "litmus/base/arena.h"

/* Where generated tests go: to standard output, or each to a file of its name in a folder, with the list '@all' of
 * these files in their order, as diy7 does it. */
struct test_folder {
    const char *path; /* NULL: standard output */
    FILE *all;
    bool any; /* was a test added? */
    bool failed;
};

/* False: the folder cannot be written, which standard error says. */
bool test_folder_open(struct test_folder *folder, const char *path);
/* Tests that follow each other in one text. False: nothing more can be written. */
bool test_folder_add(struct test_folder *folder, const char *text, size_t length);
/* False: something could not be written, which standard error says. */
bool test_folder_close(struct test_folder *folder);

#endif
