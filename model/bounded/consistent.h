/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_CONSISTENT_H
#define MODEL_BOUNDED_CONSISTENT_H

#include "model/bounded/events.h"
#include "model/bounded/executions.h"

/* Does the model cpp (model/models/cpp.cat) allow the execution of these events? */
bool source_allows(const struct bounded_program *program, const struct small_events *events,
                   const struct bounded_execution *execution);
/* Does the model ptx (model/models/ptx.cat)? */
bool target_allows(const struct bounded_program *program, const struct small_events *events,
                   const struct bounded_execution *execution);
/* What both ask: each location by itself is coherent, and nothing comes between the halves of an atomic
 * operation. */
bool locations_allow(const struct bounded_program *program,
                     const struct bounded_execution *execution);
/* Is there one order of all operations that explains it? Then every model allows it. */
bool order_allows(const struct bounded_program *program, const struct bounded_execution *execution);

#endif
