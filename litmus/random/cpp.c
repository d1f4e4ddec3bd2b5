/* SPDX-License-Identifier: MIT */
#include "litmus/random/cpp.h"

#include <string.h>

#include "litmus/random/dice.h"
#include "litmus/random/shrink.h"

static const char *const scopes[] = {"block", "device", "system", "thread"};
static const char *const objects[] = {"x", "y", "z"};

/* The orders that a kind of operation may have. */
static const char *const load_orders[] = {"relaxed", "acquire", "seq_cst", "consume", NULL},
                         *const store_orders[] = {"relaxed", "release", "seq_cst", NULL},
                         *const rmw_orders[] = {"relaxed", "acquire", "release",
                                                "acq_rel", "seq_cst", NULL},
                         *const fence_orders[] = {"seq_cst", "acq_rel", "release", "acquire", NULL};

static const char *const *orders_of(enum random_cpp_kind kind)
{
    switch (kind) {
    case RANDOM_CPP_LOAD:
    case RANDOM_CPP_SPIN:
        return load_orders;
    case RANDOM_CPP_STORE:
        return store_orders;
    case RANDOM_CPP_FENCE:
        return fence_orders;
    default:
        return rmw_orders;
    }
}

static uint32_t order_count(const char *const *orders)
{
    uint32_t count = 0;
    while (orders[count])
        count++;
    return count;
}

/* ---- choosing ------------------------------------------------------------------------------- */

static enum random_cpp_kind pick_kind(uint64_t *state, const struct random_bounds *bounds)
{
    uint32_t dice = dice_below(state, 100);
    if (bounds->atomics && dice_chance(state, 70))
        return dice < 60 ? RANDOM_CPP_RMW : RANDOM_CPP_CAS;
    if (bounds->barriers && dice_chance(state, 25))
        return RANDOM_CPP_BARRIER;
    return dice < 36   ? RANDOM_CPP_LOAD
           : dice < 70 ? RANDOM_CPP_STORE
           : dice < 80 ? RANDOM_CPP_RMW
           : dice < 86 ? RANDOM_CPP_CAS
           : dice < 97 ? RANDOM_CPP_FENCE
                       : RANDOM_CPP_SPIN;
}

/* Mostly of the device, so that programs do not all race. */
static uint8_t pick_scope(uint64_t *state)
{
    return (uint8_t)(dice_chance(state, 60) ? 1 : dice_below(state, G_N_ELEMENTS(scopes)));
}

static void pick_statement(struct random_statement *s, uint64_t *state,
                           const struct random_bounds *bounds)
{
    s->kind = pick_kind(state, bounds);
    s->object = (uint8_t)(dice_chance(state, 45) ? 0 : dice_chance(state, 75) ? 1 : 2);
    s->order = (uint8_t)dice_below(state, order_count(orders_of(s->kind)));
    s->failed = (uint8_t)dice_below(state, order_count(load_orders) + 1);
    s->scope = pick_scope(state);
    s->op = (uint8_t)dice_below(state, 8);
    s->value = (uint8_t)(dice_chance(state, 15) ? 0 : 1 + dice_below(state, 2));
    s->expected = (uint8_t)dice_below(state, 3);
    s->plain = dice_chance(state, 30);
    s->brief = dice_chance(state, 30);
    s->twice = dice_chance(state, 4);
    s->guard = dice_chance(state, 25) ? RANDOM_CPP_IF + dice_below(state, 2) : RANDOM_CPP_ALWAYS;
}

