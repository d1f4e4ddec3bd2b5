/* SPDX-License-Identifier: MIT
 *
 * A CUDA program of tests: the runtime (device.cu, tuned.cu, rounds.cu, program.cu), then kernel.cu filled in for each test. Every CTA of
 * the test is a CTA of the grid, every column a warp whose lanes run 32 copies of the test, unless lanes
 * matter. A host program is host_test.cu filled in, which needs host.cu. */
#include "cli/emit/view.h"
#include "cli/show/json.h"
#include "cli/show/template.h"
#include "litmus/print/print.h"
#include "litmus/test/ptx_target.h"
#include "litmus/test/ptx_version.h"

static const char device_text[] = {
#include "cli/device.cu.inc"
};
static const char tuned_text[] = {
#include "cli/tuned.cu.inc"
};
static const char rounds_text[] = {
#include "cli/rounds.cu.inc"
};
static const char host_text[] = {
#include "cli/host.cu.inc"
};
static const char program_text[] = {
#include "cli/program.cu.inc"
};
static const char kernel_template[] = {
#include "cli/kernel.cu.inc"
};
static const char source_template[] = {
#include "cli/source.cu.inc"
};
static const char host_template[] = {
#include "cli/host_test.cu.inc"
};

enum {
    OLDEST_CUDA = 1108, /* the runtime needs it */
    SOURCE_CUDA = 1200, /* the library's atomics, as tests in C++ have them */
    SOURCE_PTX = 80
};

/* ---- code ------------------------------------------------------------------------------------ */

static json_t *view_columns(const struct emission *e)
{
    const struct test *test = e->test;
    json_t *blocks = json_array();
    for (uint32_t i = 0; i < test->column_count; i++) {
        uint32_t warp = e->at->cta[i] * e->at->warps + e->at->warp[i];
        uint32_t chosen = e->at->lanes == 1 ? warp * EMIT_WARP + e->at->lane[i] : warp;
        json_t *block = json_pack("{s:o, s:i, s:s}", "case", json_sprintf("%u", chosen), "number",
                                  i, "indent", "        ");
        if (test->language != LANGUAGE_CPP)
            json_object_set_new(block, "lines",
                                emit_code_lines(print_ptxas(e->job->arena, test, i, NONE)));
        json_array_append_new(blocks, block);
    }
    return blocks;
}

static json_t *view_grid(const struct emission *e)
{
    json_t *block = json_pack("{s:s, s:s}", "number", "cta * 1024 + tid", "indent", "    ");
    if (e->test->language != LANGUAGE_CPP)
        json_object_set_new(block, "lines",
                            emit_code_lines(print_ptxas(e->job->arena, e->test, NONE, 0)));
    return json_pack("[o]", block);
}

/* A value in shared memory, which a thread of the CTA that has it stores at the end. */
static json_t *view_result(const struct emission *e, uint32_t i, const struct location *l)
{
    const struct cond_term *term = &e->test->observed[i];
    uint32_t owner = 0;
    if (l->cta != NONE)
        emit_cta(e->test, e->at, l, &owner);
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "owner", owner, "number", i, "bits",
                     8 * l->element_bytes, "place", (int)e->number[term->location], "offset",
                     term->element * l->element_bytes);
}

/* ---- the test -------------------------------------------------------------------------------- */

/* What is observed: all values, those in shared memory, and those in registers of a grid's threads. */
static json_t *view_observed(const struct emission *e)
{
    json_t *results = json_array(), *registers = json_array();
    for (uint32_t i = 0; i < e->test->observed_count; i++) {
        const struct cond_term *term = &e->test->observed[i];
        const struct location *l =
            term->kind == TERM_LOCATION ? &e->test->locations[term->location] : NULL;
        if (l && l->space == SPACE_SHARED)
            json_array_append_new(results, view_result(e, i, l));
        if (term->kind == TERM_REG)
            json_array_append_new(registers, json_pack("{s:i, s:i, s:i}", "cta", term->cta, "tid",
                                                       term->tid, "number", i));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:i}", "values", emit_values(e), "results", results,
                     "registers", registers, "asked", emit_asked(e->test), "value_count",
                     e->test->observed_count);
}

