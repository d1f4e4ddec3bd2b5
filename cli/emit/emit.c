/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/emit/emit.h"
#include "litmus/print/print.h"
#include "litmus/test/ptx_version.h"
#include "model/execution/outcome.h"

/* A CUDA program of tests: the runtime of emit.cu, then a kernel a test. Every CTA of the test is a
 * CTA of the grid, every column a warp whose lanes run 32 copies of the test, unless lanes matter.
 */

static const char runtime_text[] = {
#include "cli/emit.cu.inc"
};

struct emission {
    struct job *job;
    const struct test *test;
    const struct emit_layout *at;
    GString *out;
    uint32_t ptx, cuda; /* what the test needs: 84 is PTX 8.4, 1207 CUDA 12.7 */
};

enum { OLDEST_CUDA = 1108 }; /* the runtime needs it */

/* ---- code ------------------------------------------------------------------------------------ */

static void append(struct emission *e, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void append(struct emission *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(e->out, format, arguments);
    va_end(arguments);
}

static void quoted(struct emission *e, const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);
    append(e, "\"%s\"", escaped);
}

/* One asm statement: PTX's '%' is '%%' there. */
static void code(struct emission *e, const char *ptx, const char *indent)
{
    const struct test *test = e->test;
    append(e, "%sasm volatile(\"{\\n\"\n", indent);
    append(e,
           "%s    \".reg .b64 ptxlit_out, ptxlit_mine, ptxlit_wide, "
           "ptxlit_bits;\\n\"\n",
           indent);
    append(e, "%s    \"mov.b64 ptxlit_out, %%0;\\nmov.b64 ptxlit_mine, %%1;\\n\"\n", indent);
    for (uint32_t i = 0; i < test->location_count; i++) {
        const char *name = test->locations[i].name;
        append(e, "%s    \".reg .b64 at_%s;\\nmov.b64 at_%s, %%%u;\\n\"\n", indent, name, name,
               i + 2);
        if (test->locations[i].space == SPACE_SHARED)
            append(e,
                   "%s    \".reg .b64 shared_%s;\\ncvta.to.shared%s.u64 shared_%s, at_%s;\\n\"\n",
                   indent, name, e->at->cluster > 1 ? "::cluster" : "", name, name);
    }
    for (const char *line = ptx; *line;) {
        size_t length = strcspn(line, "\n");
        append(e, "%s    \"", indent);
        for (size_t i = 0; i < length; i++)
            append(e, line[i] == '%' ? "%%%%" : "%c", line[i]);
        append(e, "\\n\"\n");
        line += length + (line[length] == '\n');
    }
    append(e, "%s    \"}\" :: \"l\"(out), \"l\"(mine)", indent);
    for (uint32_t i = 0; i < test->location_count; i++)
        append(e, ", \"l\"(at[%u])", i);
    append(e, " : \"memory\");\n");
}

static void columns(struct emission *e)
{
    const struct test *test = e->test;
    append(e, "    const uint64_t mine = ~uint64_t(0);\n");
    append(e, "    switch (%s) {\n", e->at->lanes == 1 ? "thread * 32 + lane" : "thread");
    for (uint32_t i = 0; i < test->column_count; i++) {
        uint32_t warp = e->at->cta[i] * e->at->warps + e->at->warp[i];
        append(e, "    case %u: // P%u\n        litmus::stagger(a, group, %u);\n",
               e->at->lanes == 1 ? warp * EMIT_WARP + e->at->lane[i] : warp, i, i);
        code(e, print_ptxas(e->job->arena, test, i, NONE), "        ");
        append(e, "        break;\n");
    }
    append(e, "    }\n");
}

/* Bit i: the thread is the one whose register the i-th observed value is. */
static void whole_grid(struct emission *e)
{
    const struct test *test = e->test;
    append(e, "    uint64_t mine = 0;\n");
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (test->observed[i].kind == TERM_REG)
            append(e, "    mine |= uint64_t(cta == %u && tid == %u) << %u;\n",
                   test->observed[i].cta, test->observed[i].tid, i);
    append(e, "    litmus::stagger(a, group, cta * 1024 + tid);\n");
    code(e, print_ptxas(e->job->arena, test, NONE, 0), "    ");
}

static void shared_address(struct emission *e, uint32_t place)
{
    uint32_t owner, owned = e->test->locations[place].cta;
    append(e, "    at[%u] = uint64_t(window + a.base[%u] + copy_in_cta * a.stride[%u]);\n", place,
           place, place);
    if (e->at->cluster > 1 && owned != NONE && emit_cta(e->test, e->at, owned, &owner))
        append(e, "    const bool owns%u = cta %% %uu == %uu;\n", place, e->at->cluster,
               owner % e->at->cluster);
}

