/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_MEMORY_H
#define CLI_WORK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct note;

/* How much memory a worker may have, and what tells that it died for want of it: libraries that
 * are refused some end a process in many ways. */

/* The address space in use, in bytes. */
uint64_t memory_in_use(void);
/* Not in a build with AddressSanitizer, whose shadow memory fits under no limit. */
bool memory_can_be_limited(void);
/* In a worker, before it works: no more than so much beyond 'base' bytes; 0: no limit. It never
 * widens one that is there. */
void memory_limit(uint32_t mebibytes, uint64_t base);
/* In a worker, before the limit: a death without memory leaves its mark in the note, or in the
 * status that the process ends with. */
void memory_watch(struct note *note);

/* How many processes the system has killed for want of memory; 0 where it does not say. */
uint64_t memory_oom_kills(void);
/* Does the system allow less than a limit of so many MiB (0: none)? */
bool memory_is_short(uint32_t mebibytes);
/* Did a worker under that limit, which ended with 'status' as of wait, die for want of memory? */
bool memory_ended(uint32_t mebibytes, const struct note *note, int status,
                  const struct rusage *usage);

#endif
