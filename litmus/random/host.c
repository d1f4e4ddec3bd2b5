/* SPDX-License-Identifier: MIT */
#include "litmus/random/host.h"

#include <string.h>

#include "litmus/random/dice.h"
#include "litmus/random/shrink.h"

static const char *const locations[] = {"x", "y"};
static const char *const scopes[] = {"cta", "gpu", "sys"};
/* Two that are not blocking, a blocking one, the legacy one, the thread's own. */
static const char *const streams[] = {"s0", "s1", "b0", "0", "cudaStreamPerThread"};
enum { STREAMS = 5 };

/* ---- choosing ------------------------------------------------------------------------------- */

static enum random_kernel_kind pick_inst(uint64_t *state)
{
    uint32_t dice = dice_below(state, 100);
    return dice < 38   ? RANDOM_KERNEL_LOAD
           : dice < 76 ? RANDOM_KERNEL_STORE
           : dice < 82 ? RANDOM_KERNEL_ADD
           : dice < 88 ? RANDOM_KERNEL_FENCE
           : dice < 94 ? RANDOM_KERNEL_TRIGGER
                       : RANDOM_KERNEL_WAIT;
}

static enum random_call_kind pick_call(uint64_t *state, bool node)
{
    static const uint8_t share[] = {34, 5, 3, 4, 10, 10, 5, 4, 3, 5, 3, 2, 5, 6, 1};
    uint32_t dice = dice_below(state, node ? 46 : 100);
    uint32_t kind = 0;
    for (; dice >= share[kind]; kind++)
        dice -= share[kind];
    return (enum random_call_kind)kind;
}

static void pick(struct random_call *call, uint64_t *state, bool node, uint32_t hosts)
{
    *call = (struct random_call){.kind = (uint8_t)pick_call(state, node)};
    /* two threads: mostly streams of one thread, so that few orders of calls are to be tried */
    call->stream = (uint8_t)(hosts > 1 && dice_chance(state, 60) ? 4 : dice_below(state, STREAMS));
    call->event = (uint8_t)dice_below(state, 2);
    call->location = (uint8_t)dice_below(state, 2);
    call->programmatic = dice_chance(state, 20);
    call->guarded = dice_chance(state, 50);
    call->after = (uint8_t)(dice_below(state, 8) & dice_below(state, 8));
    call->inst_count = (uint8_t)(1 + dice_below(state, 2));
    for (uint32_t i = 0; i < call->inst_count; i++)
        call->insts[i] = (struct random_kernel_inst){
            (uint8_t)pick_inst(state), (uint8_t)dice_below(state, 2), (uint8_t)dice_below(state, 3),
            (uint8_t)dice_below(state, 3)};
}

void random_host_draw(struct random_host *program, uint64_t seed)
{
    uint64_t state = dice_seed(seed);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->hosts = dice_chance(&state, 15) ? 2 : 1;
    program->graph = (enum random_graph)(dice_chance(&state, 40) ? 1 + dice_below(&state, 2) : 0);
    if (program->hosts > 1 && program->graph) /* calls behind a spin cannot be captured */
        program->graph = RANDOM_GRAPH_BY_HAND;
    program->nodes = program->graph ? 1 + dice_below(&state, 3) : 0;
    program->launches = dice_chance(&state, 15) ? 2 : 1;
    for (uint32_t h = 0; h < program->hosts; h++) {
        program->count[h] =
            (program->hosts > 1 ? 1 : 2) + dice_below(&state, program->hosts > 1 ? 3 : 5);
        for (uint32_t i = 0; i < program->count[h]; i++)
            pick(&program->calls[h][i], &state, h == 0 && i < program->nodes, program->hosts);
    }
    program->nodes = MIN(program->nodes, program->count[0]);
}

/* ---- kernels and functions ------------------------------------------------------------------ */

