/* SPDX-License-Identifier: MIT */
#include "cli/show/stuck.h"

#include "cli/answer/names.h"
#include "cli/answer/stall.h"
#include "cli/answer/witness.h"
#include "cli/show/json.h"
#include "cli/show/lasso.h"
#include "cli/show/witness_json.h"

void stuck_text(const struct job *job, const struct execution *stuck, GString *out)
{
    struct stall_list stalls = stall_find(job, stuck);
    g_string_append(out, "Never ends: after\n");
    witness_text(job, stuck, out);
    for (uint32_t i = 0; i < stalls.items.len; i++)
        g_string_append_printf(out, "%s\n", stall_line(job, stuck, &stalls.items.at[i]));
}

json_t *stuck_json(const struct job *job, const struct execution *stuck)
{
    static const char *const kinds[] = {[STALL_ROUND] = "goes-round",
                                        [STALL_WAIT] = "waits",
                                        [STALL_LEFT] = "left-standing",
                                        [STALL_UNSTARTED] = "never-starts"};
    json_t *threads = json_array();
    struct stall_list stalls = stall_find(job, stuck);
    for (uint32_t i = 0; i < stalls.items.len; i++) {
        const struct stall *stall = &stalls.items.at[i];
        json_t *loop = json_array();
        for (uint32_t k = 0; k < stall->event_count; k++)
            json_array_append_new(loop, json_text(name_event(job->arena, stuck, stall->events[k])));
        json_array_append_new(
            threads, json_pack("{s:o, s:s, s:o, s:o}", "thread",
                               json_text(stuck->graph->threads[stall->thread].name), "kind",
                               kinds[stall->kind], "loop", loop, "why", json_text(stall->words)));
    }
    return threads;
}

void stuck_add_json(json_t *object, const struct answer *answer)
{
    const struct job *job = answer->job;
    const struct execution *stuck = answer_stuck(answer);
    if (stuck) {
        json_object_set_new(object, "stuck", witness_json(job, stuck));
        json_object_set_new(object, "never_ends", stuck_json(job, stuck));
    }
    if (answer->hang.lasso)
        json_object_set_new(object, "lasso", lasso_json(answer->hang.lasso));
}
