/* SPDX-License-Identifier: MIT */
#include "tests/unit/machine/kernel.h"

/* Functions: PTX 7.1 and 9.7.12.4, lane-semantics sections 11 and 13. */

/* int NAME(int a) with registers of its own names; the caller's side of a call of it. */
#define FUNC(name) ".func (.param .b32 result) " name " (.param .b32 a)\n"
#define CALL(name, to, from)                                                                       \
    "{ .param .b32 p; st.param.b32 [p+0], " from "; .param .b32 q; call.uni (q), " name            \
    ", (p); ld.param.b32 " to ", [q+0]; }\n"
#define OUT(reg) "st.global.u32 [%rd4], " reg ";\n"

static const char twice[] =
    FUNC("twice") "{ .reg .b32 %r<64>; ld.param.u32 %r1, [a]; "
                  "add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret; }\n";

/* Its local variable keeps what it got while the next call writes its own. */
static const char factorial[] = FUNC(
    "factorial") "{ .reg .b32 %r<8>; .reg .pred %p; .reg .b64 %rd; .local .align 4 .b8 kept[4];\n"
                 "ld.param.u32 %r1, [a]; mov.u64 %rd, kept; st.local.u32 [%rd], %r1;\n"
                 "setp.le.s32 %p, %r1, 1; @%p bra ONE; sub.s32 %r2, %r1, 1;\n" CALL(
                     "factorial", "%r3", "%r2") "ld.local.u32 %r4, [kept]; mul.lo.s32 %r5, %r3, "
                                                "%r4; mul.lo.s32 %r6, %r3, %r1; setp.ne.u32 %p, "
                                                "%r5, %r6; @%p trap;\n"
                                                "st.param.b32 [result], %r6; ret;\n"
                                                "ONE: st.param.b32 [result], 1; }\n";

/* Walks the address of each caller's local variable up to the outermost one. */
static const char pointers[] =
    ".func (.param .b32 result) deep (.param .b32 n, .param .b64 sum)\n"
    "{ .reg .b32 %r<8>; .reg .pred %p; .reg .b64 %rd<4>; .local .align 4 .u32 mine;\n"
    "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [sum]; st.local.u32 [mine], %r1;\n"
    "ld.u32 %r2, [%rd1]; add.u32 %r2, %r2, %r1; st.u32 [%rd1], %r2;\n"
    "setp.eq.u32 %p, %r1, 0; @%p bra END; sub.u32 %r3, %r1, 1;\n"
    "cvta.local.u64 %rd2, mine; mov.u64 %rd2, mine;\n"
    "{ .param .b32 p; .param .b64 s; .param .b32 q; st.param.b32 [p], %r3; st.param.b64 [s], "
    "%rd2;\n"
    "call.uni (q), deep, (p, s); ld.param.b32 %r4, [q]; }\n"
    "END: ld.local.u32 %r5, [mine]; st.param.b32 [result], %r5; ret; }\n";

static const char pairs[] =
    ".func (.param .align 8 .b8 result[16]) swap (.param .align 8 .b8 a[16])\n"
    "{ .reg .b64 %rd<3>; ld.param.v2.u64 {%rd1, %rd2}, [a]; st.param.u64 [result+8], %rd1; "
    "st.param.u64 [result], %rd2; ret; }\n";

static const char meeting[] =
    ".func meeting ()\n{ bar.warp.sync -1; bar.sync 0; ret; }\n"
    ".func early (.param .b32 a)\n{ .reg .b32 %r1; .reg .pred %p; ld.param.u32 %r1, [a];\n"
    "setp.lt.u32 %p, %r1, 16; @%p ret; setp.lt.u32 %p, %r1, 24; @%p bra L; ret; L: }\n"
    ".func leave (.param .b32 a)\n{ .reg .b32 %r1; .reg .pred %p; ld.param.u32 %r1, [a];\n"
    "setp.lt.u32 %p, %r1, 16; @%p exit; ret; }\n";

