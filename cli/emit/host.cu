
// ---- host programs -----------------------------------------------------------------------------------

// A host program runs one copy at a time: its own threads, calls and kernels, each of them a little late now and then.

#if LITMUS_CUDA >= 1300

// What a thread of a kernel is given.
struct launch_arguments {
    uint64_t at[MOST_PLACES];     // where locations are when the kernel is launched; of a texture the first texel
    uint64_t object[MOST_PLACES]; // textures
    uint64_t *states;
    uint64_t seed;
    uint32_t late; // cycles, at most
};

__device__ inline void come_late(const launch_arguments &a, uint32_t thread)
{
    uint32_t cycles = a.late ? uint32_t(mix(a.seed + thread) % a.late) : 0;
    for (uint32_t from = uint32_t(clock()); uint32_t(clock()) - from < cycles;)
        ;
}

struct launching {
    const void *kernel;
    dim3 grid, block;
    uint32_t cluster, shared, domain;
    bool cooperative, programmatic;
    launch_arguments a;
};

// A host function of the program, and what it is called with.
struct function {
    cudaHostFn_t code;
    void *with;
};
using nodes = std::vector<cudaGraphNode_t>;
using bodies = std::vector<cudaGraph_t *>;

class program {
public:
    void *m[MOST_PLACES] = {};             // where locations are
    const uint64_t *textures = nullptr;    // of those that are reached through one
    uint64_t *states = nullptr;            // registers of kernels that the test asks about
    uint64_t registers[MOST_VALUES] = {};  // those of host threads
    uint64_t seed = 0;
    std::atomic<int> failed_line{0}, failed_error{0}; // the first call that failed without being asked

    virtual ~program() {}
    virtual void begin() {} // makes what no call makes
    virtual void run() = 0; // all threads, until each of them has ended
    virtual void clean() {} // destroys what calls have made

protected:
    void *at(int place, uint64_t offset) { return (char *)m[place] + offset; }

    int64_t call(int line, cudaError_t error, bool asked)
    {
        int none = 0;
        if (error != cudaSuccess && error != cudaErrorNotReady && !asked && failed_line.compare_exchange_strong(none, line))
            failed_error = error;
        return error;
    }
    int64_t call(int line, CUresult error, bool asked) { return call(line, cudaError_t(error), asked); }

    launching prepare(const void *kernel, dim3 grid, dim3 block)
    {
        launching l = {kernel, grid, block, 1, 0, 0, false, false, {}};
        for (int i = 0; i < MOST_PLACES; i++) {
            l.a.at[i] = textures[i] ? 0 : uint64_t(m[i]);
            l.a.object[i] = textures[i];
        }
        static const uint32_t late[] = {0, 0, 1000, 10000, 100000};
        l.a.states = states;
        l.a.seed = mix(seed + 2 * step++);
        l.a.late = late[l.a.seed % 5];
        return l;
    }

    // Before a call or an access: a quarter of them wait for a while.
    void pause()
    {
        static const uint32_t longest[] = {200, 2000, 20000, 100000}; // nanoseconds
        uint64_t hash = mix(seed + 2 * step++ + 1);
        if (hash % 4)
            return;
        auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds((hash >> 8) % longest[(hash >> 2) % 4]);
        while (std::chrono::steady_clock::now() < end)
            ;
    }

    void together(const std::vector<std::function<void()>> &threads)
    {
        std::atomic<size_t> ready{0};
        auto begin = [&](const std::function<void()> &code) {
            for (ready++; ready < threads.size();)
                ;
            code();
        };
        std::vector<std::thread> others;
        for (size_t i = 1; i < threads.size(); i++)
            others.emplace_back(begin, std::cref(threads[i]));
        begin(threads[0]);
        for (std::thread &other : others)
            other.join();
    }

