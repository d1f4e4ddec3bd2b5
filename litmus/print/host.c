/* SPDX-License-Identifier: MIT */
#include "litmus/print/host.h"

#include <inttypes.h>
#include <string.h>

#include "litmus/print/kernel.h"
#include "litmus/test/host.h"
#include "litmus/test/host_word.h"

/* Prints host programs as C statements, from their instructions: a temporary register is printed as
 * the expression whose value it holds. */

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

static void computed(struct printer *p, const struct inst *inst);
static void value(struct printer *p, enum type type, const struct operand *operand);

/* A value of two others stands in parentheses. */
static void operand(struct printer *p, enum type type, const struct operand *operand)
{
    const struct inst *writer = is_temporary(p->body, operand) ? p->writers[operand->reg] : NULL;
    bool pair = writer && writer->op != OP_HOST_CALL && writer->op != OP_LD &&
                writer->op != OP_ATOM && writer->op != OP_MOV;
    put(p, pair ? "(" : "");
    value(p, type, operand);
    put(p, pair ? ")" : "");
}

/* With as many digits as tell it from its neighbours. */
static void float_number(struct printer *p, enum type type, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double number;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (type == TYPE_F32)
        put_format(p, "%.8ef", (double)single);
    else
        put_format(p, "%.16e", number);
}

/* The type is that of what the value is for. */
static void value(struct printer *p, enum type type, const struct operand *operand)
{
    if (operand->kind != OPERAND_REG && (type == TYPE_F32 || type == TYPE_F64))
        float_number(p, type, operand->value);
    else if (operand->kind != OPERAND_REG)
        put_format(p, "%" PRId64, (int64_t)operand->value);
    else if (is_temporary(p->body, operand))
        computed(p, p->writers[operand->reg]);
    else
        put(p, p->body->regs[operand->reg].name);
}

static void memory(struct printer *p, uint32_t location, uint64_t element)
{
    put(p, p->test->locations[location].name);
    if (element)
        put_format(p, "[%" PRIu64 "]", element);
}

static enum type type_at(const struct printer *p, const struct operand *operand)
{
    return p->test->locations[operand->location].type;
}

static void place(struct printer *p, const struct operand *operand)
{
    uint32_t bytes = p->test->locations[operand->location].element_bytes;
    memory(p, operand->location, operand->value / (bytes ? bytes : 1));
}

/* ---- calls ---------------------------------------------------------------------------------- */

static const char *object(struct printer *p, uint32_t index)
{
    return p->test->host->objects[index].name;
}

static void nodes(struct printer *p, const struct host_call *call)
{
    for (uint32_t i = 0; i < call->dependency_count; i++)
        put_format(p, "%s%s", i ? ", " : "{", object(p, call->dependencies[i]));
    put(p, call->dependency_count ? "}" : "NULL");
}

/* A number may be given as a word of the runtime, in a call that takes no other. */
static void number(struct printer *p, const struct host_call *call, uint64_t value)
{
    if (call->constant && !strchr(call->row->arguments, 'k'))
        put(p, host_constant_names[call->constant]);
    else
        put_format(p, "%" PRIu64, value);
}

