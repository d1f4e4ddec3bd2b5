/* SPDX-License-Identifier: MIT
 *
 * 'ptxlit run --all-schedules' of a kernel: the axioms decide all executions of a launch that is small
 * enough for them; of others random schedules run on the weak memory. Says which. */
#include "cli/command/run_schedules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer/code.h"
#include "cli/answer/compose.h"
#include "cli/show/json.h"
#include "cli/show/text.h"
#include "litmus/test/code_line.h"
#include "litmus/test/launch.h"

enum { MOST_THREADS = 64, MOST_ELEMENTS = 256 };

/* ---- the launch as a test ------------------------------------------------------------------ */

/* Why the launch is no test for the axioms, or NULL. */
static const char *unfit(struct arena *arena, const struct small_launch *s)
{
    const struct launch *l = s->launch;
    uint64_t threads = launch_ctas(l) * launch_volume(l->block), elements = 0;
    for (uint32_t i = 0; i < s->arg_count; i++) {
        elements += s->args[i].buffer ? s->args[i].elements : 0;
        if (s->args[i].words)
            return "an argument is a structure";
    }
    if (threads > MOST_THREADS)
        return arena_printf(arena, "there are %" PRIu64 " threads, more than %d", threads,
                            MOST_THREADS);
    if (elements > MOST_ELEMENTS)
        return arena_printf(arena, "the buffers have %" PRIu64 " elements, more than %d", elements,
                            MOST_ELEMENTS);
    return strchr(s->path, '"') ? "the name of the file has a quotation mark" : NULL;
}

static void declare(GString *out, const struct test *test, const struct launch_arg *arg)
{
    const struct location_init *init = test->locations[arg->location].init;
    g_string_append_printf(out, "  %s %s[%u]", type_name(arg->type), arg->name, arg->elements);
    for (uint32_t i = 0; init && i < arg->elements; i++)
        g_string_append_printf(out, "%s0x%" PRIx64, i ? ", " : " = {", init[i].value);
    g_string_append(out, init ? "};\n" : ";\n");
}

static void pass(GString *out, const struct launch_arg *arg, const struct operand *operand)
{
    if (operand->kind == OPERAND_SYMBOL)
        g_string_append(out, arg->name);
    else
        g_string_append_printf(out, "0x%" PRIx64, arg->value);
}

static const char *test_text(struct arena *arena, const struct small_launch *s)
{
    const struct launch *l = s->launch;
    const struct dim3 grid = l->grid, block = l->block, cluster = l->cluster;
    g_autoptr(GString) text = g_string_new(compose_head(arena, l->label, &s->options->settings));
    g_autofree char *path = g_canonicalize_filename(s->path, NULL);
    for (uint32_t i = 0; i < l->arg_count; i++)
        if (s->args[i].buffer)
            declare(text, s->test, &s->args[i]);
    g_string_append_printf(text, "}\n%s \"%s\"\n%s<<<(%u,%u,%u), (%u,%u,%u), %u>>>(",
                           g_str_has_suffix(path, ".cu") ? "cuda" : "ptx", path, l->label, grid.x,
                           grid.y, grid.z, block.x, block.y, block.z, s->shared);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        g_string_append(text, i ? ", " : "");
        pass(text, &s->args[i], &l->args[i]);
    }
    g_string_append(text, l->cooperative ? ") cooperative" : ")");
    if (launch_cluster_ctas(l) > 1)
        g_string_append_printf(text, " cluster (%u,%u,%u)", cluster.x, cluster.y, cluster.z);
    g_string_append(text, ";\nlocations [");
    for (uint32_t i = 0; i < s->arg_count; i++)
        if (s->args[i].buffer)
            g_string_append_printf(text, "%s; ", s->args[i].name);
    g_string_append(text, "]\n");
    return arena_strdup(arena, text->str);
}

/* ---- what the axioms say ------------------------------------------------------------------- */

static bool is_whole(const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    return found && found->complete && !found->bound_reached && !found->mixed_size_race;
}

static enum verdict verdict_of(const struct answer *answer)
{
    if (answer->verdict == VERDICT_ERROR)
        return VERDICT_UNDECIDED;
    if (answer->race_count || answer->undefined.len || answer->hang.name)
        return VERDICT_FAILS;
    if (!is_whole(answer) || answer->open || hang_open(&answer->hang))
        return VERDICT_UNDECIDED;
    return answer->found->outcomes.items.len ? VERDICT_HOLDS : VERDICT_FAILS;
}