    template <typename T> int64_t load(void *p) { return pause(), *(volatile T *)p; }
    template <typename T> void store(void *p, int64_t v) { pause(), *(volatile T *)p = T(v); }
    template <typename T> int64_t load(void *p, int order) { return pause(), __atomic_load_n((T *)p, order); }
    template <typename T> void store(void *p, int64_t v, int order) { pause(), __atomic_store_n((T *)p, T(v), order); }
    template <typename T> int64_t exchange(void *p, int64_t v, int order) { return pause(), __atomic_exchange_n((T *)p, T(v), order); }
    template <typename T> int64_t fetch_add(void *p, int64_t v, int order) { return pause(), __atomic_fetch_add((T *)p, T(v), order); }
    template <typename T> int64_t fetch_and(void *p, int64_t v, int order) { return pause(), __atomic_fetch_and((T *)p, T(v), order); }
    template <typename T> int64_t fetch_or(void *p, int64_t v, int order) { return pause(), __atomic_fetch_or((T *)p, T(v), order); }
    template <typename T> int64_t fetch_xor(void *p, int64_t v, int order) { return pause(), __atomic_fetch_xor((T *)p, T(v), order); }
    template <typename T> int64_t fetch_min(void *p, int64_t v, int order)
    {
        T old = T(load<T>(p, __ATOMIC_RELAXED));
        while (!__atomic_compare_exchange_n((T *)p, &old, std::min(old, T(v)), false, order, __ATOMIC_RELAXED))
            ;
        return old;
    }
    template <typename T> int64_t fetch_max(void *p, int64_t v, int order)
    {
        T old = T(load<T>(p, __ATOMIC_RELAXED));
        while (!__atomic_compare_exchange_n((T *)p, &old, std::max(old, T(v)), false, order, __ATOMIC_RELAXED))
            ;
        return old;
    }
    template <typename T> int64_t compare_exchange(void *p, int64_t expected, int64_t v, int order)
    {
        T old = T(expected);
        int failed = order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
        pause();
        __atomic_compare_exchange_n((T *)p, &old, T(v), false, order, failed);
        return old;
    }
    void fence(int order) { __atomic_thread_fence(order); }

    // Two names may stand for one object.
    template <typename T> void destroy(T object, cudaError_t (*how)(T))
    {
        if (object && gone.insert(object).second)
            how(object);
    }

private:
    std::set<void *> gone;
    std::atomic<uint64_t> step{0};
};

// ---- calls as tests write them, where CUDA wants more ------------------------------------------------

static bool peers_are_apart = false; // while a test runs that itself says which devices reach each other's memory

static cudaLaunchConfig_t configuration(const launching &l, cudaStream_t stream, cudaEvent_t completion, cudaLaunchAttribute (&attributes)[5])
{
    cudaLaunchConfig_t config = {l.grid, l.block, l.shared, stream, attributes, 0};
    auto add = [&](cudaLaunchAttributeID id) -> cudaLaunchAttributeValue & {
        attributes[config.numAttrs] = {};
        attributes[config.numAttrs].id = id;
        return attributes[config.numAttrs++].val;
    };
    if (l.cooperative)
        add(cudaLaunchAttributeCooperative).cooperative = 1;
    if (l.programmatic)
        add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
    if (l.domain)
        add(cudaLaunchAttributeMemSyncDomain).memSyncDomain = cudaLaunchMemSyncDomain(l.domain);
    if (l.cluster > 1)
        add(cudaLaunchAttributeClusterDimension).clusterDim = {l.cluster, 1, 1};
    if (completion)
        add(cudaLaunchAttributeLaunchCompletionEvent).launchCompletionEvent.event = completion;
    return config;
}

// The event is recorded when all CTAs of the kernel have begun.
[[maybe_unused]] static cudaError_t launch(launching l, cudaStream_t stream, cudaEvent_t completion = nullptr)
{
    cudaLaunchAttribute attributes[5];
    cudaLaunchConfig_t config = configuration(l, stream, completion, attributes);
    void *parameters[] = {&l.a};
    return cudaLaunchKernelExC(&config, l.kernel, parameters);
}

// A node's parameters; 'parameters' holds the kernel's.
static cudaKernelNodeParams node_of(launching &l, void *(&parameters)[1])
{
    parameters[0] = &l.a;
    cudaKernelNodeParams node = {};
    node.func = const_cast<void *>(l.kernel);
    node.gridDim = l.grid, node.blockDim = l.block, node.sharedMemBytes = l.shared;
    node.kernelParams = parameters;
    return node;
}

static cudaMemsetParams set_of(void *to, uint64_t value, uint64_t bytes, unsigned element)
{
    cudaMemsetParams set = {};
    set.dst = to, set.value = unsigned(element == 1 ? value & 0xff : value), set.elementSize = element, set.width = bytes / element, set.height = 1;
    return set;
}

