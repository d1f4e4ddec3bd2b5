/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"
#include "litmus/host/macro.h"
#include "litmus/host/tree.h"

#include <string.h>

/* Statements of host code: loops whose conditions are known are unrolled. */

enum { MOST_ROUNDS = 4096, MOST_INSTRUCTIONS = 100000 };

/* ---- branches ------------------------------------------------------------------------------- */

/* Objects without names that the condition made end with it. */
static bool end_condition(struct eval *e, enum eval_truth is, uint32_t temporaries,
                          struct span span)
{
    if (is != EVAL_DEPENDS || e->temporaries.len == temporaries)
        return eval_end_temporaries(e, temporaries);
    e->temporaries.len = temporaries;
    eval_error(e, host_statement, span, "give the object a name",
               "an object that a condition makes, which depends on what the program reads, is not "
               "modelled");
    return false;
}

static bool if_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t otherwise = eval_new_aim(e), end = eval_new_aim(e), temporaries = e->temporaries.len;
    enum eval_truth is = eval_branch(e, stmt->condition, false, otherwise);
    if (is == EVAL_FAILED || !end_condition(e, is, temporaries, stmt->span))
        return false;
    if (is != EVAL_DEPENDS) {
        uint32_t taken = is == EVAL_TRUE ? 0 : 1;
        return taken >= stmt->kid_count || eval_statement(e, stmt->kids[taken]);
    }
    e->branches++;
    bool good = eval_statement(e, stmt->kids[0]);
    if (stmt->kid_count > 1 && !e->is_dead)
        eval_jump(e, end, stmt->span);
    eval_place(e, otherwise);
    if (stmt->kid_count > 1)
        good = eval_statement(e, stmt->kids[1]) && good;
    eval_place(e, end);
    e->branches--;
    return good;
}

/* ---- switch --------------------------------------------------------------------------------- */

static uint32_t count_cases(const struct cpp_stmt *stmt)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        for (const struct cpp_stmt *at = stmt->kids[i]; at->kind == CPP_CASE; at = at->kids[0])
            count++;
    return count;
}

/* The cases of the block, also one directly behind another. */
static void find_cases(struct eval *e, const struct cpp_stmt *stmt, struct code_frame *frame)
{
    frame->cases = ARENA_ARRAY(e->arena, struct switch_case, count_cases(stmt));
    frame->case_count = 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        for (const struct cpp_stmt *at = stmt->kids[i]; at->kind == CPP_CASE; at = at->kids[0])
            frame->cases[frame->case_count++] = (struct switch_case){at, eval_new_aim(e)};
}

/* Jumps to the case that the value is, to the default one or past all. */
static bool choose_case(struct eval *e, const struct code_value *value, uint32_t end,
                        struct span span)
{
    uint32_t otherwise = end;
    struct raw_operand left, right;
    for (uint32_t i = 0; i < e->frame.case_count; i++) {
        const struct switch_case *one = &e->frame.cases[i];
        uint64_t number;
        if (!one->stmt->value)
            otherwise = one->aim;
        else if (!eval_known_number(e, one->stmt->value, "a case", &number))
            return false;
        else if (value->kind == VALUE_NUMBER && value->number == number)
            otherwise = one->aim;
        else if (value->kind == VALUE_REGISTER) {
            right = eval_number_operand(number, span);
            if (!eval_operand(e, value, span, &left))
                return false;
            eval_jump_if(e, CMP_EQ, &left, &right, one->aim, span);
        }
        if (value->kind == VALUE_NUMBER && one->stmt->value && value->number == number)
            break;
    }
    eval_jump(e, otherwise, span);
    return true;
}

static bool switch_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_frame outer = e->frame;
    struct code_value value;
    uint32_t end = eval_new_aim(e), variables = e->scope.len;
    const struct cpp_stmt *body = stmt->kids[0];
    if (!eval_value(e, stmt->value, &value))
        return false;
    if (value.kind != VALUE_NUMBER && value.kind != VALUE_REGISTER)
        return eval_needs(e, &value, stmt->value->span, "a number");
    eval_keep(e, &value, stmt->span);
    bool depends = value.kind == VALUE_REGISTER;
    e->frame.break_to = end;
    e->frame.break_scope = variables;
    find_cases(e, body, &e->frame);
    e->branches += depends;
    bool good = choose_case(e, &value, end, stmt->span);
    for (uint32_t i = 0; good && i < body->kid_count; i++)
        good = eval_statement(e, body->kids[i]);
    e->branches -= depends;
    eval_close_scope(e, variables);
    eval_place(e, end);
    e->frame = outer;
    return good;
}

