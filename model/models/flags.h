/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MODELS_FLAGS_H
#define MODEL_MODELS_FLAGS_H

#include <stdbool.h>

/* What a flag of a model ('flag ~empty r as NAME') says about a test: flag.def. */
enum flag_kind { FLAG_RACE, FLAG_OUTSIDE, FLAG_RACY, FLAG_UNDEFINED, FLAG_WARNING };

enum flag_kind flag_kind(const char *name);
bool flag_is_race(enum flag_kind kind);
/* After it everything may happen. */
bool flag_undefines(enum flag_kind kind);
const char *flag_detail(const char *name); /* for people; "" for a race */

#endif
