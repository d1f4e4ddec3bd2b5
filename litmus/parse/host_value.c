/* SPDX-License-Identifier: MIT */
#include "litmus/parse/host_value.h"

#include "litmus/parse/host_call.h"
#include "litmus/parse/launch.h"
#include "litmus/parse/location.h"
#include "litmus/test/host_word.h"

/* What host code computes: the value of an expression lies in a temporary register of its own, which
 * has no name. */

void parse_host_emit(struct parser *p, struct raw_inst inst, const struct raw_operand *operands,
                     uint32_t count, struct span start)
{
    size_t bytes = sizeof *operands * count;
    inst.host = true;
    inst.operand_count = count;
    inst.operands = count ? arena_grow(p->arena, (void *)operands, bytes, bytes) : NULL;
    inst.span = parse_span_from(p, start);
    vec_push(p->arena, &parse_body(p)->insts, inst);
}

static struct raw_operand named(struct span name)
{
    return (struct raw_operand){.kind = RAW_NAME, .name = name, .span = name};
}

static struct raw_operand number(uint64_t value, struct span span)
{
    return (struct raw_operand){.kind = RAW_NUMBER, .value = value, .span = span};
}

static struct raw_operand temporary(struct parser *p, struct span start)
{
    return (struct raw_operand){.kind = RAW_TEMPORARY,
                                .value = parse_body(p)->temporary_count++,
                                .span = parse_span_from(p, start)};
}

