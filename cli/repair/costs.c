/* SPDX-License-Identifier: MIT */
#include "cli/repair/costs.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/edit/strength.h"

struct cost_line {
    const char *words;
    uint32_t cost;
};
struct costs {
    VEC(struct cost_line) lines;
};

static const char bundled[] = {
#include "cli/repair.costs.inc"
};

enum { MOST_BYTES = 1 << 20, MOST_COST = 1000000 };

/* Up to the first '.': the same name. */
static bool same_name(const char *a, const char *b)
{
    size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

/* Is there an instruction, or a call that the bundled table has, of this name? */
static bool is_name(const char *words)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (same_name(words, op_mnemonic((enum op)op)))
            return true;
    for (const char *line = bundled; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        g_autofree char *known = g_strndup(line, strcspn(line, " \n"));
        if (*known && *known != '#' && same_name(words, known))
            return true;
    }
    return false;
}

static bool has_line(const struct costs *costs, const char *words)
{
    for (uint32_t i = 0; i < costs->lines.len; i++)
        if (strcmp(costs->lines.at[i].words, words) == 0)
            return true;
    return false;
}

/* The spelling that instructions have here: bar.sync is barrier.sync. */
static const char *spelled(struct arena *arena, const char *words)
{
    return g_str_has_prefix(words, "bar.sync") ? arena_printf(arena, "barrier%s", words + 3)
                                               : words;
}

static bool refuse(struct diag_list *diags, const struct source *source, struct span line,
                   const char *fault)
{
    diag_add(diags, DIAG_bad_cost, source, line, "write 'fence.acq_rel.gpu 640'", "%s", fault);
    return false;
}

static bool read_line(struct arena *arena, struct costs *costs, const struct source *source,
                      uint32_t number, struct diag_list *diags)
{
    struct span line = source_line(source, source->line_starts[number]);
    char *text = arena_strndup(arena, source->text + line.offset, line.length);
    uint64_t cost;
    text[strcspn(text, "#")] = 0;
    text = g_strstrip(text);
    size_t length = strcspn(text, " \t");
    const char *words = spelled(arena, arena_strndup(arena, text, length));
    const char *value = text + length + strspn(text + length, " \t");
    if (!*text && !memchr(source->text + line.offset, 0, line.length))
        return true;
    if (number_whole(value, strlen(value), 0, MOST_COST, &cost) != NUMBER_GOOD)
        return refuse(
            diags, source, line,
            arena_printf(
                arena,
                "a line of a cost table is the words of an instruction and a number up to %d",
                MOST_COST));
    if (!is_name(words))
        return refuse(diags, source, line,
                      arena_printf(arena, "no instruction begins with '%s'", words));
    if (has_line(costs, words))
        return refuse(diags, source, line, arena_printf(arena, "'%s' has a cost already", words));
    struct cost_line one = {words, (uint32_t)cost};
    vec_push(arena, &costs->lines, one);
    return true;
}

const struct costs *costs_read(struct arena *arena, const char *path, struct diag_list *diags)
{
    struct costs *costs = ARENA_NEW(arena, struct costs);
    size_t length = sizeof bundled - 1;
    const char *text = path ? file_read(arena, path, MOST_BYTES, &length) : bundled;
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 path, g_strerror(errno));
        return NULL;
    }
    const struct source *source =
        source_new(arena, path ? path : "repair.costs", text, MIN(length, MOST_BYTES));
    bool good = true;
    for (uint32_t i = 0; i < source->line_count; i++)
        good &= read_line(arena, costs, source, i, diags);
    return good ? costs : NULL;
}

/* "st.release.gpu": its name, then how it orders. */
static const char *words_of(struct arena *arena, const struct edit_option *option)
{
    const struct inst *inst = &option->inst;
    if (inst->op == OP_HOST_CALL && option->edit.kind == EDIT_CHANGE)
        return "";
    if (inst->op == OP_HOST_CALL)
        return arena_strndup(arena, option->edit.words, strcspn(option->edit.words, "("));
    if (inst->op == OP_FENCE)
        return strength_fence(arena, inst);
    bool strong = inst->sem != SEM_NONE, scoped = strong && inst->sem != SEM_WEAK;
    return arena_printf(arena, "%s%s%s%s%s", op_mnemonic(inst->op), strong ? "." : "",
                        strong ? sem_name(inst->sem) : "", scoped && inst->scope ? "." : "",
                        scoped ? scope_name(inst->scope) : "");
}

