/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/random/program.h"

/* Random programs as litmus text. */

static const char *const locations[] = {"x", "y", "z", "ax", "x+2", "w", "w+4", "s"};
static const char *const scopes[] = {"cta", "gpu", "sys", "cluster"};
static const char *const proxies[] = {"alias", "surface", "texture"};

/* A byte, or two of the same value in a word, so that a mixture shows what it is made of. */
static uint32_t constant(const struct random_program *program, const struct random_inst *inst,
                         uint32_t value)
{
    bool half = program->mixed && inst->location == RANDOM_UPPER_HALF;
    return !program->torn ? value : value * (half ? 0x0101u : 0x00010001u);
}

static const char *stored(char *buffer, size_t size, const struct random_program *program,
                          const struct random_inst *inst, int last)
{
    if (inst->formal && last >= 0 && inst->guard == RANDOM_ALWAYS && inst->kind == RANDOM_STORE)
        g_snprintf(buffer, size, "%%r9");
    else if (inst->value || last < 0)
        g_snprintf(buffer, size, "%u", constant(program, inst, inst->value ? inst->value : 1u));
    else
        g_snprintf(buffer, size, "%%r%d", MAX(last - inst->back, 0));
    return buffer;
}

/* In register 9: nothing, all ones, or 0 or 1 for what is always so. */
static void print_formal(GString *out, const struct random_inst *inst, int last)
{
    if (inst->formal == RANDOM_NO_BITS)
        g_string_append_printf(out, "and.b32 %%r9, %%r%d, 0", last);
    else if (inst->formal == RANDOM_ALL_BITS)
        g_string_append_printf(out, "or.b32 %%r9, %%r%d, 4294967295", last);
    else
        g_string_append_printf(out, "set.le.u32.u32 %%r9, %%r%d, %%r%d", last, last);
}

static void print_expected(GString *out, const struct random_inst *inst, int last)
{
    if (inst->expected != EXPECT_REGISTER)
        g_string_append_printf(out, "%u, ", inst->expected);
    else if (last < 0)
        g_string_append(out, "0, ");
    else
        g_string_append_printf(out, "%%r%d, ", last);
}

static void qualified(GString *out, const char *ordered, const struct random_inst *inst)
{
    switch ((enum random_sem)inst->sem) {
    case RANDOM_WEAK:
        g_string_append(out, ".weak");
        break;
    case RANDOM_VOLATILE:
        g_string_append(out, ".volatile");
        break;
    case RANDOM_MMIO:
        g_string_append(out, ".mmio.relaxed.sys.global");
        break;
    default:
        g_string_append_printf(out, ".%s.%s", inst->sem == RANDOM_RELAXED ? "relaxed" : ordered,
                               scopes[inst->scope]);
    }
}

static const char *access_type(const struct random_program *program, const struct random_inst *inst)
{
    if (inst->wide)
        return "v2.u32";
    return program->mixed && inst->location == RANDOM_UPPER_HALF ? "u16" : "u32";
}

static void print_load(GString *out, const struct random_program *program,
                       const struct random_inst *inst, int reg)
{
    static const char *const ops[] = {"ld", "suld", "tld"};
    g_string_append(out, ops[inst->proxy]);
    qualified(out, "acquire", inst);
    g_string_append_printf(out, inst->wide ? ".%s {%%r%d, %%r%d}" : ".%s %%r%d",
                           access_type(program, inst), reg, reg + 1);
    g_string_append_printf(out, ", [%s]", locations[inst->location]);
}

static void print_store(GString *out, const struct random_program *program,
                        const struct random_inst *inst, int last)
{
    char value[16];
    g_string_append(out, inst->proxy ? "sust" : "st");
    qualified(out, "release", inst);
    stored(value, sizeof value, program, inst, last);
    g_string_append_printf(out, inst->wide ? ".%s [%s], {%s, %u}" : ".%s [%s], %s",
                           access_type(program, inst), locations[inst->location], value,
                           constant(program, inst, 9));
}

static void print_atomic(GString *out, const struct random_program *program,
                         const struct random_inst *inst, int reg, int last)
{
    static const char *const atom_sems[] = {"relaxed", "acq_rel", "release", "acquire"},
                             *const red_sems[] = {"relaxed", "release"},
                             *const atoms[] = {"add.u32", "exch.b32", "cas.b32", "or.b32",
                                               "max.s32", "inc.u32",  "and.b32", "xor.b32"},
                             *const reds[] = {"add.u32", "or.b32", "min.u32", "add.u32"};
    bool red = inst->kind == RANDOM_RED;
    const char *op = red ? reds[inst->op % 4] : atoms[inst->op];
    char value[16];
    g_string_append_printf(out, "%s.%s.%s.%s ", red ? "red" : "atom",
                           red ? red_sems[inst->sem % 2] : atom_sems[inst->sem % 4],
                           scopes[inst->scope], op);
    if (!red)
        g_string_append_printf(out, "%%r%d, ", reg);
    g_string_append_printf(out, "[%s], ", locations[inst->location]);
    if (strncmp(op, "cas", 3) == 0)
        print_expected(out, inst, last);
    g_string_append(out, stored(value, sizeof value, program, inst, last));
}

