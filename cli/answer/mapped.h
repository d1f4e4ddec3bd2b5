/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_MAPPED_H
#define CLI_ANSWER_MAPPED_H

#include "cli/answer/job.h"
#include "litmus/mapping/mapping.h"

#define MAPPING_DEFAULT "library"
/* What --mapping names, or the default. */
const char *mapping_name(const struct settings *settings);

/* A test in C++ as a mapping compiles it. */
struct mapped_test {
    const struct mapping_table *mapping;
    const struct test *source; /* in C++ */
    const struct test *made;   /* in PTX, its instructions with the places of the source */
    const struct test *test;   /* the same, with the places of 'text' */
    const char *text;
};

/* Everything in the job's arena; false after an error in the job's diagnostics. */
bool mapped_read(struct job *job, const struct test *source, const struct mapping_table *mapping,
                 struct mapped_test *to);

/* The test as --mapping says, called "NAME@MAPPING". NULL after an error in the job's diagnostics. */
const struct test *mapped_by_settings(struct job *job, const struct test *source);

/* Where an instruction of the text comes from. */
struct mapped_line {
    const char *thread, *instruction, *words; /* words: of the source, on one line */
    struct place place, from;                 /* in the text; in the source */
};
struct mapped_lines {
    VEC(struct mapped_line) items; /* in the order of the text's threads */
};
struct mapped_lines mapped_lines(const struct job *job, const struct mapped_test *mapped);

/* A test that shows every variable and every location, in place of those that its question names. */
const struct test *mapped_observing_all(struct arena *arena, const struct test *test);

#endif
