/* SPDX-License-Identifier: MIT */
#include "solver/session/words.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* One Z3 context with one incremental solver for bit-vectors (QF_FD). */

struct words {
    Z3_context z3;
    Z3_solver solver;
    struct tie tie; /* of the context */
    Z3_model model; /* of the last check that answered SESSION_SAT, or NULL */
    Z3_sort boolean;
    Z3_ast yes;
    VEC(Z3_ast) terms;                /* a variable's, made on demand */
    unsigned milliseconds, mebibytes; /* the limits that Z3 was told last */
};

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
    Z3_context z3 = session->words->z3;
    Z3_error_code code = Z3_get_error_code(z3);
    if (code == Z3_OK)
        return;
    session->failed = true;
    /* Z3_MEMOUT_FAIL is the system's refusal; "max. memory exceeded" is an exception like others. */
    if (code == Z3_MEMOUT_FAIL || strstr(Z3_get_error_msg(z3, code), "memory"))
        session->out_of_memory = true;
}

/* ---- the context ---------------------------------------------------------------------------- */

static void configure(const struct words *words)
{
    Z3_context z3 = words->z3;
    Z3_params params = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, params);
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), 0);
    /* What is not needed stays out of an execution at first (false), and later proposals keep what
     * was proposed before: they mend what a clause forbids, they do not start anew. */
    Z3_params_set_symbol(z3, params, Z3_mk_string_symbol(z3, "phase"),
                         Z3_mk_string_symbol(z3, "caching"));
    Z3_params_set_double(z3, params, Z3_mk_string_symbol(z3, "random_freq"), 0.0);
    Z3_solver_set_params(z3, words->solver, params);
    Z3_params_dec_ref(z3, params);
}

static void drop_model(struct words *words)
{
    if (words->model)
        Z3_model_dec_ref(words->z3, words->model);
    words->model = NULL;
}

static void release(void *object)
{
    struct words *words = object;
    drop_model(words);
    Z3_solver_dec_ref(words->z3, words->solver);
    Z3_del_context(words->z3);
}

static struct words *words_new(struct session *session)
{
    struct words *words = ARENA_NEW(session->arena, struct words);
    Z3_config config = Z3_mk_config();
    words->milliseconds = words->mebibytes = UINT_MAX;
    words->z3 = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(words->z3, ignore_error);
    words->solver = Z3_mk_solver_for_logic(words->z3, Z3_mk_string_symbol(words->z3, "QF_FD"));
    Z3_solver_inc_ref(words->z3, words->solver);
    arena_tie(session->arena, &words->tie, release, words);
    configure(words);
    words->boolean = Z3_mk_bool_sort(words->z3);
    words->yes = Z3_mk_true(words->z3);
    return words;
}

/* Tells a new context all that was said before. */
static void catch_up(struct session *session)
{
    for (uint32_t i = 0; i < session->told.len; i += session->told.at[i] + 1)
        words_clause(session, session->told.at + i + 1, session->told.at[i]);
    note_error(session);
}

Z3_context session_z3(struct session *session)
{
    if (!session->words) {
        session->words = words_new(session);
        catch_up(session);
    }
    return session->words->z3;
}

void words_free(struct session *session)
{
    arena_untie(&session->words->tie);
    release(session->words);
    session->words = NULL;
}

size_t solver_memory(void)
{
    return Z3_get_estimated_alloc_size();
}

/* ---- terms ---------------------------------------------------------------------------------- */

static Z3_ast fresh(struct session *session, Z3_sort sort)
{
    Z3_context z3 = session->words->z3;
    return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)session->names++), sort);
}

static Z3_ast variable_term(struct session *session, uint32_t variable)
{
    struct words *words = session->words;
    while (words->terms.len <= variable)
        vec_push(session->arena, &words->terms, NULL);
    if (!words->terms.at[variable])
        words->terms.at[variable] = variable == 0 ? words->yes : fresh(session, words->boolean);
    return words->terms.at[variable];
}

static Z3_ast literal_term(struct session *session, sat_lit a)
{
    Z3_ast term = variable_term(session, a / 2);
    return a & 1 ? Z3_mk_not(session->words->z3, term) : term;
}

Z3_ast session_term(struct session *session, lit a)
{
    session_z3(session);
    return literal_term(session, session_number_of(a));
}

Z3_ast session_word(struct session *session, unsigned width)
{
    Z3_context z3 = session_z3(session);
    return fresh(session, Z3_mk_bv_sort(z3, width));
}

Z3_ast session_number(struct session *session, unsigned width, uint64_t value)
{
    Z3_context z3 = session_z3(session);
    return Z3_mk_unsigned_int64(z3, value, Z3_mk_bv_sort(z3, width));
}

lit session_name(struct session *session, Z3_ast formula)
{
    Z3_context z3 = session_z3(session);
    lit name = session_bool(session);
    Z3_solver_assert(z3, session->words->solver,
                     Z3_mk_iff(z3, session_term(session, name), formula));
    note_error(session);
    session->clauses++;
    return name;
}

lit session_equal(struct session *session, Z3_ast a, Z3_ast b)
{
    return a == b ? session->yes : session_name(session, Z3_mk_eq(session_z3(session), a, b));
}

void words_clause(struct session *session, const sat_lit *lits, uint32_t count)
{
    struct words *words = session->words;
    struct arena *scratch = arena_scratch(session->arena);
    Z3_ast *terms = ARENA_ARRAY(scratch, Z3_ast, count + 1);
    for (uint32_t i = 0; i < count; i++)
        terms[i] = literal_term(session, lits[i]);
    Z3_solver_assert(words->z3, words->solver,
                     count == 1 ? terms[0] : Z3_mk_or(words->z3, count, terms));
    note_error(session);
    arena_free(scratch);
}

