/* SPDX-License-Identifier: MIT */
#include "cli/repair/ask.h"

/* To read and unfold an edited test takes about as long as Z3 for this much. */
enum { READING_EFFORT = 3000 };

enum minimal_answer repair_ask(const struct repair *repair, const uint8_t *choice)
{
    struct variant variant;
    enum minimal_answer answer = MINIMAL_OPEN;
    *repair->made += READING_EFFORT;
    if (variant_new(&variant, repair->job, &repair->places, choice))
        answer = repair->weakens ? keep_ask(&repair->keep, &variant.job, false)
                                 : goal_ask(repair->goal, &variant.job);
    variant_free(&variant);
    return answer;
}
