/* SPDX-License-Identifier: MIT
 *
 * ptxlit_explain: why an outcome is forbidden, or how it is reached, as values and in words. */
#include "cli/library/library.h"
#include "litmus/base/text.h"

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
    shown->kind = explanation->kind == EXPLANATION_FORBIDDEN ? PTXLIT_FORBIDDEN
                  : explanation->kind == EXPLANATION_ALLOWED ? PTXLIT_ALLOWED
                                                             : PTXLIT_UNEXPLAINED;
    if (shown->kind == PTXLIT_FORBIDDEN)
        name_axioms(explanation, shown);
    if (shown->kind == PTXLIT_UNEXPLAINED)
        shown->why = explanation->open;
}

static void explain(void *task)
{
    ptxlit_test *test = task;
    struct job *job = library_job(test, &test->explain);
    struct answer answer = answer_new(job, ANSWER_WITNESSES);
    struct explanation explanation = explanation_new(job, &answer);
    test->explained = (struct ptxlit_explanation){0};
    present(&explanation, &test->explained);
}

const struct ptxlit_explanation *ptxlit_explain(ptxlit_test *test)
{
    const char *stopped = library_answer(test, &test->explain, explain);
    if (stopped)
        test->explained =
            (struct ptxlit_explanation){.kind = PTXLIT_UNEXPLAINED, .why = stopped, .text = ""};
    return &test->explained;
}