/* Of the CTA, with a count, arriving at one, of the cluster. */
static void print_barrier(GString *out, const struct random_program *program,
                          const struct random_inst *inst, uint32_t row)
{
    static const char *const words[] = {"bar.sync 0", "bar.sync 0", "bar.sync 0", "bar.sync 1, 64",
                                        "bar.arrive 1, 64"};
    static const char *const cluster[] = {".relaxed", ".release", ""};
    if (inst->op < 5 || !program->clustered)
        g_string_append(out, row == 1 ? words[inst->op % 5] : "");
    else if (row == 0)
        g_string_append_printf(out, "barrier.cluster.arrive%s", cluster[inst->sem % 3]);
    else
        g_string_append(out, "barrier.cluster.wait");
}

/* What barrier.red counts is whether the last register is set, or a constant: two instructions. */
static void print_counted(GString *out, const struct random_inst *inst, int reg, int last,
                          uint32_t row)
{
    static const char *const ops[] = {"sync", "arrive", "red.popc.u32"};
    bool red = inst->op == 2;
    if (row == 0 && red)
        g_string_append_printf(out,
                               last < 0 ? "setp.ne.u32 %%p, %d, 0" : "setp.ne.u32 %%p, %%r%d, 0",
                               last < 0 ? (int)(inst->location & 1) : last);
    if (row == 0)
        return;
    g_string_append_printf(out, "barrier.%s ", ops[inst->op]);
    if (red)
        g_string_append_printf(out, "%%r%d, ", reg);
    g_string_append_printf(out, "%u, %u%s", 1u + inst->sem, 32u * inst->value, red ? ", %p" : "");
}

static const char *mbarrier_scope(const struct random_inst *inst)
{
    return inst->scope % 2 ? "cluster" : "cta";
}

static void print_arrive(GString *out, const struct random_inst *inst, bool inside, bool copies)
{
    if (inside && copies && inst->op == 0)
        g_string_append(out, "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [mb]");
    else
        g_string_append_printf(out, "mbarrier.arrive.%s.%s.shared::%s.b64 _, [mb]",
                               inst->sem ? "release" : "relaxed", mbarrier_scope(inst),
                               inside ? "cta" : "cluster");
}

/* The answer becomes a register: two instructions. */
static void print_wait(GString *out, const struct random_inst *inst, int reg, uint32_t row)
{
    if (row == 0)
        g_string_append_printf(out, "mbarrier.test_wait.parity.%s.%s.shared::cta.b64 %%p8, [mb], 0",
                               inst->sem ? "acquire" : "relaxed", mbarrier_scope(inst));
    else
        g_string_append_printf(out, "selp.u32 %%r%d, 1, 0, %%p8", reg);
}

static void print_inst(GString *out, const struct random_program *program, uint32_t t,
                       const struct random_inst *inst, int reg, int last)
{
    static const char *const fences[] = {"acq_rel", "sc", "acquire", "release"};
    switch (inst->kind) {
    case RANDOM_LOAD:
        print_load(out, program, inst, reg);
        break;
    case RANDOM_STORE:
        print_store(out, program, inst, last);
        break;
    case RANDOM_ATOM:
    case RANDOM_RED:
        print_atomic(out, program, inst, reg, last);
        break;
    case RANDOM_FENCE:
        g_string_append_printf(out, "fence.%s.%s", fences[inst->op % 4], scopes[inst->scope]);
        break;
    case RANDOM_PROXY_FENCE:
        g_string_append_printf(out, "fence.proxy.%s", proxies[inst->proxy]);
        break;
    case RANDOM_ARRIVE:
        print_arrive(out, inst, !program->cta[t], program->shared);
        break;
    case RANDOM_COPY:
        g_string_append(out, "cp.async.ca.shared::cta.global [s], [x], 4");
        break;
    case RANDOM_COPY_WAIT:
        g_string_append(out, "cp.async.wait_all");
        break;
    default:
        break;
    }
}

/* The register last written before instruction i of thread t, or -1. */
static int last_register(const struct random_program *program, uint32_t t, uint32_t i)
{
    int count = 0;
    for (uint32_t k = 0; k < i; k++)
        count += (int)random_registers(&program->insts[t][k]);
    return count - 1;
}

