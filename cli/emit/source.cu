#include <cuda/atomic>
{{#includes}}
#include <{{.}}>
{{/includes}}
#pragma nv_diagnostic push
#pragma nv_diag_suppress 69, 111, 128, 177, 549, 550, 20054
namespace text_{{id}} {
namespace std = cuda::std;
using namespace cuda::std;
{{#types}}
{{.}}
{{/types}}
{{#has_made}}
namespace ptxlit_initial {
{{#made}}
{{.}}
{{/made}}
} // namespace ptxlit_initial
{{/has_made}}
{{#guarded}}
#if LITMUS_HAS({{target}})
{{/guarded}}
struct ptxlit_text {
    const uint64_t *ptxlit_at;
    uint64_t *ptxlit_out, ptxlit_mine, ptxlit_dropped;
{{#objects}}
    {{type}} (&{{name}}){{#elements}}[{{.}}]{{/elements}};
{{/objects}}
    __device__ ptxlit_text(const uint64_t *at, uint64_t *out, uint64_t mine) : ptxlit_at(at), ptxlit_out(out), ptxlit_mine(mine), ptxlit_dropped(0)
{{#objects}}
        , {{name}}(*({{type}} (*){{#elements}}[{{.}}]{{/elements}})at[{{place}}])
{{/objects}}
    {
    }
    __device__ uint64_t &ptxlit_kept(uint32_t value)
    {
        return ptxlit_mine >> value & 1 ? ptxlit_out[value] : ptxlit_dropped;
    }
{{#members}}
    {{.}}
{{/members}}
{{#kernels}}
    __device__ void ptxlit_run{{number}}()
    {
        {{name}}({{#args}}{{.}}{{/args}});
    }
{{/kernels}}
{{#threads}}
    __device__ void ptxlit_thread{{number}}()
    {
{{#pointers}}
        [[maybe_unused]] {{type}}{{name}} = ({{type}})ptxlit_at[{{place}}];
{{/pointers}}
{{#lines}}
        {{.}}
{{/lines}}
    }
{{/threads}}
};
{{#guarded}}
#endif
{{/guarded}}
} // namespace text_{{id}}
#pragma nv_diagnostic pop
