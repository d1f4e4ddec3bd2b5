/* SPDX-License-Identifier: MIT */
#include "litmus/parse/host.h"

/* What host code computes: the value of an expression lies in a temporary register of its own, which
 * has no name. */

struct raw_body *parse_host_code(const struct parse_host *host)
{
    return &host->parser->raws.at[host->raw];
}

void parse_host_emit(const struct parse_host *host, struct raw_inst inst,
                     const struct raw_operand *operands, uint32_t count, struct span start)
{
    struct parser *parser = host->parser;
    size_t bytes = sizeof *operands * count;
    inst.host = true;
    inst.operand_count = count;
    inst.operands = count ? arena_grow(parser->arena, (void *)operands, bytes, bytes) : NULL;
    inst.span = parse_span_from(parser, start);
    vec_push(parser->arena, &parse_host_code(host)->insts, inst);
}

static struct raw_operand named(struct span name)
{
    return (struct raw_operand){.kind = RAW_NAME, .name = name, .span = name};
}

static struct raw_operand number(uint64_t value, struct span span)
{
    return (struct raw_operand){.kind = RAW_NUMBER, .value = value, .span = span};
}

static struct raw_operand temporary(const struct parse_host *host, struct span start)
{
    return (struct raw_operand){.kind = RAW_TEMPORARY,
                                .value = parse_host_code(host)->temporary_count++,
                                .span = parse_span_from(host->parser, start)};
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool is_among(const struct parser *parser, struct span name, const char *const *words)
{
    while (*words && !parse_text_is(parser, name, *words))
        words++;
    return *words;
}

bool parse_is_register_type(const struct parser *parser, struct span word)
{
    static const char *const words[] = {"int", "unsigned", "auto", "cudaError_t", NULL};
    return is_among(parser, word, words);
}

enum host_object_kind parse_object_kind(const struct parser *parser, struct span type)
{
    for (uint32_t i = 0; i < HOST_OBJECT_KINDS; i++)
        if (parse_text_is(parser, type, host_object_type((enum host_object_kind)i)))
            return (enum host_object_kind)i;
    return HOST_OBJECT_KINDS;
}

/* Words that mean something where a value or a statement begins: host code calls nothing else so.
 */
static bool is_word(const struct parser *parser, struct span name)
{
    static const char *const words[] = {
        "if", "while", "cudaSuccess", "cudaErrorNotReady", "atomic_thread_fence", NULL};
    return is_among(parser, name, words) || parse_is_register_type(parser, name) ||
           parse_object_kind(parser, name) != HOST_OBJECT_KINDS;
}

/* Passes the name of a register or location. */
static bool expect_name(struct parser *parser, const char *what)
{
    struct span name = parser->token.span;
    if (!parse_at(parser, TOKEN_WORD) || !is_word(parser, name))
        return parse_expect(parser, TOKEN_WORD, what);
    parse_error(parser, host_statement, name, NULL, "'%s' is a word of host programs, not %s",
                parse_text(parser, name), what);
    return false;
}

static bool is_location(const struct parse_host *host, struct span name)
{
    uint32_t index;
    return parse_find_location(host->parser, NONE, name, &index);
}

/* ---- atomics -------------------------------------------------------------------------------- */

/* "x" or "x[2]" */
static bool memory(const struct parse_host *host, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span name = parser->token.span;
    uint32_t location, element = 0;
    if (!expect_name(parser, "the name of a location"))
        return false;
    if (!parse_known_location(parser, name, &location) ||
        !parse_index(parser, "an element's number", MAX_ELEMENTS, &element))
        return false;
    *to = (struct raw_operand){.kind = RAW_MEMORY, .name = name};
    to->value = (uint64_t)element * type_bytes(parser->locations.at[location].type);
    to->offset = element > 0;
    to->span = parse_span_from(parser, name);
    return true;
}

static bool order_word(struct parser *parser, enum sem *sem)
{
    for (uint32_t i = 0; i < HOST_ORDERS; i++) {
        const char *longer =
            arena_printf(parser->arena, "memory_order_%s", host_memory_orders[i].word);
        if (parse_accept_word(parser, host_memory_orders[i].word) ||
            parse_accept_word(parser, longer)) {
            *sem = host_memory_orders[i].sem;
            return true;
        }
    }
    parse_error(parser, host_argument, parser->token.span, NULL,
                "a memory order is relaxed, acquire, release, acq_rel or seq_cst, not %s",
                parse_token_text(parser, parser->token));
    return false;
}

/* ", acquire)" or ")": seq_cst unless said otherwise, as in C++. */
static bool order_argument(struct parser *parser, bool comma, enum sem *sem)
{
    *sem = SEM_SC;
    if (!parse_at(parser, ')') &&
        ((comma && !parse_expect(parser, ',', "',' and a memory order")) ||
         !order_word(parser, sem)))
        return false;
    return parse_expect(parser, ')', "')'");
}

static bool method(struct parser *parser, struct raw_inst *inst)
{
    for (uint32_t i = 0; i < HOST_METHODS; i++)
        if (parse_accept_word(parser, host_methods[i].word)) {
            inst->op = host_methods[i].op;
            inst->atom_op = host_methods[i].atom_op;
            return parse_expect(parser, '(', "'('");
        }
    parse_error(parser, host_statement, parser->token.span, NULL,
                "an atomic has load, store, exchange, fetch_add, fetch_and, fetch_or and "
                "fetch_xor, not %s",
                parse_token_text(parser, parser->token));
    return false;
}

static bool term(const struct parse_host *host, struct raw_operand *to);

/* A seq_cst operation is a fence.sc.sys and the operation with acquire and release, as compilers
 * lower it for the device. */
static void seq_cst_fence(const struct parse_host *host, enum sem sem, struct span start)
{
    struct raw_inst fence = {.op = OP_FENCE, .sem = SEM_SC, .scope = SCOPE_SYS};
    if (sem == SEM_SC)
        parse_host_emit(host, fence, NULL, 0, start);
}

/* "x.load(acquire)", "x.store(1, release)", "x.fetch_add(1)". */
static bool atomic(const struct parse_host *host, const struct raw_operand *into,
                   struct raw_operand *result)
{
    struct parser *parser = host->parser;
    struct raw_inst inst = {.scope = SCOPE_SYS};
    struct raw_operand where, value, operands[3];
    struct span start = parser->token.span;
    if (!memory(host, &where) || !method(parser, &inst))
        return false;
    if (inst.op != OP_LD && !term(host, &value))
        return false;
    if (!order_argument(parser, inst.op != OP_LD, &inst.sem))
        return false;
    if ((inst.op == OP_LD && (inst.sem == SEM_RELEASE || inst.sem == SEM_ACQ_REL)) ||
        (inst.op == OP_ST && (inst.sem == SEM_ACQUIRE || inst.sem == SEM_ACQ_REL)))
        parse_error(parser, host_argument, start, NULL, "a %s has no such memory order",
                    inst.op == OP_LD ? "load" : "store");
    seq_cst_fence(host, inst.sem, start);
    *result = into ? *into : temporary(host, start);
    if (inst.op == OP_ST) {
        operands[0] = where;
        operands[1] = value;
        *result = (struct raw_operand){.kind = RAW_SINK};
    } else {
        operands[0] = *result;
        operands[1] = where;
        operands[2] = value;
    }
    parse_host_emit(host, inst, operands, inst.op == OP_ATOM ? 3 : 2, start);
    return true;
}

bool parse_host_fence(const struct parse_host *host)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_inst inst = {.op = OP_FENCE, .scope = SCOPE_SYS};
    parse_advance(parser);
    if (!parse_expect(parser, '(', "'('") || !order_argument(parser, false, &inst.sem))
        return false;
    parse_host_emit(host, inst, NULL, 0, start);
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool call(const struct parse_host *host, const struct raw_operand *into,
                 struct raw_operand *result)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    uint32_t index =
        parse_at_host_call(parser) ? parse_host_call(parser) : parse_host_launch(parser);
    if (index == NONE)
        return false;
    struct span span = parser->host_calls.at[index].span;
    bool query = parser->host_calls.at[index].row->class == HOST_ASKS;
    if (into && into->kind != RAW_SINK && !query) {
        parse_error(parser, host_argument, span, NULL,
                    "only cudaStreamQuery and cudaEventQuery have a result here");
        return false;
    }
    *result = into ? *into : temporary(host, start);
    struct raw_operand operands[2] = {*result, number(index, span)};
    parse_host_emit(host, (struct raw_inst){.op = OP_HOST_CALL}, operands, 2, start);
    return true;
}

