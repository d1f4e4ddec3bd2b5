/* SPDX-License-Identifier: MIT */
#include "cli/repair/compile.h"

#include <string.h>

#include "cli/work/nvcc.h"

/* So many proposals are compiled, as each takes nvcc about a second: the others are judged on edited PTX only. */
enum { MOST_COMPILED = 8 };

/* The test with the compiled module, in an arena of its own. */
static bool read_compiled(struct job *job, const struct repair *repair,
                          const struct variant *variant, const struct source_file *file)
{
    struct arena *arena = arena_scratch(repair->job->arena);
    *job = *repair->job;
    job->arena = arena;
    job->diags = (struct diag_list){.arena = arena};
    job->trace = NULL;
    const struct source *module =
        source_new(arena, variant->edited.module->name, file->text, file->length);
    return job_read(job, edit_read_with(arena, repair->job->test, module), true);
}

static enum minimal_answer judge(const struct repair *repair, struct job *job,
                                 struct repair_proposal *proposal)
{
    struct answer answer = answer_new(job, 0);
    proposal->verdict = answer.verdict;
    proposal->observation = answer.observation;
    return repair->weakens ? keep_ask(&repair->keep, job, true) : goal_of(repair->goal, &answer);
}

static bool judge_compiled(struct repair *repair, const struct variant *variant,
                           const struct source_file *file, struct repair_proposal *proposal)
{
    struct repair_proposal judged = *proposal;
    struct job job;
    bool read = read_compiled(&job, repair, variant, file);
    enum minimal_answer answer = read ? judge(repair, &job, &judged) : MINIMAL_OPEN;
    arena_free(job.arena);
    if (answer == MINIMAL_OPEN) {
        proposal->compiled =
            read ? "is judged on the edited PTX only: what nvcc makes of it is undecided"
                 : "is judged on the edited PTX only: what nvcc makes of it cannot be read";
        return true;
    }
    proposal->verdict = judged.verdict;
    proposal->observation = judged.observation;
    proposal->compiled = "is compiled again by nvcc, and what comes of it is judged by the axioms";
    return answer == MINIMAL_ENOUGH;
}

bool compile_judge(struct repair *repair, const struct variant *variant,
                   struct repair_proposal *proposal)
{
    struct arena *arena = repair->job->arena;
    struct nvcc nvcc = nvcc_new(repair->job->trace);
    struct source_file file;
    g_autofree char *folder = g_path_get_dirname(variant->edited.before->name);
    if (repair->compiled++ >= MOST_COMPILED) {
        proposal->compiled = arena_printf(
            arena, "is judged on the edited PTX only: nvcc compiled %d before", MOST_COMPILED);
        return true;
    }
    enum nvcc_end end = nvcc_compile(&nvcc, arena, variant->edited.after, folder, &file);
    switch (end) {
    case NVCC_MISSING:
        proposal->compiled =
            arena_printf(arena, "is judged on the edited PTX only: %s", file.fault);
        return true;
    case NVCC_REFUSED:
        repair->refused = file.fault;
        return false;
    case NVCC_DONE:
        break;
    }
    return judge_compiled(repair, variant, &file, proposal);
}

bool compile_edit(struct repair *repair, const struct edit *edits, uint32_t count,
                  struct variant *variant)
{
    struct arena *arena = repair->job->arena;
    struct nvcc nvcc = nvcc_new(repair->job->trace);
    struct source_file file;
    *variant = (struct variant){.count = count, .edits = ARENA_ARRAY(arena, struct edit, count)};
    memcpy(variant->edits, edits, count * sizeof *edits);
    variant->edited = edit_apply(arena, repair->job->test, edits, count);
    g_autofree char *folder = g_path_get_dirname(variant->edited.before->name);
    enum nvcc_end end = nvcc_compile(&nvcc, arena, variant->edited.after, folder, &file);
    if (end == NVCC_DONE && !read_compiled(&variant->job, repair, variant, &file))
        variant->job.test = NULL;
    variant->arena = end == NVCC_DONE ? variant->job.arena : arena_scratch(arena);
    variant->edited.module = NULL; /* it is not the edited PTX that is judged */
    return end != NVCC_MISSING;
}
