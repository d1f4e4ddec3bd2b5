// QUESTION
#include <cstdio>
#include <vector>
#include <thread>
#include <atomic>

BEFORE
__global__ void add(int *a, int value)
{
    a[0] += value;
}

static void back(int *to, const int *from)
{
    cudaDeviceSynchronize();
    cudaMemcpy(to, from, sizeof(int), cudaMemcpyDeviceToHost);
}

// Several kernels of one name.
template <int N> __global__ void raise(int *a) { a[0] += N; }
template __global__ void raise<1>(int *);
template __global__ void raise<2>(int *);
template __global__ void raise<-1>(int *);

enum class Op : unsigned char { SET, ADD };
template <Op op, typename T> __global__ void apply(T *a, T value) { a[0] = op == Op::SET ? value : a[0] + value; }
template __global__ void apply<Op::SET, int>(int *, int);
template __global__ void apply<Op::ADD, int>(int *, int);
template __global__ void apply<Op::ADD, float>(float *, float);

__global__ void twice(int *a) { a[0] *= 2; }
__global__ void twice(float *a) { a[0] *= 2; }
namespace other_names { __global__ void twice(int *a) { a[0] *= 3; } }

// Structures by value.
struct Both { int *to; short value; char more; };
__global__ void take(Both b) { b.to[0] += b.value + b.more; }
struct Set { int n; __device__ void operator()(int *a) const { a[0] = n; } };
struct Raise { int n; __device__ void operator()(int *a) const { a[0] += n; } };
template <typename F> __global__ void call(int *a, F f) { f(a); }
template __global__ void call(int *, Set);
template __global__ void call(int *, Raise);
struct Own { int *to; Own(int *a) : to(a) {} Own(const Own &from) : to(from.to + 1) {} };
__global__ void own(Own o) { o.to[0] = 1; }
struct Point { int x; float y; };
struct Nested { char first; Point at; int2 n; int *to; };
__global__ void sum(Nested l) { l.to[0] = l.first + l.at.x * 10 + l.n.y * 100 + (l.at.y == 1.5f) * 1000; }

int main(int argc, char **argv)
{
    int h = 0, other = 0, *d;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&d, sizeof(int));
    cudaMemsetAsync(d, 0, sizeof(int), s);
    cudaStreamSynchronize(s);
STATEMENTS
    return 0;
}
