/* SPDX-License-Identifier: MIT
 *
 * The report's object of one test, made in a worker. */
#include <inttypes.h>
#include <string.h>

#include "cli/answer/comparison.h"
#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/show/picture/picture.h"
#include "cli/report/report.h"
#include "cli/show/text.h"
#include "litmus/test/host.h"
#include "litmus/test/launch.h"
#include "litmus/print/print.h"

/* ---- the program ---------------------------------------------------------------------------- */

/* A statement as lines, without the braces around all of a thread and what they indent. */
static void add_statement(const struct job *job, struct span span, json_t *lines)
{
    g_autofree char *text = g_strndup(job->test->source->text + span.offset, span.length);
    size_t end = strlen(text), indent = SIZE_MAX;
    bool braced = *text == '{' && end > 1 && text[end - 1] == '}';
    if (braced)
        text[0] = text[end - 1] = ' ';
    g_auto(GStrv) split = g_strsplit(text, "\n", -1);
    for (char **line = split + 1; *split && *line; line++)
        if (*g_strchomp(*line) && strspn(*line, " \t") < indent)
            indent = strspn(*line, " \t");
    for (char **line = split; *line; line++)
        if (line == split && *g_strstrip(*line))
            json_array_append_new(lines, json_text(*line));
        else if (line > split && **line)
            json_array_append_new(lines, json_text(*line + (braced ? indent : 0)));
}

static json_t *statements_of(const struct job *job, const struct body *body)
{
    json_t *lines = json_array();
    for (uint32_t i = 0; i < body->statement_count; i++)
        add_statement(job, body->statements[i], lines);
    return lines;
}

static json_t *instructions_of(const struct job *job, const struct body *body)
{
    json_t *lines = json_array();
    uint32_t label = 0;
    for (uint32_t i = 0; i <= body->inst_count; i++) {
        for (; label < body->label_count && body->labels[label].target == i; label++)
            json_array_append_new(
                lines, json_text(arena_printf(job->arena, "%s:", body->labels[label].name)));
        if (i < body->inst_count)
            json_array_append_new(
                lines, json_text(print_inst(job->arena, job->test, body, &body->insts[i])));
    }
    return lines;
}

static json_t *column(const struct job *job, const char *place, const struct body *body)
{
    return json_pack("{s:o, s:o, s:o}", "name", json_text(body->name), "place", json_text(place),
                     "code",
                     job->test->language == LANGUAGE_CPP ? statements_of(job, body)
                                                         : instructions_of(job, body));
}

/* Without the line of its name and the last brace. */
static json_t *host_column(const struct job *job, uint32_t index)
{
    const struct host_thread *thread = &job->test->host->threads[index];
    json_t *lines = json_array();
    const char *line = print_host_thread(job->arena, job->test, index);
    for (const char *end; (end = strchr(line, '\n')); line = end + 1)
        if (*line == ' ')
            json_array_append_new(
                lines, json_text(arena_strndup(job->arena, line + 2, (size_t)(end - line) - 2)));
    return json_pack("{s:o, s:s, s:o}", "name", json_text(thread->name), "place",
                     thread->is_function ? "host function" : "host thread", "code", lines);
}

static json_t *program(const struct job *job)
{
    json_t *columns = json_array();
    for (uint32_t i = 0; i < job->test->column_count; i++) {
        const struct column *c = &job->test->columns[i];
        const char *place = arena_printf(job->arena, "CTA %u, GPU %u", c->cta, c->gpu);
        json_array_append_new(columns, column(job, place, &job->test->bodies[c->body]));
    }
    for (uint32_t i = 0; i < job->test->launch_count; i++) {
        const struct launch *launch = &job->test->launches[i];
        const char *place = arena_printf(job->arena, "<<<%" PRIu64 ", %u>>>", launch_ctas(launch),
                                         launch->block.x * launch->block.y * launch->block.z);
        json_array_append_new(columns, column(job, place, &job->test->bodies[launch->kernel]));
    }
    for (uint32_t i = 0; job->test->host && i < job->test->host->thread_count; i++)
        json_array_append_new(columns, host_column(job, i));
    return columns;
}

/* ---- the states ----------------------------------------------------------------------------- */

/* Beside the axioms: what the executor reached, or NULL when it was not asked, and what a GPU
 * showed. */
struct others {
    const struct comparison *executor;
    struct hardware_seen gpu;
    struct beyond shown; /* of those of the GPU */
    bool excluded;       /* the test may end in any state */
};

static json_t *reached(const struct others *others, const uint64_t *values)
{
    uint32_t index;
    const struct explore_result *all = others->executor ? &others->executor->reached : NULL;
    if (all && outcome_find(&all->outcomes, values, &index))
        return json_true();
    return all && all->finished ? json_false() : json_null();
}

/* How often a GPU showed the state; null: it did not run the test. */
static json_t *times_seen(const struct others *others, const uint64_t *values)
{
    uint32_t index;
    bool found = outcome_find(&others->gpu.states, values, &index);
    return others->gpu.runs ? json_integer(found ? (json_int_t)others->gpu.times.at[index] : 0)
                            : json_null();
}

static void add_state(json_t *array, const struct job *job, const uint64_t *values, json_t *allowed,
                      const struct others *others)
{
    json_t *times = times_seen(others, values);
    json_t *seen = json_is_null(times) ? json_null() : json_boolean(json_integer_value(times) > 0);
    json_array_append_new(
        array,
        json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "state",
                  json_text(outcome_print(job->arena, job->test, values)), "condition",
                  outcome_satisfies(job->test, job->test->condition, values), "allowed", allowed,
                  "reached", reached(others, values), "seen", seen, "times", times));
}

