/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_OPAQUE_H
#define LITMUS_PARSE_OPAQUE_H

#include "litmus/test/host.h"

/* A kernel of which nothing is known but that it ends, by its name in PTX, and why. */
struct opaque_kernel {
    const char *name;
    struct host_gap gap;
};
struct opaque_list {
    const struct opaque_kernel *at;
    uint32_t count;
};

#endif