static void add_gpus(const struct emit_layout *at, json_t *view)
{
    json_t *gpus = json_array();
    for (uint32_t i = 0; at->gpus > 1 && i < at->gpus; i++)
        json_array_append_new(
            gpus, json_pack("{s:s, s:i}", "comma", i ? ", " : "", "ctas", at->ctas_of[i]));
    json_object_set_new(view, "apart", json_boolean(at->gpus > 1));
    json_object_set_new(view, "gpus", gpus);
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
    json_t *view = json_pack(
        "{s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:b, s:b, s:o, s:o}", "ctas", at->ctas, "warps",
        at->warps, "lanes", at->lanes, "cluster", at->cluster, "many", at->lanes > 1, "clusters",
        at->cluster > 1, "lone", at->lone, "columns", e->test->column_count > 0, "whole", at->whole,
        "grid_size", json_sprintf("{%u, %u, %u}", grid.x, grid.y, grid.z), "block_size",
        json_sprintf("{%u, %u, %u}", block.x, block.y, block.z));
    add_gpus(at, view);
    return view;
}

static json_t *view_test(const struct emission *e)
{
    const struct test *test = e->test;
    bool shared = false;
    for (uint32_t i = 0; i < test->location_count; i++)
        shared |= e->number[i] != NONE && test->locations[i].space == SPACE_SHARED;
    json_t *view = json_pack(
        "{s:s, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o, s:b, s:i, s:o, s:o}", "id",
        emit_identifier(e), "name", emit_quoted(test->name), "file", emit_quoted(e->job->path),
        "places", emit_places(e), "at_count", (int)e->places + 1, "shared", shared, "symbols",
        emit_symbols(e), "textures", emit_objects(e), "blocks",
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

/* Clusters of CTAs are newer than some tests that need them. */
static void add_target(const struct emission *e, json_t *view)
{
    bool is_source = e->test->language == LANGUAGE_CPP;
    uint32_t target = is_source ? PTX_TARGET_OLDEST : ptx_target_of(e->test);
    if (e->at->cluster > 1 && target < EMIT_CLUSTER_TARGET)
        target = EMIT_CLUSTER_TARGET;
    json_object_set_new(view, "target", json_integer(target));
    json_object_set_new(view, "guarded", json_boolean(target > PTX_TARGET_OLDEST));
}

void emit_runtime(const char *maker, FILE *to)
{
    static const char *const texts[] = {device_text, tuned_text, rounds_text, host_text,
                                        program_text};
    fprintf(to, "#define LITMUS_MAKER \"%s\"\n", maker);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        fputs(texts[i], to);
}

/* The test's own code, which the template takes as it is. */
static void add_text(json_t *view, json_t *source)
{
    static const char *const keys[] = {"id", "target", "guarded"};
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        json_object_set(source, keys[i], json_object_get(view, keys[i]));
    template_fill(source_template, source, NULL, text);
    json_object_set_new(view, "text", json_text(text->str));
    json_object_set_new(view, "source", json_true());
}

/* Also as nvcc compiles it; where that cannot be, a comment says why. */
static void emit_compiled(struct batch_job *one, json_t *allowed)
{
    struct job *job = &one->job;
    const char *trouble;
    const struct emit_layout *at = emit_layout(job->arena, job->compiled);
    json_auto_t *source = emit_source(job->compiled, at, &trouble);
    if (!source) {
        g_string_append_printf(one->result->out, "// %s: not through nvcc: it has %s\n\n",
                               job->compiled->name, trouble);
        return;
    }
    struct test named = *job->compiled;
    named.name = arena_printf(job->arena, "%s%s", job->compiled->name, HARDWARE_NVCC);
    struct emission e = {
        .job = job, .test = &named, .at = at, .ptx = SOURCE_PTX, .cuda = SOURCE_CUDA};
    e.number = emit_place_numbers(job->arena, &named, &e.places);
    bool hosted = emit_is_hosted(&named);
    json_auto_t *view = hosted ? emit_host(&e) : view_test(&e);
    add_target(&e, view);
    add_text(view, source);
    json_object_set(view, "allowed", allowed);
    emit_add_addresses(&e, view);
    emit_place_source(&e, view);
    template_fill(hosted ? host_template : kernel_template, view, NULL, one->result->out);
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
    e.number = emit_place_numbers(job->arena, job->test, &e.places);
    bool hosted = emit_is_hosted(job->test);
    json_auto_t *view = hosted ? emit_host(&e) : view_test(&e);
    json_object_set_new(view, "allowed", emit_allowed(one));
    add_target(&e, view);
    emit_add_addresses(&e, view);
    template_fill(hosted ? host_template : kernel_template, view, NULL, one->result->out);
    if (job->compiled)
        emit_compiled(one, json_object_get(view, "allowed"));
    return VERDICT_HOLDS;
}
