/* SPDX-License-Identifier: MIT */
#include "tests/unit/machine/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/machine/kernel/grid.h"
#include "model/machine/race/race.h"
#include "model/machine/search/schedule.h"
#include "model/machine/setup/setup.h"
#include "model/machine/memory/sc.h"

static const char header[] = ".version 8.0\n.target sm_90\n.address_size 64\n";

static const char prologue[] =
    ".visible .entry k(.param .u64 out_p, .param .u64 in_p)\n{\n"
    ".reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<16>; .reg .f64 %fd<16>;\n"
    ".reg .b16 %h<16>; .reg .b128 %q<4>;\n"
    ".shared .align 16 .b8 s[4096];\n"
    "ld.param.u64 %rd1, [out_p]; ld.param.u64 %rd2, [in_p];\n"
    "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; mov.u32 %r31, "
    "%laneid;\n";

struct setup {
    struct test *test;
    struct diag_list diags;
};

static struct location buffer(struct arena *arena, const char *name, const uint32_t *words)
{
    struct location array = test_array(name, TYPE_U32, OUT_WORDS);
    array.init = ARENA_ARRAY(arena, struct location_init, OUT_WORDS);
    for (uint32_t i = 0; i < OUT_WORDS; i++)
        array.init[i] = (struct location_init){.value = words ? words[i] : 0, .address_of = NONE};
    return array;
}

static void print_errors(struct arena *arena, const struct diag_list *diags)
{
    for (uint32_t i = 0; i < diags->items.len; i++)
        g_test_message("%s", diag_render(arena, &diags->items.at[i]));
}

/* The module with its one launch. */
static struct test *make_test(struct arena *arena, const struct kernel_case *c, const uint32_t *in,
                              struct diag_list *diags)
{
    const char *text = arena_printf(arena, "%s%s%s%s\nret;\n}\n", header,
                                    c->module ? c->module : "", prologue, c->body);
    struct test *test =
        litmus_parse_module(arena, source_new(arena, c->name, text, strlen(text)), diags);
    print_errors(arena, diags);
    g_assert_nonnull(test);
    struct location *locations = ARENA_ARRAY(arena, struct location, test->location_count + 2);
    struct launch *launch = ARENA_NEW(arena, struct launch);
    memcpy(locations, test->locations, test->location_count * sizeof *locations);
    launch->args = ARENA_ARRAY(arena, struct operand, 2);
    launch->arg_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        locations[test->location_count + i] = buffer(arena, i ? "in" : "out", i ? in : NULL);
        launch->args[i] = (struct operand){
            .kind = OPERAND_SYMBOL, .reg = NONE, .location = test->location_count + i};
    }
    test->locations = locations;
    test->location_count += 2;
    launch->label = "k";
    launch->kernel = test->body_count - 1; /* functions stand before it */
    launch->grid = (struct dim3){c->grid ? c->grid : 1, 1, 1};
    launch->block = (struct dim3){c->block ? c->block : 32, 1, 1};
    launch->cluster = (struct dim3){c->cluster ? c->cluster : 1, 1, 1};
    launch->cooperative = c->cooperative;
    test->launches = launch;
    test->launch_count = 1;
    return test;
}

static struct machine_options options_of(const struct kernel_case *c)
{
    return (struct machine_options){.mode = c->lockstep ? MACHINE_LOCKSTEP : MACHINE_ITS,
                                    .strict_pc = c->strict_pc,
                                    .elect = c->elect,
                                    .max_steps = 3000000};
}

struct kernel_result kernel_on_grid(struct arena *arena, const struct kernel_case *c,
                                    const uint32_t *in)
{
    struct diag_list diags = {.arena = arena};
    struct test *test = make_test(arena, c, in, &diags);
    const struct grid_options options = {.machine = options_of(c), .races = c->races};
    struct grid_result *result = grid_run(arena, test, 0, &options, &diags);
    print_errors(arena, &diags);
    g_assert_nonnull(result);
    struct kernel_result found = {
        .test = test, .done = result->done, .hang = result->hang, .reports = result->reports};
    memcpy(found.out, grid_location(result, test->location_count - 2), sizeof found.out);
    return found;
}

static uint32_t choose_first(struct chooser *chooser, uint32_t count)
{
    (void)chooser, (void)count;
    return 0;
}

