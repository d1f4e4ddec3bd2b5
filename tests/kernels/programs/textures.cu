// SPDX-License-Identifier: MIT
//
// Textures and surfaces: formats, filters, modes and layers, and mistakes with them.

//! run fetch --block 10 --arg t:texture.f32[8]=iota --arg o:f32[10]
//! gives o = [0, 1, 2, 3, 4, 5, 6, 7, 0, 0]
__global__ void fetch(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }

//! run fetch_bytes --block 3 --arg t:texture.uchar4[2]=1,2,3,4,250,251,252,253 --arg o:u32[12]
//! gives o = [1, 2, 3, 4, 250, 251, 252, 253, 0, 0, 0, 0]
__global__ void fetch_bytes(cudaTextureObject_t t, uint4 *o)
{
    uchar4 v = tex1Dfetch<uchar4>(t, threadIdx.x);
    o[threadIdx.x] = make_uint4(v.x, v.y, v.z, v.w);
}

//! run fetch_short --block 2 --arg t:texture.s16.v2[2]=1,-2,-32768,32767 --arg o:s32[4]
//! gives o = [1, -2, -32768, 32767]
__global__ void fetch_short(cudaTextureObject_t t, int2 *o)
{
    short2 v = tex1Dfetch<short2>(t, threadIdx.x);
    o[threadIdx.x] = make_int2(v.x, v.y);
}

//! run fractions --block 4 --arg t:texture.u8.normalizedfloat[4]=0,51,102,255 --arg o:f32[4]
//! gives o = [0, 0.20000000298023224, 0.4000000059604645, 1]
__global__ void fractions(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); }

//! run clamped --block 12 --arg t:texture.f32[4]=10,20,30,40 --arg o:f32[12]
//! gives o = [[10, 20, 30, 40][min(max(int(x // 1), 0), 3)] for x in (t * 0.5 - 1 for t in range(12))]
__global__ void clamped(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.5f - 1); }

//! run clamped --block 12 --arg t:texture.f32.border[4]=10,20,30,40 --arg o:f32[12]
//! gives o = [0, 0, 10, 10, 20, 20, 30, 30, 40, 40, 0, 0]
//! run linear_line --block 33 --arg t:texture.f32.linear[4]=0,16,48,0 --arg o:f32[33]
//! gives o = [(lambda x, f: (1 - f) * [0, 0, 16, 48, 0, 0][int(x) + 1] + f * [0, 0, 16, 48, 0, 0][int(x) + 2])((t / 8 - 0.5) // 1, (t / 8 - 0.5) % 1) for t in range(33)]
__global__ void linear_line(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1D<float>(t, threadIdx.x / 8.0f); }

//! run linear_line --block 33 --arg t:texture.f32.linear.border[4]=0,16,48,0 --arg o:f32[33]
//! gives o = [(lambda x, f: (1 - f) * [0, 0, 16, 48, 0, 0][int(x) + 1] + f * [0, 0, 16, 48, 0, 0][int(x) + 2])((t / 8 - 0.5) // 1, (t / 8 - 0.5) % 1) for t in range(33)]
//! run around --block 16 --arg t:texture.f32.wrap.normalized[4]=1,2,3,4 --arg o:f32[16]
//! gives o = [[1, 2, 3, 4][int(((t / 8 - 0.5) % 1) * 4)] for t in range(16)]
__global__ void around(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex1D<float>(t, threadIdx.x / 8.0f - 0.5f); }