/* A number, a register, or something that a temporary gets. */
static bool term(const struct parse_host *host, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    if (parse_at_host_call(parser))
        return call(host, NULL, to);
    if (parse_at(parser, TOKEN_NUMBER) || parse_at(parser, '-')) {
        uint64_t value;
        if (!parse_integer(parser, &value))
            return false;
        *to = number(value, parse_span_from(parser, start));
        return true;
    }
    if (parse_accept_word(parser, "cudaSuccess") ||
        parse_accept_word(parser, "cudaErrorNotReady")) {
        bool success = parse_text_is(parser, start, "cudaSuccess");
        *to = number(success ? HOST_RESULT_SUCCESS : HOST_RESULT_NOT_READY, start);
        return true;
    }
    if (parser->next.kind == TOKEN_DOTWORD)
        return atomic(host, NULL, to);
    if (!is_location(host, start)) {
        *to = named(start);
        return expect_name(parser, "a value");
    }
    struct raw_operand operands[2];
    if (!memory(host, &operands[1]))
        return false;
    operands[0] = *to = temporary(host, start);
    parse_host_emit(host, (struct raw_inst){.op = OP_LD}, operands, 2, start);
    return true;
}

static bool binary_mark(struct parser *parser, enum op *op)
{
    for (uint32_t i = 0; i < HOST_MARKS; i++)
        if (parse_accept(parser, host_marks[i].mark)) {
            *op = host_marks[i].op;
            return true;
        }
    return false;
}