static void print_text(const struct answer *answer, GString *out)
{
    const struct job *job = answer->job;
    const struct outcome_set *states = &answer->found->outcomes;
    size_t start = out->len;
    g_string_append_printf(out, "Schedules: all, by the axioms of %s; %u different result%s\n",
                           job->settings->model, states->items.len,
                           states->items.len == 1 ? "" : "s");
    for (uint32_t i = 0; i < states->items.len; i++)
        g_string_append_printf(out, "%s\n",
                               outcome_print(job->arena, job->test, states->items.at[i].values));
    text_remarks(answer, out);
    code_lines(job->test, start, out);
}

static void print_json(const struct answer *answer, enum verdict verdict, GString *out)
{
    const struct job *job = answer->job;
    const struct outcome_set *states = &answer->found->outcomes;
    json_t *list = json_array();
    for (uint32_t i = 0; i < states->items.len; i++)
        json_array_append_new(list, json_state(job->arena, job->test, states->items.at[i].values));
    json_line(json_pack("{s:o, s:s, s:s, s:o, s:i, s:o, s:s*}", "kernel",
                        json_text(job->test->name), "verdict",
                        answer->hang.name          ? "deadlock"
                        : verdict == VERDICT_FAILS ? "undefined"
                                                   : "ok",
                        "schedules", "all", "states", list, "races", (int)answer->race_count,
                        "undefined", json_words(&answer->undefined), "hang", answer->hang.name),
              out);
}

/* Prints only what is decided: the rest is left to random schedules. */
static enum verdict decide(struct batch_job *one)
{
    struct answer answer = batch_answer(one, ANSWER_HANGS);
    enum verdict verdict = verdict_of(&answer);
    if (verdict == VERDICT_UNDECIDED)
        return verdict;
    if (one->options->json)
        print_json(&answer, verdict, one->result->out);
    else
        print_text(&answer, one->result->out);
    return verdict;
}

/* Half of the time is for random schedules. */
static struct answer ask_axioms(struct batch_job *one)
{
    const struct settings *whole = one->job.settings;
    struct settings half = *whole;
    half.timeout /= 2;
    one->job.settings = &half;
    struct answer answer = batch_answer(one, ANSWER_HANGS);
    one->job.settings = whole;
    return answer;
}

enum verdict run_by_axioms(struct batch_job *one, const char **why)
{
    GString *out = one->result->out;
    *why = "the axioms do not take the test";
    if (!one->job.graph_count)
        return VERDICT_UNDECIDED;
    struct answer answer = ask_axioms(one);
    if (job_is_unasked(&one->job))
        answer_judge_unasked(&answer);
    *why = "the axioms leave the test undecided";
    if (answer.verdict != VERDICT_HOLDS && answer.verdict != VERDICT_FAILS)
        return VERDICT_UNDECIDED;
    answer.milliseconds = job_milliseconds(&one->job);
    if (one->options->json) {
        json_t *object = json_answer(one->options, &answer, NULL, NULL);
        json_object_set_new(object, "schedules", json_string("all"));
        json_line(object, out);
    } else {
        g_string_append_printf(out, "Schedules: all, by the axioms of %s\n",
                               one->job.settings->model);
        text_answer(one->options, &answer, NULL, out);
    }
    return answer.verdict;
}

/* What is printed of the one test, and its verdict. */
struct taken {
    GString *out;
    enum verdict verdict;
};

static void take(void *context, const struct input *input, const struct result *result)
{
    (void)input;
    struct taken *taken = context;
    taken->verdict = (enum verdict)result->tally;
    g_string_append_len(taken->out, result->out->str, (gssize)result->out->len);
}

enum verdict run_small(struct arena *arena, const struct small_launch *s, const char **why)
{
    *why = unfit(arena, s);
    if (*why)
        return VERDICT_UNDECIDED;
    const char *text = test_text(arena, s);
    struct input_list inputs = {0};
    vec_push(
        arena, &inputs.items,
        ((struct input){.path = "--arg", .text = text, .length = strlen(text), .family = "."}));
    struct options options = *s->options;
    options.settings.timeout /= 2; /* the rest is for random schedules */
    options.settings.with = NULL;  /* the text has it */
    options.settings.init.len = 0;
    struct taken taken = {g_string_new(NULL), VERDICT_UNDECIDED};
    batch_run(&(struct batch){.options = &options,
                              .unfolded = true,
                              .work = decide,
                              .given = &inputs,
                              .take = take,
                              .context = &taken});
    if (taken.verdict != VERDICT_HOLDS && taken.verdict != VERDICT_FAILS) {
        taken.verdict = VERDICT_UNDECIDED;
        *why = "the axioms leave the launch undecided";
    } else
        fwrite(taken.out->str, 1, taken.out->len, stdout);
    g_string_free(taken.out, TRUE);
    return taken.verdict;
}
