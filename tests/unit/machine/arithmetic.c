/* SPDX-License-Identifier: MIT */

#include "tests/unit/machine/kernel.h"

/* Values of instructions and of atomics: lane-semantics sections 7 and 11. Each case is
 * one lane's; AT stores a 32-bit register at a byte of out. */

#define AT(n, reg) "st.global.u32 [%rd1+" n "], " reg ";\n"

static const struct kernel_case cases[] = {
    {.name = "mul-wide-negative-immediate",
     .block = 1,
     .expect = "0x55555556 1",
     .reports = "",
     .body = "mov.u32 %r2, 2; mul.wide.u32 %rd5, %r2, -1431655765; mov.b64 {%r3, %r4}, %rd5;\n" AT(
         "0", "%r3") AT("4", "%r4")},
    {.name = "mul-wide-signed",
     .block = 1,
     .expect = "0xfffffffa 0xffffffff",
     .reports = "",
     .body = "mov.u32 %r2, -3; mul.wide.s32 %rd5, %r2, 2; mov.b64 {%r3, %r4}, %rd5;\n" AT(
         "0", "%r3") AT("4", "%r4")},
    {.name = "mul-hi",
     .block = 1,
     .expect = "0xfffffffe 0 0xffffffff",
     .reports = "",
     .body = "mov.u32 %r2, -1; mul.hi.u32 %r3, %r2, %r2; mul.hi.s32 %r4, %r2, %r2; mul.hi.s32 %r5, "
             "%r2, 5;\n" AT("0", "%r3") AT("4", "%r4") AT("8", "%r5")},
    {.name = "div-rem",
     .block = 1,
     .expect = "-3 -1 0x80000000 0 -3 1",
     .reports = "",
     .body = "mov.u32 %r2, -10; div.s32 %r3, %r2, 3; rem.s32 %r4, %r2, 3; mov.u32 %r5, 0x80000000; "
             "div.s32 %r6, %r5, -1; rem.s32 %r7, %r5, -1;\n"
             "mov.u32 %r8, 10; div.s32 %r9, %r8, -3; rem.s32 %r10, %r8, -3;\n" AT("0", "%r3")
                 AT("4", "%r4") AT("8", "%r6") AT("12", "%r7") AT("16", "%r9") AT("20", "%r10")},
    {.name = "abs-neg-min-max-sad",
     .block = 1,
     .expect = "0x80000000 5 -7 0xfffffff9 9 12",
     .reports = "",
     .body = "mov.u32 %r2, 0x80000000; abs.s32 %r3, %r2; mov.u32 %r4, -5; neg.s32 %r5, %r4; "
             "mov.u32 %r6, -7; mov.u32 %r7, 9;\n"
             "min.s32 %r8, %r6, %r7; max.u32 %r9, %r6, %r7; min.u32 %r10, %r6, %r7; mov.u32 %r11, "
             "2; sad.u32 %r12, %r7, %r11, 5;\n" AT("0", "%r3") AT("4", "%r5") AT("8", "%r8")
                 AT("12", "%r9") AT("16", "%r10") AT("20", "%r12")},
    {.name = "shifts-clamp",
     .block = 1,
     .expect = "0 0 0xffffffff 0x40000000 0",
     .reports = "",
     .body = "mov.u32 %r2, -1; shl.b32 %r3, %r2, 32; shr.u32 %r4, %r2, 33; shr.s32 %r5, %r2, 100; "
             "mov.u32 %r6, 1; shl.b32 %r7, %r6, 30;\n"
             "mov.b64 %rd5, {%r2, %r2}; shl.b64 %rd5, %rd5, 64; cvt.u32.u64 %r8, %rd5;\n" AT(
                 "0", "%r3") AT("4", "%r4") AT("8", "%r5") AT("12", "%r7") AT("16", "%r8")},
    {.name = "funnel",
     .block = 1,
     .expect = "0x34567887 0x87123456 0x12345678 0x87654321",
     .reports = "",
     .body = "mov.u32 %r2, 0x87654321; mov.u32 %r3, 0x12345678; shf.l.wrap.b32 %r4, %r2, %r3, 8; "
             "shf.r.wrap.b32 %r5, %r3, %r2, 40;\n"
             "shf.r.wrap.b32 %r5, %r3, 0x87, 8; shf.r.clamp.b32 %r6, %r2, %r3, 32; shf.l.clamp.b32 "
             "%r7, %r2, %r3, 99;\n" AT("0", "%r4") AT("4", "%r5") AT("8", "%r6") AT("12", "%r7")},
    {.name = "lop3-prmt",
     .block = 1,
     .expect = "0x96 0xe8 0x44332211 0xff0000ff",
     .reports = "",
     .body =
         "mov.u32 %r2, 0xf0; mov.u32 %r3, 0xcc; mov.u32 %r4, 0xaa; lop3.b32 %r5, %r2, %r3, %r4, "
         "0x96; lop3.b32 %r6, %r2, %r3, %r4, 0xe8;\n"
         "mov.u32 %r7, 0x11223344; prmt.b32 %r8, %r7, 0, 0x0123; mov.u32 %r9, 0x80; prmt.b32 %r10, "
         "%r9, 0, 0x8118;\n" AT("0", "%r5") AT("4", "%r6") AT("8", "%r8") AT("12", "%r10")},
    {.name = "bit-fields",
     .block = 1,
     .expect = "0x5 0xfffffffd 0 0xabc56def 0xffffffff 0xf",
     .reports = "",
     .body =
         "mov.u32 %r2, 0x50; bfe.u32 %r3, %r2, 4, 4; mov.u32 %r4, 0xd0; bfe.s32 %r5, %r4, 4, 4; "
         "bfe.u32 %r6, %r4, 40, 4;\n"
         "mov.u32 %r7, 0xabcd5def; mov.u32 %r8, 0x56; bfi.b32 %r9, %r8, %r7, 12, 8; mov.u32 %r10, "
         "0x80000000; bfe.s32 %r11, %r10, 31, 8; bfe.u32 %r12, 0xff, 4, 99;\n" AT("0", "%r3")
             AT("4", "%r5") AT("8", "%r6") AT("12", "%r9") AT("16", "%r11") AT("20", "%r12")},
    {.name = "counting-bits",
     .block = 1,
     .expect = "8 32 24 7 24 -1 -1 0xf0000000 30",
     .reports = "",
     .body =
         "mov.u32 %r2, 0xff; popc.b32 %r3, %r2; clz.b32 %r4, 0; clz.b32 %r5, %r2; bfind.u32 %r6, "
         "%r2; bfind.shiftamt.u32 %r7, %r2;\n"
         "bfind.u32 %r8, 0; bfind.s32 %r9, -1; brev.b32 %r10, 15; bfind.s32 %r11, 0x7fffffff;\n" AT(
             "0", "%r3") AT("4", "%r4") AT("8", "%r5") AT("12", "%r6") AT("16", "%r7")
             AT("20", "%r8") AT("24", "%r9") AT("28", "%r10") AT("32", "%r11")},
    {.name = "fns",
     .block = 1,
     .expect = "4 -1 7 2 -1 4",
     .reports = "",
     .body = "mov.u32 %r2, 0x94; fns.b32 %r3, %r2, 4, 0; fns.b32 %r4, %r2, 3, 0; fns.b32 %r5, %r2, "
             "3, 2; fns.b32 %r6, %r2, 4, -2; fns.b32 %r7, %r2, 5, 2; fns.b32 %r8, %r2, 3, 1;\n" AT(
                 "0", "%r3") AT("4", "%r4") AT("8", "%r5") AT("12", "%r6") AT("16", "%r7")
                 AT("20", "%r8")},
    {.name = "setp-forms",
     .block = 1,
     .expect = "0 1 1 0 1 0",
     .reports = "",
     .body = "mov.u32 %r2, -1; mov.u32 %r3, 1; setp.lt.u32 %p1, %r2, %r3; setp.lt.s32 %p2, %r2, "
             "%r3; setp.hi.u32 %p3, %r2, %r3;\n"
             "setp.lt.and.s32 %p4|%p5, %r2, %r3, %p1; setp.lt.or.s32 %p6|%p7, %r3, %r2, %p2;\n"
             "selp.u32 %r4, 1, 0, %p1; selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 1, 0, %p3; selp.u32 "
             "%r7, 1, 0, %p4; selp.u32 %r8, 1, 0, %p6; selp.u32 %r9, 1, 0, %p5;\n" AT("0", "%r4")
                 AT("4", "%r5") AT("8", "%r6") AT("12", "%r7") AT("16", "%r8") AT("20", "%r9")},
    {.name = "float-compare-nan",
     .block = 1,
     .expect = "0 1 0 1",
     .reports = "",
     .body = "mov.f32 %f1, 0f7FFFFFFF; mov.f32 %f2, 0f3F800000; setp.lt.f32 %p1, %f1, %f2; "
             "setp.ltu.f32 %p2, %f1, %f2; setp.ne.f32 %p3, %f1, %f2; setp.nan.f32 %p4, %f1, %f2;\n"
             "selp.u32 %r4, 1, 0, %p1; selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 1, 0, %p3; selp.u32 "
             "%r7, 1, 0, %p4;\n" AT("0", "%r4") AT("4", "%r5") AT("8", "%r6") AT("12", "%r7")},
    {.name = "conversions",
     .block = 1,
     .expect = "-1 0xff 0x7fffffff 0 -2 0x40400000 0xffffff80 127",
     .reports = "",
     .body =
         "mov.u32 %r2, 0xff; cvt.s32.s8 %r3, %r2; cvt.u32.u8 %r4, %r2; mov.f32 %f1, 0f7F000000; "
         "cvt.rzi.s32.f32 %r5, %f1; mov.f32 %f2, 0f7FFFFFFF; cvt.rzi.s32.f32 %r6, %f2;\n"
         "mov.f32 %f3, 0fC0300000; cvt.rzi.s32.f32 %r7, %f3; mov.u32 %r8, 3; cvt.rn.f32.s32 %f4, "
         "%r8; mov.b32 %r9, %f4; mov.u32 %r10, 0x80; cvt.s32.s8 %r11, %r10;\n"
         "mov.u32 %r12, 1000; cvt.sat.s8.s32 %r13, %r12;\n" AT("0", "%r3") AT("4", "%r4")
             AT("8", "%r5") AT("12", "%r6") AT("16", "%r7") AT("20", "%r9") AT("24", "%r11")
                 AT("28", "%r13")},
    {.name = "float-arithmetic",
     .block = 1,
     .expect = "0x40600000 0x3f000000 0x40c00000 0x3eaaaaab 0x3fb504f3 0x3f800000 0x7fffffff",
     .reports = "",
     .body = "mov.f32 %f1, 0f40000000; mov.f32 %f2, 0f3FC00000; add.f32 %f3, %f1, %f2; sub.f32 "
             "%f4, %f1, %f2; fma.rn.f32 %f5, %f1, %f1, %f1; mov.f32 %f6, 0f40400000; mov.f32 %f7, "
             "0f3F800000;\n"
             "div.rn.f32 %f8, %f7, %f6; sqrt.rn.f32 %f9, %f1; mov.f32 %f10, 0f7FC00000; min.f32 "
             "%f11, %f10, %f7; add.f32 %f12, %f10, %f7;\n"
             "mov.b32 %r3, %f3; mov.b32 %r4, %f4; mov.b32 %r5, %f5; mov.b32 %r6, %f8; mov.b32 %r7, "
             "%f9; mov.b32 %r8, %f11; mov.b32 %r9, %f12;\n" AT("0", "%r3") AT("4", "%r4")
                 AT("8", "%r5") AT("12", "%r6") AT("16", "%r7") AT("20", "%r8") AT("24", "%r9")},
    {.name = "directed-rounding",
     .block = 1,
     .expect = "0x3eaaaaaa 0x3eaaaaab 0x3eaaaaaa",
     .reports = "",
     .body = "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40400000; div.rz.f32 %f3, %f1, %f2; "
             "div.rp.f32 %f4, %f1, %f2; div.rm.f32 %f5, %f1, %f2;\n"
             "mov.b32 %r3, %f3; mov.b32 %r4, %f4; mov.b32 %r5, %f5;\n" AT("0", "%r3") AT("4", "%r4")
                 AT("8", "%r5")},
    {.name = "double",
     .block = 1,
     .expect = "0x55555555 0x3fd55555",
     .reports = "",
     .body = "mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, 0d4008000000000000; div.rn.f64 %fd3, "
             "%fd1, %fd2; mov.b64 {%r2, %r3}, %fd3;\n" AT("0", "%r2") AT("4", "%r3")},
    {.name = "vectors",
     .block = 1,
     .expect = "1 2 3 4 3 1",
     .reports = "",
     .body = "mov.u32 %r2, 1; mov.u32 %r3, 2; mov.u32 %r4, 3; mov.u32 %r5, 4; st.global.v4.u32 "
             "[%rd1], {%r2, %r3, %r4, %r5}; ld.global.v2.u32 {%r6, %r7}, [%rd1+8];\n" AT(
                 "16", "%r6") AT("20", "%r2")},
    {.name = "sub-word",
     .block = 1,
     .expect = "0xffffff80 0x80 0x1280",
     .reports = "",
     .body =
         "mov.u32 %r2, 0x1280; st.global.u16 [%rd2], %r2; ld.global.s8 %r3, [%rd2]; ld.global.u8 "
         "%r4, [%rd2]; ld.global.u16 %r5, [%rd2];\n" AT("0", "%r3") AT("4", "%r4") AT("8", "%r5")},
    {.name = "guarded-off-has-no-effect",
     .block = 1,
     .expect = "5",
     .reports = "",
     .body = "setp.eq.u32 %p1, 1, 0; mov.u32 %r2, 5; @%p1 mov.u32 %r2, 6; @%p1 st.global.u32 "
             "[%rd1+4096], %r2;\n" AT("0", "%r2")},
    {.name = "index-branch",
     .block = 4,
     .expect = "10 11 12 12",
     .reports = "",
     .body = "TABLE: .branchtargets A, B, C;\nmin.u32 %r2, %r1, 2; brx.idx %r2, TABLE;\nA: mov.u32 "
             "%r3, 10; bra DONE;\nB: mov.u32 %r3, 11; bra DONE;\nC: mov.u32 %r3, 12;\nDONE: "
             "st.global.u32 [%rd4], %r3;"},
    {.name = "isspacep",
     .block = 1,
     .expect = "1 0 1",
     .reports = "",
     .body = "mov.u64 %rd5, s; cvta.shared.u64 %rd5, %rd5; isspacep.shared %p1, %rd5; "
             "isspacep.global %p2, %rd5; isspacep.global %p3, %rd1;\n"
             "selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3;\n" AT(
                 "0", "%r2") AT("4", "%r3") AT("8", "%r4")},
    /* atomics */
    {.name = "inc-wraps",
     .block = 6,
     .expect = "2",
     .reports = "",
     .body = "atom.global.inc.u32 %r2, [%rd1], 3;"},
    {.name = "dec",
     .block = 1,
     .expect = "3 3 6",
     .reports = "",
     .body = "atom.global.dec.u32 %r2, [%rd1], 3; st.global.u32 [%rd1+4], 9; atom.global.dec.u32 "
             "%r3, [%rd1+4], 3; st.global.u32 [%rd1+8], 7; atom.global.dec.u32 %r3, [%rd1+8], 9;"},
    {.name = "min-max-by-sign",
     .block = 1,
     .expect = "-1 0 5 -1",
     .reports = "",
     .body = "atom.global.min.s32 %r2, [%rd1], -1; atom.global.min.u32 %r2, [%rd1+4], -1; "
             "atom.global.max.s32 %r2, [%rd1+8], -1; atom.global.max.s32 %r2, [%rd1+8], 5; "
             "atom.global.max.u32 %r2, [%rd1+12], -1;"},
    {.name = "logic-exch-cas",
     .block = 1,
     .expect = "0xf0 0xff 0x0f 7 0 9",
     .reports = "",
     .body = "st.global.u32 [%rd1], 0xff; atom.global.and.b32 %r2, [%rd1], 0xf0; "
             "atom.global.or.b32 %r2, [%rd1+4], 0xff; st.global.u32 [%rd1+8], 0xff; "
             "atom.global.xor.b32 %r2, [%rd1+8], 0xf0;\n"
             "atom.global.exch.b32 %r2, [%rd1+12], 7; atom.global.cas.b32 %r3, [%rd1+16], 5, 6; "
             "atom.global.cas.b32 %r3, [%rd1+20], 0, 9;"},
    {.name = "add-wraps",
     .block = 1,
     .expect = "1 0 0",
     .reports = "",
     .body = "st.global.u32 [%rd1], -1; red.global.add.u32 [%rd1], 2; mov.b64 %rd5, 1; mov.u64 "
             "%rd6, -1; st.global.u64 [%rd1+8], %rd6; atom.global.add.u64 %rd7, [%rd1+8], %rd5;"},
    {.name = "float-add",
     .block = 32,
     .expect = "0x42000000",
     .reports = "",
     .body = "atom.global.add.f32 %f1, [%rd1], 0f3F800000;"},
    {.name = "cas-16-bits",
     .block = 1,
     .expect = "0x10007",
     .reports = "",
     .body = "st.global.u32 [%rd1], 0x10005; mov.u16 %h1, 5; mov.u16 %h2, 7; atom.global.cas.b16 "
             "%h3, [%rd1], %h1, %h2;"},
    {.name = "cas-128-bits",
     .block = 1,
     .expect = "1 0 2 0 0 0 0 0",
     .reports = "",
     .body = "mov.u64 %rd5, 0; mov.u64 %rd6, 1; mov.u64 %rd7, 2; mov.b128 %q1, {%rd5, %rd5}; "
             "mov.b128 %q2, {%rd6, %rd7}; atom.global.cas.b128 %q3, [%rd1], %q1, %q2; "
             "atom.global.cas.b128 %q3, [%rd1], %q1, %q1;\n"
             "mov.b128 {%rd8, %rd9}, %q3; add.u64 %rd8, %rd8, -1; add.u64 %rd9, %rd9, -2; "
             "st.global.u64 [%rd1+16], %rd8; st.global.u64 [%rd1+24], %rd9;"},
    {.name = "shared-atomics",
     .block = 64,
     .expect = "2016",
     .reports = "",
     .races = true,
     .body = "mov.u32 %r20, s; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [%r20], 0; bar.sync 0; "
             "atom.shared.add.u32 %r2, [%r20], %r1; bar.sync 0;\n"
             "ld.shared.u32 %r3, [%r20]; @%p1 st.global.u32 [%rd1], %r3;"},
    {.name = "atomic-misaligned",
     .block = 1,
     .expect = "*",
     .reports = "atomic-bad-address",
     .body = "atom.global.add.u32 %r2, [%rd1+2], 1;"},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    kernel_add_cases("/machine/arithmetic", cases, G_N_ELEMENTS(cases));
    return g_test_run();
}
