/* SPDX-License-Identifier: MIT */
#include "tests/unit/machine/kernel.h"

/* Results and faults of warp collectives: lane-semantics sections 3, 4, 10 and vectors 5 to 10. */

#define SHFL(mode, b, c)                                                                           \
    "shfl.sync." mode ".b32 %r2|%p1, %r31, " b ", " c ", -1;\n"                                    \
    "selp.u32 %r3, 100, 200, %p1; add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2;"
/* expected: value + 100 when in range, + 200 when not */

static const struct kernel_case cases[] = {
    {.name = "shfl-up-1",
     .body = SHFL("up", "1", "0"),
     .expect = "200 100 101 102 103 104 105 106 107 108 109 110 111 * * * * * * * * * * * * * * * "
               "* * * 130",
     .reports = ""},
    {.name = "shfl-down-1",
     .body = SHFL("down", "1", "31"),
     .expect = "101 102 103 104 105 106 107 108 109 110 * * 113 * * * * * * * * * * * * * * * * * "
               "131 231",
     .reports = ""},
    {.name = "shfl-up-1-width-8",
     .body = SHFL("up", "1", "0x1800"),
     .expect = "200 100 101 102 103 104 105 106 208 108 109 110 111 * * * * * * * * * * * * * * * "
               "* * * 130",
     .reports = ""},
    {.name = "shfl-down-1-width-8",
     .body = SHFL("down", "1", "0x181f"),
     .expect = "101 * * 104 * * * 207 109 * * * 113 * * * * * * * * * * * * * * * * * * 231",
     .reports = ""},
    {.name = "shfl-bfly-8-width-8",
     .body = SHFL("bfly", "8", "0x181f"),
     .expect = "200 * * 203 * * * 207 100 * * * 104 * * * * * * * * * * * * * * * * * * 123",
     .reports = ""},
    {.name = "shfl-idx-3-width-8",
     .body = SHFL("idx", "3", "0x181f"),
     .expect = "103 * * 103 * * * 103 111 * * * 111 * * * * * * * * * * * * * * * * * * 127",
     .reports = ""},
    {.name = "shfl-idx-11-width-8",
     .body = SHFL("idx", "11", "0x181f"),
     .expect = "103 * * 103 * * * 103 111 * * * 111 * * * * * * * * * * * * * * * * * * 127",
     .reports = ""},
    {.name = "shfl-down-32",
     .body = SHFL("down", "32", "31"),
     .expect = "100 101 102 103 * * * 107 108 * * * 112 * * * * * * * * * * * * * * * * * * 131",
     .reports = ""},
    {.name = "shfl-down-33-is-1",
     .body = SHFL("down", "33", "31"),
     .expect = "101 102",
     .reports = ""},
    {.name = "shfl-reduction",
     .expect = "496",
     .reports = "",
     .body = "mov.u32 %r2, %r31;\n"
             "shfl.sync.down.b32 %r3, %r2, 16, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.down.b32 %r3, %r2, 8, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.down.b32 %r3, %r2, 4, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.down.b32 %r3, %r2, 2, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.down.b32 %r3, %r2, 1, 31, -1; add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], "
             "%r2;"},
    {.name = "shfl-bfly-sum-in-every-lane",
     .expect = "496 496 496 * 496",
     .reports = "",
     .body = "mov.u32 %r2, %r31;\n"
             "shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.bfly.b32 %r3, %r2, 8, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.bfly.b32 %r3, %r2, 4, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.bfly.b32 %r3, %r2, 2, 31, -1; add.u32 %r2, %r2, %r3;\n"
             "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1; add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], "
             "%r2;"},
    {.name = "shfl-bad-width",
     .expect = "*",
     .reports = "shfl-bad-width",
     .body = "shfl.sync.idx.b32 %r2, %r31, 0, 0x0a1f, -1;"},
    {.name = "shfl-source-inactive",
     .expect = "*",
     .reports = "shfl-source-inactive",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 exit;\nshfl.sync.idx.b32 %r2, %r31, 20, 31, -1;"},
    {.name = "poison-stored",
     .expect = "*",
     .reports = "shfl-source-inactive poison-used",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 exit;\nshfl.sync.idx.b32 %r2, %r31, 20, 31, -1; "
             "st.global.u32 [%rd4], %r2;"},
    {.name = "poison-not-selected",
     .expect = "7",
     .reports = "shfl-source-inactive",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 exit;\nshfl.sync.idx.b32 %r2, %r31, 20, 31, -1; "
             "setp.eq.u32 %p2, %r2, 9; setp.lt.u32 %p3, %r31, 16; or.pred %p4, %p3, %p2;\n"
             "selp.b32 %r3, 7, %r2, %p4; st.global.u32 [%rd4], %r3;"},
    {.name = "poison-selected",
     .expect = "*",
     .reports = "shfl-source-inactive poison-used",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 exit;\nshfl.sync.idx.b32 %r2, %r31, 20, 31, -1; "
             "setp.eq.u32 %p2, %r2, 9; setp.lt.u32 %p3, %r31, 16; and.pred %p4, %p3, %p2;\n"
             "selp.b32 %r3, 7, 8, %p4; st.global.u32 [%rd4], %r3;"},
    {.name = "vote-ballot-odd",
     .expect = "0xaaaaaaaa 0xaaaaaaaa",
     .reports = "",
     .body = "and.b32 %r2, %r31, 1; setp.ne.u32 %p1, %r2, 0; vote.sync.ballot.b32 %r3, %p1, -1; "
             "st.global.u32 [%rd4], %r3;"},
    {.name = "vote-ballot-half-mask",
     .expect = "0x0000aaaa 0x0000aaaa * * * * * * * * * * * * * * 0",
     .reports = "",
     .body = "and.b32 %r2, %r31, 1; setp.ne.u32 %p1, %r2, 0; setp.ge.u32 %p2, %r31, 16; @%p2 bra "
             "DONE;\n"
             "vote.sync.ballot.b32 %r3, %p1, 0xffff; st.global.u32 [%rd4], %r3;\nDONE:"},
    {.name = "vote-all-any-uni",
     .expect = "2 2 2",
     .reports = "",
     .body = "setp.lt.u32 %p1, %r31, 31; vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, "
             "%p1, -1;\n"
             "vote.sync.uni.pred %p4, %p1, -1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 2, 0, %p3; "
             "selp.u32 %r4, 4, 0, %p4;\n"
             "or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4; st.global.u32 [%rd4], %r2;"},
    {.name = "match-any",
     .reports = "",
     .expect = "0xff * * * * * * 0xff 0xff00 * * * * * * * 0xff0000 * * * * * * * 0xff000000",
     .body = "shr.u32 %r2, %r31, 3; match.any.sync.b32 %r3, %r2, -1; st.global.u32 [%rd4], %r3;"},
    {.name = "match-any-b64",
     .reports = "",
     .expect = "0xffff * * * * * * * * * * * * * * * 0xffff0000",
     .body =
         "shr.u32 %r2, %r31, 4; mov.b64 %rd5, {%r1, %r2}; and.b64 %rd5, %rd5, 0xffffffff00000000;\n"
         "match.any.sync.b64 %r3, %rd5, -1; st.global.u32 [%rd4], %r3;"},
    {.name = "match-all-differs",
     .reports = "",
     .expect = "7 7",
     .body = "shr.u32 %r2, %r31, 3; match.all.sync.b32 %r3|%p1, %r2, -1; selp.u32 %r4, 1, 7, %p1; "
             "add.u32 %r3, %r3, %r4;\n"
             "st.global.u32 [%rd4], %r3;"},
    {.name = "match-all-with-exited",
     .reports = "",
     .expect = "0x3fffffff",
     .body = "setp.ge.u32 %p2, %r31, 30; @%p2 exit;\nmatch.all.sync.b32 %r3|%p1, 5, -1; @%p1 "
             "st.global.u32 [%rd4], %r3;"},
    {.name = "redux",
     .reports = "",
     .expect = "496",
     .body = "redux.sync.add.u32 %r2, %r31, -1; st.global.u32 [%rd4], %r2;"},
    {.name = "redux-min-signed",
     .reports = "",
     .expect = "0xfffffff0",
     .body = "sub.s32 %r2, %r31, 16; redux.sync.min.s32 %r3, %r2, -1; st.global.u32 [%rd4], %r3;"},
    {.name = "redux-max-unsigned",
     .reports = "",
     .expect = "0xffffffff",
     .body = "sub.s32 %r2, %r31, 16; redux.sync.max.u32 %r3, %r2, -1; st.global.u32 [%rd4], %r3;"},
    {.name = "redux-xor",
     .reports = "",
     .expect = "0x55",
     .body = "setp.eq.u32 %p1, %r31, 7; selp.b32 %r2, 0x55, 0, %p1; redux.sync.xor.b32 %r3, %r2, "
             "-1; st.global.u32 [%rd4], %r3;"},
    {.name = "elect",
     .reports = "",
     .expect = "0 0 0 0 12 * * * 4",
     .body = "setp.lt.u32 %p2, %r31, 4; @%p2 bra DONE;\nelect.sync %r2|%p1, 0xfffffff0; selp.u32 "
             "%r3, 8, 0, %p1;\n"
             "add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2;\nDONE:"},
    {.name = "elect-another", /* the third of lanes 4 to 31; the second of lanes 0 to 3, modulo 4 */
     .reports = "",
     .expect = "2 2 10 2 6 6 14 6",
     .elect = 2,
     .body = "setp.lt.u32 %p2, %r31, 4; @%p2 bra LOW;\nelect.sync %r2|%p1, 0xfffffff0; bra BOTH;\n"
             "LOW: elect.sync %r2|%p1, 0xf;\nBOTH: selp.u32 %r3, 8, 0, %p1;\n"
             "add.u32 %r2, %r2, %r3; st.global.u32 [%rd4], %r2;"},
    {.name = "activemask-converged",
     .reports = "",
     .expect = "0xffffffff",
     .seeds = 1,
     .grid_only = true,
     .body = "activemask.b32 %r2; st.global.u32 [%rd4], %r2;"},
    {.name = "caller-not-in-mask",
     .reports = "collective-caller-not-in-mask",
     .expect = "*",
     .body = "setp.ne.u32 %p1, %r31, 1; @%p1 exit;\nbar.warp.sync 1;"},
    {.name = "mask-mismatch",
     .reports = "collective-mask-mismatch collective-mismatch",
     .expect = "*",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1; "
             "bra.uni DONE;\n"
             "ELSE: bar.warp.sync -1;\nDONE:"},
    {.name = "same-key-two-pcs",
     .reports = "",
     .expect = "0 0",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1; "
             "bra.uni DONE;\n"
             "ELSE: shfl.sync.idx.b32 %r2, %r31, 0, 31, -1;\nDONE: st.global.u32 [%rd4], %r2;"},
    {.name = "same-key-two-pcs-strict",
     .reports = "collective-different-pc",
     .expect = "0 0",
     .strict_pc = true,
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1; "
             "bra.uni DONE;\n"
             "ELSE: shfl.sync.idx.b32 %r2, %r31, 0, 31, -1;\nDONE: st.global.u32 [%rd4], %r2;"},
    {.name = "not-converged-before-sm70",
     .reports = "collective-not-converged mask-names-absent-lane",
     .expect = "*",
     .lockstep = true,
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra ELSE;\nshfl.sync.idx.b32 %r2, %r31, 0, 31, -1; "
             "bra.uni DONE;\n"
             "ELSE: shfl.sync.idx.b32 %r2, %r31, 0, 31, -1;\nDONE: st.global.u32 [%rd4], %r2;"},
    {.name = "disjoint-halves",
     .reports = "",
     .expect = "0xffff * * * * * * * * * * * * * * * 0xffff0000",
     .body = "setp.ge.u32 %p1, %r31, 16; setp.eq.u32 %p2, 0, 0; @%p1 bra "
             "ELSE;\nvote.sync.ballot.b32 %r2, %p2, 0xffff; bra.uni DONE;\n"
             "ELSE: vote.sync.ballot.b32 %r2, %p2, 0xffff0000;\nDONE: st.global.u32 [%rd4], %r2;"},
    {.name = "missing-lanes",
     .block = 16,
     .reports = "mask-names-missing-lane",
     .expect = "120",
     .body = "redux.sync.add.u32 %r2, %r31, -1; st.global.u32 [%rd4], %r2;"},
    {.name = "exited-lane-in-mask",
     .reports = "exited-lane-in-mask",
     .expect = "*",
     .body = "setp.eq.u32 %p1, %r31, 9; @%p1 exit;\nbar.warp.sync -1;"},
    {.name = "passed-by",
     .reports = "collective-passed-by",
     .expect = "*",
     .body = "setp.ge.u32 %p1, %r31, 16; mov.u32 %r2, %r31; @%p1 bra NEXT;\n"
             "shfl.sync.bfly.b32 %r2, %r31, 1, 31, -1;\nNEXT: st.global.u32 [%rd4], %r2;"},
    {.name = "passed-by-another-mask",
     .reports = "collective-passed-by",
     .expect = "*",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra HIGH;\nbar.warp.sync -1; bra.uni DONE;\n"
             "HIGH: bar.warp.sync 0xffff0000;\nDONE:"},
    {.name = "passed-by-among-others",
     .reports = "collective-passed-by",
     .expect = "*",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra NEXT;\nbar.warp.sync -1;\n"
             "NEXT: st.global.u32 [%rd4], 1; @%p1 bra DONE;\nbar.warp.sync 0xffff;\nDONE:"},
    {.name = "leaves",
     .reports = "exited-lane-in-mask",
     .expect = "1",
     .body = "st.global.u32 [%rd4], 1; setp.ge.u32 %p1, %r31, 16; @%p1 exit;\nbar.warp.sync -1;"},
    {.name = "absent-lane",
     .reports = "mask-names-absent-lane spin-forever",
     .expect = "*",
     .body = "setp.eq.u32 %p1, %r31, 9; @%p1 bra SPIN;\nbar.warp.sync -1; bra.uni DONE;\n"
             "SPIN: ld.volatile.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, %r2, 0; @%p2 bra "
             "SPIN;\nDONE:"},
    {.name = "tile-sync-with-lanes-in-barrier",
     .reports = "mask-names-absent-lane barrier-in-divergent-code",
     .expect = "*",
     .body = "setp.lt.u32 %p1, %r31, 8; @%p1 bra TILE;\nbarrier.sync 0; bra.uni DONE;\nTILE: "
             "bar.warp.sync 0xffff;\nDONE:"},
    {.name = "tile-sync-after-exit",
     .reports = "",
     .expect = "1",
     .body =
         "setp.ge.u32 %p1, %r31, 8; @%p1 exit;\nbar.warp.sync 0xffff; st.global.u32 [%rd4], 1;"},
    {.name = "uni-violated",
     .reports = "uni-violated",
     .expect = "*",
     .grid_only = true,
     .body = "setp.lt.u32 %p1, %r31, 8; @%p1 bra.uni DONE;\nst.global.u32 [%rd4], 1;\nDONE:"},
    {.name = "activemask-as-mask",
     .reports = "collective-mask-mismatch activemask-as-mask collective-mismatch",
     .expect = "*",
     .grid_only = true,
     .body = "activemask.b32 %r2; setp.lt.u32 %p1, %r31, 8; @%p1 bra LOW;\nbar.warp.sync %r2; "
             "bra.uni DONE;\n"
             "LOW: vote.sync.ballot.b32 %r3, %p1, %r2;\nDONE:"},
    {.name = "warpid-as-index",
     .reports = "warpid-used-as-index",
     .expect = "0",
     .body = "mov.u32 %r2, %warpid; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd1, %rd5; "
             "st.global.u32 [%rd6], 0;"},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    kernel_add_cases("/machine/collectives", cases, G_N_ELEMENTS(cases));
    return g_test_run();
}
