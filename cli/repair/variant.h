/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_VARIANT_H
#define CLI_REPAIR_VARIANT_H

#include "cli/answer/job.h"
#include "litmus/edit/place.h"

/* A test with some choices made at its places. */
struct variant {
    struct arena *arena; /* a scratch arena of the test's */
    struct edit *edits;
    uint32_t count;
    struct edited edited;
    struct job job; /* read and unfolded */
};

/* The edits that a choice makes: an option a place. In 'arena'. */
struct edit *variant_edits(struct arena *arena, const struct edit_places *places,
                           const uint8_t *choice, uint32_t *count);
/* Reads the edited test. False: it cannot be read as the test that the edits were to make; the variant is to be
 * freed all the same. */
bool variant_new(struct variant *variant, const struct job *job, const struct edit_places *places,
                 const uint8_t *choice);
void variant_free(struct variant *variant);

#endif
