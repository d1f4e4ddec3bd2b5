#ifndef HAS_{{id}}
#define HAS_{{id}}
{{#newer}}
#if LITMUS_CUDA >= {{cuda}} // PTX {{ptx}}
{{/newer}}
{{&text}}__global__ void {{id}}(litmus::arguments a)
{
{{#guarded}}
#if LITMUS_HAS({{target}})
{{/guarded}}
    const uint32_t grid_cta = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
{{^apart}}
    const uint32_t raw = grid_cta / {{ctas}}u, cta = grid_cta % {{ctas}}u;
{{/apart}}
{{#apart}}
    const uint32_t raw = grid_cta / a.ctas, cta = a.first_cta + grid_cta % a.ctas;
{{/apart}}
    if (litmus::disturbs(a, raw))
        return;
    const uint32_t group = litmus::group_of(a, raw, cta / {{cluster}}u);
    const uint32_t tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const uint32_t lane = tid % 32, thread = cta * {{warps}}u + tid / 32;
    const uint32_t copy_in_cta = {{#many}}litmus::lane_of(a, lane, thread){{/many}}{{^many}}0{{/many}};
    const uint32_t copy = (a.first + group) * {{lanes}}u + copy_in_cta;
    const uint64_t out = uint64_t(a.states + uint64_t(copy) * {{value_count}}u);
    (void)lane, (void)thread;
{{#shared}}
    extern __shared__ __align__(128) uint8_t window[];
{{/shared}}
    [[maybe_unused]] uint64_t at[{{at_count}}];
{{#places}}
{{#in_window}}
    at[{{place}}] = uint64_t(window + a.base[{{place}}] + copy_in_cta * a.stride[{{place}}]);
{{#owner}}
    const bool owns{{place}} = cta % {{cluster}}u == {{.}}u;
{{/owner}}
{{/in_window}}
{{#in_memory}}
    at[{{place}}] = litmus::address(a, {{place}}, copy){{#view}} + {{.}} * a.view{{/view}};
{{/in_memory}}
{{#in_texture}}
    at[{{place}}] = litmus::in_texture(a, {{place}}, copy, {{element}});
{{/in_texture}}
{{#in_surface}}
    at[{{place}}] = litmus::in_surface(a, {{place}}, copy, {{element}});
{{/in_surface}}
{{/places}}
{{#places}}
{{#cleared}}
    for (uint32_t byte = 0; byte < {{.}}u; byte++)
        ((uint8_t *)at[{{place}}])[byte] = 0;
{{/cleared}}
{{#elements}}
    *(uint{{bits}}_t *)(at[{{place}}] + {{offset}}) = {{value}}u;
{{/elements}}
{{/places}}
{{#shared}}
    litmus::publish_window();
{{/shared}}
{{#clusters}}
    litmus::meet_in_cluster();
{{/clusters}}
    litmus::meet(a, a.first + group, {{ctas}});
{{#maps}}
    litmus::acquire_map(at[{{place}}] + {{offset}});
{{/maps}}
{{#places}}
{{#owner}}
    if (!owns{{place}})
        at[{{place}}] = litmus::in_cta(at[{{place}}], {{.}});
{{/owner}}
{{/places}}
{{#lone}}
    if (lane != 0)
        return;
{{/lone}}
{{#columns}}
{{^source}}
    const uint64_t mine = ~uint64_t(0);
{{/source}}
    switch ({{#many}}thread{{/many}}{{^many}}thread * 32 + lane{{/many}}) {
{{/columns}}
{{#whole}}
    uint64_t mine = 0;
{{#registers}}
    mine |= uint64_t(cta == {{cta}} && tid == {{tid}}) << {{number}};
{{/registers}}
{{/whole}}
{{#blocks}}
{{#case}}
    case {{.}}: // P{{number}}
{{/case}}
{{indent}}litmus::stagger(a, group, {{number}});
{{#source}}
{{^columns}}
{{indent}}text_{{id}}::ptxlit_text(at, (uint64_t *)out, mine).ptxlit_run0();
{{/columns}}
{{#columns}}
{{indent}}text_{{id}}::ptxlit_text(at, (uint64_t *)out, ~uint64_t(0)).ptxlit_thread{{number}}();
{{/columns}}
{{/source}}
{{^source}}
{{indent}}asm volatile("{\n"
{{indent}}    ".reg .b64 ptxlit_out, ptxlit_mine, ptxlit_wide, ptxlit_bits;\n"
{{indent}}    "mov.b64 ptxlit_out, %0;\nmov.b64 ptxlit_mine, %1;\n"
{{#symbols}}
{{indent}}    "{{.}}"
{{/symbols}}
{{#lines}}
{{indent}}    "{{.}}\n"
{{/lines}}
{{indent}}    "}" :: "l"(out), "l"(mine){{#places}}, "l"(at[{{place}}]){{/places}}{{#textures}}, "l"(a.object[{{.}}]){{/textures}} : "memory");
{{/source}}
{{#case}}
{{indent}}break;
{{/case}}
{{/blocks}}
{{#columns}}
    }
{{/columns}}
{{#shared}}
    __syncthreads();
{{#clusters}}
    litmus::meet_in_cluster();
{{/clusters}}
{{/shared}}
{{#results}}
    if (tid < {{lanes}} && cta == {{owner}})
        ((uint64_t *)out)[{{number}}] = *(uint{{bits}}_t *)(at[{{place}}] + {{offset}});
{{/results}}
{{#guarded}}
#endif
{{/guarded}}
}
static const litmus::add add_{{id}}({"{{name}}", {{id}}, {{grid_size}}, {{block_size}}, {{lanes}}, {{cluster}}, {{#whole}}true{{/whole}}{{^whole}}false{{/whole}},
    {{{#places}}{{comma}}{"{{name}}", {{bytes}}, {{align}}, {{#in_window}}true{{/in_window}}{{^in_window}}false{{/in_window}}, {{target}}, {{init}}, litmus::DEVICE, litmus::FIXED, 0, litmus::{{path}}, {{view}}, {{element}}}{{/places}}},
    {{{#values}}{{comma}}{"{{name}}", {{place}}, {{offset}}, {{bytes}}, {{#signed}}true{{/signed}}{{^signed}}false{{/signed}}}{{/values}}},
    {{{#asked}}{{comma}}[](const uint64_t *v) { return {{holds}}; }{{/asked}}},
    {{{#allowed}}{{comma}}{ {{values}} }{{/allowed}}},
    "{{file}}", nullptr, { {{#gpus}}{{comma}}{{ctas}}{{/gpus}} }, {{target}},
    {{{#pointers}}{{comma}}{ {{place}}, {{offset}}, {{to}}, {{more}}u }{{/pointers}}},
    {{{#maps}}{{comma}}{ {{place}}, {{offset}}, {{of}}, {{more}}u, {{type}}, {{rank}}, {{dims}}, {{strides}}, {{box}}, {{steps}}, {{swizzle}}, {{nans}} }{{/maps}}}});
{{#newer}}
#else
static const litmus::leave_out leave_out_{{id}}{"{{name}}", "PTX {{ptx}} (CUDA {{cuda_release}})"};
#endif
{{/newer}}
#endif

