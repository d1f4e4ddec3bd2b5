/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/threads.h"

#include <string.h>

#include "litmus/edit/need.h"
#include "litmus/edit/option.h"
#include "litmus/edit/row.h"
#include "litmus/edit/strength.h"
#include "litmus/rewrite/gap.h"
#include "litmus/rewrite/object.h"
#include "litmus/rewrite/site.h"
#include "litmus/rewrite/words.h"

/* What the places of a test have in common. */
struct threads {
    struct arena *arena;
    const struct test *test;
    struct need need;
    const char *prefix, *scoped; /* words_prefix, words_scoped_prefix */
    bool table, stronger;
    const struct body *body; /* whose statements these are */
    struct statements statements;
    struct edit_places places;
};

/* Of memory that other threads may see: not of a kernel's parameter. */
static bool is_access(const struct inst *inst)
{
    return op_group(inst->op) == GROUP_ACCESS && inst->space != SPACE_PARAM;
}

static bool is_barrier(const struct inst *inst)
{
    return op_group(inst->op) == GROUP_CTA_BARRIER || inst->op == OP_BAR_WARP_SYNC;
}

static bool is_ordered(const struct inst *inst)
{
    return is_access(inst) || inst->op == OP_FENCE || is_barrier(inst) ||
           op_group(inst->op) == GROUP_GRID || inst->op == OP_CLUSTER_ARRIVE;
}

/* ---- statements ----------------------------------------------------------------------------- */

/* The cell of a table that the instruction stands in, unless it has been read. */
static void read_cell(struct threads *t, const struct inst *inst, uint32_t column)
{
    struct row row = row_at(t->arena, t->test, inst->span.offset);
    uint32_t first = t->statements.items.len;
    if (!row.regular || statements_at(&t->statements, inst->span.offset))
        return;
    uint32_t from = column ? row.ends[column - 1] + 1 : row.line.offset;
    statements_read(t->arena, t->test->source, from, row.ends[column], &t->statements);
    for (uint32_t i = first; i < t->statements.items.len; i++) {
        struct statement *one = &t->statements.items.at[i];
        one->cell = one->parent == UINT32_MAX;
        one->list = one->cell ? 0 : one->list;
    }
}

/* Those of a kernel, or of a thread that is a block: behind the head, and the parameters, its '{' stands. */
static void read_block(struct threads *t, struct span head)
{
    const struct source *source = t->test->source;
    uint32_t open, at = head.offset + head.length;
    for (at = source_skip_blanks(source, at, source->length, &open);
         at < source->length && source->text[at] != '{';)
        at = source_skip_blanks(source, at + 1, source->length, &open);
    statements_read(t->arena, source, at + 1, statements_close(source, at), &t->statements);
}

/* 'column': of a kernel none. */
static void read_statements(struct threads *t, const struct column *column)
{
    t->statements = (struct statements){.lists = 1};
    if (!t->table)
        read_block(t, column ? column->span : t->body->span);
    for (uint32_t i = 0; t->table && i < t->body->inst_count; i++)
        read_cell(t, &t->body->insts[i], (uint32_t)(column - t->test->columns));
    for (uint32_t i = 0; i < t->body->inst_count; i++)
        if (is_ordered(&t->body->insts[i]))
            statement_mark(&t->statements, t->body->insts[i].span.offset);
}

/* ---- options -------------------------------------------------------------------------------- */

static void add_option(struct threads *t, struct edit_place *place, struct inst to,
                       const struct rewording *rewrite)
{
    struct edit_option option = {.inst = to, .edits = true};
    if (!rewrite)
        return;
    option.edit = (struct edit){.kind = EDIT_CHANGE,
                                .body = place->body,
                                .inst = place->inst,
                                .words = rewrite->after,
                                .rewording = rewrite};
    option_add(t->arena, place, option);
}

