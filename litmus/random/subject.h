/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_SUBJECT_H
#define LITMUS_RANDOM_SUBJECT_H

#include "litmus/random/cpp.h"
#include "litmus/random/host.h"
#include "litmus/random/program.h"

/* A random test of any language, as a value. */

enum random_language { RANDOM_DEVICE, RANDOM_HOST, RANDOM_CPP };

struct random_subject {
    enum random_language language;
    union {
        struct random_program device;
        struct random_host host;
        struct random_cpp cpp;
    };
};

/* Of a host program the bounds do not count. */
void random_subject_draw(struct random_subject *subject, enum random_language language,
                         uint64_t seed, const struct random_bounds *bounds);
/* Litmus text that observes everything. */
GString *random_subject_write(const struct random_subject *subject);
/* The 'step'-th way to make the test smaller; false when there is none. */
bool random_subject_shrink(const struct random_subject *subject, uint32_t step,
                           struct random_subject *smaller);

#endif