static bool case_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    for (uint32_t i = 0; i < e->frame.case_count; i++)
        if (e->frame.cases[i].stmt == stmt) {
            eval_place(e, e->frame.cases[i].aim);
            return eval_statement(e, stmt->kids[0]);
        }
    eval_error(e, cpp_syntax, stmt->span, NULL, "a case stands directly in its switch");
    return false;
}

/* ---- loops ---------------------------------------------------------------------------------- */

struct code_loop {
    const struct cpp_expr *condition; /* or NULL: always */
    const struct cpp_stmt *body;
    const struct cpp_expr *step; /* or NULL */
    bool asks_last;              /* do … while */
    struct span span;
};

static bool round_of(struct eval *e, const struct code_loop *loop, uint32_t end)
{
    struct code_frame outer = e->frame;
    uint32_t next = eval_new_aim(e);
    e->frame.break_to = end;
    e->frame.continue_to = next;
    e->frame.break_scope = e->frame.continue_scope = e->scope.len;
    bool good = eval_statement(e, loop->body);
    e->frame = outer;
    eval_place(e, next);
    return good && (e->is_dead || !loop->step || eval_effect(e, loop->step));
}

static bool is_empty(const struct cpp_stmt *stmt)
{
    return stmt->kind == CPP_EMPTY ||
           (stmt->kind == CPP_BLOCK &&
            (!stmt->kid_count || (stmt->kid_count == 1 && is_empty(stmt->kids[0]))));
}

/* A loop that waits: what it assigns is known only in registers. */
static bool waiting_loop(struct eval *e, const struct code_loop *loop, uint32_t end)
{
    uint32_t head = eval_new_aim(e), cells = e->cells.len;
    eval_forget_assigned(e, loop->body, loop->condition);
    if (loop->step)
        eval_forget_assigned(e, NULL, loop->step);
    struct code_value *before = eval_save(e, &cells);
    e->branches++;
    e->waiting++;
    eval_place(e, head);
    bool good = true;
    if (loop->condition && is_empty(loop->body) && !loop->step) {
        enum eval_truth is = eval_branch(e, loop->condition, true, head);
        good = is != EVAL_FAILED;
        if (is == EVAL_TRUE)
            eval_jump(e, head, loop->span);
    } else {
        enum eval_truth is = EVAL_TRUE;
        if (loop->condition && !loop->asks_last)
            is = eval_branch(e, loop->condition, false, end);
        good = is != EVAL_FAILED && round_of(e, loop, end);
        if (good && loop->condition && loop->asks_last)
            is = eval_branch(e, loop->condition, true, head);
        good = good && is != EVAL_FAILED;
        if (good && !e->is_dead && (!loop->asks_last || !loop->condition || is == EVAL_TRUE))
            eval_jump(e, head, loop->span);
    }
    e->branches--;
    e->waiting--;
    for (uint32_t i = 0; good && i < cells; i++)
        if (!eval_same_value(&before[i], &e->cells.at[i]->value) &&
            before[i].kind != VALUE_REGISTER && before[i].kind != VALUE_NOTHING) {
            eval_error(e, host_statement, loop->span, "change it outside of the loop",
                       "a loop that waits changes '%s'", e->cells.at[i]->name);
            good = false;
        }
    return good;
}

static bool too_long(struct eval *e, const struct code_loop *loop)
{
    eval_error(e, host_statement, loop->span, "write fewer rounds",
               "a loop of more than %d rounds or %d instructions is not unrolled", MOST_ROUNDS,
               MOST_INSTRUCTIONS);
    return false;
}

static bool is_endless(const struct code_loop *loop)
{
    return !loop->condition || (loop->condition->kind == CPP_NUMBER && loop->condition->value);
}

