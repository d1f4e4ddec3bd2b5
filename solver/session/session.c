/* SPDX-License-Identifier: MIT */
#include "solver/session/session.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

/* Without a handler Z3 would end the process. With this one the API function that failed
 * returns NULL or 0; note_error then reads the code, and the session answers SESSION_UNKNOWN
 * from then on. */
static void ignore_error(Z3_context z3, Z3_error_code code)
{
    (void)z3;
    (void)code; /* note_error asks for it */
}

static void note_error(struct session *session)
{
    Z3_error_code code = Z3_get_error_code(session->z3);
    if (code == Z3_OK)
        return;
    session->failed = true;
    /* Z3_MEMOUT_FAIL is the system's refusal; "max. memory exceeded" is an exception like others. */
    if (code == Z3_MEMOUT_FAIL || strstr(Z3_get_error_msg(session->z3, code), "memory"))
        session->out_of_memory = true;
}

static void configure(struct session *session)
{
    Z3_params params = Z3_mk_params(session->z3);
    Z3_params_inc_ref(session->z3, params);
    Z3_params_set_uint(session->z3, params, Z3_mk_string_symbol(session->z3, "random_seed"), 0);
    /* What is not needed stays out of an execution at first (false), and later proposals keep what
     * was proposed before: they mend what a clause forbids, they do not start anew. */
    Z3_params_set_symbol(session->z3, params, Z3_mk_string_symbol(session->z3, "phase"),
                         Z3_mk_string_symbol(session->z3, "caching"));
    Z3_params_set_double(session->z3, params, Z3_mk_string_symbol(session->z3, "random_freq"), 0.0);
    Z3_solver_set_params(session->z3, session->solver, params);
    Z3_params_dec_ref(session->z3, params);
}

static void drop_model(struct session *session)
{
    if (session->model)
        Z3_model_dec_ref(session->z3, session->model);
    session->model = NULL;
}

static void release(void *object)
{
    struct session *session = object;
    drop_model(session);
    Z3_solver_dec_ref(session->z3, session->solver);
    Z3_del_context(session->z3);
}

static int64_t now(const struct solver_clock *clock)
{
    return clock ? clock->now(clock->context) : g_get_monotonic_time();
}

int64_t session_deadline(const struct solver_options *options)
{
    if (options->timeout_seconds <= 0)
        return 0;
    return now(options->clock) + (int64_t)(options->timeout_seconds * 1e6);
}

struct session *session_new(struct arena *arena, const struct solver_options *options,
                            int64_t deadline)
{
    struct session *session = ARENA_NEW(arena, struct session);
    Z3_config config = Z3_mk_config();
    session->arena = arena;
    session->clock = options->clock;
    session->deadline = deadline;
    session->effort = session->effort_left = options->effort;
    session->made = options->made;
    session->milliseconds = session->mebibytes = UINT_MAX;
    session->z3 = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(session->z3, ignore_error);
    session->solver =
        Z3_mk_solver_for_logic(session->z3, Z3_mk_string_symbol(session->z3, "QF_FD"));
    Z3_solver_inc_ref(session->z3, session->solver);
    arena_tie(arena, &session->tie, release, session);
    configure(session);
    session->boolean = Z3_mk_bool_sort(session->z3);
    session->yes = Z3_mk_true(session->z3);
    session->no = Z3_mk_false(session->z3);
    note_error(session);
    return session;
}

/* What Z3 has done in this context so far, as it counts. */
static unsigned effort_made(const struct session *session)
{
    unsigned made = 0;
    Z3_stats stats = Z3_solver_get_statistics(session->z3, session->solver);
    Z3_stats_inc_ref(session->z3, stats);
    for (unsigned i = 0; i < Z3_stats_size(session->z3, stats); i++)
        if (strcmp(Z3_stats_get_key(session->z3, stats, i), "rlimit count") == 0 &&
            Z3_stats_is_uint(session->z3, stats, i))
            made = Z3_stats_get_uint_value(session->z3, stats, i);
    Z3_stats_dec_ref(session->z3, stats);
    return made;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    arena_untie(&session->tie);
    if (session->made && !session->failed)
        *session->made += effort_made(session);
    release(session);
}

