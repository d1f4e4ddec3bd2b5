/* SPDX-License-Identifier: MIT
 *
 * arithmetic [COUNT]: what the axioms and the executor say an instruction computes, for every
 * register instruction of isa.def that both know, in every form that the parser accepts (type,
 * words, combining operation, second predicate), and for every atomic operation: on COUNT (10,000)
 * operands each, edge values first, then random ones; and for floats that are constants, in every rounding, on some. A row that is new in the table is covered
 * without a word here. Prints TAP. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/machine/program/program.h"
#include "model/unfold/unfold.h"
#include "tests/agree/operands.h"

enum { SOURCES = 4, MOST_WORDS = 32 };

struct run {
    uint32_t count;
    uint64_t *sources[SOURCES];
    bool *seen; /* an operation of isa.def: some form was compared */
    uint32_t forms, wrong;
};

/* ---- one form of an instruction ------------------------------------------------------------- */

struct form {
    struct arena *arena;
    const struct test *test;
    struct graph *graph;
    struct program *program;
};

/* NULL in 'graph' or 'program' when a reading does not know it. */
static bool make_form(struct form *form, const char *code)
{
    struct diag_list diags = {.arena = form->arena};
    const char *text = arena_printf(form->arena,
                                    "PTX form\n{ u64 i0; u64 i1; u64 i2; u64 i3; x; }\nP0@cta 0 ;\n"
                                    "ld.weak.u64 %%w0, [i0] ;\nld.weak.u64 %%w1, [i1] ;\n"
                                    "ld.weak.u64 %%w2, [i2] ;\nld.weak.u64 %%w3, [i3] ;\n"
                                    "setp.ne.u64 %%p0, %%w0, 0 ;\nsetp.ne.u64 %%p1, %%w1, 0 ;\n"
                                    "setp.ne.u64 %%p2, %%w2, 0 ;\nsetp.ne.u64 %%p3, %%w3, 0 ;\n"
                                    "%sexists (true)\n",
                                    code);
    form->test =
        litmus_parse(form->arena, source_new(form->arena, "form", text, strlen(text)), &diags);
    if (!form->test)
        return false;
    struct unfold_options options = {.unroll = 2, .max_events = 100};
    struct program_args args = {NULL, 0};
    uint32_t count;
    struct graph **graphs = unfold(form->arena, form->test, &options, &diags, &count);
    form->graph = graphs ? graphs[0] : NULL;
    form->program = program_decode(form->arena, form->test, &form->test->bodies[0], &args, &diags);
    return form->graph && form->program;
}

/* The reads of the graph by their place in the program. */
struct leaves {
    const struct graph *graph;
    uint64_t values[SOURCES + 1];
};

static bool read_leaf(void *context, const struct expr *leaf, uint64_t *value)
{
    const struct leaves *leaves = context;
    uint32_t before = 0;
    if (leaf->op != EXPR_READ)
        return false;
    for (uint32_t e = 0; e < leaf->b; e++)
        before += leaves->graph->events[e].kind == EVENT_READ;
    *value = leaves->values[before];
    return true;
}

