// SPDX-License-Identifier: MIT
// Graph algorithms, a step of each, over a graph in compressed rows: what a vertex does is done by a thread, a warp or a block of its own.
// The names end in that, and in the bug that is seeded: graphs.py knows what each should do.
enum Who { THREAD, WARP, BLOCK };
enum Bug { NONE, ATOMIC, GUARD, BOUNDS, SYNC, INDEX };
constexpr int FAR = 1000000;

/* The vertex of this thread, how it steps through the neighbours, and who of its group speaks for all. */
template <Who W> struct Mine {
    int vertex, first, step;
    __device__ Mine()
    {
        int thread = blockIdx.x * blockDim.x + threadIdx.x;
        vertex = W == THREAD ? thread : W == WARP ? thread / 32 : blockIdx.x;
        first = W == THREAD ? 0 : W == WARP ? thread % 32 : threadIdx.x;
        step = W == THREAD ? 1 : W == WARP ? 32 : blockDim.x;
    }
    __device__ bool speaks() const { return first == 0; }
};

/* The sum over a group; SYNC: as if warps ran in step, or blocks did. */
template <Who W, Bug B> __device__ int sum(int value)
{
    if (W == THREAD)
        return value;
    if (W == WARP && B != SYNC) {
        for (int k = 16; k; k /= 2)
            value += __shfl_down_sync(~0u, value, k);
        return value;
    }
    __shared__ int part[64];
    part[threadIdx.x] = value;
    if (B != SYNC)
        __syncthreads();
    int lanes = W == WARP ? 32 : blockDim.x, from = W == WARP ? threadIdx.x & ~31 : 0;
    value = 0;
    if (threadIdx.x == from)
        for (int i = 0; i < lanes; i++)
            value += part[from + i];
    return value;
}

__device__ int look(const int *at) { return *(const volatile int *)at; }

/* Breadth first: those at 'level' tell their neighbours. */
template <Who W, Bug B> __global__ void bfs_push(const int *row, const int *col, int *dist, int *again, int level, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    if (look(&dist[me.vertex]) != level)
        return;
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step) {
        int to = col[e];
        if (B == ATOMIC) {
            if (look(&dist[to]) == FAR) {
                dist[to] = level + 1;
                atomicExch(again, 1);
            }
        } else if (B == GUARD) {
            if (dist[to] == FAR && atomicCAS(&dist[to], FAR, level + 1) == FAR)
                atomicExch(again, 1);
        } else if (atomicCAS(&dist[to], FAR, level + 1) == FAR)
            atomicExch(again, 1);
    }
}

/* Breadth first: those that are not reached yet ask their neighbours. INDEX: in place. */
template <Who W, Bug B> __global__ void bfs_pull(const int *row, const int *col, int *dist, int *next, int level, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    int found = 0;
    bool mine = B == INDEX ? look(&dist[me.vertex]) == FAR : dist[me.vertex] == FAR;
    for (int e = row[me.vertex] + me.first; mine && e < row[me.vertex + 1]; e += me.step)
        found += (B == INDEX ? dist[col[e]] : dist[col[e]]) == level;
    if (B == SYNC && W == WARP) {
        if (found)
            next[me.vertex] = level + 1;
        return;
    }
    found = sum<W, B>(found);
    if (me.speaks() && found)
        (B == INDEX ? dist : next)[me.vertex] = level + 1;
}

/* Connected components: the least label of those around. */
template <Who W, Bug B> __global__ void cc_push(const int *row, const int *col, const int *label, int *least, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    int mine = label[me.vertex];
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step) {
        int to = col[e];
        if (B == ATOMIC) {
            if (mine < least[to])
                least[to] = mine;
        } else if (B == GUARD) {
            if (mine < least[to])
                atomicMin(&least[to], mine);
        } else
            atomicMin(&least[to], mine);
    }
}

/* The same by hooking roots. INDEX: plain stores where the parents say. */
template <Who W, Bug B> __global__ void cc_hook(const int *from, const int *to, int *parent, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (B == BOUNDS ? e > edges : e >= edges)
        return;
    int u = from[e], v = to[e];
    while (look(&parent[u]) != u) u = look(&parent[u]);
    while (look(&parent[v]) != v) v = look(&parent[v]);
    while (u != v) {
        int high = u > v ? u : v, low = u > v ? v : u;
        if (B == INDEX) {
            parent[high] = low;
            return;
        }
        int was = B == ATOMIC ? parent[high] : atomicCAS(&parent[high], high, low);
        if (B == ATOMIC && was == high)
            parent[high] = low;
        if (was == high)
            return;
        u = was;
        v = low;
    }
}

/* Shortest paths: an edge a thread. */
template <Who W, Bug B> __global__ void sssp(const int *from, const int *to, const int *weight, int *dist, int *again, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (B == BOUNDS ? e > edges : e >= edges)
        return;
    int far = look(&dist[from[e]]) + weight[e];
    if (B == ATOMIC) {
        if (far < look(&dist[to[e]])) {
            dist[to[e]] = far;
            atomicExch(again, 1);
        }
    } else if (B == GUARD) {
        if (far < dist[to[e]] && far < atomicMin(&dist[to[e]], far))
            atomicExch(again, 1);
    } else if (far < atomicMin(&dist[to[e]], far))
        *(volatile int *)again = 1;
}

