/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "cli/command/run.h"
#include "model/machine/core/run.h"

/* A line an instruction: who, what, which values moved. */
struct printer {
    struct tracer tracer;
    const struct source *source;
    struct arena *arena;
    GString *out;
};

void run_access_text(const struct access *access, GString *out)
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
                       const struct micro *micro, const struct access *access)
{
    const struct printer *p = (const struct printer *)tracer;
    const char *name = lane_name(p->arena, run->machine, lane);
    if (!micro->inst) {
        g_string_append_printf(p->out, "  %-6s ends\n", name);
        return;
    }
    struct span span = micro->inst->span;
    g_string_append_printf(p->out, "  %-6s %4u  %.*s", name,
                           source_place(p->source, span.offset).line, (int)span.length,
                           p->source->text + span.offset);
    if (access) {
        g_string_append(p->out, "   ");
        run_access_text(access, p->out);
    }
    g_string_append_c(p->out, '\n');
}

void run_trace(const struct job *job, struct scheduler *scheduler, struct run *run, uint64_t seed,
               GString *out)
{
    struct printer printer = {
        .tracer.step = print_step, .source = job->test->source, .arena = job->arena, .out = out};
    struct random_chooser random;
    random_chooser_init(&random, seed);
    run->chooser = &random.chooser;
    run->tracer = &printer.tracer;
    g_string_append(out, "Trace\n");
    schedule_run(scheduler, run);
    run->tracer = NULL;
}
