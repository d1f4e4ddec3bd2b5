/* SPDX-License-Identifier: MIT */
#include "cli/work/interrupt.h"

#include <sys/signalfd.h>
#include <unistd.h>

struct interrupt interrupt_watch(bool wanted)
{
    struct interrupt interrupt = {.fd = -1};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    if (!wanted || sigprocmask(SIG_BLOCK, &signals, &interrupt.before) != 0)
        return interrupt;
    interrupt.fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interrupt.fd < 0)
        sigprocmask(SIG_SETMASK, &interrupt.before, NULL);
    return interrupt;
}

void interrupt_end(struct interrupt *interrupt)
{
    struct signalfd_siginfo info;
    if (interrupt->fd < 0)
        return;
    while (read(interrupt->fd, &info, sizeof info) == (ssize_t)sizeof info)
        ;
    close(interrupt->fd);
    sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}