static const struct kernel_case cases[] = {
    {.name = "parameter-and-return",
     .module = twice,
     .expect = "0 2 4 * * 10",
     .reports = "",
     .body = CALL("twice", "%r2", "%r1") OUT("%r2")},
    {.name = "registers-are-the-callers-own",
     .module = twice,
     .expect = "100 104 108",
     .reports = "",
     .body = "add.u32 %r2, %r1, %r1; add.u32 %r2, %r2, 100;\n" CALL(
         "twice", "%r3", "%r1") "add.u32 %r2, %r2, %r3;\n" OUT("%r2")},
    {.name = "guarded-call",
     .module = twice,
     .expect = "7 2 7 6",
     .reports = "",
     .body = "mov.u32 %r3, 7; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;\n"
             "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r1;\n"
             "@%p1 call (q), twice, (p); @%p1 ld.param.b32 %r3, [q]; }\n" OUT("%r3")},
    {.name = "nested",
     .module = ".func (.param .b32 result) twice (.param .b32 a);\n" /* comes later */
     FUNC("four") "{ .reg .b32 %r<4>; ld.param.u32 %r1, [a];\n" CALL("twice", "%r2", "%r1")
         CALL("twice", "%r3", "%r2") "st.param.b32 [result], %r3; }\n" FUNC(
             "twice") "{ .reg .b32 %r; ld.param.u32 %r, [a]; shl.b32 %r, %r, 1; st.param.b32 "
                      "[result], %r; ret; }\n",
     .expect = "0 4 8",
     .reports = "",
     .body = CALL("four", "%r2", "%r1") OUT("%r2")},
    {.name = "recursion",
     .module = factorial,
     .expect = "1 2 6 24 120 720 1",
     .reports = "",
     .body =
         "rem.u32 %r3, %r1, 6; add.u32 %r3, %r3, 1;\n" CALL("factorial", "%r2", "%r3") OUT("%r2")},
    {.name = "locals-of-every-call",
     .module = pointers,
     .block = 2,
     .expect = "9 10",
     .reports = "",
     .body = ".local .align 4 .u32 top; mov.u64 %rd5, top; st.local.u32 [top], %r1;\n"
             "{ .param .b32 p; .param .b64 s; .param .b32 q; st.param.b32 [p], 4; "
             "st.param.b64 [s], %rd5; call.uni (q), deep, (p, s); ld.param.b32 %r2, [q]; }\n"
             /* 4 + what the next call added, 3; and 4 added to its own */
             "ld.local.u32 %r3, [top]; sub.u32 %r3, %r3, 2; add.u32 %r2, %r2, %r3;\n" OUT("%r2")},
    {.name = "structures",
     .module = pairs,
     .block = 1,
     .expect = "22 0 11",
     .reports = "",
     .body = "mov.u64 %rd5, 11; mov.u64 %rd6, 22;\n"
             "{ .param .align 8 .b8 p[16]; st.param.u64 [p], %rd5; st.param.u64 [p+8], %rd6;\n"
             ".param .align 8 .b8 q[16]; call.uni (q), swap, (p);\n"
             "ld.param.u64 %rd7, [q]; ld.param.u64 %rd8, [q+8]; }\n"
             "st.global.u64 [%rd1], %rd7; st.global.u64 [%rd1+8], %rd8;\n"},
    {.name = "lanes-of-two-places-meet",
     .module = meeting,
     .expect = "1 1",
     .reports = "",
     .body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW; call.uni meeting, (); bra END;\n"
             "LOW: call.uni meeting; END: mov.u32 %r2, 1;\n" OUT("%r2")},
    {.name = "different-returns",
     .module = meeting,
     .expect = "0xffffffff",
     .reports = "",
     .body = "{ .param .b32 p; st.param.b32 [p], %r1; call early, (p); }\n"
             "setp.eq.u32 %p1, %r1, %r1; vote.sync.ballot.b32 %r2, %p1, -1;\n" OUT("%r2")},
    {.name = "different-returns-lockstep",
     .module = meeting,
     .lockstep = true,
     .expect = "0xffffffff",
     .reports = "",
     .body = "{ .param .b32 p; st.param.b32 [p], %r1; call early, (p); }\n"
             "setp.eq.u32 %p1, %r1, %r1; vote.sync.ballot.b32 %r2, %p1, -1;\n" OUT("%r2")},
    {.name = "recursion-lockstep",
     .module = factorial,
     .lockstep = true,
     .expect = "1 2 6 24 120 720 1",
     .reports = "",
     .body =
         "rem.u32 %r3, %r1, 6; add.u32 %r3, %r3, 1;\n" CALL("factorial", "%r2", "%r3") OUT("%r2")},
    {.name = "exit-inside",
     .module = meeting,
     .expect = "0 * * * * * * * * * * * * * * 0 0xffff0000",
     .reports = "",
     .body =
         "{ .param .b32 p; st.param.b32 [p], %r1; call leave, (p); }\n"
         "activemask.b32 %r3; setp.eq.u32 %p1, %r1, %r1; vote.sync.ballot.b32 %r2, %p1, -1;\n" OUT(
             "%r2")},
    {.name = "undefined-value-returned-is-not-lost",
     .module = FUNC("zero") "{ .reg .b32 %r<3>; ld.param.u32 %r1, [a]; div.u32 %r2, %r1, 0; "
                            "st.param.b32 [result], %r2; ret; }\n",
     .block = 1,
     .expect = "*",
     .reports = "div-by-zero poison-used",
     .body = CALL("zero", "%r2", "%r1")},
    {.name = "too-deep",
     .module = factorial,
     .block = 1,
     .expect = "0",
     .reports = "call-too-deep",
     .body = "mov.u32 %r3, 100000;\n" CALL("factorial", "%r2", "%r3") OUT("%r2")},
    {.name = "race-inside",
     .module = ".func put (.param .b64 at, .param .b32 v)\n{ .reg .b32 %r; .reg .b64 %rd; "
               "ld.param.u64 %rd, [at]; ld.param.u32 %r, [v]; st.global.u32 [%rd], %r; ret; }\n",
     .block = 2,
     .races = true,
     .expect = "*",
     .reports = "implicit-warp-sync",
     .body = "{ .param .b64 p; .param .b32 v; st.param.b64 [p], %rd1; st.param.b32 [v], %r1; "
             "call put, (p, v); }\n"},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    kernel_add_cases("/machine/calls", cases, G_N_ELEMENTS(cases));
    return g_test_run();
}
