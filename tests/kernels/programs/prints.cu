// SPDX-License-Identifier: MIT
//
// printf and assert in device code.
#include <cassert>
#include <cstdio>

//! run formats --grid 2 --block 2 --arg n=7
//! prints 0.0 of 7:  0.00|text|a|0x123456789abc|-3|+5|1e+03|100%
//! prints 0.1 of 7:  0.50|text|b|0x123456789abc|-3|+5|1e+03|100%
//! prints 1.0 of 7:  0.00|text|a|0x123456789abc|-3|+5|1e+03|100%
//! prints 1.1 of 7:  0.50|text|b|0x123456789abc|-3|+5|1e+03|100%
__global__ void formats(int n)
{
    printf("%d.%d of %d: %5.2f|%s|%c|%#llx|%lld|%+d|%.0e|100%%\n", blockIdx.x, threadIdx.x, n,
           threadIdx.x * 0.5, "text", 'a' + threadIdx.x, 0x123456789abcull, -3ll, 5, 1000.0);
}

//! run counts --block 1 --arg out:s32[3]
//! gives out = [0, 2, -1]
//! prints none
//! prints 1 2
__global__ void counts(int *out)
{
    const char *nothing = nullptr;
    out[0] = printf("none\n");
    out[1] = printf("%d %u\n", 1, 2u);
    out[2] = printf(nothing);
}

//! run checks --block 5 --arg a:u32[5]=0,1,2,3,4
//! finds assertion-failed "thread 3 of CTA 0" "prints.cu" "void checks(int *)" "a[threadIdx.x] < 3"
__global__ void checks(int *a)
{
    assert(a[threadIdx.x] < 3 && "small");
    a[threadIdx.x] = 9;
}

//! run traps --block 32 --arg a:u32[1]=1
//! finds trap
__global__ void traps(int *a)
{
    if (a[0])
        __trap();
}