/* Orders of C++, from the weakest; the last four are those of fences. */
static const enum sem sems[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
enum { SEMS = sizeof sems / sizeof *sems, FIRST_FENCE = 1 };

/* Does C++ have the order for the operation? */
static bool has_order(const struct inst *inst, enum sem sem)
{
    static const char *const letters[SEM_COUNT] = {
        [SEM_RELAXED] = "lsr", [SEM_ACQUIRE] = "lrf", [SEM_RELEASE] = "srf",
        [SEM_ACQ_REL] = "rf",  [SEM_SC] = "lsrf",
    };
    char letter = inst->op == OP_LD      ? 'l'
                  : inst->op == OP_ST    ? 's'
                  : inst->op == OP_FENCE ? 'f'
                                         : 'r';
    return letters[sem] && strchr(letters[sem], letter);
}

static bool is_wanted(const struct threads *t, const struct inst *to, const struct inst *from)
{
    bool same = to->sem == from->sem && to->scope == from->scope;
    return !same && (t->stronger ? strength_inst(to, from) : strength_inst(from, to));
}

static bool is_scope(const struct threads *t, const struct inst *inst, enum scope scope)
{
    if (!t->stronger)
        return scope != SCOPE_NONE;
    return t->need.scopes >> scope & 1 || scope == inst->scope;
}

/* What the type of the object is called. */
static const char *type_of(const struct threads *t, const struct inst *inst)
{
    const struct operand *memory = inst_operand(inst, OPERAND_MEMORY);
    bool named = memory && memory->location != NONE;
    return words_type(named ? t->test->locations[memory->location].type : inst->type);
}

static void add_access(struct threads *t, struct edit_place *place, const struct site *site,
                       struct inst to)
{
    bool stays = site->kind == SITE_METHOD || site->kind == SITE_IMPLIED;
    struct site_wish wish = {to.sem, to.scope, type_of(t, place->inst),
                             stays ? t->prefix : t->scoped};
    add_option(t, place, to, site_write(t->arena, site, &wish));
}

/* An atomic operation with another order, and a plain access that becomes atomic, in each scope. */
static void add_orders(struct threads *t, struct edit_place *place, const struct site *site)
{
    bool plain = place->inst->sem == SEM_WEAK;
    for (int i = 0; i < SEMS; i++)
        for (int scope = SCOPE_NONE; scope < SCOPE_COUNT; scope++) {
            struct inst to = *place->inst;
            to.sem = sems[i];
            to.scope = (enum scope)scope;
            if (site->kind == SITE_UPDATE && plain)
                to.op = OP_ATOM;
            bool fits = plain ? scope && is_scope(t, place->inst, to.scope)
                              : to.scope == place->inst->scope;
            struct inst as = to; /* of an update that is two accesses */
            as.op = place->inst->op;
            if (fits && has_order(&to, to.sem) && is_wanted(t, &as, place->inst))
                add_access(t, place, site, to);
        }
}

/* "atomicAdd_block": the name has the scope. */
static void add_legacy_scopes(struct threads *t, struct edit_place *place, const struct site *site)
{
    for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
        struct inst to = *place->inst;
        to.scope = (enum scope)scope;
        if (is_scope(t, place->inst, to.scope) && is_wanted(t, &to, place->inst))
            add_option(t, place, to, site_scope(t->arena, site, to.scope));
    }
}

static void add_fences(struct threads *t, struct edit_place *place, const struct site *site)
{
    for (int i = FIRST_FENCE; i < SEMS; i++)
        for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
            struct inst to = *place->inst;
            to.sem = sems[i];
            to.scope = (enum scope)scope;
            if (!is_scope(t, place->inst, to.scope) || !is_wanted(t, &to, place->inst))
                continue;
            add_option(
                t, place, to,
                site_replace(t->arena, site, words_fence(t->arena, t->scoped, to.sem, to.scope)));
        }
}

/* ---- instructions --------------------------------------------------------------------------- */

