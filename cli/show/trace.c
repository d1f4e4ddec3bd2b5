/* SPDX-License-Identifier: MIT */
#include "cli/show/trace.h"

#include <inttypes.h>

#include "cli/answer/code.h"
#include "model/machine/core/run.h"

void trace_access(const struct memory_access *access, GString *out)
{
    const struct micro *micro = access->micro;
    uint32_t words = access->count * (access->bytes == 16 ? 2 : 1);
    g_string_append(out, access->reads && access->writes ? "was"
                         : access->reads                 ? "reads"
                                                         : "writes");
    for (uint32_t i = 0; i < words; i++)
        g_string_append_printf(out, " %" PRIu64, alu_extend(micro->inst->type, access->value[i]));
}

static void print_step(const struct tracer *tracer, struct run *run, uint32_t lane,
                       const struct micro *micro, const struct memory_access *access)
{
    const struct trace_printer *p = (const struct trace_printer *)tracer;
    const char *name = run_lane_name(p->arena, run->machine, lane);
    if (!micro->inst) {
        g_string_append_printf(p->out, "  %-6s ends\n", name);
        return;
    }
    struct span span = micro->inst->span;
    const char *line =
        test_code_line(p->test, span.offset)
            ? test_line_words(p->arena, p->test, span.offset)
            : arena_printf(p->arena, "%4u", source_place(p->test->source, span.offset).line);
    g_string_append_printf(p->out, "  %-6s %s  %.*s", name, line, (int)span.length,
                           p->test->source->text + span.offset);
    if (access) {
        g_string_append(p->out, "   ");
        trace_access(access, p->out);
    }
    g_string_append_c(p->out, '\n');
}

struct trace_printer trace_printer_new(struct arena *arena, const struct run *run, GString *out)
{
    return (struct trace_printer){
        .tracer.step = print_step, .test = run->machine->test, .arena = arena, .out = out};
}

void trace_run(struct arena *arena, struct scheduler *scheduler, struct run *run, uint64_t seed,
               GString *out)
{
    struct trace_printer printer = trace_printer_new(arena, run, out);
    struct random_chooser random;
    schedule_random(&random, seed);
    run->chooser = &random.chooser;
    run->tracer = &printer.tracer;
    g_string_append(out, "Trace\n");
    schedule_run(scheduler, run);
    run->tracer = NULL;
}
