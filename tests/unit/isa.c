/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/print/print.h"

/* Every signature letter is one that decode.c knows, and every modifier a class of class.def. */
static void rows_use_known_letters(void)
{
#define CLASS(letter, name) letter,
    static const char classes[] = {
#include "litmus/isa/class.def"
        '\0'};
#undef CLASS
    for (enum op op = 0; op < OP_COUNT; op++) {
        g_assert_cmpuint(strspn(op_row(op)->signature, "dDqaApmlfr?"), ==,
                         strlen(op_row(op)->signature));
        g_assert_cmpuint(strspn(op_row(op)->modifiers, classes), ==, strlen(op_row(op)->modifiers));
        g_assert_cmpuint(strspn(op_row(op)->engines, "xr"), ==, strlen(op_row(op)->engines));
    }
}

/* A flag names operations that exist; without that it could never be written. */
static void flags_name_operations(void)
{
    for (const struct isa_word *word = isa_words; word->text; word++) {
        bool fits = word->class != 'F';
        for (enum op op = 0; op < OP_COUNT && !fits; op++)
            fits = isa_word_fits(word, op);
        g_assert_true(fits);
    }
}

/* Accesses through a texture or surface have no words of strength (9.7.10, 9.7.11). */
static bool is_path(const struct op_row *row)
{
    return row->proxy == PROXY_TEXTURE || row->proxy == PROXY_SURFACE;
}

/* What is meant where nothing is written may also be written. */
static void rows_agree_with_themselves(void)
{
    for (enum op op = 0; op < OP_COUNT; op++) {
        const struct op_row *row = op_row(op);
        g_assert_true(!row->sems || !row->sem || row->sems >> row->sem & 1);
        g_assert_true(!row->sem || op_accepts(op, 'S') || op_is_atomic(op) || is_path(row));
        g_assert_true(!row->typed || op_accepts(op, 'T'));
        g_assert_true(!row->source_types || strstr(row->modifiers, "TT"));
    }
}

/* An atomic operation that no instruction has could never be written. */
static void atomic_operations_name_operations(void)
{
    for (const struct isa_word *word = isa_words; word->text; word++) {
        bool fits = word->class != 'O';
        for (enum op op = 0; op < OP_COUNT && !fits; op++)
            fits = op_accepts(op, 'O') && atom_op_fits((enum atom_op)word->value, op);
        g_assert_true(fits);
    }
}

static void types_have_sizes_and_names(void)
{
    for (uint32_t type = TYPE_NONE + 1; type < TYPE_COUNT; type++)
        g_assert_cmpuint(strlen(type_name(type)), >, 1);
    g_assert_cmpuint(type_bytes(TYPE_NONE), ==, 8);
    g_assert_cmpuint(type_bytes(TYPE_B128), ==, 16);
    g_assert_true(type_is_signed(TYPE_NONE) && type_is_signed(TYPE_S8));
    g_assert_false(type_is_signed(TYPE_B32) || type_is_signed(TYPE_F32));
}

/* What each instruction means when something is left out, seen by what it prints as: the table of
 * ptx-model.md 1.3 and the orders of modifiers that ptxas takes. */