/* "x += 1" as a statement: what it gives is not used, so that it may be another operation. */
static bool is_statement(const struct threads *t, const struct site *site)
{
    const struct statement *statement = statements_at(&t->statements, site->span.offset);
    uint32_t end = site->span.offset + site->span.length;
    return statement && statement->span.offset == site->span.offset &&
           end + 1 >= statement->span.offset + statement->span.length;
}

/* Is it the second access of an update, which the first stands for? */
static bool is_second(const struct inst *first, const struct inst *inst)
{
    return first < inst && first->span.offset == inst->span.offset &&
           first->span.length == inst->span.length;
}

static bool find_site(struct threads *t, const struct inst *inst, struct site *site)
{
    if (!site_of(t->arena, t->test->source, inst->span, site))
        return false;
    bool plain = site->kind == SITE_LOAD || site->kind == SITE_STORE || site->kind == SITE_UPDATE;
    if (plain && is_access(inst) && inst->sem != SEM_WEAK)
        site->kind = SITE_IMPLIED;
    return site->kind != SITE_UPDATE || site->expr->kind == CPP_POSTFIX || is_statement(t, site);
}

/* Without the statement, where the expression is one. */
static void add_removal(struct threads *t, struct edit_place *place, const struct site *site)
{
    struct edit_option none = {.inst.op = OP_COUNT, .edits = true};
    const struct statement *statement = statements_at(&t->statements, site->span.offset);
    if (!is_statement(t, site))
        return;
    none.edit = (struct edit){EDIT_REMOVE, place->body, place->inst, "", 0, NULL};
    if (!statement->cell)
        none.edit.rewording = gap_remove(t->arena, t->test->source, statement);
    option_add(t->arena, place, none);
}

static void add_weaker_access(struct threads *t, struct edit_place *place, const struct site *site)
{
    struct inst to = *place->inst;
    to.sem = SEM_WEAK;
    to.scope = SCOPE_NONE;
    add_option(t, place, to, site_plain(t->arena, site));
}

static void add_forms(struct threads *t, struct edit_place *place, const struct site *site)
{
    if (place->inst->op == OP_FENCE) {
        add_fences(t, place, site);
        return;
    }
    if (!is_access(place->inst))
        return;
    if (!t->stronger && site->kind == SITE_METHOD)
        add_weaker_access(t, place, site);
    add_orders(t, place, site);
    if (site->kind == SITE_LEGACY)
        add_legacy_scopes(t, place, site);
}

static void see_instruction(struct threads *t, const struct inst *inst)
{
    struct edit_place place = {.body = t->body, .inst = inst};
    struct site site;
    for (const struct inst *at = t->body->insts; is_access(inst) && at < inst; at++)
        if (is_access(at) && is_second(at, inst))
            return;
    if (!is_ordered(inst) || !find_site(t, inst, &site))
        return;
    if (t->stronger)
        option_add(t->arena, &place, (struct edit_option){.inst = *inst});
    if (!t->stronger && (inst->op == OP_FENCE || is_barrier(inst)))
        add_removal(t, &place, &site);
    add_forms(t, &place, &site);
    if (!t->stronger)
        option_add(t->arena, &place, (struct edit_option){.inst = *inst});
    edit_places_add(t->arena, &t->places, place);
}

/* ---- scopes of objects ---------------------------------------------------------------------- */

static struct rewording *write_scope(struct threads *t, struct span span, enum scope scope)
{
    const struct source *source = t->test->source;
    struct rewording *rewrite = rewording_begin(t->arena, source, span);
    const char *like = arena_strndup(t->arena, source->text + span.offset, span.length);
    rewording_add(t->arena, rewrite, span,
                  span.length
                      ? words_scope_like(t->arena, like, scope)
                      : arena_printf(t->arena, ", %s", words_scope(t->arena, t->scoped, scope)));
    rewording_name(t->arena, rewrite, span);
    return rewrite;
}