void random_cpp_draw(struct random_cpp *program, uint64_t seed, const struct random_bounds *bounds)
{
    uint64_t state = dice_seed(seed);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->threads = 2 + dice_below(&state, bounds->threads - 1);
    for (uint32_t i = 0; i < RANDOM_OBJECTS; i++) {
        program->objects[i].kind =
            dice_chance(&state, 60) ? RANDOM_INT : dice_below(&state, RANDOM_OBJECT_KINDS);
        program->objects[i].scope = pick_scope(&state);
    }
    for (uint32_t t = 0; t < program->threads; t++) {
        program->block[t] = dice_below(&state, 2);
        program->gpu[t] = dice_chance(&state, 10);
        program->count[t] = 1 + dice_below(&state, bounds->insts);
        for (uint32_t i = 0; i < program->count[t]; i++)
            pick_statement(&program->statements[t][i], &state, bounds);
    }
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool has_variable(const struct random_statement *s)
{
    return s->kind == RANDOM_CPP_LOAD || s->kind == RANDOM_CPP_RMW || s->kind == RANDOM_CPP_CAS;
}

/* The variable written last before statement i, or -1. */
static int last_variable(const struct random_cpp *program, uint32_t t, uint32_t i)
{
    int count = 0;
    for (uint32_t k = 0; k < i; k++)
        count += has_variable(&program->statements[t][k]);
    return count - 1;
}

static bool is_plain(const struct random_cpp *program, const struct random_statement *s)
{
    bool access = s->kind == RANDOM_CPP_LOAD || s->kind == RANDOM_CPP_STORE;
    return access && s->plain && program->objects[s->object].kind == RANDOM_INT;
}

static const char *order_word(const struct random_statement *s)
{
    return orders_of(s->kind)[s->order];
}

/* "x", or what makes an atomic object of it. */
static void print_object(GString *out, const struct random_cpp *program,
                         const struct random_statement *s)
{
    if (program->objects[s->object].kind != RANDOM_INT)
        g_string_append(out, objects[s->object]);
    else if (s->scope == 2 && s->brief)
        g_string_append_printf(out, "cuda::atomic_ref<int>(%s)", objects[s->object]);
    else
        g_string_append_printf(out, "cuda::atomic_ref<int, cuda::thread_scope_%s>(%s)",
                               scopes[s->scope], objects[s->object]);
}

static void print_value(GString *out, const struct random_statement *s, int last)
{
    if (s->value || last < 0)
        g_string_append_printf(out, "%u", s->value ? s->value : 1u);
    else
        g_string_append_printf(out, "r%d + 1", last);
}

/* ", order)", which may be left out where it is seq_cst. */
static void print_order(GString *out, const struct random_statement *s, const char *separator)
{
    if (s->brief && strcmp(order_word(s), "seq_cst") == 0)
        g_string_append(out, ")");
    else
        g_string_append_printf(out, "%scuda::memory_order_%s)", separator, order_word(s));
}

static void print_load(GString *out, const struct random_cpp *program,
                       const struct random_statement *s)
{
    if (is_plain(program, s)) {
        g_string_append(out, objects[s->object]);
        return;
    }
    print_object(out, program, s);
    g_string_append(out, ".load(");
    print_order(out, s, "");
}

static void print_store(GString *out, const struct random_cpp *program,
                        const struct random_statement *s, int last)
{
    bool plain = is_plain(program, s);
    if (plain)
        g_string_append(out, objects[s->object]);
    else
        print_object(out, program, s);
    g_string_append(out, plain ? " = " : ".store(");
    print_value(out, s, last);
    if (!plain)
        print_order(out, s, ", ");
}

static void print_rmw(GString *out, const struct random_cpp *program,
                      const struct random_statement *s, int last)
{
    static const char *const calls[] = {"exchange", "fetch_add", "fetch_add", "fetch_sub",
                                        "fetch_or", "fetch_and", "fetch_xor", "fetch_max"};
    print_object(out, program, s);
    g_string_append_printf(out, ".%s(", calls[s->op]);
    print_value(out, s, last);
    print_order(out, s, ", ");
}

/* The variable holds what is expected, and then what was found. */
static void print_cas(GString *out, const struct random_cpp *program,
                      const struct random_statement *s, int variable, int last)
{
    g_string_append_printf(out, "r%d = %u; ", variable, s->expected);
    print_object(out, program, s);
    g_string_append_printf(out, ".compare_exchange_%s(r%d, ", s->op % 2 ? "weak" : "strong",
                           variable);
    print_value(out, s, last);
    if (load_orders[s->failed])
        g_string_append_printf(out, ", cuda::memory_order_%s, cuda::memory_order_%s)",
                               order_word(s), load_orders[s->failed]);
    else
        print_order(out, s, ", ");
}

static void print_fence(GString *out, const struct random_statement *s)
{
    static const char *const calls[] = {"__threadfence_block", "__threadfence",
                                        "__threadfence_system"};
    if (s->brief && s->order == 0 && s->scope < G_N_ELEMENTS(calls))
        g_string_append_printf(out, "%s()", calls[s->scope]);
    else
        g_string_append_printf(
            out, "cuda::atomic_thread_fence(cuda::memory_order_%s, cuda::thread_scope_%s)",
            order_word(s), scopes[s->scope]);
}

static void print_action(GString *out, const struct random_cpp *program,
                         const struct random_statement *s, int variable, int last)
{
    if (has_variable(s) && s->kind != RANDOM_CPP_CAS)
        g_string_append_printf(out, "r%d = ", variable);
    switch (s->kind) {
    case RANDOM_CPP_LOAD:
        print_load(out, program, s);
        break;
    case RANDOM_CPP_STORE:
        print_store(out, program, s, last);
        break;
    case RANDOM_CPP_RMW:
        print_rmw(out, program, s, last);
        break;
    case RANDOM_CPP_CAS:
        print_cas(out, program, s, variable, last);
        break;
    case RANDOM_CPP_FENCE:
        print_fence(out, s);
        break;
    case RANDOM_CPP_SPIN:
        g_string_append(out, "while (");
        print_load(out, program, s);
        g_string_append(out, " == 0)");
        break;
    case RANDOM_CPP_BARRIER:
        g_string_append(out, "__syncthreads()");
        break;
    }
}

static void print_statement(GString *out, const struct random_cpp *program, uint32_t t, uint32_t i)
{
    const struct random_statement *s = &program->statements[t][i];
    int last = last_variable(program, t, i);
    bool guarded = last >= 0 && s->kind != RANDOM_CPP_BARRIER;
    g_string_append(out, "  ");
    if (guarded && s->guard == RANDOM_CPP_RETURN)
        g_string_append_printf(out, "if (r%d != 1) return;\n  ", last);
    else if (guarded && s->guard == RANDOM_CPP_IF)
        g_string_append_printf(out, "if (r%d == 1) ", last);
    if (s->twice && s->kind != RANDOM_CPP_SPIN)
        g_string_append(out, "for (int i = 0; i < 2; ++i) ");
    g_string_append(out, "{ ");
    print_action(out, program, s, last + 1, last);
    g_string_append(out, "; }\n");
}

static void print_thread(GString *out, const struct random_cpp *program, uint32_t t)
{
    int variables = last_variable(program, t, program->count[t]) + 1;
    g_string_append_printf(out, "P%u@cta %u,gpu %u {\n", t, program->block[t], program->gpu[t]);
    for (int r = 0; r < variables; r++)
        g_string_append_printf(out, "  int r%d = 0;\n", r);
    for (uint32_t i = 0; i < program->count[t]; i++)
        print_statement(out, program, t, i);
    g_string_append(out, "}\n");
}

static void print_declaration(GString *out, const struct random_cpp *program, uint32_t object)
{
    static const char *const types[] = {"int ", "cuda::atomic<int, cuda::thread_scope_",
                                        "std::atomic<int> "};
    g_string_append(out, types[program->objects[object].kind]);
    if (program->objects[object].kind == RANDOM_ATOMIC)
        g_string_append_printf(out, "%s> ", scopes[program->objects[object].scope]);
    g_string_append_printf(out, "%s = 0; ", objects[object]);
}

GString *random_cpp_write(const struct random_cpp *program)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "C++ random-%" G_GUINT64_FORMAT "\n{ ", program->seed);
    for (uint32_t i = 0; i < RANDOM_OBJECTS; i++)
        print_declaration(out, program, i);
    g_string_append(out, "}\n");
    for (uint32_t t = 0; t < program->threads; t++)
        print_thread(out, program, t);
    g_string_append(out, "locations [x; y; z;");
    for (uint32_t t = 0; t < program->threads; t++)
        for (int r = 0; r <= last_variable(program, t, program->count[t]); r++)
            g_string_append_printf(out, " %u:r%d;", t, r);
    g_string_append(out, "]\nexists (true)\n");
    return out;
}

