/* SPDX-License-Identifier: MIT
 *
 * Code of the host as statements of C++: one an instruction, with jumps as they are. */
#include <inttypes.h>
#include <string.h>

#include "cli/emit/view.h"
#include "litmus/test/host.h"
#include "litmus/test/host_word.h"

struct host_code {
    const struct test *test;
    const struct body *body;
    json_t *lines;
    GString *out; /* the statement that is being written */
};

#define put(w, ...) g_string_append_printf((w)->out, __VA_ARGS__)

static void end_line(struct host_code *w)
{
    json_array_append_new(w->lines, json_string(w->out->str));
    g_string_truncate(w->out, 0);
}

/* ---- values and places ---------------------------------------------------------------------- */

static void put_value(struct host_code *w, const struct operand *op)
{
    if (op->kind == OPERAND_REG)
        put(w, "r%u", op->reg);
    else
        put(w, "int64_t(0x%" PRIx64 "ull)", op->value);
}

/* "at(0, 4)" */
static void put_memory(struct host_code *w, uint32_t location, uint64_t bytes)
{
    put(w, "at(%u, %" PRIu64 ")", location, bytes);
}

/* "<uint32_t>(at(0, 4)": the method's type and its first argument */
static void put_place(struct host_code *w, const struct operand *op)
{
    const struct location *l = &w->test->locations[op->location];
    put(w, "<%s%u_t>(", type_is_signed(l->type) ? "int" : "uint", 8 * l->element_bytes);
    put_memory(w, op->location, op->value);
}

static void put_order(struct host_code *w, enum sem sem)
{
    static const char *const names[] = {
        [SEM_RELAXED] = "RELAXED", [SEM_ACQUIRE] = "ACQUIRE", [SEM_RELEASE] = "RELEASE",
        [SEM_ACQ_REL] = "ACQ_REL", [SEM_SC] = "SEQ_CST",
    };
    put(w, "__ATOMIC_%s", names[sem]);
}

static void put_result(struct host_code *w, const struct operand *to)
{
    if (to->kind == OPERAND_REG)
        put(w, "r%u = ", to->reg);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* The call says where the memory is, or makes it a handle. */
static bool gives_memory(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_ALLOCATION ||
           call->row->subject == HOST_SUBJECT_HANDLE;
}

static void put_object(struct host_code *w, uint32_t object)
{
    static const char *const streams[] = {
        [HOST_STREAM_LEGACY] = "cudaStreamLegacy",
        [HOST_STREAM_PER_THREAD] = "cudaStreamPerThread",
    };
    if (object < HOST_FIRST_NAMED)
        put(w, "%s", streams[object]);
    else
        put(w, "o%u", object);
}

static void put_constant(struct host_code *w, const struct host_call *call)
{
    bool copies = call->row->subject == HOST_SUBJECT_COPY;
    if (call->constant || copies)
        put(w, "%s", call->constant ? host_constant_names[call->constant] : "cudaMemcpyDefault");
    else
        put(w, "{}");
}

static void put_nodes(struct host_code *w, const struct host_call *call)
{
    put(w, "nodes{");
    for (uint32_t i = 0; i < call->dependency_count; i++)
        put(w, "%so%u", i ? ", " : "", call->dependencies[i]);
    put(w, "}");
}

static void put_bodies(struct host_code *w, const struct host_call *call)
{
    put(w, "bodies{");
    for (uint32_t i = 0; i < call->body_count; i++)
        put(w, "%s&o%u", i ? ", " : "", call->bodies[i]);
    put(w, "}");
}

static void put_memory_argument(struct host_code *w, const struct host_call *call,
                                const struct host_memory *m)
{
    uint32_t bytes = w->test->locations[m->location].element_bytes;
    if (gives_memory(call))
        put(w, "&m[%u]", m->location);
    else
        put_memory(w, m->location, m->element * bytes);
}

/* A number may be given as a word of the runtime, in a call that takes no other. */
static void put_number(struct host_code *w, const struct host_call *call, uint64_t value)
{
    if (call->constant && !strchr(call->row->arguments, 'k'))
        put(w, "%s", host_constant_names[call->constant]);
    else if (value > INT64_MAX)
        put(w, "%" PRId64, (int64_t)value);
    else
        put(w, "%" PRIu64 "u", value);
}

static void put_argument(struct host_code *w, const struct host_call *call,
                         const struct host_argument *argument)
{
    const void *field = host_argument_field(argument, call);
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        put(w, "%s", argument->direction == HOST_MADE ? "&" : "");
        put_object(w, *(const uint32_t *)field);
        break;
    case HOST_ARGUMENT_MEMORY:
        put_memory_argument(w, call, field);
        break;
    case HOST_ARGUMENT_NUMBER:
        put_number(w, call, *(const uint64_t *)field);
        break;
    case HOST_ARGUMENT_CONSTANT:
        put_constant(w, call);
        break;
    case HOST_ARGUMENT_FUNCTION:
        put(w, "function{call%u, this}", call->function);
        break;
    case HOST_ARGUMENT_KERNEL:
        put(w, "launching%u()", call->launch);
        break;
    case HOST_ARGUMENT_NODES:
        put_nodes(w, call);
        break;
    case HOST_ARGUMENT_COUNT:
        put(w, "%u", call->dependency_count);
        break;
    case HOST_ARGUMENT_BODIES:
        put_bodies(w, call);
        break;
    case HOST_ARGUMENT_IGNORED:
        put(w, "nullptr");
        break;
    }
}

