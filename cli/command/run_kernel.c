/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer/code.h"
#include "cli/answer/compose.h"
#include "cli/answer/kernels.h"
#include "cli/show/json.h"
#include "cli/show/text.h"
#include "cli/command/launch_args.h"
#include "cli/command/run.h"
#include "cli/command/run_schedules.h"
#include "cli/work/nvcc.h"
#include "litmus/test/code_line.h"
#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/test/launch.h"
#include "litmus/test/mangled.h"
#include "litmus/test/tensor_map.h"
#include "litmus/read/read.h"
#include "model/machine/kernel/grid.h"

/* 'ptxlit run FILE.ptx': one launch of one kernel. */
enum { MOST_CTAS = 1 << 30 };

struct kernel_run {
    const struct options *options;
    struct arena *arena;
    struct diag_list diags;
    struct test *test;
    struct launch launch;
    struct launch_arg *args; /* of the parameters, then the memory of --with that is shown */
    uint32_t arg_count;
    struct grid_result *result;
    double seconds;
    struct run_coverage coverage;
    const char *random; /* with --all-schedules: why only random ones ran; else NULL */
};

/* Says what is wrong with the launch; false. */
#define COMPLAIN(s, ...)                                                                           \
    (diag_add(&(s)->diags, DIAG_launch_argument, NULL, (struct span){0}, NULL, __VA_ARGS__), false)

/* A .cu file is compiled; of any other the text. */
static const struct source *read_code(struct kernel_run *s, const char *path)
{
    const struct input input = {.path = path};
    if (!g_str_has_suffix(path, ".cu"))
        return input_read(s->arena, &input, &s->diags);
    const struct nvcc nvcc = nvcc_new(NULL);
    return compose_module(s->arena, path, &nvcc.files, &s->diags);
}

static bool refuse_entry(struct kernel_run *s, const struct body *kernels, uint32_t count,
                         bool several)
{
    const char *wanted = s->options->entry ? s->options->entry : "";
    const char *list = kernels_list(s->arena, kernels, count, several ? wanted : NULL);
    const char *message = !several  ? "there is no kernel '%s'"
                          : *wanted ? "several kernels match '%s': name one by --entry"
                                    : "there are several kernels: name one by --entry%s";
    diag_add(&s->diags, DIAG_launch_argument, NULL, (struct span){0},
             *list ? arena_printf(s->arena, "the kernels:%s", list) : NULL, message, wanted);
    return false;
}

/* The one that has the name in PTX, or the only one that has it in C++; or NULL. */
static const char *find_plain(const struct body *kernels, uint32_t count, const char *wanted)
{
    const char *found = NULL;
    uint32_t matches = 0;
    for (uint32_t i = 0; wanted && i < count; i++) {
        if (!strcmp(kernels[i].name, wanted))
            return wanted;
        if (mangled_is(kernels[i].name, wanted, strlen(wanted))) {
            matches++;
            found = kernels[i].name;
        }
    }
    return matches == 1 ? found : NULL;
}

/* The kernel asked for: by its name, in PTX or in C++, or a part of its (mangled) name that no other has. */
static const char *find_entry(struct kernel_run *s, const struct source *source)
{
    uint32_t count, matches = 0;
    const struct body *kernels = litmus_kernels(s->arena, source, &count);
    const char *wanted = s->options->entry, *found = find_plain(kernels, count, wanted);
    if (found)
        return found;
    for (uint32_t i = 0; i < count; i++) {
        if (wanted && !strstr(kernels[i].name, wanted))
            continue;
        matches++;
        found = kernels[i].name;
    }
    if (matches == 1 || !count) /* a text without kernels has something worse to say */
        return found ? found : "";
    refuse_entry(s, kernels, count, matches > 1);
    return NULL;
}

static bool load(struct kernel_run *s, const char *path)
{
    const struct source *source = read_code(s, path);
    const char *entry = source ? find_entry(s, source) : NULL;
    s->test = entry ? litmus_parse_entry(s->arena, source, entry, &s->diags) : NULL;
    if (s->test && s->options->settings.ptx_lines)
        test_forget_code_lines(s->test);
    for (uint32_t i = 0; s->test && i < s->test->body_count; i++)
        if (!s->test->bodies[i].function && !strcmp(s->test->bodies[i].name, entry)) {
            s->launch.kernel = i;
            s->launch.label = s->test->bodies[i].name;
            return true;
        }
    return s->test && refuse_entry(s, NULL, 0, false);
}

