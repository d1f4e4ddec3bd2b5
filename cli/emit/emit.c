/* SPDX-License-Identifier: MIT
 *
 * A CUDA program of tests: the runtime (device.cu, rounds.cu, program.cu), then kernel.cu filled in for each test. Every CTA of
 * the test is a CTA of the grid, every column a warp whose lanes run 32 copies of the test, unless lanes
 * matter. */
#include "cli/emit/emit.h"

#include <inttypes.h>

#include "cli/show/json.h"
#include "cli/show/template.h"
#include "litmus/print/print.h"
#include "litmus/test/ptx_version.h"

static const char device_text[] = {
#include "cli/device.cu.inc"
};
static const char rounds_text[] = {
#include "cli/rounds.cu.inc"
};
static const char program_text[] = {
#include "cli/program.cu.inc"
};
static const char kernel_template[] = {
#include "cli/kernel.cu.inc"
};

struct emission {
    struct job *job;
    const struct test *test;
    const struct emit_layout *at;
    uint32_t ptx, cuda; /* what the test needs: 84 is PTX 8.4, 1207 CUDA 12.7 */
};

enum { OLDEST_CUDA = 1108 }; /* the runtime needs it */

/* As a C string spells it. */
static json_t *quoted(const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);
    return json_string(escaped);
}

/* ---- code ------------------------------------------------------------------------------------ */

/* The lines of an asm statement: PTX's '%' is '%%' there. */
static json_t *code_lines(const char *ptx)
{
    g_auto(GStrv) lines = g_strsplit(ptx, "\n", -1);
    json_t *array = json_array();
    for (char **line = lines; *line; line++) {
        g_autoptr(GString) code = g_string_new(*line);
        g_string_replace(code, "%", "%%", 0);
        if (line[1] || **line)
            json_array_append_new(array, json_text(code->str));
    }
    return array;
}

static json_t *view_columns(const struct emission *e)
{
    const struct test *test = e->test;
    json_t *blocks = json_array();
    for (uint32_t i = 0; i < test->column_count; i++) {
        uint32_t warp = e->at->cta[i] * e->at->warps + e->at->warp[i];
        uint32_t chosen = e->at->lanes == 1 ? warp * EMIT_WARP + e->at->lane[i] : warp;
        json_array_append_new(blocks,
                              json_pack("{s:o, s:i, s:s, s:o}", "case", json_sprintf("%u", chosen),
                                        "number", i, "indent", "        ", "lines",
                                        code_lines(print_ptxas(e->job->arena, test, i, NONE))));
    }
    return blocks;
}

static json_t *view_grid(const struct emission *e)
{
    return json_pack("[{s:s, s:s, s:o}]", "number", "cta * 1024 + tid", "indent", "    ", "lines",
                     code_lines(print_ptxas(e->job->arena, e->test, NONE, 0)));
}

/* How PTX names the addresses of locations. */
static json_t *view_symbols(const struct emission *e)
{
    json_t *symbols = json_array();
    for (uint32_t i = 0; i < e->test->location_count; i++) {
        const char *name = e->test->locations[i].name;
        json_array_append_new(
            symbols, json_sprintf(".reg .b64 at_%s;\\nmov.b64 at_%s, %%%u;\\n", name, name, i + 2));
        if (e->test->locations[i].space == SPACE_SHARED)
            json_array_append_new(
                symbols,
                json_sprintf(".reg .b64 shared_%s;\\ncvta.to.shared%s.u64 shared_%s, at_%s;\\n",
                             name, e->at->cluster > 1 ? "::cluster" : "", name, name));
    }
    return symbols;
}

/* ---- places and values ----------------------------------------------------------------------- */

static uint64_t initial(const struct location *location, uint32_t element)
{
    return location->init ? location->init[element].value : 0;
}

/* What shared memory holds at first. */
static json_t *view_elements(const struct location *l)
{
    json_t *elements = json_array();
    for (uint32_t k = 0; l->space == SPACE_SHARED && k < l->elements; k++)
        json_array_append_new(elements, json_pack("{s:i, s:i, s:o}", "bits", 8 * l->element_bytes,
                                                  "offset", k * l->element_bytes, "value",
                                                  json_sprintf("%" PRIu64, initial(l, k))));
    return elements;
}