/* What gets the result of an expression that begins at 'start'. */
static struct raw_operand destination(struct parser *p, bool used, struct span start)
{
    return used ? temporary(p, start) : (struct raw_operand){.kind = RAW_SINK, .span = start};
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_among(const struct parser *p, struct span name, const char *const *words)
{
    while (*words && !parse_text_is(p, name, *words))
        words++;
    return *words;
}

bool parse_is_register_type(const struct parser *p, struct span word)
{
    static const char *const words[] = {"int", "unsigned", "auto", "cudaError_t", NULL};
    return is_among(p, word, words);
}

enum host_object_kind parse_object_kind(const struct parser *p, struct span type)
{
    for (uint32_t i = 0; i < HOST_OBJECT_KINDS; i++)
        if (parse_text_is(p, type, host_object_rows[i].type))
            return (enum host_object_kind)i;
    return HOST_OBJECT_KINDS;
}

/* Words that mean something where a value or a statement begins: host code calls nothing else so.
 */
static bool is_word(const struct parser *p, struct span name)
{
    static const char *const words[] = {
        "if", "while", "cudaSuccess", "cudaErrorNotReady", "atomic_thread_fence", NULL};
    return is_among(p, name, words) || parse_is_register_type(p, name) ||
           parse_object_kind(p, name) != HOST_OBJECT_KINDS;
}

/* Passes the name of a register or location. */
static bool expect_name(struct parser *p, const char *what)
{
    struct span name = p->token.span;
    if (!parse_at(p, TOKEN_WORD) || !is_word(p, name))
        return parse_expect(p, TOKEN_WORD, what);
    parse_error(p, host_statement, name, NULL, "'%s' is a word of host programs, not %s",
                parse_text(p, name), what);
    return false;
}

static bool is_location(struct parser *p, struct span name)
{
    uint32_t index;
    return parse_find_location(p, NONE, name, &index);
}

/* ---- atomics -------------------------------------------------------------------------------- */

/* "x" or "x[2]" */
static bool memory(struct parser *p, struct raw_operand *to)
{
    struct span name = p->token.span;
    uint32_t location, element = 0;
    if (!expect_name(p, "the name of a location"))
        return false;
    if (!parse_known_location(p, name, &location) ||
        !parse_index(p, "an element's number", MAX_ELEMENTS, &element))
        return false;
    *to = (struct raw_operand){.kind = RAW_MEMORY, .name = name};
    to->value = (uint64_t)element * type_bytes(p->locations.at[location].type);
    to->offset = element > 0;
    to->span = parse_span_from(p, name);
    return true;
}

static bool order_word(struct parser *p, enum sem *sem)
{
    for (uint32_t i = 0; i < HOST_ORDERS; i++) {
        const char *longer = arena_printf(p->arena, "memory_order_%s", host_memory_orders[i].word);
        if (parse_accept_word(p, host_memory_orders[i].word) || parse_accept_word(p, longer)) {
            *sem = host_memory_orders[i].sem;
            return true;
        }
    }
    parse_error(p, host_argument, p->token.span, NULL,
                "a memory order is relaxed, acquire, release, acq_rel or seq_cst, not %s",
                parse_token_text(p, p->token));
    return false;
}

/* ", acquire)" or ")": seq_cst unless said otherwise, as in C++. */
static bool order_argument(struct parser *p, bool comma, enum sem *sem)
{
    *sem = SEM_SC;
    if (!parse_at(p, ')') &&
        ((comma && !parse_expect(p, ',', "',' and a memory order")) || !order_word(p, sem)))
        return false;
    return parse_expect(p, ')', "')'");
}

static bool method(struct parser *p, struct raw_inst *inst)
{
    for (uint32_t i = 0; i < HOST_METHODS; i++)
        if (parse_accept_word(p, host_methods[i].word)) {
            inst->op = host_methods[i].op;
            inst->atom_op = host_methods[i].atom_op;
            return parse_expect(p, '(', "'('");
        }
    parse_error(p, host_statement, p->token.span, NULL,
                "an atomic has load, store, exchange, fetch_add, fetch_and, fetch_or and "
                "fetch_xor, not %s",
                parse_token_text(p, p->token));
    return false;
}

static bool term(struct parser *p, struct raw_operand *to);

/* A seq_cst operation is a fence.sc.sys and the operation with acquire and release, as compilers
 * lower it for the device. */
static void seq_cst_fence(struct parser *p, enum sem sem, struct span start)
{
    struct raw_inst fence = {.op = OP_FENCE, .sem = SEM_SC, .scope = SCOPE_SYS};
    if (sem == SEM_SC)
        parse_host_emit(p, fence, NULL, 0, start);
}

/* "x.load(acquire)", "x.store(1, release)", "x.fetch_add(1)". */
static bool atomic(struct parser *p, bool used, struct raw_operand *result)
{
    struct raw_inst inst = {.scope = SCOPE_SYS};
    struct raw_operand where, value, operands[3];
    struct span start = p->token.span;
    if (!memory(p, &where) || !method(p, &inst))
        return false;
    if (inst.op != OP_LD && !term(p, &value))
        return false;
    if (!order_argument(p, inst.op != OP_LD, &inst.sem))
        return false;
    if ((inst.op == OP_LD && (inst.sem == SEM_RELEASE || inst.sem == SEM_ACQ_REL)) ||
        (inst.op == OP_ST && (inst.sem == SEM_ACQUIRE || inst.sem == SEM_ACQ_REL)))
        parse_error(p, host_argument, start, NULL, "a %s has no such memory order",
                    inst.op == OP_LD ? "load" : "store");
    seq_cst_fence(p, inst.sem, start);
    *result = destination(p, used, start);
    if (inst.op == OP_ST) {
        operands[0] = where;
        operands[1] = value;
        *result = (struct raw_operand){.kind = RAW_SINK};
    } else {
        operands[0] = *result;
        operands[1] = where;
        operands[2] = value;
    }
    parse_host_emit(p, inst, operands, inst.op == OP_ATOM ? 3 : 2, start);
    return true;
}

bool parse_host_fence(struct parser *p)
{
    struct span start = p->token.span;
    struct raw_inst inst = {.op = OP_FENCE, .scope = SCOPE_SYS};
    parse_advance(p);
    if (!parse_expect(p, '(', "'('") || !order_argument(p, false, &inst.sem))
        return false;
    parse_host_emit(p, inst, NULL, 0, start);
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool call(struct parser *p, bool used, struct raw_operand *result)
{
    struct span start = p->token.span;
    uint32_t index = parse_at_host_call(p) ? parse_host_call(p) : parse_host_launch(p);
    if (index == NONE)
        return false;
    *result = destination(p, used, start);
    struct raw_operand operands[2] = {*result, number(index, p->host_calls.at[index].span)};
    parse_host_emit(p, (struct raw_inst){.op = OP_HOST_CALL}, operands, 2, start);
    return true;
}

/* A number, a register, or something that a temporary gets. */
static bool term(struct parser *p, struct raw_operand *to)
{
    struct span start = p->token.span;
    if (parse_at_host_call(p))
        return call(p, true, to);
    if (parse_at(p, TOKEN_NUMBER) || parse_at(p, '-')) {
        uint64_t value;
        if (!parse_integer(p, &value))
            return false;
        *to = number(value, parse_span_from(p, start));
        return true;
    }
    if (parse_accept_word(p, "cudaSuccess") || parse_accept_word(p, "cudaErrorNotReady")) {
        bool success = parse_text_is(p, start, "cudaSuccess");
        *to = number(success ? HOST_RESULT_SUCCESS : HOST_RESULT_NOT_READY, start);
        return true;
    }
    if (p->next.kind == TOKEN_DOTWORD)
        return atomic(p, true, to);
    if (!is_location(p, start)) {
        *to = named(start);
        return expect_name(p, "a value");
    }
    struct raw_operand operands[2];
    if (!memory(p, &operands[1]))
        return false;
    operands[0] = *to = temporary(p, start);
    parse_host_emit(p, (struct raw_inst){.op = OP_LD}, operands, 2, start);
    return true;
}

static bool binary_mark(struct parser *p, enum op *op)
{
    for (uint32_t i = 0; i < HOST_MARKS; i++)
        if (parse_accept(p, host_marks[i].mark)) {
            *op = host_marks[i].op;
            return true;
        }
    return false;
}

bool parse_host_expression(struct parser *p, struct raw_operand *to)
{
    struct span start = p->token.span;
    struct raw_operand operands[3];
    struct raw_inst inst = {.op = OP_MOV};
    if (!term(p, to))
        return false;
    if (!binary_mark(p, &inst.op))
        return true;
    operands[1] = *to;
    if (!term(p, &operands[2]))
        return false;
    operands[0] = *to = temporary(p, start);
    parse_host_emit(p, inst, operands, 3, start);
    return true;
}

/* The last instruction writes the register instead of a temporary. */
static bool retarget(struct parser *p, const struct raw_operand *from, struct span name)
{
    struct raw_body *body = parse_body(p);
    struct raw_inst *last = body->insts.len ? &body->insts.at[body->insts.len - 1] : NULL;
    if (from->kind != RAW_TEMPORARY || !last || !last->operand_count ||
        last->operands[0].kind != RAW_TEMPORARY)
        return false;
    last->operands[0] = named(name);
    return true;
}

bool parse_host_assignment(struct parser *p)
{
    struct span start = p->token.span;
    struct raw_operand operands[2];
    bool store = is_location(p, start);
    if (store ? !memory(p, &operands[0]) : !expect_name(p, "a register"))
        return false;
    if (!parse_expect(p, '=', "'='") || !parse_host_expression(p, &operands[1]))
        return false;
    if (!store && retarget(p, &operands[1], start))
        return true;
    if (!store)
        operands[0] = named(start);
    parse_host_emit(p, (struct raw_inst){.op = store ? OP_ST : OP_MOV}, operands, 2, start);
    return true;
}

bool parse_host_effect(struct parser *p)
{
    struct raw_operand result;
    bool calls = parse_at_host_call(p) || parse_at_launch(p);
    return (calls ? call : atomic)(p, false, &result);
}
