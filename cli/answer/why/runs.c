/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/runs.h"

#include <string.h>

#include "cli/answer/names.h"
#include "cli/answer/race.h"
#include "cli/answer/stall.h"
#include "cli/answer/why/lack_words.h"
#include "cli/answer/witness.h"
#include "litmus/test/code_line.h"

/* Does the execution relate the two events as the flag says? */
static bool has_race(const struct job *job, const struct execution *run, struct theory *theory,
                     const struct race *race)
{
    if (!run || run->graph != job->graphs[race->graph])
        return false;
    for (uint32_t i = 0; i < job->model->axiom_count; i++) {
        const struct cat_axiom *flag = &job->model->axioms[i];
        if (!flag->flag || strcmp(flag->name, race->flag) != 0)
            continue;
        const struct rel *pairs = theory_rel(theory, flag->node);
        return rel_has(pairs, race->a, race->b) || rel_has(pairs, race->b, race->a);
    }
    return false;
}

static void add_race(const struct answer *answer, const struct race_line *line,
                     const struct race *race, struct run_shown *shown)
{
    struct arena *arena = answer->job->arena;
    vec_push(arena, &shown->of, line->word);
    const char *sentence = race->kind == FLAG_RACE || race->kind == FLAG_RACY
                               ? "nothing orders %s and %s"
                               : "it is between %s and %s";
    if (race->kind != FLAG_OUTSIDE && race->a != race->b)
        vec_push(arena, &shown->reason,
                 arena_printf(arena, sentence, lack_event(arena, shown->run, race->a),
                              lack_event(arena, shown->run, race->b)));
}

/* Races of the execution that is shown anyway need no other; of what is forbidden that one is no run. */
static void mark_shown(const struct explanation *explanation, const struct race_lines *lines,
                       bool *told)
{
    const struct solver_result *found = explanation->answer->found;
    if (explanation->kind != EXPLANATION_ALLOWED || !explanation->execution)
        return;
    struct theory *theory = witness_theory(explanation->job, explanation->execution);
    for (uint32_t i = 0; i < found->race_count; i++)
        if (has_race(explanation->job, explanation->execution, theory, &found->races[i]))
            told[lines->line_of[i]] = true;
}

/* The run of race 'first', which is in it; and others of which nothing was told yet. */
static struct run_shown show_races(const struct explanation *explanation,
                                   const struct race_lines *lines, uint32_t first, bool *told)
{
    const struct solver_result *found = explanation->answer->found;
    const struct execution *run = found->races[first].run;
    struct theory *theory = witness_theory(explanation->job, run);
    struct run_shown shown = {.run = run, .state = run->observed};
    for (uint32_t i = first; i < found->race_count; i++) {
        uint32_t line = lines->line_of[i];
        if (told[line] ||
            (i != first && !has_race(explanation->job, run, theory, &found->races[i])))
            continue;
        told[line] = true;
        add_race(explanation->answer, &lines->items.at[line], &found->races[i], &shown);
    }
    return shown;
}

static void find_races(const struct explanation *explanation, struct run_list *runs)
{
    const struct job *job = explanation->job;
    const struct solver_result *found = explanation->answer->found;
    struct race_lines lines = race_lines(explanation->answer);
    bool *told = ARENA_ARRAY(job->arena, bool, lines.items.len + 1);
    mark_shown(explanation, &lines, told);
    for (uint32_t i = 0; i < found->race_count; i++)
        if (!told[lines.line_of[i]] && found->races[i].run)
            vec_push(job->arena, &runs->items, show_races(explanation, &lines, i, told));
}

static struct run_shown *add_run(const struct job *job, struct run_list *runs,
                                 const struct execution *run, const char *of)
{
    struct run_shown shown = {.run = run};
    vec_push(job->arena, &shown.of, of);
    vec_push(job->arena, &runs->items, shown);
    return &runs->items.at[runs->items.len - 1];
}

/* Who waits for what, each thread that has not ended. */
static void add_hang(const struct job *job, struct run_list *runs, const struct execution *run)
{
    struct run_shown *shown = add_run(job, runs, run, "Hang");
    struct stall_list stalls = stall_find(job, run);
    for (uint32_t i = 0; i < stalls.items.len; i++)
        vec_push(job->arena, &shown->reason, stall_line(job, run, &stalls.items.at[i]));
}

static bool is_known_address(const struct event *event, uint64_t address)
{
    for (uint32_t i = 0; i < event->address_count; i++)
        if (event->addresses[i] == address)
            return true;
    return false;
}

/* "P0 executes 'st.weak [r0], 1' with the address 0", of the access that goes astray in the run; NULL: none was found. */
static const char *stray_access(const struct job *job, const struct execution *run,
                                const struct undefined *undefined)
{
    for (event_id e = 0; run && e < run->graph->event_count; e++) {
        const struct event *event = &run->graph->events[e];
        uint64_t address;
        if (event->thread == undefined->thread && event_is_memory(event) && event->inst &&
            event->span.offset == undefined->span.offset &&
            execution_eval(run, event->address, &address) && !is_known_address(event, address))
            return arena_printf(job->arena, "%s executes '%s' with the address %s",
                                run->graph->threads[event->thread].name, event->text,
                                name_address(job->arena, run->graph, address));
    }
    return NULL;
}

static void add_undefined(const struct job *job, struct run_list *runs, const struct execution *run,
                          const struct undefined *undefined)
{
    const char *line = test_line_words(job->arena, job->test, undefined->span.offset);
    const char *stray = stray_access(job, run, undefined);
    struct run_shown *shown =
        add_run(job, runs, run, arena_printf(job->arena, "Undefined %s", undefined->name));
    vec_push(job->arena, &shown->reason,
             arena_printf(job->arena, "%s at %s%s%s", undefined->detail, line, stray ? ": " : "",
                          stray ? stray : ""));
}

struct run_list runs_find(const struct explanation *explanation)
{
    const struct job *job = explanation->job;
    const struct answer *answer = explanation->answer;
    const struct solver_result *found = answer->found;
    struct run_list runs = {0};
    find_races(explanation, &runs);
    for (uint32_t i = 0; i < found->undefined_count; i++)
        add_undefined(job, &runs, found->undefined_runs[i], found->undefined[i]);
    if (found->can_hang && found->hang_run)
        add_hang(job, &runs, found->hang_run);
    if (answer->hang.name && answer->hang.run)
        add_hang(job, &runs, answer->hang.run);
    return runs;
}

void runs_text(const struct explanation *explanation, GString *out)
{
    const struct job *job = explanation->job;
    struct run_list runs = runs_find(explanation);
    for (uint32_t i = 0; i < runs.items.len; i++) {
        const struct run_shown *shown = &runs.items.at[i];
        for (uint32_t k = 0; k < shown->of.len; k++)
            g_string_append_printf(out, "%s%s", k ? ", " : "", shown->of.at[k]);
        if (shown->state)
            g_string_append_printf(out, " %s in the run with %s\n",
                                   shown->of.len > 1 ? "are" : "is",
                                   outcome_print(job->arena, job->test, shown->state));
        else
            g_string_append(out, " is in this run:\n");
        witness_text(job, shown->run, out);
        for (uint32_t k = 0; k < shown->reason.len; k++)
            g_string_append_printf(out, "  %s\n", shown->reason.at[k]);
    }
}
