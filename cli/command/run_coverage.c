/* SPDX-License-Identifier: MIT
 *
 * What the race detector looked at, and what of the program it cannot see: 'done' without a report
 * is no promise (docs/machine.md, "Races"). */
#include "cli/command/run.h"

#include <inttypes.h>

#include "cli/show/json.h"
#include "litmus/test/code_line.h"

static bool is_bulk_copy(const struct test *test, const struct inst *inst)
{
    (void)test;
    return op_accepts(inst->op, 'G');
}

static bool is_other_proxy(const struct test *test, const struct inst *inst)
{
    bool other = inst->proxy != PROXY_GENERIC && inst->proxy != PROXY_ASYNC &&
                 op_group(inst->op) != GROUP_TEXTURE && inst->op != OP_FENCE;
    for (uint32_t i = 0; i < inst->operand_count && !other; i++)
        other = inst->operands[i].location != NONE &&
                test->locations[inst->operands[i].location].alias_of != NONE &&
                !test->locations[inst->operands[i].location].texture;
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

/* What the detector does not look at, or takes for something simpler. */
static const struct gap {
    const char *words;
    bool (*holds)(const struct test *test, const struct inst *inst);
} gaps[] = {
    {"accesses through other proxies or addresses", is_other_proxy},
    {"the proxy of a bulk copy that overwrites what was read before", is_bulk_copy},
    {"restricted and one-way fences, taken for whole ones", is_partial_fence},
};

/* The first instruction of the test that is in the gap, or NULL. */
static const struct inst *first_in(const struct gap *gap, const struct test *test)
{
    const struct inst *first = NULL;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            if (gap->holds(test, inst) && (!first || inst->span.offset < first->span.offset))
                first = inst;
        }
    return first;
}

/* What was not looked at, in words. */
static struct text_list not_covered(struct arena *arena, const struct test *test,
                                    const struct run_coverage *coverage)
{
    struct text_list words = {0};
    vec_push(arena, &words, "other schedules");
    if (!coverage->whole)
        vec_push(arena, &words, "the rest of a schedule that was cut short");
    if (coverage->cut)
        vec_push(arena, &words, "pairs of lines that may race beyond those that were tried");
    for (size_t i = 0; i < G_N_ELEMENTS(gaps); i++) {
        const struct inst *inst = first_in(&gaps[i], test);
        if (inst)
            vec_push(arena, &words,
                     arena_printf(arena, "%s (%s)", gaps[i].words,
                                  test_line_words(arena, test, inst->span.offset)));
    }
    return words;
}

json_t *run_races_json(struct arena *arena, const struct test *test,
                       const struct run_coverage *coverage)
{
    if (!coverage->looked)
        return json_null();
    struct text_list words = not_covered(arena, test, coverage);
    return json_pack("{s:I, s:o}", "schedules", (json_int_t)coverage->schedules, "not_covered",
                     json_words(&words));
}

void run_races_text(struct arena *arena, const struct test *test,
                    const struct run_coverage *coverage, GString *out)
{
    if (!coverage->looked)
        return;
    struct text_list words = not_covered(arena, test, coverage);
    g_string_append_printf(out, "Races looked for in %" PRIu64 " schedule%s; not in:",
                           coverage->schedules, coverage->schedules == 1 ? "" : "s");
    for (uint32_t i = 0; i < words.len; i++)
        g_string_append_printf(out, "%s %s", i ? ";" : "", words.at[i]);
    g_string_append_c(out, '\n');
}
