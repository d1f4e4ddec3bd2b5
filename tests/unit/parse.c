/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "litmus/print/print.h"

struct fixture {
    struct arena *arena;
    struct diag_list diags;
    struct test *test;
};

static struct fixture parse(const char *text)
{
    struct fixture f = {.arena = arena_new()};
    f.diags.arena = f.arena;
    f.test = litmus_parse(f.arena, source_new(f.arena, "t.litmus", text, strlen(text)), &f.diags);
    return f;
}

static struct fixture parse_good(const char *text)
{
    struct fixture f = parse(text);
    if (!f.test)
        g_error("%s", diag_render(f.arena, &f.diags.items.at[0]));
    return f;
}

static void end(struct fixture f)
{
    arena_free(f.arena);
}

static const char message_passing[] = "PTX MP+rel-acq\n"
                                      "\"a comment\" \"expect ptx: forbidden (8.10.6)\"\n"
                                      "{ x=0; P1:r3=7; y @ surface aliases x; }\n"
                                      " P0@cta 0,gpu 0    | P1@cta 1,gpu 0 ;\n"
                                      " st.weak x, 1      | ld.acquire.gpu r0, flag ;\n"
                                      " st.release.gpu flag, 1 | ld.weak r1, x ;\n"
                                      "exists (1:r0=1 /\\ P1:r1=0)\n";

static void the_dialect_gives_threads_and_accesses(void)
{
    struct fixture f = parse_good(message_passing);
    const struct test *test = f.test;
    g_assert_cmpstr(test->name, ==, "MP+rel-acq");
    g_assert_cmpuint(test->column_count, ==, 2);
    g_assert_cmpuint(test->columns[1].cta, ==, 1);
    g_assert_cmpstr(test->expectations[0].verdict, ==, "forbidden");
    g_assert_cmpstr(test->expectations[0].source, ==, "8.10.6");
    const struct inst *load = &test->bodies[1].insts[0];
    g_assert_cmpint(load->op, ==, OP_LD);
    g_assert_cmpint(load->sem, ==, SEM_ACQUIRE);
    g_assert_cmpint(load->scope, ==, SCOPE_GPU);
    g_assert_cmpstr(test->locations[load->operands[1].location].name, ==, "flag");
    g_assert_cmpuint(test->bodies[1].inits[0].value, ==, 7);
    g_assert_cmpuint(test->observed_count, ==, 2);
    end(f);
}

static const char kernels[] =
    "PTX kernels\n{ u32 x; .global .u64 y[2] = {1, 2}; shared u64 b @ cta 0; }\n"
    "kernel put (.param .u64 a, .param .u32 v) {\n"
    "  .reg .pred %p<2>; .reg .b64 %rd<4>; .shared .align 8 .b8 s[64];\n"
    "  ld.param.u64 %rd1, [a];\n"
    "  setp.eq.u32 %p1, %rd1, 0;\n"
    "  @!%p1 bra $L;\n"
    "  { .reg .pred %p1; setp.ne.u32 %p1, %rd1, 3; }\n"
    "$L: st.global.release.gpu.u32 [%rd1+-4], 1; ret;\n"
    "}\n"
    "put<<<(2,1,1), 32, 16>>>(&x, 7) @ gpu 1 cluster 2;\n"
    "second: put<<<1, 1>>>(y+1, -1);\n"
    "exists (put[1,31]:rd1 = 0 /\\ second:%rd1 = &x /\\ y[1] = 2)";

static void kernels_have_blocks_and_launches(void)
{
    struct fixture f = parse_good(kernels);
    const struct test *test = f.test;
    const struct body *put = &test->bodies[0];
    g_assert_cmpuint(test->launch_count, ==, 2);
    g_assert_cmpuint(test->launches[0].grid.x, ==, 2);
    g_assert_cmpuint(test->launches[0].dynamic_shared_bytes, ==, 16);
    g_assert_cmpuint(test->launches[0].cluster.x, ==, 2);
    g_assert_cmpstr(test->launches[1].label, ==, "second");
    g_assert_cmpuint(test->launches[1].args[0].value, ==, 8); /* one element */
    g_assert_cmpuint(put->param_count, ==, 2);
    g_assert_cmpuint(put->params[1].offset, ==, 8);
    /* the inner block's %p1 is another register */
    g_assert_cmpuint(put->insts[1].operands[0].reg, !=, put->insts[3].operands[0].reg);
    g_assert_cmpuint(put->insts[2].guard, ==, put->insts[1].operands[0].reg);
    g_assert_true(put->insts[2].guard_negated);
    const struct inst *store = &put->insts[put->insts[2].operands[0].target];
    g_assert_cmpint(store->sem, ==, SEM_RELEASE);
    g_assert_cmpint((int64_t)store->operands[0].value, ==, -4);
    g_assert_cmpuint(test->condition->kids[0]->left.tid, ==, 31);
    end(f);
}

