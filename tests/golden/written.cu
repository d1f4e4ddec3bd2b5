// What 'emit' spells otherwise: an object that no PTX name is, a negative priority, flags of cudaHostRegister.
#include <mutex>
#include <thread>
#include <cstdlib>
// forall (n = 1)

__global__ void put(int *a) { *a = 1; }

static std::once_flag once;
static int n = 0;

int main()
{
    cudaStream_t s;
    int *h = (int *)malloc(4);
    cudaHostRegister(h, 4, cudaHostRegisterDefault);
    cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -5);
    std::thread a([] { std::call_once(once, [] { n++; }); });
    std::call_once(once, [] { n++; });
    put<<<1, 1, 0, s>>>(h);
    cudaStreamSynchronize(s);
    a.join();
    return 0;
}