/* Does no round change anything that is known? What functions change is seen when a round is over. */
static bool only_waits(struct eval *e, const struct code_loop *loop)
{
    bool calls = eval_calls_code(e, loop->body, loop->condition) ||
                 (loop->step && eval_calls_code(e, NULL, loop->step));
    return (!calls || is_endless(loop)) && !eval_assigns_known(e, loop->body, loop->condition) &&
           (!loop->step || !eval_assigns_known(e, NULL, loop->step));
}

static bool is_same_state(const struct eval *e, const struct code_value *before, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!eval_same_value(&before[i], &e->cells.at[i]->value))
            return false;
    return true;
}

/* Is the condition known? Nothing stays of the question if it is not. */
static enum eval_truth peek(struct eval *e, const struct cpp_expr *condition, uint32_t end)
{
    struct raw_body *body = parse_body(e->p);
    uint32_t insts = body->insts.len, temporaries = body->temporary_count, count;
    uint32_t variables = body->variables.len, aims = e->aims.len;
    uint32_t calls = e->p->host_calls.len;
    struct code_value *saved = eval_save(e, &count);
    struct aim kept = e->aims.at[end];
    enum eval_truth is = eval_branch(e, condition, false, end);
    if (is != EVAL_DEPENDS)
        return is;
    body->insts.len = insts;
    body->temporary_count = temporaries;
    body->variables.len = variables;
    e->p->host_calls.len = calls;
    e->aims.at[end] = kept;
    e->aims.len = aims;
    e->is_dead = false;
    for (uint32_t i = 0; i < e->cells.len; i++) {
        struct code_cell *cell = e->cells.at[i];
        if (cell->variable != NONE && cell->variable >= variables && cell->host == e->host)
            cell->variable = NONE;
        if (i < count)
            cell->value = saved[i];
    }
    return is;
}

/* "do { … } while (0)" */
static bool is_once(const struct code_loop *loop)
{
    return loop->asks_last && loop->condition->kind == CPP_NUMBER && !loop->condition->value;
}

/* Does a condition in the loop's body name a known variable that the loop changes? */
static bool counts_inside(struct eval *e, const struct code_loop *loop, const struct cpp_stmt *stmt)
{
    bool counts = (stmt->condition && eval_counts(e, stmt->condition, loop->body, loop->step)) ||
                  (stmt->kind == CPP_SWITCH && eval_counts(e, stmt->value, loop->body, loop->step));
    for (uint32_t i = 0; i < stmt->kid_count && !counts; i++)
        counts = counts_inside(e, loop, stmt->kids[i]);
    return counts;
}

/* "for (;;) { if (f.load()) break; tries++; }": what it counts ends nothing. */
static bool waits_inside(struct eval *e, const struct code_loop *loop, uint32_t end)
{
    return is_endless(loop) && e->aims.at[end].is_reached && !counts_inside(e, loop, loop->body);
}

/* Before a round: does it come to it? EVAL_DEPENDS: the run does, or jumps to the end. */
static enum eval_truth asked(struct eval *e, const struct code_loop *loop, bool counts,
                             uint32_t end)
{
    if (!loop->condition)
        return EVAL_TRUE;
    return counts ? eval_branch(e, loop->condition, false, end) : peek(e, loop->condition, end);
}

/* Nobody knows how many rounds follow. */
static void cover_rounds(struct eval *e, const struct code_loop *loop)
{
    struct cpp_stmt rest = {.kind = CPP_WHILE,
                            .condition = loop->condition,
                            .step = loop->step,
                            .kids = ARENA_NEW(e->arena, const struct cpp_stmt *),
                            .kid_count = 1,
                            .span = loop->span};
    rest.kids[0] = loop->body;
    gap_left(e, &rest);
}

