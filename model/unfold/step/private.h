/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_PRIVATE_H
#define MODEL_UNFOLD_STEP_PRIVATE_H

#include "model/unfold/step/access.h"

/* The .local memory of a kernel, as nvcc -G keeps variables there: nobody but its thread sees it, so it is a register for
 * each byte (thread/frame.h), and what loads and stores it at a known address has no events: to order them means nothing.
 *
 * An access that may reach it in any other way, such as one through an address that was read from memory, has an event,
 * which these do not know of. addresses.c finds such memory, it 'escapes', and the test is unfolded again without registers
 * for it. */
/* The register of the first byte that a load or store touches, or NONE: it has an event. */
uint32_t private_register(const struct unfold_step *s, const struct access *access);
struct unfold_value private_load(struct unfold_step *s, const struct access *access, uint32_t reg);
void private_store(struct unfold_step *s, const struct access *access, uint32_t reg);

/* An access that has an event may touch the mapping. */
void private_escape(struct builder *b, const struct mapping *mapping);

#endif
