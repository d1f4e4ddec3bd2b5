/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <string.h>

/* Host threads and host functions: C statements become instructions of a thread at system scope
 * (host.h). The value of an expression lies in a temporary register of its own, which has no name. */

struct host {
    struct parser *parser;
    uint32_t raw; /* its body */
};

static struct raw_body *code(const struct host *host)
{
    return &host->parser->raws.at[host->raw];
}

static void emit(const struct host *host, struct raw_inst inst, const struct raw_operand *operands,
                 uint32_t count, struct span start)
{
    struct parser *parser = host->parser;
    size_t bytes = sizeof *operands * count;
    inst.host = true;
    inst.operand_count = count;
    inst.operands = count ? arena_grow(parser->arena, (void *)operands, bytes, bytes) : NULL;
    inst.span = span_until_here(parser, start);
    vec_push(parser->arena, &code(host)->insts, inst);
}

static struct raw_operand named(struct span name)
{
    return (struct raw_operand){.kind = RAW_NAME, .name = name, .span = name};
}

static struct raw_operand number(uint64_t value, struct span span)
{
    return (struct raw_operand){.kind = RAW_NUMBER, .value = value, .span = span};
}

static struct raw_operand temporary(const struct host *host, struct span start)
{
    return (struct raw_operand){.kind = RAW_TEMPORARY,
                                .value = code(host)->temporary_count++,
                                .span = span_until_here(host->parser, start)};
}

/* Words that mean something where a value or a statement begins: host code calls nothing else so.
 */
