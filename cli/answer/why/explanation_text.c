/* SPDX-License-Identifier: MIT
 *
 * An explanation in words, as 'ptxlit explain', the report and the library give it: the axioms, the
 * execution that breaks the first of them, and its cycle edge by edge. */
#include "cli/answer/why/explanation.h"

#include <string.h>

#include "cli/answer/why/idle.h"
#include "cli/answer/why/manual.h"
#include "cli/answer/names.h"
#include "cli/answer/witness.h"

static const char *dash(struct arena *arena, const char *words)
{
    return *words ? arena_printf(arena, "  (%s)", words) : "";
}

static void print_axioms(const struct explanation *explanation, GString *out)
{
    static const char *const checks[] = {
        [CAT_ACYCLIC] = "acyclic", [CAT_IRREFLEXIVE] = "irreflexive", [CAT_IS_EMPTY] = "empty"};
    const struct job *job = explanation->job;
    const struct reason *reason = explanation->reason;
    for (uint32_t i = 0; i < reason->axiom_count; i++) {
        const struct cat_axiom *axiom = &job->model->axioms[reason->axioms[i]];
        g_string_append_printf(
            out, "  %s: %s%s %s%s\n", axiom->name, axiom->negated ? "~" : "", checks[axiom->check],
            explanation_relation(job, axiom->node),
            dash(job->arena, manual_section(job->arena, job->model, axiom->name)));
    }
}

enum { EDGE_WIDTH = 12, INDENT = 2 };

/* How many steps from 'first' on say more and more exactly what one edge is: each the only
 * explanation of the one before. They make one line. */
static uint32_t chain_length(const struct step_list *list, uint32_t first)
{
    const struct step *steps = list->items.at;
    uint32_t last = first;
    for (; last + 1 < list->items.len; last++) {
        const struct step *above = &steps[last], *below = &steps[last + 1];
        uint32_t next = last + 2;
        while (next < list->items.len && steps[next].depth > below->depth)
            next++;
        bool alone = next == list->items.len || steps[next].depth < below->depth;
        if (below->depth != above->depth + 1 || below->from != above->from ||
            below->to != above->to || !alone)
            break;
    }
    return last + 1 - first;
}

static void print_edge(const struct explanation *explanation, const struct step *step,
                       uint32_t depth, GString *out)
{
    struct arena *arena = explanation->job->arena;
    const char *edge = name_event(arena, explanation->execution, step->from);
    if (step->to != step->from)
        edge = arena_printf(arena, "%s -> %s", edge,
                            name_event(arena, explanation->execution, step->to));
    g_string_append_printf(out, "%*s%-*s ", INDENT * ((int)depth + 1), "", EDGE_WIDTH, edge);
}

/* A line "a -> b  cause > proxy_preserved  (PTX 8.9.5)": from the rule to what makes it true. */
static void print_chain(const struct explanation *explanation, const struct step *steps,
                        uint32_t count, GString *out)
{
    const struct job *job = explanation->job;
    const char *rule = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *section = explanation_rule(job, steps[i].node);
        g_string_append_printf(out, "%s%s%s", i ? " > " : "", steps[i].absent ? "not in " : "",
                               explanation_relation(job, steps[i].node));
        if (*section)
            rule = section;
    }
    const char *call = explanation_call(explanation, steps->from, steps->to);
    g_string_append_printf(out, "%s\n", dash(job->arena, call ? call : rule));
}

/* Lines that were joined into one do not indent those below. */
static void print_steps(const struct explanation *explanation, GString *out)
{
    struct step_list list = explanation_steps(explanation);
    /* a depth: where its lines stand */
    uint32_t *shown = ARENA_ARRAY(explanation->job->arena, uint32_t, list.items.len + 2);
    for (uint32_t i = 0; i < list.items.len;) {
        const struct step *step = &list.items.at[i];
        uint32_t count = chain_length(&list, i), indent = shown[step->depth];
        print_edge(explanation, step, indent, out);
        print_chain(explanation, step, count, out);
        shown[step->depth + count] = indent + 1;
        i += count;
    }
}

/* Of an axiom that says 'empty', which may be about one event and itself. */
static void print_pair(const struct explanation *example, event_id a, event_id b, GString *out)
{
    struct arena *arena = example->job->arena;
    const char *first = name_event(arena, example->execution, a);
    const char *both = arena_printf(arena,
                                    "%s and %s have all of these relations, which no two "
                                    "events may have",
                                    first, name_event(arena, example->execution, b));
    const char *one = arena_printf(
        arena, "%s has all of these relations to itself, which no event may have", first);
    g_string_append_printf(out, "How it does: %s; inner lines tell what an outer one is made of:\n",
                           a == b ? one : both);
}