/* The last of its optional arguments that the call has: a constant that is missing has its default. */
static void put_arguments(struct host_code *w, const struct host_call *call)
{
    bool optional = false;
    for (const char *letter = call->row->arguments; *letter; letter++) {
        if (*letter == '?') {
            optional = true;
            continue;
        }
        if (optional && ((*letter == 'k' && !call->constant) || (*letter == 'z' && !call->element)))
            return;
        put(w, letter > call->row->arguments ? ", " : "");
        put_argument(w, call, host_argument(*letter));
    }
}

static void put_call(struct host_code *w, const struct inst *inst)
{
    const struct host_call *call = &w->test->host->calls[inst->operands[1].value];
    bool asked = inst->operands[0].kind == OPERAND_REG;
    put(w, "pause(); ");
    put_result(w, &inst->operands[0]);
    put(w, "call(%u, ", (unsigned)source_place(w->test->source, call->span.offset).line);
    if (call->row->arguments) {
        put(w, "%s(", call->row->name);
        put_arguments(w, call);
    } else {
        put(w, "launch(launching%u(), ", call->launch);
        put_object(w, call->stream);
        if (call->event != NONE)
            put(w, ", o%u", call->event);
    }
    put(w, "), %s)", asked ? "true" : "false");
}

/* ---- instructions --------------------------------------------------------------------------- */

static const char *method_name(const struct inst *inst)
{
    const struct host_method *method = host_methods;
    while (method->op != inst->op || method->atom_op != inst->atom_op)
        method++;
    return method->word + 1;
}

static void put_access(struct host_code *w, const struct inst *inst)
{
    bool stores = inst->op == OP_ST;
    if (!stores)
        put_result(w, &inst->operands[0]);
    put(w, "%s", method_name(inst));
    put_place(w, &inst->operands[stores ? 0 : 1]);
    for (uint32_t i = stores ? 1 : 2; i < inst->operand_count; i++) {
        put(w, ", ");
        put_value(w, &inst->operands[i]);
    }
    if (inst->sem != SEM_WEAK) {
        put(w, ", ");
        put_order(w, inst->sem);
    }
    put(w, ")");
}

static const char *mark_of(enum op op)
{
    const struct host_mark *mark = host_marks;
    while (mark->op != op)
        mark++;
    return mark->mark;
}

/* Numbers without a sign go round at their ends, as those of PTX do. */
static void put_computed(struct host_code *w, const struct inst *inst)
{
    put_result(w, &inst->operands[0]);
    put(w, "int64_t(uint64_t(");
    put_value(w, &inst->operands[1]);
    put(w, ")");
    if (inst->op != OP_MOV) {
        put(w, " %s uint64_t(", mark_of(inst->op));
        put_value(w, &inst->operands[2]);
        put(w, ")");
    }
    put(w, ")");
}

static void put_branch(struct host_code *w, const struct inst *inst)
{
    put(w, "if (");
    put_value(w, &inst->operands[0]);
    put(w, " %s ", cmp_row(inst->cmp)->mark);
    put_value(w, &inst->operands[1]);
    put(w, ") goto at%u", inst->operands[2].target);
}

static void put_instruction(struct host_code *w, const struct inst *inst)
{
    switch (inst->op) {
    case OP_NOP:
        return;
    case OP_HOST_CALL:
        put_call(w, inst);
        break;
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
        put_access(w, inst);
        break;
    case OP_FENCE:
        put(w, "fence(");
        put_order(w, inst->sem);
        put(w, ")");
        break;
    case OP_BRA:
        put(w, "goto at%u", inst->operands[0].target);
        break;
    case OP_BRANCH_COMPARE:
        put_branch(w, inst);
        break;
    default:
        put_computed(w, inst);
        break;
    }
    put(w, ";");
    end_line(w);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void put_label(struct host_code *w, uint32_t pc)
{
    if (!body_is_target(w->body, pc))
        return;
    put(w, "at%u:;", pc);
    end_line(w);
}

static void put_observed(struct host_code *w, uint32_t thread)
{
    for (uint32_t i = 0; i < w->test->observed_count; i++) {
        const struct cond_term *term = &w->test->observed[i];
        if (term->kind != TERM_REG || term->host != thread)
            continue;
        put(w, "registers[%u] = uint64_t(r%u);", i, term->reg);
        end_line(w);
    }
}

bool emit_host_is_of_call(const struct host_program *host, uint32_t thread)
{
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host->calls[i].waits == thread ||
            (host_call_on_value(&host->calls[i]) && host->calls[i].function == thread))
            return true;
    return false;
}

bool emit_host_is_hidden(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; test->host && i < test->host->thread_count; i++)
        if (test->host->threads[i].body == body && emit_host_is_of_call(test->host, i))
            return true;
    return false;
}

json_t *emit_host_code(const struct test *test, uint32_t thread)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const struct body *body = &test->bodies[test->host->threads[thread].body];
    struct host_code w = {test, body, json_array(), out};
    for (uint32_t i = 0; i < body->reg_count; i++) {
        put(&w, "[[maybe_unused]] int64_t r%u = 0;", i);
        if (*body->regs[i].name)
            put(&w, " // %s", body->regs[i].name);
        end_line(&w);
    }
    for (uint32_t pc = 0; pc < body->inst_count; pc++) {
        put_label(&w, pc);
        put_instruction(&w, &body->insts[pc]);
    }
    put_label(&w, body->inst_count);
    put_observed(&w, thread);
    return w.lines;
}