static void argument(struct printer *p, const struct host_call *call,
                     const struct host_argument *argument)
{
    const void *field = host_argument_field(argument, call);
    const struct host_memory *m;
    switch (argument->kind) {
    case HOST_ARGUMENT_OBJECT:
        put(p, argument->direction == HOST_MADE ? "&" : "");
        put(p, object(p, *(const uint32_t *)field));
        break;
    case HOST_ARGUMENT_MEMORY:
        m = field;
        memory(p, m->location, m->element);
        break;
    case HOST_ARGUMENT_NUMBER:
        number(p, call, *(const uint64_t *)field);
        break;
    case HOST_ARGUMENT_CONSTANT:
        put(p, host_constant_names[call->constant]);
        break;
    case HOST_ARGUMENT_FUNCTION:
        put(p, p->test->host->threads[call->function].name);
        break;
    case HOST_ARGUMENT_KERNEL:
        printer_launch(p, &p->test->launches[call->launch], NULL);
        break;
    case HOST_ARGUMENT_NODES:
        nodes(p, call);
        break;
    case HOST_ARGUMENT_BODIES:
        for (uint32_t i = 0; i < call->body_count; i++)
            put_format(p, "%s&%s", i ? ", " : "{", object(p, call->bodies[i]));
        put_char(p, '}');
        break;
    case HOST_ARGUMENT_COUNT:
        put_format(p, "%u", call->dependency_count);
        break;
    case HOST_ARGUMENT_IGNORED:
        put(p, "NULL");
        break;
    }
}

