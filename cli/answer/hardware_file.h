/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_HARDWARE_FILE_H
#define CLI_ANSWER_HARDWARE_FILE_H

#include <glib.h>

#include "cli/answer/hardware.h"

/* Private to hardware.c, which finds the final states of a test, and hardware_file.c, which reads the file. */

struct sighting {
    const char *test, *file; /* file: without folders */
    json_t *state;           /* NULL: how long the test's runs took */
    uint64_t count;
    double seconds;
};

struct hardware {
    struct tie tie;
    struct arena *arena;
    const char *path;
    json_t *lines; /* keeps what the sightings point to */
    VEC(struct sighting) items;
    GHashTable *asked; /* names of files that somebody has asked about */
};

/* The path without its folders. */
const char *hardware_base_name(const char *path);

#endif