/* One round after the other, until the condition is known to fail; a loop that counts nothing waits. */
static bool loop(struct eval *e, const struct code_loop *loop)
{
    uint32_t end = eval_new_aim(e), count;
    bool good = true;
    for (uint32_t rounds = 0; good && !e->is_dead; rounds++) {
        bool counts = loop->condition && eval_counts(e, loop->condition, loop->body, loop->step);
        bool asks = rounds || !loop->asks_last;
        struct code_value *before = eval_save(e, &count);
        enum eval_truth is = asks ? asked(e, loop, counts, end) : EVAL_TRUE;
        if (is == EVAL_FALSE)
            break;
        if (is == EVAL_FAILED || rounds > MOST_ROUNDS ||
            parse_body(e->p)->insts.len > MOST_INSTRUCTIONS) {
            good = is != EVAL_FAILED && too_long(e, loop);
            break;
        }
        if ((is == EVAL_DEPENDS && !counts) || (!is_once(loop) && only_waits(e, loop)) ||
            waits_inside(e, loop, end)) {
            good = waiting_loop(e, loop, end);
            break;
        }
        e->branches += is == EVAL_DEPENDS;
        good = round_of(e, loop, end);
        e->branches -= is == EVAL_DEPENDS;
        if (e->left) {
            cover_rounds(e, loop);
            break;
        }
        if (good && asks && !e->is_dead && is_same_state(e, before, count)) {
            good = waiting_loop(e, loop, end);
            break;
        }
    }
    eval_place(e, end);
    return good;
}

static bool while_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_loop is = {stmt->condition, stmt->kids[0], NULL, false, stmt->span};
    bool found, good = eval_signal_loop(e, stmt, &found);
    return found ? good : loop(e, &is);
}

static bool for_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_loop is = {stmt->condition, stmt->kids[1], stmt->step, false, stmt->span};
    uint32_t variables = e->scope.len;
    e->in_loop_head = true;
    bool good = eval_statement(e, stmt->kids[0]);
    e->in_loop_head = false;
    good = good && loop(e, &is);
    eval_close_scope(e, variables);
    return good;
}

/* "range.word()" */
static const struct cpp_expr *call_of(struct eval *e, const struct cpp_expr *range,
                                      const char *word)
{
    const struct cpp_expr *callee = tree_member(e->arena, range, word);
    return tree_expr(e->arena, (struct cpp_expr){.kind = CPP_CALL, .span = range->span}, &callee,
                     1);
}

static const struct cpp_expr *name_of(struct eval *e, const char *word, struct span span)
{
    struct cpp_expr name = {
        .kind = CPP_NAME, .name = tree_name(e->arena, word, span), .span = span};
    return tree_expr(e->arena, name, NULL, 0);
}

/* Over an object: "for (auto at = range.begin(), end = range.end(); at != end; ++at) { int x = *at; … }". */
static bool range_of_object(struct eval *e, const struct cpp_stmt *stmt)
{
    static const struct cpp_type any = {.kind = CPP_TYPE_AUTO};
    struct span span = stmt->value->span;
    const struct cpp_expr *both[2] = {name_of(e, "range at", span), name_of(e, "range end", span)};
    struct cpp_declarator *from = ARENA_ARRAY(e->arena, struct cpp_declarator, 2);
    struct cpp_declarator *one = ARENA_NEW(e->arena, struct cpp_declarator);
    struct cpp_stmt first = {.kind = CPP_DECLARATION, .declarators = from, .declarator_count = 2};
    struct cpp_stmt each = *stmt->kids[0], loop = {.kind = CPP_FOR, .span = stmt->span};
    struct cpp_expr sign = {.kind = CPP_BINARY, .mark = CPP_MARK_NE, .span = span};
    from[0] = (struct cpp_declarator){"range at", &any, .value = call_of(e, stmt->value, "begin")};
    from[1] = (struct cpp_declarator){"range end", &any, .value = call_of(e, stmt->value, "end")};
    loop.condition = tree_expr(e->arena, sign, both, 2);
    sign = (struct cpp_expr){.kind = CPP_UNARY, .mark = CPP_MARK_INCREMENT, .span = span};
    loop.step = tree_expr(e->arena, sign, both, 1);
    *one = each.declarators[0];
    sign.mark = CPP_MARK_MUL;
    one->value = tree_expr(e->arena, sign, both, 1);
    each.declarators = one;
    first.span = each.span = span;
    const struct cpp_stmt *in[2] = {tree_stmt(e->arena, each, NULL, 0), stmt->kids[1]};
    struct cpp_stmt block = {.kind = CPP_BLOCK, .span = stmt->span};
    const struct cpp_stmt *kids[2] = {tree_stmt(e->arena, first, NULL, 0),
                                      tree_stmt(e->arena, block, in, 2)};
    return for_statement(e, tree_stmt(e->arena, loop, kids, 2));
}

