// ---- a test on the host --------------------------------------------------------------------------

struct options {
    bool json = false, plain = false, until_all = false;
    uint64_t runs = 1000000, seed = 1, until = 0;
    double seconds = 0; // 0: no limit
    std::string journal, tuned, tune, line; // line: the words of the command line
    std::vector<std::string> names;
};

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::_Exit(2);
}

using instant = std::chrono::steady_clock::time_point;

static double seconds_since(instant start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static uint32_t gpus_of(const test &t) { return std::max<uint32_t>(1, uint32_t(t.gpus.size())); }

// Calls 'on' for each GPU of the test while it is the current one; the first is left as that.
template <typename work> static void on_each_gpu(const test &t, work on)
{
    for (uint32_t gpu = gpus_of(t); gpu-- > 0;) {
        if (gpus_of(t) > 1)
            check(cudaSetDevice(int(gpu)), "device");
        on(gpu);
    }
}

// A test that hangs takes its process with it; the next one begins in another.
static void wait_for_gpu(const test &t)
{
    instant start = std::chrono::steady_clock::now();
    cudaError_t state;
    while ((state = cudaStreamQuery(0)) == cudaErrorNotReady) {
        double waited = seconds_since(start);
        if (waited > 10) {
            std::fprintf(stderr, "%s: not done after 10 s: it hangs\n", t.name);
            std::fflush(stdout);
            std::_Exit(3);
        }
        if (waited > 0.001)
            std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    check(state, t.name);
}

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }
static uint32_t volume(dim3 d) { return d.x * d.y * d.z; }

static surroundings with_leads(surroundings s)
{
    for (int i = 0; i < LEADS; i++)
        s.lead[i] = s.delay ? uint32_t(mix(s.seed + i) % s.delay) : 0;
    return s;
}

static surroundings draw(uint64_t seed, bool plain)
{
    static const uint32_t strides[] = {0, 0, 64, 128, 256, 4096}, shifts[] = {0, 1, 3, 17, 66}, delays[] = {0, 32, 128, 512, 2048},
                          stress[] = {0, 0, 3, 2};
    uint64_t hash = mix(seed);
    if (plain)
        return with_leads({strides[hash % 6], 0, hash >> 8 & 1 ? 255u : 0u, 0, hash, {}});
    return with_leads({strides[hash % 6], shifts[(hash >> 8) % 5], delays[(hash >> 16) % 5], stress[(hash >> 24) % 4], hash, {}});
}

// The same, but one thread, of those that the test has, begins earlier or later: by up to a half of what it did, or a little.
static surroundings aim(surroundings s, uint64_t seed, uint32_t threads)
{
    uint64_t hash = mix(seed);
    uint32_t &lead = s.lead[hash % std::min<uint32_t>(threads, LEADS)];
    uint32_t step = 1 + uint32_t((hash >> 8) % (hash >> 40 & 1 ? lead / 2 + 64 : 64));
    lead = hash >> 41 & 1 ? lead + step : lead - std::min(lead, step);
    s.delay = std::max(s.delay, 4u);
    s.seed = hash;
    return s;
}

// A function of the driver, so that the program needs no library but the runtime's.
static void *driver_function(const char *name)
{
    void *function = nullptr;
#if LITMUS_CUDA >= 1205
    cudaDriverEntryPointQueryResult found;
    check(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found), name);
#else
    check(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault), name);
#endif
    return function;
}
#define LITMUS_DRIVER(name, ...) litmus::check_driver(((decltype(&::name))litmus::driver_function(#name))(__VA_ARGS__), #name)

static void check_driver(CUresult error, const char *what)
{
    if (error == CUDA_SUCCESS)
        return;
    std::fprintf(stderr, "%s: error %d\n", what, int(error));
    std::_Exit(2);
}

// The tensor map of a tensor that begins there.
static std::vector<uint8_t> encode(const tensor_map &m, uint64_t tensor)
{
    std::vector<uint8_t> bytes(128);
#if LITMUS_CUDA >= 1200
    alignas(64) CUtensorMap map;
    LITMUS_DRIVER(cuTensorMapEncodeTiled, &map, CUtensorMapDataType(m.type), m.rank, (void *)(tensor + m.more), (const cuuint64_t *)m.dims,
                  (const cuuint64_t *)m.strides, m.box, m.steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CUtensorMapSwizzle(m.swizzle),
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CUtensorMapFloatOOBfill(m.nans));
    std::memcpy(bytes.data(), &map, bytes.size());
#endif
    return bytes;
}

