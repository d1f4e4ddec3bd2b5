/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "litmus/base/text.h"
#include "model/bounded/search.h"

/* A program as a test in C++. */

enum { NEVER_WRITTEN = 99 };
const char *bounded_location(uint32_t location)
{
    static const char *const names[BOUNDED_LOCATIONS] = {"x", "y", "z", "w", "u", "v"};
    return names[location];
}

static const char *order_word(uint32_t order)
{
    static const char *const words[] = {[SEM_RELAXED] = "relaxed",
                                        [SEM_ACQUIRE] = "acquire",
                                        [SEM_RELEASE] = "release",
                                        [SEM_ACQ_REL] = "acq_rel",
                                        [SEM_SC] = "seq_cst"};
    return words[order];
}

static const char *scope_word(uint32_t scope)
{
    return scope == SCOPE_CTA       ? "block"
           : scope == SCOPE_CLUSTER ? "cluster"
           : scope == SCOPE_GPU     ? "device"
                                    : "system";
}

uint32_t bounded_value(const struct bounded_program *program, uint32_t index)
{
    uint32_t value = 1;
    for (uint32_t i = 0; i < index; i++)
        value += bounded_writes(&program->at[i]) &&
                 program->at[i].location == program->at[index].location;
    return value;
}

/* The variable of the thread that gets what the operation reads. */
static uint32_t variable_of(const struct bounded_program *program, uint32_t index)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < index; i++)
        number +=
            program->at[i].thread == program->at[index].thread && bounded_reads(&program->at[i]);
    return number;
}

static void write_operation(const struct bounded_program *program, uint32_t index, GString *out)
{
    const struct bounded_operation *one = &program->at[index];
    const char *order = order_word(one->order), *scope = scope_word(one->scope);
    uint32_t variable = variable_of(program, index), value = bounded_value(program, index);
    if (one->kind == BOUNDED_BARRIER) {
        g_string_append(out, "  __syncthreads();\n");
        return;
    }
    if (one->kind == BOUNDED_FENCE) {
        g_string_append_printf(
            out, "  cuda::atomic_thread_fence(cuda::memory_order_%s, cuda::thread_scope_%s);\n",
            order, scope);
        return;
    }
    g_string_append(out, "  ");
    if (one->kind == BOUNDED_FAILING)
        g_string_append_printf(out, "int r%u = %d; ", variable, NEVER_WRITTEN);
    else if (bounded_reads(one))
        g_string_append_printf(out, "int r%u = ", variable);
    if (bounded_is_plain(one)) {
        if (bounded_reads(one))
            g_string_append_printf(out, "%s;\n", bounded_location(one->location));
        else
            g_string_append_printf(out, "%s = %u;\n", bounded_location(one->location), value);
        return;
    }
    g_string_append_printf(out, "cuda::atomic_ref<int, cuda::thread_scope_%s>(%s).", scope,
                           bounded_location(one->location));
    if (one->kind == BOUNDED_LOAD)
        g_string_append(out, "load(");
    else if (one->kind == BOUNDED_FAILING)
        g_string_append_printf(out, "compare_exchange_strong(r%u, %u, cuda::memory_order_%s, ",
                               variable, NEVER_WRITTEN + 1, order);
    else
        g_string_append_printf(out, "%s(%u, ", one->kind == BOUNDED_STORE ? "store" : "exchange",
                               value);
    g_string_append_printf(out, "cuda::memory_order_%s);\n", order);
}

/* "if (r0 != 1) return;" behind a read that is guarded. */
static void write_guard(const struct bounded_program *program, const struct bounded_execution *x,
                        uint32_t index, GString *out)
{
    if (program->guarded >> index & 1)
        g_string_append_printf(
            out, "  if (r%u != %u) return;\n", variable_of(program, index),
            x->from[index] == BOUNDED_INITIAL ? 0 : bounded_value(program, x->from[index]));
}

/* "@block 0,device 0"; a block is a cluster of its own unless clusters are needed. */
static void write_place(const struct bounded_program *program, uint32_t thread, GString *out)
{
    bool clusters = false;
    for (uint32_t t = 0; t < program->threads; t++)
        clusters |= program->cluster[t] != program->block[t];
    g_string_append_printf(out, "P%u@block %u,", thread, program->block[thread]);
    if (clusters)
        g_string_append_printf(out, "cluster %u,", program->cluster[thread]);
    g_string_append_printf(out, "device %u {\n", program->device[thread]);
}

static void write_question(const struct bounded_program *program, const struct bounded_execution *x,
                           GString *out)
{
    const char *between = "exists (";
    for (uint32_t i = 0; i < program->count; i++) {
        if (!bounded_reads(&program->at[i]))
            continue;
        uint32_t value = x->from[i] == BOUNDED_INITIAL ? 0 : bounded_value(program, x->from[i]);
        g_string_append_printf(out, "%s%u:r%u=%u", between, program->at[i].thread,
                               variable_of(program, i), value);
        between = " /\\ ";
    }
    for (uint32_t i = 0; i < program->count; i++) {
        if (!execution_ends_with(program, x, i))
            continue;
        g_string_append_printf(out, "%s%s=%u", between, bounded_location(program->at[i].location),
                               bounded_value(program, i));
        between = " /\\ ";
    }
    g_string_append(out, ")\n");
}

const char *bounded_write(struct arena *arena, const char *name,
                          const struct bounded_program *program,
                          const struct bounded_execution *execution)
{
    struct text *text = text_open(arena);
    g_string_append_printf(text->out, "C++ %s\n{", name);
    for (uint32_t i = 0; i < program->locations; i++)
        g_string_append_printf(text->out, " int %s = 0;", bounded_location(i));
    g_string_append(text->out, " }\n");
    for (uint32_t t = 0; t < program->threads; t++) {
        write_place(program, t, text->out);
        for (uint32_t i = 0; i < program->count; i++)
            if (program->at[i].thread == t) {
                write_operation(program, i, text->out);
                write_guard(program, execution, i, text->out);
            }
        g_string_append(text->out, "}\n");
    }
    write_question(program, execution, text->out);
    return text_close(text, arena);
}