/* Is there a place for the scope that stands there? */
static bool is_known(const struct threads *t, struct span scope)
{
    for (uint32_t i = 0; i < t->places.items.len; i++) {
        const struct edit_place *place = &t->places.items.at[i];
        const struct edit_option *other = &place->options.at[t->stronger];
        const struct rewording *rewrite = other->edit.rewording;
        if (!place->gap && rewrite && rewrite->pieces.len == 1 &&
            rewrite->pieces.at[0].span.offset == scope.offset)
            return true;
    }
    return false;
}

/* The declaration of an atomic object, or of a reference to one: its scope is that of all that use it. */
static void see_scope(struct threads *t, const struct inst *inst)
{
    struct edit_place place = {.body = t->body, .inst = inst};
    struct site site;
    if (!is_access(inst) || inst->sem == SEM_WEAK || !find_site(t, inst, &site) ||
        site.kind == SITE_LEGACY)
        return;
    struct span span = object_scope(t->arena, &site);
    if (!span.offset || is_known(t, span))
        return;
    if (t->stronger)
        option_add(t->arena, &place, (struct edit_option){.inst = *inst});
    for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
        struct inst to = *inst;
        to.scope = (enum scope)scope;
        if (is_scope(t, inst, to.scope) && is_wanted(t, &to, inst))
            add_option(t, &place, to, write_scope(t, span, to.scope));
    }
    if (!t->stronger)
        option_add(t->arena, &place, (struct edit_option){.inst = *inst});
    edit_places_add(t->arena, &t->places, place);
}

/* ---- gaps ----------------------------------------------------------------------------------- */

static const struct inst *inst_in(const struct threads *t, struct span span)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++)
        if (t->body->insts[i].span.offset - span.offset < span.length &&
            is_ordered(&t->body->insts[i]))
            return &t->body->insts[i];
    return t->body->insts;
}

static struct edit_place open_gap(struct threads *t, const struct statement_gap *gap)
{
    const struct statement *beside = gap->after ? gap->after : gap->before;
    struct edit_place place = {.body = t->body, .inst = inst_in(t, beside->span), .gap = true};
    option_add(t->arena, &place, (struct edit_option){.inst.op = OP_COUNT});
    return place;
}

enum { RANK_BARRIER = 8, RANK_FENCE = 16 };

static void add_new(struct threads *t, struct edit_place *place, const struct statement_gap *gap,
                    struct inst inst, const char *words, uint32_t rank)
{
    const struct statement *beside = gap->after ? gap->after : gap->before;
    struct edit_option option = {.inst = inst, .edits = true};
    option.edit = (struct edit){
        gap->after ? EDIT_BEFORE : EDIT_AFTER, t->body, place->inst, words, rank, NULL};
    if (!beside->cell)
        option.edit.rewording = gap_write(t->arena, t->test->source, gap, words, rank);
    option_add(t->arena, place, option);
}

static void new_fences(struct threads *t, const struct statement_gap *gap)
{
    struct edit_place place = open_gap(t, gap);
    for (int i = FIRST_FENCE; i < SEMS; i++)
        for (int scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++) {
            struct inst fence = {.op = OP_FENCE, .sem = sems[i], .scope = (enum scope)scope};
            if (t->need.scopes >> scope & 1)
                add_new(t, &place, gap, fence,
                        words_fence(t->arena, t->scoped, fence.sem, fence.scope), RANK_FENCE);
        }
    edit_places_add(t->arena, &t->places, place);
}

static void new_barriers(struct threads *t, const struct statement_gap *gap)
{
    struct edit_place place = open_gap(t, gap);
    bool kernel = t->test->launch_count;
    place.shy = true;
    if (kernel ? t->need.warp : need_lanes(t->test, t->body))
        add_new(t, &place, gap, (struct inst){.op = OP_BAR_WARP_SYNC}, "__syncwarp()",
                RANK_BARRIER);
    if (need_meets(t->test, t->body, SCOPE_CTA))
        add_new(t, &place, gap, (struct inst){.op = OP_BAR_SYNC}, "__syncthreads()", RANK_BARRIER);
    edit_places_add(t->arena, &t->places, place);
}