static void print_inst(GString *out, const struct random_kernel_inst *inst, uint32_t i,
                       uint32_t value)
{
    static const char *const reads[] = {"weak", "relaxed", "acquire"}, *const writes[] = {
                                                                           "weak", "relaxed",
                                                                           "release"};
    const char *scope = scopes[inst->scope], *at = locations[inst->location];
    const char *dot = inst->sem ? "." : "", *of = inst->sem ? scope : "";
    switch (inst->kind) {
    case RANDOM_KERNEL_LOAD:
        g_string_append_printf(out, "ld.%s%s%s.u32 %%r%u, [%s]; ", reads[inst->sem], dot, of, i,
                               at);
        break;
    case RANDOM_KERNEL_STORE:
        g_string_append_printf(out, "st.%s%s%s.u32 [%s], %u; ", writes[inst->sem], dot, of, at,
                               value);
        break;
    case RANDOM_KERNEL_ADD:
        g_string_append_printf(out, "atom.relaxed.%s.add.u32 %%r%u, [%s], %u; ", scope, i, at,
                               value);
        break;
    case RANDOM_KERNEL_FENCE:
        g_string_append_printf(out, "fence.%s.%s; ", inst->sem == 2 ? "sc" : "acq_rel", scope);
        break;
    case RANDOM_KERNEL_TRIGGER:
        g_string_append(out, "griddepcontrol.launch_dependents; ");
        break;
    default:
        g_string_append(out, "griddepcontrol.wait; ");
    }
}

/* A value of its own for every write. */
static uint32_t value_of(uint32_t h, uint32_t i, uint32_t inst)
{
    return 1 + inst + RANDOM_KERNEL_INSTS * (i + RANDOM_CALLS * h);
}

