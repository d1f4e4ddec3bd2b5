/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "cli/answer/comparison.h"
#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/show/picture/picture.h"
#include "cli/report/report.h"
#include "cli/show/text.h"
#include "litmus/test/launch.h"
#include "litmus/print/print.h"

/* ---- the program ---------------------------------------------------------------------------- */

static json_t *code_of(const struct job *job, const struct body *body)
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
                     "code", code_of(job, body));
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
    return columns;
}

/* ---- the states ----------------------------------------------------------------------------- */

/* Beside the axioms: what the executor reached, or NULL when it was not asked, and what a GPU
 * showed. */
struct others {
    const struct comparison *executor;
    struct hardware_seen gpu;
};

static json_t *reached(const struct others *others, const uint64_t *values)
{
    uint32_t index;
    const struct explore_result *all = others->executor ? &others->executor->reached : NULL;
    if (all && outcome_find(&all->outcomes, values, &index))
        return json_true();
    return all && all->finished ? json_false() : json_null();
}

static json_t *seen(const struct others *others, const uint64_t *values)
{
    uint32_t index;
    return others->gpu.runs ? json_boolean(outcome_find(&others->gpu.states, values, &index))
                            : json_null();
}

static void add_state(json_t *array, const struct job *job, const uint64_t *values, bool allowed,
                      const struct others *others)
{
    json_array_append_new(
        array,
        json_pack("{s:o, s:b, s:b, s:o, s:o}", "state",
                  json_text(outcome_print(job->arena, job->test, values)), "condition",
                  outcome_satisfies(job->test, job->test->condition, values), "allowed", allowed,
                  "reached", reached(others, values), "seen", seen(others, values)));
}

/* Those that are allowed, then those that are not and were reached, then those only seen. */
static json_t *states(const struct answer *answer, const struct others *others)
{
    const struct comparison *c = others->executor;
    const struct outcome_set *allowed = &answer->found->outcomes, *shown = &others->gpu.states;
    json_t *array = json_array();
    uint32_t index;
    for (uint32_t i = 0; i < allowed->items.len; i++)
        add_state(array, answer->job, allowed->items.at[i].values, true, others);
    for (uint32_t i = 0; c && i < c->unsound.items.len; i++)
        add_state(array, answer->job, c->unsound.items.at[i].values, false, others);
    for (uint32_t i = 0; answer->found->complete && i < shown->items.len; i++)
        if (!outcome_find(allowed, shown->items.at[i].values, &index) &&
            !(c && outcome_find(&c->unsound, shown->items.at[i].values, &index)))
            add_state(array, answer->job, shown->items.at[i].values, false, others);
    return array;
}

/* ---- the picture ---------------------------------------------------------------------------- */

/* Is this the outline of a box? What else is drawn as a path has another attribute first, now that
 * those which the page says are gone. */
static bool is_outline(const char *tag)
{
    return g_str_has_prefix(tag, "<path d=") || g_str_has_prefix(tag, "<path fill=");
}

/* Tenths of a point below ten, points from there on: less than that nobody sees, and a page holds
 * many pictures. Outlines, half of a picture's bytes, in points. */
static void round_numbers(GString *svg)
{
    g_autofree char *text = g_strdup(svg->str);
    bool outline = false, in_path = false;
    g_string_truncate(svg, 0);
    for (const char *at = text; *at; at++) {
        outline = *at == '<' ? is_outline(at) : outline;
        in_path = *at == '"' ? outline && at - text > 3 && strncmp(at - 3, " d=", 3) == 0 : in_path;
        g_string_append_c(svg, *at);
        if (*at != '.' || at == text || !g_ascii_isdigit(at[-1]) || !g_ascii_isdigit(at[1]))
            continue;
        bool whole = in_path || (at - text > 1 && g_ascii_isdigit(at[-2]));
        if (whole)
            g_string_truncate(svg, svg->len - 1);
        else
            g_string_append_c(svg, at[1]);
        while (g_ascii_isdigit(at[1]))
            at++;
    }
}

/* Puts 'instead' in the place of everything that begins so and goes on to 'end'. */
static void cut_all(GString *svg, const char *begin, const char *instead, const char *end)
{
    g_autofree char *text = g_strdup(svg->str);
    const char *rest = text;
    g_string_truncate(svg, 0);
    for (const char *at; (at = strstr(rest, begin));) {
        const char *after = strstr(at + strlen(begin), end);
        if (!after)
            break;
        g_string_append_len(svg, rest, at - rest);
        g_string_append(svg, instead);
        rest = after + strlen(end);
    }
    g_string_append(svg, rest);
}