/* What other memory holds at first, as a C string. */
static json_t *contents(const struct location *l)
{
    g_autoptr(GString) bytes = g_string_new("\"");
    for (uint32_t i = 0; l->init && i < l->elements; i++)
        for (uint32_t byte = 0; byte < l->element_bytes; byte++)
            g_string_append_printf(bytes, "\\%03o",
                                   (unsigned)(byte < 8 ? initial(l, i) >> 8 * byte & 0xff : 0));
    g_string_append_c(bytes, '"');
    return json_string(l->init ? bytes->str : "nullptr");
}

/* Bytes that a fence of tensor maps speaks of, and whose multiple their address must be. */
enum { TENSORMAP_BYTES = 128 };

static bool is_tensor_map(const struct test *test, uint32_t location)
{
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            for (uint32_t o = 0; inst->proxy == PROXY_TENSORMAP && o < inst->operand_count; o++)
                if (inst->operands[o].kind == OPERAND_MEMORY &&
                    inst->operands[o].location == location)
                    return true;
        }
    return false;
}

static uint32_t name_align(const struct test *test, uint32_t location)
{
    const struct location *l = &test->locations[location];
    uint32_t align = l->align > l->element_bytes ? l->align : l->element_bytes;
    if (is_tensor_map(test, location))
        return TENSORMAP_BYTES;
    return l->elements * l->element_bytes >= 16 && align < 16 ? 16 : align;
}

/* Each name of the bytes may want more of their address. */
static uint32_t place_align(const struct test *test, uint32_t location)
{
    uint32_t align = 1;
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test_root_location(test, i) == test_root_location(test, location))
            align = MAX(align, name_align(test, i));
    return align;
}

static json_t *view_place(const struct emission *e, uint32_t i)
{
    const struct location *l = &e->test->locations[i];
    uint32_t owner, bytes = l->elements * l->element_bytes;
    bool shared = l->space == SPACE_SHARED;
    json_t *view =
        json_pack("{s:i, s:s, s:s, s:i, s:i, s:b, s:i, s:i, s:o, s:o}", "place", i, "comma",
                  i ? ", " : "", "name", l->name, "bytes", bytes, "align",
                  (int)place_align(e->test, i), "in_window", shared, "target",
                  (int)test_root_location(e->test, i), "view", (int)emit_view(e->test, i),
                  "elements", view_elements(l), "init", contents(l));
    if (shared && e->at->cluster > 1 && l->cta != NONE && emit_cta(e->test, e->at, l->cta, &owner))
        json_object_set_new(view, "owner", json_sprintf("%u", owner % e->at->cluster));
    return view;
}

static json_t *view_value(const struct emission *e, uint32_t i)
{
    const struct cond_term *term = &e->test->observed[i];
    struct bit_reading reading = outcome_reading(e->test, term);
    bool in_memory = term->kind == TERM_LOCATION;
    uint32_t bytes = (reading.width + 7) / 8;
    return json_pack("{s:s, s:o, s:i, s:i, s:i, s:b}", "comma", i ? ", " : "", "name",
                     quoted(print_term(e->job->arena, e->test, term)), "place",
                     in_memory ? (int)term->location : -1, "offset",
                     in_memory ? (int)(term->element * bytes) : 0, "bytes", bytes, "signed",
                     reading.is_signed);
}

/* A value in shared memory, which a thread of the CTA that has it stores at the end. */
static json_t *view_result(const struct emission *e, uint32_t i, const struct location *l)
{
    const struct cond_term *term = &e->test->observed[i];
    uint32_t owner = 0;
    if (l->cta != NONE)
        emit_cta(e->test, e->at, l->cta, &owner);
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "owner", owner, "number", i, "bits",
                     8 * l->element_bytes, "place", (int)term->location, "offset",
                     term->element * l->element_bytes);
}

/* ---- the test -------------------------------------------------------------------------------- */

