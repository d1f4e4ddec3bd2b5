/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_REGION_H
#define MODEL_MACHINE_CORE_REGION_H

#include "model/machine/core/machine.h"

/* Where bytes lie: one address space for everything. */

/* Regions of all locations for all CTAs; false after an error in 'diags'. */
bool region_place_all(struct machine *machine, struct diag_list *diags);
/* Where the bytes of a location of global memory lie, if it has any. */
const struct region *region_of_location(const struct machine *machine, uint32_t location);
/* Where a location begins as the lane sees it. */
uint64_t region_address(const struct machine *machine, uint32_t lane, uint32_t location);
/* The region that holds [address, address + bytes), or NULL. */
const struct region *region_find(const struct machine *machine, uint64_t address, uint32_t bytes);
/* The last one that begins at or before the address, or NULL. */
const struct region *region_before(const struct machine *machine, uint64_t address);
/* The one whose addresses accesses in 'region' have: names for another proxy share the virtual
 * address of what they alias, generic aliases have one of their own (ptx-model.md 2). */
const struct region *region_main(const struct machine *machine, const struct region *region);
/* The same byte of the copy of its location that the CTA has; 0: there is none. */
uint64_t region_in_cta(const struct machine *machine, uint64_t address, uint32_t cta);
/* Where an address of the region is in the memory's array. */
static inline uint32_t region_memory(const struct region *region, uint64_t address)
{
    return region->memory + (uint32_t)(address - region->base);
}
/* Finds the tensor maps of the test. */
void region_find_maps(struct machine *machine);
/* The initial contents of the first 'count' bytes: machine.memory_bytes, or machine.shared_bytes. */
void region_initial(const struct machine *machine, uint8_t *bytes, uint32_t count);

#endif