//! run around --block 16 --arg t:texture.f32.mirror.normalized[4]=1,2,3,4 --arg o:f32[16]
//! gives o = [2, 2, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 3, 3]
//! run around --block 16 --arg t:texture.f32.linear.wrap.normalized[4]=0,16,32,48 --arg o:f32[16]
//! gives o = [(lambda x, f: (1 - f) * (x % 4 * 16) + f * ((x + 1) % 4 * 16))((t / 2 - 2.5) // 1, t / 2 % 1 - 0.5 if t % 2 else 0.5) for t in range(16)]
//! run plane --block 8,4 --arg t:texture.float4[3][5]=iota --arg o:f32[128]
//! gives o = [4 * (min(y, 2) * 5 + min(x, 4)) + c for y in range(4) for x in range(8) for c in range(4)]
__global__ void plane(cudaTextureObject_t t, float4 *o)
{
    o[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

//! run smooth --block 9,9 --arg t:texture.f32.linear[3][3]=0,8,16,32,40,48,64,72,80 --arg o:f32[81]
//! gives o = [min(max(x / 4 - 0.5, 0), 2) * 8 + min(max(y / 4 - 0.5, 0), 2) * 32 for y in range(9) for x in range(9)]
__global__ void smooth(cudaTextureObject_t t, float *o)
{
    o[threadIdx.y * 9 + threadIdx.x] = tex2D<float>(t, threadIdx.x / 4.0f, threadIdx.y / 4.0f);
}

//! run smooth --block 9,9 --arg t:texture.f16.linear[3][3]=0,8,16,32,40,48,64,72,80 --arg o:f32[81]
//! gives o = [min(max(x / 4 - 0.5, 0), 2) * 8 + min(max(y / 4 - 0.5, 0), 2) * 32 for y in range(9) for x in range(9)]
//! run volume --block 4,4,4 --arg t:texture.f32.linear[2][2][2]=0,1,2,3,4,5,6,7 --arg o:f32[64]
//! gives o = [sum(w * min(max(i / 2 - 0.5, 0), 1) for w, i in ((1, x), (2, y), (4, z))) for z in range(4) for y in range(4) for x in range(4)]
__global__ void volume(cudaTextureObject_t t, float *o)
{
    int i = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
    o[i] = tex3D<float>(t, threadIdx.x / 2.0f, threadIdx.y / 2.0f, threadIdx.z / 2.0f);
}

//! run layers --block 6 --arg t:texture.f32.layered[4][2][3]=iota --arg o:f32[24]
//! gives o = [6 * min(l, 3) + 4 for l in range(6)] + [0] * 18
__global__ void layers(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 1.5f, threadIdx.x); }

//! run layers_of_lines --block 4 --arg t:texture.s32.layered[2][4]=1,2,3,4,-1,-2,-3,-4 --arg o:s32[8]
//! gives o = [1, 2, 3, 4, -1, -2, -3, -4]
__global__ void layers_of_lines(cudaTextureObject_t t, int *o)
{
    o[threadIdx.x] = tex1DLayered<int>(t, threadIdx.x, 0);
    o[threadIdx.x + 4] = tex1DLayered<int>(t, threadIdx.x, 1);
}

//! run gather --block 1 --arg t:texture.float2[2][2]=1,10,2,20,3,30,4,40 --arg o:f32[8]
//! gives o = [3, 4, 2, 1, 30, 40, 20, 10]
__global__ void gather(cudaTextureObject_t t, float4 *o)
{
    o[0] = tex2Dgather<float4>(t, 1, 1, 0);
    o[1] = tex2Dgather<float4>(t, 1, 1, 1);
}

//! run levels --block 4 --arg t:texture.f32[2][4]=iota --arg o:f32[8]
//! gives o = [0, 1, 2, 3, 4, 5, 6, 7]
__global__ void levels(cudaTextureObject_t t, float *o)
{
    o[threadIdx.x] = tex2DLod<float>(t, threadIdx.x, 0, 0);
    o[threadIdx.x + 4] = tex2DGrad<float>(t, threadIdx.x, 1, make_float2(0, 0), make_float2(0, 0));
}

//! run copy --block 8,4 --arg from:surface.u32[4][8]=iota --arg to:surface.u32[4][8]
//! gives to = list(range(32))
__global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    unsigned v = surf2Dread<unsigned>(from, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(v, to, threadIdx.x * 4, threadIdx.y);
}

//! run bounds --block 8 --arg s:surface.u16.v2[4]=1,2,3,4,5,6,7,8 --arg o:u32[16]
//! gives o = [0, 0, 1, 3, 5, 7, 0, 0, 1, 1, 1, 3, 5, 7, 7, 7]
//! gives s = [1, 2, 3, 4, 5, 6, 7, 8]
__global__ void bounds(cudaSurfaceObject_t s, unsigned *o)
{
    int x = 4 * ((int)threadIdx.x - 2);
    o[threadIdx.x] = surf1Dread<ushort2>(s, x, cudaBoundaryModeZero).x;
    o[threadIdx.x + 8] = surf1Dread<ushort2>(s, x, cudaBoundaryModeClamp).x;
    if (x < 0 || x >= 16)
        surf1Dwrite(make_ushort2(9, 9), s, x, cudaBoundaryModeZero);
}

//! run slices --block 2,2,2 --arg s:surface.float4[2][2][2] --arg l:surface.uint2.layered[2][2][2]
//! gives s = [v for i in range(8) for v in (i, 1, 2, 3)]
//! gives l = [v for i in range(8) for v in (i, 0)]
__global__ void slices(cudaSurfaceObject_t s, cudaSurfaceObject_t l)
{
    int i = (threadIdx.z * 2 + threadIdx.y) * 2 + threadIdx.x;
    surf3Dwrite(make_float4(i, 1, 2, 3), s, threadIdx.x * 16, threadIdx.y, threadIdx.z);
    surf2DLayeredwrite((unsigned long long)i, l, threadIdx.x * 8, threadIdx.y, threadIdx.z);
}

// Each thread reads what it wrote itself
//! run both --races --grid 2 --block 1 --arg s:surface.u32[2] --arg o:u32[2]
//! gives s = [1, 1]
__global__ void both(cudaSurfaceObject_t s, unsigned *o)
{
    surf1Dwrite(1u, s, blockIdx.x * 4);
    o[blockIdx.x] = surf1Dread<unsigned>(s, blockIdx.x * 4);
}

// Forgets that the first coordinate counts bytes, and goes outside
//! run elements --block 8 --arg s:surface.u32[8]
//! finds misaligned 'offset 1 of an access of 4 bytes'
__global__ void elements(cudaSurfaceObject_t s) { surf1Dwrite(threadIdx.x, s, threadIdx.x); }

//! run outside --block 8 --arg s:surface.u32[4]
//! finds surface-oob 'textures.cu' '(16)' '16 bytes'
__global__ void outside(cudaSurfaceObject_t s) { surf1Dwrite(threadIdx.x, s, threadIdx.x * 4); }

//! run blur --races --block 64 --arg s:surface.f32[64]=iota
//! finds data-race "'s'+124"
__global__ void blur(cudaSurfaceObject_t s)
{
    float left = surf1Dread<float>(s, (threadIdx.x - 1) * 4, cudaBoundaryModeZero);
    surf1Dwrite(left, s, threadIdx.x * 4);
}

//! run blurred --races --block 64 --arg s:surface.f32[64]=iota
//! gives s = [0] + list(range(63))
__global__ void blurred(cudaSurfaceObject_t s)
{
    float left = surf1Dread<float>(s, (threadIdx.x - 1) * 4, cudaBoundaryModeZero);
    __syncthreads();
    surf1Dwrite(left, s, threadIdx.x * 4);
}

//! run crossed --races --grid 2 --block 1 --arg s:surface.u32[1]
//! finds data-race "'s'+0"
__global__ void crossed(cudaSurfaceObject_t s) { surf1Dwrite(blockIdx.x, s, 0); }

//! run wrong --block 1 --arg t:texture.u32[4] --arg o:f32[1]
//! finds bad-texture '.u32'
__global__ void wrong(cudaTextureObject_t t, float *o) { o[0] = tex1D<float>(t, 0); }

//! run numbers --block 1 --arg t=12345 --arg o:f32[1]
//! finds bad-texture '0x3039'
__global__ void numbers(cudaTextureObject_t t, float *o) { o[0] = tex1D<float>(t, 0); }