static bool begins(const char *words, const char *line)
{
    size_t length = strlen(line);
    return strncmp(words, line, length) == 0 && (!words[length] || words[length] == '.');
}

static uint32_t cost_of_words(const struct costs *costs, const char *words)
{
    const struct cost_line *best = NULL;
    for (uint32_t i = 0; i < costs->lines.len; i++) {
        const struct cost_line *line = &costs->lines.at[i];
        if (begins(words, line->words) && (!best || strlen(line->words) > strlen(best->words)))
            best = line;
    }
    return best ? best->cost : 1;
}

static uint32_t cost_of(struct arena *arena, const struct costs *costs,
                        const struct edit_option *option);

/* An access of C++ that is seq_cst: a fence, and one that acquires, or a relaxed store behind it. */
static uint32_t cost_of_sc(struct arena *arena, const struct costs *costs, struct inst inst)
{
    struct edit_option fence = {.inst = {.op = OP_FENCE, .sem = SEM_SC, .scope = inst.scope}};
    inst.sem = inst.op == OP_ST ? SEM_RELAXED : SEM_ACQUIRE;
    return cost_of(arena, costs, &fence) +
           cost_of(arena, costs, &(struct edit_option){.inst = inst});
}

/* One call or several, a line each. */
static uint32_t cost_of_calls(struct arena *arena, const struct costs *costs,
                              const struct edit_option *option)
{
    uint32_t cost = 0;
    char **lines = g_strsplit(option->edit.words, "\n", -1);
    for (uint32_t i = 0; lines[i]; i++) {
        struct edit_option line = *option;
        line.edit.words = lines[i];
        cost += cost_of_words(costs, words_of(arena, &line));
    }
    g_strfreev(lines);
    return cost;
}

/* A new arrival at a barrier of the cluster brings its wait. */
static uint32_t cost_of(struct arena *arena, const struct costs *costs,
                        const struct edit_option *option)
{
    if (option->inst.op == OP_HOST_CALL && option->edit.words)
        return cost_of_calls(arena, costs, option);
    bool stands = !option->edits || option->edit.kind == EDIT_CHANGE;
    if (option->inst.op == OP_COUNT)
        return 0;
    if (option->inst.sem == SEM_SC && option->inst.op != OP_FENCE)
        return cost_of_sc(arena, costs, option->inst);
    uint32_t cost = cost_of_words(costs, words_of(arena, option));
    if (option->inst.op == OP_CLUSTER_ARRIVE && !stands)
        cost += cost_of_words(costs, op_mnemonic(OP_CLUSTER_WAIT));
    return cost;
}

/* Stronger options come to stand above all that they include, whatever order the options have. */
static void lift(uint32_t *cost, const struct edit_place *place)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < place->wide; i++)
            for (uint32_t k = 0; k < place->wide; k++)
                if (i != k && place->least[i] >> k & 1 && !(place->least[k] >> i & 1) &&
                    cost[i] <= cost[k]) {
                    cost[i] = cost[k] + 1;
                    more = true;
                }
    }
}

struct minimal_place *costs_places(struct arena *arena, const struct costs *costs,
                                   const struct edit_places *places)
{
    struct minimal_place *list = ARENA_ARRAY(arena, struct minimal_place, places->items.len + 1);
    for (uint32_t i = 0; i < places->items.len; i++) {
        const struct edit_place *place = &places->items.at[i];
        uint32_t *cost = ARENA_ARRAY(arena, uint32_t, place->options.len);
        for (uint32_t k = 0; k < place->options.len; k++)
            cost[k] = cost_of(arena, costs, &place->options.at[k]);
        lift(cost, place);
        list[i] = (struct minimal_place){place->wide, cost, place->least, place->shy};
    }
    return list;
}

uint32_t costs_option(struct arena *arena, const struct costs *costs,
                      const struct edit_option *option)
{
    return cost_of(arena, costs, option);
}

uint64_t costs_of_test(struct arena *arena, const struct costs *costs, const struct test *test)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            struct edit_option option = {.inst = test->bodies[b].insts[i]};
            struct span span = option.inst.span;
            bool call = option.inst.op == OP_HOST_CALL;
            if (call)
                option.edit = (struct edit){
                    .kind = EDIT_BEFORE,
                    .words = arena_strndup(arena, test->source->text + span.offset, span.length)};
            if (call || op_row(option.inst.op)->sems || op_row(option.inst.op)->role)
                sum += cost_of(arena, costs, &option);
        }
    return sum;
}
