/* SPDX-License-Identifier: MIT */
#include "model/machine/core/run.h"

#include <glib.h>
#include <string.h>

#include "litmus/test/code_line.h"
#include "litmus/test/host.h"
#include "litmus/test/mangled.h"
#include "model/machine/core/place.h"

/* An access that is not made does not end the launch where it may go on. */
static bool ends_run(const struct run *run, enum report_id id)
{
    bool access = id == REPORT_SHARED_OOB || id == REPORT_GLOBAL_OOB || id == REPORT_MISALIGNED ||
                  id == REPORT_ATOMIC_BAD_ADDRESS || id == REPORT_WRITE_TO_CONST ||
                  id == REPORT_DSMEM_AFTER_EXIT;
    if (access && run->machine->options.keep_going)
        return false;
    return report_severity(id) == REPORT_error || report_severity(id) == REPORT_bound;
}

static void add_report(struct run *run, uint32_t lane, const struct micro *micro, uint64_t lines,
                       enum report_id id, const char *format, va_list arguments)
{
    const struct machine *machine = run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    struct machine_report report = {.id = id,
                                    .count = 1,
                                    .lane = lane,
                                    .pc = micro->inst_index,
                                    .lines = lines,
                                    .launch = place->launch,
                                    .column = place->column,
                                    .cta = place_linear_cta(machine, place->cta),
                                    .tid = place->tid};
    struct arena *scratch = arena_new();
    report.text = arena_printf(scratch, "%s: %s", run_lane_name(scratch, machine, lane),
                               arena_vprintf(scratch, format, arguments));
    report.span = micro->inst ? micro->inst->span : machine->programs[place->program]->body->span;
    report_add(run->reports, &report);
    run->stop |= ends_run(run, id);
    arena_free(scratch);
}

void run_report_at(struct run *run, uint32_t lane, const struct micro *micro, enum report_id id,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_report(run, lane, micro, 0, id, format, arguments);
    va_end(arguments);
}

/* The line of CUDA C++, else the place in the text: a number of its own. */
static uint32_t line_number(const struct test *test, const struct inst *inst)
{
    const struct code_line *line = test_code_line(test, inst->span.offset);
    return line && line->file != NONE ? line->file << 20 | line->line : inst->span.offset;
}

void run_report_pair(struct run *run, uint32_t lane, const struct micro *micro,
                     const struct inst *other, enum report_id id, const char *format, ...)
{
    const struct test *test = run->machine->test;
    uint32_t here = line_number(test, micro->inst), there = line_number(test, other);
    uint64_t lines = (uint64_t)MIN(here, there) << 32 | MAX(here, there);
    va_list arguments;
    va_start(arguments, format);
    add_report(run, lane, micro, lines ? lines : 1, id, format, arguments);
    va_end(arguments);
}

const char *run_lane_name(struct arena *arena, const struct machine *machine, uint32_t lane)
{
    const struct lane_place *place = &machine->lanes[lane];
    if (place->host != NONE)
        return machine->test->host->threads[place->host].name;
    if (place->call)
        return arena_printf(arena, "%s (line %u)", place->call->row->name,
                            source_place(machine->test->source, place->call->span.offset).line);
    if (place->column != NONE)
        return arena_printf(arena, "P%u", place->column);
    return arena_printf(arena, "thread %u of CTA %u (warp %u, lane %u)", place->tid,
                        place_linear_cta(machine, place->cta), machine->warps[place->warp].index,
                        place->lane);
}

const char *run_lanes_name(const struct run *run, uint32_t warp, uint32_t lanes)
{
    struct arena *arena = run->reports->arena;
    const struct warp_place *place = &run->machine->warps[warp];
    const char *text = NULL;
    for (uint32_t p = 0; p < 32; p++) {
        if (!(lanes >> p & 1))
            continue;
        uint32_t end = p;
        while (end < 31 && lanes >> (end + 1) & 1)
            end++;
        const char *range =
            end > p ? arena_printf(arena, "%u-%u", p, end) : arena_printf(arena, "%u", p);
        text = text ? arena_printf(arena, "%s,%s", text, range) : range;
        p = end;
    }
    return arena_printf(arena, "%s %s of warp %u (CTA %u)", lanes & (lanes - 1) ? "lanes" : "lane",
                        text ? text : "none", place->index,
                        place_linear_cta(run->machine, place->cta));
}

const char *run_byte_name(const struct run *run, const struct region *region, uint64_t address)
{
    const char *name = run->machine->test->locations[region->location].name;
    size_t length;
    const char *local = mangled_local(name, &length);
    const char *plain = local ? local : mangled_name(name, &length);
    return arena_printf(run->reports->arena, "'%.*s'+%llu", plain ? (int)length : (int)strlen(name),
                        plain ? plain : name, (unsigned long long)(address - region->base));
}

const char *run_micro_name(const struct run *run, const struct micro *micro)
{
    struct arena *arena = run->reports->arena;
    const struct source *source = run->machine->test->source;
    if (!micro->inst)
        return "the end";
    const char *name = op_mnemonic(micro->inst->op);
    if (!source)
        return arena_printf(arena, "'%s' (instruction %u)", name, micro->inst_index);
    return arena_printf(arena, "'%s' (%s)", name,
                        test_line_words(arena, run->machine->test, micro->inst->span.offset));
}

void run_write(struct run *run, uint32_t lane, slot to, uint64_t value, bool poison)
{
    if (to == SLOT_NONE)
        return;
    const struct lane_place *place = &run->machine->lanes[lane];
    uint32_t *mask = &state_poison(run->machine, run->state, place->warp)[to],
             bit = 1u << place->lane;
    *state_slot(run->machine, run->state, lane, to) = value;
    *mask = poison ? *mask | bit : *mask & ~bit;
    run->poisons += poison;
}

void run_sync(struct run *run, uint32_t warp, uint32_t lanes, struct sync sync)
{
    uint32_t list[32];
    sync.lanes = list;
    sync.cta = run->machine->warps[warp].cta;
    sync.cluster = run->machine->ctas[sync.cta].cluster;
    EACH_LANE(p, lanes)
        list[sync.lane_count++] = run->machine->warps[warp].first_lane + p;
    run->memory->ops->sync(run, &sync);
}