// How many of the GPUs reach each other's memory, which they may from then on.
static uint32_t connected_gpus()
{
    static int connected = 0;
    int count;
    check(cudaGetDeviceCount(&count), "device");
    for (bool all = true; all && connected < count; connected += all) {
        for (int other = 0; all && other < connected; other++) {
            int there, back;
            check(cudaDeviceCanAccessPeer(&there, other, connected), "device");
            check(cudaDeviceCanAccessPeer(&back, connected, other), "device");
            all = there && back;
        }
        for (int other = 0; all && other < connected; other++) {
            check(cudaSetDevice(connected), "device");
            check(cudaDeviceEnablePeerAccess(other, 0), "device");
            check(cudaSetDevice(other), "device");
            check(cudaDeviceEnablePeerAccess(connected, 0), "device");
        }
    }
    check(cudaSetDevice(0), "device");
    return uint32_t(connected);
}

// Lets the test's GPUs reach each other's memory, or no longer.
[[maybe_unused]] static void let_peers(const test &t, bool reach)
{
    on_each_gpu(t, [&](uint32_t gpu) {
        for (uint32_t other = 0; other < gpus_of(t); other++)
            if (other != gpu)
                reach ? cudaDeviceEnablePeerAccess(int(other), 0) : cudaDeviceDisablePeerAccess(int(other));
    });
    cudaGetLastError(); // the test itself may have changed it
}

// See LITMUS_TARGET: what the code that runs was compiled for.
static uint32_t compiled_target()
{
    static uint32_t target = 0, *there;
    if (target == 0) {
        check(cudaMalloc(&there, sizeof target), "device");
        tell_target<<<1, 1>>>(there);
        check(cudaMemcpy(&target, there, sizeof target, cudaMemcpyDeviceToHost), "device");
        cudaFree(there);
    }
    return target;
}

constexpr uint64_t MOST_MEMORY = 512 << 20;
constexpr uint32_t MOST_COPIES = 1 << 20, MOST_MAPS = 1 << 12;

struct running {
    const test &t;
    uint32_t window = 1, groups = 1, copies = 1, shared_bytes = 0;
    uint64_t most_memory = MOST_MEMORY;
    std::vector<uint8_t *> inits, homes; // homes: memory on each of the test's GPUs
    arguments a = {};
    tally counted = {};
};

// Bytes that one copy takes in global memory.
static uint64_t lay_out(running &r, uint32_t distance, uint32_t copies)
{
    uint64_t at = 0, one = 0;
    uint32_t shared = 0;
    for (size_t i = 0; i < r.t.places.size(); i++) {
        const place &p = r.t.places[i];
        uint32_t stride = uint32_t(round_up(std::max(p.bytes, p.shared ? 0u : distance), p.align));
        if (p.shared) {
            shared = uint32_t(round_up(shared, p.align));
            r.a.base[i] = shared;
            shared += stride * r.t.lanes;
        } else if (p.target == int(i)) {
            at = round_up(at, 256);
            r.a.base[i] = at;
            at += uint64_t(stride) * copies;
            one += stride;
        }
        r.a.stride[i] = stride;
    }
    for (size_t i = 0; i < r.t.places.size(); i++) {
        r.a.base[i] = r.a.base[r.t.places[i].target];
        r.a.stride[i] = r.a.stride[r.t.places[i].target];
    }
    r.shared_bytes = shared;
    return one + 8 * r.t.values.size();
}

// As many groups as run at the same time, so that a thread that waits for another is not alone.
static uint32_t groups_at_once(const running &r)
{
    int multiprocessors, ctas;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, (const void *)r.t.kernel, int(volume(r.t.threads)),
                                                        r.shared_bytes), r.t.name);
    if (r.t.cluster > 1)
        ctas = std::min(ctas, 1);
    return std::max(1u, uint32_t(multiprocessors * ctas) / 4 / volume(r.t.ctas));
}

