/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "litmus/test/host.h"
#include "litmus/test/host_word.h"
#include "litmus/print/printer.h"

/* Prints host programs as C statements, from their instructions: a temporary register is printed as
 * the expression whose value it holds. */

struct host_printer {
    struct printer *printer;
    const struct body *body;
    const struct inst **writers; /* of temporaries, by register */
    unsigned depth;
};

static bool is_temporary(const struct body *body, const struct operand *operand)
{
    return operand->kind == OPERAND_REG && !*body->regs[operand->reg].name;
}

static bool writes_temporary(const struct body *body, const struct inst *inst)
{
    return op_writes(inst->op) && inst->operand_count && is_temporary(body, &inst->operands[0]);
}

/* By register: the instruction that writes the temporary, or NULL. */
static const struct inst **temporary_writers(struct arena *arena, const struct body *body)
{
    const struct inst **writers = ARENA_ARRAY(arena, const struct inst *, body->reg_count);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        if (writes_temporary(body, &body->insts[pc]))
            writers[body->insts[pc].operands[0].reg] = &body->insts[pc];
    return writers;
}

static void computed(const struct host_printer *h, const struct inst *inst);

static void value(const struct host_printer *h, const struct operand *operand)
{
    GString *out = h->printer->out;
    if (operand->kind != OPERAND_REG)
        g_string_append_printf(out, "%" PRId64, (int64_t)operand->value);
    else if (is_temporary(h->body, operand))
        computed(h, h->writers[operand->reg]);
    else
        g_string_append(out, h->body->regs[operand->reg].name);
}

static void memory(const struct host_printer *h, uint32_t location, uint64_t element)
{
    g_string_append(h->printer->out, h->printer->test->locations[location].name);
    if (element)
        g_string_append_printf(h->printer->out, "[%" PRIu64 "]", element);
}

static void place(const struct host_printer *h, const struct operand *operand)
{
    uint32_t bytes = h->printer->test->locations[operand->location].element_bytes;
    memory(h, operand->location, operand->value / (bytes ? bytes : 1));
}

/* ---- calls ---------------------------------------------------------------------------------- */

static const char *object(const struct host_printer *h, uint32_t index)
{
    return h->printer->test->host->objects[index].name;
}

static void nodes(const struct host_printer *h, const struct host_call *call)
{
    GString *out = h->printer->out;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "{", object(h, call->dependencies[i]));
    g_string_append(out, call->dependency_count ? "}" : "NULL");
}

static void argument(const struct host_printer *h, const struct host_call *call,
                     const struct host_argument *argument)
{
    GString *out = h->printer->out;
    const void *field = host_argument_field(argument, call);
    const struct host_memory *m;
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        g_string_append(out, argument->direction == HOST_MADE ? "&" : "");
        g_string_append(out, object(h, *(const uint32_t *)field));
        break;
    case HOST_ARGUMENT_MEMORY:
        m = field;
        memory(h, m->location, m->element);
        break;
    case HOST_ARGUMENT_NUMBER:
        g_string_append_printf(out, "%" PRIu64, *(const uint64_t *)field);
        break;
    case HOST_ARGUMENT_CONSTANT:
        g_string_append(out, host_constant_name(call->constant));
        break;
    case HOST_ARGUMENT_FUNCTION:
        g_string_append(out, h->printer->test->host->threads[call->function].name);
        break;
    case HOST_ARGUMENT_KERNEL:
        printer_launch(h->printer, &h->printer->test->launches[call->launch], NULL);
        break;
    case HOST_ARGUMENT_NODES:
        nodes(h, call);
        break;
    case HOST_ARGUMENT_COUNT:
        g_string_append_printf(out, "%u", call->dependency_count);
        break;
    case HOST_ARGUMENT_IGNORED:
        g_string_append(out, "NULL");
        break;
    }
}

static void call(const struct host_printer *h, const struct host_call *c)
{
    GString *out = h->printer->out;
    const char *letters = c->row->arguments;
    if (!letters) {
        printer_launch(h->printer, &h->printer->test->launches[c->launch], object(h, c->stream));
        return;
    }
    g_string_append_printf(out, "%s(", c->row->name);
    for (const char *letter = letters; *letter; letter++) {
        if (*letter == '?')
            continue;
        g_string_append(out, letter > letters ? ", " : "");
        argument(h, c, host_argument(*letter));
    }
    g_string_append_c(out, ')');
}

/* ---- statements ----------------------------------------------------------------------------- */

static const char *order_name(enum sem sem)
{
    const struct host_memory_order *order = host_memory_orders;
    while (order->sem != sem)
        order++;
    return order->word;
}

static const char *method_name(const struct inst *inst)
{
    const struct host_method *method = host_methods;
    while (method->op != inst->op || method->atom_op != inst->atom_op)
        method++;
    return method->word;
}

static void atomic(const struct host_printer *h, const struct inst *inst)
{
    GString *out = h->printer->out;
    bool store = inst->op == OP_ST;
    place(h, &inst->operands[store ? 0 : 1]);
    g_string_append_printf(out, "%s(", method_name(inst));
    if (inst->op != OP_LD) {
        value(h, &inst->operands[store ? 1 : 2]);
        g_string_append(out, ", ");
    }
    g_string_append_printf(out, "%s)", order_name(inst->sem));
}

