/* SPDX-License-Identifier: MIT
 *
 * 'ptxlit map FILE --check': is what a mapping makes of a test in C++ right? */
#include "cli/command/map.h"

#include <string.h>

#include "cli/answer/why/soundness.h"
#include "cli/show/json.h"
#include "cli/show/picture/file.h"
#include "cli/show/picture/pair.h"
#include "litmus/print/print.h"
#include "model/models/models.h"

static const char *const words[] = {
    [SOUNDNESS_SOUND] = "sound",         [SOUNDNESS_UNSOUND] = "unsound",
    [SOUNDNESS_UNDEFINED] = "undefined", [SOUNDNESS_EXCLUDED] = "excluded",
    [SOUNDNESS_OPEN] = "undecided",      [SOUNDNESS_ERROR] = "error"};

/* ---- which models --------------------------------------------------------------------------- */

struct profiles {
    const char *profiles[2], *target;
    uint32_t profile_count;
};

/* --model names one of C++, in place of cpp and cpp+split, or one of PTX. */
static struct profiles choose(struct job *job)
{
    struct profiles sides = {{"cpp", "cpp+split"}, "ptx", 2};
    if (!job->settings->model_named)
        return sides;
    const char *name = job->settings->model;
    const struct cat_model *model = model_load(job->arena, name, &job->diags);
    if (model && model->language && strcmp(model->language, "C") == 0) {
        sides.profiles[0] = name;
        sides.profile_count = 1;
    } else
        sides.target = name;
    return sides;
}

/* ---- side by side --------------------------------------------------------------------------- */

static size_t columns_of(const char *line, const char *end)
{
    return (size_t)g_utf8_strlen(line, end - line);
}

/* One line of the text, and where the next begins. */
static const char *take_line(const char **at)
{
    const char *end = strchr(*at, '\n'), *start = *at;
    end = end ? end : start + strlen(start);
    *at = *end ? end + 1 : end;
    return end;
}