// A launch has several waves of groups, as many as memory allows.
static void choose_size(running &r, const surroundings &s, uint64_t left)
{
    uint64_t one = std::max<uint64_t>(lay_out(r, s.stride, 1), 1);
    uint64_t most = std::min<uint64_t>({r.t.maps.empty() ? MOST_COPIES : MOST_MAPS, r.most_memory / one, std::max<uint64_t>(left, r.t.lanes)});
    r.groups = std::max<uint32_t>(1, uint32_t((most + r.t.lanes - 1) / r.t.lanes));
    if (r.t.alone)
        r.groups = std::min(r.groups, 256u); // launches; behind more than a GPU queues, one that hangs would stop this thread
    r.copies = r.groups * r.t.lanes;
    lay_out(r, s.stride, r.copies);
    r.a.groups = r.t.alone ? 1 : r.groups;
    r.a.window = std::min(r.window, r.a.groups);
    r.a.shift = s.shift;
    r.a.delay = s.delay;
    r.a.every = r.t.alone ? 0 : s.every;
    r.a.seed = s.seed;
    if (r.a.gpus > 1)
        r.a.memory = r.homes[(s.seed >> 56) % r.a.gpus];
    std::copy(s.lead, s.lead + LEADS, r.a.lead);
}

static cudaLaunchConfig_t configuration(const running &r, cudaLaunchAttribute *cluster)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = r.t.ctas;
    if (r.a.gpus > 1)
        config.gridDim.x = r.a.ctas;
    // Of every 'every' groups one runs no copies.
    config.gridDim.x *= r.a.every ? r.a.groups + (r.a.groups - 1) / (r.a.every - 1) : r.a.groups;
    config.blockDim = r.t.threads;
    config.dynamicSmemBytes = r.shared_bytes;
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = r.t.cluster;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    config.attrs = cluster;
    config.numAttrs = r.t.cluster > 1;
    return config;
}

static uint64_t address_of(const running &r, int place, uint32_t copy)
{
    return uint64_t(r.a.memory) + r.a.base[place] + uint64_t(r.a.stride[place]) * copy + r.t.places[place].view * r.a.view;
}

static filling what_to_fill(const running &r)
{
    filling f = {uint32_t(r.t.places.size()), r.copies, r.groups, uint32_t(r.t.values.size()), {}, uint32_t(r.t.pointers.size()), {}};
    for (size_t i = 0; i < r.t.places.size(); i++)
        if (!r.t.places[i].shared && r.t.places[i].target == int(i))
            f.place[i] = {r.a.base[i], r.a.stride[i], r.t.places[i].bytes, r.t.places[i].init ? r.inits[i] : nullptr};
    for (size_t i = 0; i < r.t.pointers.size(); i++) {
        const pointer &p = r.t.pointers[i];
        f.pointer[i] = {r.a.base[p.place] + p.offset, address_of(r, p.to, 0) + p.more, r.a.stride[p.place], r.a.stride[p.to]};
    }
    return f;
}

static tally what_to_count(const running &r)
{
    tally counted = r.counted;
    counted.copies = r.copies;
    for (size_t i = 0; i < r.t.values.size(); i++) {
        const value &v = r.t.values[i];
        if (v.place >= 0 && !r.t.places[v.place].shared)
            counted.value[i] = {r.a.base[v.place] + v.offset, r.a.stride[v.place], v.bytes};
    }
    return counted;
}

// On each GPU the CTAs of the copies that are there.
static void launch_on_gpus(running &r)
{
    wait_for_gpu(r.t);
    uint32_t before = r.t.ctas.x;
    on_each_gpu(r.t, [&](uint32_t gpu) {
        cudaLaunchAttribute cluster;
        r.a.ctas = r.t.gpus[gpu];
        r.a.first_cta = before -= r.a.ctas;
        cudaLaunchConfig_t config = configuration(r, &cluster);
        void *parameters[] = {&r.a};
        check(cudaLaunchKernelExC(&config, (const void *)r.t.kernel, parameters), r.t.name);
    });
    on_each_gpu(r.t, [&](uint32_t) { wait_for_gpu(r.t); });
}

