/* SPDX-License-Identifier: MIT */
#include "litmus/generate/shape.h"

struct shaping {
    struct generate_share share;
    uint64_t met;
    generate_visit *visit;
    void *context;
};

static bool is_shape(const struct generated_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++) {
            const struct generated_step *step = &program->steps[t][i];
            bool atomic = step->kind == STEP_ATOM || step->kind == STEP_RED;
            if (step_is_access(step) && step->sem != (atomic ? SEM_RELAXED : SEM_WEAK))
                return false;
        }
    return true;
}

static bool visit_shape(void *context, const struct generated_program *program)
{
    struct shaping *shaping = context;
    if (!is_shape(program) || shaping->met++ % shaping->share.count != shaping->share.number - 1)
        return true;
    return shaping->visit(shaping->context, program);
}

bool generate_shapes(const struct generate_bounds *bounds, struct generate_share share,
                     generate_visit *visit, void *context)
{
    struct shaping shaping = {.share = share, .visit = visit, .context = context};
    struct generate_bounds weakest = *bounds;
    bool atomic = bounds->atomics || bounds->red;
    weakest.sems = 1u << SEM_WEAK | (atomic ? 1u << SEM_RELAXED : 0);
    weakest.forms = 0;
    weakest.fences = 0;
    weakest.scopes = 1u << SCOPE_CTA;
    weakest.instructions = bounds->accesses;
    if (weakest.instructions.most > bounds->instructions.most)
        weakest.instructions.most = bounds->instructions.most;
    return generate_programs(&weakest, (struct generate_share){1, 1}, visit_shape, &shaping);
}