static bool is_word(const struct parser *parser, struct span name)
{
    static const char *const words[] = {
        "if",           "while",       "cudaSuccess", "cudaErrorNotReady", "atomic_thread_fence",
        "cudaStream_t", "cudaEvent_t", "cudaGraph_t", "cudaGraphExec_t",   "cudaGraphNode_t",
        "int",          "unsigned",    "auto",        "cudaError_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is(parser, name, words[i]))
            return true;
    return false;
}

/* Passes the name of a register or location. */
static bool expect_name(struct parser *parser, const char *what)
{
    struct span name = parser->token.span;
    if (!at(parser, TOKEN_WORD) || !is_word(parser, name))
        return expect(parser, TOKEN_WORD, what);
    parse_error(parser, host_statement, name, NULL, "'%s' is a word of host programs, not %s",
                span_text(parser, name), what);
    return false;
}

static bool is_location(const struct host *host, struct span name)
{
    uint32_t index;
    return location_find(host->parser, NONE, name, &index);
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* "x" or "x[2]" */
static bool memory(const struct host *host, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span name = parser->token.span;
    uint32_t location;
    uint64_t element = 0;
    if (!expect_name(parser, "the name of a location"))
        return false;
    if (!location_find(parser, NONE, name, &location)) {
        parse_error(parser, unknown_name, name, "declare it between the first '{' and '}'",
                    "there is no location '%.60s'", span_text(parser, name));
        return false;
    }
    if (accept(parser, '[') &&
        (!expect_number(parser, "an element's number", MAX_ELEMENTS, &element) ||
         !expect(parser, ']', "']'")))
        return false;
    *to = (struct raw_operand){.kind = RAW_MEMORY, .name = name};
    to->value = element * type_bytes(parser->locations.at[location].type);
    to->offset = element > 0;
    to->span = span_until_here(parser, name);
    return true;
}

static bool order_word(struct parser *parser, enum sem *sem)
{
    static const struct {
        const char *word;
        enum sem sem;
    } words[] = {{"relaxed", SEM_RELAXED},
                 {"acquire", SEM_ACQUIRE},
                 {"release", SEM_RELEASE},
                 {"acq_rel", SEM_ACQ_REL},
                 {"seq_cst", SEM_SC}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *longer = arena_printf(parser->arena, "memory_order_%s", words[i].word);
        if (accept_word(parser, words[i].word) || accept_word(parser, longer)) {
            *sem = words[i].sem;
            return true;
        }
    }
    parse_error(parser, host_argument, parser->token.span, NULL,
                "a memory order is relaxed, acquire, release, acq_rel or seq_cst, not %s",
                token_text(parser, parser->token));
    return false;
}

/* ", acquire)" or ")": seq_cst unless said otherwise, as in C++. */
static bool order_argument(struct parser *parser, bool comma, enum sem *sem)
{
    *sem = SEM_SC;
    if (!at(parser, ')') &&
        ((comma && !expect(parser, ',', "',' and a memory order")) || !order_word(parser, sem)))
        return false;
    return expect(parser, ')', "')'");
}

static bool method(struct parser *parser, struct raw_inst *inst)
{
    static const struct {
        const char *word;
        enum op op;
        enum atom_op atom_op;
    } methods[] = {{".load", OP_LD, ATOM_NONE},       {".store", OP_ST, ATOM_NONE},
                   {".exchange", OP_ATOM, ATOM_EXCH}, {".fetch_add", OP_ATOM, ATOM_ADD},
                   {".fetch_and", OP_ATOM, ATOM_AND}, {".fetch_or", OP_ATOM, ATOM_OR},
                   {".fetch_xor", OP_ATOM, ATOM_XOR}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (accept_word(parser, methods[i].word)) {
            inst->op = methods[i].op;
            inst->atom_op = methods[i].atom_op;
            return expect(parser, '(', "'('");
        }
    parse_error(parser, host_statement, parser->token.span, NULL,
                "an atomic has load, store, exchange, fetch_add, fetch_and, fetch_or and "
                "fetch_xor, not %s",
                token_text(parser, parser->token));
    return false;
}

static bool simple(const struct host *host, struct raw_operand *to);

/* A seq_cst operation is a fence.sc.sys and the operation with acquire and release, as compilers
 * lower it for the device. */
static void seq_cst_fence(const struct host *host, enum sem sem, struct span start)
{
    struct raw_inst fence = {.op = OP_FENCE, .sem = SEM_SC, .scope = SCOPE_SYS};
    if (sem == SEM_SC)
        emit(host, fence, NULL, 0, start);
}

/* "x.load(acquire)", "x.store(1, release)", "x.fetch_add(1)". */
static bool atomic(const struct host *host, const struct raw_operand *into,
                   struct raw_operand *result)
{
    struct parser *parser = host->parser;
    struct raw_inst inst = {.scope = SCOPE_SYS};
    struct raw_operand where, value, operands[3];
    struct span start = parser->token.span;
    if (!memory(host, &where) || !method(parser, &inst))
        return false;
    if (inst.op != OP_LD && !simple(host, &value))
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
    emit(host, inst, operands, inst.op == OP_ATOM ? 3 : 2, start);
    return true;
}

static bool call(const struct host *host, const struct raw_operand *into,
                 struct raw_operand *result)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    uint32_t index = at_host_call(parser) ? parse_host_call(parser) : parse_host_launch(parser);
    if (index == NONE)
        return false;
    struct span span = parser->host_calls.at[index].span;
    bool query = host_call_is_query(parser->host_calls.at[index].id);
    if (into && into->kind != RAW_SINK && !query) {
        parse_error(parser, host_argument, span, NULL,
                    "only cudaStreamQuery and cudaEventQuery have a result here");
        return false;
    }
    *result = into ? *into : temporary(host, start);
    struct raw_operand operands[2] = {*result, number(index, span)};
    emit(host, (struct raw_inst){.op = OP_HOST_CALL}, operands, 2, start);
    return true;
}

/* A number, a register, or something loaded into 'into' or a temporary. */
static bool term(const struct host *host, const struct raw_operand *into, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    if (at_host_call(parser))
        return call(host, into, to);
    if (at(parser, TOKEN_NUMBER) || at(parser, '-')) {
        uint64_t value;
        if (!parse_integer(parser, &value))
            return false;
        *to = number(value, span_until_here(parser, start));
        return true;
    }
    if (accept_word(parser, "cudaSuccess") || accept_word(parser, "cudaErrorNotReady")) {
        bool success = span_is(parser, start, "cudaSuccess");
        *to = number(success ? HOST_RESULT_SUCCESS : HOST_RESULT_NOT_READY, start);
        return true;
    }
    if (parser->next.kind == TOKEN_DOTWORD)
        return atomic(host, into, to);
    if (!is_location(host, start)) {
        *to = named(start);
        return expect_name(parser, "a value");
    }
    struct raw_operand operands[2];
    if (!memory(host, &operands[1]))
        return false;
    operands[0] = *to = into ? *into : temporary(host, start);
    emit(host, (struct raw_inst){.op = OP_LD}, operands, 2, start);
    return true;
}

static bool simple(const struct host *host, struct raw_operand *to)
{
    return term(host, NULL, to);
}

static bool binary_mark(struct parser *parser, enum op *op)
{
    static const struct {
        int mark;
        enum op op;
    } marks[] = {{'+', OP_ADD}, {'-', OP_SUB}, {'*', OP_MUL},
                 {'&', OP_AND}, {'|', OP_OR},  {'^', OP_XOR}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (accept(parser, marks[i].mark)) {
            *op = marks[i].op;
            return true;
        }
    return false;
}

/* "a" or "a + b". */
static bool expression(const struct host *host, struct raw_operand *to)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[3];
    struct raw_inst inst = {.op = OP_MOV};
    if (!term(host, NULL, to))
        return false;
    if (!binary_mark(parser, &inst.op))
        return true;
    operands[1] = *to;
    if (!term(host, NULL, &operands[2]))
        return false;
    operands[0] = *to = temporary(host, start);
    emit(host, inst, operands, 3, start);
    return true;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool statement(struct host *host);

/* The last instruction writes the register instead of a temporary. */
static bool retarget(const struct host *host, const struct raw_operand *from, struct span name)
{
    struct raw_body *body = code(host);
    struct raw_inst *last = body->insts.len ? &body->insts.at[body->insts.len - 1] : NULL;
    if (from->kind != RAW_TEMPORARY || !last || !last->operand_count ||
        last->operands[0].kind != RAW_TEMPORARY)
        return false;
    last->operands[0] = named(name);
    return true;
}

/* "r = …" or "x = …" */
static bool assignment(const struct host *host)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[2];
    bool store = is_location(host, start);
    if (store ? !memory(host, &operands[0]) : !expect_name(parser, "a register"))
        return false;
    if (!expect(parser, '=', "'='") || !expression(host, &operands[1]))
        return false;
    if (!store && retarget(host, &operands[1], start))
        return true;
    if (!store)
        operands[0] = named(start);
    emit(host, (struct raw_inst){.op = store ? OP_ST : OP_MOV}, operands, 2, start);
    return true;
}

static bool comparison(struct parser *parser, enum cmp *cmp)
{
    static const struct {
        int mark;
        enum cmp cmp;
    } marks[] = {{TOKEN_EQ, CMP_EQ}, {TOKEN_NE, CMP_NE}, {'<', CMP_LT},
                 {TOKEN_LE, CMP_LE}, {'>', CMP_GT},      {TOKEN_GE, CMP_GE}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (accept(parser, marks[i].mark)) {
            *cmp = marks[i].cmp;
            return true;
        }
    unexpected(parser, "==, !=, <, <=, > or >=");
    return false;
}

static enum cmp opposite(enum cmp cmp)
{
    static const enum cmp of[] = {[CMP_EQ] = CMP_NE, [CMP_NE] = CMP_EQ, [CMP_LT] = CMP_GE,
                                  [CMP_GE] = CMP_LT, [CMP_GT] = CMP_LE, [CMP_LE] = CMP_GT};
    return of[cmp];
}

/* "(a == b)" and a jump where it holds, or where it does not; its target is filled in later. */
static bool condition(const struct host *host, bool when, uint32_t *branch)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_operand operands[3] = {{0}, {0}, {.kind = RAW_TARGET}};
    struct raw_inst inst = {.op = OP_BRANCH_COMPARE};
    if (!expect(parser, '(', "'('") || !expression(host, &operands[0]) ||
        !comparison(parser, &inst.cmp) || !expression(host, &operands[1]) ||
        !expect(parser, ')', "')'"))
        return false;
    if (!when)
        inst.cmp = opposite(inst.cmp);
    operands[2].span = span_until_here(parser, start);
    *branch = code(host)->insts.len;
    emit(host, inst, operands, 3, start);
    return true;
}

static void aim(const struct host *host, uint32_t branch, uint32_t target)
{
    struct raw_inst *inst = &code(host)->insts.at[branch];
    inst->operands[inst->operand_count - 1].value = target;
}

static bool if_statement(struct host *host)
{
    uint32_t branch;
    if (!condition(host, false, &branch) || !statement(host))
        return false;
    aim(host, branch, code(host)->insts.len);
    return true;
}

/* "while (c);" jumps back where c holds; with a body c is asked first. */
static bool while_statement(struct host *host)
{
    uint32_t head = code(host)->insts.len, branch;
    struct span start = host->parser->token.span;
    struct raw_operand back = {.kind = RAW_TARGET, .span = start};
    if (!condition(host, false, &branch))
        return false;
    if (accept(host->parser, ';')) {
        struct raw_inst *inst = &code(host)->insts.at[branch];
        inst->cmp = opposite(inst->cmp);
        aim(host, branch, head);
        return true;
    }
    if (!statement(host))
        return false;
    back.value = head;
    emit(host, (struct raw_inst){.op = OP_BRA}, &back, 1, start);
    aim(host, branch, code(host)->insts.len);
    return true;
}

static bool fence(const struct host *host)
{
    struct parser *parser = host->parser;
    struct span start = parser->token.span;
    struct raw_inst inst = {.op = OP_FENCE, .scope = SCOPE_SYS};
    advance(parser);
    if (!expect(parser, '(', "'('") || !order_argument(parser, false, &inst.sem))
        return false;
    emit(host, inst, NULL, 0, start);
    return true;
}

/* "cudaStream_t s1, s2;" says what the names are; nothing happens. */
static bool declaration(struct parser *parser)
{
    static const struct {
        const char *word;
        enum host_object_kind kind;
    } types[] = {{"cudaStream_t", HOST_STREAM},
                 {"cudaEvent_t", HOST_EVENT},
                 {"cudaGraph_t", HOST_GRAPH},
                 {"cudaGraphExec_t", HOST_GRAPH_EXEC},
                 {"cudaGraphNode_t", HOST_NODE}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!accept_word(parser, types[i].word))
            continue;
        do {
            struct span name = parser->token.span;
            if (!expect(parser, TOKEN_WORD, "a name"))
                break;
            host_object(parser, name, types[i].kind);
        } while (accept(parser, ','));
        return true;
    }
    return false;
}

/* A type before the first assignment of a register says nothing that is needed. */
static void skip_type(struct parser *parser)
{
    static const char *const words[] = {"int", "unsigned", "auto", "cudaError_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parser->next.kind == TOKEN_WORD && accept_word(parser, words[i]))
            return;
}

static bool simple_statement(struct host *host)
{
    struct parser *parser = host->parser;
    struct raw_operand sink = {.kind = RAW_SINK, .span = parser->token.span}, result;
    if (declaration(parser))
        return true;
    skip_type(parser);
    if (at_word(parser, "atomic_thread_fence"))
        return fence(host);
    if (at_host_call(parser) || at_launch(parser))
        return call(host, &sink, &result);
    if (parser->next.kind == TOKEN_DOTWORD)
        return atomic(host, &sink, &result);
    if (parser->next.kind == '=' || parser->next.kind == '[')
        return assignment(host);
    parse_error(parser, host_statement, parser->token.span,
                "a statement is a call, a launch, an assignment, an atomic operation, if or while",
                "%s starts no statement of a host program", token_text(parser, parser->token));
    return false;
}

static bool block(struct host *host)
{
    struct parser *parser = host->parser;
    if (parser->depth == MAX_DEPTH) {
        parse_error(parser, too_deep, parser->token.span, NULL,
                    "blocks are nested deeper than %d levels", MAX_DEPTH);
        return false;
    }
    parser->depth++;
    bool good = expect(parser, '{', "'{'");
    while (good && !at(parser, '}') && !at(parser, TOKEN_END))
        good = statement(host);
    parser->depth--;
    return good && expect(parser, '}', "'}'");
}

static bool nested(struct host *host, bool (*rest)(struct host *))
{
    struct parser *parser = host->parser;
    advance(parser);
    if (parser->depth == MAX_DEPTH) {
        parse_error(parser, too_deep, parser->token.span, NULL,
                    "statements are nested deeper than %d levels", MAX_DEPTH);
        return false;
    }
    parser->depth++;
    bool good = rest(host);
    parser->depth--;
    return good;
}

static bool statement(struct host *host)
{
    struct parser *parser = host->parser;
    if (accept(parser, ';'))
        return true;
    if (at(parser, '{'))
        return block(host);
    if (at_word(parser, "if"))
        return nested(host, if_statement);
    if (at_word(parser, "while"))
        return nested(host, while_statement);
    return simple_statement(host) && expect(parser, ';', "';'");
}

/* ---- items ---------------------------------------------------------------------------------- */

bool at_host(const struct parser *parser)
{
    return at_word(parser, "host") || at_word(parser, "hostfn") || at_word(parser, "platform");
}

bool host_thread_find(const struct parser *parser, struct span name, uint32_t *index)
{
    for (*index = 0; *index < parser->host_threads.len; ++*index)
        if (span_is(parser, name, parser->host_threads.at[*index].name))
            return true;
    return false;
}

static void skip_braces(struct parser *parser)
{
    while (!at(parser, TOKEN_END) && !at_word(parser, "exists") && !at_word(parser, "forall") &&
           !at_word(parser, "host") && !at_word(parser, "hostfn"))
        advance(parser);
}

/* "platform { concurrentManagedAccess = 0; }" */
static void platform(struct parser *parser)
{
    struct host_flag flags[HOST_FLAGS];
    host_flags(&parser->host.platform, flags);
    advance(parser);
    bool good = expect(parser, '{', "'{'");
    while (good && !at(parser, '}') && !at(parser, TOKEN_END)) {
        const char *known[HOST_FLAGS];
        bool *flag = NULL;
        uint64_t value;
        for (int i = 0; i < HOST_FLAGS; i++) {
            known[i] = flags[i].name;
            if (!flag && accept_word(parser, flags[i].name))
                flag = flags[i].value;
        }
        const char *word = span_text(parser, parser->token.span);
        const char *near = diag_nearest(word, strlen(word), known, HOST_FLAGS);
        if (!flag)
            parse_error(parser, host_argument, parser->token.span,
                        near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                        "%s is no property of a platform", token_text(parser, parser->token));
        good = flag && expect(parser, '=', "'='") && expect_number(parser, "0 or 1", 1, &value) &&
               expect(parser, ';', "';'");
        if (good)
            *flag = value;
    }
    if (!good || !expect(parser, '}', "'}'"))
        skip_braces(parser);
}

static void start_host(struct parser *parser)
{
    static const char *const names[] = {"cudaStreamLegacy", "cudaStreamPerThread"};
    if (parser->test->host)
        return;
    parser->test->host = ARENA_NEW(parser->arena, struct host_program);
    parser->host.platform = host_platform_default();
    parser->host_names.arena = parser->arena;
    for (uint32_t i = 0; i < HOST_FIRST_NAMED; i++) {
        struct host_object object = {HOST_STREAM, names[i], {0, 0}};
        vec_push(parser->arena, &parser->host_objects, object);
        names_put(&parser->host_names, 0, names[i], (uint32_t)strlen(names[i]), i);
    }
}

void parse_host(struct parser *parser)
{
    struct host host = {.parser = parser};
    struct host_thread thread = {.is_function = at_word(parser, "hostfn")};
    uint32_t other;
    start_host(parser);
    if (at_word(parser, "platform")) {
        platform(parser);
        return;
    }
    advance(parser);
    thread.span = parser->token.span;
    thread.name = span_text(parser, thread.span);
    if (!expect(parser, TOKEN_WORD, "the name of the host thread")) {
        skip_braces(parser);
        return;
    }
    if (host_thread_find(parser, thread.span, &other))
        parse_error(parser, duplicate_kernel, thread.span, NULL, "'%s' is defined twice",
                    thread.name);
    thread.body = host.raw = start_body(parser, thread.span);
    code(&host)->column = true;
    if (!block(&host))
        skip_braces(parser);
    vec_push(parser->arena, &parser->host_threads, thread);
}

static void resolve_functions(struct parser *parser)
{
    for (uint32_t i = 0; i < parser->host_calls.len; i++) {
        struct span name = parser->functions_called.at[i];
        uint32_t index;
        if (!name.length)
            continue;
        if (host_thread_find(parser, name, &index) && parser->host_threads.at[index].is_function)
            parser->host_calls.at[i].function = index;
        else
            parse_error(parser, unknown_kernel, name, "define it: hostfn NAME { … }",
                        "there is no host function '%.60s'", span_text(parser, name));
    }
}

void finish_host(struct parser *parser)
{
    struct host_program *host = parser->test->host;
    if (!host)
        return;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < parser->host_calls.len; i++)
        inside += parser->host_calls.at[i].launch != NONE;
    if (parser->columns.len || inside < parser->launches.len)
        parse_error(parser, host_columns,
                    parser->host_threads.len ? parser->host_threads.at[0].span
                                             : (struct span){0, 0},
                    "write the launches into the host program",
                    "a host program launches every kernel of its test");
    bool runs = false;
    for (uint32_t i = 0; i < parser->host_threads.len; i++)
        runs = runs || !parser->host_threads.at[i].is_function;
    if (!runs)
        parse_error(parser, no_threads, parser->token.span, "write a host thread: host H { … }",
                    "nothing runs: no host thread starts anything");
    resolve_functions(parser);
    *host = (struct host_program){.objects = parser->host_objects.at,
                                  .object_count = parser->host_objects.len,
                                  .calls = parser->host_calls.at,
                                  .call_count = parser->host_calls.len,
                                  .threads = parser->host_threads.at,
                                  .thread_count = parser->host_threads.len,
                                  .platform = parser->host.platform};
}