/* Those that are not in 'told' yet. */
static void add_beyond(json_t *array, const struct job *job, const struct beyond *beyond,
                       const struct others *others, struct outcome_set *told)
{
    const struct outcome_set *sets[] = {&beyond->forbidden, &beyond->open};
    uint32_t index;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < sets[k]->items.len; i++) {
            const uint64_t *values = sets[k]->items.at[i].values;
            if (outcome_find(told, values, &index))
                continue;
            outcome_add(told, values);
            add_state(array, job, values, k || others->excluded ? json_null() : json_false(),
                      others);
        }
}

/* Those that are allowed, then those that are not and were reached, then those only seen. */
static json_t *states(const struct answer *answer, const struct others *others)
{
    const struct job *job = answer->job;
    const struct outcome_set *allowed = &answer->found->outcomes;
    struct outcome_set told = {.test = job->test, .arena = job->arena};
    json_t *array = json_array();
    for (uint32_t i = 0; i < allowed->items.len; i++)
        add_state(array, job, allowed->items.at[i].values, json_true(), others);
    if (others->executor)
        add_beyond(array, job, &others->executor->unsound, others, &told);
    add_beyond(array, job, &others->shown, others, &told);
    return array;
}

/* ---- the picture ---------------------------------------------------------------------------- */

static void add_picture(json_t *object, const struct explanation *explanation)
{
    const char *refused;
    GString *svg =
        picture_draw(explanation, PICTURE_PART, (struct picture_view){.legend = true}, &refused);
    if (!svg) {
        json_object_set_new(object, "no_picture", json_text(refused));
        return;
    }
    json_object_set_new(object, "svg", json_text(svg->str));
    g_string_free(svg, TRUE);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static json_t *executor(const struct comparison *c)
{
    bool compared = !c->outside && comparison_complete(c);
    uint32_t unsound = c->outside ? 0 : c->unsound.forbidden.items.len,
             unspecified = c->outside ? 0 : c->unsound.open.items.len;
    return json_pack("{s:i, s:i, s:i, s:i, s:o, s:b}", "reached",
                     (int)c->reached.outcomes.items.len, "unsound", (int)unsound, "unspecified",
                     (int)unspecified, "not_reached", (int)c->not_reached.items.len, "outside",
                     json_text(c->outside), "complete", compared);
}

static json_t *hardware(const struct answer *answer, const struct others *others)
{
    const struct hardware_seen *gpu = &others->gpu;
    const struct beyond *shown = &others->shown;
    const struct outcome_set *allowed = &answer->found->outcomes;
    uint32_t never = 0, index;
    if (!gpu->runs)
        return json_null();
    for (uint32_t i = 0; i < allowed->items.len; i++)
        never += !outcome_find(&gpu->states, allowed->items.at[i].values, &index);
    return json_pack("{s:I, s:I, s:o, s:i, s:i, s:i, s:i}", "runs", (json_int_t)gpu->runs, "asked",
                     (json_int_t)gpu->asked, "seconds",
                     gpu->seconds > 0 ? json_real(gpu->seconds) : json_null(), "seen",
                     (int)gpu->states.items.len, "never_seen", (int)never, "not_allowed",
                     others->excluded ? 0 : (int)shown->forbidden.items.len, "unspecified",
                     (int)shown->open.items.len);
}

static json_t *describe(const struct batch_job *one, const struct answer *answer,
                        const struct explanation *explanation, const struct expect_result *expected)
{
    const struct job *job = &one->job;
    g_autoptr(GString) text = g_string_new(NULL);
    explanation_text(explanation, text);
    text_remarks(answer, text);
    json_t *object = json_answer(one->options, answer, explanation->reason, expected);
    struct place question = source_place(job->test->source, job->test->condition->span.offset);
    json_object_set_new(object, "line", json_integer(question.line));
    json_object_update_new(
        object, json_pack("{s:o, s:o, s:o, s:o}", "about",
                          json_text(job->test->comment_count ? job->test->comments[0] : ""),
                          "condition", json_text(job_question(job)), "program", program(job),
                          "explanation", json_text(text->str)));
    return object;
}

enum verdict report_test(struct batch_job *one)
{
    struct job *job = &one->job;
    struct answer answer = batch_answer(one, ANSWER_WITNESSES);
    struct explanation explanation = explanation_new(job, &answer);
    struct expect_result expected = expect_compare(job, &answer);
    struct comparison c;
    struct others others = {.gpu = hardware_find(job->arena, job->hardware, job->test, job->path),
                            .excluded = comparison_excluded(&answer) != NULL};
    hardware_tell_unfit(&others.gpu, &job->diags);
    json_t *object = describe(one, &answer, &explanation, &expected);
    if (one->options->executor && job->test->language != LANGUAGE_CPP) { /* it runs PTX */
        job->note->stage = "running its schedules";
        others.executor = comparison_new(&c, job, &answer) ? &c : NULL;
        json_object_set_new(object, "executor", others.executor ? executor(&c) : json_null());
    }
    others.shown =
        others.executor ? c.not_allowed : beyond_find(&answer, job, &others.gpu.states, job->fixed);
    json_object_set_new(object, "hardware", hardware(&answer, &others));
    if (one->material) {
        json_t *clauses = clauses_judge(one->material, &answer, &others.gpu);
        json_object_set_new(object, "clauses", clauses ? clauses : json_null());
    }
    if (one->sass && others.shown.forbidden.items.len && !others.excluded)
        json_object_set_new(object, "sass",
                            json_text(sass_find(job->arena, one->sass, job->test->name)));
    json_object_set_new(object, "state_list", states(&answer, &others));
    job->note->stage = "drawing it";
    add_picture(object, &explanation);
    json_line(object, one->result->out);
    return answer.verdict;
}
