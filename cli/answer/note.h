/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_NOTE_H
#define CLI_ANSWER_NOTE_H

#include <stdbool.h>

/* How far the work on a test has come, kept up to date by those who do it; it can be read when the
 * process that wrote it has died. */
struct note {
    char test[128];    /* the test's name, once it is known */
    bool refused;      /* the system refused it memory, and that ended it */
    const char *stage; /* "reading it", "searching its executions" …: a string constant */
};

#endif
