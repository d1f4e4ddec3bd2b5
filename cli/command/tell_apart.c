/* SPDX-License-Identifier: MIT */
#include "cli/command/tell_apart.h"

#include <stdio.h>
#include <string.h>

#include "cli/answer/decide.h"
#include "litmus/generate/write.h"
#include "litmus/read/split.h"
#include "model/direct/direct.h"

struct model_pair {
    struct arena *arena;
    const struct options *options;
    const struct cat_model *model[2];
    struct told_apart *told;
};

/* ---- in a worker ---------------------------------------------------------------------------- */

enum { COUNT_TRIED, COUNT_OPEN };

/* One part, while its tests come. */
struct pair_part {
    const struct model_pair *telling;
    struct direct_model *direct[2];
    struct result *result;
};

static bool same_states(const struct outcome_set *a, const struct outcome_set *b)
{
    uint32_t index;
    for (uint32_t i = 0; i < a->items.len; i++)
        if (!outcome_find(b, a->items.at[i].values, &index))
            return false;
    return a->items.len == b->items.len;
}

static bool is_decided(const struct answer *answer)
{
    return answer->found && answer->found->complete && answer->verdict != VERDICT_ERROR &&
           answer->verdict != VERDICT_UNDECIDED;
}

/* Without Z3: does some outcome tell the models apart? */
static bool may_differ(struct arena *arena, const struct pair_part *part,
                       const struct generated_program *program)
{
    struct generated_outcomes outcomes;
    if (!direct_can_ask(program))
        return true;
    generated_outcomes(arena, program, &outcomes);
    for (uint32_t i = 0; i < outcomes.items.len; i++) {
        const uint32_t *values = outcomes.items.at[i].values;
        if (direct_allows(part->direct[0], program, values) !=
            direct_allows(part->direct[1], program, values))
            return true;
    }
    return false;
}

static bool compare_test(void *context, const struct generated_test *test)
{
    struct pair_part *part = context;
    struct result *result = part->result;
    struct arena *arena = arena_new();
    result->counts[COUNT_TRIED]++;
    if (!may_differ(arena, part, test->program)) {
        arena_free(arena);
        return true;
    }
    struct answer answers[2];
    g_autoptr(GString) text = g_string_new(NULL);
    generated_write(text, test->name, test->comment, NULL, test->program, test->values);
    for (int side = 0; side < 2; side++)
        answers[side] = decide(arena, &part->telling->options->settings, part->telling->model[side],
                               text->str, text->len, ANSWER_NO_RACES);
    bool decided = is_decided(&answers[0]) && is_decided(&answers[1]);
    result->counts[COUNT_OPEN] += !decided;
    if (decided && !same_states(&answers[0].found->outcomes, &answers[1].found->outcomes))
        g_string_append_len(result->out, text->str, (gssize)text->len);
    arena_free(arena);
    return true;
}

static void run_part(void *context, struct generator *generator, struct result *result)
{
    const struct model_pair *telling = context;
    struct pair_part part = {telling, {NULL, NULL}, result};
    for (int side = 0; side < 2; side++)
        part.direct[side] = direct_model_new(generator->arena, telling->model[side]);
    if (!generator_run(generator, compare_test, &part))
        result->tally = 1;
}

/* ---- in the caller -------------------------------------------------------------------------- */

static void take_part(void *context, const struct result *result)
{
    struct model_pair *telling = context;
    struct told_apart *told = telling->told;
    const char *text = arena_strndup(telling->arena, result->out->str, result->out->len);
    const struct source *source = source_new(telling->arena, "-", text, result->out->len);
    told->tried += result->counts[COUNT_TRIED];
    told->open += result->counts[COUNT_OPEN];
    told->complete &= !result->tally;
    for (uint32_t from = 0, next; from < source->length; from = next) {
        next = litmus_next_test(source, from);
        struct input input = {"generated", text + from, next - from, "."};
        vec_push(telling->arena, &told->tests.items, input);
    }
}

static bool load(struct model_pair *telling)
{
    struct diag_list diags = {.arena = telling->arena};
    for (int side = 0; side < 2; side++)
        telling->model[side] =
            generator_model(telling->arena, telling->options->arguments[side], &diags);
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "%s%s", diags.items.at[i].source ? "" : "ptxlit: ",
                diag_render(telling->arena, &diags.items.at[i]));
    return !diags.errors;
}

/* The tests of one size: the size as 'generator' bounds it. */
static void try_size(struct model_pair *telling, const struct generator *generator, uint32_t size)
{
    struct generator one = *generator;
    struct generator_work work = {run_part, take_part, telling};
    one.bounds.instructions = (struct generate_range){size, size};
    one.least_size = one.size = size;
    telling->told->complete &= generator_spread(telling->options, &one, &work);
}

bool tell_apart(struct arena *arena, const struct options *options, struct told_apart *told)
{
    struct model_pair telling = {.arena = arena, .options = options, .told = told};
    struct generator generator;
    *told = (struct told_apart){.complete = true};
    if (!load(&telling) || !generator_read(arena, options, &generator))
        return false;
    bool programs = generator.tests_of_programs;
    uint32_t least = programs ? generator.bounds.instructions.least : 2;
    uint32_t most = programs ? generator.bounds.instructions.most : generator.size;
    if (generator.cycles.len)
        least = most; /* a list of cycles is one size */
    for (uint32_t size = least; size <= most && !told->tests.items.len; size++)
        try_size(&telling, &generator, size);
    return true;
}