/* ---- shrinking ------------------------------------------------------------------------------ */

static void drop_statement(void *of, uint32_t t, uint32_t i)
{
    struct random_cpp *program = of;
    shrink_list(program->statements[t], sizeof *program->statements[t], &program->count[t], i);
}

static void drop_thread(void *of, uint32_t t)
{
    struct random_cpp *program = of;
    uint32_t left = program->threads;
    shrink_list(program->block, sizeof *program->block, &(uint32_t){left}, t);
    shrink_list(program->gpu, sizeof *program->gpu, &(uint32_t){left}, t);
    shrink_list(program->count, sizeof *program->count, &(uint32_t){left}, t);
    shrink_list(program->statements, sizeof *program->statements, &program->threads, t);
}

enum { WAYS = 4 }; /* of 'simpler' */

/* A statement that is easier to read; false when it is so already. */
static bool simpler(void *of, uint32_t t, uint32_t i, uint32_t way)
{
    struct random_cpp *program = of;
    struct random_statement *s = &program->statements[t][i], before = *s;
    switch (way) {
    case 0:
        s->guard = RANDOM_CPP_ALWAYS;
        break;
    case 1:
        s->value = 1;
        break;
    case 2:
        s->twice = false;
        break;
    case 3:
        if (s->kind == RANDOM_CPP_CAS)
            s->kind = RANDOM_CPP_RMW;
        break;
    }
    return memcmp(&before, s, sizeof before) != 0;
}

bool random_cpp_shrink(const struct random_cpp *program, uint32_t step, struct random_cpp *smaller)
{
    const struct shrinking shrinking = {.bytes = sizeof *program,
                                        .threads = program->threads,
                                        .count = program->count,
                                        .ways = WAYS,
                                        .drop_thread = drop_thread,
                                        .drop_item = drop_statement,
                                        .make_plainer = simpler};
    return shrink(&shrinking, program, step, smaller);
}
