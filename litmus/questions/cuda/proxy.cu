/* SPDX-License-Identifier: MIT
 * Shared memory is filled by ordinary stores and copied out by a bulk copy (TMA). */
template <bool fenced>
__device__ void copy_out(unsigned long long *out)
{
    __shared__ alignas(16) unsigned long long tile[2];
    tile[0] = 7;
    if (fenced)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(out),
                 "r"((unsigned)__cvta_generic_to_shared(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void no_fence(unsigned long long *out)
{
    copy_out<false>(out);
}

extern "C" __global__ void with_fence(unsigned long long *out)
{
    copy_out<true>(out);
}