/* A column sees the copy of its cluster's owner. */
static void reach_owner(struct emission *e)
{
    const struct test *test = e->test;
    uint32_t owner;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].space == SPACE_SHARED && e->at->cluster > 1 &&
            test->locations[i].cta != NONE && emit_cta(test, e->at, test->locations[i].cta, &owner))
            append(e, "    if (!owns%u)\n        at[%u] = litmus::in_cta(at[%u], %u);\n", i, i, i,
                   owner % e->at->cluster);
}

static void addresses(struct emission *e)
{
    const struct test *test = e->test;
    bool shared = false;
    for (uint32_t i = 0; i < test->location_count; i++)
        shared = shared || test->locations[i].space == SPACE_SHARED;
    if (shared)
        append(e, "    extern __shared__ __align__(128) uint8_t window[];\n");
    append(e, "    uint64_t at[%u];\n", test->location_count + 1);
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].space == SPACE_SHARED)
            shared_address(e, i);
        else
            append(e, "    at[%u] = litmus::address(a, %u, copy);\n", i, i);
}

static uint64_t initial(const struct location *location, uint32_t element)
{
    return location->init ? location->init[element].value : 0;
}

static void shared_contents(struct emission *e)
{
    const struct test *test = e->test;
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        for (uint32_t k = 0; l->space == SPACE_SHARED && k < l->elements; k++)
            append(e, "    *(uint%u_t *)(at[%u] + %u) = %" PRIu64 "u;\n", 8 * l->element_bytes, i,
                   k * l->element_bytes, initial(l, k));
    }
}

static void shared_results(struct emission *e)
{
    const struct test *test = e->test;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        const struct location *l =
            term->kind == TERM_LOCATION ? &test->locations[term->location] : NULL;
        uint32_t owner = 0;
        if (l && l->cta != NONE)
            emit_cta(test, e->at, l->cta, &owner);
        if (l && l->space == SPACE_SHARED)
            append(e,
                   "    if (tid < %u && cta == %u)\n        ((uint64_t *)out)[%u] = *(uint%u_t "
                   "*)(at[%u] + %u);\n",
                   e->at->lanes, owner, i, 8 * l->element_bytes, term->location,
                   term->element * l->element_bytes);
    }
}

static void kernel(struct emission *e, const char *id)
{
    const struct test *test = e->test;
    bool shared = false;
    for (uint32_t i = 0; i < test->location_count; i++)
        shared = shared || test->locations[i].space == SPACE_SHARED;
    append(e, "__global__ void %s(litmus::arguments a)\n{\n", id);
    append(e,
           "    const uint32_t grid_cta = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + "
           "blockIdx.x;\n"
           "    const uint32_t group = grid_cta / %uu, cta = grid_cta %% %uu;\n"
           "    const uint32_t tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + "
           "threadIdx.x;\n"
           "    const uint32_t lane = tid %% 32, thread = cta * %uu + tid / 32;\n"
           "    const uint32_t copy_in_cta = %s, copy = group * %uu + copy_in_cta;\n"
           "    const uint64_t out = uint64_t(a.states + uint64_t(copy) * %uu);\n"
           "    (void)lane, (void)thread;\n",
           e->at->ctas, e->at->ctas, e->at->warps, e->at->lanes == 1 ? "0" : "lane", e->at->lanes,
           test->observed_count);
    addresses(e);
    shared_contents(e);
    append(e, "%s    litmus::meet(a, group, %u);\n",
           e->at->cluster > 1 ? "    litmus::meet_in_cluster();\n" : "", e->at->ctas);
    reach_owner(e);
    if (e->at->lone) /* whole warps come to a barrier: those lanes of theirs that have not left */
        append(e, "    if (lane != 0)\n        return;\n");
    if (test->column_count)
        columns(e);
    else
        whole_grid(e);
    if (shared)
        append(e, "    __syncthreads();\n%s",
               e->at->cluster > 1 ? "    litmus::meet_in_cluster();\n" : "");
    shared_results(e);
    append(e, "}\n");
}

static void contents(struct emission *e, const struct location *l)
{
    if (!l->init) {
        append(e, "nullptr");
        return;
    }
    append(e, "\"");
    for (uint32_t i = 0; i < l->elements; i++)
        for (uint32_t byte = 0; byte < l->element_bytes; byte++)
            append(e, "\\%03o", (unsigned)(byte < 8 ? initial(l, i) >> 8 * byte & 0xff : 0));
    append(e, "\"");
}

static void places(struct emission *e)
{
    append(e, "    {");
    for (uint32_t i = 0; i < e->test->location_count; i++) {
        const struct location *l = &e->test->locations[i];
        uint32_t align = l->align > l->element_bytes ? l->align : l->element_bytes;
        append(e, "%s{\"%s\", %u, %u, %s, ", i ? ", " : "", l->name, l->elements * l->element_bytes,
               l->elements * l->element_bytes >= 16 && align < 16 ? 16 : align,
               l->space == SPACE_SHARED ? "true" : "false");
        contents(e, l);
        append(e, "}");
    }
    append(e, "},\n");
}