static void launch_on_gpu(running &r)
{
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = configuration(r, &cluster);
    void *parameters[] = {&r.a};
    for (uint32_t i = 0; i < (r.t.alone ? r.copies : 1); i++) {
        r.a.first = i;
        r.a.seed += i;
        check(cudaLaunchKernelExC(&config, (const void *)r.t.kernel, parameters), r.t.name);
    }
    r.a.first = 0;
}

// Each copy has its own tensor, and so a map of its own.
static void write_maps(const running &r, const tensor_map &m)
{
    std::vector<uint8_t> all;
    for (uint32_t copy = 0; copy < r.copies; copy++) {
        std::vector<uint8_t> one = encode(m, address_of(r, m.of, copy));
        all.insert(all.end(), one.begin(), one.end());
    }
    check(cudaMemcpy2D(r.a.memory + r.a.base[m.place] + m.offset, r.a.stride[m.place], all.data(), 128, 128, r.copies, cudaMemcpyHostToDevice), r.t.name);
}

static void launch(running &r)
{
    fill<<<528, 256>>>(r.a, what_to_fill(r));
    for (const tensor_map &m : r.t.maps)
        write_maps(r, m);
    r.a.gpus > 1 ? launch_on_gpus(r) : launch_on_gpu(r);
    count_states<<<528, 256>>>(r.a, what_to_count(r));
}

static void *allocate(uint64_t bytes, const char *name)
{
    void *memory;
    check(cudaMalloc(&memory, bytes + 1), name);
    return memory;
}

static void upload_inits(running &r)
{
    for (const place &p : r.t.places) {
        uint8_t *to = (uint8_t *)allocate(p.bytes, r.t.name);
        if (p.init)
            check(cudaMemcpy(to, p.init, p.bytes, cudaMemcpyHostToDevice), r.t.name);
        r.inits.push_back(to);
    }
}

// Memory that is mapped several times, one mapping behind the other: each of its bytes has as many addresses.
struct views {
    CUdeviceptr memory = 0;
    size_t bytes = 0;
};