/* ---- questions ------------------------------------------------------------------------------ */

unsigned words_effort(const struct session *session)
{
    const struct words *words = session->words;
    unsigned made = 0;
    Z3_stats stats = Z3_solver_get_statistics(words->z3, words->solver);
    Z3_stats_inc_ref(words->z3, stats);
    for (unsigned i = 0; i < Z3_stats_size(words->z3, stats); i++)
        if (strcmp(Z3_stats_get_key(words->z3, stats, i), "rlimit count") == 0 &&
            Z3_stats_is_uint(words->z3, stats, i))
            made = Z3_stats_get_uint_value(words->z3, stats, i);
    Z3_stats_dec_ref(words->z3, stats);
    return made;
}

/* Mebibytes that Z3 may hold, for all of its contexts together, which is how it counts; UINT_MAX
 * without a limit. */
static unsigned memory_left(const struct session *session)
{
    size_t left = arena_left_elsewhere(session->arena) >> 20;
    return left < UINT_MAX ? (unsigned)left : UINT_MAX;
}

/* Is what Z3 was told still near enough? Telling it takes as long as a small question. */
static bool is_near(unsigned told, unsigned limit)
{
    return told >= limit && told - limit <= limit / 32;
}

static void set_limit(const struct words *words, Z3_params params, const char *name, unsigned limit)
{
    Z3_params_set_uint(words->z3, params, Z3_mk_string_symbol(words->z3, name), limit);
}

/* UINT_MAX: no limit. */
static void set_limits(struct words *words, unsigned milliseconds, unsigned mebibytes)
{
    if (is_near(words->milliseconds, milliseconds) && is_near(words->mebibytes, mebibytes))
        return;
    words->milliseconds = milliseconds;
    words->mebibytes = mebibytes;
    Z3_params params = Z3_mk_params(words->z3);
    Z3_params_inc_ref(words->z3, params);
    set_limit(words, params, "timeout", milliseconds);
    set_limit(words, params, "max_memory", mebibytes);
    Z3_solver_set_params(words->z3, words->solver, params);
    Z3_params_dec_ref(words->z3, params);
}

static void limit_effort(const struct words *words, unsigned effort)
{
    Z3_params params = Z3_mk_params(words->z3);
    Z3_params_inc_ref(words->z3, params);
    set_limit(words, params, "rlimit", effort);
    Z3_solver_set_params(words->z3, words->solver, params);
    Z3_params_dec_ref(words->z3, params);
}

static enum session_answer why_unknown(const struct session *session)
{
    const char *why = Z3_solver_get_reason_unknown(session->words->z3, session->words->solver);
    if (session->out_of_memory || strstr(why, "memory"))
        return SESSION_MEMORY;
    if (strstr(why, "resource") || strstr(why, "timeout") || strstr(why, "cancel"))
        return SESSION_TIMEOUT;
    return SESSION_UNKNOWN;
}

enum session_answer words_check(struct session *session, const sat_lit *assumptions, uint32_t count,
                                unsigned milliseconds)
{
    struct words *words = session->words;
    struct arena *scratch = arena_scratch(session->arena);
    Z3_ast *terms = ARENA_ARRAY(scratch, Z3_ast, count + 1);
    drop_model(words);
    for (uint32_t i = 0; i < count; i++)
        terms[i] = literal_term(session, assumptions[i]);
    set_limits(words, milliseconds, memory_left(session));
    if (session->effort)
        limit_effort(words, session->effort_left);
    Z3_lbool answer = Z3_solver_check_assumptions(words->z3, words->solver, count, terms);
    arena_free(scratch);
    note_error(session);
    if (answer == Z3_L_FALSE)
        return SESSION_UNSAT;
    if (answer == Z3_L_UNDEF)
        return why_unknown(session);
    words->model = Z3_solver_get_model(words->z3, words->solver);
    note_error(session);
    if (!words->model)
        return session->out_of_memory ? SESSION_MEMORY : SESSION_UNKNOWN;
    Z3_model_inc_ref(words->z3, words->model);
    return SESSION_SAT;
}

bool words_true(struct session *session, sat_lit a)
{
    struct words *words = session->words;
    assert(words->model);
    Z3_ast term = variable_term(session, a / 2);
    Z3_ast value =
        term == words->yes
            ? term
            : Z3_model_get_const_interp(words->z3, words->model,
                                        Z3_get_app_decl(words->z3, Z3_to_app(words->z3, term)));
    note_error(session);
    /* a variable in no clause has no value: false will do */
    return (value == words->yes) != (a & 1);
}

uint64_t session_value(struct session *session, Z3_ast word)
{
    struct words *words = session->words;
    Z3_ast value = NULL;
    uint64_t number = 0;
    assert(words->model && word);
    if (Z3_model_eval(words->z3, words->model, word, true, &value))
        Z3_get_numeral_uint64(words->z3, value, &number);
    note_error(session);
    return number;
}

void words_core(struct session *session, const sat_lit *assumptions, uint32_t count, bool *used)
{
    Z3_context z3 = session->words->z3;
    Z3_ast_vector core = Z3_solver_get_unsat_core(z3, session->words->solver);
    Z3_ast_vector_inc_ref(z3, core);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned j = 0; !used[i] && j < Z3_ast_vector_size(z3, core); j++)
            used[i] = Z3_ast_vector_get(z3, core, j) == literal_term(session, assumptions[i]);
    Z3_ast_vector_dec_ref(z3, core);
}

const char *words_text(struct session *session)
{
    return Z3_solver_to_string(session->words->z3, session->words->solver);
}
