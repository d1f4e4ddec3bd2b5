/* SPDX-License-Identifier: MIT */
#include "tests/agree/generate.h"

#include <string.h>

static const char *const locations[] = {"x", "y", "z", "ax", "x+2"};
static const char *const scopes[] = {"cta", "gpu", "sys"};
static const char *const fences[] = {"acq_rel", "sc", "acquire", "release"};
static const char *const atomics[] = {"add", "exch", "cas", "or"};
static const char *const proxies[] = {"alias", "surface", "texture"};

/* xorshift64*: the same program for the same seed everywhere. */
static uint32_t below(uint64_t *state, uint32_t limit)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 33) % limit);
}

static bool chance(uint64_t *state, uint32_t percent)
{
    return below(state, 100) < percent;
}

static enum gen_kind pick_kind(uint64_t *state, const struct gen_bounds *bounds)
{
    uint32_t dice = below(state, 100);
    if (bounds->counts)
        return dice < 20 ? GEN_LOAD : dice < 40 ? GEN_STORE : GEN_COUNTED;
    if (dice < 34)
        return GEN_LOAD;
    if (dice < 66)
        return GEN_STORE;
    if (dice < 75)
        return GEN_ATOM;
    if (dice < 79)
        return GEN_RED;
    if (dice < 90)
        return GEN_FENCE;
    if (dice < 95)
        return bounds->proxies || bounds->aliases ? GEN_PROXY_FENCE : GEN_FENCE;
    return bounds->barriers ? GEN_BARRIER : GEN_STORE;
}

static uint8_t pick_location(uint64_t *state, const struct gen_bounds *bounds, bool mixed)
{
    if (mixed && chance(state, 20))
        return 4;
    if (bounds->aliases && chance(state, 15))
        return 3;
    return (uint8_t)(chance(state, 45) ? 0 : chance(state, 70) ? 1 : 2);
}

static void pick_inst(struct gen_inst *inst, uint64_t *state, const struct gen_bounds *bounds,
                      bool mixed, uint32_t value)
{
    inst->kind = pick_kind(state, bounds);
    inst->location = pick_location(state, bounds, mixed && inst->kind <= GEN_STORE);
    inst->sem = (uint8_t)below(state, 3); /* weak, relaxed, acquire or release */
    inst->scope = (uint8_t)below(state, 3);
    inst->op = (uint8_t)below(state, 4);
    inst->value = (uint8_t)(chance(state, 20) ? 0 : value);
    inst->guarded = chance(state, 6);
    if (inst->kind == GEN_COUNTED) {
        inst->op = (uint8_t)(inst->op ? inst->op - 1 : 0);
        inst->value = (uint8_t)(chance(state, 75) ? 2 : 1 + below(state, 3));
        inst->sem = (uint8_t)below(state, 2);
    }
    if (inst->kind == GEN_PROXY_FENCE)
        inst->proxy = (uint8_t)(bounds->proxies ? below(state, 3) : 0);
    else if (bounds->proxies && inst->kind <= GEN_STORE && chance(state, 15))
        inst->proxy = (uint8_t)(1 + (inst->kind == GEN_LOAD ? below(state, 2) : 0));
    if (inst->proxy && inst->kind <= GEN_STORE) {
        inst->sem = 0;
        inst->location = inst->location > 2 ? 0 : inst->location;
    }
}

static bool shares_warp(const struct gen_program *program, uint32_t thread)
{
    for (uint32_t t = 0; t < program->threads; t++)
        if (t != thread && program->warp[t] == program->warp[thread])
            return true;
    return false;
}

/* The axioms do not hold back a thread that only arrives until its warp has gathered; the executor
 * does (docs/ptx-model.md). */
static void avoid_gathered_arrivals(struct gen_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t] && shares_warp(program, t); i++)
            if (program->insts[t][i].kind == GEN_COUNTED && program->insts[t][i].op == 1)
                program->insts[t][i].op = 0;
}

void generate(struct gen_program *program, uint64_t seed, const struct gen_bounds *bounds)
{
    uint64_t state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->threads = 2 + below(&state, bounds->threads - 1);
    program->mixed = bounds->mixed_sizes && chance(&state, 10);
    program->counted = bounds->counts;
    for (uint32_t t = 0; t < program->threads; t++) {
        program->cta[t] = program->counted ? 0 : below(&state, 2);
        program->gpu[t] = !program->counted && chance(&state, 10);
        program->warp[t] = program->counted && chance(&state, 25) && t ? program->warp[t - 1] : t;
        program->count[t] = 1 + below(&state, bounds->insts);
        for (uint32_t i = 0; i < program->count[t]; i++)
            pick_inst(&program->insts[t][i], &state, bounds, program->mixed, 1 + t * 3 + i % 3);
    }
    avoid_gathered_arrivals(program);
}