/* "X", "X,Y" or "X,Y,Z", as an option gives them. */
static bool read_dim(struct kernel_run *s, const char *option, const char *text, struct dim3 *dim)
{
    uint64_t sizes[3] = {1, 1, 1};
    const char *at = text;
    for (int i = 0; i < 3 && at; i++) {
        size_t length = strcspn(at, ",");
        if (number_whole(at, length, 1, LAUNCH_LARGEST_SIZE, &sizes[i]) != NUMBER_GOOD)
            break;
        at = at[length] ? at + length + 1 : NULL;
    }
    *dim = (struct dim3){(uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2]};
    return !at || COMPLAIN(s, "option '--%s' wants X, X,Y or X,Y,Z, each from 1 to %u, not '%s'",
                           option, LAUNCH_LARGEST_SIZE, text);
}

static bool read_shape(struct kernel_run *s)
{
    const struct options *o = s->options;
    struct launch *l = &s->launch;
    if (!read_dim(s, "grid", o->grid, &l->grid) || !read_dim(s, "block", o->block, &l->block) ||
        !read_dim(s, "cluster", o->cluster, &l->cluster))
        return false;
    const struct launch_rules *rules = &s->test->bodies[l->kernel].rules;
    launch_obey(l, rules);
    const char *fault = launch_shape_fault(l);
    fault = fault ? fault : launch_rule_fault(s->arena, l, rules);
    if (fault || launch_ctas(l) > MOST_CTAS)
        return COMPLAIN(s, "'--grid %s --block %s --cluster %s': %s", o->grid, o->block, o->cluster,
                        fault ? fault : "a grid has at most 2^30 CTAs here");
    l->cooperative = o->cooperative;
    l->dynamic_shared_bytes = o->shared;
    return true;
}

/* The argument as a launch has it; a structure is a vector of its words. */
static struct operand argument(struct kernel_run *s, const struct launch_arg *arg)
{
    struct operand operand = {.kind = arg->buffer ? OPERAND_SYMBOL : OPERAND_IMM,
                              .reg = NONE,
                              .location = arg->buffer ? arg->location : NONE,
                              .value = arg->value};
    if (!arg->words)
        return operand;
    operand.kind = OPERAND_VECTOR;
    operand.part_count = arg->word_count;
    operand.parts = ARENA_ARRAY(s->arena, struct operand, arg->word_count);
    for (uint32_t i = 0; i < arg->word_count; i++)
        operand.parts[i] = (struct operand){
            .kind = OPERAND_IMM, .reg = NONE, .location = NONE, .value = arg->words[i]};
    return operand;
}

static uint32_t moved(uint32_t location, uint32_t by)
{
    return location == NONE ? NONE : location + by;
}

/* Behind the locations of the module those that --with declares; each but tensor maps is shown as a buffer. */
static void add_memory(struct kernel_run *s, const struct test *memory)
{
    uint32_t by = s->test->location_count;
    for (uint32_t i = 0; i < memory->location_count; i++) {
        struct location *l = &s->test->locations[s->test->location_count++];
        struct tensor_map map;
        uint32_t tensor;
        *l = memory->locations[i];
        l->span = (struct span){0}; /* of another text */
        l->alias_of = moved(l->alias_of, by);
        for (uint32_t k = 0; l->init && k < l->elements; k++)
            l->init[k].address_of = moved(l->init[k].address_of, by);
        for (uint32_t k = 0; k < l->replica_count; k++)
            l->replicas[k] += by;
        if (l->alias_of == NONE && !l->replica_count && l->space == SPACE_GLOBAL &&
            !tensor_map_at(memory, i, 0, &map, &tensor))
            s->args[s->arg_count++] = (struct launch_arg){.name = l->name,
                                                          .buffer = true,
                                                          .type = l->type ? l->type : TYPE_S64,
                                                          .elements = l->elements,
                                                          .location = by + i};
    }
}

