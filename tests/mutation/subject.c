/* SPDX-License-Identifier: MIT */
#include "tests/mutation/subject.h"

#include <string.h>

#include "litmus/test/host.h"
#include "litmus/read/read.h"
#include "model/unfold/unfold.h"

/* EFFORT, as Z3 counts it: a loop that the axioms alone do not decide in it is left out. */
enum { UNROLL = 8, MOST_EVENTS = 4096, EFFORT = 5000000 };

/* Does the test expect something of the model, and something about what flags say? */
static bool is_wanted(const struct test *test, const char *model, bool *races)
{
    static const char *const words[] = {"race",    "race-free",  "outside", "undefined",
                                        "defined", "undefined=", "warns=",  "quiet"};
    bool wanted = false;
    for (uint32_t i = 0; i < test->expectation_count; i++) {
        if (strcmp(test->expectations[i].model, model) != 0)
            continue;
        wanted = true;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            *races |= strncmp(test->expectations[i].verdict, words[k], strlen(words[k])) == 0;
    }
    return wanted;
}

static bool is_open(const struct subject *subject)
{
    for (uint32_t i = 0; i < subject->graph_count; i++)
        if (subject->graphs[i]->open >> HOST_READING_TEARING & 1)
            return true;
    return false;
}

void subject_load(struct subject *subject, struct arena *arena, const struct input *input,
                  const char *model)
{
    struct unfold_options options = {
        .unroll = UNROLL, .max_events = MOST_EVENTS, .tearing = TEARING_WHOLE};
    struct diag_list diags = {.arena = arena};
    const struct source *source = input_read(arena, input, &diags);
    const struct test *test = source ? litmus_parse(arena, source, &diags) : NULL;
    *subject = (struct subject){0};
    if (test && is_wanted(test, model, &subject->races))
        subject->graphs = unfold(arena, test, &options, &diags, &subject->graph_count);
    options.tearing = TEARING_BYTES;
    if (subject->graphs && is_open(subject))
        subject->torn = unfold(arena, test, &options, &diags, &subject->torn_count);
}

static void ask_torn(const struct subject *subject, struct solver_options options,
                     struct arena *arena, struct verdict *verdict)
{
    options.graphs = subject->torn;
    options.graph_count = subject->torn_count;
    options.races = false;
    const struct solver_result *found = solve(arena, &options);
    verdict->known &= found->status == SOLVER_DONE;
    verdict->reachable_torn = found->condition_reachable;
}

struct verdict subject_ask(const struct subject *subject, const struct cat_model *model)
{
    struct arena *arena = arena_new();
    struct solver_options options = {.test = subject->graphs[0]->test,
                                     .graphs = subject->graphs,
                                     .graph_count = subject->graph_count,
                                     .model = model,
                                     .races = subject->races,
                                     .effort = EFFORT};
    const struct solver_result *found = solve(arena, &options);
    struct verdict verdict = {.known = found->status == SOLVER_DONE,
                              .reachable = found->condition_reachable,
                              .outside = found->mixed_size_race,
                              .undefined = found->undefined_count > 0};
    for (uint32_t i = 0; subject->races && i < found->race_count; i++)
        verdict.flags |= 1u << found->races[i].kind;
    if (subject->torn)
        ask_torn(subject, options, arena, &verdict);
    arena_free(arena);
    return verdict;
}

bool verdict_differs(struct verdict a, struct verdict b)
{
    return a.known && b.known &&
           (a.reachable != b.reachable || a.outside != b.outside || a.flags != b.flags ||
            a.undefined != b.undefined || a.reachable_torn != b.reachable_torn);
}
