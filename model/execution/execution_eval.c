/* SPDX-License-Identifier: MIT */
#include "model/execution/execution.h"

#include <assert.h>

/* Values of expressions in an execution. */

/* A granule of a read of up to 8 bytes, out of the value the read returned. */
static bool leaf(void *context, const struct expr *expr, uint64_t *value)
{
    const struct execution *execution = context;
    if (expr->op == EXPR_CHOICE) {
        *value = execution->choice[expr->a];
        return true;
    }
    event_id read = expr->b;
    const struct granule *granules = execution->graph->granules;
    uint32_t first = execution->first_granule[read];
    if (!execution->executed[read] || expr->a >= execution->granules[read])
        return false;
    uint64_t offset = granules[first + expr->a].physical - granules[first].physical;
    if (offset + granules[first + expr->a].bytes > 8)
        return false;
    *value = execution->value[read] >> (offset * 8);
    if (expr->width < 64)
        *value &= (UINT64_C(1) << expr->width) - 1;
    return true;
}

bool execution_eval(const struct execution *execution, expr_id expr, uint64_t *value)
{
    assert(expr < expr_count(execution->graph->exprs));
    return expr_eval(execution->graph->exprs, expr, leaf, (void *)(uintptr_t)execution, value);
}