static void modules_give_entries_and_variables(void)
{
    static const char text[] =
        ".version 8.0\n.target sm_90, debug\n.address_size 64\n"
        ".const .align 4 .b8 t[8] = {120, 32};\n"
        ".extern .shared .align 16 .b8 dyn[];\n"
        ".visible .entry k(.param .u64 .ptr .align 1 p)\n.maxntid 128, 1, 1\n"
        "{ .reg .b32 %r<3>; .loc 1 2 3\n mov.u32 %r1, %ctaid.x; ret; }\n";
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct test *test =
        litmus_parse_module(arena, source_new(arena, "k.ptx", text, strlen(text)), &diags);
    g_assert_nonnull(test);
    g_assert_cmpuint(test->body_count, ==, 1);
    g_assert_cmpuint(test->location_count, ==, 2);
    g_assert_cmpuint(test->locations[0].init[1].value, ==, 32);
    g_assert_true(test->locations[1].dynamic);
    g_assert_cmpuint(test->bodies[0].inst_count, ==, 2);
    arena_free(arena);
}

/* bar.cta.sync: PTX's thread count, the dialect's resource, its quorum. */
static void barriers_are_told_apart(void)
{
    struct fixture f = parse_good("PTX b\n{}\nP0@cta 0,gpu 0;\n bar.cta.sync 1, 64;\n"
                                  "bar.cta.sync 1, 2;\nbar.cta.sync 1, 2, 3;\nbar.sync 0;\n");
    const struct inst *inst = f.test->bodies[0].insts;
    g_assert_cmpuint(inst[0].operand_count, ==, 2);
    g_assert_cmpuint(inst[0].operands[0].value, ==, 1);
    g_assert_cmpuint(inst[0].flags, ==, FLAG_ALIGNED);
    g_assert_cmpuint(inst[1].operand_count, ==, 1);
    g_assert_cmpuint(inst[1].operands[0].value, ==, 2);
    g_assert_cmpuint(inst[1].flags, ==, FLAG_DIALECT);
    g_assert_cmpuint(inst[2].operands[1].value, ==, 3);
    g_assert_cmpuint(inst[2].flags, ==, FLAG_DIALECT | FLAG_COUNT_THREADS);
    g_assert_cmpuint(inst[3].operand_count, ==, 1);
    end(f);
}

static void print_is_a_fixpoint_of(const char *path, const char *text)
{
    struct fixture f = parse(text);
    if (!f.test)
        g_error("%s: %s", path, diag_render(f.arena, &f.diags.items.at[0]));
    const char *once = print_test(f.arena, f.test);
    struct fixture g = parse(once);
    if (!g.test)
        g_error("%s printed: %s\n%s", path, diag_render(g.arena, &g.diags.items.at[0]), once);
    g_assert_cmpstr(print_test(g.arena, g.test), ==, once);
    g_assert_cmpuint(g.test->location_count, ==, f.test->location_count);
    g_assert_cmpuint(g.test->observed_count, ==, f.test->observed_count);
    for (uint32_t i = 0; i < f.test->body_count; i++)
        g_assert_cmpuint(g.test->bodies[i].inst_count, ==, f.test->bodies[i].inst_count);
    end(g);
    end(f);
}

static const char functions[] =
    "PTX functions\n{ u32 x; }\n"
    ".func (.param .align 8 .b8 r[16]) f (.param .b32 a, .param .align 16 .b8 b[4]);\n"
    "kernel k () { .param .b32 p; { .param .align 8 .b8 p[16]; .param .b32 q[1];\n"
    "  st.param.b32 [q+0], 1; call.uni (p), f, (q, q); ld.param.b64 %rd1, [p+8]; } call g; }\n"
    ".func g () { call.uni g, (); }\n"
    ".func (.param .align 8 .b8 r[16]) f (.param .b32 a, .param .align 16 .b8 b[4])\n"
    "{ .param .b32 own; ld.param.u32 %r1, [a]; st.param.b32 [r+8], %r1; ret; }\n"
    "k<<<1, 1>>>();\nexists (x = 0)";

static void functions_have_frames(void)
{
    struct fixture f = parse_good(functions);
    const struct body *k = &f.test->bodies[0], *callee = &f.test->bodies[2];
    const struct inst *call = &k->insts[1];
    g_assert_cmpuint(call->operands[1].target, ==, 2);
    g_assert_cmpuint(k->frame_count, ==, 3);
    g_assert_cmpuint(call->operands[0].parts[0].param, ==, 1); /* the inner p */
    g_assert_cmpuint(k->frame[2].offset, ==, 24);
    g_assert_true(callee->function && callee->return_count == 1 && callee->formal_count == 2);
    g_assert_cmpuint(callee->frame[2].offset, ==, 32);
    g_assert_cmpuint(callee->frame_bytes, ==, 40);
    end(f);
    print_is_a_fixpoint_of("functions", functions);
}