static views map_views(size_t wanted, int *shared = nullptr)
{
    CUmemAllocationProp kind = {};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    kind.requestedHandleTypes = shared ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
    size_t unit;
    LITMUS_DRIVER(cuMemGetAllocationGranularity, &unit, &kind, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    views v;
    v.bytes = (wanted + unit - 1) / unit * unit;
    CUmemGenericAllocationHandle handle;
    LITMUS_DRIVER(cuMemCreate, &handle, v.bytes, &kind, 0);
    LITMUS_DRIVER(cuMemAddressReserve, &v.memory, v.bytes * MOST_VIEWS, 0, 0, 0);
    for (int i = 0; i < MOST_VIEWS; i++)
        LITMUS_DRIVER(cuMemMap, v.memory + i * v.bytes, v.bytes, 0, handle, 0);
    CUmemAccessDesc access = {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    LITMUS_DRIVER(cuMemSetAccess, v.memory, v.bytes * MOST_VIEWS, &access, 1);
    if (shared)
        LITMUS_DRIVER(cuMemExportToShareableHandle, shared, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    return v;
}

// Memory that surfaces reach: for each view an array of 4-byte and one of 8-byte elements over it, as of another program's memory.
struct surface_memory {
    views mapped;
    cudaSurfaceObject_t arrays[2][MOST_VIEWS] = {};
    uint64_t *rows[2] = {}; // see in_surface
    bool usable = false;
};
constexpr uint32_t ROW = 1 << 16, ROWS = 1 << 10; // bytes; 64 MiB

static bool map_array(cudaExternalMemory_t memory, int wide, cudaSurfaceObject_t &surface)
{
    cudaExternalMemoryMipmappedArrayDesc form = {};
    form.formatDesc = wide ? cudaCreateChannelDesc<uint2>() : cudaCreateChannelDesc<uint32_t>();
    form.extent = make_cudaExtent(ROW / (wide ? 8 : 4), ROWS, 0);
    form.flags = cudaArraySurfaceLoadStore;
    form.numLevels = 1;
    cudaMipmappedArray_t levels;
    cudaResourceDesc array = {};
    array.resType = cudaResourceTypeArray;
    return cudaExternalMemoryGetMappedMipmappedArray(&levels, memory, &form) == cudaSuccess &&
           cudaGetMipmappedArrayLevel(&array.res.array.array, levels, 0) == cudaSuccess &&
           cudaCreateSurfaceObject(&surface, &array) == cudaSuccess;
}

static bool find_order(surface_memory &s, int wide)
{
    uint32_t *apart, found = 0, chunks = ROW * ROWS / 16;
    check(cudaMalloc((void **)&s.rows[wide], chunks * sizeof(uint64_t)), "surface");
    check(cudaMalloc((void **)&apart, sizeof *apart), "surface");
    check(cudaMemset(apart, 0, sizeof *apart), "surface");
    number_words<<<528, 256>>>((uint32_t *)s.mapped.memory, ROW * ROWS / 4);
    for (auto array : s.arrays[wide])
        (wide ? find_rows<uint2> : find_rows<uint32_t>)<<<528, 256>>>(array, ROW, chunks, s.rows[wide], apart);
    check(cudaMemcpy(&found, apart, sizeof found, cudaMemcpyDeviceToHost), "surface");
    check(cudaFree(apart), "surface");
    return found == 0;
}

static surface_memory map_surfaces()
{
    surface_memory s;
    cudaExternalMemoryHandleDesc from = {};
    s.mapped = map_views(uint64_t(ROW) * ROWS, &from.handle.fd);
    from.type = cudaExternalMemoryHandleTypeOpaqueFd;
    from.size = s.mapped.bytes;
    cudaExternalMemory_t memory;
    s.usable = cudaImportExternalMemory(&memory, &from) == cudaSuccess;
    for (int wide = 0; wide < 2; wide++)
        for (auto &array : s.arrays[wide])
            s.usable = s.usable && map_array(memory, wide, array);
    s.usable = s.usable && find_order(s, 0) && find_order(s, 1);
    cudaGetLastError();
    return s;
}

constexpr uint64_t ALL_MEMORY = MOST_MEMORY + (MOST_PLACES << 13);

// What every test of this process uses.
struct device_memory {
    uint8_t *memory = (uint8_t *)allocate(ALL_MEMORY, "memory");
    std::vector<uint8_t *> elsewhere; // on further GPUs, when a test needs them
    views mapped; // when a test has several names of one location
    surface_memory surfaces; // when one reaches a location through a surface
    std::map<std::pair<uint64_t, uint32_t>, cudaTextureObject_t> textures; // by address, and bytes of a texel
    uint64_t *states = (uint64_t *)allocate(MOST_MEMORY, "memory");
    uint32_t *met = (uint32_t *)allocate(MOST_COPIES * sizeof(uint32_t), "memory");
    uint32_t *scratch = (uint32_t *)allocate(SCRATCH_WORDS * sizeof(uint32_t), "memory");
    uint32_t *slots = (uint32_t *)allocate((SLOTS + 1) * sizeof(uint32_t), "memory");
    uint64_t *keys = (uint64_t *)allocate(uint64_t(MOST_STATES) * MOST_VALUES * 8, "memory");
    unsigned long long *counts = (unsigned long long *)allocate((MOST_STATES + 1) * 8, "memory");
};

using histogram = std::map<std::vector<uint64_t>, uint64_t>;

static std::vector<unsigned long long> read_counts(const running &r)
{
    uint32_t used;
    check(cudaMemcpy(&used, r.counted.used, sizeof used, cudaMemcpyDeviceToHost), r.t.name);
    if (used > MOST_STATES) {
        std::fprintf(stderr, "%s: more than %u final states\n", r.t.name, MOST_STATES);
        std::_Exit(4);
    }
    std::vector<unsigned long long> counts(used);
    check(cudaMemcpy(counts.data(), r.counted.counts, used * 8, cudaMemcpyDeviceToHost), r.t.name);
    return counts;
}

static histogram read_states(const running &r)
{
    size_t width = r.t.values.size();
    std::vector<unsigned long long> counts = read_counts(r);
    std::vector<uint64_t> keys(counts.size() * width);
    check(cudaMemcpy(keys.data(), r.counted.keys, keys.size() * 8, cudaMemcpyDeviceToHost), r.t.name);
    histogram states;
    for (size_t i = 0; i < counts.size(); i++)
        states[std::vector<uint64_t>(&keys[i * width], &keys[i * width] + width)] += counts[i];
    return states;
}

// What the rounds so far have shown.
struct seen {
    std::vector<unsigned long long> counts; // of each state
    std::vector<uint64_t> keys;             // their values
    uint64_t asked = 0;                     // how often the outcome that the test asks about came up
};

static bool is_asked(const test &t, const uint64_t *values)
{
    return !t.asked.empty() && std::all_of(t.asked.begin(), t.asked.end(), [&](part p) { return p(values); });
}

static bool is_state(const test &t, const uint64_t *values, const std::vector<uint64_t> &state)
{
    for (size_t i = 0; i < state.size(); i++) {
        unsigned unused = 64 - 8 * t.values[i].bytes;
        if (unused < 64 && (values[i] ^ state[i]) << unused != 0)
            return false;
    }
    return true;
}

// Were all final states seen that the model allows? 'keys' has the values of those that were.
static bool saw_all(const test &t, const std::vector<uint64_t> &keys)
{
    size_t width = t.values.size(), count = width ? keys.size() / width : 0;
    return !t.allowed.empty() && count >= t.allowed.size() &&
           std::all_of(t.allowed.begin(), t.allowed.end(), [&](const std::vector<uint64_t> &state) {
               for (size_t i = 0; i < count; i++)
                   if (is_state(t, &keys[i * width], state))
                       return true;
               return false;
           });
}

// How often each part of what the test asks came up between the two.
static std::vector<uint64_t> parts_between(const test &t, const seen &before, const seen &now)
{
    std::vector<uint64_t> parts(t.asked.size());
    for (size_t i = 0; i < now.counts.size(); i++)
        for (size_t k = 0; k < parts.size(); k++)
            if (t.asked[k](&now.keys[i * t.values.size()]))
                parts[k] += now.counts[i] - (i < before.counts.size() ? before.counts[i] : 0);
    return parts;
}

// How much a round adds to what is known in its time: rare states count as much as frequent ones, the outcome that is asked about
// most of all, and of its parts those that come up in less than one of ten runs.
static double worth(const test &t, const seen &before, const seen &now, uint64_t runs, double seconds)
{
    auto points = [&](double count) { return std::log2(1 + count / 1e3 / seconds); };
    double sum = 10 * points(double(now.asked - before.asked));
    for (size_t i = 0; i < now.counts.size(); i++)
        sum += points(double(now.counts[i] - (i < before.counts.size() ? before.counts[i] : 0)));
    for (uint64_t part : parts_between(t, before, now))
        sum += 5 * points(double(std::min(part, runs / 10)));
    return sum;
}

static seen look(const running &r, const seen &before)
{
    size_t width = r.t.values.size();
    seen now = {read_counts(r), before.keys, 0};
    if (now.counts.size() > before.counts.size()) {
        now.keys.resize(now.counts.size() * width);
        check(cudaMemcpy(now.keys.data(), r.counted.keys, now.keys.size() * 8, cudaMemcpyDeviceToHost), r.t.name);
    }
    for (size_t i = 0; i < now.counts.size(); i++)
        now.asked += is_asked(r.t, &now.keys[i * width]) ? now.counts[i] : 0;
    return now;
}

struct summary {
    uint64_t runs, asked;
    double seconds;
    const char *ended;
    surroundings best;
    std::vector<uint64_t> parts = {}; // how often each part of the outcome came up
};

static bool uses(const test &t, path way)
{
    return std::any_of(t.places.begin(), t.places.end(), [&](const place &p) { return p.way == way; });
}

static bool has_views(const test &t)
{
    return std::any_of(t.places.begin(), t.places.end(), [](const place &p) { return p.view > 0; });
}

static void choose_homes(running &r, device_memory &d)
{
    r.homes = {d.memory};
    while (d.elsewhere.size() + 1 < gpus_of(r.t)) {
        check(cudaSetDevice(int(d.elsewhere.size()) + 1), "device");
        d.elsewhere.push_back((uint8_t *)allocate(ALL_MEMORY, "memory"));
        check(cudaSetDevice(0), "device");
    }
    r.homes.insert(r.homes.end(), d.elsewhere.begin(), d.elsewhere.begin() + (gpus_of(r.t) - 1));
}

static void use_views(running &r, const views &v)
{
    r.a.memory = (uint8_t *)v.memory;
    r.a.view = v.bytes;
}

// False where this machine has no such memory.
static bool choose_memory(running &r, device_memory &d)
{
    r.a.memory = d.memory;
    if (uses(r.t, SURFACE)) {
        if (!d.surfaces.mapped.memory)
            d.surfaces = map_surfaces();
        use_views(r, d.surfaces.mapped);
        std::copy(d.surfaces.rows, d.surfaces.rows + 2, r.a.rows);
        r.most_memory = uint64_t(ROW) * ROWS / 2;
        return d.surfaces.usable;
    } else if (has_views(r.t)) {
        if (!d.mapped.memory)
            d.mapped = map_views(ALL_MEMORY);
        use_views(r, d.mapped);
    }
    return true;
}

static cudaTextureObject_t make_texture(const void *memory, uint64_t bytes, uint32_t texel)
{
    cudaTextureObject_t texture;
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = const_cast<void *>(memory);
    linear.res.linear.sizeInBytes = bytes;
    linear.res.linear.desc = texel == 8 ? cudaCreateChannelDesc<uint2>() : cudaCreateChannelDesc<uint32_t>();
    cudaTextureDesc read = {};
    check(cudaCreateTextureObject(&texture, &linear, &read, nullptr), "texture");
    return texture;
}

static cudaTextureObject_t texture_of(device_memory &d, const void *memory, uint64_t bytes, uint32_t texel)
{
    cudaTextureObject_t &texture = d.textures[{uint64_t(memory), texel}];
    return texture ? texture : texture = make_texture(memory, bytes, texel);
}

static void choose_objects(running &r, device_memory &d)
{
    for (size_t i = 0; i < r.t.places.size(); i++) {
        const place &p = r.t.places[i];
        if (p.way == SURFACE)
            r.a.object[i] = d.surfaces.arrays[p.element == 8][p.view];
        if (p.way == TEXTURE)
            r.a.object[i] = texture_of(d, r.a.memory + p.view * r.a.view, r.a.view ? r.a.view : ALL_MEMORY, p.element);
    }
}

static bool prepare(running &r, device_memory &d)
{
    choose_homes(r, d);
    if (!choose_memory(r, d))
        return false;
    choose_objects(r, d);
    r.a.gpus = gpus_of(r.t);
    r.a.states = d.states, r.a.met = d.met, r.a.scratch = d.scratch;
    r.counted.slots = d.slots, r.counted.used = d.slots + SLOTS, r.counted.keys = d.keys, r.counted.counts = d.counts;
    r.counted.width = uint32_t(r.t.values.size());
    lay_out(r, 0, r.t.lanes);
    on_each_gpu(r.t, [&](uint32_t) {
        check(cudaFuncSetAttribute((const void *)r.t.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   int(r.shared_bytes)), r.t.name);
    });
    r.window = r.t.alone ? 1 : groups_at_once(r);
    upload_inits(r);
    check(cudaMemset(d.slots, 0, (SLOTS + 1) * sizeof(uint32_t)), r.t.name);
    check(cudaMemset(d.counts, 0, (MOST_STATES + 1) * 8), r.t.name);
    return true;
}

// The rounds of one test.
struct search {
    running &r;
    const options &o;
    summary s;
    seen before;
    instant start = std::chrono::steady_clock::now();
    uint32_t lead[LEADS] = {}; // that makes each part of what is asked frequent
    double best = -1;          // what s.best was worth, on the average of late
    const char *ended = nullptr;
};

// Threads that can begin apart from each other.
static uint32_t threads_of(const test &t)
{
    return std::min<uint32_t>(LEADS, t.alone ? LEADS : volume(t.ctas) * volume(t.threads) / 32);
}

// In late rounds one of eight draws new surroundings, in early ones and while the outcome has not been seen every second. The others
// begin with those that have been worth most, of which every second has another lead. What a file of tuned surroundings has of the
// test is used in every round, and is all that is aimed from.
static surroundings next_round(const search &at, uint64_t round, bool tuned)
{
    uint64_t seed = mix(at.o.seed) + round, drawn = round < 32 || at.s.asked == 0 ? 2 : 8;
    if (at.o.plain)
        return draw(seed, true);
    if (round % drawn == 0 && !tuned) {
        surroundings s = draw(seed, false);
        for (int i = 0; i < LEADS; i++)
            s.lead[i] += at.lead[i];
        s.delay = std::max(s.delay, 4u);
        return s;
    }
    return round % 4 < 2 ? at.s.best : aim(at.s.best, seed, threads_of(at.r.t));
}

static const char *why_ended(const options &o, const summary &s, bool all)
{
    return (o.until && s.asked >= o.until) || (o.until_all && all) ? "seen"
           : o.seconds && s.seconds > o.seconds                    ? "seconds"
                                                                   : nullptr;
}

// Runs so many copies; returns how often each part of what is asked came up in one run.
static std::vector<double> run_round(search &at, const surroundings &now, uint64_t copies)
{
    running &r = at.r;
    instant start = std::chrono::steady_clock::now();
    choose_size(r, now, std::min<uint64_t>(at.o.runs - at.s.runs, copies));
    launch(r);
    wait_for_gpu(r.t);
    seen after = look(r, at.before);
    double gained = worth(r.t, at.before, after, r.copies, std::max(seconds_since(start), 1e-6));
    bool again = std::memcmp(&now, &at.s.best, sizeof now) == 0 && at.best >= 0;
    if (again)
        at.best = (at.best + gained) / 2;
    else if (gained > at.best)
        at.best = gained, at.s.best = now;
    std::vector<double> parts;
    for (uint64_t part : parts_between(r.t, at.before, after))
        parts.push_back(double(part) / r.copies);
    at.before = after;
    at.s.runs += r.copies;
    at.s.asked = after.asked;
    at.s.seconds = seconds_since(at.start);
    at.ended = why_ended(at.o, at.s, at.o.until_all && saw_all(r.t, after.keys));
    return parts;
}

// The rarest part of what is asked, in a few runs in which threads begin as late as 'lead' says.
static double rarest_part(search &at, const uint32_t *lead, uint64_t seed)
{
    surroundings now = {64, 0, 64, 0, seed, {}};
    std::copy(lead, lead + LEADS, now.lead);
    std::vector<double> parts = run_round(at, now, MOST_COPIES / 16);
    return *std::min_element(parts.begin(), parts.end());
}

// Looks for how late each thread has to begin so that every part of the outcome is frequent: a thread that waits for another's
// store sees it only when it comes later than that, by a time that depends on the chip and on the fences between.
static void find_leads(search &at)
{
    constexpr double ENOUGH = 0.2;
    constexpr uint32_t FIRST = 64, LAST = 1 << 16;
    double best = rarest_part(at, at.lead, at.o.seed);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t thread = 0; thread < threads_of(at.r.t); thread++)
            for (uint32_t cycles = FIRST; cycles <= LAST && best < ENOUGH && !at.ended && at.s.runs < at.o.runs; cycles *= 2) {
                uint32_t lead[LEADS];
                std::copy(at.lead, at.lead + LEADS, lead);
                lead[thread] = pass ? at.lead[thread] + cycles / 2 : cycles;
                double rarest = rarest_part(at, lead, at.o.seed + cycles);
                if (rarest > best)
                    best = rarest, std::copy(lead, lead + LEADS, at.lead);
            }
}

// Tuned: the surroundings of this test, or else ('general') those that served most tests, which it only begins with.
static summary repeat(running &r, const options &o, const surroundings *tuned, bool general)
{
    search at = {r, o, {0, 0, 0, "runs", tuned ? *tuned : draw(o.seed, o.plain)}, {}};
    tuned = general ? nullptr : tuned;
    if (!o.plain && !tuned && !r.t.asked.empty() && !r.t.alone)
        find_leads(at);
    for (uint64_t round = 0; at.s.runs < o.runs && !at.ended; round++)
        run_round(at, next_round(at, round, tuned), round < 16 ? MOST_COPIES / 4 : MOST_COPIES);
    at.s.ended = at.ended ? at.ended : "runs";
    at.s.parts = parts_between(r.t, {}, at.before);
    return at.s;
}