/* What is observed: all values, those in shared memory, and those in registers of a grid's threads. */
static json_t *view_observed(const struct emission *e)
{
    json_t *values = json_array(), *results = json_array(), *registers = json_array();
    for (uint32_t i = 0; i < e->test->observed_count; i++) {
        const struct cond_term *term = &e->test->observed[i];
        const struct location *l =
            term->kind == TERM_LOCATION ? &e->test->locations[term->location] : NULL;
        json_array_append_new(values, view_value(e, i));
        if (l && l->space == SPACE_SHARED)
            json_array_append_new(results, view_result(e, i, l));
        if (term->kind == TERM_REG)
            json_array_append_new(registers, json_pack("{s:i, s:i, s:i}", "cta", term->cta, "tid",
                                                       term->tid, "number", i));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:i}", "values", values, "results", results, "registers",
                     registers, "asked", emit_asked(e->test), "value_count",
                     e->test->observed_count);
}

/* Where it runs. */
static json_t *view_layout(const struct emission *e)
{
    const struct emit_layout *at = e->at;
    struct dim3 grid = {at->ctas, 1, 1}, block = {at->warps * EMIT_WARP, 1, 1};
    if (e->test->launch_count) {
        grid = e->test->launches[0].grid;
        block = e->test->launches[0].block;
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:b, s:b, s:o, s:o}", "ctas", at->ctas,
                     "warps", at->warps, "lanes", at->lanes, "cluster", at->cluster, "many",
                     at->lanes > 1, "clusters", at->cluster > 1, "lone", at->lone, "columns",
                     e->test->column_count > 0, "whole", at->whole, "grid_size",
                     json_sprintf("{%u, %u, %u}", grid.x, grid.y, grid.z), "block_size",
                     json_sprintf("{%u, %u, %u}", block.x, block.y, block.z));
}

/* "MP+rel+acq" and its file: "test_MP_rel_acq_1b2c3d4e". */
static const char *identifier(const struct emission *e)
{
    char *name = arena_strdup(e->job->arena, e->test->name);
    for (char *c = name; *c; c++)
        *c = g_ascii_isalnum(*c) ? *c : '_';
    return arena_printf(e->job->arena, "test_%s_%08x", name, g_str_hash(e->job->path));
}

static json_t *view_test(const struct emission *e)
{
    const struct test *test = e->test;
    json_t *places = json_array();
    bool shared = false;
    for (uint32_t i = 0; i < test->location_count; i++) {
        json_array_append_new(places, view_place(e, i));
        shared |= test->locations[i].space == SPACE_SHARED;
    }
    json_t *view = json_pack(
        "{s:s, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:b, s:i, s:o, s:o}", "id", identifier(e), "name",
        quoted(test->name), "file", quoted(e->job->path), "places", places, "at_count",
        (int)test->location_count + 1, "shared", shared, "symbols", view_symbols(e), "blocks",
        test->column_count ? view_columns(e) : view_grid(e), "newer", e->cuda > OLDEST_CUDA, "cuda",
        e->cuda, "ptx", json_sprintf("%u.%u", e->ptx / 10, e->ptx % 10), "cuda_release",
        json_sprintf("%u.%u", e->cuda / 100, e->cuda % 100));
    json_object_update_new(view, view_layout(e));
    json_object_update_new(view, view_observed(e));
    return view;
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

const char *const *emit_runtime(void)
{
    static const char *const texts[] = {device_text, rounds_text, program_text, NULL};
    return texts;
}

enum verdict emit_test(struct batch_job *one)
{
    struct job *job = &one->job;
    if (!emit_can_start(job))
        return VERDICT_ERROR;
    struct emission e = {.job = job, .test = job->test, .at = emit_layout(job->arena, job->test)};
    if (!emit_can_write(job, e.at) || !find_version(&e))
        return VERDICT_ERROR;
    g_autofree char *question = g_strescape(print_question(job->arena, job->test), NULL);
    g_string_append_printf(one->result->out, "// %s: %s\n", job->test->name, question);
    json_auto_t *view = view_test(&e);
    template_fill(kernel_template, view, NULL, one->result->out);
    return VERDICT_HOLDS;
}