/* The number of the location that --with declares by the name; NONE: none. */
static uint32_t find_memory(const struct kernel_run *s, uint32_t first, const char *name)
{
    for (uint32_t i = first; i < s->test->location_count; i++)
        if (!strcmp(s->test->locations[i].name, name))
            return i;
    return NONE;
}

/* The name alone: the address of that memory, or its contents for a structure. */
static bool pass_memory(struct kernel_run *s, const char *name, uint32_t location,
                        const struct param *param, struct operand *to)
{
    const struct location *l = &s->test->locations[location];
    uint64_t bytes = (uint64_t)l->element_bytes * l->elements;
    *to = (struct operand){.kind = OPERAND_SYMBOL, .reg = NONE, .location = location};
    if (param->bytes == 8 || bytes == param->bytes)
        return true;
    return COMPLAIN(s, "argument '%s': it has %" PRIu64 " bytes, the parameter %u", name, bytes,
                    param->bytes);
}

static bool read_args(struct kernel_run *s)
{
    const struct body *body = &s->test->bodies[s->launch.kernel];
    const struct text_list *given = &s->options->arg;
    uint64_t limit = s->options->settings.memory_limit, memory = limit ? limit << 20 : UINT64_MAX;
    const struct settings *settings = &s->options->settings;
    const struct test *with = settings->with ? compose_memory(s->arena, settings, &s->diags) : NULL;
    if (settings->with && !with)
        return false;
    uint32_t own = s->test->location_count, declared = with ? with->location_count : 0;
    struct location *room = ARENA_ARRAY(s->arena, struct location, own + given->len + declared);
    for (uint32_t i = 0; i < own; i++)
        room[i] = s->test->locations[i];
    s->test->locations = room;
    s->args = ARENA_ARRAY(s->arena, struct launch_arg, given->len + declared);
    s->arg_count = given->len;
    if (with)
        add_memory(s, with);
    s->launch.args = ARENA_ARRAY(s->arena, struct operand, given->len);
    s->launch.arg_count = given->len;
    if (given->len != body->param_count)
        return COMPLAIN(s, "kernel '%s' has %u parameters, %u --arg were given", body->name,
                        body->param_count, given->len);
    for (uint32_t i = 0; i < given->len; i++) {
        uint32_t location = find_memory(s, own, given->at[i]);
        if (location != NONE) {
            if (!pass_memory(s, given->at[i], location, &body->params[i], &s->launch.args[i]))
                return false;
            s->args[i] = (struct launch_arg){.name = given->at[i]};
            continue;
        }
        if (!launch_arg_read(s->arena, given->at[i], &body->params[i], memory, s->test, &s->args[i],
                             &s->diags))
            return false;
        s->launch.args[i] = argument(s, &s->args[i]);
    }
    return launch_give_parameters(s->test, &s->launch);
}

/* On the weak memory: asked for, or in place of the axioms. */
static bool is_weak(const struct options *o)
{
    return o->all_schedules || (o->memory && !strcmp(o->memory, "ptx"));
}

static bool launch(struct kernel_run *s)
{
    const struct options *o = s->options;
    const struct grid_options options = {
        .machine = run_machine_options(o),
        .threads = o->jobs ? o->jobs : g_get_num_processors(),
        .races = o->races || o->all_schedules,
        .seed = o->seed,
        .weak_runs = is_weak(o) ? o->runs : 0,
        .memory_limit = (uint64_t)o->settings.memory_limit << 20,
        .seconds = o->settings.timeout,
    };
    s->test->launches = &s->launch;
    s->test->launch_count = 1;
    double start = job_clock();
    s->result = grid_run(s->arena, s->test, 0, &options, &s->diags);
    s->seconds = job_clock() - start;
    s->coverage =
        (struct run_coverage){options.races, s->result && s->result->done,
                              s->result ? s->result->schedules : 0, s->result && s->result->cut};
    return s->result;
}

/* ---- results ------------------------------------------------------------------------------- */

enum { SHOWN = 16, SHOWN_JSON = 4096 };

