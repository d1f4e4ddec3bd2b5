/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_UNFOLD_H
#define MODEL_UNFOLD_UNFOLD_H

#include "litmus/base/diag.h"
#include "model/graph/graph.h"
#include "model/unfold/builder/options.h"

/* Turns a checked test into event graphs: one, but for host programs whose conflicting calls can be
 * ordered in several ways (one graph an order). NULL after an error in 'diags'. */
struct graph **unfold(struct arena *arena, const struct test *test,
                      const struct unfold_options *options, struct diag_list *diags,
                      uint32_t *count);

#endif
