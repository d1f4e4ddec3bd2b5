/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/base/sort.h"

/* Raw code becomes bodies: every name gets its meaning, every default of ptx-model.md 1.3 its
 * value. Registers made by being written and locations made by use must be known before names are
 * read, so each body is passed over three times. */

/* "ld r0, 1" and "ld r0, r1" without a qualifier are the dialect's register moves. */
static void dialect_move(struct decoder *decoder, struct raw_inst *raw)
{
    uint32_t index;
    if (raw->host || raw->op != OP_LD || raw->word_count || raw->proxy || raw->operand_count != 2)
        return;
    const struct raw_operand *from = &raw->operands[1];
    bool is_register = from->kind == RAW_NAME &&
                       (decoder_find_register(decoder, raw->block, from->name, &index) ||
                        (looks_like_register(decoder, from->name) &&
                         !location_find(decoder->parser, decoder->body, from->name, &index)));
    if (from->kind == RAW_NUMBER || from->address || is_register)
        raw->op = OP_MOV;
}

/* A literal thread count of PTX, as against the dialect's barrier resource. */
static bool is_thread_count(const struct raw_operand *operand)
{
    return operand->kind == RAW_NUMBER && operand->value >= 32 && operand->value % 32 == 0;
}

/* "bar.cta.sync A, B, C" of the dialect: A an instance label, B the barrier, C how many threads.
 * PTX's own "bar.cta.sync a, b" is told from it by b, a literal multiple of 32. The result is
 * always (resource, count). */
static void dialect_barrier(struct decoder *decoder, struct raw_inst *raw, struct inst *inst)
{
    if ((raw->op != OP_BAR_SYNC && raw->op != OP_BAR_ARRIVE) || !decoder->raw->column ||
        !raw->bar || !raw->cta)
        return;
    if (raw->operand_count == 2 && is_thread_count(&raw->operands[1]))
        return;
    inst->flags |= FLAG_DIALECT;
    if (raw->operand_count == 3)
        inst->flags |= FLAG_COUNT_THREADS;
    if (raw->operand_count > 1) {
        raw->operands++;
        raw->operand_count--;
    }
}

/* "barrier.red.op d, a{, b}, p" is kept as (d, a, p, b). */
static void red_operands(struct raw_inst *raw)
{
    if (raw->op != OP_BAR_RED || raw->operand_count != 4)
        return;
    struct raw_operand count = raw->operands[2];
    raw->operands[2] = raw->operands[3];
    raw->operands[3] = count;
}

/* "call {(returns),} name {, (parameters)}" is kept as (returns, name, parameters). */
static void call_operands(struct parser *parser, struct raw_inst *raw)
{
    struct raw_operand *all = ARENA_ARRAY(parser->arena, struct raw_operand, 3);
    uint32_t first = raw->operand_count && raw->operands[0].kind == RAW_LIST;
    if (raw->op != OP_CALL || raw->operand_count == 0 || raw->operand_count > 2 + first)
        return;
    all[0] = all[2] = (struct raw_operand){.kind = RAW_LIST, .span = raw->span};
    for (uint32_t i = 0; i < raw->operand_count; i++)
        all[1 - first + i] = raw->operands[i];
    raw->operands = all;
    raw->operand_count = 3;
}

static bool is_memory_access(enum op op)
{
    return op == OP_LD || op == OP_ST || op == OP_ATOM || op == OP_RED;
}

/* PTX 9.7.9.8 ff.: what a missing qualifier means. */
static void default_semantics(struct inst *inst)
{
    if (is_memory_access(inst->op) && inst->flags & (FLAG_VOLATILE | FLAG_MMIO)) {
        inst->sem = inst->sem ? inst->sem : inst->flags & FLAG_VOLATILE ? SEM_RELAXED : SEM_NONE;
        inst->scope = inst->scope                   ? inst->scope
                      : inst->flags & FLAG_VOLATILE ? SCOPE_SYS
                                                    : SCOPE_NONE;
    } else if (inst->op == OP_LD || inst->op == OP_ST) {
        inst->sem = inst->sem ? inst->sem : SEM_WEAK;
    } else if (inst->op == OP_ATOM || inst->op == OP_RED) {
        inst->sem = inst->sem ? inst->sem : SEM_RELAXED;
        inst->scope = inst->scope ? inst->scope : SCOPE_GPU;
    }
}

