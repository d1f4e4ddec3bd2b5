/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_INTERRUPT_H
#define CLI_WORK_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Ctrl-C as something to wait for: while it is watched it does not end the process, and 'fd' can be
 * read from when it came. */
struct interrupt {
    int fd; /* -1: it is not watched, and ends the process as ever */
    sigset_t before;
};

struct interrupt interrupt_watch(bool wanted);
/* As it was before; one that came meanwhile is over. */
void interrupt_end(struct interrupt *interrupt);

#endif
