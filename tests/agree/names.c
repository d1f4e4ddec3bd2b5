/* SPDX-License-Identifier: MIT */
#include "tests/agree/names.h"

#include <stdbool.h>
#include <string.h>

#include "litmus/random/dice.h"

/* Short ones often, so that names meet; then words that mean something somewhere in the language.
 */
static const char *const plain[] = {"x", "y", "z", "r", "r0", "r1", "q", "a$1"};
static const char *const words[] = {"host",        "hostfn",
                                    "platform",    "kernel",
                                    "exists",      "forall",
                                    "filter",      "locations",
                                    "true",        "false",
                                    "not",         "if",
                                    "while",       "int",
                                    "auto",        "unsigned",
                                    "load",        "store",
                                    "exchange",    "relaxed",
                                    "seq_cst",     "gpu",
                                    "cta",         "cluster",
                                    "aliases",     "generic",
                                    "surface",     "u32",
                                    "s64",         "b8",
                                    "pred",        "mapped",
                                    "managed",     "pinned",
                                    "pageable",    "device",
                                    "shared",      "local",
                                    "const",       "global",
                                    "NULL",        "nullptr",
                                    "cudaSuccess", "cudaErrorNotReady",
                                    "cudaError_t", "cudaStream_t",
                                    "cudaX",       "memory_order_relaxed",
                                    "P0",          "P1",
                                    "H",           "K",
                                    "F",           "ld",
                                    "st",          "atom",
                                    "fence",       "bra",
                                    "goto",        "WARP_SZ",
                                    "cooperative", "programmatic",
                                    "reg",         "param",
                                    "func",        "visible",
                                    "entry",       "_x",
                                    "$x",          "atomic_thread_fence",
                                    "add",         "x1",
                                    "E1",          "tid",
                                    "warp",        "lane",
                                    "PTX",         "expect"};
enum { PLAIN = sizeof plain / sizeof *plain, WORDS = sizeof words / sizeof *words };

enum { OWN = 3 };

/* The names of one test: some for memory, some for registers, no name in both; one of them is a
 * word. */
struct names {
    uint64_t state;
    const char *memory[OWN], *registers[OWN];
    GString *out;
};

static void choose_names(struct names *n)
{
    const char *word = words[dice_below(&n->state, WORDS)];
    uint32_t first = dice_below(&n->state, PLAIN);
    for (uint32_t i = 0; i < OWN; i++) {
        n->memory[i] = plain[(first + i) % PLAIN];
        n->registers[i] = plain[(first + OWN + i) % PLAIN];
    }
    (dice_chance(&n->state, 50) ? n->memory : n->registers)[0] = word;
}

/* Now and then a name of the other kind. */
static const char *memory(struct names *n)
{
    return (dice_chance(&n->state, 3) ? n->registers : n->memory)[dice_below(&n->state, OWN)];
}

static const char *reg(struct names *n)
{
    return (dice_chance(&n->state, 3) ? n->memory : n->registers)[dice_below(&n->state, OWN)];
}

static void put(struct names *n, const char *text)
{
    g_string_append(n->out, text);
}

static void number(struct names *n)
{
    static const char *const numbers[] = {"0", "1", "-1", "7", "4294967295", "-2147483648"};
    put(n, numbers[dice_below(&n->state, 6)]);
}

/* ---- the initial state ---------------------------------------------------------------------- */

/* Most locations are declared; in columns the others are made by use. */
static void declarations(struct names *n, bool host)
{
    static const char *const kinds[] = {"", "mapped ", "managed ", "pinned ", "pageable "};
    static const char *const types[] = {"", "u32 ", "s32 ", "u64 ", "u8 ", "b32 "};
    put(n, "{ ");
    for (uint32_t i = 0; i < OWN; i++) {
        if (dice_chance(&n->state, host ? 5 : 40))
            continue;
        g_string_append_printf(n->out, "%s%s%s", host ? kinds[1 + dice_below(&n->state, 4)] : "",
                               types[dice_below(&n->state, 6)], n->memory[i]);
        if (dice_chance(&n->state, 10))
            put(n, "[2] = {3, 4}");
        else if (dice_chance(&n->state, 50))
            put(n, " = 5");
        put(n, "; ");
    }
    if (!host && dice_chance(&n->state, 30))
        g_string_append_printf(n->out, "P1:%s = 2; ", reg(n));
    put(n, "}\n");
}

