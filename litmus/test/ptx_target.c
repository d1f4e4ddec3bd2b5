/* SPDX-License-Identifier: MIT */
#include "litmus/test/ptx_target.h"

#include <glib.h>
#include <string.h>

#include "litmus/test/launch.h"

enum { CLUSTERS = 900 }; /* the first that has clusters, programmatic launches and domains */

static bool is_one_of(const struct inst *inst, enum type type)
{
    return inst->type == type || inst->source_type == type;
}

static bool multiplies(const struct inst *inst, enum matrix_element element)
{
    for (uint32_t i = 0; inst->matrix && i < inst->matrix->element_count; i++)
        if (inst->matrix->elements[i] == element)
            return true;
    return false;
}

static uint32_t of_inst(const struct inst *inst)
{
    uint32_t target = PTX_TARGET_OLDEST;
#define TARGET(sm, condition)                                                                      \
    if (target < 10 * (sm) && (condition))                                                         \
        target = 10 * (sm);
#define SPECIFIC_TARGET(sm, condition)                                                             \
    if (target < 10 * (sm) + 1 && (condition))                                                     \
        target = 10 * (sm) + 1;
#include "litmus/isa/ptx_target.def"
#undef SPECIFIC_TARGET
#undef TARGET
    return target;
}

static uint32_t of_body(const struct body *body)
{
    uint32_t target = PTX_TARGET_OLDEST;
    for (uint32_t i = 0; i < body->inst_count; i++)
        target = MAX(target, of_inst(&body->insts[i]));
    for (enum special s = 0; s < SPECIAL_COUNT; s++)
        if (strstr(special_name(s), "cluster") && body_reads_special(body, s))
            target = MAX(target, CLUSTERS);
    return target;
}

static bool is_of_clusters(const struct launch *launch)
{
    return launch_cluster_ctas(launch) > 1 || launch->programmatic || launch->domain;
}

uint32_t ptx_target_of(const struct test *test)
{
    uint32_t target = PTX_TARGET_OLDEST;
    for (uint32_t b = 0; b < test->body_count; b++)
        target = MAX(target, of_body(&test->bodies[b]));
    for (uint32_t i = 0; i < test->launch_count; i++)
        target = is_of_clusters(&test->launches[i]) ? MAX(target, CLUSTERS) : target;
    return target;
}