static cudaHostNodeParams host_of(function f)
{
    cudaHostNodeParams host = {};
    host.fn = f.code, host.userData = f.with;
    return host;
}

[[maybe_unused]] static cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, launching l)
{
    void *parameters[1];
    cudaKernelNodeParams kernel = node_of(l, parameters);
    return ::cudaGraphAddKernelNode(node, graph, after.data(), count, &kernel);
}
[[maybe_unused]] static cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, launching l)
{
    void *parameters[1];
    cudaKernelNodeParams kernel = node_of(l, parameters);
    return ::cudaGraphKernelNodeSetParams(node, &kernel);
}
[[maybe_unused]] static cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, launching l)
{
    void *parameters[1];
    cudaKernelNodeParams kernel = node_of(l, parameters);
    return ::cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
}
[[maybe_unused]] static cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNode1D(node, graph, after.data(), count, to, from, bytes, kind);
}
[[maybe_unused]] static cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void *to,
                                   uint64_t value, uint64_t bytes, unsigned element = 1)
{
    cudaMemsetParams set = set_of(to, value, bytes, element);
    return ::cudaGraphAddMemsetNode(node, graph, after.data(), count, &set);
}
[[maybe_unused]] static cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, void *to, uint64_t value, uint64_t bytes, unsigned element = 1)
{
    cudaMemsetParams set = set_of(to, value, bytes, element);
    return ::cudaGraphMemsetNodeSetParams(node, &set);
}
[[maybe_unused]] static cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, uint64_t value, uint64_t bytes, unsigned element = 1)
{
    cudaMemsetParams set = set_of(to, value, bytes, element);
    return ::cudaGraphExecMemsetNodeSetParams(exec, node, &set);
}
[[maybe_unused]] static cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, function f)
{
    cudaHostNodeParams host = host_of(f);
    return ::cudaGraphAddHostNode(node, graph, after.data(), count, &host);
}
[[maybe_unused]] static cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, function f)
{
    cudaHostNodeParams host = host_of(f);
    return ::cudaGraphHostNodeSetParams(node, &host);
}
[[maybe_unused]] static cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, function f)
{
    cudaHostNodeParams host = host_of(f);
    return ::cudaGraphExecHostNodeSetParams(exec, node, &host);
}
[[maybe_unused]] static cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count)
{
    return ::cudaGraphAddEmptyNode(node, graph, after.data(), count);
}
[[maybe_unused]] static cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, cudaGraph_t child)
{
    return ::cudaGraphAddChildGraphNode(node, graph, after.data(), count, child);
}
[[maybe_unused]] static cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, cudaEvent_t event)
{
    return ::cudaGraphAddEventRecordNode(node, graph, after.data(), count, event);
}
[[maybe_unused]] static cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, cudaEvent_t event)
{
    return ::cudaGraphAddEventWaitNode(node, graph, after.data(), count, event);
}
[[maybe_unused]] static cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void **to, size_t bytes)
{
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = bytes;
    cudaError_t error = ::cudaGraphAddMemAllocNode(node, graph, after.data(), count, &memory);
    *to = memory.dptr;
    return error;
}
[[maybe_unused]] static cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void *memory)
{
    return ::cudaGraphAddMemFreeNode(node, graph, after.data(), count, memory);
}
[[maybe_unused]] static cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to,
                                         cudaGraphDependencyType kind = cudaGraphDependencyTypeDefault)
{
    cudaGraphEdgeData edge = {};
    edge.type = kind;
    edge.from_port = kind == cudaGraphDependencyTypeProgrammatic ? cudaGraphKernelNodePortProgrammatic : 0;
    return ::cudaGraphAddDependencies(graph, &from, &to, &edge, 1);
}
[[maybe_unused]] static cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
    return ::cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
}
[[maybe_unused]] static cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, uint64_t flags, std::nullptr_t, std::nullptr_t)
{
    return ::cudaGraphInstantiate(exec, graph, flags);
}
[[maybe_unused]] static cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, std::nullptr_t, std::nullptr_t)
{
    cudaGraphExecUpdateResultInfo info;
    return ::cudaGraphExecUpdate(exec, graph, &info);
}
[[maybe_unused]] static cudaError_t cudaStreamBeginCapture(cudaStream_t stream)
{
    return ::cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}
