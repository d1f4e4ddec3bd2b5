// A graph of nodes that the program adds: a copy, a set, two kernels, and a copy back.
// forall (result_h = 8)
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <cstring>

#define checkCudaErrors(call)                                                                      \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            exit(EXIT_FAILURE);                                                                    \
    } while (0)
#define THREADS_PER_BLOCK 2
#define GRAPH_LAUNCH_ITERATIONS 2

__global__ void reduce(int *inputVec, int *outputVec, size_t inputSize, size_t outputSize)
{
    size_t i = blockIdx.x;
    if (threadIdx.x == 0 && i < outputSize)
        outputVec[i] = inputVec[2 * i] + inputVec[2 * i + 1];
}

__global__ void reduceFinal(int *inputVec, int *result, size_t inputSize)
{
    int sum = 0;
    for (size_t i = 0; i < inputSize; i++)
        sum += inputVec[i];
    *result = sum;
}

void init_input(int *a, size_t size)
{
    for (size_t i = 0; i < size; i++)
        a[i] = 2;
}

void cudaGraphsManual(int *inputVec_h, int *inputVec_d, int *outputVec_d, int *result_d, size_t inputSize,
                      size_t numOfBlocks, int *result)
{
    cudaStream_t streamForGraph;
    cudaGraph_t graph;
    std::vector<cudaGraphNode_t> nodeDependencies;
    cudaGraphNode_t memcpyNode, kernelNode, memsetNode;

    checkCudaErrors(cudaStreamCreate(&streamForGraph));

    cudaKernelNodeParams kernelNodeParams = {0};
    cudaMemcpy3DParms memcpyParams = {0};
    cudaMemsetParams memsetParams = {0};

    memcpyParams.srcArray = NULL;
    memcpyParams.srcPos = make_cudaPos(0, 0, 0);
    memcpyParams.srcPtr = make_cudaPitchedPtr(inputVec_h, sizeof(int) * inputSize, inputSize, 1);
    memcpyParams.dstArray = NULL;
    memcpyParams.dstPos = make_cudaPos(0, 0, 0);
    memcpyParams.dstPtr = make_cudaPitchedPtr(inputVec_d, sizeof(int) * inputSize, inputSize, 1);
    memcpyParams.extent = make_cudaExtent(sizeof(int) * inputSize, 1, 1);
    memcpyParams.kind = cudaMemcpyHostToDevice;

    memsetParams.dst = (void *)outputVec_d;
    memsetParams.value = 0;
    memsetParams.pitch = 0;
    memsetParams.elementSize = sizeof(int);
    memsetParams.width = numOfBlocks;
    memsetParams.height = 1;

    checkCudaErrors(cudaGraphCreate(&graph, 0));
    checkCudaErrors(cudaGraphAddMemcpyNode(&memcpyNode, graph, NULL, 0, &memcpyParams));
    checkCudaErrors(cudaGraphAddMemsetNode(&memsetNode, graph, NULL, 0, &memsetParams));

    nodeDependencies.push_back(memsetNode);
    nodeDependencies.push_back(memcpyNode);

    void *kernelArgs[4] = {(void *)&inputVec_d, (void *)&outputVec_d, &inputSize, &numOfBlocks};
    kernelNodeParams.func = (void *)reduce;
    kernelNodeParams.gridDim = dim3(numOfBlocks, 1, 1);
    kernelNodeParams.blockDim = dim3(THREADS_PER_BLOCK, 1, 1);
    kernelNodeParams.sharedMemBytes = 0;
    kernelNodeParams.kernelParams = (void **)kernelArgs;
    kernelNodeParams.extra = NULL;

    checkCudaErrors(cudaGraphAddKernelNode(&kernelNode, graph, nodeDependencies.data(), nodeDependencies.size(),
                                           &kernelNodeParams));
    nodeDependencies.clear();
    nodeDependencies.push_back(kernelNode);

    kernelNodeParams.func = (void *)reduceFinal;
    kernelNodeParams.gridDim = dim3(1, 1, 1);
    kernelNodeParams.blockDim = dim3(1, 1, 1);
    kernelNodeParams.sharedMemBytes = 0;
    void *kernelArgs2[3] = {(void *)&outputVec_d, (void *)&result_d, &numOfBlocks};
    kernelNodeParams.kernelParams = kernelArgs2;
    kernelNodeParams.extra = NULL;
    checkCudaErrors(cudaGraphAddKernelNode(&kernelNode, graph, nodeDependencies.data(), nodeDependencies.size(),
                                           &kernelNodeParams));
    nodeDependencies.clear();
    nodeDependencies.push_back(kernelNode);

    memset(&memcpyParams, 0, sizeof(memcpyParams));
    memcpyParams.srcArray = NULL;
    memcpyParams.srcPos = make_cudaPos(0, 0, 0);
    memcpyParams.srcPtr = make_cudaPitchedPtr(result_d, sizeof(int), 1, 1);
    memcpyParams.dstArray = NULL;
    memcpyParams.dstPos = make_cudaPos(0, 0, 0);
    memcpyParams.dstPtr = make_cudaPitchedPtr(result, sizeof(int), 1, 1);
    memcpyParams.extent = make_cudaExtent(sizeof(int), 1, 1);
    memcpyParams.kind = cudaMemcpyDeviceToHost;
    checkCudaErrors(cudaGraphAddMemcpyNode(&memcpyNode, graph, nodeDependencies.data(), nodeDependencies.size(),
                                           &memcpyParams));
    nodeDependencies.clear();
    nodeDependencies.push_back(memcpyNode);

    cudaGraphNode_t *nodes = NULL;
    size_t numNodes = 0;
    checkCudaErrors(cudaGraphGetNodes(graph, nodes, &numNodes));
    printf("\nNum of nodes in the graph created manually = %zu\n", numNodes);

    cudaGraphExec_t graphExec;
    checkCudaErrors(cudaGraphInstantiate(&graphExec, graph, NULL, NULL, 0));

    for (int i = 0; i < GRAPH_LAUNCH_ITERATIONS; i++) {
        checkCudaErrors(cudaGraphLaunch(graphExec, streamForGraph));
    }
    checkCudaErrors(cudaStreamSynchronize(streamForGraph));

    checkCudaErrors(cudaGraphExecDestroy(graphExec));
    checkCudaErrors(cudaGraphDestroy(graph));
    checkCudaErrors(cudaStreamDestroy(streamForGraph));
}

int main(int argc, char **argv)
{
    size_t size = 4;
    size_t maxBlocks = 2;
    int devID = 0;
    cudaSetDevice(devID);
    printf("%zu elements, device %d\n", size, devID);

    int *inputVec_d = NULL, *inputVec_h = NULL;
    int *outputVec_d = NULL, *result_d;
    int result_h = 0;

    checkCudaErrors(cudaMallocHost(&inputVec_h, sizeof(int) * size));
    checkCudaErrors(cudaMalloc(&inputVec_d, sizeof(int) * size));
    checkCudaErrors(cudaMalloc(&outputVec_d, sizeof(int) * maxBlocks));
    checkCudaErrors(cudaMalloc(&result_d, sizeof(int)));
    init_input(inputVec_h, size);

    cudaGraphsManual(inputVec_h, inputVec_d, outputVec_d, result_d, size, maxBlocks, &result_h);

    checkCudaErrors(cudaFree(inputVec_d));
    checkCudaErrors(cudaFree(outputVec_d));
    checkCudaErrors(cudaFree(result_d));
    checkCudaErrors(cudaFreeHost(inputVec_h));
    return EXIT_SUCCESS;
}
