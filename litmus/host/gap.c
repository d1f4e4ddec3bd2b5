/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include "litmus/parse/launch.h"

#include <string.h>

/* Statements of a program that are not modelled. Nothing is known of what such a statement may change: variables,
 * and memory at any time from then on, for it may have put work into a stream. It may wait for the devices (the
 * call host_gap_row), and it is assumed to end, to leave the current device as it is and to destroy nothing that
 * it does not name. */

/* ---- what is not known ---------------------------------------------------------------------- */

struct code_value gap_value(uint32_t gap, struct span span)
{
    return (struct code_value){.kind = VALUE_UNKNOWN, .number = gap, .name = span};
}

uint32_t gap_of_memory(const struct eval *e, uint32_t location)
{
    return e->p->locations.at[location].gap;
}

static uint32_t root_location(const struct eval *e, uint32_t location)
{
    while (e->p->locations.at[location].alias_of != NONE)
        location = e->p->locations.at[location].alias_of;
    return location;
}

/* The location and its aliases. */
void gap_cover_memory(struct eval *e, uint32_t location, uint32_t gap)
{
    uint32_t root = root_location(e, location);
    for (uint32_t i = 0; i < e->p->locations.len; i++)
        if (root_location(e, i) == root && !e->p->locations.at[i].gap)
            e->p->locations.at[i].gap = gap;
}

void gap_cover_all(struct eval *e, uint32_t gap)
{
    if (!e->gap_of_all)
        e->gap_of_all = gap;
}

/* ---- what work makes of it ------------------------------------------------------------------ */

static bool is_symbol(const struct eval *e, uint32_t location)
{
    return location < e->first_location;
}

/* What the argument points to; of a structure, what its pointers do. */
static uint32_t given_memory(const struct eval *e, const struct operand *arg, uint32_t index)
{
    if (arg->location == NONE || index == 0)
        return arg->location;
    const struct location *location = &e->p->locations.at[arg->location];
    return location->init ? location->init[index - 1].address_of : NONE;
}

static uint32_t given_count(const struct eval *e, const struct operand *arg)
{
    bool is_list = arg->location != NONE && e->p->locations.at[arg->location].init;
    return is_list ? 1 + e->p->locations.at[arg->location].elements : 1;
}

/* Of what the kernel is given, and of variables of the file that kernels share. */
static uint32_t gap_of_launch(const struct eval *e, const struct launch *launch)
{
    for (uint32_t i = 0; i < launch->arg_count; i++)
        for (uint32_t k = 0; k < given_count(e, &launch->args[i]); k++) {
            uint32_t location = given_memory(e, &launch->args[i], k);
            if (location != NONE && gap_of_memory(e, location))
                return gap_of_memory(e, location);
        }
    for (uint32_t i = 0; i < e->p->locations.len && is_symbol(e, i); i++)
        if (gap_of_memory(e, i))
            return gap_of_memory(e, i);
    return 0;
}

void gap_cover_launch(struct eval *e, struct launch *launch, uint32_t gap)
{
    launch->gap = gap;
    for (uint32_t i = 0; i < launch->arg_count; i++)
        for (uint32_t k = 0; k < given_count(e, &launch->args[i]); k++)
            if (given_memory(e, &launch->args[i], k) != NONE)
                gap_cover_memory(e, given_memory(e, &launch->args[i], k), gap);
    for (uint32_t i = 0; i < e->p->locations.len && is_symbol(e, i); i++)
        gap_cover_memory(e, i, gap);
}

/* What the call's work writes is not known when something that it reads is not; is that new? */
static bool spread(struct eval *e, const struct host_call *call)
{
    struct launch *launch = call->launch == NONE ? NULL : &e->p->launches.at[call->launch];
    uint32_t gap = launch && !launch->gap ? gap_of_launch(e, launch) : 0;
    if (gap) {
        gap_cover_launch(e, launch, gap);
        return true;
    }
    if (call->from.location == NONE || call->to.location == NONE)
        return false;
    gap = gap_of_memory(e, call->from.location);
    if (!gap || gap_of_memory(e, call->to.location))
        return false;
    gap_cover_memory(e, call->to.location, gap);
    return true;
}

void gap_spread(struct eval *e)
{
    for (bool again = e->gaps.len; again;) {
        again = false;
        for (uint32_t i = 0; i < e->p->host_calls.len; i++)
            again = spread(e, &e->p->host_calls.at[i]) || again;
    }
}

/* Whether and how often graphs run is not known from now on: what their nodes write, and calls that may have become
 * nodes. */
