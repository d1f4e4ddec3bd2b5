/* SPDX-License-Identifier: MIT */
#include "tests/unit/machine/kernel.h"

/* CTA and cluster barriers, mbarriers, copies, exits and hangs: lane-semantics sections 5, 6, 10,
 * 12 and vectors 4, 11 to 13, 15, 17. */

#define COUNT(what, predicate)                                                                     \
    "setp." predicate ";\nbar.red." what " %r2, 0, %p1; st.global.u32 [%rd4], %r2;"
#define PREDICATE(what, predicate)                                                                 \
    "setp." predicate ";\nbar.red." what                                                           \
    ".pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2; st.global.u32 [%rd4], %r2;"
#define WARP0   "setp.lt.u32 %p1, %r1, 32; "
#define ADDRESS "mov.u32 %r20, s; shl.b32 %r21, %r1, 2; add.u32 %r22, %r20, %r21; "

static const struct kernel_case cases[] = {
    {.name = "count-odd",
     .block = 64,
     .expect = "32 32",
     .reports = "",
     .body = "and.b32 %r3, %r1, 1; " COUNT("popc.u32", "ne.u32 %p1, %r3, 0")},
    {.name = "and-true",
     .block = 64,
     .expect = "1 1",
     .reports = "",
     .body = PREDICATE("and", "lt.u32 %p1, %r1, 64")},
    {.name = "and-false",
     .block = 64,
     .expect = "0 0",
     .reports = "",
     .body = PREDICATE("and", "lt.u32 %p1, %r1, 63")},
    {.name = "or",
     .block = 64,
     .expect = "1 1",
     .reports = "",
     .body = PREDICATE("or", "eq.u32 %p1, %r1, 7")},
    {.name = "count-after-exits",
     .block = 64,
     .expect = "48 48",
     .reports = "barrier-after-partial-exit",
     .lanes_only = false,
     .grid_only = true,
     .body = "setp.ge.u32 %p3, %r1, 48; @%p3 exit;\n" COUNT("popc.u32", "eq.u32 %p1, 0, 0")},
    {.name = "data-crosses",
     .block = 64,
     .expect = "63 62 61",
     .reports = "",
     .body = ADDRESS "st.shared.u32 [%r22], %r1; bar.sync 0; sub.u32 %r3, 63, %r1; shl.b32 %r3, "
                     "%r3, 2; add.u32 %r3, %r20, %r3;\n"
                     "ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd4], %r4;",
     .races = true},
    {.name = "released-by-exit",
     .block = 64,
     .expect = "*",
     .reports = "barrier-after-partial-exit",
     .body = WARP0 "@!%p1 bra DONE;\nbar.sync 0;\nDONE:"},
    {.name = "passed-by",
     .block = 64,
     .expect = "*",
     .reports = "aligned-barrier-divergent",
     .body = WARP0 "@!%p1 bra NEXT;\nbar.sync 0;\nNEXT: st.global.u32 [%rd4], 1;"},
    {.name = "passed-by-unaligned",
     .block = 64,
     .expect = "1",
     .reports = "barrier-after-partial-exit",
     .body = WARP0 "@!%p1 bra NEXT;\nbarrier.sync 0;\nNEXT: st.global.u32 [%rd4], 1;"},
    {.name = "acts-before-it-leaves",
     .block = 64,
     .expect = "1",
     .reports = "barrier-after-partial-exit",
     .body = "st.global.u32 [%rd4], 1; setp.ge.u32 %p1, %r1, 40; @%p1 exit;\nbar.sync 0;"},
    {.name = "leaves-a-loop",
     .block = 64,
     .expect = "*",
     .reports = "barrier-after-partial-exit",
     .body = "mov.u32 %r2, 3;\nLOOP: st.global.u32 [%rd4], %r2; setp.eq.u32 %p2, %r2, %r1; @%p2 "
             "bra DONE;\nbar.sync 0; sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra "
             "LOOP;\nDONE:"},
    {.name = "mispaired",
     .block = 64,
     .expect = "*",
     .reports = "aligned-barrier-divergent",
     .body = WARP0 "@!%p1 bra NEXT;\nbar.sync 0;\nNEXT: st.global.u32 [%rd4], 1; bar.sync 0;"},
    {.name = "barrier-against-warp-sync",
     .expect = "*",
     .reports = "aligned-barrier-divergent barrier-in-divergent-code mask-names-absent-lane",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra NEXT;\nbar.sync 0;\nNEXT: bar.warp.sync -1;"},
    {.name = "half-warp-then-end",
     .expect = "*",
     .reports = "barrier-after-partial-exit",
     .body = "setp.ge.u32 %p1, %r31, 16; @%p1 bra DONE;\nbar.sync 0;\nDONE:"},
    {.name = "two-aligned-barriers",
     .block = 64,
     .expect = "*",
     .reports = "aligned-barrier-divergent",
     .body = "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN;\nst.global.u32 [%rd4], "
             "1; bar.sync 0; bra.uni DONE;\n"
             "EVEN: st.global.u32 [%rd4], 2; bar.sync 0;\nDONE:"},
    {.name = "two-unaligned-barriers",
     .block = 64,
     .expect = "2 1 2",
     .reports = "",
     .body = "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN;\nst.global.u32 [%rd4], "
             "1; barrier.sync 0; bra.uni DONE;\n"
             "EVEN: st.global.u32 [%rd4], 2; barrier.sync 0;\nDONE:"},
    {.name = "spin-before-barrier",
     .block = 64,
     .expect = "*",
     .reports = "spin-forever barrier-in-divergent-code aligned-barrier-divergent",
     .body = WARP0 "@!%p1 bra WAIT;\nSPIN: ld.volatile.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, "
                   "%r2, 0; @%p2 bra SPIN;\n"
                   "WAIT: bar.sync 0; st.volatile.global.u32 [%rd2], 1;"},
    {.name = "trip-counts-differ",
     .block = 64,
     .expect = "*",
     .reports = "barrier-after-partial-exit",
     .body = "shr.u32 %r2, %r1, 5; add.u32 %r2, %r2, 1;\nLOOP: bar.sync 0; sub.u32 %r2, %r2, 1; "
             "setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;"},
    {.name = "uniform-condition",
     .block = 64,
     .grid = 2,
     .expect = "*",
     .reports = "",
     .body = "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra DONE;\nbar.sync 0;\nDONE:"},
    {.name = "count-mismatch",
     .block = 96,
     .expect = "*",
     .reports = "barrier-count-mismatch barrier-overfull",
     .lanes_only = true,
     .seeds = 1,
     .body = "setp.ge.u32 %p1, %r1, 64; @%p1 bra LAST;\nbarrier.sync 1, 64; bra.uni DONE;\nLAST: "
             "barrier.arrive 1, 96;\nDONE:"},
    {.name = "count-never-filled",
     .block = 64,
     .expect = "*",
     .reports = "count-never-filled",
     .body = WARP0 "@!%p1 bra DONE;\nbar.sync 1, 64;\nDONE:"},
    {.name = "no-count-after-exit",
     .block = 64,
     .expect = "1 1",
     .reports = "barrier-after-partial-exit",
     .body = WARP0 "@!%p1 bra DONE;\nbar.sync 1; st.global.u32 [%rd4], 1;\nDONE:"},
    {.name = "overfull",
     .block = 96,
     .expect = "*",
     .reports = "barrier-count-mismatch barrier-overfull",
     .grid_only = true,
     .body = "setp.ge.u32 %p1, %r1, 64; @%p1 bra LAST;\nbarrier.arrive 1, 128; bra.uni DONE;\n"
             "LAST: barrier.arrive 1, 64;\nDONE:"},
    {.name = "rearrive",
     .block = 96,
     .expect = "*",
     .reports = "barrier-rearrive count-never-filled",
     .grid_only = true,
     .body = WARP0 "@!%p1 bra OTHER;\nbarrier.arrive 1, 96; barrier.arrive 1, 96; bra.uni DONE;\n"
                   "OTHER: setp.ge.u32 %p2, %r1, 64; @%p2 bra DONE;\nbarrier.sync 1, 96;\nDONE:"},
    {.name = "red-mixed",
     .block = 64,
     .expect = "*",
     .reports = "barrier-red-mixed",
     .body = WARP0 "setp.eq.u32 %p2, 0, 0; @!%p1 bra OTHER;\nbarrier.red.popc.u32 %r2, 0, %p2; "
                   "bra.uni DONE;\nOTHER: barrier.sync 0;\nDONE:"},
    {.name = "bad-id",
     .expect = "*",
     .reports = "barrier-bad-id",
     .body = "mov.u32 %r2, 16; bar.sync %r2;"},
    {.name = "bad-count",
     .expect = "*",
     .reports = "barrier-bad-count",
     .body = "mov.u32 %r2, 33; bar.sync 0, %r2;"},
    {.name = "producer-consumer",
     .block = 64,
     .expect = "* * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * 7 8 9",
     .reports = "",
     .races = true,
     .body = ADDRESS WARP0 "@!%p1 bra CONSUMER;\nadd.u32 %r2, %r1, 7; st.shared.u32 [%r22], %r2; "
                           "bar.arrive 0, 64; bar.sync 1, 64; bra.uni DONE;\n"
                           "CONSUMER: bar.sync 0, 64; ld.shared.u32 %r3, [%r22+-128]; bar.arrive "
                           "1, 64; st.global.u32 [%rd4], %r3;\nDONE:"},
    {.name = "late-store-races",
     .block = 64,
     .expect = "*",
     .reports = "data-race",
     .races = true,
     .lanes_only = true,
     .seeds = 1,
     .body = ADDRESS WARP0
     "@!%p1 bra CONSUMER;\nbarrier.arrive 0, 64; st.shared.u32 [%r22], %r1; bra.uni DONE;\n"
     "CONSUMER: barrier.sync 0, 64; st.shared.u32 [%r22+-128], %r1;\nDONE:"},
    {.name = "cluster-barrier",
     .grid = 2,
     .cluster = 2,
     .expect = "41 41",
     .reports = "",
     .body =
         ADDRESS "mov.u32 %r2, %cluster_ctarank; add.u32 %r3, %r2, 40; st.shared.u32 [%r22], %r3;\n"
                 "barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %r4, %r2, 1; cvt.u64.u32 "
                 "%rd5, %r22; cvta.shared.u64 %rd5, %rd5;\n"
                 "mapa.u64 %rd6, %rd5, %r4; ld.u32 %r5, [%rd6]; setp.eq.u32 %p1, %r2, 0; @%p1 "
                 "st.global.u32 [%rd4], %r5;\n"
                 "barrier.cluster.arrive; barrier.cluster.wait;",
     .races = true},
    {.name = "dsmem-after-exit",
     .grid = 2,
     .cluster = 2,
     .expect = "*",
     .reports = "dsmem-after-exit",
     .grid_only = true,
     .body = ADDRESS
     "mov.u32 %r2, %cluster_ctarank; setp.eq.u32 %p1, %r2, 0; @%p1 exit;\ncvt.u64.u32 %rd5, %r22;\n"
     "mapa.u64 %rd6, %rd5, 0; st.u32 [%rd6], 1;"},
    {.name = "cluster-double-arrive",
     .expect = "*",
     .reports = "cluster-double-arrive",
     .body = "barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;"},
    {.name = "cluster-wait-without-arrive",
     .expect = "*",
     .reports = "cluster-wait-without-arrive",
     .body = "barrier.cluster.wait;"},
    {.name = "mbarrier-phase",
     .expect = "32",
     .reports = "",
     .body = "mov.u32 %r20, s; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r20], 32; "
             "bar.sync 0;\n"
             "atom.shared.add.u32 %r2, [%r20+8], 1;\nmbarrier.arrive.shared.b64 %rd5, [%r20];\n"
             "WAIT: mbarrier.try_wait.shared.b64 %p2, [%r20], %rd5; @!%p2 bra WAIT;\nld.shared.u32 "
             "%r3, [%r20+8]; st.global.u32 [%rd4], %r3;"},
    {.name = "mbarrier-never-completes",
     .expect = "*",
     .reports = "mbarrier-phase-never-completes",
     .lanes_only = true,
     .seeds = 1,
     .body = "mov.u32 %r20, s; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r20], 33; "
             "barrier.sync 0;\n"
             "mbarrier.arrive.shared.b64 %rd5, [%r20];\nWAIT: mbarrier.test_wait.shared.b64 %p2, "
             "[%r20], %rd5; @!%p2 bra WAIT;"},
    {.name = "mbarrier-not-initialised",
     .expect = "*",
     .reports = "mbarrier-bad-state",
     .body = "mov.u32 %r20, s; mbarrier.arrive.shared.b64 _, [%r20];"},
    {.name = "cp-async",
     .expect = "0 5",
     .reports = "",
     .races = true,
     .body = ADDRESS "st.global.u32 [%rd4], %r1; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd2, "
                     "%rd5; mul.lo.u32 %r3, %r1, 5;\n"
                     "st.global.u32 [%rd6], %r3; cp.async.ca.shared.global [%r22], [%rd6], 4; "
                     "cp.async.commit_group; cp.async.wait_group 0;\n"
                     "ld.shared.u32 %r4, [%r22]; st.global.u32 [%rd4], %r4;"},
    {.name = "in-warp-spin-lock",
     .expect = "* 32",
     .reports = "",
     .body = "LOCK: atom.global.cas.b32 %r2, [%rd2], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra "
             "LOCK;\nmembar.gl;\n"
             "ld.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; st.global.u32 [%rd1+4], %r3; "
             "membar.gl; atom.global.exch.b32 %r4, [%rd2], 0;",
     .races = true},
    {.name = "in-warp-spin-lock-lockstep",
     .expect = "*",
     .reports = "lockstep-spin",
     .lockstep = true,
     .seeds = 1,
     .body = "LOCK: atom.global.cas.b32 %r2, [%rd2], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra "
             "LOCK;\natom.global.exch.b32 %r4, [%rd2], 0;"},
    {.name = "grid-sync",
     .grid = 2,
     .cooperative = true,
     .expect = "2 2",
     .reports = "",
     .races = true,
     .body = "mov.u32 %r2, %envreg2; mov.u32 %r3, %envreg1; mov.b64 %rd5, {%r2, %r3}; setp.eq.u64 "
             "%p1, %rd5, 0; @%p1 trap;\n"
             "mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd6, %r4, 128; add.s64 %rd7, %rd2, %rd6; "
             "add.s64 %rd8, %rd7, %rd3; st.global.u32 [%rd8], 1;\n"
             "barrier.sync 0; setp.ne.u32 %p2, %r1, 0; @%p2 bra OVER;\natom.add.release.gpu.u32 "
             "%r5, [%rd5+4], 1;\n"
             "SPIN: ld.acquire.gpu.u32 %r6, [%rd5+4]; setp.lt.u32 %p3, %r6, 2; @%p3 bra "
             "SPIN;\nOVER: barrier.sync 0;\n"
             "add.s64 %rd9, %rd2, %rd3; ld.global.u32 %r7, [%rd9]; ld.global.u32 %r8, [%rd9+128]; "
             "add.u32 %r7, %r7, %r8;\n"
             "setp.ne.u32 %p4, %r4, 0; @!%p4 st.global.u32 [%rd4], %r7;"},
    {.name = "grid-sync-without-coop",
     .expect = "*",
     .reports = "grid-sync-without-coop",
     .body = "mov.u32 %r2, %envreg2; mov.u32 %r3, %envreg1; mov.b64 %rd5, {%r2, %r3}; setp.eq.u64 "
             "%p1, %rd5, 0; @%p1 trap;"},
    {.name = "grid-sync-skipped",
     .grid = 2,
     .cooperative = true,
     .expect = "*",
     .reports = "grid-sync-skipped",
     .body = "mov.u32 %r2, %envreg2; mov.b64 %rd5, {%r2, %r2}; and.b64 %rd5, %rd5, 0xffffffff; "
             "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p1, %r4, 1; @%p1 exit;\n"
             "setp.ne.u32 %p2, %r1, 0; @%p2 exit;\natom.add.release.gpu.u32 %r5, [%rd5+4], 1;\n"
             "SPIN: ld.acquire.gpu.u32 %r6, [%rd5+4]; setp.lt.u32 %p3, %r6, 2; @%p3 bra SPIN;"},
    {.name = "cross-cta-flag",
     .grid = 3,
     .expect = "5",
     .reports = "",
     .races = true,
     .body = "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\nsetp.eq.u32 %p2, %r2, 2; "
             "@%p2 bra WRITER;\nsetp.eq.u32 %p4, %r2, 1; @%p4 exit;\n"
             "SPIN: ld.acquire.gpu.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra "
             "SPIN;\nld.global.u32 %r4, [%rd2+4]; st.global.u32 [%rd1], %r4; exit;\n"
             "WRITER: st.global.u32 [%rd2+4], 5; st.release.gpu.u32 [%rd2], 1;"},
    {.name = "cross-cta-wait",
     .grid = 2,
     .expect = "*",
     .reports = "cross-cta-wait-without-coop",
     .grid_only = true,
     .body = "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\nsetp.eq.u32 %p2, %r2, 1; "
             "@%p2 bra WRITER;\n"
             "SPIN: ld.acquire.gpu.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra "
             "SPIN;\nexit;\nWRITER: st.release.gpu.u32 [%rd2], 1;"},
    {.name = "long-loop-is-no-hang",
     .block = 1,
     .expect = "400000",
     .reports = "",
     .grid_only = true,
     .body = "mov.u32 %r2, 0;\nLOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 400000; @%p1 bra "
             "LOOP;\nst.global.u32 [%rd1], %r2;"},
    {.name = "flag-without-acquire-races",
     .grid = 2,
     .expect = "*",
     .reports = "data-race",
     .races = true,
     .body = "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\nsetp.eq.u32 %p2, %r2, 1; "
             "@%p2 bra WRITER;\n"
             "SPIN: ld.relaxed.gpu.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra "
             "SPIN;\nld.global.u32 %r4, [%rd2+4]; st.global.u32 [%rd1], %r4; exit;\n"
             "WRITER: st.global.u32 [%rd2+4], 5; st.release.gpu.u32 [%rd2], 1;"},
    {.name = "cta-scope-does-not-reach",
     .grid = 2,
     .expect = "*",
     .reports = "data-race",
     .races = true,
     .body = "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 exit;\nsetp.eq.u32 %p2, %r2, 1; "
             "@%p2 bra WRITER;\n"
             "SPIN: ld.acquire.cta.u32 %r3, [%rd2]; setp.eq.u32 %p3, %r3, 0; @%p3 bra "
             "SPIN;\nld.global.u32 %r4, [%rd2+4]; st.global.u32 [%rd1], %r4; exit;\n"
             "WRITER: st.global.u32 [%rd2+4], 5; st.release.cta.u32 [%rd2], 1;"},
    {.name = "mixed-size-race",
     .block = 64,
     .expect = "*",
     .reports = "mixed-size-race",
     .races = true,
     .body = WARP0
     "@%p1 bra NARROW;\nsetp.ne.u32 %p2, %r1, 32; @%p2 exit;\nst.global.u32 [%rd1], 1; exit;\n"
     "NARROW: setp.ne.u32 %p3, %r1, 0; @%p3 exit;\nst.global.u16 [%rd1], 1;"},
    {.name = "warp-sync-orders",
     .expect = "31 30",
     .reports = "",
     .races = true,
     .body = ADDRESS "st.shared.u32 [%r22], %r1; bar.warp.sync -1; sub.u32 %r3, 31, %r1; shl.b32 "
                     "%r3, %r3, 2; add.u32 %r3, %r20, %r3;\n"
                     "ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd4], %r4;"},
    {.name = "implicit-warp-sync",
     .expect = "*",
     .reports = "implicit-warp-sync",
     .races = true,
     .seeds = 1,
     .body = ADDRESS "st.shared.u32 [%r22], %r1; sub.u32 %r3, 31, %r1; shl.b32 %r3, %r3, 2; "
                     "add.u32 %r3, %r20, %r3;\n"
                     "ld.volatile.shared.u32 %r4, [%r3];"},
    {.name = "step-bound",
     .expect = "*",
     .reports = "step-bound",
     .body = "LOOP: add.u32 %r2, %r2, 1; st.global.u32 [%rd4], %r2; bra LOOP;"},
    {.name = "shared-oob",
     .expect = "*",
     .reports = "shared-oob",
     .body = ADDRESS "st.shared.u32 [%r22+4096], %r1;"},
    {.name = "global-oob",
     .expect = "*",
     .reports = "global-oob",
     .body = "st.global.u32 [%rd4+4096], %r1;"},
    {.name = "misaligned",
     .expect = "*",
     .reports = "misaligned",
     .body = "st.global.u32 [%rd4+2], %r1;"},
    {.name = "uninit-shared-read",
     .expect = "*",
     .reports = "uninit-shared-read",
     .body = ADDRESS "ld.shared.u32 %r2, [%r22];"},
    {.name = "trap", .expect = "*", .reports = "trap", .body = "trap;"},
    {.name = "division-by-zero",
     .expect = "*",
     .reports = "div-by-zero",
     .body = "div.u32 %r2, 7, %r1;"},
};

/* A copy that nothing waits for may read what was stored after a dozen others were issued. */
static void copies_stay_on_their_way(void)
{
    struct arena *arena = arena_new();
    GString *body = g_string_new("mov.u32 %r20, s; ");
    for (uint32_t i = 0; i < 12; i++)
        g_string_append_printf(body, "cp.async.ca.shared.global [%%r20+%u], [%%rd2+%u], 4;\n",
                               4 * i, 4 * i);
    g_string_append(body, "st.global.u32 [%rd2], 5; cp.async.wait_all; ld.shared.u32 %r2, [%r20]; "
                          "st.global.u32 [%rd1], %r2;");
    const struct kernel_case c = {.name = "copies", .block = 1, .body = body->str};
    g_assert_cmpuint(kernel_by_lanes(arena, &c, NULL, FIRST_CHOICE).out[0], ==, 5);
    g_string_free(body, TRUE);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    kernel_add_cases("/machine/barriers", cases, G_N_ELEMENTS(cases));
    g_test_add_func("/machine/barriers/copies-stay-on-their-way", copies_stay_on_their_way);
    return g_test_run();
}
