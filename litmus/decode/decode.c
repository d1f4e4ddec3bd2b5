/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/base/sort.h"

/* Raw code becomes bodies: every name gets its meaning, every default of ptx-model.md 1.3 its
 * value. Registers made by being written and locations made by use must be known before names are
 * read, so each body is passed over three times. */

/* "ld r0, 1" and "ld r0, r1" without a qualifier are the dialect's register moves. */
static void dialect_move(struct body_decoder *d, struct raw_inst *raw)
{
    uint32_t index;
    if (raw->host || raw->op != OP_LD || raw->word_count || raw->proxy || raw->operand_count != 2)
        return;
    const struct raw_operand *from = &raw->operands[1];
    bool is_register =
        from->kind == RAW_NAME && (decoder_find_register(d, raw->block, from->name, &index) ||
                                   (decode_is_register_like(d, from->name) &&
                                    !decoder_find_location(d, raw->block, from->name, &index)));
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
static void dialect_barrier(struct body_decoder *d, struct raw_inst *raw, struct inst *inst)
{
    if ((raw->op != OP_BAR_SYNC && raw->op != OP_BAR_ARRIVE) || !d->raw->dialect || !raw->bar ||
        !raw->cta)
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
static void call_operands(struct parser *p, struct raw_inst *raw)
{
    struct raw_operand *all = ARENA_ARRAY(p->arena, struct raw_operand, 3);
    uint32_t first = raw->operand_count && raw->operands[0].kind == RAW_LIST;
    if (raw->op != OP_CALL || raw->operand_count == 0)
        return;
    bool prototype = raw->operands[raw->operand_count - 1].kind != RAW_LIST &&
                     raw->operand_count > 1 + first; /* of a call through a register */
    raw->operand_count -= prototype;
    if (raw->operand_count > 2 + first)
        return;
    all[0] = all[2] = (struct raw_operand){.kind = RAW_LIST, .span = raw->span};
    for (uint32_t i = 0; i < raw->operand_count; i++)
        all[1 - first + i] = raw->operands[i];
    raw->operands = all;
    raw->operand_count = 3;
}

/* What a missing qualifier means: .volatile and .mmio say it of accesses (PTX 9.7.9.8 ff.), else the row
 * of isa.def does. */
static void default_semantics(struct inst *inst)
{
    const struct op_row *row = op_row(inst->op);
    bool is_volatile = inst->flags & FLAG_VOLATILE;
    enum sem sem = is_volatile ? SEM_RELAXED : inst->flags & FLAG_MMIO ? SEM_NONE : row->sem;
    enum scope scope = is_volatile ? SCOPE_SYS : inst->flags & FLAG_MMIO ? SCOPE_NONE : row->scope;
    if (!inst->sem)
        inst->sem = sem;
    if (!inst->scope)
        inst->scope = scope;
}

/* ld.global.nc goes through the texture path, ld.const through the constant one (ptx-model.md 7).
 */
static void default_proxy(struct inst *inst)
{
    if (inst->op == OP_LD && inst->flags & FLAG_NC)
        inst->proxy = PROXY_TEXTURE;
    else if (inst->op == OP_LD && inst->space == SPACE_CONST)
        inst->proxy = PROXY_CONSTANT;
    else if (op_row(inst->op)->proxy)
        inst->proxy = op_row(inst->op)->proxy;
}

static void fill_defaults(const struct raw_inst *raw, struct inst *inst)
{
    if (op_group(inst->op) == GROUP_CTA_BARRIER && raw->bar && !(inst->flags & FLAG_DIALECT))
        inst->flags |= FLAG_ALIGNED;
    inst->vector = inst->vector ? inst->vector : 1;
    default_semantics(inst);
    default_proxy(inst);
}

static bool decode_guard(struct body_decoder *d, const struct raw_inst *raw, struct inst *inst)
{
    inst->guard = NONE;
    inst->guard_negated = raw->guard_negated;
    if (!raw->guard.length)
        return true;
    if (decoder_find_register(d, raw->block, raw->guard, &inst->guard))
        return true;
    parse_error(d->parser, unknown_name, raw->guard, NULL, "nothing writes the predicate '%.60s'",
                parse_text(d->parser, raw->guard));
    return false;
}

/* False after a report: what is in 'inst' is then incomplete. */
static bool decode_inst(struct body_decoder *d, struct raw_inst *raw, struct inst *inst)
{
    *inst = (struct inst){
        .op = raw->op, .proxy = raw->proxy, .cmp = raw->cmp, .guard = NONE, .span = raw->span};
    d->from = raw;
    d->inst = inst;
    dialect_barrier(d, raw, inst);
    red_operands(raw);
    call_operands(d->parser, raw);
    if (!decode_copy_operands(d->parser, raw))
        return false;
    if (raw->host) {
        inst->flags |= FLAG_DIALECT;
        inst->sem = raw->sem;
        inst->scope = raw->scope;
        inst->atom_op = raw->atom_op;
        inst->type = raw->type;
    } else if (!decode_guard(d, raw, inst) || !decode_words(d)) {
        decode_addresses(d);
        return false;
    }
    if (!decode_operands(d))
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
static void decode_labels(struct body_decoder *d, struct body *body)
{
    VEC(struct label) labels = {0};
    struct names seen = {.arena = d->parser->arena};
    for (uint32_t i = 0; i < d->raw->labels.len; i++) {
        const struct raw_label *raw = &d->raw->labels.at[i];
        struct label label = {parse_text(d->parser, raw->name), raw->target, raw->name};
        if (raw->list || raw->again)
            continue;
        if (raw->block)
            label.name = arena_printf(d->parser->arena, "%s$%u", label.name, raw->block);
        while (names_has(&seen, 0, label.name))
            label.name = arena_printf(d->parser->arena, "%s$", label.name);
        names_put(&seen, 0, label.name, strlen(label.name), i);
        vec_push(d->parser->arena, &labels, label);
    }
    sort_array(labels.at, labels.len, sizeof *labels.at, by_target);
    body->labels = labels.at;
    body->label_count = labels.len;
}

static void decode_frame(struct body_decoder *d, struct body *body)
{
    const struct raw_body *raw = d->raw;
    body->frame = ARENA_ARRAY(d->parser->arena, struct param, raw->frame.len);
    body->frame_count = raw->frame.len;
    for (uint32_t i = 0; i < raw->frame.len; i++)
        body->frame[i] = raw->frame.at[i].param;
    body->return_count = raw->return_count;
    body->formal_count = raw->formal_count;
    body->frame_bytes = raw->frame_bytes;
}

static void decode_body(struct body_decoder *d)
{
    struct parser *p = d->parser;
    struct raw_body *raw = d->raw;
    struct body *body = &p->bodies.at[d->body];
    body->insts = ARENA_ARRAY(p->arena, struct inst, raw->insts.len);
    body->inst_count = raw->insts.len;
    for (uint32_t i = 0; i < raw->insts.len; i++)
        decode_inst(d, &raw->insts.at[i], &body->insts[i]);
    decode_labels(d, body);
    body->params = raw->params.at;
    body->param_count = raw->params.len;
    body->rules = raw->rules;
    decode_frame(d, body);
}

/* Is the operand's name a location by this use: an address that no register has? */
static bool declares_location(struct body_decoder *d, const struct raw_inst *inst, uint32_t index)
{
    const struct raw_operand *operand = &inst->operands[index];
    const char *text = d->parser->source->text + operand->name.offset;
    uint32_t reg;
    if (!d->raw->dialect || !operand->name.length || memchr(text, '.', operand->name.length))
        return false;
    return operand->address ||
           (op_operand(inst->op, index) == 'm' && !decode_is_register_like(d, operand->name) &&
            !decoder_find_register(d, inst->block, operand->name, &reg));
}

static void declare_locations(struct body_decoder *d)
{
    for (uint32_t i = 0; i < d->raw->insts.len; i++) {
        struct raw_inst *inst = &d->raw->insts.at[i];
        dialect_move(d, inst);
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (declares_location(d, inst, k))
                parse_location(d->parser, inst->operands[k].name);
    }
}

/* One name cannot be a location of the test and a register that nothing declares. */
static void check_names(struct body_decoder *d)
{
    struct parser *p = d->parser;
    for (uint32_t i = 0; i < d->regs.len; i++) {
        const struct reg *reg = &d->regs.at[i];
        if (reg->type == TYPE_NONE && names_has(&p->location_names, NONE, reg->name))
            parse_error(p, name_of_location, reg->span, NULL,
                        "'%s' is a location and a register of %s", reg->name, d->raw->name);
    }
}

/* Also adds the body, which is empty until decode_body, and its table of registers. */
static void start_decoder(struct parser *p, uint32_t index, struct body_decoder *d)
{
    struct names *names = ARENA_NEW(p->arena, struct names);
    names->arena = p->arena;
    *d = (struct body_decoder){
        .parser = p, .body = index, .raw = &p->raws.at[index], .reg_names = names};
    d->range_names.arena = d->label_names.arena = d->mentioned.arena = d->frame_names.arena =
        p->arena;
    uint32_t temporaries = d->raw->temporary_count;
    d->temporaries = ARENA_ARRAY(p->arena, uint32_t, temporaries);
    for (uint32_t i = 0; i < temporaries; i++)
        d->temporaries[i] = NONE;
    if (d->raw->dialect && p->reg_inits.len)
        decoder_note_mentions(d);
    struct body body = {.name = d->raw->name,
                        .dialect = d->raw->dialect,
                        .function = d->raw->function,
                        .span = d->raw->span};
    vec_push(p->arena, &p->bodies, body);
    vec_push(p->arena, &p->reg_names, names);
}

#define GIVEN (NONE - 1) /* scope of reg_names that holds the registers with initial values */

/* Enters "P0:r0 = 1;" into the column's body. */
static void give_initial_value(struct body_decoder *d, const struct raw_reg_init *raw)
{
    struct parser *p = d->parser;
    struct reg_init init = {decoder_named_register(d, raw->name), raw->value.value,
                            raw->value.address_of};
    const char *name = d->regs.at[init.reg].name;
    if (names_has(d->reg_names, GIVEN, name))
        parse_error(p, duplicate_register_init, raw->name, NULL,
                    "register '%s' of %s gets two initial values", parse_text(p, raw->name),
                    d->raw->name);
    names_put(d->reg_names, GIVEN, name, strlen(name), init.reg);
    vec_push(p->arena, &d->inits, init);
}

static void give_initial_values(struct parser *p, struct body_decoder *decoders)
{
    for (uint32_t i = 0; i < p->reg_inits.len; i++) {
        const struct raw_reg_init *init = &p->reg_inits.at[i];
        if (init->column < p->columns.len)
            give_initial_value(&decoders[p->columns.at[init->column].body], init);
        else
            parse_error(p, unknown_thread, init->name, NULL, "there is no thread P%u",
                        init->column);
    }
}

/* "r0" of a question means %r0 when the code says so; a column with both would make that a guess.
 */
static void check_percent(struct body_decoder *d)
{
    for (uint32_t i = 0; d->raw->dialect && i < d->regs.len; i++) {
        const struct reg *reg = &d->regs.at[i];
        if (reg->name[0] == '%' && names_has(d->reg_names, 0, reg->name + 1))
            parse_error(d->parser, percent_and_plain, reg->span, NULL,
                        "'%s' and '%s' are both registers of %s", reg->name, reg->name + 1,
                        d->raw->name);
    }
}

/* Functions whose address is a value. */
static void mark_addressed(struct parser *p)
{
    for (uint32_t i = 0; i < p->addressed.len; i++)
        for (uint32_t b = 0; b < p->bodies.len; b++)
            if (p->bodies.at[b].function &&
                parse_text_is(p, p->addressed.at[i], p->bodies.at[b].name))
                p->bodies.at[b].addressed = true;
}

void decode_bodies(struct parser *p)
{
    uint32_t first = p->bodies.len, count = p->raws.len;
    struct body_decoder *decoders = ARENA_ARRAY(p->arena, struct body_decoder, count);
    for (uint32_t i = first; i < count; i++)
        start_decoder(p, i, &decoders[i]);
    give_initial_values(p, decoders);
    for (uint32_t i = first; i < count; i++)
        decoder_declare(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        declare_locations(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        check_names(&decoders[i]);
    for (uint32_t i = first; i < count; i++)
        decode_body(&decoders[i]);
    mark_addressed(p);
    for (uint32_t i = first; i < count; i++) {
        check_percent(&decoders[i]);
        p->bodies.at[i].regs = decoders[i].regs.at;
        p->bodies.at[i].reg_count = decoders[i].regs.len;
        p->bodies.at[i].inits = decoders[i].inits.at;
        p->bodies.at[i].init_count = decoders[i].inits.len;
    }
}