static void cover_graphs(struct eval *e, uint32_t gap)
{
    bool captures = false;
    for (uint32_t i = 0; i < e->p->host_calls.len; i++) {
        const struct host_call *call = &e->p->host_calls.at[i];
        captures = captures || call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE;
        bool node = call->row->class == HOST_ADDS || call->row->class == HOST_SETS ||
                    (captures && call->row->class == HOST_ENQUEUES);
        if (!node)
            continue;
        if (call->launch != NONE)
            gap_cover_launch(e, &e->p->launches.at[call->launch], gap);
        if (call->to.location != NONE)
            gap_cover_memory(e, call->to.location, gap);
        if (call->function != NONE)
            gap_cover_all(e, gap);
    }
}

/* ---- a statement ---------------------------------------------------------------------------- */

struct gap_mark gap_mark(const struct eval *e)
{
    const struct raw_body *body = parse_body(e->p);
    return (struct gap_mark){.insts = body->insts.len,
                             .temporaries = body->temporary_count,
                             .calls = e->p->host_calls.len,
                             .launches = e->p->launches.len,
                             .threads = e->p->host_threads.len,
                             .errors = e->p->diags->errors,
                             .items = e->p->diags->items.len,
                             .aims = e->aims.len,
                             .bindings = e->scope.len,
                             .frame = e->frame,
                             .code = e->code,
                             .calls_open = e->calls,
                             .branches = e->branches,
                             .device = e->device};
}

/* As before the statement; what its variables hold is covered. */
static void go_back(struct eval *e, const struct gap_mark *mark)
{
    struct raw_body *body = parse_body(e->p);
    body->insts.len = mark->insts;
    body->temporary_count = mark->temporaries;
    e->p->host_calls.len = mark->calls;
    e->p->launches.len = e->p->launch_kernels.len = mark->launches;
    e->p->diags->errors = mark->errors;
    e->p->diags->items.len = mark->items;
    e->scope.len = mark->bindings;
    e->frame = mark->frame;
    e->code = mark->code;
    e->calls = mark->calls_open;
    e->branches = mark->branches;
    e->device = mark->device;
    e->is_dead = e->in_loop_head = false;
    for (uint32_t i = mark->aims; i < e->aims.len; i++)
        e->aims.at[i].is_reached = false;
}

/* Did the statement start host threads, of which parts are lost? */
static bool has_started(const struct eval *e, const struct gap_mark *mark)
{
    for (uint32_t i = mark->threads; i < e->p->host_threads.len; i++)
        if (!e->p->host_threads.at[i].is_function)
            return true;
    return false;
}

bool gap_is_capturing(const struct eval *e)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < e->p->host_calls.len; i++) {
        open += e->p->host_calls.at[i].row->subject == HOST_SUBJECT_BEGIN_CAPTURE;
        open -= e->p->host_calls.at[i].row->subject == HOST_SUBJECT_END_CAPTURE;
    }
    return open;
}

/* A number, a pointer, an object of the runtime, or what consists of them: what is assigned to it is known again. */
static bool is_understood(struct eval *e, const struct code_shape *shape)
{
    while (shape && shape->kind == SHAPE_ARRAY)
        shape = shape->of;
    if (!shape || shape->is_atomic)
        return false;
    if (shape->kind == SHAPE_STRUCT)
        return shape->structure && shape->structure->is_own && !eval_is_class(e, shape);
    return shape->kind == SHAPE_NUMBER || shape->kind == SHAPE_POINTER ||
           shape->kind == SHAPE_OBJECT;
}

/* NULL: its type is not known. Nothing is reported. */
static const struct code_shape *declared_shape(struct eval *e, const struct cpp_type *type)
{
    uint32_t errors = e->p->diags->errors, items = e->p->diags->items.len, cause = e->cause;
    const struct code_shape *shape = type->kind == CPP_TYPE_REFERENCE ? NULL : eval_shape(e, type);
    bool known = is_understood(e, shape);
    e->p->diags->errors = errors;
    e->p->diags->items.len = items;
    e->cause = cause;
    return known ? shape : NULL;
}

/* Names that the statement declares. */
static void declare_unknown(struct eval *e, const struct cpp_stmt *stmt, uint32_t gap)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct code_shape *shape = declared_shape(e, stmt->declarators[i].type);
        struct code_cell *cell = eval_new_cell(e, stmt->declarators[i].name, shape ? shape : &any);
        cell->is_opaque = !shape;
        cell->value = gap_value(gap, stmt->declarators[i].name_span);
        cell->may_wait = stmt->declarators[i].type->kind == CPP_TYPE_NAMED ||
                         stmt->declarators[i].type->kind == CPP_TYPE_AUTO;
        eval_bind(e, stmt->declarators[i].name, cell);
        for (uint32_t k = 0; k < stmt->declarators[i].bound_count; k++)
            eval_bind(e, stmt->declarators[i].bound[k], cell);
    }
}

