// SPDX-License-Identifier: MIT
//
// Instructions that nvcc emits for less common operations, or that inline assembly uses.

//! run wide_sum --block 4 --arg a:u32[16]=0xffffffff,0xffffffff,0xffffffff,0,1,2,3,4,0,0,0,0x80000000,5,0,0,7 --arg b:u32[4]=1,0,0,0 --arg o:u32[32]
//! gives o = [0, 0, 0, 1, 2, 2, 3, 4, 1, 0, 0, 0x80000000, 6, 0, 0, 7] + [0xfffffffe, 0xffffffff, 0xffffffff, 0, 0, 2, 3, 4, 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff, 4, 0, 0, 7]
__global__ void wide_sum(const unsigned *a, const unsigned *b, unsigned *o)
{
    const unsigned *x = a + 4 * threadIdx.x;
    unsigned r0, r1, r2, r3;
    asm("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
        : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    unsigned *to = o + 4 * threadIdx.x;
    to[0] = r0, to[1] = r1, to[2] = r2, to[3] = r3;
    asm("sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, %11;"
        : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    to += 16;
    to[0] = r0, to[1] = r1, to[2] = r2, to[3] = r3;
}

//! run wide_product --block 2 --arg a:u64[2]=0xffffffffffffffff,0x123456789abcdef0 --arg o:u64[4]
//! gives o = [x for a in (0xffffffffffffffff, 0x123456789abcdef0) for x in ((a * a) % 2**64, (a * a) >> 64)]
__global__ void wide_product(const unsigned long long *a, unsigned long long *o)
{
    unsigned x0 = a[threadIdx.x], x1 = a[threadIdx.x] >> 32, r0, r1, r2, r3;
    asm("mul.lo.u32 %0, %4, %4;       mul.hi.u32 %1, %4, %4;"
        "mad.lo.cc.u32 %1, %4, %5, %1; madc.hi.u32 %2, %4, %5, 0;"
        "mad.lo.cc.u32 %1, %5, %4, %1; madc.hi.cc.u32 %2, %5, %4, %2; madc.hi.u32 %3, %5, %5, 0;"
        "mad.lo.cc.u32 %2, %5, %5, %2; addc.u32 %3, %3, 0;"
        : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
        : "r"(x0), "r"(x1));
    o[2 * threadIdx.x] = r0 | (unsigned long long)r1 << 32;
    o[2 * threadIdx.x + 1] = r2 | (unsigned long long)r3 << 32;
}

//! run dots --block 1 --arg o:s32[6]
//! gives o = [10 + 1 * 4 + -2 * 3 + 3 * -2 + -4 * 1, 2 + 255 * 255 * 4, -1020, 70, 1000 * 5 + -3 * 6, 1000 * 7 + -3 * 8]
__global__ void dots(int *o)
{
    volatile int zero = 0;
    int a = 0xfc03fe01 + zero, b = 0x01fe0304 + zero;
    o[0] = __dp4a(a, b, 10);
    o[1] = (int)__dp4a(~0u + zero, ~0u + zero, 2u);
    asm("dp4a.s32.u32 %0, %1, %2, 0;" : "=r"(o[2]) : "r"(~0 + zero), "r"(~0 + zero));
    o[3] = __dp4a(0x01020304 + zero, 0x05060708 + zero, 0);
    o[4] = __dp2a_lo((int)0xfffd03e8 + zero, 0x08070605 + zero, 0);
    o[5] = __dp2a_hi((int)0xfffd03e8 + zero, 0x08070605 + zero, 0);
}

//! run bits --block 1 --arg o:u32[8] --arg f:f32[2] --arg d:f64[1]
//! gives o = [0xf0, 0xffffff00, 0, 1, 0xfffffff8, 8, 0xffffffff, 5]
//! gives f = [-2.5, 3.0]
//! gives d = [-7.25]
__global__ void bits(unsigned *o, float *f, double *d)
{
    volatile unsigned zero = 0;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[0]) : "r"(4 + zero), "r"(4u));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[1]) : "r"(8 + zero), "r"(99u));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(o[2]) : "r"(40 + zero), "r"(4u));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(o[3]) : "r"(32 + zero), "r"(33u));
    asm("szext.wrap.s32 %0, %1, %2;" : "=r"(o[4]) : "r"(8 + zero), "r"(4u));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(o[5]) : "r"(0x18 + zero), "r"(4u));
    asm("szext.clamp.u32 %0, %1, %2;" : "=r"(o[6]) : "r"(~zero), "r"(99u));
    asm volatile("prefetch.global.L1 [%0]; prefetch.global.L2 [%0]; prefetchu.L1 [%0];" ::"l"(o));
    o[7] = 5;
    asm("copysign.f32 %0, %1, %2;" : "=f"(f[0]) : "f"(-1.0f - zero), "f"(2.5f));
    asm("tanh.approx.f32 %0, %1;" : "=f"(f[1]) : "f"(0.0f + zero));
    f[1] += 3;
    d[0] = copysign(7.25, -1.0 - zero);
}
