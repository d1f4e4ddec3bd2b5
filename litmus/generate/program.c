/* SPDX-License-Identifier: MIT */
#include "litmus/generate/program.h"

uint32_t generated_size(const struct generated_program *program)
{
    uint32_t size = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        size += program->count[t];
    return size;
}

uint32_t generated_writes(const struct generated_program *program, uint32_t location)
{
    uint32_t writes = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            writes +=
                step_writes(&program->steps[t][i]) && program->steps[t][i].location == location;
    return writes;
}

bool generated_is_added_to(const struct generated_program *program, uint32_t location)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            if (program->steps[t][i].atom == ATOM_ADD && program->steps[t][i].location == location)
                return true;
    return false;
}

uint32_t generated_value(const struct generated_program *program, uint32_t thread, uint32_t step)
{
    uint32_t location = program->steps[thread][step].location, before = 0;
    if (program->steps[thread][step].constant)
        return program->steps[thread][step].constant;
    for (uint32_t t = 0; t <= thread; t++)
        for (uint32_t i = 0; i < (t < thread ? program->count[t] : step); i++)
            before +=
                step_writes(&program->steps[t][i]) && program->steps[t][i].location == location;
    return generated_is_added_to(program, location) ? 1u << before : before + 1;
}
