/* SPDX-License-Identifier: MIT */
#include "litmus/random/subject.h"

void random_subject_draw(struct random_subject *subject, enum random_language language,
                         uint64_t seed, const struct random_bounds *bounds)
{
    subject->language = language;
    switch (language) {
    case RANDOM_DEVICE:
        random_draw(&subject->device, seed, bounds);
        break;
    case RANDOM_HOST:
        random_host_draw(&subject->host, seed);
        break;
    case RANDOM_CPP:
        random_cpp_draw(&subject->cpp, seed, bounds);
        break;
    }
}

GString *random_subject_write(const struct random_subject *subject)
{
    switch (subject->language) {
    case RANDOM_DEVICE:
        return random_write(&subject->device);
    case RANDOM_HOST:
        return random_host_write(&subject->host);
    case RANDOM_CPP:
        return random_cpp_write(&subject->cpp);
    }
    return NULL;
}

bool random_subject_shrink(const struct random_subject *subject, uint32_t step,
                           struct random_subject *smaller)
{
    smaller->language = subject->language;
    switch (subject->language) {
    case RANDOM_DEVICE:
        return random_shrink(&subject->device, step, &smaller->device);
    case RANDOM_HOST:
        return random_host_shrink(&subject->host, step, &smaller->host);
    case RANDOM_CPP:
        return random_cpp_shrink(&subject->cpp, step, &smaller->cpp);
    }
    return false;
}
