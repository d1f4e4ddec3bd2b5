/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"
#include "litmus/test/host.h"

/* What host code may touch: memory that is not on a device only. */

static void check_operand(struct checker *checker, const struct operand *operand)
{
    if (operand->kind != OPERAND_MEMORY || operand->location == NONE)
        return;
    uint32_t at = operand->location;
    while (checker->test->locations[at].alias_of != NONE)
        at = checker->test->locations[at].alias_of;
    if (checker->test->locations[at].memory == MEMORY_DEVICE)
        check_error(checker, host_memory, operand->span,
                    "declare it mapped, managed, pinned or pageable, or copy it to such memory",
                    "'%s' is device memory, which a host thread does not reach",
                    checker->test->locations[operand->location].name);
}

void check_host(struct checker *checker)
{
    const struct host_program *host = checker->test->host;
    for (uint32_t i = 0; host && i < host->thread_count; i++) {
        const struct body *body = &checker->test->bodies[host->threads[i].body];
        for (uint32_t k = 0; k < body->inst_count; k++)
            for (uint32_t o = 0; o < body->insts[k].operand_count; o++)
                check_operand(checker, &body->insts[k].operands[o]);
    }
}