bool parse_host_expression(const struct parse_host *host, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[3];
    struct raw_inst inst = {.op = OP_MOV};
    if (!term(host, to))
        return false;
    if (!binary_mark(parser, &inst.op))
        return true;
    operands[1] = *to;
    if (!term(host, &operands[2]))
        return false;
    operands[0] = *to = temporary(host, start);
    parse_host_emit(host, inst, operands, 3, start);
    return true;
}

/* The last instruction writes the register instead of a temporary. */
static bool retarget(const struct parse_host *host, const struct raw_operand *from,
                     struct span name)
{
    struct raw_body *body = parse_host_code(host);
    struct raw_inst *last = body->insts.len ? &body->insts.at[body->insts.len - 1] : NULL;
    if (from->kind != RAW_TEMPORARY || !last || !last->operand_count ||
        last->operands[0].kind != RAW_TEMPORARY)
        return false;
    last->operands[0] = named(name);
    return true;
}

bool parse_host_assignment(const struct parse_host *host)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[2];
    bool store = is_location(host, start);
    if (store ? !memory(host, &operands[0]) : !expect_name(parser, "a register"))
        return false;
    if (!parse_expect(parser, '=', "'='") || !parse_host_expression(host, &operands[1]))
        return false;
    if (!store && retarget(host, &operands[1], start))
        return true;
    if (!store)
        operands[0] = named(start);
    parse_host_emit(host, (struct raw_inst){.op = store ? OP_ST : OP_MOV}, operands, 2, start);
    return true;
}

bool parse_host_effect(const struct parse_host *host)
{
    struct parser *parser = host->parser;
    struct raw_operand sink = {.kind = RAW_SINK, .span = parser->token.span}, result;
    if (parse_at_host_call(parser) || parse_at_launch(parser))
        return call(host, &sink, &result);
    return atomic(host, &sink, &result);
}