static bool range_for(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_value range;
    uint32_t end = eval_new_aim(e), variables = e->scope.len;
    const struct cpp_stmt *declares = stmt->kids[0];
    if (declares->kind != CPP_DECLARATION || !eval_value(e, stmt->value, &range))
        return false;
    bool array = range.kind == VALUE_CELL && range.cell->shape->kind == SHAPE_ARRAY;
    bool named = stmt->value->kind == CPP_NAME || stmt->value->kind == CPP_MEMBER;
    if (eval_class_of(&range) && named && eval_has_member_function(e, range.cell->shape, "begin"))
        return range_of_object(e, stmt);
    if (range.kind == VALUE_CELL && !array && range.cell->shape->kind != SHAPE_VECTOR) {
        eval_error(e, host_statement, stmt->value->span, "loop over the elements by their numbers",
                   "'%s' is no array or vector", eval_text(e, stmt->value->span));
        return false;
    }
    uint64_t count = array                         ? range.cell->shape->count
                     : range.kind == VALUE_CELL    ? range.cell->parts.len
                     : range.kind == VALUE_ADDRESS ? e->p->locations.at[range.location].elements
                                                   : 0;
    bool good = range.kind == VALUE_CELL || range.kind == VALUE_ADDRESS ||
                eval_needs(e, &range, stmt->value->span, "an array");
    for (uint64_t i = 0; good && i < count && !e->is_dead; i++) {
        const struct cpp_declarator *one = &declares->declarators[0];
        struct code_loop body = {NULL, stmt->kids[1], NULL, false, stmt->span};
        struct lvalue place;
        struct code_value value;
        struct code_cell *cell;
        if (!eval_pointed_to(e, &range, i, stmt->value->span, &place))
            return false;
        if (one->type->kind == CPP_TYPE_REFERENCE && place.cell)
            cell = place.cell;
        else {
            cell = eval_new_cell(e, one->name, place.shape);
            cell->location = place.location;
            cell->offset = place.offset;
            if (place.cell || one->type->kind != CPP_TYPE_REFERENCE) {
                cell->location = NONE;
                good = eval_read(e, &place, stmt->span, &value);
                if (good && eval_class_of(&value) && value.cell->shape->structure->is_own)
                    good = eval_copy_object(e, cell, &value, stmt->span);
                else
                    good = good && eval_set(e, cell, &value, stmt->span);
            }
        }
        if (one->bound)
            good = good && eval_bind_parts(e, one, cell);
        else
            eval_bind(e, one->name, cell);
        good = good && round_of(e, &body, end);
        if (e->left) {
            cover_rounds(e, &body);
            break;
        }
        eval_close_scope(e, variables);
    }
    eval_place(e, end);
    return good;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static struct goto_label *label_named(struct eval *e, const char *name, struct span used)
{
    for (uint32_t i = 0; i < e->labels.len; i++)
        if (strcmp(e->labels.at[i].name, name) == 0)
            return &e->labels.at[i];
    struct goto_label label = {name, eval_new_aim(e), false, used};
    vec_push(e->arena, &e->labels, label);
    return &e->labels.at[e->labels.len - 1];
}

/* Jumps may come back here: nothing that changes is known. */
static bool place_label(struct eval *e, const struct cpp_stmt *stmt)
{
    struct goto_label *label = label_named(e, stmt->label, stmt->span);
    if (label->is_placed) {
        eval_error(e, duplicate_label, stmt->span, NULL, "label '%.60s' stands twice", stmt->label);
        return false;
    }
    label->is_placed = true;
    uint32_t aim = label->aim;
    for (uint32_t i = 0; i < e->cells.len; i++)
        if (!e->cells.at[i]->is_const && e->cells.at[i]->host == e->host)
            eval_forget(e, e->cells.at[i], stmt->span);
    eval_place(e, aim);
    e->is_dead = false; /* a jump from below may lead here */
    for (uint32_t i = 0; i < e->cells.len; i++)
        if (!e->cells.at[i]->is_const && e->cells.at[i]->host == e->host)
            eval_forget(e, e->cells.at[i], stmt->span);
    return true;
}

/* Out of the scopes of the variables from 'count' on, which end here. */
static bool jump(struct eval *e, uint32_t aim, uint32_t count, const struct cpp_stmt *stmt)
{
    if (aim == NONE) {
        eval_error(e, cpp_syntax, stmt->span, NULL, "this stands outside of a loop");
        return false;
    }
    eval_unlock_scope(e, count);
    eval_jump(e, aim, stmt->span);
    return true;
}

/* Which scopes it leaves is known only when its label is read. */
static bool goto_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    if (eval_ends_scope(e, e->frame.floor)) {
        eval_error(e, host_statement, stmt->span, "write it with 'break', 'continue' or 'return'",
                   "'goto' in the scope of a lock or of a thread that is joined at its end is not "
                   "modelled");
        return false;
    }
    eval_jump(e, label_named(e, stmt->label, stmt->span)->aim, stmt->span);
    return true;
}