/* Of the group of the cluster, which arrives and waits. */
static void new_cluster_barriers(struct threads *t, const struct statement_gap *gap)
{
    struct inst arrive = {.op = OP_CLUSTER_ARRIVE, .sem = SEM_RELEASE, .scope = SCOPE_CLUSTER};
    struct edit_place place = open_gap(t, gap);
    place.shy = true;
    if (t->need.scopes >> SCOPE_CLUSTER & 1 && need_meets(t->test, t->body, SCOPE_CLUSTER))
        add_new(t, &place, gap, arrive, "cooperative_groups::this_cluster().sync()", RANK_BARRIER);
    edit_places_add(t->arena, &t->places, place);
}

/* Is there something to order on both sides? In a loop there always is. */
static bool has_sides(const struct statement_gap *gap)
{
    if (gap->before && gap->after)
        return true;
    const struct statement *beside = gap->after ? gap->after : gap->before;
    return beside->parent != UINT32_MAX;
}

static void see_gaps(struct threads *t)
{
    struct statement_gaps gaps = statement_gaps(t->arena, &t->statements);
    for (uint32_t i = 0; i < gaps.items.len; i++) {
        if (has_sides(&gaps.items.at[i]))
            new_fences(t, &gaps.items.at[i]);
        new_barriers(t, &gaps.items.at[i]);
        new_cluster_barriers(t, &gaps.items.at[i]);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static struct threads begin(struct arena *arena, const struct test *test, bool stronger)
{
    return (struct threads){.arena = arena,
                            .test = test,
                            .need = need_of(arena, test),
                            .prefix = words_prefix(test->source),
                            .scoped = words_scoped_prefix(test->source),
                            .table = row_in_table(test),
                            .stronger = stronger};
}

static void see_body(struct threads *t)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++) {
        see_instruction(t, &t->body->insts[i]);
        see_scope(t, &t->body->insts[i]);
    }
    if (t->stronger)
        see_gaps(t);
}

static void see_barriers(struct threads *t)
{
    for (uint32_t i = 0; i < t->body->inst_count; i++) {
        struct edit_place place = {.body = t->body, .inst = &t->body->insts[i], .shy = true};
        struct site site;
        if (!is_barrier(place.inst) || !find_site(t, place.inst, &site))
            continue;
        option_add(t->arena, &place, (struct edit_option){.inst = *place.inst});
        add_removal(t, &place, &site);
        edit_places_add(t->arena, &t->places, place);
    }
}

static bool is_launched(const struct test *test, uint32_t kernel)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (test->launches[i].kernel == kernel)
            return true;
    return false;
}

/* Calls 'see' with the statements of each thread's code; a kernel's are seen once, however many run it. */
static struct edit_places see_all(struct arena *arena, const struct test *test, bool stronger,
                                  void (*see)(struct threads *t))
{
    struct threads t = begin(arena, test, stronger);
    for (uint32_t i = 0; i < test->column_count; i++) {
        t.body = &test->bodies[test->columns[i].body];
        read_statements(&t, &test->columns[i]);
        see(&t);
    }
    for (uint32_t i = 0; i < test->body_count; i++)
        if (is_launched(test, i)) {
            t.body = &test->bodies[i];
            read_statements(&t, NULL);
            see(&t);
        }
    return t.places;
}

struct edit_places threads_stronger(struct arena *arena, const struct test *test)
{
    return see_all(arena, test, true, see_body);
}

struct edit_places threads_weaker(struct arena *arena, const struct test *test)
{
    return see_all(arena, test, false, see_body);
}

struct edit_places threads_fewer(struct arena *arena, const struct test *test)
{
    return see_all(arena, test, true, see_barriers);
}
