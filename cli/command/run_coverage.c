/* SPDX-License-Identifier: MIT */
#include "cli/command/run.h"

#include "cli/show/json.h"

/* What the race detector looked at, and what of the program it cannot see: 'done' without a report
 * is no promise (docs/machine.md, "Races"). */

enum gap { GAP_PROXY, GAP_ASYNC_COPY, GAP_BULK_COPY, GAP_PARTIAL_FENCE, GAP_COUNT };

static const char *const gap_words[GAP_COUNT] = {
    [GAP_PROXY] = "accesses through other proxies or addresses",
    [GAP_ASYNC_COPY] = "asynchronous copies, taken for accesses of their lane",
    [GAP_BULK_COPY] = "bulk copies, taken for accesses of their lane",
    [GAP_PARTIAL_FENCE] = "restricted and one-way fences, taken for whole ones",
};

static bool is_bulk_copy(const struct inst *inst)
{
    return op_accepts(inst->op, 'G');
}

static bool is_other_proxy(const struct test *test, const struct inst *inst)
{
    bool other = inst->proxy != PROXY_GENERIC && !is_bulk_copy(inst);
    for (uint32_t i = 0; i < inst->operand_count && !other; i++)
        other = inst->operands[i].location != NONE &&
                test->locations[inst->operands[i].location].alias_of != NONE;
    return other;
}

static bool is_in(enum gap gap, const struct test *test, const struct inst *inst)
{
    switch (gap) {
    case GAP_PROXY:
        return is_other_proxy(test, inst);
    case GAP_ASYNC_COPY:
        return inst->op == OP_CP_ASYNC;
    case GAP_BULK_COPY:
        return is_bulk_copy(inst);
    case GAP_PARTIAL_FENCE:
        return inst->op == OP_FENCE &&
               (inst->fence_kind == FENCE_RESTRICT_RELEASE ||
                inst->fence_kind == FENCE_RESTRICT_ACQUIRE ||
                inst->fence_kind == FENCE_PROXY_RELEASE || inst->fence_kind == FENCE_PROXY_ACQUIRE);
    case GAP_COUNT:
        break;
    }
    return false;
}

/* The first instruction of the test that is in the gap, or NULL. */
static const struct inst *first_in(enum gap gap, const struct test *test)
{
    const struct inst *first = NULL;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            if (is_in(gap, test, inst) && (!first || inst->span.offset < first->span.offset))
                first = inst;
        }
    return first;
}

/* What was not looked at, in words. */
static GPtrArray *not_covered(const struct test *test, const struct run_coverage *coverage)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup("other schedules"));
    if (!coverage->whole)
        g_ptr_array_add(words, g_strdup("the rest of a schedule that was cut short"));
    for (int gap = 0; gap < GAP_COUNT; gap++) {
        const struct inst *inst = first_in((enum gap)gap, test);
        if (inst)
            g_ptr_array_add(words,
                            g_strdup_printf("%s (line %u)", gap_words[gap],
                                            source_place(test->source, inst->span.offset).line));
    }
    return words;
}

json_t *run_races_json(const struct test *test, const struct run_coverage *coverage)
{
    if (!coverage->looked)
        return json_null();
    g_autoptr(GPtrArray) words = not_covered(test, coverage);
    const struct text_list list = {(const char **)words->pdata, words->len, words->len};
    return json_pack("{s:I, s:o}", "schedules", (json_int_t)coverage->schedules, "not_covered",
                     json_words(&list));
}

void run_races_text(const struct test *test, const struct run_coverage *coverage, GString *out)
{
    if (!coverage->looked)
        return;
    g_autoptr(GPtrArray) words = not_covered(test, coverage);
    g_string_append_printf(out, "Races looked for in %" G_GUINT64_FORMAT " schedule%s; not in:",
                           coverage->schedules, coverage->schedules == 1 ? "" : "s");
    for (guint i = 0; i < words->len; i++)
        g_string_append_printf(out, "%s %s", i ? ";" : "", (char *)words->pdata[i]);
    g_string_append_c(out, '\n');
}
