/* SPDX-License-Identifier: MIT */
#include "litmus/test/ptx_version.h"

static uint32_t version_of(const struct inst *inst)
{
    uint32_t newest = 60;
#define FORM(version, condition)                                                                   \
    if (newest < (version) && (condition))                                                         \
        newest = (version);
#include "litmus/isa/ptx_version.def"
#undef FORM
    return newest;
}

uint32_t ptx_version_of(const struct test *test, const struct inst **newest)
{
    uint32_t version = 60;
    *newest = NULL;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            uint32_t needed = version_of(&test->bodies[b].insts[i]);
            if (needed > version) {
                version = needed;
                *newest = &test->bodies[b].insts[i];
            }
        }
    return version;
}

bool ptx_version_cuda(uint32_t ptx, uint32_t *cuda)
{
    static const struct {
        uint32_t ptx, cuda;
    } releases[] = {
#define RELEASE(ptx, cuda) {ptx, cuda},
#include "litmus/isa/ptx_release.def"
#undef RELEASE
    };
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
        if (releases[i].ptx == ptx) {
            *cuda = releases[i].cuda;
            return true;
        }
    return false;
}
