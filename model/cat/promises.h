/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PROMISES_H
#define MODEL_CAT_PROMISES_H

#include "model/cat/cat.h"

/* Asserts what cat.h promises of a model that was read. Nothing in a release build. */
#ifdef NDEBUG
#define cat_promises(model, bases, base_count) ((void)(model))
#else
void cat_promises(const struct cat_model *model, const struct cat_base *bases, uint32_t base_count);
#endif

#endif
