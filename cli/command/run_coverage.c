/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/show/json.h"
#include "cli/command/run.h"

/* What the race detector looked at, and what of the program it cannot see: 'done' without a report
 * is no promise (docs/machine.md, "Races"). */

typedef bool seen_in(const struct test *test, const struct inst *inst);

static bool is_async_copy(const struct test *test, const struct inst *inst)
{
    (void)test;
    return inst->op == OP_CP_ASYNC;
}

static bool is_bulk_copy(const struct test *test, const struct inst *inst)
{
    (void)test;
    return inst->op == OP_CP_ASYNC_BULK || inst->op == OP_CP_REDUCE_ASYNC_BULK;
}

static bool is_other_proxy(const struct test *test, const struct inst *inst)
{
    bool other = inst->proxy != PROXY_GENERIC && !is_bulk_copy(test, inst);
    for (uint32_t i = 0; i < inst->operand_count && !other; i++)
        other = inst->operands[i].location != NONE &&
                test->locations[inst->operands[i].location].alias_of != NONE;
    return other;
}

static bool is_partial_fence(const struct test *test, const struct inst *inst)
{
    (void)test;
    return inst->op == OP_FENCE &&
           (inst->fence_kind == FENCE_RESTRICT_RELEASE ||
            inst->fence_kind == FENCE_RESTRICT_ACQUIRE || inst->fence_kind == FENCE_PROXY_RELEASE ||
            inst->fence_kind == FENCE_PROXY_ACQUIRE);
}

static const struct {
    const char *words;
    seen_in *seen_in;
} gaps[] = {
    {"accesses through other proxies or addresses", is_other_proxy},
    {"asynchronous copies, taken for accesses of their lane", is_async_copy},
    {"bulk copies, taken for accesses of their lane", is_bulk_copy},
    {"restricted and one-way fences, taken for whole ones", is_partial_fence},
};

/* The first instruction of the test that is seen so, or NULL. */
static const struct inst *first_seen(const struct test *test, seen_in *seen)
{
    const struct inst *first = NULL;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            if (seen(test, inst) && (!first || inst->span.offset < first->span.offset))
                first = inst;
        }
    return first;
}

json_t *run_races_json(const struct test *test, const struct run_coverage *coverage)
{
    json_t *not_covered = json_array();
    if (!coverage->looked)
        return json_null();
    json_array_append_new(not_covered, json_text("other schedules"));
    if (!coverage->whole)
        json_array_append_new(not_covered, json_text("the rest of a schedule that was cut short"));
    for (size_t i = 0; i < G_N_ELEMENTS(gaps); i++) {
        const struct inst *inst = first_seen(test, gaps[i].seen_in);
        if (!inst)
            continue;
        g_autofree char *words = g_strdup_printf(
            "%s (line %u)", gaps[i].words, source_place(test->source, inst->span.offset).line);
        json_array_append_new(not_covered, json_text(words));
    }
    return json_pack("{s:I, s:o}", "schedules", (json_int_t)coverage->schedules, "not_covered",
                     not_covered);
}

void run_races_text(const struct test *test, const struct run_coverage *coverage, GString *out)
{
    if (!coverage->looked)
        return;
    json_t *races = run_races_json(test, coverage), *words;
    size_t index;
    g_string_append_printf(out, "Races looked for in %" G_GUINT64_FORMAT " schedule%s; not in:",
                           coverage->schedules, coverage->schedules == 1 ? "" : "s");
    json_array_foreach(json_object_get(races, "not_covered"), index, words)
        g_string_append_printf(out, "%s %s", index ? ";" : "", json_string_value(words));
    g_string_append_c(out, '\n');
    json_decref(races);
}