/* An object of the function's own is not copied: it is the result. */
static bool is_local(const struct eval *e, const struct code_cell *cell)
{
    for (uint32_t i = e->frame.floor; i < e->scope.len; i++)
        if (e->scope.at[i].cell == cell)
            return !cell->member && !e->branches;
    return false;
}

static bool returned_reference(struct eval *e, const struct cpp_expr *expr)
{
    struct lvalue place;
    struct code_value value;
    if (!eval_place_of(e, expr, &place) || !eval_point_to(e, &place, &value))
        return false;
    value.is_reference = true;
    value.is_object = place.cell && place.cell->shape->kind == SHAPE_STRUCT;
    e->frame.result->value = value;
    return true;
}

static bool returned_value(struct eval *e, const struct cpp_expr *expr, struct span span)
{
    struct code_cell *result = e->frame.result;
    const struct code_function *function = e->frame.function;
    struct cpp_declarator one = {.value = expr, .span = span};
    struct code_value value;
    if (function && function->result && function->result->kind == CPP_TYPE_REFERENCE)
        return returned_reference(e, expr);
    bool whole = result->shape->kind == SHAPE_STRUCT || result->shape->kind == SHAPE_ARRAY ||
                 result->shape->kind == SHAPE_VECTOR;
    if (whole && e->branches) {
        eval_error(e, host_statement, span, "return where every run comes by",
                   "an object that is returned in a branch is not modelled");
        return false;
    }
    if (whole && expr->kind == CPP_LIST)
        return (eval_holds_objects(e, result->shape) ? eval_make_object
                                                     : eval_initialize)(e, result, &one);
    if (!eval_value(e, expr, &value))
        return false;
    if (eval_class_of(&value) && result->shape->kind != SHAPE_NUMBER) {
        value.is_temporary =
            value.is_temporary || (expr->kind == CPP_NAME && is_local(e, value.cell));
        if (!whole)
            result->shape = value.cell->shape;
        return eval_set_object(e, result, &value, span);
    }
    if (result->shape->kind == SHAPE_STRUCT)
        return eval_set_object(e, result, &value, span);
    struct lvalue place = eval_place_of_cell(result); /* memory, of a thread */
    return place.cell ? eval_set(e, result, &value, span) : eval_write(e, &place, &value, span);
}

static bool return_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t temporaries = e->temporaries.len;
    if (stmt->value && e->frame.result && !returned_value(e, stmt->value, stmt->span))
        return false;
    if (stmt->value && !e->frame.result) { /* of a thread, which nobody asks for it */
        struct code_value dropped;
        if (!eval_value(e, stmt->value, &dropped))
            return false;
    }
    return eval_end_temporaries(e, temporaries) &&
           jump(e, e->frame.return_to, e->frame.floor, stmt);
}

static bool has_goto(const struct cpp_stmt *stmt, const char *label)
{
    if (stmt->kind == CPP_GOTO)
        return strcmp(stmt->label, label) == 0;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (has_goto(stmt->kids[i], label))
            return true;
    return false;
}

/* "first: K<<<1, 1>>>();" names the launch; before anything else the label is one of 'goto'. */
static bool labelled(struct eval *e, const struct cpp_stmt *stmt)
{
    const struct cpp_stmt *kid = stmt->kids[0];
    if (kid->kind != CPP_EXPRESSION || kid->value->kind != CPP_LAUNCH ||
        has_goto(e->code, stmt->label))
        return place_label(e, stmt) && eval_statement(e, kid);
    struct cpp_launch *words = ARENA_NEW(e->arena, struct cpp_launch);
    struct cpp_expr *launch = ARENA_NEW(e->arena, struct cpp_expr);
    *words = *kid->value->launch;
    words->label = stmt->label;
    *launch = *kid->value;
    launch->launch = words;
    return eval_effect(e, launch);
}