static bool guardable(const struct random_inst *inst)
{
    return inst->kind != RANDOM_BARRIER && inst->kind != RANDOM_COUNTED &&
           inst->kind != RANDOM_WAIT;
}

/* An instruction takes three rows: before it, it, the label behind it. */
static void print_cell(GString *out, const struct random_program *program, uint32_t t, uint32_t row)
{
    uint32_t i = row / 3, part = row % 3;
    if (i >= program->count[t])
        return;
    const struct random_inst *inst = &program->insts[t][i];
    int last = last_register(program, t, i);
    bool guarded = last >= 0 && guardable(inst), branch = guarded && inst->guard == RANDOM_BRANCH,
         predicate = guarded && inst->guard == RANDOM_PREDICATE;
    if (inst->kind == RANDOM_BARRIER && part < 2)
        print_barrier(out, program, inst, part);
    else if (inst->kind == RANDOM_COUNTED && part < 2)
        print_counted(out, inst, last + 1, last, part);
    else if (inst->kind == RANDOM_WAIT && part < 2)
        print_wait(out, inst, last + 1, part);
    else if (part == 0 && branch)
        g_string_append_printf(out, "beq %%r%d, 0, L%u%u", last, t, i);
    else if (part == 0 && predicate && inst->formal)
        g_string_append_printf(out, "setp.eq.u32 %%p%u, %%r%d, %%r%d", i, last, last);
    else if (part == 0 && predicate)
        g_string_append_printf(out, "setp.ne.u32 %%p%u, %%r%d, 0", i, last);
    else if (part == 0 && last >= 0 && inst->formal && inst->kind == RANDOM_STORE)
        print_formal(out, inst, last);
    else if (part == 2 && branch)
        g_string_append_printf(out, "L%u%u:", t, i);
    if (part == 1 && predicate)
        g_string_append_printf(out, "@%%p%u ", i);
    if (part == 1 && guardable(inst))
        print_inst(out, program, t, inst, last + 1, last);
}

/* Thread 0 makes the mbarrier, and a barrier shows it to those who may use it. */
static void print_opening(GString *out, const struct random_program *program, uint32_t t,
                          uint32_t row)
{
    bool remote = program->clustered;
    bool member = remote || !program->cta[t];
    if (row == 0 && t == 0)
        g_string_append_printf(out, "mbarrier.init.shared::cta.b64 [mb], %u", program->expected);
    else if (row == 1 && member)
        g_string_append(out, remote ? "barrier.cluster.arrive" : "bar.sync 0");
    else if (row == 2 && remote)
        g_string_append(out, "barrier.cluster.wait");
}

typedef void print_fn(GString *out, const struct random_program *program, uint32_t t, uint32_t row);

static void print_rows(GString *out, const struct random_program *program, print_fn *print,
                       uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++) {
        GString *line = g_string_new("");
        gsize filled = 0;
        for (uint32_t t = 0; t < program->threads; t++) {
            gsize before = line->len;
            print(line, program, t, row);
            filled += line->len - before;
            g_string_append(line, t + 1 < program->threads ? " | " : " ;\n");
        }
        if (filled)
            g_string_append(out, line->str);
        g_string_free(line, TRUE);
    }
}

static void print_places(GString *out, const struct random_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++) {
        g_string_append_printf(out, "P%u@cta %u,", t, program->cta[t]);
        if (program->clustered)
            g_string_append(out, "cluster 0,");
        g_string_append_printf(out, "gpu %u,warp %u %s", program->gpu[t], program->warp[t],
                               t + 1 < program->threads ? "| " : ";\n");
    }
}

static void print_question(GString *out, const struct random_program *program)
{
    g_string_append_printf(out, "locations [x; y; z; w[0]; w[1];%s", program->shared ? " s;" : "");
    for (uint32_t t = 0; t < program->threads; t++)
        for (int r = 0; r <= last_register(program, t, program->count[t]); r++)
            g_string_append_printf(out, " %u:%%r%d;", t, r);
    g_string_append(out, "]\nexists (true)\n");
}

GString *random_write(const struct random_program *program)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "PTX random-%" G_GUINT64_FORMAT
                           "\n{ u32 x = %u; u32 y = %u; u32 z = %u; u32 w[2] = {0, 0}; "
                           "ax @ generic aliases x;%s%s }\n",
                           program->seed, program->initial[RANDOM_X], program->initial[RANDOM_Y],
                           program->initial[RANDOM_Z],
                           program->shared ? " shared u32 s = 0 @ cta 0;" : "",
                           program->expected ? " shared b64 mb @ cta 0;" : "");
    print_places(out, program);
    if (program->expected)
        print_rows(out, program, print_opening, 3);
    print_rows(out, program, print_cell, 3 * RANDOM_INSTS);
    print_question(out, program);
    return out;
}
