/* SPDX-License-Identifier: MIT */
#include "litmus/generate/place.h"

#include <stddef.h>

struct placing {
    struct generated_program *program;
    uint32_t apart;
    generate_placed *visit;
    void *context;
};

static bool has(uint32_t set, uint32_t bit)
{
    return set >> bit & 1;
}

/* Names that the threads before use, of a member of their places. */
static uint8_t used(const struct generated_program *program, uint32_t thread, size_t member)
{
    uint8_t names = 0;
    for (uint32_t k = 0; k < thread; k++) {
        uint8_t one = ((const uint8_t *)&program->place[k])[member];
        if (one >= names)
            names = (uint8_t)(one + 1);
    }
    return names;
}
#define USED(program, thread, member)                                                              \
    used(program, thread, offsetof(struct generated_place, member))

static bool place(struct placing *p, uint32_t thread);

/* In a CTA of its own: on which device, in which cluster? */
static bool place_alone(struct placing *p, uint32_t thread)
{
    struct generated_program *program = p->program;
    struct generated_place *here = &program->place[thread];
    uint8_t ctas = USED(program, thread, cta), gpus = USED(program, thread, gpu),
            clusters = USED(program, thread, cluster);
    bool go_on = true, many = has(p->apart, SCOPE_GPU);
    for (uint8_t gpu = 0; go_on && gpu < (many || !thread ? gpus + 1 : gpus); gpu++) {
        uint32_t joined = 0; /* clusters of the device */
        for (uint32_t k = 0; program->clusters && k < thread; k++)
            if (program->place[k].gpu == gpu)
                joined |= 1u << program->place[k].cluster;
        for (uint8_t cluster = 0; go_on && cluster <= clusters; cluster++) {
            if (cluster < clusters && !has(joined, cluster))
                continue;
            *here = (struct generated_place){gpu, cluster, ctas};
            go_on = place(p, thread + 1);
        }
    }
    return go_on;
}

static bool place(struct placing *p, uint32_t thread)
{
    struct generated_program *program = p->program;
    if (thread == program->threads)
        return p->visit(p->context);
    bool go_on = true;
    uint8_t ctas = USED(program, thread, cta);
    for (uint8_t cta = 0; go_on && has(p->apart, SCOPE_CTA) && cta < ctas; cta++) {
        uint32_t mate = 0;
        while (program->place[mate].cta != cta)
            mate++;
        program->place[thread] = program->place[mate];
        go_on = place(p, thread + 1);
    }
    return go_on && place_alone(p, thread);
}

bool generate_places(struct generated_program *program, uint32_t apart, generate_placed *visit,
                     void *context)
{
    struct placing placing = {program, apart, visit, context};
    program->clusters = has(apart, SCOPE_CLUSTER);
    return place(&placing, 0);
}