/* Names that are made up for inner blocks are nobody else's. */
static const char inner_blocks[] =
    "PTX blocks\n{ u32 x; u32 r$1 = 7; }\n"
    ".func f (.param .b32 a) { ret; }\n"
    "kernel k (.param .u32 p$1$) { .param .b32 p$1;\n"
    "  { .param .b32 p; .reg .u32 r; st.param.b32 [p], 1; mov.u32 r, 1; call f, (p); }\n"
    "  st.param.b32 [p$1], 3; call f, (p$1); ld.param.u32 %a, [p$1$]; ld.u32 %b, [r$1]; }\n"
    "k<<<1, 1>>>(4);\nexists (k:b = 7)";

static void inner_blocks_keep_their_names(void)
{
    struct fixture f = parse_good(inner_blocks);
    const struct body *k = &f.test->bodies[1];
    g_assert_cmpuint(k->insts[0].operands[0].param, ==, 1);
    g_assert_cmpint(k->insts[6].operands[1].kind, ==, OPERAND_MEMORY);
    g_assert_cmpuint(k->insts[6].operands[1].reg, ==, NONE);
    g_assert_cmpstr(k->frame[1].name, ==, "p$1$$");
    g_assert_cmpstr(k->regs[0].name, ==, "r$1$");
    end(f);
    print_is_a_fixpoint_of("blocks", inner_blocks);
}

/* Each use of an expression has a register of its own. */
static void equal_expressions_are_computed_twice(void)
{
    struct fixture f = parse_good("PTX twice\n{ pinned u32 x; }\n"
                                  "host A { r = x.load(relaxed) + x.load(relaxed); }\n"
                                  "exists (A:r = 1)");
    const struct inst *inst = f.test->bodies[0].insts;
    g_assert_cmpuint(f.test->bodies[0].inst_count, ==, 3);
    g_assert_cmpuint(inst[0].operands[0].reg, !=, inst[1].operands[0].reg);
    g_assert_cmpuint(inst[2].operands[1].reg, ==, inst[0].operands[0].reg);
    g_assert_cmpuint(inst[2].operands[2].reg, ==, inst[1].operands[0].reg);
    end(f);
}

/* Loads every test under the folder and prints it: the languages as languages, not file by file. */
static unsigned each_test(const char *root)
{
    VEC(char *) folders = {0};
    struct arena *arena = arena_new();
    unsigned loaded = 0;
    vec_push(arena, &folders, arena_strdup(arena, root));
    for (uint32_t i = 0; i < folders.len; i++) {
        GDir *dir = g_dir_open(folders.at[i], 0, NULL);
        for (const char *name; (name = g_dir_read_name(dir));) {
            char *path = arena_printf(arena, "%s/%s", folders.at[i], name);
            char *text;
            if (g_file_test(path, G_FILE_TEST_IS_DIR))
                vec_push(arena, &folders, path);
            if (!g_str_has_suffix(name, ".litmus") || !g_file_get_contents(path, &text, NULL, NULL))
                continue;
            print_is_a_fixpoint_of(path, text);
            g_free(text);
            loaded++;
        }
        g_dir_close(dir);
    }
    arena_free(arena);
    return loaded;
}

static void folder_in(const char *variable, unsigned least)
{
    const char *root = g_getenv(variable);
    if (root && g_file_test(root, G_FILE_TEST_IS_DIR))
        g_assert_cmpuint(each_test(root), >=, least);
    else
        g_test_skip("the folder is not there");
}

static void conformance_files_load(void)
{
    folder_in("CONFORMANCE", 131);
}

static void corpus_files_load(void)
{
    folder_in("CORPUS", 200);
}

static void kernels_print_as_a_fixpoint(void)
{
    print_is_a_fixpoint_of("kernels", kernels);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/parse/dialect", the_dialect_gives_threads_and_accesses);
    g_test_add_func("/parse/kernels", kernels_have_blocks_and_launches);
    g_test_add_func("/parse/modules", modules_give_entries_and_variables);
    g_test_add_func("/parse/functions", functions_have_frames);
    g_test_add_func("/parse/barriers", barriers_are_told_apart);
    g_test_add_func("/parse/blocks", inner_blocks_keep_their_names);
    g_test_add_func("/parse/expressions", equal_expressions_are_computed_twice);
    g_test_add_func("/print/kernels", kernels_print_as_a_fixpoint);
    g_test_add_func("/print/conformance", conformance_files_load);
    g_test_add_func("/print/corpus", corpus_files_load);
    return g_test_run();
}