static void result(const struct host_printer *h, const struct operand *to)
{
    if (to->kind == OPERAND_SINK)
        return;
    value(h, to);
    g_string_append(h->printer->out, " = ");
}

static char mark_of(const struct inst *inst)
{
    const struct host_mark *mark = host_marks;
    while (mark->op != inst->op)
        mark++;
    return mark->mark;
}

/* What the instruction computes: operand 0 gets it. */
static void computed(const struct host_printer *h, const struct inst *inst)
{
    if (inst->op == OP_HOST_CALL) {
        call(h, &h->printer->test->host->calls[inst->operands[1].value]);
    } else if (inst->op == OP_LD && inst->sem == SEM_WEAK) {
        place(h, &inst->operands[1]);
    } else if (inst->op == OP_LD || inst->op == OP_ATOM) {
        atomic(h, inst);
    } else {
        value(h, &inst->operands[1]);
        if (inst->op == OP_MOV)
            return;
        g_string_append_printf(h->printer->out, " %c ", mark_of(inst));
        value(h, &inst->operands[2]);
    }
}

static void plain(const struct host_printer *h, const struct inst *inst)
{
    GString *out = h->printer->out;
    if (inst->op == OP_FENCE) {
        g_string_append_printf(out, "atomic_thread_fence(%s)", order_name(inst->sem));
    } else if (inst->op == OP_ST && inst->sem == SEM_WEAK) {
        place(h, &inst->operands[0]);
        g_string_append(out, " = ");
        value(h, &inst->operands[1]);
    } else if (inst->op == OP_ST) {
        atomic(h, inst);
    } else {
        result(h, &inst->operands[0]);
        computed(h, inst);
    }
    g_string_append(out, ";\n");
}

static void condition(const struct host_printer *h, const char *word, const struct inst *inst,
                      enum cmp cmp)
{
    g_string_append_printf(h->printer->out, "%s (", word);
    value(h, &inst->operands[0]);
    g_string_append_printf(h->printer->out, " %s ", cmp_row(cmp)->mark);
    value(h, &inst->operands[1]);
    g_string_append_c(h->printer->out, ')');
}

static void indent(const struct host_printer *h)
{
    g_string_append_printf(h->printer->out, "%*s", (int)(2 * (h->depth + 1)), "");
}

static void statements(struct host_printer *h, uint32_t from, uint32_t to);

/* The branch at 'pc': "while (c);" goes back, "while (c) { … }" is passed over and ends with a jump
 * back, "if (c) { … }" is passed over. The number of the instruction after it. */
static uint32_t branch(struct host_printer *h, uint32_t pc)
{
    const struct inst *inst = &h->body->insts[pc];
    uint32_t target = inst->operands[2].target;
    indent(h);
    if (target <= pc) {
        condition(h, "while", inst, inst->cmp);
        g_string_append(h->printer->out, ";\n");
        return pc + 1;
    }
    const struct inst *last = &h->body->insts[target - 1];
    bool loop = target - 1 > pc && last->op == OP_BRA && last->operands[0].target <= pc;
    condition(h, loop ? "while" : "if", inst, cmp_row(inst->cmp)->opposite);
    g_string_append(h->printer->out, " {\n");
    h->depth++;
    statements(h, pc + 1, loop ? target - 1 : target);
    h->depth--;
    indent(h);
    g_string_append(h->printer->out, "}\n");
    return target;
}

/* Written where their value is used, or part of a seq_cst operation. */
static bool is_hidden(const struct body *body, uint32_t pc)
{
    const struct inst *inst = &body->insts[pc];
    if (inst->op == OP_FENCE)
        return inst->sem == SEM_SC && pc + 1 < body->inst_count && inst[1].sem == SEM_SC &&
               inst[1].op != OP_FENCE && inst[1].span.offset == inst->span.offset;
    return writes_temporary(body, inst);
}

static void statements(struct host_printer *h, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to;) {
        const struct inst *inst = &h->body->insts[pc];
        if (inst->op == OP_BRANCH_COMPARE) {
            pc = branch(h, pc);
            continue;
        }
        if (!is_hidden(h->body, pc)) {
            indent(h);
            plain(h, inst);
        }
        pc++;
    }
}

void printer_host(struct printer *printer, uint32_t thread)
{
    const struct host_thread *host = &printer->test->host->threads[thread];
    const struct body *body = &printer->test->bodies[host->body];
    struct host_printer h = {printer, body, temporary_writers(printer->arena, body), 0};
    g_string_append_printf(printer->out, "%s %s {\n", host->is_function ? "hostfn" : "host",
                           host->name);
    statements(&h, 0, h.body->inst_count);
    g_string_append(printer->out, "}\n");
}

void printer_platform(struct printer *printer)
{
    struct host_platform is = printer->test->host->platform, usual = host_platform_default();
    struct host_flag flags[HOST_FLAGS], defaults[HOST_FLAGS];
    bool any = false;
    host_flags(&is, flags);
    host_flags(&usual, defaults);
    for (int i = 0; i < HOST_FLAGS; i++) {
        if (*flags[i].value == *defaults[i].value)
            continue;
        g_string_append_printf(printer->out, "%s%s = %d;", any ? " " : "platform { ", flags[i].name,
                               *flags[i].value);
        any = true;
    }
    g_string_append(printer->out, any ? " }\n" : "");
}
