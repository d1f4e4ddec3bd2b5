/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_WEAK_WEAK_H
#define MODEL_MACHINE_MEMORY_WEAK_WEAK_H

#include "model/machine/core/memory.h"

/* The 'ptx' memory: weak, by mechanisms (docs/machine.md). One scalar access is performed at a
 * time; what it may return and where a write falls in coherence order are choices of run.chooser.
 */

/* NULL after an error in 'diags': accesses through more (proxy, CTA) pairs than fit. */
struct memory *weak_memory_new(struct arena *arena, const struct machine *machine,
                               struct diag_list *diags);
bool weak_memory_is(const struct memory *memory);
void weak_memory_reset(struct memory *memory);

/* The state is one flat block: copying it in and out is all that search needs. */
size_t weak_memory_bytes(const struct memory *memory);
void weak_memory_save(const struct memory *memory, void *to);
void weak_memory_load(struct memory *memory, const void *from);
/* Equal for states that no continuation can tell apart; different ones collide with a probability
 * of about 2^-64 a pair of states. */
void weak_memory_hash(struct memory *memory, uint64_t hash[2]);

/* Did the last choice turn out to lead nowhere, as a wrong guess of a processor does? Then the run
 * says nothing. Cleared by load and reset. */
bool weak_memory_pruned(const struct memory *memory);
/* Is a table full? Then the run ends unfinished (MEMORY_BOUND). */
bool weak_memory_overflow(const struct memory *memory);

/* Outstanding loads. A lane may go on past a load whose value nobody has asked for yet. */
bool weak_memory_may_issue(const struct memory *memory, const struct access *access);
/* The load is on its way; the caller moves the lane past the micro. */
bool weak_memory_issue(struct memory *memory, const struct access *access, uint32_t micro_index);
/* How many loads of 'lane' are outstanding, their micros in micros[]. */
uint32_t weak_memory_outstanding(const struct memory *memory, uint32_t lane, uint32_t *micros,
                                 uint32_t limit);
/* The load issued at 'micro_index' returns now: its value in access->value. */
bool weak_memory_return(struct run *run, uint32_t lane, uint32_t micro_index,
                        struct access *access);

/* Leaves out one rule of rule.def, by its number from 1 on; for tests. */
void weak_memory_skip(struct memory *memory, uint32_t rule);
extern const uint32_t weak_rule_count; /* numbers are below this */
const char *weak_rule_text(uint32_t rule);
bool weak_memory_has_dependencies(
    const struct memory *memory); /* rule DEPENDENCY is not left out */

#endif
