/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

/* Loops: one whose condition is known is unrolled, one that changes nothing that is known waits. */

enum { MOST_ROUNDS = 4096, MOST_INSTRUCTIONS = 100000 };

bool eval_round_of(struct eval *e, const struct code_loop *loop, uint32_t end)
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
        good = is != EVAL_FAILED && eval_round_of(e, loop, end);
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
void eval_cover_rounds(struct eval *e, const struct code_loop *loop)
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
bool eval_loop(struct eval *e, const struct code_loop *loop)
{
    uint32_t end = eval_new_aim(e), count;
    bool good = true;
    for (uint32_t rounds = 0; good && !e->is_dead; rounds++) {
        bool counts = loop->condition && eval_counts(e, loop->condition, loop->body, loop->step);
        bool asks = rounds || !loop->asks_last;
        struct code_loop rest = *loop;
        rest.asks_last = loop->asks_last && !rounds; /* behind a round the question comes first */
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
            good = waiting_loop(e, &rest, end);
            break;
        }
        e->branches += is == EVAL_DEPENDS;
        good = eval_round_of(e, loop, end);
        e->branches -= is == EVAL_DEPENDS;
        if (e->left) {
            eval_cover_rounds(e, loop);
            break;
        }
        if (good && asks && !e->is_dead && is_same_state(e, before, count)) {
            good = waiting_loop(e, &rest, end);
            break;
        }
    }
    eval_place(e, end);
    return good;
}

bool eval_while_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_loop is = {stmt->condition, stmt->kids[0], NULL, false, stmt->span};
    bool found, good = eval_signal_loop(e, stmt, &found);
    return found ? good : eval_loop(e, &is);
}

bool eval_for_statement(struct eval *e, const struct cpp_stmt *stmt)
{
    struct code_loop is = {stmt->condition, stmt->kids[1], stmt->step, false, stmt->span};
    uint32_t variables = e->scope.len;
    e->in_loop_head = true;
    bool good = eval_statement(e, stmt->kids[0]);
    e->in_loop_head = false;
    good = good && eval_loop(e, &is);
    eval_close_scope(e, variables);
    return good;
}