/* ---- terms ---------------------------------------------------------------------------------- */

static Z3_ast fresh(struct session *session, Z3_sort sort)
{
    return Z3_mk_const(session->z3, Z3_mk_int_symbol(session->z3, (int)session->names++), sort);
}

lit session_bool(struct session *session)
{
    return fresh(session, session->boolean);
}

Z3_ast session_word(struct session *session, unsigned width)
{
    return fresh(session, Z3_mk_bv_sort(session->z3, width));
}

Z3_ast session_number(struct session *session, unsigned width, uint64_t value)
{
    Z3_sort sort = Z3_mk_bv_sort(session->z3, width);
    return Z3_mk_unsigned_int64(session->z3, value, sort);
}

lit session_not(struct session *session, lit a)
{
    if (a == session->yes)
        return session->no;
    if (a == session->no)
        return session->yes;
    if (Z3_get_decl_kind(session->z3, Z3_get_app_decl(session->z3, Z3_to_app(session->z3, a))) ==
        Z3_OP_NOT)
        return Z3_get_app_arg(session->z3, Z3_to_app(session->z3, a), 0);
    return Z3_mk_not(session->z3, a);
}

lit session_name(struct session *session, lit formula)
{
    if (formula == session->yes || formula == session->no)
        return formula;
    lit name = session_bool(session);
    Z3_solver_assert(session->z3, session->solver, Z3_mk_iff(session->z3, name, formula));
    note_error(session);
    session->clauses++;
    return name;
}

lit session_equal(struct session *session, Z3_ast a, Z3_ast b)
{
    return a == b ? session->yes : session_name(session, Z3_mk_eq(session->z3, a, b));
}

lit session_at_least(struct session *session, Z3_ast a, Z3_ast b)
{
    return Z3_mk_bvuge(session->z3, a, b);
}

lit session_above(struct session *session, Z3_ast a, Z3_ast b)
{
    return Z3_mk_bvugt(session->z3, a, b);
}

/* Copies 'lits' without 'neutral'; answers false when 'decisive' is among them. */
static bool without(const lit *lits, uint32_t count, lit neutral, lit decisive, lit *kept,
                    uint32_t *kept_count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (lits[i] == decisive)
            return false;
        if (lits[i] != neutral)
            kept[n++] = lits[i];
    }
    *kept_count = n;
    return true;
}

static lit *scratch(struct session *session, uint32_t count)
{
    return ARENA_ARRAY(session->arena, lit, count + 1);
}

lit session_or(struct session *session, const lit *lits, uint32_t count)
{
    lit *kept = scratch(session, count), name;
    uint32_t n;
    if (!without(lits, count, session->no, session->yes, kept, &n))
        return session->yes;
    if (n == 0)
        return session->no;
    if (n == 1)
        return kept[0];
    name = session_bool(session);
    for (uint32_t i = 0; i < n; i++)
        SESSION_CLAUSE(session, session_not(session, kept[i]), name);
    kept[n] = session_not(session, name);
    session_clause(session, kept, n + 1);
    return name;
}

lit session_and(struct session *session, const lit *lits, uint32_t count)
{
    lit *negated = scratch(session, count);
    for (uint32_t i = 0; i < count; i++)
        negated[i] = session_not(session, lits[i]);
    return session_not(session, session_or(session, negated, count));
}

lit session_and2(struct session *session, lit a, lit b)
{
    lit lits[] = {a, b};
    return a == b ? a : session_and(session, lits, 2);
}

lit session_or2(struct session *session, lit a, lit b)
{
    lit lits[] = {a, b};
    return a == b ? a : session_or(session, lits, 2);
}

/* ---- clauses -------------------------------------------------------------------------------- */

void session_clause(struct session *session, const lit *lits, uint32_t count)
{
    assert(lits || !count);
    lit *kept = scratch(session, count);
    uint32_t n;
    if (!without(lits, count, session->no, session->yes, kept, &n))
        return;
    Z3_solver_assert(session->z3, session->solver,
                     n == 0   ? session->no
                     : n == 1 ? kept[0]
                              : Z3_mk_or(session->z3, n, kept));
    note_error(session);
    session->clauses++;
}

