// Kernels and copies of two streams, timed by events: each call is checked, that of the time, too.
// exists (h[0] != 6)
#include <cstdio>
#include <cstdlib>

#define CHECK(value) check((value), #value, __FILE__, __LINE__)

template <typename T> void check(T result, const char *call, const char *file, int line)
{
    if (result) {
        fprintf(stderr, "%s:%d: %s: %d\n", file, line, call, static_cast<unsigned>(result));
        exit(EXIT_FAILURE);
    }
}

__global__ void add(int *a, const int *value, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < times; k++)
        a[i] += *value;
}

static bool is_right(const int *a, int n, int value)
{
    for (int i = 0; i < n; i++)
        if (a[i] != value) {
            printf("%d: %d\n", i, a[i]);
            return false;
        }
    return true;
}

int main()
{
    const int streams = 2, times = 3, n = 4, value = 1;
    const size_t bytes = n * sizeof(int);
    int *h, *d, *one;
    float copy, alone, both;
    cudaEvent_t start, stop;

    CHECK(cudaMallocHost((void **)&h, bytes));
    CHECK(cudaMalloc((void **)&d, bytes));
    CHECK(cudaMalloc((void **)&one, sizeof(int)));
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaMemcpy(one, &value, sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t *stream = (cudaStream_t *)malloc(streams * sizeof(cudaStream_t));
    for (int i = 0; i < streams; i++)
        CHECK(cudaStreamCreate(&stream[i]));
    CHECK(cudaEventCreateWithFlags(&start, cudaEventBlockingSync));
    CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));

    CHECK(cudaEventRecord(start, 0));
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream[0]));
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&copy, start, stop));

    CHECK(cudaEventRecord(start, 0));
    add<<<n / 2, 2>>>(d, one, times);
    CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&alone, start, stop));

    memset(h, 255, bytes);
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaEventRecord(start, 0));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < streams; i++)
            add<<<1, 2, 0, stream[i]>>>(d + i * n / streams, one, times);
        for (int i = 0; i < streams; i++)
            CHECK(cudaMemcpyAsync(h + i * n / streams, d + i * n / streams, bytes / streams,
                                  cudaMemcpyDeviceToHost, stream[i]));
    }
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&both, start, stop));
    printf("%f %f %f\n", copy, alone, both);

    bool right = is_right(h, n, 2 * times);
    for (int i = 0; i < streams; i++)
        CHECK(cudaStreamDestroy(stream[i]));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
    CHECK(cudaFree(one));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