/* ---- printing ------------------------------------------------------------------------------- */

static const char *stored(char *buffer, size_t size, const struct gen_inst *inst, int last)
{
    if (inst->value || last < 0)
        g_snprintf(buffer, size, "%u", inst->value ? inst->value : 1u);
    else
        g_snprintf(buffer, size, "%%r%d", last);
    return buffer;
}

static void qualified(GString *out, const char *const *sems, const struct gen_inst *inst)
{
    g_string_append_printf(out, ".%s", sems[inst->sem]);
    if (inst->sem)
        g_string_append_printf(out, ".%s", scopes[inst->scope]);
}

static const char *access_type(const struct gen_program *program, const struct gen_inst *inst)
{
    return program->mixed && inst->location == 4 ? "u16" : "u32";
}

static void print_load(GString *out, const struct gen_program *program, const struct gen_inst *inst,
                       int reg)
{
    static const char *const sems[] = {"weak", "relaxed", "acquire"}, *const ops[] = {"ld", "suld",
                                                                                      "tld"};
    g_string_append(out, ops[inst->proxy]);
    qualified(out, sems, inst);
    g_string_append_printf(out, ".%s %%r%d, [%s]", access_type(program, inst), reg,
                           locations[inst->location]);
}

static void print_store(GString *out, const struct gen_program *program,
                        const struct gen_inst *inst, int last)
{
    static const char *const sems[] = {"weak", "relaxed", "release"};
    char value[16];
    g_string_append(out, inst->proxy ? "sust" : "st");
    qualified(out, sems, inst);
    g_string_append_printf(out, ".%s [%s], %s", access_type(program, inst),
                           locations[inst->location], stored(value, sizeof value, inst, last));
}

static void print_atomic(GString *out, const struct gen_inst *inst, int reg, int last)
{
    static const char *const atom_sems[] = {"relaxed", "acq_rel", "release"}, *const red_sems[] = {
                                                                                  "relaxed",
                                                                                  "release",
                                                                                  "relaxed"};
    bool red = inst->kind == GEN_RED;
    const char *op = red ? (inst->op == 3 ? "or" : "add") : atomics[inst->op];
    const char *type = strcmp(op, "add") == 0 ? "u32" : "b32";
    char value[16];
    g_string_append_printf(out, "%s.%s.%s.%s.%s ", red ? "red" : "atom",
                           (red ? red_sems : atom_sems)[inst->sem], scopes[inst->scope], op, type);
    if (!red)
        g_string_append_printf(out, "%%r%d, ", reg);
    g_string_append_printf(out, "[%s], ", locations[inst->location]);
    if (strcmp(op, "cas") == 0)
        g_string_append(out, "0, ");
    g_string_append(out, stored(value, sizeof value, inst, last));
}

static void print_counted(GString *out, const struct gen_inst *inst, int reg)
{
    static const char *const ops[] = {"sync", "arrive", "red.popc.u32"};
    g_string_append_printf(out, "barrier.%s ", ops[inst->op]);
    if (inst->op == 2)
        g_string_append_printf(out, "%%r%d, ", reg);
    g_string_append_printf(out, "%u, %u%s", 1u + inst->sem, 32u * inst->value,
                           inst->op == 2 ? ", %p" : "");
}

static void print_inst(GString *out, const struct gen_program *program, const struct gen_inst *inst,
                       int reg, int last)
{
    switch (inst->kind) {
    case GEN_LOAD:
        print_load(out, program, inst, reg);
        break;
    case GEN_STORE:
        print_store(out, program, inst, last);
        break;
    case GEN_ATOM:
    case GEN_RED:
        print_atomic(out, inst, reg, last);
        break;
    case GEN_FENCE:
        g_string_append_printf(out, "fence.%s.%s", fences[inst->op], scopes[inst->scope]);
        break;
    case GEN_PROXY_FENCE:
        g_string_append_printf(out, "fence.proxy.%s", proxies[inst->proxy]);
        break;
    case GEN_BARRIER:
        g_string_append(out, "bar.sync 0");
        break;
    case GEN_COUNTED:
        print_counted(out, inst, reg);
        break;
    case GEN_NONE:
        break;
    }
}

static bool has_register(const struct gen_inst *inst)
{
    return inst->kind == GEN_LOAD || inst->kind == GEN_ATOM ||
           (inst->kind == GEN_COUNTED && inst->op == 2);
}

/* The register last written before instruction i of thread t, or -1. */
static int last_register(const struct gen_program *program, uint32_t t, uint32_t i)
{
    int reg = -1, count = 0;
    for (uint32_t k = 0; k < i; k++)
        if (has_register(&program->insts[t][k]))
            reg = count++;
    return reg;
}