/* A maximal independent set, a round: whoever has the least number of those around that are still out goes in. */
template <Who W, Bug B> __global__ void mis(const int *row, const int *col, const int *rank, int *in, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    int lower = 0;
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step)
        lower += rank[col[e]] < rank[me.vertex] && (B == GUARD ? in[col[e]] : look(&in[col[e]])) != 2;
    if (sum<W, B>(lower) || !me.speaks())
        return;
    if (B == INDEX)
        in[me.vertex] = 1;
    else
        atomicExch(&in[me.vertex], 1);
    for (int e = row[me.vertex]; e < row[me.vertex + 1]; e++)
        if (B == ATOMIC)
            in[col[e]] = 2;
        else
            atomicExch(&in[col[e]], 2);
}

/* Page rank: every vertex gives its share away. */
template <Who W, Bug B> __global__ void rank_push(const int *row, const int *col, const float *rank, float *next, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    float share = rank[me.vertex] / (row[me.vertex + 1] - row[me.vertex]);
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step)
        if (B == ATOMIC)
            next[col[e]] += share;
        else
            atomicAdd(&next[col[e]], share);
}

/* Every vertex gathers shares, counted in thousands. INDEX: in place. */
template <Who W, Bug B> __global__ void rank_pull(const int *row, const int *col, int *rank, int *next, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    int gathered = 0;
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step)
        gathered += rank[col[e]] / (row[col[e] + 1] - row[col[e]]);
    gathered = sum<W, B>(gathered);
    if (me.speaks())
        (B == INDEX ? rank : next)[me.vertex] = gathered;
}

/* Triangles: an edge a thread, a warp or a block. */
template <Who W, Bug B> __global__ void triangles(const int *row, const int *col, const int *from, const int *to, int *total, int edges)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > edges : me.vertex >= edges)
        return;
    int u = from[me.vertex], v = to[me.vertex], found = 0;
    for (int e = row[u] + me.first; u < v && e < row[u + 1]; e += me.step)
        for (int f = row[v]; col[e] > v && f < row[v + 1]; f++)
            found += col[f] == col[e];
    found = sum<W, B>(found);
    if (!me.speaks() || !found)
        return;
    if (B == ATOMIC)
        *total += found;
    else
        atomicAdd(total, found);
}

/* Those of a list at 'level' put their neighbours on the next one. INDEX: where the vertex says. */
template <Who W, Bug B> __global__ void worklist(const int *row, const int *col, int *dist, int *list, int *size, int level, int n)
{
    Mine<W> me;
    if (B == BOUNDS ? me.vertex > n : me.vertex >= n)
        return;
    if (look(&dist[me.vertex]) != level)
        return;
    for (int e = row[me.vertex] + me.first; e < row[me.vertex + 1]; e += me.step)
        if (atomicCAS(&dist[col[e]], FAR, level + 1) == FAR) {
            int at = B == ATOMIC ? (*size)++ : atomicAdd(size, 1);
            list[B == INDEX ? col[e] / 2 : at] = col[e];
        }
}

#define ONE(kernel, who, bug) template __global__ decltype(kernel<who, bug>) kernel<who, bug>;
#define EACH_WHO(kernel, bug) ONE(kernel, THREAD, bug) ONE(kernel, WARP, bug) ONE(kernel, BLOCK, bug)
EACH_WHO(bfs_push, NONE) EACH_WHO(bfs_push, ATOMIC) EACH_WHO(bfs_push, GUARD) EACH_WHO(bfs_push, BOUNDS)
EACH_WHO(bfs_pull, NONE) EACH_WHO(bfs_pull, BOUNDS) EACH_WHO(bfs_pull, INDEX) ONE(bfs_pull, WARP, SYNC) ONE(bfs_pull, BLOCK, SYNC)
EACH_WHO(cc_push, NONE) EACH_WHO(cc_push, ATOMIC) EACH_WHO(cc_push, GUARD) EACH_WHO(cc_push, BOUNDS)
ONE(cc_hook, THREAD, NONE) ONE(cc_hook, THREAD, ATOMIC) ONE(cc_hook, THREAD, INDEX) ONE(cc_hook, THREAD, BOUNDS)
ONE(sssp, THREAD, NONE) ONE(sssp, THREAD, ATOMIC) ONE(sssp, THREAD, GUARD) ONE(sssp, THREAD, BOUNDS)
EACH_WHO(mis, NONE) EACH_WHO(mis, ATOMIC) EACH_WHO(mis, GUARD) EACH_WHO(mis, INDEX) EACH_WHO(mis, BOUNDS) ONE(mis, WARP, SYNC) ONE(mis, BLOCK, SYNC)
EACH_WHO(rank_push, NONE) EACH_WHO(rank_push, ATOMIC) EACH_WHO(rank_push, BOUNDS)
EACH_WHO(rank_pull, NONE) EACH_WHO(rank_pull, INDEX) EACH_WHO(rank_pull, BOUNDS) ONE(rank_pull, WARP, SYNC) ONE(rank_pull, BLOCK, SYNC)
EACH_WHO(triangles, NONE) EACH_WHO(triangles, ATOMIC) EACH_WHO(triangles, BOUNDS) ONE(triangles, WARP, SYNC) ONE(triangles, BLOCK, SYNC)
EACH_WHO(worklist, NONE) EACH_WHO(worklist, ATOMIC) EACH_WHO(worklist, INDEX) EACH_WHO(worklist, BOUNDS)