[[maybe_unused]] static cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const nodes &after, std::nullptr_t, size_t count,
                                          cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    return ::cudaStreamBeginCaptureToGraph(stream, graph, after.data(), nullptr, count, mode);
}
[[maybe_unused]] static cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, nodes after, std::nullptr_t, size_t count, unsigned flags = 0)
{
    return ::cudaStreamUpdateCaptureDependencies(stream, after.data(), nullptr, count, flags);
}
[[maybe_unused]] static cudaError_t cudaStreamIsCapturing(cudaStream_t stream, std::nullptr_t)
{
    cudaStreamCaptureStatus status;
    return ::cudaStreamIsCapturing(stream, &status);
}
[[maybe_unused]] static cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode mode)
{
    return ::cudaThreadExchangeStreamCaptureMode(&mode);
}
[[maybe_unused]] static cudaError_t cudaEventElapsedTime(std::nullptr_t, cudaEvent_t from, cudaEvent_t to)
{
    float milliseconds;
    return ::cudaEventElapsedTime(&milliseconds, from, to);
}
[[maybe_unused]] static cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags = cudaHostRegisterDefault)
    {
        return ::cudaHostRegister(memory, bytes, flags);
    }
[[maybe_unused]] static cudaError_t cudaLaunchHostFunc(cudaStream_t stream, function f, std::nullptr_t) { return ::cudaLaunchHostFunc(stream, f.code, f.with); }
[[maybe_unused]] static cudaError_t cudaMemPrefetchAsync(void *memory, size_t bytes, std::nullptr_t, cudaStream_t stream)
{
    return ::cudaMemPrefetchAsync(memory, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, stream);
}
[[maybe_unused]] static cudaError_t cudaMemcpyToSymbol(void *to, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpy((char *)to + offset, from, bytes, kind);
}
[[maybe_unused]] static cudaError_t cudaMemcpyToSymbolAsync(void *to, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return ::cudaMemcpyAsync((char *)to + offset, from, bytes, kind, stream);
}
[[maybe_unused]] static cudaError_t cudaMemcpyFromSymbol(void *to, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpy(to, (const char *)from + offset, bytes, kind);
}
[[maybe_unused]] static cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return ::cudaMemcpyAsync(to, (const char *)from + offset, bytes, kind, stream);
}
// The model has rows at multiples of 512 bytes.
[[maybe_unused]] static cudaError_t cudaMallocPitch(void **to, std::nullptr_t, size_t bytes, size_t rows)
{
    size_t pitch = 0;
    cudaError_t error = ::cudaMallocPitch(to, &pitch, bytes, rows);
    return error == cudaSuccess && pitch != (bytes + 511) / 512 * 512 ? cudaErrorInvalidPitchValue : error;
}
static cudaMemPool_t default_pool()
{
    int device = 0;
    cudaMemPool_t pool = nullptr;
    cudaGetDevice(&device);
    cudaDeviceGetDefaultMemPool(&pool, device);
    return pool;
}
[[maybe_unused]] static cudaError_t cudaMallocFromPoolAsync(void **to, size_t bytes, std::nullptr_t, cudaStream_t stream = 0)
{
    return ::cudaMallocFromPoolAsync(to, bytes, default_pool(), stream);
}
[[maybe_unused]] static cudaError_t cudaMemPoolTrimTo(std::nullptr_t, std::nullptr_t) { return ::cudaMemPoolTrimTo(default_pool(), 0); }
[[maybe_unused]] static cudaError_t cudaDeviceGraphMemTrim(std::nullptr_t)
{
    int device = 0;
    cudaGetDevice(&device);
    return ::cudaDeviceGraphMemTrim(device);
}
// Of which kernel a test does not say.
[[maybe_unused]] static cudaError_t cudaFuncGetAttributes(std::nullptr_t, std::nullptr_t)
{
    cudaFuncAttributes attributes;
    return ::cudaFuncGetAttributes(&attributes, (const void *)fill);
}
[[maybe_unused]] static cudaError_t cudaFuncSetAttribute(std::nullptr_t, std::nullptr_t, std::nullptr_t)
{
    return ::cudaFuncSetAttribute((const void *)fill, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault);
}
[[maybe_unused]] static void CUDART_CB call_back(cudaStream_t, cudaError_t, void *data)
{
    std::unique_ptr<function> f((function *)data);
    f->code(f->with);
}
[[maybe_unused]] static cudaError_t cudaStreamAddCallback(cudaStream_t stream, function f, std::nullptr_t = nullptr, std::nullptr_t = nullptr)
{
    return ::cudaStreamAddCallback(stream, call_back, new function(f), 0);
}
template <typename... ignored> [[maybe_unused]] static cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, ignored...)
{
    cudaStreamCaptureStatus status;
    return ::cudaStreamGetCaptureInfo(stream, &status);
}
// The devices reach each other already, except where the test says what they do (see without_peers).
[[maybe_unused]] static cudaError_t cudaDeviceEnablePeerAccess(uint64_t device, std::nullptr_t = nullptr)
{
    cudaError_t error = ::cudaDeviceEnablePeerAccess(int(device), 0);
    return error == cudaErrorPeerAccessAlreadyEnabled && !peers_are_apart ? cudaGetLastError(), cudaSuccess : error;
}
[[maybe_unused]] static cudaError_t cudaDeviceDisablePeerAccess(uint64_t device) { return ::cudaDeviceDisablePeerAccess(int(device)); }
static cudaMemcpy3DParms copy_of(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void *>(from), bytes, bytes, 1);
    copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
    copy.extent = make_cudaExtent(bytes, 1, 1);
    copy.kind = kind;
    return copy;
}
[[maybe_unused]] static cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void *to,
                                                           const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = copy_of(to, from, bytes, kind);
    return ::cudaGraphAddMemcpyNode(node, graph, after.data(), count, &copy);
}
[[maybe_unused]] static cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = copy_of(to, from, bytes, kind);
    return ::cudaGraphMemcpyNodeSetParams(node, &copy);
}
[[maybe_unused]] static cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
                                                                     size_t bytes, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms copy = copy_of(to, from, bytes, kind);
    return ::cudaGraphExecMemcpyNodeSetParams(exec, node, &copy);
}
// A handle is no memory: where the location is said to be stands the handle. A store of a kernel to it is a call of this function.
[[maybe_unused]] __global__ void set_conditional(cudaGraphConditionalHandle handle, unsigned value) { cudaGraphSetConditional(handle, value); }
[[maybe_unused]] static cudaError_t cudaGraphConditionalHandleCreate(void **to, cudaGraph_t graph, uint64_t value = 0, unsigned flags = 0)
{
    return ::cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)to, graph, unsigned(value), flags);
}
[[maybe_unused]] static cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const nodes &after, size_t count, void *handle,
                                                     cudaGraphConditionalNodeType kind, const bodies &made)
{
    cudaGraphNodeParams what = {};
    what.type = cudaGraphNodeTypeConditional;
    what.conditional.handle = cudaGraphConditionalHandle(handle);
    what.conditional.type = kind;
    what.conditional.size = unsigned(made.size());
    cudaError_t error = ::cudaGraphAddNode(node, graph, after.data(), nullptr, count, &what);
    for (size_t i = 0; error == cudaSuccess && i < made.size(); i++)
        *made[i] = what.conditional.phGraph_out[i];
    return error;
}
#define LITMUS_OF_A_STREAM(name, word)                                                                                            \
    [[maybe_unused]] static CUresult name(cudaStream_t stream, void *memory, word value, unsigned flags = 0)                                      \
    {                                                                                                                             \
        return ((decltype(&::name))driver_function(#name))(stream, CUdeviceptr(memory), value, flags);                            \
    }
LITMUS_OF_A_STREAM(cuStreamWaitValue32, uint32_t)
LITMUS_OF_A_STREAM(cuStreamWaitValue64, uint64_t)
LITMUS_OF_A_STREAM(cuStreamWriteValue32, uint32_t)
LITMUS_OF_A_STREAM(cuStreamWriteValue64, uint64_t)

// ---- its memory --------------------------------------------------------------------------------------

static void *allocate_place(const place &p, const char *test)
{
    void *memory = nullptr;
    size_t bytes = std::max(p.bytes, 16u);
    if (p.memory == PAGEABLE)
        return std::aligned_alloc(4096, 4096 * (bytes / 4096 + 1));
    check(cudaSetDevice(p.gpu), test);
    check(p.memory == DEVICE    ? cudaMalloc(&memory, bytes)
          : p.memory == MANAGED ? cudaMallocManaged(&memory, bytes)
                                : cudaHostAlloc(&memory, bytes, p.memory == MAPPED ? cudaHostAllocMapped : 0), test);
    check(cudaSetDevice(0), test);
    return memory;
}

static void initialize_place(const place &p, void *memory, const char *test)
{
    std::vector<char> zeros(p.bytes);
    const char *from = p.init ? p.init : zeros.data();
    if (p.memory == DEVICE)
        check(cudaMemcpy(memory, from, p.bytes, cudaMemcpyHostToDevice), test);
    else
        std::memcpy(memory, from, p.bytes);
}

// What the places hold at first that depends on where they are.
static void initialize_pointers(const test &t, void *const *at)
{
    for (const pointer &p : t.pointers) {
        uint64_t value = uint64_t(at[p.to]) + p.more;
        check(cudaMemcpy((char *)at[p.place] + p.offset, &value, sizeof value, cudaMemcpyDefault), t.name);
    }
    for (const tensor_map &m : t.maps)
        check(cudaMemcpy((char *)at[m.place] + m.offset, encode(m, uint64_t(at[m.of])).data(), 128, cudaMemcpyDefault), t.name);
}

static void free_place(const place &p, void *memory)
{
    if (p.memory == PAGEABLE)
        std::free(memory);
    else
        p.memory == DEVICE || p.memory == MANAGED ? cudaFree(memory) : cudaFreeHost(memory);
}

// Memory of one location, mapped several times if it has further names that need addresses of their own.
static void *allocate_names(const test &t, size_t root, uint64_t &view)
{
    if (std::none_of(t.places.begin(), t.places.end(), [&](const place &p) { return p.target == int(root) && p.view > 0; }))
        return allocate_place(t.places[root], t.name);
    views v = map_views(t.places[root].bytes);
    view = v.bytes;
    return (void *)v.memory;
}

// What the program itself allocates has no place before; what it frees gets a new one for each run.
class program_memory {
public:
    explicit program_memory(const test &t) : t(t), fixed(t.places.size())
    {
        check(cudaHostAlloc((void **)&states, sizeof(uint64_t) * MOST_VALUES, cudaHostAllocMapped), t.name);
        for (size_t i = 0; i < t.places.size(); i++)
            if (t.places[i].life == FIXED && t.places[i].target == int(i))
                fixed[i] = allocate_names(t, i, between[i]);
        for (size_t i = 0; i < t.places.size(); i++)
            if (t.places[i].target != int(i))
                name_again(t.places[i], i);
    }
    ~program_memory()
    {
        cudaFreeHost(states);
        for (size_t i = 0; i < t.places.size(); i++)
            if (t.places[i].life == FIXED && t.places[i].target == int(i) && !between[i]) // what is mapped stays
                free_place(t.places[i], fixed[i]);
    }
    void give(program &p)
    {
        p.states = states;
        p.textures = textures;
        std::memset(states, 0, sizeof(uint64_t) * MOST_VALUES);
        for (size_t i = 0; i < t.places.size(); i++) {
            if (t.places[i].life == ALLOCATED)
                continue;
            p.m[i] = t.places[i].life == FREED ? allocate_place(t.places[i], t.name) : fixed[i];
            if (t.places[i].target == int(i))
                initialize_place(t.places[i], p.m[i], t.name);
        }
        initialize_pointers(t, p.m);
    }

private:
    void name_again(const place &p, size_t i)
    {
        fixed[i] = (char *)fixed[p.target] + p.view * between[p.target];
        if (p.way == TEXTURE)
            textures[i] = make_texture(fixed[i], round_up(p.bytes, 16), p.element);
    }
    const test &t;
    std::vector<void *> fixed;
    uint64_t between[MOST_PLACES] = {}, textures[MOST_PLACES] = {}; // between: bytes from one view to the next
    uint64_t *states;
};

// ---- its runs ----------------------------------------------------------------------------------------

constexpr double HANGS = 3, LONGEST = 2; // seconds without the end of a run; of a test, when the command line says nothing

// A call that fails makes no final state, and what comes after it in the process may fail as well.
[[noreturn]] static void show_failed_call(const test &t, int line, int error, bool json);

// Ends the process when no run ends for a while; a call that has failed is why.
class watch {
public:
    watch(const test &t, bool json) : json(json), thread([this, &t] { look(t); }) {}
    ~watch()
    {
        over = true;
        thread.join();
    }
    std::atomic<uint64_t> runs{0};
    std::atomic<program *> now{nullptr};

private:
    void look(const test &t)
    {
        uint64_t last = 0;
        for (int waited = 0; !over; waited++) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            waited = runs == last ? waited : 0;
            last = runs;
            if (waited > 100 * HANGS) {
                if (program *p = now.load(); p && p->failed_line)
                    show_failed_call(t, p->failed_line, p->failed_error, json);
                std::fprintf(stderr, "%s: a run is not done after %.0f s: it hangs\n", t.name, HANGS);
                std::fflush(stdout);
                std::_Exit(3);
            }
        }
    }
    bool json;
    std::atomic<bool> over{false};
    std::thread thread; // the last: it looks at the others
};

static std::vector<uint64_t> final_state(const test &t, const program &p)
{
    std::vector<uint64_t> state(t.values.size());
    for (size_t i = 0; i < state.size(); i++) {
        const value &v = t.values[i];
        if (v.place < 0)
            state[i] = p.registers[i] | p.states[i];
        else if (t.places[v.place].memory == PAGEABLE)
            std::memcpy(&state[i], (char *)p.m[v.place] + v.offset, v.bytes);
        else
            check(cudaMemcpy(&state[i], (char *)p.m[v.place] + v.offset, v.bytes, cudaMemcpyDefault), t.name);
    }
    return state;
}

// What the host thread has made its current device ends with the run.
static cudaError_t wait_for_all(const test &t)
{
    cudaError_t error = cudaSuccess;
    for (uint32_t gpu = gpus_of(t); gpu-- > 0;) {
        if (gpus_of(t) > 1)
            cudaSetDevice(int(gpu));
        cudaError_t one = cudaDeviceSynchronize();
        error = error == cudaSuccess ? one : error;
    }
    return error;
}

// False: a call failed, and there is no final state.
static bool run_once(const test &t, program_memory &memory, program &p, std::vector<uint64_t> &state)
{
    memory.give(p);
    if (t.peers_apart)
        let_peers(t, false);
    wait_for_all(t); // a copy from pageable memory may return before it is over
    p.begin();
    p.run();
    cudaError_t error = wait_for_all(t);
    if (p.failed_line)
        return false;
    check(error, t.name);
    state = final_state(t, p);
    p.clean();
    return true;
}

struct program_runs {
    std::map<std::vector<uint64_t>, uint64_t> states;
    uint64_t runs = 0, asked = 0;
    double seconds = 0;
    bool seen = false; // what was looked for
};

// Has every final state come up that the model allows?
static bool saw_all(const test &t, const program_runs &r)
{
    std::vector<uint64_t> keys;
    for (const auto &entry : r.states)
        keys.insert(keys.end(), entry.first.begin(), entry.first.end());
    return saw_all(t, keys);
}

static program_runs repeat_program(const test &t, const options &o)
{
    program_memory memory(t);
    program_runs r;
    watch w(t, o.json);
    auto start = std::chrono::steady_clock::now();
    while (r.runs < o.runs && r.seconds < (o.seconds ? o.seconds : LONGEST) && !r.seen) {
        std::unique_ptr<program> p(t.make());
        std::vector<uint64_t> state;
        p->seed = mix(o.seed + r.runs);
        w.now = p.get();
        if (!run_once(t, memory, *p, state))
            show_failed_call(t, p->failed_line, p->failed_error, o.json);
        w.now = nullptr;
        bool is_new = r.states[state]++ == 0;
        w.runs = ++r.runs;
        r.asked += !t.asked.empty() && std::all_of(t.asked.begin(), t.asked.end(), [&](part asked) { return asked(state.data()); });
        r.seen = (o.until && r.asked >= o.until) || (o.until_all && is_new && saw_all(t, r));
        r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return r;
}

#endif
