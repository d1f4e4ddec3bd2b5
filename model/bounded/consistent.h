/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_CONSISTENT_H
#define MODEL_BOUNDED_CONSISTENT_H

#include "model/bounded/events.h"
#include "model/bounded/executions.h"

/* Does the model cpp (model/models/cpp.cat) allow the execution of these events? */
bool source_allows(const struct bounded_program *program, const struct small_events *events,
                   const struct bounded_execution *execution);
/* Has it, which cpp allows, a data race? */
bool source_races(const struct bounded_program *program, const struct small_events *events,
                  const struct bounded_execution *execution);
/* Does the model ptx (model/models/ptx.cat)? 'strict': all accesses of a location are morally strong, and
 * locations_allow holds; else of the order of writes only the part that PTX asks for is taken. */
bool target_allows(const struct bounded_program *program, const struct small_events *events,
                   const struct bounded_execution *execution, bool strict);
/* Does no value depend on itself? Guards are branches on what was read. */
bool values_are_grounded(const struct bounded_program *program,
                         const struct bounded_execution *execution);
/* What C++ asks, and PTX of accesses that are morally strong: each location by itself is coherent, and
 * nothing comes between the halves of an atomic operation. */
bool locations_allow(const struct bounded_program *program,
                     const struct bounded_execution *execution);
/* Is there one order of all operations that explains it? Then every model allows it. */
bool order_allows(const struct bounded_program *program, const struct bounded_execution *execution);

#endif