/* ---- host programs -------------------------------------------------------------------------- */

static void value(struct names *n, uint32_t depth)
{
    static const char *const orders[] = {"", "relaxed", "memory_order_seq_cst", "seq_cst"};
    uint32_t dice = dice_below(&n->state, 10);
    if (dice < 2)
        number(n);
    else if (dice < 3)
        put(n, dice_chance(&n->state, 50) ? "cudaSuccess" : "cudaErrorNotReady");
    else if (dice < 6 || !depth)
        put(n, dice_chance(&n->state, 50) ? reg(n) : memory(n));
    else if (dice < 7)
        g_string_append_printf(n->out, "%s[0]", memory(n));
    else if (dice < 8)
        g_string_append_printf(n->out, "%s.load(%s)", memory(n), orders[dice_below(&n->state, 4)]);
    else {
        g_string_append_printf(n->out, "%s.%s(", memory(n),
                               dice_chance(&n->state, 50) ? "exchange" : "fetch_add");
        value(n, depth - 1);
        g_string_append_printf(n->out, "%s)", dice_chance(&n->state, 50) ? ", acq_rel" : "");
    }
}

/* Often of two equal values. */
static void expression(struct names *n)
{
    static const char *const marks[] = {" + ", "-", " * ", " & ", "|", " ^ ", "/* */+"};
    gsize from = n->out->len;
    value(n, 2);
    if (dice_chance(&n->state, 40))
        return;
    char *first = g_strdup(n->out->str + from);
    put(n, marks[dice_below(&n->state, 7)]);
    if (dice_chance(&n->state, 60))
        put(n, first);
    else
        value(n, 2);
    g_free(first);
}

static void comparison(struct names *n)
{
    static const char *const marks[] = {" == ", " != ", " < ", "<=", " > ", " >= "};
    put(n, "(");
    expression(n);
    g_string_append_printf(n->out, ")%s(", marks[dice_below(&n->state, 6)]);
    expression(n);
    put(n, ")");
}

/* No variable in its own initializer, where it has no value. */
static void assignment(struct names *n)
{
    const char *name = dice_chance(&n->state, 50) ? reg(n) : memory(n);
    bool declares = dice_chance(&n->state, 15);
    gsize from = n->out->len;
    g_string_append_printf(n->out, "%s = ", name);
    gsize value = n->out->len;
    expression(n);
    if (declares && !strstr(n->out->str + value, name))
        g_string_insert(n->out, (gssize)from, "int ");
    put(n, "; ");
}

static void statement(struct names *n, uint32_t depth)
{
    uint32_t dice = dice_below(&n->state, 10);
    if (dice < 5) {
        assignment(n);
    } else if (dice < 6) {
        g_string_append_printf(n->out, "%s.store(", memory(n));
        value(n, 1);
        put(n, dice_chance(&n->state, 50) ? ", release); " : "); ");
    } else if (dice < 7) {
        g_string_append_printf(n->out, "%s = cudaStreamQuery(0); ", reg(n));
    } else if (dice < 8 || !depth) {
        put(n, "atomic_thread_fence(seq_cst); ");
    } else {
        put(n, dice < 9 ? "if (" : "while (");
        comparison(n);
        put(n, ") { ");
        statement(n, depth - 1);
        put(n, dice_chance(&n->state, 50) ? "}\n" : "} ;\n");
    }
}

