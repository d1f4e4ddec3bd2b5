/* SPDX-License-Identifier: MIT */
#include "litmus/check/checker.h"
#include "litmus/test/host.h"

/* Checks the accesses of host code: it may touch memory only if a host can reach it. */

static void check_operand(struct checker *c, const struct operand *operand)
{
    if (operand->kind != OPERAND_MEMORY || operand->location == NONE)
        return;
    if (c->test->locations[test_root_location(c->test, operand->location)].memory == MEMORY_DEVICE)
        check_error(c, host_memory, operand->span,
                    "declare it mapped, managed, pinned or pageable, or copy it to such memory",
                    "'%s' is device memory, which a host thread does not reach",
                    c->test->locations[operand->location].name);
}

void check_host(struct checker *c)
{
    const struct host_program *host = c->test->host;
    for (uint32_t i = 0; host && i < host->thread_count; i++) {
        const struct body *body = &c->test->bodies[host->threads[i].body];
        for (uint32_t k = 0; k < body->inst_count; k++)
            for (uint32_t o = 0; o < body->insts[k].operand_count; o++)
                check_operand(c, &body->insts[k].operands[o]);
    }
}