static void may_wait(struct eval *e, struct span span)
{
    struct host_call call = eval_blank_call(e, &host_gap_row);
    struct code_value dropped;
    if (call.host == NONE)
        call.host = 0; /* global variables are made at the start of main */
    if (!e->p->host_threads.at[call.host].is_function)
        eval_add_call(e, call, false, span, &dropped);
}

void gap_close_scope(struct eval *e, uint32_t count)
{
    const struct code_cell *last = NULL;
    for (uint32_t i = count; i < e->scope.len; i++)
        if (e->scope.at[i].cell->may_wait)
            last = e->scope.at[i].cell;
    if (last && !e->left && !e->is_dead && e->host != NONE)
        may_wait(e, last->value.name);
}

/* The gap that the statement's fault comes from, or a new one. */
static uint32_t cause_of(struct eval *e, const struct host_gap *found)
{
    if (e->cause)
        return e->cause;
    vec_push(e->arena, &e->gaps, *found);
    return e->gaps.len;
}

static void cover(struct eval *e, const struct cpp_stmt *stmt, uint32_t gap, bool started)
{
    e->covered++;
    struct gap_reach reach = gap_reach(e, stmt, gap);
    bool lost = started || e->clashes || e->waiting || e->labels.len || reach.all ||
                (reach.objects && gap_is_capturing(e));
    if (lost)
        gap_cover_all(e, gap);
    if (reach.graphs)
        cover_graphs(e, gap);
    if (reach.synchronizes && !e->gap_of_threads)
        e->gap_of_threads = gap;
    declare_unknown(e, stmt, gap);
    gap_spread(e);
    if (reach.waits && !e->left)
        may_wait(e, stmt->span);
    if (reach.leaves && !e->left)
        e->left = gap;
}

void gap_statement(struct eval *e, const struct cpp_stmt *stmt, const struct gap_mark *mark)
{
    struct host_gap found = {stmt->span, "this statement", NULL};
    if (mark->items < e->p->diags->items.len) {
        const struct diag *fault = &e->p->diags->items.at[mark->items];
        found = (struct host_gap){fault->span, fault->message, fault->hint};
        if (eval_is_of_library(e, fault->span)) /* the program says no such line */
            found.span = stmt->span;
    }
    bool started = has_started(e, mark);
    go_back(e, mark);
    cover(e, stmt, cause_of(e, &found), started);
    e->cause = 0;
    e->clashes = false;
}

void gap_unread(struct eval *e, const struct cpp_stmt *stmt)
{
    const struct cpp_unread *unread = stmt->unread;
    struct host_gap found = {unread->span, unread->message, unread->hint};
    e->cause = 0;
    uint32_t gap = cause_of(e, &found);
    cover(e, stmt, gap, false);
    for (uint32_t i = 0; i < unread->word_count; i++) {
        struct gap_word word = {unread->words[i], gap};
        vec_push(e->arena, &e->gap_words, word);
    }
}

uint32_t gap_of_word(const struct eval *e, const char *word)
{
    for (uint32_t i = 0; i < e->gap_words.len; i++)
        if (strcmp(e->gap_words.at[i].word, word) == 0)
            return e->gap_words.at[i].gap;
    return 0;
}

void gap_left(struct eval *e, const struct cpp_stmt *stmt)
{
    cover(e, stmt, e->left, false);
}

/* ---- a kernel ----------------------------------------------------------------------------------- */

/* The gap of that place, which other launches may have found; or a new one. */
static uint32_t gap_at(struct eval *e, const struct host_gap *found)
{
    for (uint32_t i = 0; i < e->gaps.len; i++)
        if (e->gaps.at[i].span.offset == found->span.offset)
            return i + 1;
    vec_push(e->arena, &e->gaps, *found);
    return e->gaps.len;
}

void gap_launch(struct eval *e, struct launch *launch, const char *kernel)
{
    uint32_t matches,
        index = launch->kernel != NONE ? launch->kernel : parse_find_kernel(e->p, kernel, &matches);
    const struct opaque_kernel *opaque =
        index == NONE ? NULL : parse_is_opaque(e->p, e->p->raws.at[index].name);
    if (opaque)
        gap_cover_launch(e, launch, gap_at(e, &opaque->gap));
}

/* ---- a function ----------------------------------------------------------------------------- */

void gap_finish_body(struct eval *e)
{
    struct raw_body *body = parse_body(e->p);
    for (uint32_t i = 0; i < e->cells.len; i++) {
        const struct code_cell *cell = e->cells.at[i];
        if (cell->host == e->host && cell->variable < body->variables.len &&
            cell->value.kind == VALUE_UNKNOWN)
            body->variables.at[cell->variable].gap = (uint32_t)cell->value.number;
    }
}