static void host_program(struct names *n, const char *threads[2])
{
    threads[0] = dice_chance(&n->state, 80) ? "H" : reg(n);
    threads[1] = dice_chance(&n->state, 80) ? "G" : memory(n);
    for (uint32_t t = 0; t < 2; t++) {
        g_string_append_printf(n->out, "host %s { ", threads[t]);
        for (uint32_t i = 1 + dice_below(&n->state, 3); i > 0; i--)
            statement(n, 2);
        put(n, "}\n");
    }
}

/* ---- columns -------------------------------------------------------------------------------- */

static void cell(struct names *n, const char *percent)
{
    const char *to = reg(n), *from = reg(n), *at = memory(n);
    switch (dice_below(&n->state, 7)) {
    case 0:
        g_string_append_printf(n->out, "st.weak %s, %s%s", at, percent, from);
        break;
    case 1:
        g_string_append_printf(n->out, "ld.weak %s%s, %s", percent, to, at);
        break;
    case 2:
        g_string_append_printf(n->out, "ld.relaxed.gpu.u32 %s%s, [%s%s]", percent, to,
                               dice_chance(&n->state, 20) ? percent : "",
                               dice_chance(&n->state, 20) ? from : at);
        break;
    case 3:
        g_string_append_printf(n->out, "atom.relaxed.gpu.add.u32 %s%s, [%s], %s%s", percent, to, at,
                               percent, from);
        break;
    case 4:
        g_string_append_printf(n->out, "mov.u64 %s%s, &%s", percent, to, at);
        break;
    case 5:
        g_string_append_printf(n->out, "add.u32 %s%s, %s%s, 1", percent, to, percent, from);
        break;
    default:
        g_string_append_printf(n->out, "bne %s%s, 1, %s", percent, from, n->registers[0]);
    }
}

/* The label at the end is called like a register. */
static void columns(struct names *n)
{
    const char *percent[2] = {dice_chance(&n->state, 30) ? "%" : "",
                              dice_chance(&n->state, 30) ? "%" : ""};
    put(n, "P0@cta 0 | P1@cta 1 ;\n");
    for (uint32_t i = 1 + dice_below(&n->state, 3); i > 0; i--) {
        cell(n, percent[0]);
        put(n, " | ");
        cell(n, percent[1]);
        put(n, " ;\n");
    }
    g_string_append_printf(n->out, "%s: | %s: ;\n", n->registers[0], n->registers[0]);
}

/* ---- the question --------------------------------------------------------------------------- */

static void term(struct names *n, const char *threads[2])
{
    if (dice_chance(&n->state, 50))
        g_string_append_printf(n->out, "%s:%s", threads[dice_below(&n->state, 2)], reg(n));
    else
        put(n, memory(n));
}

static void question(struct names *n, const char *threads[2])
{
    if (dice_chance(&n->state, 40)) {
        put(n, "locations [");
        term(n, threads);
        put(n, "; ");
        term(n, threads);
        put(n, ";]\n");
    }
    put(n, dice_chance(&n->state, 50) ? "exists (" : "~exists (");
    term(n, threads);
    put(n, dice_chance(&n->state, 50) ? " = " : " < ");
    number(n);
    put(n, dice_chance(&n->state, 50) ? " /\\ ~(" : " \\/ (");
    term(n, threads);
    put(n, " = ");
    if (dice_chance(&n->state, 50))
        number(n);
    else
        term(n, threads);
    put(n, "))\n");
}

GString *random_names(uint64_t seed)
{
    struct names n = {.state = dice_seed(seed), .out = g_string_new(NULL)};
    const char *threads[2] = {"0", "1"};
    bool host = dice_chance(&n.state, 50);
    choose_names(&n);
    g_string_append_printf(n.out, "PTX names-%" G_GUINT64_FORMAT "\n", seed);
    declarations(&n, host);
    if (host)
        host_program(&n, threads);
    else
        columns(&n);
    question(&n, threads);
    return n.out;
}