static uint64_t mask_of(uint32_t bytes)
{
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

/* Runs the decoded program on all operands at once; every slot is an array. */
static uint64_t **run_program(const struct run *run, const struct form *form)
{
    const struct program *p = form->program;
    uint64_t **slots = ARENA_ARRAY(form->arena, uint64_t *, p->slot_count);
    uint32_t load = 0;
    for (uint32_t s = 0; s < p->slot_count; s++) {
        slots[s] = ARENA_ARRAY(form->arena, uint64_t, run->count);
        for (uint32_t i = 0; s >= p->reg_slots && i < run->count; i++)
            slots[s][i] = p->fixed[s - p->reg_slots].value;
    }
    for (uint32_t m = p->entry; p->micros[m].kind != MICRO_EXIT; m++) {
        const struct micro *micro = &p->micros[m];
        const uint64_t *in[SOURCES] = {0};
        if (micro->kind == MICRO_LOAD)
            memcpy(slots[micro->dst[0]], run->sources[load++], run->count * sizeof(uint64_t));
        if (micro->kind != MICRO_ALU)
            continue;
        for (uint32_t k = 0; k < micro->src_count && k < SOURCES; k++)
            in[k] = micro->src[k] == SLOT_NONE ? NULL : slots[micro->src[k]];
        if (micro->dst[0] != SLOT_NONE)
            micro->alu(slots[micro->dst[0]], in[0], in[1], in[2], in[3], run->count);
    }
    return slots;
}

static void complain(struct run *run, const char *what, uint32_t i, uint64_t axioms,
                     uint64_t executor)
{
    if (run->wrong++ < 20)
        printf("# %s of %#" G_GINT64_MODIFIER "x, %#" G_GINT64_MODIFIER "x, %#" G_GINT64_MODIFIER
               "x, %#" G_GINT64_MODIFIER "x: the axioms say %#" G_GINT64_MODIFIER
               "x, the executor %#" G_GINT64_MODIFIER "x\n",
               what, run->sources[0][i], run->sources[1][i], run->sources[2][i], run->sources[3][i],
               axioms, executor);
}

/* PTX 9.7.1: what a division by zero gives is not specified. */
static bool divides_by_zero(const struct inst *inst, uint64_t divisor)
{
    bool divides = inst->op == OP_DIV || inst->op == OP_REM ||
                   (inst->op == OP_ATOM && inst->atom_op == ATOM_DIV);
    return divides && !(divisor & mask_of(type_bytes(inst->type)));
}

/* The first that neither loads an operand nor makes a predicate of one. */
static const struct inst *instruction_of(const struct form *form)
{
    return &form->test->bodies[0].insts[2 * SOURCES];
}

/* The observed registers, by both readings. */
static void compare_form(struct run *run, const struct form *form, const char *what)
{
    const struct test *test = form->test;
    struct leaves leaves = {.graph = form->graph};
    uint64_t **slots = run_program(run, form);
    struct expr_memo memo = expr_memo_new(form->arena, form->graph->exprs);
    uint32_t exprs = expr_count(form->graph->exprs), before = run->wrong;
    run->forms++;
    run->seen[instruction_of(form)->op] = true;
    for (uint32_t i = 0; i < run->count && run->wrong == before; i++) {
        memset(memo.known, 0, exprs * sizeof *memo.known);
        for (uint32_t k = 0; k < SOURCES; k++)
            leaves.values[k] = run->sources[k][i];
        if (divides_by_zero(instruction_of(form), run->sources[1][i]))
            continue;
        for (uint32_t t = 0; t < test->observed_count; t++) {
            uint32_t reg = test->observed[t].reg;
            uint64_t axioms, mask = mask_of(type_bytes(test->bodies[0].regs[reg].type));
            uint64_t executor = slots[form->program->reg_slot[reg]][i] & mask;
            if (!expr_eval_memo(form->graph->exprs, &memo, form->graph->observed[t], read_leaf,
                                &leaves, &axioms))
                axioms = ~executor;
            if ((axioms & mask) != executor)
                complain(run, what, i, axioms & mask, executor);
        }
    }
}

/* ---- every form ----------------------------------------------------------------------------- */

static bool is_register_instruction(enum op op)
{
    const char *engines = op_row(op)->engines, *signature = op_row(op)->signature;
    return strchr(engines, 'x') && strchr(engines, 'r') &&
           (*signature == 'd' || *signature == 'D') && !strpbrk(signature, "mfrl");
}

/* What the register instructions that are not compared compute: addresses, or with other threads. Roots and reciprocals
 * are those of constants. */
static bool is_elsewhere(enum op op)
{
    return op == OP_CVTA || op == OP_BAR_RED || op == OP_SQRT || op == OP_RCP ||
           op_group(op) == GROUP_ADDRESS || op_group(op) == GROUP_COLLECTIVE ||
           op_group(op) == GROUP_HOST;
}

/* The operands of isa.def's signature. */
static char *operands(enum op op, bool pair, bool all, bool predicates)
{
    GString *text = g_string_new(pair ? "%d|%q" : "%d");
    uint32_t source = 0;
    for (const char *letter = op_row(op)->signature + 1; *letter; letter++) {
        if (*letter == '?' && !all)
            break;
        if (*letter == '?' || *letter == 'q')
            continue;
        bool predicate = *letter == 'p' || predicates;
        g_string_append_printf(text, ", %%%c%u", predicate ? 'p' : 'w', source++);
    }
    return g_string_free(text, FALSE);
}

/* A predicate is seen as a number. */
static bool try_form(struct run *run, enum op op, const char *words, bool pair, bool all,
                     bool predicates, bool predicate_result)
{
    struct form form = {.arena = arena_new()};
    char *list = operands(op, pair, all, predicates);
    const char *what = arena_printf(form.arena, "%s%s %s", op_mnemonic(op), words, list);
    const char *code = arena_printf(
        form.arena, "%s ;\n%s%s%s", what, predicate_result ? "selp.u64 %o, 1, 0, %d ;\n" : "",
        predicate_result && pair ? "selp.u64 %z, 1, 0, %q ;\n" : "",
        predicate_result ? pair ? "locations [0:%o; 0:%z;]\n" : "locations [0:%o;]\n"
                         : "locations [0:%d;]\n");
    bool known = make_form(&form, code);
    if (known)
        compare_form(run, &form, what);
    arena_free(form.arena);
    g_free(list);
    return known;
}

static void with_words(struct run *run, enum op op, const char *words, bool combined)
{
    bool pairs = op_row(op)->signature[1] == 'q';
    for (int pair = 0; pair <= pairs; pair++)
        for (int kind = 0; kind < 3; kind++)
            if (try_form(run, op, words, pair, combined, kind == 2, kind > 0))
                break;
}

/* How a floating-point result is rounded: the axioms only know to the nearest. */
static bool is_rounding(const struct isa_word *word)
{
    return word->class == 'R' && word->value != FLAG_SAT && word->value != FLAG_RN;
}

/* Words of one class that the operation accepts, and none. */
struct words {
    const char *at[MOST_WORDS];
    uint32_t count;
};

static struct words words_of(enum op op, const char *classes, bool none)
{
    struct words list = {.count = none};
    list.at[0] = "";
    for (const struct isa_word *word = isa_words; word->text; word++)
        if (strchr(classes, word->class) && isa_word_fits(word, op) && !is_rounding(word) &&
            list.count < MOST_WORDS)
            list.at[list.count++] = word->text;
    return list;
}

static const char *dot(const char *word)
{
    return *word ? "." : "";
}

/* With every comparison, combination and type. */
static void with_flags(struct run *run, enum op op, const char *flags)
{
    bool compares = op_accepts(op, 'K'), two = strstr(op_row(op)->modifiers, "TT");
    struct words comparisons = words_of(op, "K", !compares), combinations = words_of(op, "B", true),
                 types = words_of(op, "T", true), sources = words_of(op, "T", true);
    sources.count = two ? sources.count : 1;
    for (uint32_t c = 0; c < comparisons.count; c++)
        for (uint32_t b = 0; b < combinations.count; b++)
            for (uint32_t t = 0; t < types.count; t++)
                for (uint32_t s = 0; s < sources.count; s++) {
                    char *words = g_strconcat(dot(comparisons.at[c]), comparisons.at[c],
                                              dot(combinations.at[b]), combinations.at[b], flags,
                                              dot(types.at[t]), types.at[t], dot(sources.at[s]),
                                              sources.at[s], NULL);
                    with_words(run, op, words, *combinations.at[b]);
                    g_free(words);
                }
}

/* With no flag, one, or two. */
static void every_form(struct run *run, enum op op)
{
    struct words flags = words_of(op, "FREN", true);
    for (uint32_t a = 0; a < flags.count; a++)
        for (uint32_t b = a ? a + 1 : 0; b < flags.count; b++) {
            if (!a && b)
                continue;
            char *both =
                g_strconcat(dot(flags.at[a]), flags.at[a], dot(flags.at[b]), flags.at[b], NULL);
            with_flags(run, op, both);
            g_free(both);
        }
    for (uint32_t a = 1; a < flags.count; a++) {
        char *one = g_strconcat(".", flags.at[a], NULL);
        with_flags(run, op, one);
        g_free(one);
    }
}

/* ---- floats that are constants --------------------------------------------------------------- */

static bool is_nan(enum type type, uint64_t bits)
{
    return type == TYPE_F64 && (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static char *constants(const struct run *run, enum op op, enum type type, uint32_t i)
{
    GString *text = g_string_new("%d");
    for (uint32_t k = 0; op_row(op)->signature[k + 1]; k++) {
        uint64_t bits = is_nan(type, run->sources[k][i]) ? 0 : run->sources[k][i];
        if (type == TYPE_F32)
            g_string_append_printf(text, ", 0f%08X", (uint32_t)bits);
        else
            g_string_append_printf(text, ", 0d%016" G_GINT64_MODIFIER "X", bits);
    }
    return g_string_free(text, FALSE);
}

static bool try_constants(const struct run *run, struct run *one, enum op op, enum type type,
                          const char *words, uint32_t i)
{
    struct form form = {.arena = arena_new()};
    char *list = constants(run, op, type, i);
    const char *what =
        arena_printf(form.arena, "%s%s.%s %s", op_mnemonic(op), words, type_name(type), list);
    bool known = make_form(&form, arena_printf(form.arena, "%s ;\nlocations [0:%%d;]\n", what));
    if (known)
        compare_form(one, &form, what);
    arena_free(form.arena);
    g_free(list);
    return known;
}

/* True: each operation was compared in each of the roundings. */
static bool every_constant(struct run *run)
{
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FMA, OP_SQRT, OP_RCP};
    static const char *const words[] = {".rn", ".rz", ".rm", ".rp", ".rn.ftz", ".rz.ftz"};
    enum { TRIES = 24 };
    bool seen[OP_COUNT], all = true;
    struct run one = *run;
    one.count = 1;
    one.seen = seen;
    one.forms = 0;
    for (size_t o = 0; o < G_N_ELEMENTS(ops); o++)
        for (size_t w = 0; w < G_N_ELEMENTS(words); w++)
            for (uint32_t i = 0; i < TRIES && i < run->count; i++) {
                all &= try_constants(run, &one, ops[o], TYPE_F32, words[w], i * 7 % run->count);
                if (w < 4)
                    all &= try_constants(run, &one, ops[o], TYPE_F64, words[w], i * 7 % run->count);
            }
    run->forms += one.forms;
    run->wrong = one.wrong;
    return all;
}

/* ---- atomic operations ---------------------------------------------------------------------- */

static const struct event *atomic_write(const struct graph *graph)
{
    for (uint32_t e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_WRITE && graph->events[e].rmw != NONE)
            return &graph->events[e];
    return NULL;
}

/* The old value is source 0, the operands are 1 and 2. */
static void compare_atomic(struct run *run, const struct form *form, const char *what)
{
    const struct inst *inst = instruction_of(form);
    const struct event *write = atomic_write(form->graph);
    struct expr_memo memo = expr_memo_new(form->arena, form->graph->exprs);
    struct leaves leaves = {.graph = form->graph};
    uint32_t exprs = expr_count(form->graph->exprs), before = run->wrong;
    uint64_t mask = mask_of(type_bytes(inst->type));
    run->forms++;
    for (uint32_t i = 0; i < run->count && run->wrong == before; i++) {
        const uint64_t now[] = {run->sources[0][i] & mask, run->sources[1][i], run->sources[2][i]};
        bool writes;
        uint64_t guard = 0, axioms = 0;
        uint64_t executor = alu_atomic(inst->atom_op, inst->type, now[0], now[1], now[2], &writes);
        if (divides_by_zero(inst, now[1]))
            continue;
        memset(memo.known, 0, exprs * sizeof *memo.known);
        for (uint32_t k = 0; k < SOURCES; k++)
            leaves.values[k] = run->sources[k][i];
        leaves.values[SOURCES] = now[0];
        if (!expr_eval_memo(form->graph->exprs, &memo, write->guard, read_leaf, &leaves, &guard) ||
            !expr_eval_memo(form->graph->exprs, &memo, write->value, read_leaf, &leaves, &axioms) ||
            guard != writes || (writes && axioms != (executor & mask)))
            complain(run, what, i, guard ? axioms : now[0], executor & mask);
    }
}

static bool try_atomic(struct run *run, const char *op, const char *type, bool third)
{
    struct form form = {.arena = arena_new()};
    const char *what = arena_printf(form.arena, "atom.relaxed.gpu.%s%s%s %%d, [x], %%w1%s", op,
                                    dot(type), type, third ? ", %w2" : "");
    bool known = make_form(&form, arena_printf(form.arena, "%s ;\n", what));
    if (known)
        compare_atomic(run, &form, what);
    arena_free(form.arena);
    return known;
}

static bool every_atomic(struct run *run)
{
    struct words ops = words_of(OP_ATOM, "O", false), types = words_of(OP_ATOM, "T", true);
    bool all = true;
    for (uint32_t o = 0; o < ops.count; o++) {
        bool some = false;
        for (uint32_t t = 0; t < types.count; t++)
            some |= try_atomic(run, ops.at[o], types.at[t], false) ||
                    try_atomic(run, ops.at[o], types.at[t], true);
        if (!some)
            printf("# no form of atom.%s was compared\n", ops.at[o]);
        all &= some || strcmp(ops.at[o], "popc") == 0; /* of barrier.red and redux only */
    }
    return all;
}

int main(int argc, char **argv)
{
    bool seen[OP_COUNT] = {false}, missing = false;
    struct run run = {.count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000,
                      .seen = seen};
    for (uint32_t k = 0; k < SOURCES; k++)
        run.sources[k] = g_new(uint64_t, run.count);
    operands_fill(run.sources, SOURCES, run.count);
    for (enum op op = 0; op < OP_COUNT; op++) {
        if (!is_register_instruction(op) || is_elsewhere(op))
            continue;
        every_form(&run, op);
        if (!seen[op])
            printf("# no form of '%s' was compared\n", op_mnemonic(op));
        missing |= !seen[op];
    }
    uint32_t forms = run.forms, wrong = run.wrong;
    printf("%s 1 register instructions: %u forms on %u operands each, %u differ\n",
           wrong || missing ? "not ok" : "ok", forms, run.count, wrong);
    bool rounded = every_constant(&run);
    printf("%s 2 floats that are constants: %u forms, %u differ\n",
           rounded && run.wrong == wrong ? "ok" : "not ok", run.forms - forms, run.wrong - wrong);
    forms = run.forms;
    wrong = run.wrong;
    bool atomics = every_atomic(&run);
    printf("%s 3 atomic operations: %u forms on %u operands each, %u differ\n1..3\n",
           atomics && run.wrong == wrong ? "ok" : "not ok", run.forms - forms, run.count,
           run.wrong - wrong);
    for (uint32_t k = 0; k < SOURCES; k++)
        g_free(run.sources[k]);
    return run.wrong || missing || !rounded || !atomics;
}
