/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_FEATURES_H
#define LITMUS_RANDOM_FEATURES_H

#include "litmus/base/diag.h"
#include "litmus/random/subject.h"

/* What random programs are drawn with, as words with commas between: those of features.def, "host" and "cpp". */
struct random_features {
    struct random_bounds bounds;
    enum random_language language;
    bool change; /* from seed to seed, with host programs now and then */
};
/* "all": they change. False after an error in 'diags' (DIAG_option_value). */
bool random_read_features(struct arena *arena, const char *words, struct random_features *features,
                          struct diag_list *diags);
/* The program of a seed as litmus text. */
GString *random_text(const struct random_features *features, uint64_t seed);

#endif