/* Pairwise up to this many; past it a ladder of n auxiliary literals. */
enum { PAIRWISE = 6 };

void session_at_most_one(struct session *session, const lit *lits, uint32_t count)
{
    if (count <= PAIRWISE) {
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = i + 1; j < count; j++)
                SESSION_CLAUSE(session, session_not(session, lits[i]),
                               session_not(session, lits[j]));
        return;
    }
    lit before = lits[0]; /* some literal up to here holds */
    for (uint32_t i = 1; i < count; i++) {
        SESSION_CLAUSE(session, session_not(session, before), session_not(session, lits[i]));
        if (i + 1 == count)
            break;
        lit until = session_bool(session);
        SESSION_CLAUSE(session, session_not(session, before), until);
        SESSION_CLAUSE(session, session_not(session, lits[i]), until);
        before = until;
    }
}

/* Takes out what is known; returns how many literals are left. */
static uint32_t sum_open(const struct session *session, const lit *lits, const int *weights,
                         uint32_t count, lit *open, int *open_weights, int *sum)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (lits[i] == session->yes)
            *sum -= weights[i];
        else if (lits[i] != session->no && weights[i] != 0) {
            open[n] = lits[i];
            open_weights[n++] = weights[i];
        }
    }
    return n;
}

void session_sum(struct session *session, lit when, const lit *lits, const int *weights,
                 uint32_t count, int sum, bool exact)
{
    lit *open = scratch(session, count), formula;
    int *open_weights = ARENA_ARRAY(session->arena, int, count + 1);
    uint32_t n = sum_open(session, lits, weights, count, open, open_weights, &sum);
    if (when == session->no)
        return;
    if (sum < 0 || (n == 0 && exact && sum != 0)) {
        SESSION_CLAUSE(session, session_not(session, when));
        return;
    }
    if (n == 0)
        return;
    formula = exact ? Z3_mk_pbeq(session->z3, n, open, open_weights, sum)
                    : Z3_mk_pble(session->z3, n, open, open_weights, sum);
    SESSION_CLAUSE(session, session_not(session, when), session_name(session, formula));
}

/* ---- questions ------------------------------------------------------------------------------ */

/* Milliseconds left, at least 1; 0 when the time is over; UINT_MAX without a limit. */
static unsigned time_left(const struct session *session)
{
    if (!session->deadline)
        return UINT_MAX;
    int64_t left = session->deadline - now(session->clock);
    if (left <= 0)
        return 0;
    return (unsigned)(left / 1000 + 1);
}

/* Mebibytes that Z3 may hold, for all of its contexts together, which is how it counts; UINT_MAX
 * without a limit. */
static unsigned memory_left(const struct session *session)
{
    size_t left = arena_left_elsewhere(session->arena) >> 20;
    return left < UINT_MAX ? (unsigned)left : UINT_MAX;
}

size_t solver_memory(void)
{
    return Z3_get_estimated_alloc_size();
}

/* Is what Z3 was told still near enough? Telling it takes as long as a small question. */
static bool is_near(unsigned told, unsigned limit)
{
    return told >= limit && told - limit <= limit / 32;
}

/* UINT_MAX: no limit. */
static void set_limits(struct session *session, unsigned milliseconds, unsigned mebibytes)
{
    if (is_near(session->milliseconds, milliseconds) && is_near(session->mebibytes, mebibytes))
        return;
    session->milliseconds = milliseconds;
    session->mebibytes = mebibytes;
    Z3_params params = Z3_mk_params(session->z3);
    Z3_params_inc_ref(session->z3, params);
    Z3_params_set_uint(session->z3, params, Z3_mk_string_symbol(session->z3, "timeout"),
                       milliseconds);
    Z3_params_set_uint(session->z3, params, Z3_mk_string_symbol(session->z3, "max_memory"),
                       mebibytes);
    Z3_solver_set_params(session->z3, session->solver, params);
    Z3_params_dec_ref(session->z3, params);
}