static void values(struct emission *e)
{
    const struct test *test = e->test;
    append(e, "    {");
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        struct bit_reading reading = outcome_reading(test, term);
        bool in_memory = term->kind == TERM_LOCATION;
        uint32_t bytes = (reading.width + 7) / 8;
        append(e, "%s{", i ? ", " : "");
        quoted(e, print_term(e->job->arena, test, term));
        append(e, ", %d, %u, %u, %s}", in_memory ? (int)term->location : -1,
               in_memory ? term->element * bytes : 0, bytes, reading.is_signed ? "true" : "false");
    }
    append(e, "},\n");
}

/* "MP+rel+acq" and its file: "test_MP_rel_acq_1b2c3d4e". */
static const char *identifier(const struct emission *e)
{
    char *name = arena_strdup(e->job->arena, e->test->name);
    for (char *c = name; *c; c++)
        *c = g_ascii_isalnum(*c) ? *c : '_';
    return arena_printf(e->job->arena, "test_%s_%08x", name, g_str_hash(e->job->path));
}

static void entry(struct emission *e, const char *id)
{
    const struct dim3 *grid = e->test->launch_count ? &e->test->launches[0].grid : NULL;
    const struct dim3 *block = e->test->launch_count ? &e->test->launches[0].block : NULL;
    append(e, "static const litmus::add add_%s({", id);
    quoted(e, e->test->name);
    if (grid)
        append(e, ", %s, {%u, %u, %u}, {%u, %u, %u}, ", id, grid->x, grid->y, grid->z, block->x,
               block->y, block->z);
    else
        append(e, ", %s, {%u, 1, 1}, {%u, 1, 1}, ", id, e->at->ctas, e->at->warps * EMIT_WARP);
    append(e, "%u, %u, %s,\n", e->at->lanes, e->at->cluster, e->at->whole ? "true" : "false");
    places(e);
    values(e);
    append(e, "    ");
    quoted(e, e->job->path);
    append(e, "});\n");
}

/* The PTX that the test needs, and the compiler that has it; false when none is known to. */
static bool find_version(struct emission *e)
{
    const struct inst *newest = NULL;
    e->ptx = ptx_version_of(e->test, &newest);
    if (ptx_version_cuda(e->ptx, &e->cuda))
        return true;
    diag_add(&e->job->diags, DIAG_not_emitted, e->test->source, newest->span, NULL,
             "'emit' leaves this out: it is of PTX %u.%u, which no ptxas is known to have",
             e->ptx / 10, e->ptx % 10);
    return false;
}

/* An older compiler leaves the test out, by name, and compiles the others. */
static void leave_out(struct emission *e, const char *id)
{
    append(e, "#else\nstatic const litmus::leave_out leave_out_%s{", id);
    quoted(e, e->test->name);
    append(e, ", \"PTX %u.%u (CUDA %u.%u)\"};\n#endif\n", e->ptx / 10, e->ptx % 10, e->cuda / 100,
           e->cuda % 100);
}

static enum verdict emit_one(struct job *job)
{
    if (!emit_can_start(job))
        return VERDICT_ERROR;
    struct emission e = {.job = job,
                         .test = job->test,
                         .at = emit_layout(job->arena, job->test),
                         .out = job->result->out};
    if (!emit_can_write(job, e.at) || !find_version(&e))
        return VERDICT_ERROR;
    const char *id = identifier(&e);
    g_autofree char *text = g_strescape(print_question(job->arena, job->test), NULL);
    append(&e, "// %s: %s\n", job->test->name, text);
    if (e.cuda > OLDEST_CUDA)
        append(&e, "#if LITMUS_CUDA >= %u // PTX %u.%u\n", e.cuda, e.ptx / 10, e.ptx % 10);
    kernel(&e, id);
    entry(&e, id);
    if (e.cuda > OLDEST_CUDA)
        leave_out(&e, id);
    append(&e, "\n");
    return VERDICT_HOLDS;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* What is no code says that a test is left out: as comments. */
static void take(void *context, const struct result *result)
{
    (void)context;
    if (result->tally == VERDICT_HOLDS) {
        fwrite(result->out->str, 1, result->out->len, stdout);
        return;
    }
    g_auto(GStrv) lines = g_strsplit(result->err->str, "\n", -1);
    for (char **line = lines; *line; line++)
        if (**line)
            printf("// %s\n", *line);
    printf("\n");
}

int command_emit(const struct options *options)
{
    fputs(runtime_text, stdout);
    return batch_run_collecting(options, BATCH_PARSED, emit_one, take, NULL, NULL);
}