static void default_mbarrier(struct inst *inst)
{
    switch (inst->op) {
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_DROP:
        inst->sem = inst->sem ? inst->sem : SEM_RELEASE;
        break;
    case OP_MBARRIER_TEST_WAIT:
    case OP_MBARRIER_TRY_WAIT:
        inst->sem = inst->sem ? inst->sem : SEM_ACQUIRE;
        break;
    case OP_MBARRIER_EXPECT_TX:
    case OP_MBARRIER_COMPLETE_TX:
        inst->sem = SEM_RELAXED;
        break;
    default:
        return;
    }
    inst->scope = inst->scope ? inst->scope : SCOPE_CTA;
}

static void default_barrier(struct inst *inst)
{
    if (inst->op == OP_CLUSTER_ARRIVE)
        inst->sem = inst->sem ? inst->sem : SEM_RELEASE;
    else if (inst->op == OP_CLUSTER_WAIT)
        inst->sem = inst->sem ? inst->sem : SEM_ACQUIRE;
    else
        return;
    inst->scope = SCOPE_CLUSTER;
}

/* ld.global.nc goes through the texture path, ld.const through the constant one (ptx-model.md 7).
 */
static void default_proxy(struct inst *inst)
{
    if (inst->op == OP_LD && inst->flags & FLAG_NC)
        inst->proxy = PROXY_TEXTURE;
    else if (inst->op == OP_LD && inst->space == SPACE_CONST)
        inst->proxy = PROXY_CONSTANT;
    else if (inst->op == OP_CP_ASYNC_BULK || inst->op == OP_CP_REDUCE_ASYNC_BULK)
        inst->proxy = PROXY_ASYNC;
}

static void fill_defaults(const struct raw_inst *raw, struct inst *inst)
{
    bool cta_barrier =
        inst->op == OP_BAR_SYNC || inst->op == OP_BAR_ARRIVE || inst->op == OP_BAR_RED;
    if (cta_barrier && raw->bar && !(inst->flags & FLAG_DIALECT))
        inst->flags |= FLAG_ALIGNED;
    inst->vector = inst->vector ? inst->vector : 1;
    default_semantics(inst);
    default_mbarrier(inst);
    default_barrier(inst);
    default_proxy(inst);
}

static bool decode_guard(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst)
{
    inst->guard = NONE;
    inst->guard_negated = raw->guard_negated;
    if (!raw->guard.length)
        return true;
    if (decoder_find_register(decoder, raw->block, raw->guard, &inst->guard))
        return true;
    parse_error(decoder->parser, unknown_name, raw->guard, NULL,
                "nothing writes the predicate '%.60s'", span_text(decoder->parser, raw->guard));
    return false;
}

static bool decode_inst(struct decoder *decoder, struct raw_inst *raw, struct inst *inst)
{
    *inst = (struct inst){
        .op = raw->op, .proxy = raw->proxy, .cmp = raw->cmp, .guard = NONE, .span = raw->span};
    dialect_barrier(decoder, raw, inst);
    red_operands(raw);
    call_operands(decoder->parser, raw);
    if (raw->host) {
        inst->flags |= FLAG_DIALECT;
        inst->sem = raw->sem;
        inst->scope = raw->scope;
        inst->atom_op = raw->atom_op;
    } else if (!decode_guard(decoder, raw, inst) || !decode_words(decoder, raw, inst)) {
        return false;
    }
    if (!decode_operands(decoder, raw, inst))
        return false;
    fill_defaults(raw, inst);
    return true;
}