static const char *const spellings[][2] = {
    {"ld.u32 %r1, [x]", "ld.weak.u32 %r1, [x]"},
    {"ld.u32.relaxed.gpu %r1, [x]", "ld.relaxed.gpu.u32 %r1, [x]"},
    {"ld.volatile.u32 %r1, [x]", "ld.volatile.u32 %r1, [x]"},
    {"ld.global.nc.L1::evict_last.u32 %r1, [x]", "ld.global.nc.u32 %r1, [x]"},
    {"ld.mmio.relaxed.sys.global.u32 %r1, [x]", "ld.mmio.relaxed.sys.global.u32 %r1, [x]"},
    {"st.cg.u32 [x], 1", "st.weak.u32 [x], 1"},
    {"atom.global.add.u32 %r1, [x], 1", "atom.relaxed.gpu.global.add.u32 %r1, [x], 1"},
    {"atom.add.release.cta.u32 %r1, [x], 1", "atom.release.cta.add.u32 %r1, [x], 1"},
    {"atom.cas.b32 %r1, [x], 1, 2", "atom.relaxed.gpu.cas.b32 %r1, [x], 1, 2"},
    {"red.release.gpu.add.u32 [x], 1", "red.release.gpu.add.u32 [x], 1"},
    {"membar.gl", "fence.sc.gpu"},
    {"membar.cta", "fence.sc.cta"},
    {"membar.proxy.alias", "fence.proxy.alias"},
    {"fence.sys", "fence.acq_rel.sys"},
    {"fence.proxy.async.shared::cta", "fence.proxy.async.shared::cta"},
    {"fence.mbarrier_init.release.cluster", "fence.mbarrier_init.release.cluster"},
    {"fence.acquire.sync_restrict::shared::cluster.cluster",
     "fence.acquire.sync_restrict::shared::cluster.cluster"},
    {"fence.proxy.tensormap::generic.acquire.gpu [x], 128",
     "fence.proxy.tensormap::generic.acquire.gpu [x], 128"},
    {"bar.sync 1", "barrier.sync.aligned 1"},
    {"barrier.cta.sync 1, 64", "barrier.sync 1, 64"},
    {"bar.red.popc.u32 %r1, 0, 64, !%p1", "barrier.red.popc.aligned.u32 %r1, 0, 64, !%p1"},
    {"bar.warp.sync -1", "bar.warp.sync -1"},
    {"barrier.cluster.arrive.aligned", "barrier.cluster.arrive.release.aligned"},
    {"barrier.cluster.wait", "barrier.cluster.wait.acquire"},
    {"mbarrier.arrive.shared.b64 _, [s]", "mbarrier.arrive.release.cta.shared.b64 _, [s]"},
    {"mbarrier.try_wait.parity.shared::cta.b64 %p1, [s], 0",
     "mbarrier.try_wait.parity.acquire.cta.shared.b64 %p1, [s], 0"},
    {"cp.async.cg.shared.global [s], [x], 4", "cp.async.ca.shared.global [s], [x], 4"},
    {"suld.weak %r1, x", "suld.weak.u32 %r1, [x]"},
    {"goto L", "bra L"},
    {"bne %r1, 0, L", "bne %r1, 0, L"},
    {"ld %r1, 5", "mov %r1, 5"},
    {"bar.cta.arrive 7, 2, 3", "bar.cta.arrive 2, 2, 3"},
    {"shf.wrap.l.b32 %r1, %r1, %r1, 3", "shf.l.wrap.b32 %r1, %r1, %r1, 3"},
    {"mul.wide.u32 %r2, %r1, -1431655765", "mul.wide.u32 %r2, %r1, -1431655765"},
    {"mov.f32 %r3, 1.0", "mov.f32 %r3, 0f3F800000"},
    {"setp.and.lt.u32 %p1, %r1, 2, !%p1", "setp.lt.and.u32 %p1, %r1, 2, !%p1"},
    {"cvt.sat.rn.f32.s32 %r3, %r1", "cvt.rn.sat.f32.s32 %r3, %r1"},
    {"@!%p1 mov.u32 %r1, %tid.x", "@!%p1 mov.u32 %r1, %tid.x"},
};

static void spellings_print_with_their_defaults(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        struct arena *arena = arena_new();
        struct diag_list diags = {.arena = arena};
        const char *text = arena_printf(arena,
                                        "PTX t { u32 x; shared u64 s @ cta 0; } P0@cta 0,gpu 0 ;\n"
                                        "L: setp.eq.u32 %%p1, 1, 1 ; %s ; ",
                                        spellings[i][0]);
        struct test *test = litmus_parse(arena, source_new(arena, "t", text, strlen(text)), &diags);
        if (!test)
            g_error("%s", diag_render(arena, &diags.items.at[0]));
        g_assert_cmpstr(print_inst(arena, test, test->bodies, &test->bodies[0].insts[1]), ==,
                        spellings[i][1]);
        arena_free(arena);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa/letters", rows_use_known_letters);
    g_test_add_func("/isa/rows", rows_agree_with_themselves);
    g_test_add_func("/isa/flags", flags_name_operations);
    g_test_add_func("/isa/atomics", atomic_operations_name_operations);
    g_test_add_func("/isa/types", types_have_sizes_and_names);
    g_test_add_func("/isa/spellings", spellings_print_with_their_defaults);
    return g_test_run();
}
