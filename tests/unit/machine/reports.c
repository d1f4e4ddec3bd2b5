/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tests/unit/machine/kernel.h"

/* What a report says: every row of lane-semantics sections 6 and 10 once, with the lane, the
 * instruction, its line, and whom or what the lanes wait for. HERE marks the instruction. */

#define HERE " // here\n"

struct row {
    struct kernel_case kernel; /* its name is the report's */
    uint32_t lane;             /* of the machine that runs the first cluster */
    const char *says[5];       /* parts of the text */
};

#define LOW_HALF "setp.lt.u32 %p1, %r31, 16; "
#define WARP0    "setp.lt.u32 %p1, %r1, 32; "

#define SYSTEM                                                                                     \
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"                      \
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "     \
    ".param .b64 e);\n.global .b8 text[2] = {97, 0};\n"
#define PARAMETERS                                                                                 \
    ".param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"            \
    "mov.u64 %rd5, text; "

static const struct row rows[] = {
#define ROW(id, at, ...)                                                                           \
    {                                                                                              \
        {.name = id, .expect = "*", .reports = id, __VA_ARGS__}, at,
#define SAYS(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    }
    ROW("collective-caller-not-in-mask", 1,
        .body = "setp.ne.u32 %p1, %r31, 1; @%p1 exit;\nbar.warp.sync 1;" HERE)
        SAYS("lane 1)", "0x00000001"),
    ROW("collective-mask-mismatch", 16,
        .body = LOW_HALF "@!%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1;\nexit;\n"
                         "ELSE: bar.warp.sync 0xffff00ff;" HERE)
        SAYS("0xffff00ff", "0xffffffff", "bar.warp.sync", "shfl"),
    ROW("collective-passed-by", 0,
        .body = LOW_HALF "@!%p1 bra NEXT;\nshfl.sync.bfly.b32 %r2, %r31, 1, 31, -1;" HERE
                         "NEXT: st.global.u32 [%rd4], 1;")
        SAYS("lanes 16-31", "lane 16 of warp 0", "went on at 'st'"),
    ROW("collective-not-converged", 0, .lockstep = true,
        .body = LOW_HALF "@!%p1 exit;\nLOOP: setp.lt.u32 %p2, %r31, 8; @!%p2 bra OUT;\n"
                         "bar.warp.sync 0xffff;" HERE "OUT:") SAYS("0x000000ff", "0x0000ffff"),
    ROW("mask-names-absent-lane", 0,
        .body = "setp.eq.u32 %p1, %r31, 9; @%p1 bra SPIN;\nbar.warp.sync -1;" HERE "bra.uni DONE;\n"
                "SPIN: ld.volatile.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, %r2, 0; @%p2 bra "
                "SPIN;\nDONE:") SAYS("lanes 0-8,10-31", "0xffffffff", "lane 9"),
    ROW("mask-names-missing-lane", 0, .block = 16, .body = "bar.warp.sync -1;" HERE)
        SAYS("0xffffffff"),
    ROW("exited-lane-in-mask", 0,
        .body = "setp.eq.u32 %p1, %r31, 9; @%p1 exit;\nbar.warp.sync -1;" HERE) SAYS("lane 9"),
    ROW("shfl-source-inactive", 0,
        .body = "setp.ge.u32 %p1, %r31, 16; @%p1 exit;\n"
                "shfl.sync.idx.b32 %r2, %r31, 20, 31, -1;" HERE) SAYS("lane 0", "lane 20"),
    ROW("matrix-lane-missing", 1,
        .body = "setp.eq.u32 %p1, %r31, 0; @%p1 exit;\n"
                "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r31;" HERE) SAYS("lanes 1-31"),
    ROW("bad-call", 0,
        .body = "mov.u64 %rd5, 64;\nproto: .callprototype _ ();\ncall %rd5, proto;" HERE)
        SAYS("0x40"),
    ROW("shfl-bad-width", 0, .body = "shfl.sync.idx.b32 %r2, %r31, 0, 0x0a1f, -1;" HERE) SAYS("10"),
    ROW("activemask-as-mask", 0,
        .body = "activemask.b32 %r2; setp.lt.u32 %p1, %r31, 8; @%p1 bra LOW;\nbar.warp.sync %r2; "
                "bra.uni DONE;\nLOW: vote.sync.ballot.b32 %r3, %p1, %r2;" HERE "DONE:")
        SAYS("0xffffffff"),
    ROW("aligned-barrier-divergent", 0, .block = 64,
        .body = WARP0 "@!%p1 bra DONE;\nbar.sync 0;" HERE "DONE: st.global.u32 [%rd4], 1;")
        SAYS("32 threads exited", "went on at 'st'"),
    ROW("barrier-after-partial-exit", 0, .block = 64,
        .body = "setp.ge.u32 %p3, %r1, 48; @%p3 exit;\nbar.sync 0;" HERE) SAYS("16"),
    ROW("barrier-count-mismatch", 32, .block = 64,
        .body = WARP0 "@!%p1 bra LAST;\nbarrier.sync 1, 96; bra.uni DONE;\n"
                      "LAST: barrier.arrive 1, 64;" HERE "DONE:") SAYS("96", "64"),
    ROW("barrier-bad-count", 0, .body = "mov.u32 %r2, 33;\nbarrier.sync 1, %r2;" HERE) SAYS("33"),
    ROW("barrier-bad-id", 0, .body = "mov.u32 %r2, 16;\nbarrier.sync %r2;" HERE) SAYS("16"),
    ROW("barrier-overfull", 64, .block = 96,
        .body = "setp.ge.u32 %p1, %r1, 64; @%p1 bra LAST;\nbarrier.arrive 1, 128; bra.uni DONE;\n"
                "LAST: barrier.arrive 1, 64;" HERE "DONE:") SAYS("64"),
    ROW("barrier-rearrive", 0, .block = 96,
        .body = WARP0 "@!%p1 bra OTHER;\nbarrier.arrive 1, 96;\nbarrier.arrive 1, 96;" HERE
                      "bra.uni DONE;\nOTHER: setp.ge.u32 %p2, %r1, 64; @%p2 bra DONE;\n"
                      "barrier.sync 1, 96;\nDONE:") SAYS("barrier 1"),
    ROW("barrier-red-mixed", 32, .block = 64,
        .body = WARP0 "@!%p1 bra OTHER;\nbarrier.sync 0; bra.uni DONE;\n"
                      "OTHER: barrier.red.popc.u32 %r2, 0, %p1;" HERE "DONE:") SAYS("barrier 0"),
    ROW("cluster-double-arrive", 0, .block = 1, .cluster = 2, .grid = 2,
        .body = "barrier.cluster.arrive;\nbarrier.cluster.arrive;" HERE "barrier.cluster.wait;")
        SAYS("arrive"),
    ROW("cluster-wait-without-arrive", 0, .block = 1, .body = "barrier.cluster.wait;" HERE)
        SAYS("arrive"),
    ROW("uni-violated", 0, .grid_only = true,
        .body = "setp.lt.u32 %p1, %r31, 8;\n@%p1 bra.uni DONE;" HERE "mov.u32 %r2, 1;\nDONE:")
        SAYS("lane 8"),
    ROW("implicit-warp-sync", 1, .block = 2, .races = true,
        .body = "st.global.u32 [%rd1], %r1;" HERE) SAYS("lane 0", "out"),
    ROW("data-race", 32, .block = 64, .races = true,
        .body = "setp.eq.u32 %p1, %r31, 0;\n@%p1 st.global.u32 [%rd1], %r1;" HERE)
        SAYS("lane 0", "warp 0", "out"),
    ROW("mixed-size-race", 32, .block = 64, .races = true,
        .body = "setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32;\n"
                "@%p1 st.volatile.global.u32 [%rd1], 1;\n"
                "@%p2 ld.volatile.global.u16 %h1, [%rd1];" HERE) SAYS("out"),
    ROW("uninit-shared-read", 0, .block = 1, .body = "ld.shared.u32 %r2, [s];" HERE) SAYS("s"),
    ROW("shared-oob", 0, .block = 1, .body = "mov.u32 %r2, s;\nst.shared.u32 [%r2+4096], 0;" HERE)
        SAYS("4 bytes"),
    ROW("global-oob", 0, .block = 1, .body = "st.global.u32 [%rd1+4096], 0;" HERE) SAYS("4 bytes"),
    ROW("misaligned", 0, .block = 1, .body = "st.global.u32 [%rd1+2], 0;" HERE) SAYS("4 bytes"),
    ROW("atomic-bad-address", 0, .block = 1, .body = "red.global.add.u32 [%rd1+2], 1;" HERE)
        SAYS("4 bytes"),
    ROW("div-by-zero", 5, .body = "sub.u32 %r3, %r1, 5;\ndiv.u32 %r2, 7, %r3;" HERE)
        SAYS("division"),
    ROW("warpid-used-as-index", 0, .block = 1,
        .body = "mov.u32 %r2, %warpid; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd1, %rd5;\n"
                "st.global.u32 [%rd6], 0;" HERE) SAYS("%warpid"),
    ROW("dsmem-after-exit", 1, .block = 1, .cluster = 2, .grid = 2, .grid_only = true,
        .body = "mov.u64 %rd5, s; mapa.u64 %rd6, %rd5, 0; mov.u32 %r2, %ctaid.x;\n"
                "setp.eq.u32 %p1, %r2, 0; @%p1 exit;\n"
                "LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 100; @%p2 bra LOOP;\n"
                "st.u32 [%rd6], 1;" HERE) SAYS("CTA 0"),
    ROW("grid-sync-without-coop", 0, .block = 1,
        .body = "mov.u32 %r2, %envreg2; setp.ne.u32 %p1, %r2, 0; @%p1 bra GOOD;\ntrap;" HERE
                "GOOD:") SAYS("cooperative"),
    /* section 6 */
    ROW("assertion-failed", 0, .block = 1, .module = SYSTEM,
        .body = PARAMETERS
        "st.param.b64 [p0], %rd5; st.param.b64 [p1], %rd5; st.param.b32 [p2], 7; "
        "st.param.b64 [p3], %rd5; st.param.b64 [p4], 1;\n"
        "call __assertfail, (p0, p1, p2, p3, p4);" HERE) SAYS("a:7: a: assertion 'a' fails"),
    ROW("bad-system-call", 0, .block = 1, .module = SYSTEM,
        .body = ".param .b64 p0; .param .b64 p1; .param .b32 r;\nst.param.b64 [p0], 5; "
                "st.param.b64 [p1], "
                "0; call (r), vprintf, (p0, p1);" HERE) SAYS("0x5"),
    ROW("barrier-in-divergent-code", 0,
        .body = LOW_HALF "@!%p1 bra ELSE;\nbarrier.sync 0;" HERE "exit;\nELSE: bar.warp.sync -1;")
        SAYS("lanes 0-15", "barrier 0", "lanes 16-31", "bar.warp.sync"),
    ROW("collective-mismatch", 0,
        .body = LOW_HALF "@!%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1;" HERE
                         "exit;\nELSE: bar.warp.sync -1;")
        SAYS("lanes 0-15", "lanes 16-31", "bar.warp.sync"),
    ROW("count-never-filled", 0, .block = 64,
        .body = WARP0 "@!%p1 bra DONE;\nbar.sync 1, 64;" HERE "DONE:")
        SAYS("lanes 0-31", "barrier 1", "64"),
    ROW("cross-cta-wait-without-coop", 0, .block = 1, .grid = 2, .grid_only = true,
        .body = "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 1; @%p1 bra SET;\n"
                "SPIN: ld.acquire.gpu.global.u32 %r3, [%rd1];" HERE
                "setp.eq.u32 %p2, %r3, 0;\n@%p2 bra SPIN; exit;\n"
                "SET: st.release.gpu.global.u32 [%rd1], 1;") SAYS("clusters have started"),
    ROW("lockstep-spin", 1, .lockstep = true, .block = 2,
        .body = "SPIN: atom.global.exch.b32 %r2, [%rd1], 1; setp.ne.u32 %p1, %r2, 0;" HERE
                "@%p1 bra SPIN; st.volatile.global.u32 [%rd1], 0;") SAYS("loop"),
    ROW("grid-sync-skipped", 0, .block = 1, .cooperative = true, .grid = 2,
        .body = "mov.u32 %r2, %envreg2; mov.u32 %r3, %envreg1; mov.b64 %rd5, {%r2, %r3};\n"
                "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, %r4, 1; @%p1 exit;\n"
                "atom.global.add.u32 %r5, [%rd5+4], 1;\n"
                "SPIN: ld.acquire.gpu.global.u32 %r6, [%rd5+4];" HERE
                "setp.lt.u32 %p2, %r6, 2;\n@%p2 bra SPIN;") SAYS("loop"),
    ROW("mbarrier-phase-never-completes", 0, .block = 1,
        .body = "mov.u32 %r20, s; mbarrier.init.shared.b64 [%r20], 2; mbarrier.arrive.shared.b64 "
                "%rd5, [%r20];\nSPIN: mbarrier.test_wait.shared.b64 %p1, [%r20], %rd5; @!%p1 bra "
                "SPIN;" HERE) SAYS("1 of 2 arrivals"),
    ROW("spin-forever", 0, .block = 1,
        .body = "SPIN: ld.volatile.global.u32 %r2, [%rd2];" HERE "setp.eq.u32 %p2, %r2, 0;\n@%p2 "
                "bra SPIN;") SAYS("loop"),
};

static const struct machine_report *find(const struct kernel_result *found, const char *name)
{
    for (uint32_t i = 0; i < found->reports.items.len; i++)
        if (!strcmp(report_name(found->reports.items.at[i].id), name))
            return &found->reports.items.at[i];
    return NULL;
}

static void one_row(gconstpointer data)
{
    const struct row *row = data;
    const char *name = row->kernel.name;
    struct arena *arena = arena_new();
    struct kernel_result found = row->kernel.lockstep
                                     ? kernel_by_lanes(arena, &row->kernel, NULL, 1)
                                     : kernel_on_grid(arena, &row->kernel, NULL);
    const struct machine_report *r = find(&found, name);
    const struct source *source = found.test->source;
    const struct body *body = &found.test->bodies[found.test->launches[0].kernel];
    uint32_t here = (uint32_t)(strstr(source->text, "// here") - source->text);
    for (uint32_t i = 0; i < found.reports.items.len; i++)
        g_test_message("%s: lane %u: %s", report_name(found.reports.items.at[i].id),
                       found.reports.items.at[i].lane, found.reports.items.at[i].text);
    if (!r) {
        g_test_fail_printf("%s: not reported", name);
        return;
    }
    uint32_t line = source_place(source, here).line;
    if (r->lane != row->lane || source_place(source, r->span.offset).line != line ||
        source_place(source, body->insts[r->pc].span.offset).line != line)
        g_test_fail_printf("%s: lane %u at instruction %u, line %u; not lane %u, line %u", name,
                           r->lane, r->pc, source_place(source, r->span.offset).line, row->lane,
                           line);
    for (uint32_t i = 0; i < G_N_ELEMENTS(row->says) && row->says[i]; i++)
        if (!strstr(r->text, row->says[i]))
            g_test_fail_printf("%s says '%s', nothing of '%s'", name, r->text, row->says[i]);
    arena_free(arena);
}

/* What sections 6 and 10 do not name: bounds, faults of other objects, of the CUDA runtime. */
static bool named_elsewhere(enum report_id id)
{
    static const enum report_id others[] = {REPORT_COLLECTIVE_DIFFERENT_PC,
                                            REPORT_WRITE_TO_CONST,
                                            REPORT_POISON_USED,
                                            REPORT_TRAP,
                                            REPORT_BRANCH_OUT_OF_RANGE,
                                            REPORT_MBARRIER_BAD_STATE,
                                            REPORT_USE_BEFORE_ALLOC,
                                            REPORT_API_COPY_OVERLAP,
                                            REPORT_API_COPY_DIRECTION,
                                            REPORT_API_OUT_OF_RANGE,
                                            REPORT_API_USE_AFTER_DESTROY,
                                            REPORT_API_USE_AFTER_RESET,
                                            REPORT_API_ATTACH_STREAM,
                                            REPORT_API_ATTACH_HOST,
                                            REPORT_GRID_SYNC_PARTIAL,
                                            REPORT_API_CONDITION_UNSET,
                                            REPORT_API_CONDITION_RACE,
                                            REPORT_POSSIBLE_RACE,
                                            REPORT_SURFACE_OOB,
                                            REPORT_BAD_MULTIMEM,
                                            REPORT_BAD_TENSOR_MAP,
                                            REPORT_NOTHING_CANCELED,
                                            REPORT_BAD_TEXTURE,
                                            REPORT_USE_AFTER_FREE};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        if (others[i] == id)
            return true;
    return report_severity(id) == REPORT_bound || id == REPORT_MANAGED_WHILE_ACTIVE ||
           strstr(report_name(id), "cuda") || strstr(report_name(id), "api");
}

static void every_report_has_a_row(void)
{
    for (enum report_id id = 0; id < REPORT_COUNT; id++) {
        bool found = named_elsewhere(id);
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
            found = found || !strcmp(rows[i].kernel.name, report_name(id));
        if (!found)
            g_error("no row for '%s'", report_name(id));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = g_strdup_printf("/machine/reports/%s", rows[i].kernel.name);
        g_test_add_data_func(path, &rows[i], one_row);
    }
    g_test_add_func("/machine/reports/all", every_report_has_a_row);
    return g_test_run();
}