static int by_target(const void *a, const void *b)
{
    const struct label *left = a, *right = b;
    if (left->target != right->target)
        return left->target < right->target ? -1 : 1;
    return left->span.offset < right->span.offset ? -1 : left->span.offset > right->span.offset;
}

/* Labels of code; lists of branch targets are no places. */
static void decode_labels(struct decoder *decoder, struct body *body)
{
    VEC(struct label) labels = {0};
    struct names seen = {.arena = decoder->parser->arena};
    for (uint32_t i = 0; i < decoder->raw->labels.len; i++) {
        const struct raw_label *raw = &decoder->raw->labels.at[i];
        uint32_t other;
        struct label label = {span_text(decoder->parser, raw->name), raw->target, raw->name};
        if (raw->list || raw->again)
            continue;
        if (raw->block)
            label.name = arena_printf(decoder->parser->arena, "%s$%u", label.name, raw->block);
        while (names_get(&seen, 0, label.name, (uint32_t)strlen(label.name), &other))
            label.name = arena_printf(decoder->parser->arena, "%s$", label.name);
        names_put(&seen, 0, label.name, (uint32_t)strlen(label.name), i);
        vec_push(decoder->parser->arena, &labels, label);
    }
    sort_array(labels.at, labels.len, sizeof *labels.at, by_target);
    body->labels = labels.at;
    body->label_count = labels.len;
}

static void decode_frame(struct decoder *decoder, struct body *body)
{
    const struct raw_body *raw = decoder->raw;
    body->function = raw->function;
    body->frame = ARENA_ARRAY(decoder->parser->arena, struct param, raw->frame.len);
    body->frame_count = raw->frame.len;
    for (uint32_t i = 0; i < raw->frame.len; i++)
        body->frame[i] = raw->frame.at[i].param;
    body->return_count = raw->return_count;
    body->formal_count = raw->formal_count;
    body->frame_bytes = raw->frame_bytes;
}

static void decode_body(struct decoder *decoder)
{
    struct parser *parser = decoder->parser;
    struct raw_body *raw = decoder->raw;
    struct body *body = &parser->bodies.at[decoder->body];
    body->insts = ARENA_ARRAY(parser->arena, struct inst, raw->insts.len);
    body->inst_count = raw->insts.len;
    for (uint32_t i = 0; i < raw->insts.len; i++)
        decode_inst(decoder, &raw->insts.at[i], &body->insts[i]);
    decode_labels(decoder, body);
    body->params = raw->params.at;
    body->param_count = raw->params.len;
    decode_frame(decoder, body);
}

/* Is the operand's name a location by this use: an address that no register has? */
static bool declares_location(struct decoder *decoder, const struct raw_inst *inst, uint32_t index)
{
    const struct raw_operand *operand = &inst->operands[index];
    const char *text = decoder->parser->source->text + operand->name.offset;
    uint32_t reg;
    if (!decoder->raw->column || !operand->name.length || memchr(text, '.', operand->name.length))
        return false;
    return operand->address ||
           (operand_role(inst->op, index) == 'm' && !looks_like_register(decoder, operand->name) &&
            !decoder_find_register(decoder, inst->block, operand->name, &reg));
}

static void declare_locations(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->raw->insts.len; i++) {
        struct raw_inst *inst = &decoder->raw->insts.at[i];
        dialect_move(decoder, inst);
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (declares_location(decoder, inst, k))
                location_of(decoder->parser, inst->operands[k].name);
    }
}

/* One name cannot be a location of the test and a register that nothing declares. */
static void check_names(struct decoder *decoder)
{
    struct parser *parser = decoder->parser;
    uint32_t location;
    for (uint32_t i = 0; i < decoder->regs.len; i++) {
        const struct reg *reg = &decoder->regs.at[i];
        if (reg->type == TYPE_NONE && names_get(&parser->location_names, NONE, reg->name,
                                                (uint32_t)strlen(reg->name), &location))
            parse_error(parser, name_of_location, reg->span, NULL,
                        "'%s' is a location and a register of %s", reg->name, decoder->raw->name);
    }
}