static void call(struct printer *p, const struct host_call *c)
{
    const char *letters = c->row->arguments;
    if (!letters) {
        printer_launch(p, &p->test->launches[c->launch], object(p, c->stream));
        if (c->event != NONE)
            put_format(p, " event %s", object(p, c->event));
        return;
    }
    put_format(p, "%s(", c->row->name);
    for (const char *letter = letters; *letter; letter++) {
        if (*letter == '?' && letter[1] == 'k' && !letter[2] && !c->constant)
            break; /* it would be taken for the number of edges, where a call may list them */
        if (*letter == '?' && letter[1] == 'z' && !c->element)
            break;
        if (*letter == '?')
            continue;
        put(p, letter > letters ? ", " : "");
        argument(p, c, host_argument(*letter));
    }
    put_char(p, ')');
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

static void atomic(struct printer *p, const struct inst *inst)
{
    bool store = inst->op == OP_ST;
    place(p, &inst->operands[store ? 0 : 1]);
    put_format(p, "%s(", method_name(inst));
    for (uint32_t i = store ? 1 : 2; i < inst->operand_count; i++) {
        value(p, type_at(p, &inst->operands[store ? 0 : 1]), &inst->operands[i]);
        put(p, ", ");
    }
    put_format(p, "%s)", order_name(inst->sem));
}

static void result(struct printer *p, const struct operand *to)
{
    if (to->kind == OPERAND_SINK)
        return;
    value(p, TYPE_NONE, to);
    put(p, " = ");
}

static const char *mark_of(const struct inst *inst)
{
    const struct host_mark *mark = host_marks;
    while (mark->op != inst->op)
        mark++;
    return mark->mark;
}

/* As a function of the two: "std::min<unsigned long long>(a, b)". */
static void chosen(struct printer *p, const struct inst *inst)
{
    put_format(p, "std::%s%s(", inst->op == OP_MIN ? "min" : "max",
               inst->type == TYPE_U64 ? "<unsigned long long>" : "");
    value(p, inst->type, &inst->operands[1]);
    put(p, ", ");
    value(p, inst->type, &inst->operands[2]);
    put(p, ")");
}

/* What the instruction computes: operand 0 gets it. */
static void computed(struct printer *p, const struct inst *inst)
{
    if (inst->op == OP_HOST_CALL) {
        call(p, &p->test->host->calls[inst->operands[1].value]);
    } else if (inst->op == OP_LD && inst->sem == SEM_WEAK) {
        place(p, &inst->operands[1]);
    } else if (inst->op == OP_LD || inst->op == OP_ATOM) {
        atomic(p, inst);
    } else if (inst->op == OP_MIN || inst->op == OP_MAX) {
        chosen(p, inst);
    } else {
        put(p, inst->op == OP_ABS ? "fabs(" : inst->op == OP_NEG ? "-" : "");
        operand(p, inst->type, &inst->operands[1]);
        put(p, inst->op == OP_ABS ? ")" : "");
        if (inst->operand_count < 3)
            return;
        put_format(p, " %s ", mark_of(inst));
        operand(p, inst->type, &inst->operands[2]);
    }
}

static void plain(struct printer *p, const struct inst *inst)
{
    if (inst->op == OP_TRAP) {
        put(p, "__builtin_unreachable()");
    } else if (inst->op == OP_FENCE) {
        put_format(p, "atomic_thread_fence(%s)", order_name(inst->sem));
    } else if (inst->op == OP_ST && inst->sem == SEM_WEAK) {
        place(p, &inst->operands[0]);
        put(p, " = ");
        value(p, type_at(p, &inst->operands[0]), &inst->operands[1]);
    } else if (inst->op == OP_ST) {
        atomic(p, inst);
    } else {
        result(p, &inst->operands[0]);
        computed(p, inst);
    }
    put(p, ";\n");
}

static void condition(struct printer *p, const char *word, const struct inst *inst, enum cmp cmp)
{
    bool negated = cmp_row(cmp)->reads == 'f' && cmp != CMP_NEU;
    put_format(p, negated ? "%s (!(" : "%s (", word);
    operand(p, inst->type, &inst->operands[0]);
    put_format(p, " %s ", cmp_row(negated ? cmp_row(cmp)->opposite : cmp)->mark);
    operand(p, inst->type, &inst->operands[1]);
    put(p, negated ? "))" : ")");
}

static void indent(struct printer *p)
{
    put_format(p, "%*s", (int)(2 * (p->depth + 1)), "");
}

static void statements(struct printer *p, uint32_t from, uint32_t to);

/* What a conditional jump is part of. */
enum form {
    FORM_WAIT, /* "while (c);": back */
    FORM_LOOP, /* "while (c) { … }": passed over, and the last instruction jumps back to the question */
    FORM_IF,
    FORM_ELSE, /* "if (c) { … } else { … }": the last instruction of the first jumps over the second */
};
struct branch {
    enum form form;
    uint32_t middle, end; /* of the first part, of all */
};

static struct branch branch_at(const struct body *body, uint32_t pc)
{
    uint32_t target = body->insts[pc].operands[2].target;
    const struct inst *last = target > pc + 1 ? &body->insts[target - 1] : NULL;
    struct branch branch = {FORM_IF, target, target};
    if (target <= pc)
        return (struct branch){FORM_WAIT, pc + 1, pc + 1};
    if (!last || last->op != OP_BRA ||
        (last->operands[0].target > pc && last->operands[0].target < target))
        return branch;
    branch.middle = target - 1;
    branch.form = last->operands[0].target <= pc ? FORM_LOOP : FORM_ELSE;
    branch.end = branch.form == FORM_LOOP ? target : last->operands[0].target;
    return branch;
}

static void braces(struct printer *p, uint32_t from, uint32_t to)
{
    put(p, " {\n");
    p->depth++;
    statements(p, from, to);
    p->depth--;
    indent(p);
    put(p, "}");
}

/* The branch at 'pc'; the number of the instruction after it. */
static uint32_t branch(struct printer *p, uint32_t pc)
{
    const struct inst *inst = &p->body->insts[pc];
    struct branch is = branch_at(p->body, pc);
    indent(p);
    if (is.form == FORM_WAIT) {
        condition(p, "while", inst, inst->cmp);
        put(p, ";\n");
        return is.end;
    }
    condition(p, is.form == FORM_LOOP ? "while" : "if", inst,
              cmp_denied(inst->cmp, type_is_float(inst->type)));
    braces(p, pc + 1, is.middle);
    if (is.form == FORM_ELSE) {
        put(p, " else");
        braces(p, is.middle + 1, is.end);
    }
    put(p, "\n");
    return is.end;
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

static void statements(struct printer *p, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to;) {
        const struct inst *inst = &p->body->insts[pc];
        if (inst->op == OP_BRANCH_COMPARE) {
            pc = branch(p, pc);
            continue;
        }
        if (!is_hidden(p->body, pc)) {
            indent(p);
            plain(p, inst);
        }
        pc++;
    }
}

/* ---- code that is no nest of statements ----------------------------------------------------- */

/* A loop asks again from its first instruction on: what computes its condition. */
static uint32_t first_of_question(const struct body *body, uint32_t pc)
{
    while (pc > 0 && is_hidden(body, pc - 1))
        pc--;
    return pc;
}

/* Are the instructions statements, one in the other? */
static bool is_nested(const struct body *body, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to;) {
        const struct inst *inst = &body->insts[pc];
        if (inst->op == OP_BRA)
            return false;
        if (inst->op != OP_BRANCH_COMPARE) {
            pc++;
            continue;
        }
        struct branch is = branch_at(body, pc);
        uint32_t back = is.form == FORM_WAIT   ? inst->operands[2].target
                        : is.form == FORM_LOOP ? body->insts[is.middle].operands[0].target
                                               : pc;
        if (is.end > to || is.end < is.middle || back < from ||
            (is.form < FORM_IF && back < first_of_question(body, pc)) ||
            !is_nested(body, pc + 1, is.middle) ||
            (is.form == FORM_ELSE && !is_nested(body, is.middle + 1, is.end)))
            return false;
        pc = is.end;
    }
    return true;
}

