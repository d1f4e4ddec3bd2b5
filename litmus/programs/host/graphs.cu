// A captured fork and join, launched once.
// forall (result = 2)
#include <cstdio>
#include <vector>

__global__ void twice(int *x)
{
    x[0] = x[0] * 2;
}

__global__ void nothing()
{
}

static void capture(cudaStream_t stream, cudaStream_t other, int *d, cudaGraph_t *graph)
{
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    twice<<<1, 1, 0, stream>>>(d);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork, 0);
    nothing<<<1, 1, 0, other>>>();
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join, 0);
    cudaStreamEndCapture(stream, graph);
}

int main()
{
    std::vector<cudaStream_t> streams(2);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int *d;
    int result = 1;

    for (auto &stream : streams)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&d, sizeof(int));
    cudaMemcpy(d, &result, sizeof(int), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();

    capture(streams[0], streams[1], d, &graph);
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    cudaGraphLaunch(executable, streams[0]);
    cudaStreamSynchronize(streams[0]);
    cudaMemcpy(&result, d, sizeof(int), cudaMemcpyDeviceToHost);

    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    printf("%d\n", result);
    return 0;
}
