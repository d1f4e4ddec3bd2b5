/* SPDX-License-Identifier: MIT
 *
 * ptxlit_explain: the reason or the execution, in words. */
#include "cli/library/library.h"
#include "litmus/base/text.h"

/* ptxlit_explain: why an outcome is forbidden, or how it is reached, as values. */

static void name_axioms(const struct explanation *explanation, struct ptxlit_explanation *shown)
{
    const struct job *job = explanation->job;
    const struct reason *reason = explanation->reason;
    const char **names = ARENA_ARRAY(job->arena, const char *, reason->axiom_count);
    for (uint32_t i = 0; i < reason->axiom_count; i++)
        names[i] = job->model->axioms[reason->axioms[i]].name;
    shown->axioms = names;
    shown->axiom_count = reason->axiom_count;
}

static void present(const struct explanation *explanation, struct ptxlit_explanation *shown)
{
    struct arena *arena = explanation->job->arena;
    struct text *text = text_open(arena);
    explanation_text(explanation, text->out);
    shown->text = text_close(text, arena);
    switch (explanation->kind) {
    case EXPLANATION_FORBIDDEN:
        shown->kind = PTXLIT_FORBIDDEN;
        name_axioms(explanation, shown);
        break;
    case EXPLANATION_ALLOWED:
        shown->kind = PTXLIT_ALLOWED;
        break;
    case EXPLANATION_OPEN:
        shown->kind = PTXLIT_UNEXPLAINED;
        shown->why = explanation->open;
        break;
    }
}

static void explain(void *task)
{
    ptxlit_test *test = task;
    test->explained.arena = arena_scratch(test->arena);
    struct job *job = library_job(test, test->explained.arena);
    struct answer answer = answer_new(job, ANSWER_WITNESSES);
    struct explanation explanation = explanation_new(job, &answer);
    present(&explanation, &test->explained.explanation);
}

const struct ptxlit_explanation *ptxlit_explain(ptxlit_test *test)
{
    struct explained *explained = &test->explained;
    arena_free(explained->arena);
    *explained = (struct explained){0};
    enum ptxlit_status status = library_run(test->context, explain, test);
    if (status == PTXLIT_OK)
        return &explained->explanation;
    arena_free(explained->arena);
    *explained =
        (struct explained){.explanation = {.kind = PTXLIT_UNEXPLAINED, .axioms = NULL, .text = ""}};
    explained->explanation.why = library_stopped(test->context, status, explained->stopped);
    return &explained->explanation;
}
