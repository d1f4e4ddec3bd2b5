// Two kernels in two streams, and nothing that orders them.
__global__ void put(int *x) { *x = 1; }
__global__ void get(const int *x, int *out) { *out = *x; }
int main() {
  int *x, *out, h = 7;
  cudaStream_t s1, s2;
  cudaMalloc(&x, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  put<<<1, 1, 0, s1>>>(x);
  get<<<1, 1, 0, s2>>>(x, out);
  cudaStreamSynchronize(s2);
  cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost);
}
// exists (h=0)