/* One after the other, with jumps. */
static void flat(struct printer *p)
{
    for (uint32_t pc = 0; pc <= p->body->inst_count; pc++) {
        const struct inst *inst = &p->body->insts[pc];
        if (body_is_target(p->body, pc))
            put_format(p, "  at%u: ;\n", pc);
        if (pc == p->body->inst_count || is_hidden(p->body, pc))
            continue;
        indent(p);
        if (inst->op == OP_BRA) {
            put_format(p, "goto at%u;\n", inst->operands[0].target);
        } else if (inst->op == OP_BRANCH_COMPARE) {
            condition(p, "if", inst, inst->cmp);
            put_format(p, " goto at%u;\n", inst->operands[2].target);
        } else
            plain(p, inst);
    }
}

static void thread(struct printer *p, const struct host_thread *host)
{
    p->body = &p->test->bodies[host->body];
    p->writers = temporary_writers(p->arena, p->body);
    put_format(p, "%s %s {\n", host->is_function ? "hostfn" : "host", host->name);
    if (is_nested(p->body, 0, p->body->inst_count))
        statements(p, 0, p->body->inst_count);
    else
        flat(p);
    put(p, "}\n");
}

static void platform(struct printer *p)
{
    struct host_platform is = p->test->host->platform, usual = host_platform_default();
    struct host_flag flags[HOST_FLAGS], defaults[HOST_FLAGS];
    bool any = false;
    host_flags(&is, flags);
    host_flags(&usual, defaults);
    for (int i = 0; i < HOST_FLAGS; i++) {
        if (*flags[i].value == *defaults[i].value)
            continue;
        put_format(p, "%s%s = %u;", any ? " " : "platform { ", flags[i].name, *flags[i].value);
        any = true;
    }
    put(p, any ? " }\n" : "");
}

const char *print_host_thread(struct arena *arena, const struct test *test, uint32_t index)
{
    g_autoptr(GString) out = g_string_new(NULL);
    struct printer p = {.out = out, .test = test, .arena = arena};
    thread(&p, &test->host->threads[index]);
    return arena_strdup(arena, out->str);
}

/* The code of a call, which says it all. */
static bool is_of_a_stream(const struct host_program *host, uint32_t thread)
{
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host_call_on_value(&host->calls[i]) &&
            (host->calls[i].function == thread || host->calls[i].waits == thread))
            return true;
    return false;
}

void printer_host(struct printer *p)
{
    platform(p);
    for (uint32_t i = 0; i < p->test->host->thread_count; i++)
        if (!is_of_a_stream(p->test->host, i))
            thread(p, &p->test->host->threads[i]);
}