/* What the page says once for all pictures, or nobody reads. */
static void slim(GString *svg)
{
    static const char *const left_out[] = {
        " font-family=\"Helvetica,sans-Serif\"",
        " font-family=\"Courier,monospace\"",
        " font-size=\"10.00\"",
        " font-size=\"11.00\"",
        " text-anchor=\"middle\"",
        " xmlns=\"http://www.w3.org/2000/svg\"",
        " xmlns:xlink=\"http://www.w3.org/1999/xlink\"",
        " stroke-width=\"1.3\"",
        " fill=\"white\" stroke=\"#555555\"",
        " fill=\"#f4f6f8\" stroke=\"#b4bfc9\"",
        " fill=\"none\"",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(left_out); i++)
        g_string_replace(svg, left_out[i], "", 0);
    round_numbers(svg);
    cut_all(svg, "<!--", "", "-->");
    cut_all(svg, "<title>", "", "</title>");
    cut_all(svg, "<g id=\"", "<g ", " ");
    g_string_replace(svg, "\n\n", "\n", 0);
    char *start = strstr(svg->str, "<svg");
    if (start)
        g_string_erase(svg, 0, start - svg->str);
}

static void add_picture(json_t *object, const struct explanation *explanation)
{
    const char *refused;
    GString *svg = picture_draw(explanation, PICTURE_SVG, &refused);
    if (!svg) {
        json_object_set_new(object, "no_picture", json_text(refused));
        return;
    }
    slim(svg);
    json_object_set_new(object, "svg", json_text(svg->str));
    g_string_free(svg, TRUE);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static json_t *executor(const struct comparison *c)
{
    bool compared = !c->outside && comparison_complete(c);
    return json_pack("{s:i, s:i, s:i, s:o, s:b}", "reached", (int)c->reached.outcomes.items.len,
                     "unsound", c->outside ? 0 : (int)c->unsound.items.len, "not_reached",
                     (int)c->not_reached.items.len, "outside", json_text(c->outside), "complete",
                     compared);
}

static json_t *hardware(const struct answer *answer, const struct hardware_seen *gpu)
{
    uint32_t index, not_allowed = 0;
    bool known = answer->found->complete && !answer->found->bound_reached;
    for (uint32_t i = 0; known && i < gpu->states.items.len; i++)
        not_allowed +=
            !outcome_find(&answer->found->outcomes, gpu->states.items.at[i].values, &index);
    return gpu->runs ? json_pack("{s:I, s:i, s:i}", "runs", (json_int_t)gpu->runs, "seen",
                                 (int)gpu->states.items.len, "not_allowed", (int)not_allowed)
                     : json_null();
}

static json_t *describe(const struct answer *answer, const struct explanation *explanation,
                        const struct expect_result *expected)
{
    const struct job *job = answer->job;
    g_autoptr(GString) line = g_string_new(NULL), text = g_string_new(NULL);
    json_answer(answer, explanation->reason, expected, line);
    json_t *object = json_loads(line->str, 0, NULL);
    explanation_text(explanation, text);
    text_remarks(answer, text);
    json_object_set_new(object, "about",
                        json_text(job->test->comment_count ? job->test->comments[0] : ""));
    json_object_set_new(object, "condition", json_text(job_question(job)));
    json_object_set_new(object, "program", program(job));
    json_object_set_new(object, "explanation", json_text(text->str));
    return object;
}

enum verdict report_test(struct job *job)
{
    struct solver_options options = answer_options(job, true);
    struct answer answer = answer_new(job, solve(job->arena, &options));
    struct explanation explanation = explanation_new(job, &answer);
    struct expect_result expected = expect_compare(job, &answer);
    struct comparison c;
    struct others others = {.gpu = hardware_find(job->arena, job->hardware, job->test, job->path)};
    json_t *object = describe(&answer, &explanation, &expected);
    if (job->options->executor) {
        job->note->stage = "running its schedules";
        others.executor = comparison_new(&c, job, &answer) ? &c : NULL;
        json_object_set_new(object, "executor", others.executor ? executor(&c) : json_null());
    }
    json_object_set_new(object, "hardware", hardware(&answer, &others.gpu));
    json_object_set_new(object, "state_list", states(&answer, &others));
    job->note->stage = "drawing it";
    add_picture(object, &explanation);
    json_line(object, job->result->out);
    return answer.verdict;
}