struct kernel_result kernel_by_lanes(struct arena *arena, const struct kernel_case *c,
                                     const uint32_t *in, uint64_t seed)
{
    struct diag_list diags = {.arena = arena};
    struct test *test = make_test(arena, c, in, &diags);
    const struct machine_options options = options_of(c);
    struct machine *machine = machine_new(arena, test, &options, &diags);
    print_errors(arena, &diags);
    g_assert_nonnull(machine);
    struct kernel_result found = {.test = test, .reports.arena = arena};
    struct random_chooser random;
    schedule_random(&random, schedule_seed(1, seed));
    if (seed == FIRST_CHOICE)
        random.chooser.choose = choose_first;
    struct run run = {.machine = machine,
                      .memory = memory_sc_new(arena, machine),
                      .reports = &found.reports,
                      .chooser = &random.chooser,
                      .state = arena_alloc(arena, machine->state_bytes + 1)};
    struct race_detector *race = c->races ? race_new(machine) : NULL;
    memory_sc_watch(run.memory, race);
    enum run_end end = schedule_run(scheduler_new(machine), &run);
    found.done = end == RUN_DONE;
    found.hang = end == RUN_HANG;
    uint8_t *bytes = arena_alloc(arena, machine->memory_bytes);
    run.memory->ops->final(&run, bytes);
    for (uint32_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].location == test->location_count - 2)
            memcpy(found.out, bytes + machine->regions[i].memory, sizeof found.out);
    race_free(race);
    return found;
}

/* ---- expectations -------------------------------------------------------------------------- */

static void print_reports(const struct kernel_result *found)
{
    for (uint32_t i = 0; i < found->reports.items.len; i++)
        g_test_message("%s: %s", report_name(found->reports.items.at[i].id),
                       found->reports.items.at[i].text);
}

static bool has_report(const struct kernel_result *found, const char *name)
{
    for (uint32_t i = 0; i < found->reports.items.len; i++)
        if (!strcmp(report_name(found->reports.items.at[i].id), name))
            return true;
    return false;
}

static void check_reports(const struct kernel_case *c, const struct kernel_result *found)
{
    g_auto(GStrv) names = g_strsplit(c->reports, " ", 0);
    for (uint32_t i = 0; names[i]; i++)
        if (*names[i] && !has_report(found, names[i])) {
            print_reports(found);
            g_test_fail_printf("%s: no report '%s'", c->name, names[i]);
        }
    for (uint32_t i = 0; i < found->reports.items.len; i++) {
        const struct machine_report *r = &found->reports.items.at[i];
        bool wanted = g_strv_contains((const char *const *)names, report_name(r->id));
        if (report_severity(r->id) >= REPORT_undefined && !wanted)
            g_test_fail_printf("%s: unexpected report '%s': %s", c->name, report_name(r->id),
                               r->text);
    }
}

static void check_values(const struct kernel_case *c, const struct kernel_result *found)
{
    g_auto(GStrv) words = g_strsplit(c->expect, " ", 0);
    for (uint32_t i = 0; words[i]; i++) {
        if (!*words[i] || !strcmp(words[i], "*"))
            continue;
        uint32_t value = (uint32_t)strtoll(words[i], NULL, 0);
        if (found->out[i] != value)
            print_reports(found);
        if (found->out[i] != value)
            g_test_fail_printf("%s: out[%u] = %u (0x%x), not %s", c->name, i, found->out[i],
                               found->out[i], words[i]);
    }
}

void kernel_check(gconstpointer data)
{
    const struct kernel_case *c = data;
    uint32_t seeds = c->seeds ? c->seeds : 4;
    struct arena *arena = arena_new();
    if (!c->lanes_only) {
        struct kernel_result found = kernel_on_grid(arena, c, NULL);
        check_values(c, &found);
        check_reports(c, &found);
    }
    for (uint32_t seed = 0; seed < seeds && !c->grid_only; seed++) {
        struct kernel_result found = kernel_by_lanes(arena, c, NULL, seed);
        check_values(c, &found);
        check_reports(c, &found);
    }
    arena_free(arena);
}

void kernel_add_cases(const char *prefix, const struct kernel_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        g_autofree char *path = g_strdup_printf("%s/%s", prefix, cases[i].name);
        g_test_add_data_func(path, &cases[i], kernel_check);
    }
}
