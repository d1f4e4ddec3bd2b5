/* SPDX-License-Identifier: MIT */
#include "litmus/test/ptx_version.h"

/* The newest PTX version that a word of the instruction needs; 0: every version has them all. */
static uint32_t of_words(const struct inst *inst)
{
    const struct {
        char class;
        uint32_t value;
    } used[] = {{'T', inst->type}, {'C', inst->scope}, {'M', inst->space}};
    uint32_t newest = 0;
    for (const struct isa_word *word = isa_words; word->text; word++) {
        bool uses = word->class == 'F' && inst->flags & word->value;
        for (size_t k = 0; k < sizeof used / sizeof *used; k++)
            uses = uses || (word->class == used[k].class && word->value == used[k].value);
        newest = uses && word->ptx > newest ? word->ptx : newest;
    }
    return newest;
}

static uint32_t version_of(const struct inst *inst)
{
    uint32_t newest = op_row(inst->op)->ptx, words = of_words(inst);
    newest = words > newest ? words : newest;
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