static void print_bodies(GString *out, const struct random_host *program,
                         enum random_call_kind kind)
{
    for (uint32_t h = 0; h < program->hosts; h++)
        for (uint32_t i = 0; i < program->count[h]; i++) {
            const struct random_call *call = &program->calls[h][i];
            if (call->kind != kind)
                continue;
            if (kind == RANDOM_CALL_FUNCTION) {
                g_string_append_printf(out, "hostfn F%u%u { r = %s; %s = %u; }\n", h, i,
                                       locations[call->location], locations[1 - call->location],
                                       value_of(h, i, 0));
                continue;
            }
            g_string_append_printf(out, "kernel K%u%u { ", h, i);
            for (uint32_t k = 0; k < call->inst_count; k++)
                print_inst(out, &call->insts[k], k, value_of(h, i, k));
            g_string_append(out, "}\n");
        }
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void print_work(GString *out, const struct random_call *call, uint32_t h, uint32_t i,
                       const char *stream)
{
    const char *to = locations[call->location], *from = locations[1 - call->location];
    switch (call->kind) {
    case RANDOM_CALL_LAUNCH:
        g_string_append_printf(out, "  K%u%u<<<1, 1, 0, %s>>>()%s;\n", h, i, stream,
                               call->programmatic ? " programmatic" : "");
        break;
    case RANDOM_CALL_SET:
        g_string_append_printf(out, "  cudaMemsetAsync(%s, %u, 4, %s);\n", to, i + 1, stream);
        break;
    case RANDOM_CALL_COPY:
        g_string_append_printf(out, "  cudaMemcpyAsync(d%s, %s, 4, cudaMemcpyDefault, %s);\n", to,
                               from, stream);
        break;
    case RANDOM_CALL_FUNCTION:
        g_string_append_printf(out, "  cudaLaunchHostFunc(%s, F%u%u, NULL);\n", stream, h, i);
        break;
    default:
        break;
    }
}

static bool is_query(const struct random_call *call)
{
    return call->kind == RANDOM_CALL_STREAM_QUERY || call->kind == RANDOM_CALL_EVENT_QUERY;
}

static void print_call(GString *out, const struct random_call *call, uint32_t h, uint32_t i,
                       uint32_t nodes)
{
    const char *stream = streams[call->stream], *at = locations[call->location];
    if (i > 0 && call->guarded && call->kind == RANDOM_CALL_LAUNCH && is_query(&call[-1]) &&
        nodes <= i - 1)
        g_string_append_printf(out, "  if (q%u == cudaSuccess)\n  ", i - 1);
    print_work(out, call, h, i, stream);
    switch (call->kind) {
    case RANDOM_CALL_RECORD:
        g_string_append_printf(out, "  cudaEventRecord(e%u, %s);\n", call->event, stream);
        break;
    case RANDOM_CALL_WAIT:
        g_string_append_printf(out, "  cudaStreamWaitEvent(%s, e%u);\n", stream, call->event);
        break;
    case RANDOM_CALL_STREAM_SYNC:
        g_string_append_printf(out, "  cudaStreamSynchronize(%s);\n", stream);
        break;
    case RANDOM_CALL_EVENT_SYNC:
        g_string_append_printf(out, "  cudaEventSynchronize(e%u);\n", call->event);
        break;
    case RANDOM_CALL_DEVICE_SYNC:
        g_string_append(out, "  cudaDeviceSynchronize();\n");
        break;
    case RANDOM_CALL_STREAM_QUERY:
        g_string_append_printf(out, "  q%u = cudaStreamQuery(%s);\n", i, stream);
        break;
    case RANDOM_CALL_EVENT_QUERY:
        g_string_append_printf(out, "  q%u = cudaEventQuery(e%u);\n", i, call->event);
        break;
    case RANDOM_CALL_BLOCKING_COPY:
        g_string_append_printf(out, "  cudaMemcpy(d%s, p%s, 4, cudaMemcpyDefault);\n", at, at);
        break;
    case RANDOM_CALL_STORE:
        g_string_append_printf(out, "  %s = %u;\n", at, value_of(h, i, 0));
        break;
    case RANDOM_CALL_LOAD:
        g_string_append_printf(out, "  r%u = %s;\n", i, at);
        break;
    case RANDOM_CALL_DESTROY: /* nobody but the first thread uses it then */
        if (call->stream < 2 && h == 0)
            g_string_append_printf(out, "  cudaStreamDestroy(%s);\n  cudaStreamCreate(&%s);\n",
                                   stream, stream);
        break;
    default:
        break;
    }
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void print_captured(GString *out, const struct random_host *program)
{
    bool forked = false;
    g_string_append(out, "  cudaStreamBeginCapture(s0, cudaStreamCaptureModeGlobal);\n");
    for (uint32_t i = 0; i < program->nodes; i++) {
        bool side = program->calls[0][i].stream % 2;
        if (side && !forked)
            g_string_append(out,
                            "  cudaEventRecord(fork, s0);\n  cudaStreamWaitEvent(s1, fork);\n");
        forked |= side;
        print_work(out, &program->calls[0][i], 0, i, side ? "s1" : "s0");
    }
    if (forked)
        g_string_append(out,
                        "  cudaEventRecord(joined, s1);\n  cudaStreamWaitEvent(s0, joined);\n");
    g_string_append(out, "  cudaStreamEndCapture(s0, &g);\n");
}

static uint32_t print_dependencies(GString *out, uint32_t after, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node; i++)
        if (after >> i & 1)
            g_string_append_printf(out, "%sn%u", count++ ? ", " : "{", i);
    g_string_append(out, count ? "}" : "NULL");
    return count;
}

static void print_node(GString *out, const struct random_call *call, uint32_t i)
{
    static const char *const adders[] = {"Kernel", "Memset", "Memcpy", "Host"};
    const char *one = call->kind == RANDOM_CALL_COPY ? "1D" : "";
    g_string_append_printf(out, "  cudaGraphAdd%sNode%s(&n%u, g, ", adders[call->kind], one, i);
    g_string_append_printf(out, ", %u, ", print_dependencies(out, call->after, i));
    const char *to = locations[call->location], *from = locations[1 - call->location];
    if (call->kind == RANDOM_CALL_LAUNCH)
        g_string_append_printf(out, "K0%u<<<1, 1>>>());\n", i);
    else if (call->kind == RANDOM_CALL_SET)
        g_string_append_printf(out, "%s, %u, 4);\n", to, i + 1);
    else if (call->kind == RANDOM_CALL_COPY)
        g_string_append_printf(out, "d%s, %s, 4, cudaMemcpyDefault);\n", to, from);
    else
        g_string_append_printf(out, "F0%u);\n", i);
}

static void print_graph(GString *out, const struct random_host *program)
{
    if (program->graph == RANDOM_GRAPH_CAPTURED)
        print_captured(out, program);
    else
        g_string_append(out, "  cudaGraphCreate(&g, 0);\n");
    for (uint32_t i = 0; i < program->nodes && program->graph == RANDOM_GRAPH_BY_HAND; i++)
        print_node(out, &program->calls[0][i], i);
    g_string_append(out, "  cudaGraphInstantiate(&X, g, 0);\n");
    for (uint32_t i = 0; i < program->launches; i++)
        g_string_append_printf(out, "  cudaGraphLaunch(X, s%u);\n", i);
}

/* ---- the program ---------------------------------------------------------------------------- */

/* The second thread begins when the streams are there. */
static void print_host(GString *out, const struct random_host *program, uint32_t h)
{
    g_string_append_printf(out, "host H%u {\n", h);
    if (h)
        g_string_append(out, "  while (f.load(acquire) == 0) ;\n");
    else
        g_string_append(out, "  cudaStreamCreateWithFlags(&s0, cudaStreamNonBlocking);\n"
                             "  cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);\n"
                             "  cudaStreamCreate(&b0);\n");
    if (!h && program->hosts > 1)
        g_string_append(out, "  f.store(1, release);\n");
    if (!h && program->nodes)
        print_graph(out, program);
    for (uint32_t i = h ? 0 : program->nodes; i < program->count[h]; i++)
        print_call(out, &program->calls[h][i], h, i, h ? 0 : program->nodes);
    g_string_append(out, "}\n");
}

static void observe_call(GString *out, const struct random_call *call, uint32_t h, uint32_t i)
{
    for (uint32_t k = 0; k < call->inst_count && call->kind == RANDOM_CALL_LAUNCH; k++)
        if (call->insts[k].kind == RANDOM_KERNEL_LOAD || call->insts[k].kind == RANDOM_KERNEL_ADD)
            g_string_append_printf(out, " K%u%u:r%u;", h, i, k);
    if (call->kind == RANDOM_CALL_FUNCTION)
        g_string_append_printf(out, " F%u%u:r;", h, i);
    if (is_query(call))
        g_string_append_printf(out, " H%u:q%u;", h, i);
    if (call->kind == RANDOM_CALL_LOAD)
        g_string_append_printf(out, " H%u:r%u;", h, i);
}

GString *random_host_write(const struct random_host *program)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "PTX host-%" G_GUINT64_FORMAT
                           "\n{ mapped u32 x; mapped u32 y; mapped u32 f; u32 dx; u32 dy;\n"
                           "  pinned u32 px = 7; pageable u32 py = 8; }\n",
                           program->seed);
    print_bodies(out, program, RANDOM_CALL_LAUNCH);
    print_bodies(out, program, RANDOM_CALL_FUNCTION);
    for (uint32_t h = 0; h < program->hosts; h++)
        print_host(out, program, h);
    g_string_append(out, "locations [x; y; dx; dy;");
    for (uint32_t h = 0; h < program->hosts; h++)
        for (uint32_t i = 0; i < program->count[h]; i++)
            if (h || i >= program->nodes || program->launches == 1)
                observe_call(out, &program->calls[h][i], h, i);
    g_string_append(out, "]\nexists (true)\n");
    return out;
}

