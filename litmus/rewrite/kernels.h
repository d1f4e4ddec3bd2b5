/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_KERNELS_H
#define LITMUS_REWRITE_KERNELS_H

#include "litmus/edit/place.h"
#include "litmus/rewrite/code.h"

/* Where compiled kernels may be edited in their CUDA C++, as edit/place.h has it for PTX. Each option has the words of the
 * C++ (edit.rewording), and what they change in the PTX (also), at every place that the line was compiled to. Nothing that
 * has no words in CUDA, or whose instructions cannot be told, is an option. */
struct edit_places kernels_stronger(const struct code *code);
struct edit_places kernels_weaker(const struct code *code);
/* Each barrier, to be left out. */
struct edit_places kernels_fewer(const struct code *code);

#endif