/* An element of a buffer after the launch. */
static const uint8_t *element(const struct kernel_run *s, const struct launch_arg *arg, uint32_t i)
{
    const uint8_t *bytes = grid_location(s->result, arg->location);
    return bytes + (size_t)i * type_bytes(arg->type);
}

static void print_buffer(const struct kernel_run *s, const struct launch_arg *arg, GString *out)
{
    g_string_append_printf(out, "%s:%s[%u] =", arg->name, type_name(arg->type), arg->elements);
    for (uint32_t i = 0; i < arg->elements && i < SHOWN; i++)
        g_string_append_printf(out, " %s", launch_arg_element(s->arena, arg, element(s, arg, i)));
    g_string_append(out, arg->elements > SHOWN ? " …\n" : "\n");
}

static json_t *buffer_json(const struct kernel_run *s, const struct launch_arg *arg)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < arg->elements && i < SHOWN_JSON; i++)
        json_array_append_new(list, launch_arg_json(s->arena, arg, element(s, arg, i)));
    return list;
}

static bool write_buffer(struct kernel_run *s, const char *text)
{
    const char *equals = strchr(text, '='), *path = equals ? equals + 1 : NULL;
    const struct launch_arg *arg = NULL;
    for (uint32_t i = 0; path && i < s->arg_count && !arg; i++)
        if (s->args[i].buffer && strlen(s->args[i].name) == (size_t)(equals - text) &&
            g_str_has_prefix(text, s->args[i].name))
            arg = &s->args[i];
    if (!arg)
        return COMPLAIN(s, "--write '%s': it is NAME=FILE, NAME a buffer of an --arg", text);
    const char *fault = file_write(s->arena, path, grid_location(s->result, arg->location),
                                   (size_t)arg->elements * type_bytes(arg->type));
    if (fault)
        diag_add(&s->diags, DIAG_file_unwritable, NULL, (struct span){0}, NULL,
                 "cannot write '%s': %s", path, fault);
    return !fault;
}

static void print_buffers(const struct kernel_run *s, GString *out)
{
    for (uint32_t i = 0; i < s->arg_count; i++)
        if (s->args[i].buffer)
            print_buffer(s, &s->args[i], out);
}

/* Of weak memory: each different one, with how often and in which run first. */
static void print_outcomes(struct kernel_run *s, GString *out)
{
    uint8_t *first = s->result->memory;
    g_string_append_printf(out, "Runs %" PRIu64, s->result->schedules);
    if (s->result->hung)
        g_string_append_printf(out, " and %" PRIu64 " that hang", s->result->hung);
    g_string_append_printf(out, ", seed %u, memory ptx: %u%s different result%s\n",
                           s->options->seed, s->result->outcomes.len,
                           s->result->outcomes.len == GRID_OUTCOMES ? " or more" : "",
                           s->result->outcomes.len == 1 ? "" : "s");
    for (uint32_t i = 0; i < s->result->outcomes.len; i++) {
        const struct grid_outcome *outcome = &s->result->outcomes.at[i];
        g_string_append_printf(out, "Result of %" PRIu64 " run%s, first of run %u\n", outcome->runs,
                               outcome->runs == 1 ? "" : "s", outcome->first);
        s->result->memory = outcome->memory;
        print_buffers(s, out);
    }
    s->result->memory = first;
}

static void print_text(struct kernel_run *s, GString *out)
{
    const struct grid_result *r = s->result;
    if (r->printed)
        text_printed(r->printed->str, out);
    if (s->random)
        g_string_append_printf(out, "Schedules: random ones on the memory ptx, as %s\n", s->random);
    g_string_append_printf(
        out, "Launch %s: %s, %" PRIu64 " of %" PRIu64 " clusters, %" PRIu64 " lane-instructions",
        s->launch.label,
        r->done    ? "done"
        : r->hang  ? "hangs"
        : r->bound ? "bound reached"
                   : "stopped",
        r->clusters, launch_ctas(&s->launch) / launch_cluster_ctas(&s->launch), r->instructions);
    if (!s->options->no_time)
        g_string_append_printf(out, " in %.3f s (%.0f million/s)", s->seconds,
                               (double)r->instructions / s->seconds / 1e6);
    g_string_append_c(out, '\n');
    if (r->outcomes.len)
        print_outcomes(s, out);
    else
        print_buffers(s, out);
    size_t start = out->len;
    run_reports_text(s->options, s->test, &r->reports, out);
    run_races_text(s->arena, s->test, &s->coverage, out);
    code_lines(s->test, start, out);
}