/* The test in C++ on the left, what it becomes on the right. */
static void print_side_by_side(const struct soundness *s, GString *out)
{
    const char *left = print_test(s->source->arena, s->mapped.source), *right = s->mapped.text;
    size_t width = 0;
    for (const char *at = left, *line = at; *at; line = at) {
        const char *end = take_line(&at);
        width = MAX(width, columns_of(line, end));
    }
    while (*left || *right) {
        const char *a = left, *a_end = take_line(&left), *b = right, *b_end = take_line(&right);
        g_string_append_len(out, a, a_end - a);
        g_string_append_printf(out, "%*s | ", (int)(width - columns_of(a, a_end)), "");
        g_string_append_len(out, b, b_end - b);
        g_string_append_c(out, '\n');
    }
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_axioms(const struct soundness *s, GString *out)
{
    const struct reason *reason = s->forbidden.reason;
    for (uint32_t i = 0; reason && i < reason->axiom_count; i++)
        g_string_append_printf(out, " %s", s->source->model->axioms[reason->axioms[i]].name);
}

void map_print_soundness(const struct soundness *s, bool shown, GString *out)
{
    g_string_append_printf(out, "Mapping %s %s %s against %s", s->mapped.mapping->name,
                           words[s->verdict], s->target, s->profile);
    if (s->detail)
        g_string_append_printf(out, ": %s", s->detail);
    if (s->verdict == SOUNDNESS_SOUND)
        g_string_append_printf(out, ": %u states, of %u that C++ allows", s->ptx_states,
                               s->source_states);
    if (s->verdict == SOUNDNESS_UNSOUND) {
        g_string_append_printf(out, ": %s\n  allowed by %s; %s forbids it:", s->state, s->target,
                               s->profile);
        print_axioms(s, out);
    }
    g_string_append_c(out, '\n');
    if (s->verdict != SOUNDNESS_UNSOUND || !shown)
        return;
    g_string_append_c(out, '\n');
    print_side_by_side(s, out);
    g_string_append_c(out, '\n');
    explanation_text(&s->allowed, out);
    g_string_append_c(out, '\n');
    explanation_text(&s->forbidden, out);
    g_string_append_c(out, '\n');
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *json_explained(const struct explanation *explanation)
{
    g_autoptr(GString) text = g_string_new(NULL);
    explanation_text(explanation, text);
    return json_text(text->str);
}

json_t *map_json_counterexample(const struct soundness *s)
{
    if (s->verdict != SOUNDNESS_UNSOUND)
        return json_null();
    json_t *axioms = json_axioms(s->source, s->forbidden.reason);
    const json_t *first = json_array_get(axioms, 0);
    return json_pack("{s:o, s:o, s:o, s:O?, s:o, s:o, s:o}", "source",
                     json_text(print_test(s->source->arena, s->mapped.source)), "ptx",
                     json_text(s->mapped.text), "state",
                     json_state(s->source->arena, s->source->test, s->values), "axiom", first,
                     "axioms", axioms, "execution", json_explained(&s->allowed), "explanation",
                     json_explained(&s->forbidden));
}

static void print_json(const struct batch_job *one, const struct soundness *s, GString *out)
{
    bool known = s->verdict == SOUNDNESS_SOUND || s->verdict == SOUNDNESS_UNSOUND;
    json_line(json_pack("{s:o, s:o, s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:i, s:i, s:o}", "file",
                        json_text(one->job.path), "test", json_text(one->job.test->name), "mapping",
                        s->mapped.mapping->name, "profile", s->profile, "target", s->target,
                        "mixed_scopes", one->options->mixed_scopes, "verdict", words[s->verdict],
                        "sound", known ? json_boolean(s->verdict == SOUNDNESS_SOUND) : json_null(),
                        "detail", s->detail ? json_text(s->detail) : json_null(), "source_states",
                        (int)s->source_states, "ptx_states", (int)s->ptx_states, "counterexample",
                        map_json_counterexample(s)),
              out);
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum verdict worse(enum verdict a, enum soundness_verdict b)
{
    static const enum verdict as[] = {
        [SOUNDNESS_SOUND] = VERDICT_HOLDS,     [SOUNDNESS_UNSOUND] = VERDICT_FAILS,
        [SOUNDNESS_UNDEFINED] = VERDICT_HOLDS, [SOUNDNESS_EXCLUDED] = VERDICT_HOLDS,
        [SOUNDNESS_OPEN] = VERDICT_UNDECIDED,  [SOUNDNESS_ERROR] = VERDICT_ERROR};
    static const int weight[] = {
        [VERDICT_HOLDS] = 0, [VERDICT_UNDECIDED] = 1, [VERDICT_FAILS] = 2, [VERDICT_ERROR] = 3};
    return weight[as[b]] > weight[a] ? as[b] : a;
}

static bool draw(struct batch_job *one, const struct soundness *s)
{
    const struct picture_pane panes[] = {
        {print_test(one->job.arena, s->mapped.source), &s->forbidden},
        {s->mapped.text, &s->allowed}};
    GString *picture = picture_panes(panes, 2, (struct picture_view){0});
    bool saved = picture_save(&one->job, one->options->svg, PICTURE_SVG, picture);
    g_string_free(picture, TRUE);
    return saved;
}

enum verdict map_check(struct batch_job *one, const struct mapping_table *mapping)
{
    struct profiles sides = choose(&one->job);
    enum verdict verdict = VERDICT_HOLDS;
    bool shown = false;
    if (!one->options->json)
        g_string_append_printf(one->result->out, "Test %s\n", one->job.test->name);
    for (uint32_t i = 0; i < sides.profile_count; i++) {
        struct soundness s = soundness_new(&one->job, mapping, sides.profiles[i], sides.target,
                                           one->options->mixed_scopes);
        verdict = worse(verdict, s.verdict);
        if (s.verdict == SOUNDNESS_ERROR)
            return batch_fail(one);
        if (one->options->json)
            print_json(one, &s, one->result->out);
        else
            map_print_soundness(&s, !shown, one->result->out);
        if (s.verdict == SOUNDNESS_UNSOUND && !shown && one->options->svg && !draw(one, &s))
            return batch_fail(one);
        shown |= s.verdict == SOUNDNESS_UNSOUND;
    }
    return verdict;
}
