/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_MANUAL_H
#define CLI_ANSWER_WHY_MANUAL_H

#include "model/cat/cat.h"

/* Where the manual states a rule of the model, "PTX 8.9.4, 8.9.3": the sections cited by the
 * comments of its definition ("let NAME", "… as NAME") and then by the heading above it ("(*
 * ---- 4. Synchronizes (8.9.4) …"), unless one of the former lies inside; "" when the model's own
 * text says nothing. */
const char *manual_section(struct arena *arena, const struct cat_model *model, const char *name);

#endif