static json_t *buffers_json(const struct kernel_run *s)
{
    json_t *buffers = json_object();
    for (uint32_t i = 0; i < s->arg_count; i++)
        if (s->args[i].buffer)
            json_object_set_new(buffers, s->args[i].name, buffer_json(s, &s->args[i]));
    return buffers;
}

/* NULL on the memory sc. */
static json_t *outcomes_json(struct kernel_run *s)
{
    uint8_t *first = s->result->memory;
    json_t *list = s->result->outcomes.len ? json_array() : NULL;
    for (uint32_t i = 0; i < s->result->outcomes.len; i++) {
        const struct grid_outcome *outcome = &s->result->outcomes.at[i];
        s->result->memory = outcome->memory;
        json_array_append_new(list, json_pack("{s:I, s:I, s:o}", "runs", (json_int_t)outcome->runs,
                                              "first", (json_int_t)outcome->first, "buffers",
                                              buffers_json(s)));
    }
    s->result->memory = first;
    return list;
}

static void print_json(struct kernel_run *s, GString *out)
{
    const struct grid_result *r = s->result;
    json_exact_line(json_pack("{s:o, s:s, s:s*, s:b, s:I, s:o, s:o, s:o*, s:o, s:o, s:o}", "kernel",
                              json_text(s->launch.label), "verdict",
                              run_worst(s->options, &r->reports).word, "schedules",
                              s->random ? "random" : NULL, "done", r->done, "instructions",
                              (json_int_t)r->instructions, "printed",
                              json_text(r->printed ? r->printed->str : ""), "buffers",
                              buffers_json(s), "outcomes", outcomes_json(s), "reports",
                              run_reports_json(s->options, s->test, &r->reports), "races",
                              run_races_json(s->arena, s->test, &s->coverage), "milliseconds",
                              json_milliseconds(s->options, s->seconds * 1e3)),
                    out);
}

static int print_result(struct kernel_run *s)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (s->options->json)
        print_json(s, out);
    else
        print_text(s, out);
    fwrite(out->str, 1, out->len, stdout);
    enum verdict verdict = run_worst(s->options, &s->result->reports).verdict;
    return verdict == VERDICT_FAILS || s->result->hang        ? EXIT_FAILS
           : verdict == VERDICT_UNDECIDED || !s->result->done ? EXIT_UNDECIDED
                                                              : EXIT_HOLDS;
}

/* --all-schedules, of a launch that the axioms decide: prints what they say. */
static bool decided(struct kernel_run *s, const char *path, int *status)
{
    const struct small_launch small = {.options = s->options,
                                       .path = path,
                                       .test = s->test,
                                       .launch = &s->launch,
                                       .args = s->args,
                                       .arg_count = s->arg_count,
                                       .shared = (uint32_t)s->options->shared};
    enum verdict verdict = run_small(s->arena, &small, &s->random);
    *status = verdict == VERDICT_FAILS ? EXIT_FAILS : EXIT_HOLDS;
    return verdict != VERDICT_UNDECIDED;
}

int run_kernel(const struct options *options, const char *path)
{
    struct kernel_run s = {.options = options, .arena = arena_new()};
    int status;
    s.diags.arena = s.arena;
    bool good = load(&s, path) && read_shape(&s) && read_args(&s);
    if (good && options->all_schedules && decided(&s, path, &status)) {
        arena_free(s.arena);
        return status;
    }
    good = good && launch(&s);
    for (uint32_t w = 0; good && w < options->write.len; w++)
        good = write_buffer(&s, options->write.at[w]);
    status = good ? print_result(&s) : EXIT_WRONG_INPUT;
    for (uint32_t i = 0; i < s.diags.items.len; i++)
        fputs(diag_render(s.arena, &s.diags.items.at[i]), stderr);
    arena_free(s.arena);
    return status;
}