/* A guard is a branch over the instruction: a control dependency. What barrier.red counts is
 * whether the last register is set, or a constant. */
static void print_cell(GString *out, const struct gen_program *program, uint32_t t, uint32_t row)
{
    uint32_t i = row / 3;
    if (i >= program->count[t])
        return;
    const struct gen_inst *inst = &program->insts[t][i];
    int last = last_register(program, t, i);
    bool guarded = inst->guarded && last >= 0 && inst->kind < GEN_BARRIER;
    bool red = inst->kind == GEN_COUNTED && inst->op == 2;
    if (row % 3 == 0 && red)
        g_string_append_printf(out,
                               last < 0 ? "setp.ne.u32 %%p, %d, 0" : "setp.ne.u32 %%p, %%r%d, 0",
                               last < 0 ? (int)(inst->location & 1) : last);
    else if (row % 3 == 0 && guarded)
        g_string_append_printf(out, "beq %%r%d, 0, L%u%u", last, t, i);
    else if (row % 3 == 1)
        print_inst(out, program, inst, last + 1, last);
    else if (row % 3 == 2 && guarded)
        g_string_append_printf(out, "L%u%u:", t, i);
}

static void print_rows(GString *out, const struct gen_program *program)
{
    for (uint32_t row = 0; row < 3 * MAX_INSTS; row++) {
        GString *line = g_string_new("");
        gsize filled = 0;
        for (uint32_t t = 0; t < program->threads; t++) {
            gsize before = line->len;
            print_cell(line, program, t, row);
            filled += line->len - before;
            g_string_append(line, t + 1 < program->threads ? " | " : " ;\n");
        }
        if (filled)
            g_string_append(out, line->str);
        g_string_free(line, TRUE);
    }
}

GString *gen_print(const struct gen_program *program)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "PTX random-%" G_GUINT64_FORMAT
                           "\n{ u32 x = 0; u32 y = 0; u32 z = 0; ax @ generic aliases x; }\n",
                           program->seed);
    for (uint32_t t = 0; t < program->threads; t++)
        g_string_append_printf(out, "P%u@cta %u,gpu %u,warp %u %s", t, program->cta[t],
                               program->gpu[t], program->warp[t],
                               t + 1 < program->threads ? "| " : ";\n");
    print_rows(out, program);
    g_string_append(out, "locations [x; y; z;");
    for (uint32_t t = 0; t < program->threads; t++)
        for (int r = 0; r <= last_register(program, t, program->count[t]); r++)
            g_string_append_printf(out, " %u:%%r%d;", t, r);
    g_string_append(out, "]\nexists (true)\n");
    return out;
}

/* ---- shrinking ------------------------------------------------------------------------------ */

static void drop_inst(struct gen_program *program, uint32_t t, uint32_t i)
{
    memmove(&program->insts[t][i], &program->insts[t][i + 1],
            (program->count[t] - i - 1) * sizeof(struct gen_inst));
    program->count[t]--;
}

static void drop_thread(struct gen_program *program, uint32_t t)
{
    for (uint32_t k = t; k + 1 < program->threads; k++) {
        program->cta[k] = program->cta[k + 1];
        program->gpu[k] = program->gpu[k + 1];
        program->warp[k] = program->warp[k + 1];
        program->count[k] = program->count[k + 1];
        memcpy(program->insts[k], program->insts[k + 1], sizeof program->insts[k]);
    }
    program->threads--;
}

/* Weaker spelling of one instruction; false when it is as plain as can be. */
static bool plainer(struct gen_inst *inst, uint32_t way)
{
    struct gen_inst before = *inst;
    switch (way) {
    case 0:
        inst->guarded = false;
        break;
    case 1:
        inst->value = 1;
        break;
    case 2:
        if (inst->kind == GEN_ATOM && inst->op)
            inst->op = 0;
        break;
    case 3:
        if (inst->kind == GEN_LOAD || inst->kind == GEN_STORE)
            inst->sem = inst->sem ? inst->sem - 1 : 0;
        break;
    }
    return memcmp(&before, inst, sizeof before) != 0;
}

bool gen_shrink(const struct gen_program *program, uint32_t step, struct gen_program *smaller)
{
    uint32_t index = 0;
    for (uint32_t t = 0; t < program->threads && program->threads > 1; t++)
        if (index++ == step) {
            *smaller = *program;
            drop_thread(smaller, t);
            return true;
        }
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            for (uint32_t way = 0; way < 5; way++) {
                *smaller = *program;
                bool changed = way == 4 || plainer(&smaller->insts[t][i], way);
                if (way == 4)
                    drop_inst(smaller, t, i);
                if (changed && index++ == step)
                    return true;
            }
    return false;
}
