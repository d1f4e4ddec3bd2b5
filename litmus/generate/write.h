/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_WRITE_H
#define LITMUS_GENERATE_WRITE_H

#include <glib.h>

#include "litmus/generate/outcome.h"

/* A generated program as a litmus test, in the form that litmus/print gives it. */

/* "Wx-Wy.release.gpu+Ry.acquire.gpu-Rx": the program in one word; the places follow after '@' where
 * not every thread has a CTA of its own on one device. Two programs have two names. */
const char *generated_name(struct arena *arena, const struct generated_program *program);
/* "WxWy+RyRx": the kinds and locations of the accesses. */
const char *generated_skeleton(struct arena *arena, const struct generated_program *program);
/* Appends the test that asks: may the program end so? 'comment', 'expectation': what stands in quotes
 * below the name, or NULL; 'values': of generated_observe. */
void generated_write(GString *out, const char *name, const char *comment, const char *expectation,
                     const struct generated_program *program, const uint32_t *values);

#endif
