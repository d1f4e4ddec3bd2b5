/* SPDX-License-Identifier: MIT
 *
 * rules CORPUS: leaves out one rule of the weak machine (model/machine/memory/weak/rule.def) or of the
 * CUDA runtime (model/machine/api/rule.def) at a time and asks the corpus, then random programs, to
 * notice: without the rule the executor must reach something that the axioms forbid. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/machine/api/api.h"
#include "model/machine/search/explore.h"
#include "model/machine/memory/weak/weak.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"
#include "litmus/random/program.h"
#include "model/machine/setup/setup.h"

enum { PROGRAMS = 1000 };

/* What goes wrong without each rule: from 1 on those of the memory, from MEMORY_RULES on the runtime's. */
static const char *const rules[] = {
    NULL,
#define RULE(id, text) text,
#include "model/machine/memory/weak/rule.def"
#undef RULE
#define RULE(id, edge, text) edge ": " text,
#include "model/machine/api/rule.def"
#undef RULE
};
enum {
    MEMORY_RULES = 1
#define RULE(id, text) +1
#include "model/machine/memory/weak/rule.def"
#undef RULE
    ,
    RULES = sizeof rules / sizeof *rules
};

struct subject {
    struct arena *arena;
    const struct test *test;
    const struct solver_result *allowed;
    struct machine *machine;
    struct memory *memory;
};

/* The program read, and what the axioms allow. False: it is refused or too large to list. */
static bool prepare(struct subject *s, const char *name, const char *text,
                    const struct cat_model *model)
{
    struct diag_list diags = {.arena = s->arena};
    struct unfold_options unfold_options = {
        .unroll = 2, .max_events = 1000, .tearing = TEARING_BYTES};
    struct machine_options machine_options = {.tearing = TEARING_BYTES};
    uint32_t graphs = 0;
    struct source *source = source_new(s->arena, name, text, strlen(text));
    s->test = litmus_parse(s->arena, source, &diags);
    struct graph **graph =
        s->test ? unfold(s->arena, s->test, &unfold_options, &diags, &graphs) : NULL;
    s->machine = graph ? machine_new(s->arena, s->test, &machine_options, &diags) : NULL;
    s->memory = s->machine ? weak_memory_new(s->arena, s->machine, &diags) : NULL;
    if (!s->memory)
        return false;
    struct solver_options options = {.test = s->test,
                                     .graphs = graph,
                                     .graph_count = graphs,
                                     .model = model,
                                     .states = true,
                                     .state_limit = 500,
                                     .timeout_seconds = 5};
    s->allowed = solve(s->arena, &options);
    return s->allowed->complete && !s->allowed->undefined_count && !s->allowed->bound_reached;
}

static void leave_out(const struct subject *s, uint32_t rule)
{
    bool of_memory = rule && rule < MEMORY_RULES;
    weak_memory_skip(s->memory, of_memory ? rule : 0);
    if (s->test->host)
        api_skip(s->machine, rule < MEMORY_RULES ? 0 : rule - MEMORY_RULES + 1);
}

static bool reports_error(const struct report_list *reports)
{
    for (uint32_t i = 0; i < reports->items.len; i++)
        if (report_severity(reports->items.at[i].id) == REPORT_error)
            return true;
    return false;
}

static bool explore_without(const struct subject *s, uint32_t rule, struct explore_result *reached)
{
    struct explore_options options = {.max_states = 5000, .reduce = true, .issue_loads = true};
    struct report_list reports = {.arena = s->arena};
    leave_out(s, rule);
    explore(s->arena, s->machine, s->memory, &options, &reports, reached);
    return reports_error(&reports);
}

/* Or the executor reports an error that it does not report with all rules. */
static bool reaches_forbidden(const struct subject *s, uint32_t rule)
{
    struct explore_result reached, whole;
    uint32_t index;
    if (rule >= MEMORY_RULES && !s->test->host)
        return false;
    bool error = explore_without(s, rule, &reached);
    for (uint32_t i = 0; i < reached.outcomes.items.len; i++)
        if (!outcome_find(&s->allowed->outcomes, reached.outcomes.items.at[i].values, &index))
            return true;
    return s->test->host && error && !explore_without(s, 0, &whole);
}

/* Every kind of program in turn. */
static void pick(struct random_program *program, uint64_t seed)
{
    struct random_bounds bounds = {.threads = 3,
                                   .insts = 3,
                                   .proxies = seed % 4 == 1,
                                   .aliases = seed % 4 == 1 || seed % 4 == 2,
                                   .barriers = seed % 4 == 3,
                                   .mixed_sizes = seed % 2 == 0,
                                   .vectors = seed % 8 == 0,
                                   .mbarriers = seed % 8 == 7,
                                   .copies = seed % 16 == 7};
    random_draw(program, seed, &bounds);
}

/* Which rules were noticed, and by what. */
struct noticed {
    const struct cat_model *model;
    struct arena *arena;
    const char *by[RULES];
    uint32_t open;
};

static void try_program(struct noticed *noticed, const char *name, const char *text)
{
    struct subject s = {.arena = arena_new()};
    bool ready = noticed->open && prepare(&s, name, text, noticed->model);
    for (uint32_t rule = 1; ready && rule < RULES; rule++)
        if (!noticed->by[rule] && reaches_forbidden(&s, rule)) {
            noticed->by[rule] = arena_strdup(noticed->arena, s.test->name);
            noticed->open--;
        }
    arena_free(s.arena);
}

static void try_folder(struct noticed *noticed, const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        char *path = g_build_filename(folder, name, NULL), *text = NULL;
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            try_folder(noticed, path);
        else if (g_str_has_suffix(name, ".litmus") && g_file_get_contents(path, &text, NULL, NULL))
            try_program(noticed, path, text);
        g_free(text);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
}

static void try_random(struct noticed *noticed)
{
    for (uint64_t seed = 1; noticed->open && seed <= PROGRAMS; seed++) {
        struct random_program program;
        pick(&program, seed);
        GString *text = random_write(&program);
        try_program(noticed, "random", text->str);
        g_string_free(text, TRUE);
    }
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct noticed noticed = {model_load(arena, "ptx", &diags), arena, {NULL}, RULES - 1};
    if (!noticed.model || argc != 2)
        return 2;
    try_folder(&noticed, argv[1]);
    try_random(&noticed);
    printf("1..%u\n", RULES - 1);
    for (uint32_t rule = 1; rule < RULES; rule++)
        printf("%sok %u - %s # %s\n", noticed.by[rule] ? "" : "not ", rule, rules[rule],
               noticed.by[rule] ? noticed.by[rule] : "nothing notices");
    arena_free(arena);
    return noticed.open != 0;
}