static void limit_effort(struct session *session)
{
    Z3_params params = Z3_mk_params(session->z3);
    Z3_params_inc_ref(session->z3, params);
    Z3_params_set_uint(session->z3, params, Z3_mk_string_symbol(session->z3, "rlimit"),
                       session->effort_left);
    Z3_solver_set_params(session->z3, session->solver, params);
    Z3_params_dec_ref(session->z3, params);
}

static void note_effort(struct session *session)
{
    unsigned made = effort_made(session);
    session->effort_left = made < session->effort ? session->effort - made : 0;
}

static enum session_answer why_unknown(struct session *session)
{
    const char *why = Z3_solver_get_reason_unknown(session->z3, session->solver);
    if (session->out_of_memory || strstr(why, "memory"))
        return SESSION_MEMORY;
    if (time_left(session) == 0 || (session->effort && !session->effort_left) ||
        strstr(why, "resource") || strstr(why, "timeout") || strstr(why, "cancel"))
        return SESSION_TIMEOUT;
    return SESSION_UNKNOWN;
}

enum session_answer session_check(struct session *session, const lit *assumptions, uint32_t count)
{
    assert(assumptions || !count);
    unsigned left = time_left(session);
    int64_t start = g_get_monotonic_time();
    lit *kept = scratch(session, count);
    uint32_t n;
    drop_model(session);
    if (session->failed)
        return session->out_of_memory ? SESSION_MEMORY : SESSION_UNKNOWN;
    if (left == 0 || (session->effort && !session->effort_left))
        return SESSION_TIMEOUT;
    if (!without(assumptions, count, session->yes, session->no, kept, &n))
        return SESSION_UNSAT;
    set_limits(session, left, memory_left(session));
    if (session->effort)
        limit_effort(session);
    session->checks++;
    Z3_lbool answer = Z3_solver_check_assumptions(session->z3, session->solver, n, kept);
    session->z3_time += g_get_monotonic_time() - start;
    note_error(session);
    if (session->effort)
        note_effort(session);
    if (answer == Z3_L_FALSE)
        return SESSION_UNSAT;
    if (answer == Z3_L_UNDEF)
        return why_unknown(session);
    session->model = Z3_solver_get_model(session->z3, session->solver);
    note_error(session);
    if (!session->model)
        return session->out_of_memory ? SESSION_MEMORY : SESSION_UNKNOWN;
    Z3_model_inc_ref(session->z3, session->model);
    return SESSION_SAT;
}

bool session_true(struct session *session, lit a)
{
    assert(session->model && a);
    Z3_app app = Z3_to_app(session->z3, a);
    if (a == session->yes || a == session->no)
        return a == session->yes;
    Z3_func_decl decl = Z3_get_app_decl(session->z3, app);
    if (Z3_get_decl_kind(session->z3, decl) == Z3_OP_NOT)
        return !session_true(session, Z3_get_app_arg(session->z3, app, 0));
    Z3_ast value = Z3_model_get_const_interp(session->z3, session->model, decl);
    note_error(session);
    return value == session->yes; /* a literal in no clause has no value: false will do */
}

uint64_t session_value(struct session *session, Z3_ast word)
{
    assert(session->model && word);
    Z3_ast value = NULL;
    uint64_t number = 0;
    if (Z3_model_eval(session->z3, session->model, word, true, &value))
        Z3_get_numeral_uint64(session->z3, value, &number);
    note_error(session);
    return number;
}

const char *session_text(struct session *session)
{
    return Z3_solver_to_string(session->z3, session->solver);
}

void session_core(struct session *session, const lit *assumptions, uint32_t count, bool *used)
{
    Z3_ast_vector core = Z3_solver_get_unsat_core(session->z3, session->solver);
    Z3_ast_vector_inc_ref(session->z3, core);
    for (uint32_t i = 0; i < count; i++) {
        used[i] = assumptions[i] == session->no;
        for (unsigned j = 0; !used[i] && j < Z3_ast_vector_size(session->z3, core); j++)
            used[i] = Z3_ast_vector_get(session->z3, core, j) == assumptions[i];
    }
    Z3_ast_vector_dec_ref(session->z3, core);
}
