/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_WEAK_WEAK_H
#define MODEL_MACHINE_MEMORY_WEAK_WEAK_H

#include "model/machine/core/run.h"

/* The 'ptx' memory: weak, as docs/machine.md describes it. One scalar access is performed at a
 * time; what it may return and where a write falls in coherence order are choices of run.chooser.
 */

/* NULL after an error in 'diags': accesses through more (proxy, CTA) pairs than fit. */
struct memory *weak_memory_new(struct arena *arena, const struct machine *machine,
                               struct diag_list *diags);
bool weak_memory_is(const struct memory *memory);

/* These three may be asked of any memory: another one prunes nothing, has room and no loads
 * outstanding. Did the last choice turn out to lead nowhere, as a wrong guess of a processor does?
 * Then the run says nothing. It is so until the state is reset or an earlier one is restored. */
bool weak_memory_pruned(const struct memory *memory);
/* Is a table full? Then the run ends unfinished (MEMORY_BOUND). */
bool weak_memory_overflow(const struct memory *memory);
/* How many loads of 'lane' are outstanding, their micros in micros[]. */
uint32_t weak_memory_outstanding(const struct memory *memory, uint32_t lane, uint32_t *micros,
                                 uint32_t limit);

/* Outstanding loads. A lane may go on past a load whose value nobody has asked for yet. */
bool weak_memory_may_issue(const struct memory *memory, const struct memory_access *access);
/* The load is on its way; the caller moves the lane past the micro. */
bool weak_memory_issue(struct memory *memory, const struct memory_access *access,
                       uint32_t micro_index);
/* The load issued at 'micro_index' returns now: its value in access->value. */
bool weak_memory_return(struct run *run, uint32_t lane, uint32_t micro_index,
                        struct memory_access *access);

/* For those who look for runs without end (forget.c): from now on the memory forgets, after each weak_memory_forget, the
 * writes that no lane can read any more, and gives their numbers to later ones, so that states come again. It also makes
 * every lane know that all but the last few writes of a location are overwritten: runs are left out, and none added.
 * False: there are too many lanes, or other proxies. Only after that may the last two be asked. */
bool weak_memory_start_forgetting(struct memory *memory);
void weak_memory_forget(struct run *run);
/* The numbers of the writes that are not forgotten, as a set. */
uint64_t weak_memory_writes(const struct memory *memory);
/* Those, morally strong with it, that a read returned older values than, in steps since the last call. */
uint64_t weak_memory_take_missed(struct memory *memory);

/* Leaves out one rule of rule.def, by its number from 1 on; for tests. */
void weak_memory_skip(struct memory *memory, uint32_t rule);
/* Rule DEPENDENCY is not left out. */
bool weak_memory_has_dependencies(const struct memory *memory);

#endif
