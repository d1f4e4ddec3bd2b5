/* SPDX-License-Identifier: MIT */
#include "cli/answer/race.h"

#include "cli/answer/race_pair.h"

static const char *word_of(const struct answer *answer, const struct race *race, uint32_t *number)
{
    struct arena *arena = answer->job->arena;
    if (!answer_is_misuse(race))
        return arena_printf(arena, "Race %u", ++*number);
    return arena_printf(arena, "%s %s", race->kind == FLAG_WARNING ? "Warning" : "Undefined",
                        race->flag);
}

struct race_lines race_lines(const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    struct arena *arena = answer->job->arena;
    uint32_t number = 0, *line_of = ARENA_ARRAY(arena, uint32_t, found->race_count + 1);
    struct race_lines lines = {.line_of = line_of};
    for (uint32_t i = 0, line; i < found->race_count; i++) {
        const struct race *race = &found->races[i];
        for (line = 0; line < lines.items.len; line++)
            if (race_is_of_same(answer, lines.items.at[line].race, race))
                break;
        line_of[i] = line;
        if (line < lines.items.len)
            lines.items.at[line].others += race_is_new(answer, i);
        else
            vec_push(arena, &lines.items,
                     ((struct race_line){.race = race, .word = word_of(answer, race, &number)}));
    }
    return lines;
}
