/* SPDX-License-Identifier: MIT */
#include "cli/answer/left_out.h"

#include <string.h>

#include "litmus/test/host.h"

/* Is the place in the kernel's code, or in that of a function of the module? */
static bool holds(const struct body *body, struct span span)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        struct span at = body->insts[i].span;
        if (at.offset <= span.offset && span.offset < at.offset + at.length)
            return true;
    }
    return false;
}

static bool is_listed(const struct opaque_list *opaque, const char *name)
{
    for (uint32_t i = 0; i < opaque->count; i++)
        if (strcmp(opaque->at[i].name, name) == 0)
            return true;
    return false;
}

static void add(struct arena *arena, struct opaque_list *opaque, const char *name,
                const struct diag *fault)
{
    struct opaque_kernel *longer = ARENA_ARRAY(arena, struct opaque_kernel, opaque->count + 1);
    if (opaque->count)
        memcpy(longer, opaque->at, opaque->count * sizeof *longer);
    longer[opaque->count] =
        (struct opaque_kernel){name, {fault->span, fault->message, fault->hint}};
    *opaque = (struct opaque_list){longer, opaque->count + 1};
}

bool left_out_kernel(struct arena *arena, const struct test *test, const struct diag *fault,
                     struct opaque_list *opaque)
{
    uint32_t before = opaque->count;
    if (!test->host || !test->host->is_file || fault->id != DIAG_unfold_unsupported)
        return false;
    bool in_kernel = false;
    for (uint32_t i = 0; i < test->launch_count; i++)
        in_kernel = in_kernel || holds(&test->bodies[test->launches[i].kernel], fault->span);
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct body *kernel = &test->bodies[test->launches[i].kernel];
        bool is = !in_kernel || holds(kernel, fault->span); /* a function's caller may be any */
        if (is && !is_listed(opaque, kernel->name))
            add(arena, opaque, kernel->name, fault);
    }
    return opaque->count > before;
}