static void start_decoder(struct parser *parser, uint32_t index, struct decoder *decoder)
{
    struct names *names = ARENA_NEW(parser->arena, struct names);
    names->arena = parser->arena;
    *decoder = (struct decoder){
        .parser = parser, .body = index, .raw = &parser->raws.at[index], .reg_names = names};
    decoder->range_names.arena = decoder->label_names.arena = decoder->mentioned.arena =
        decoder->frame_names.arena = parser->arena;
    uint32_t temporaries = decoder->raw->temporary_count;
    decoder->temporaries = ARENA_ARRAY(parser->arena, uint32_t, temporaries);
    for (uint32_t i = 0; i < temporaries; i++)
        decoder->temporaries[i] = NONE;
    if (decoder->raw->column && parser->reg_inits.len)
        decoder_note_mentions(decoder);
    struct body body = {.name = decoder->raw->name, .span = decoder->raw->span};
    vec_push(parser->arena, &parser->bodies, body);
    vec_push(parser->arena, &parser->reg_names, names);
}

#define GIVEN (NONE - 1) /* scope of reg_names that holds the registers with initial values */

/* Enters "P0:r0 = 1;" into the column's body. */
static void give_initial_value(struct decoder *decoder, const struct raw_reg_init *raw)
{
    struct parser *parser = decoder->parser;
    struct reg_init init = {decoder_named_register(decoder, raw->name), raw->value.value,
                            raw->value.address_of};
    const char *name = decoder->regs.at[init.reg].name;
    uint32_t other;
    if (names_get(decoder->reg_names, GIVEN, name, (uint32_t)strlen(name), &other))
        parse_error(parser, duplicate_register_init, raw->name, NULL,
                    "register '%s' of %s gets two initial values", span_text(parser, raw->name),
                    decoder->raw->name);
    names_put(decoder->reg_names, GIVEN, name, (uint32_t)strlen(name), init.reg);
    vec_push(parser->arena, &decoder->inits, init);
}

static void give_initial_values(struct parser *parser, struct decoder *decoders)
{
    for (uint32_t i = 0; i < parser->reg_inits.len; i++) {
        const struct raw_reg_init *init = &parser->reg_inits.at[i];
        if (init->column < parser->columns.len)
            give_initial_value(&decoders[parser->columns.at[init->column].body], init);
        else
            parse_error(parser, unknown_thread, init->name, NULL, "there is no thread P%u",
                        init->column);
    }
}

/* "r0" of a question means %r0 when the code says so; a column with both would make that a guess.
 */
static void check_percent(struct decoder *decoder)
{
    for (uint32_t i = 0; decoder->raw->column && i < decoder->regs.len; i++) {
        const struct reg *reg = &decoder->regs.at[i];
        uint32_t other;
        if (reg->name[0] == '%' && names_get(decoder->reg_names, 0, reg->name + 1,
                                             (uint32_t)strlen(reg->name) - 1, &other))
            parse_error(decoder->parser, percent_and_plain, reg->span, NULL,
                        "'%s' and '%s' are both registers of %s", reg->name, reg->name + 1,
                        decoder->raw->name);
    }
}

void decode_bodies(struct parser *parser)
{
    uint32_t first = parser->bodies.len, count = parser->raws.len;
    struct decoder *decoders = ARENA_ARRAY(parser->arena, struct decoder, count);
    for (uint32_t i = first; i < count; i++)
        start_decoder(parser, i, &decoders[i]);
    give_initial_values(parser, decoders);
    for (uint32_t i = first; i < count; i++)
        decoder_declare(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        declare_locations(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        check_names(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        decode_body(&decoders[i]);
    for (uint32_t i = first; i < count; i++) {
        check_percent(&decoders[i]);
        parser->bodies.at[i].regs = decoders[i].regs.at;
        parser->bodies.at[i].reg_count = decoders[i].regs.len;
        parser->bodies.at[i].inits = decoders[i].inits.at;
        parser->bodies.at[i].init_count = decoders[i].inits.len;
    }
}
