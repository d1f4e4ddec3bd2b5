/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_NAMES_H
#define TESTS_AGREE_NAMES_H

#include <glib.h>
#include <stdint.h>

/* Random tests whose names are a trial for whoever reads them: locations and registers that are
 * called like words of the language, like each other, like threads; locations that nothing
 * declares; host expressions that are equal, or nested as deep as they go. Half of them are host
 * programs, half have columns. Not every one is a test: the parser may refuse it. Nothing is
 * promised of their outcomes. */
GString *random_names(uint64_t seed);

#endif
