/* SPDX-License-Identifier: MIT */
#include "cli/repair/places.h"

#include "litmus/rewrite/kernels.h"
#include "litmus/rewrite/program.h"
#include "litmus/rewrite/threads.h"

bool places_begin(struct repair *repair)
{
    struct job *job = repair->job;
    struct code *code = ARENA_NEW(job->arena, struct code);
    if (job->test->language == LANGUAGE_CPP)
        return true;
    if (code_read(job->arena, job->test, code))
        repair->code = code;
    else if (g_str_has_suffix(job->path, ".cu") && !job->settings->ptx_lines &&
             !program_is(job->test)) {
        diag_add(&job->diags, DIAG_repair_unsupported, NULL, (struct span){0},
                 "compile it with '-lineinfo', or take '--ptx-lines' to see the edits in PTX",
                 "the PTX of '%s' does not say which lines it comes from", job->path);
        return false;
    }
    return true;
}

static void append(struct repair *repair, struct edit_places more)
{
    for (uint32_t i = 0; i < more.items.len; i++)
        vec_push(repair->job->arena, &repair->places.items, more.items.at[i]);
}

bool places_stronger(struct repair *repair, uint32_t number)
{
    const struct test *test = repair->job->test;
    struct arena *arena = repair->job->arena;
    bool cpp = test->language == LANGUAGE_CPP, hangs = repair->goal == GOAL_HANG;
    bool program = test->host && program_is(test), apart = test->host && (repair->code || program);
    if (number > apart)
        return false;
    repair->places = (struct edit_places){{0}};
    if (apart && !number) {
        repair->places = program ? program_places(arena, test) : edit_places_host(arena, test);
        return true;
    }
    repair->places = cpp            ? threads_stronger(arena, test)
                     : repair->code ? kernels_stronger(repair->code)
                     : program      ? edit_places_kernels(arena, test)
                                    : edit_places_stronger(arena, test);
    if (hangs)
        append(repair, cpp            ? threads_fewer(arena, test)
                       : repair->code ? kernels_fewer(repair->code)
                                      : edit_places_fewer(arena, test));
    return true;
}

void places_weaker(struct repair *repair)
{
    const struct test *test = repair->job->test;
    struct arena *arena = repair->job->arena;
    repair->places = test->language == LANGUAGE_CPP ? threads_weaker(arena, test)
                     : repair->code                 ? kernels_weaker(repair->code)
                                                    : edit_places_weaker(arena, test);
}