/* ---- shrinking ------------------------------------------------------------------------------ */

static void drop_call(struct random_host *program, uint32_t h, uint32_t i)
{
    shrink_list(program->calls[h], sizeof *program->calls[h], &program->count[h], i);
    if (h == 0 && i < program->nodes)
        program->nodes--;
}

/* Ways to make the whole plainer: a thread less, one launch, no graph. */
static bool plainer(struct random_host *program, uint32_t way)
{
    struct random_host before = *program;
    if (way == 0)
        program->hosts = 1;
    else if (way == 1)
        program->launches = 1;
    else
        program->nodes = 0;
    return memcmp(&before, program, sizeof before) != 0;
}

bool random_host_shrink(const struct random_host *program, uint32_t step,
                        struct random_host *smaller)
{
    uint32_t index = 0;
    for (uint32_t way = 0; way < 3; way++) {
        *smaller = *program;
        if (plainer(smaller, way) && index++ == step)
            return true;
    }
    for (uint32_t h = 0; h < program->hosts; h++)
        for (uint32_t i = 0; i < program->count[h]; i++) {
            *smaller = *program;
            if (index++ == step) {
                drop_call(smaller, h, i);
                return true;
            }
            for (uint32_t k = 0; k < program->calls[h][i].inst_count; k++)
                if (index++ == step) {
                    struct random_call *call = &smaller->calls[h][i];
                    shrink_list(call->insts, sizeof *call->insts, &call->inst_count, k);
                    return true;
                }
        }
    return false;
}