static bool block(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t variables = e->scope.len;
    bool good = true;
    for (uint32_t i = 0; i < stmt->kid_count; i++) {
        if (e->is_file && !good)
            break; /* one statement that is not modelled is enough */
        good = eval_statement(e, stmt->kids[i]) && good;
    }
    eval_keep_names(e, stmt);
    eval_close_scope(e, variables);
    return good;
}

/* A name alone may be a macro that stands for statements. */
static bool expression(struct eval *e, const struct cpp_stmt *stmt)
{
    const char *word = eval_word(stmt->value);
    const struct code_macro *macro =
        word && !eval_find(e, word) ? macro_named(e, word, false) : NULL;
    if (!macro || !macro->body || e->macro_depth)
        return eval_effect(e, stmt->value);
    e->macro_depth++;
    bool good = eval_statement(e, macro->body);
    e->macro_depth--;
    return good;
}

/* Nothing that is modelled throws; what is not may. */
static bool try_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t covered = e->covered;
    bool good = eval_statement(e, stmt->kids[0]);
    if (!good || covered == e->covered)
        return good;
    eval_error(e, host_statement, stmt->span, NULL,
               "what is not modelled may throw an exception, which is caught here");
    return false;
}

static bool throw_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    eval_error(e, host_statement, stmt->span, "let the function return",
               "an exception that is thrown is not modelled");
    return false;
}

/* Objects that no name keeps end with it. */
static bool whole_expression(struct eval *e, const struct cpp_stmt *stmt)
{
    uint32_t temporaries = e->temporaries.len;
    bool good = stmt->kind == CPP_DECLARATION ? eval_declaration(e, stmt) : expression(e, stmt);
    return eval_end_temporaries(e, temporaries) && good;
}

static bool statement(struct eval *e, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_EMPTY:
        return true;
    case CPP_BLOCK:
        return block(e, stmt);
    case CPP_DECLARATION:
    case CPP_EXPRESSION:
        return whole_expression(e, stmt);
    case CPP_IF:
        return if_statement(e, stmt);
    case CPP_WHILE:
        return while_statement(e, stmt);
    case CPP_DO:
        return loop(e, &(struct code_loop){stmt->condition, stmt->kids[0], NULL, true, stmt->span});
    case CPP_FOR:
        return for_statement(e, stmt);
    case CPP_RANGE_FOR:
        return range_for(e, stmt);
    case CPP_RETURN:
        return return_statement(e, stmt);
    case CPP_BREAK:
        return jump(e, e->frame.break_to, e->frame.break_scope, stmt);
    case CPP_CONTINUE:
        return jump(e, e->frame.continue_to, e->frame.continue_scope, stmt);
    case CPP_GOTO:
        return goto_statement(e, stmt);
    case CPP_LABEL:
        return labelled(e, stmt);
    case CPP_SWITCH:
        return switch_statement(e, stmt);
    case CPP_CASE:
        return case_statement(e, stmt);
    case CPP_TRY:
        return try_statement(e, stmt);
    case CPP_THROW:
        return throw_statement(e, stmt);
    case CPP_UNREAD:
        break;
    }
    return false;
}

/* In a file a statement that fails is a gap. */
bool eval_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    if (e->is_dead && stmt->kind != CPP_LABEL && stmt->kind != CPP_BLOCK && stmt->kind != CPP_CASE)
        return true;
    bool library = stmt->span.offset >= e->library_from && stmt->span.offset < e->library_to;
    if (!e->is_file || library) /* the call is what is not modelled */
        return statement(e, stmt);
    struct gap_mark mark = gap_mark(e);
    if (e->left)
        gap_left(e, stmt);
    else if (stmt->kind == CPP_UNREAD)
        gap_unread(e, stmt);
    else if (!statement(e, stmt) || e->p->diags->errors > mark.errors)
        gap_statement(e, stmt, &mark);
    return true;
}
