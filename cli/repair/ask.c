/* SPDX-License-Identifier: MIT */
#include "cli/repair/ask.h"

enum minimal_answer repair_ask(const struct repair *repair, const uint8_t *choice)
{
    struct variant variant;
    enum minimal_answer answer = MINIMAL_OPEN;
    if (variant_new(&variant, repair->job, &repair->places, choice))
        answer = repair->weakens ? keep_ask(&repair->keep, &variant.job, false)
                                 : goal_ask(repair->goal, &variant.job);
    variant_free(&variant);
    return answer;
}
