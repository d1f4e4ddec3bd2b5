/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/bypass.h"

void bypass_note(struct run *run, uint32_t lane, const struct micro *micro)
{
    if (!run_program(run, lane)->meets || !micro_acts(micro))
        return;
    bool own = micro_is_access(micro) && run_address(run, lane, micro) >= LOCAL_FIRST;
    if (!own)
        run_lane(run, lane)->acted = run_lane(run, lane)->pc + 1;
}

void bypass_note_lanes(struct run *run, uint32_t first, uint32_t lanes, const struct micro *micro)
{
    struct lane *lane = run_lane(run, first);
    if (!run_program(run, first + lowest(lanes))->meets || !micro_acts(micro))
        return;
    EACH_LANE(p, lanes)
        lane[p].acted = lane[p].pc + 1;
}

static const bool *leads_to(const struct machine *machine, uint32_t program, uint32_t pc)
{
    const struct program *text = machine->programs[program];
    const bool ***leads = &machine->leads[program];
    if (!*leads)
        *leads = ARENA_ARRAY(machine->arena, const bool *, text->micro_count);
    if (!(*leads)[pc])
        (*leads)[pc] = program_leads_to(machine->arena, text, pc);
    return (*leads)[pc];
}

uint32_t bypass_lanes(struct run *run, uint32_t warp, uint32_t lanes, uint32_t like, uint32_t pc)
{
    const struct machine *machine = run->machine;
    uint32_t program = machine->lanes[like].program, first = run_first(run, warp), passed = 0;
    EACH_LANE(p, lanes & machine->warps[warp].present) {
        uint32_t acted = run_lane(run, first + p)->acted;
        if (acted && machine->lanes[first + p].program == program &&
            !leads_to(machine, program, pc)[acted - 1])
            passed |= 1u << p;
    }
    return passed;
}

const char *bypass_text(const struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t lane = run_first(run, warp) + lowest(lanes);
    const struct micro *micro = &run_program(run, lane)->micros[run_lane(run, lane)->acted - 1];
    return arena_printf(run->reports->arena, "%s went on at %s",
                        run_lanes_name(run, warp, lanes & -lanes), run_micro_name(run, micro));
}
