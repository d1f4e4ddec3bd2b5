#ifndef HAS_{{id}}
#define HAS_{{id}}
#if LITMUS_CUDA >= 1300
{{&text}}namespace litmus {
namespace {{id}} {
{{#launches}}
__global__ void launch{{number}}(launch_arguments a)
{
{{#guarded}}
#if LITMUS_HAS({{target}})
{{/guarded}}
    const uint32_t cta = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const uint32_t tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    uint64_t mine = 0;
{{#registers}}
    mine |= uint64_t(cta == {{cta}} && tid == {{tid}}) << {{value}};
{{/registers}}
    come_late(a, cta * 1024 + tid);
{{#maps}}
    acquire_map(a.at[{{place}}] + {{offset}});
{{/maps}}
{{#source}}
    text_{{id}}::ptxlit_text(a.at, a.states, mine).ptxlit_run{{number}}();
{{/source}}
{{^source}}
    asm volatile("{\n"
        ".reg .b64 ptxlit_out, ptxlit_mine, ptxlit_wide, ptxlit_bits;\n"
        "mov.b64 ptxlit_out, %0;\nmov.b64 ptxlit_mine, %1;\n"
{{#symbols}}
        "{{.}}"
{{/symbols}}
{{#lines}}
        "{{.}}\n"
{{/lines}}
        "}" :: "l"(a.states), "l"(mine){{#places}}, "l"(a.at[{{place}}]){{/places}}{{#textures}}, "l"(a.object[{{.}}]){{/textures}} : "memory");
{{/source}}
{{#guarded}}
#endif
{{/guarded}}
}
{{/launches}}
struct host final : program {
{{#objects}}
    {{type}} o{{number}} = {}; // {{name}}
{{/objects}}
{{#launches}}
    launching launching{{number}}()
    {
        launching l = prepare((const void *)launch{{number}}, {{grid_size}}, {{block_size}});
        l.cluster = {{cluster}}, l.shared = {{dynamic}}, l.domain = {{domain}};
        l.cooperative = {{#cooperative}}true{{/cooperative}}{{^cooperative}}false{{/cooperative}};
        l.programmatic = {{#programmatic}}true{{/programmatic}}{{^programmatic}}false{{/programmatic}};
        return l;
    }
{{/launches}}
{{#functions}}
    static void CUDART_CB call{{number}}(void *program) { ((host *)program)->thread{{number}}(); }
{{/functions}}
{{#threads}}
    void thread{{number}}() // {{name}}
    {
{{#lines}}
        {{.}}
{{/lines}}
    }
{{/threads}}
    void begin() override
    {
{{#implicit}}
        check(cudaEventCreate(&o{{.}}), "event");
{{/implicit}}
    }
    void run() override
    {
        together({ {{#started}}{{comma}}[this] { thread{{number}}(); }{{/started}} });
    }
    void clean() override
    {
{{#made}}
        destroy(o{{number}}, {{destroy}});
{{/made}}
    }
};
static program *make() { return new host; }
} // namespace {{id}}
} // namespace litmus
static const litmus::add add_{{id}}({"{{name}}", nullptr, {1, 1, 1}, {1, 1, 1}, 1, 1, true,
    {{{#places}}{{comma}}{"{{name}}", {{bytes}}, {{align}}, false, {{target}}, {{init}}, litmus::{{memory}}, litmus::{{life}}, {{gpu}}, litmus::{{path}}, {{view}}, {{element}}}{{/places}}},
    {{{#values}}{{comma}}{"{{name}}", {{place}}, {{offset}}, {{bytes}}, {{#signed}}true{{/signed}}{{^signed}}false{{/signed}}}{{/values}}},
    {{{#asked}}{{comma}}[](const uint64_t *v) { return {{holds}}; }{{/asked}}},
    {{{#allowed}}{{comma}}{ {{values}} }{{/allowed}}},
    "{{file}}", litmus::{{id}}::make, { {{#gpus}}{{comma}}0{{/gpus}} }, {{target}},
    {{{#pointers}}{{comma}}{ {{place}}, {{offset}}, {{to}}, {{more}}u }{{/pointers}}},
    {{{#maps}}{{comma}}{ {{place}}, {{offset}}, {{of}}, {{more}}u, {{type}}, {{rank}}, {{dims}}, {{strides}}, {{box}}, {{steps}}, {{swizzle}}, {{nans}} }{{/maps}}},
    {{#peers_apart}}true{{/peers_apart}}{{^peers_apart}}false{{/peers_apart}}, {{#concurrent}}true{{/concurrent}}{{^concurrent}}false{{/concurrent}}});
#else
static const litmus::leave_out leave_out_{{id}}{"{{name}}", "CUDA 13.0"};
#endif
#endif