/* "How it does: …", what the lines below are. */
static void print_how(const struct explanation *example, const struct cat_axiom *axiom,
                      GString *out)
{
    static const char *const is[] = {[CAT_ACYCLIC] = "has no cycle",
                                     [CAT_IRREFLEXIVE] = "relates nothing to itself",
                                     [CAT_IS_EMPTY] = "is empty"};
    const struct violation *violation = &example->example->violation;
    if (axiom->negated) {
        g_string_append_printf(out, "How it does: %s %s\n",
                               explanation_relation(example->job, axiom->node), is[axiom->check]);
    } else if (axiom->check == CAT_IS_EMPTY) {
        print_pair(example, violation->cycle[0], violation->cycle[violation->cycle_length - 1],
                   out);
    } else {
        g_string_append(out,
                        "How it does: the cycle edge by edge, inner lines telling what an outer "
                        "one is made of:\n");
    }
}

/* An execution for one axiom of the reason, and how it breaks it. */
static void print_example(const struct explanation *whole, uint32_t index, GString *out)
{
    struct explanation example = explanation_of_example(whole, index);
    const struct cat_axiom *axiom = &example.job->model->axioms[example.example->violation.axiom];
    g_string_append_printf(out, "%s execution breaks only %s:\n", index ? "Another" : "This",
                           axiom->name);
    witness_text(example.job, example.execution, out);
    print_how(&example, axiom, out);
    print_steps(&example, out);
}

static void print_reason(const struct explanation *explanation, GString *out)
{
    const struct job *job = explanation->job;
    const struct reason *reason = explanation->reason;
    if (reason->by_values && explanation->answer->interleaved) {
        g_string_append(
            out,
            "One access after another is all that there is here, and no order of them ends so.\n");
        return;
    }
    if (reason->by_values && hang_is_all(job, explanation->answer->found)) {
        g_string_append(out, "No execution ends, so that none ends like this.\n");
        return;
    }
    if (reason->by_values) {
        g_string_append(out,
                        "No axiom is needed: the values that the program computes exclude it.\n");
        for (uint32_t i = 0; i < explanation->answer->found->unattainable_count; i++)
            g_string_append_printf(
                out, "  %s\n", answer_never_met(job, &explanation->answer->found->unattainable[i]));
        return;
    }
    g_string_append(out, reason->axiom_count == 1 ? "The axiom that forbids it:\n"
                                                  : "The axioms that forbid it:\n");
    print_axioms(explanation, out);
    for (uint32_t i = 0; i < reason->example_count; i++)
        print_example(explanation, i, out);
    idle_text(explanation, out);
}

static void print_witness(const struct explanation *explanation, GString *out)
{
    const struct job *job = explanation->job;
    const char *state = outcome_print(job->arena, job->test, explanation->state);
    if (!explanation->execution) {
        g_string_append_printf(
            out,
            "Why nothing forbids it: one access after another, with more rounds of a loop "
            "than --unroll, ends in %s\n",
            state);
        return;
    }
    g_string_append_printf(out, "This execution ends in %s\n", state);
    witness_text(job, explanation->execution, out);
    allowed_text(job, explanation->execution, &explanation->allowed, out);
}

void explanation_text(const struct explanation *explanation, GString *out)
{
    static const char *const words[] = {[EXPLANATION_FORBIDDEN] = "forbidden",
                                        [EXPLANATION_ALLOWED] = "allowed",
                                        [EXPLANATION_OPEN] = "undecided"};
    const struct job *job = explanation->job;
    g_string_append_printf(out, "Test %s (%s): %s%s is %s\n", job->test->name, job->settings->model,
                           explanation->negate ? "the negation of " : "",
                           strchr(job_question(job), ' ') + 1, /* without its quantifier */
                           words[explanation->kind]);
    if (explanation->kind == EXPLANATION_FORBIDDEN)
        print_reason(explanation, out);
    else if (explanation->kind == EXPLANATION_ALLOWED && explanation->state)
        print_witness(explanation, out);
    else if (explanation->kind == EXPLANATION_OPEN && !explanation->answer->open &&
             !explanation->answer->error)
        g_string_append_printf(out, "Undecided %s\n", explanation->open);
}
