/* SPDX-License-Identifier: MIT
 *
 * What a test asks, as expressions in C++ over the values of a final state, and the states that the model allows. */
#include <inttypes.h>

#include "cli/answer/comparison.h"
#include "cli/emit/emit.h"

struct writer {
    const struct test *test;
    GString *out;
};

static void write_term(struct writer *w, const struct cond_term *term, uint64_t constant)
{
    struct bit_reading reading = outcome_reading(w->test, term);
    unsigned unused = 64 - reading.width;
    const char *type = reading.is_signed ? "int64_t" : "";
    if (term->kind == TERM_CONST)
        g_string_append_printf(w->out, "0x%" PRIx64 "ull", constant);
    else if (!unused)
        g_string_append_printf(w->out, "v[%u]", outcome_index(w->test, term));
    else
        g_string_append_printf(w->out, "uint64_t(%s(v[%u] << %u) >> %u)", type,
                               outcome_index(w->test, term), unused, unused);
}

static void write_comparison(struct writer *w, const struct cond *c)
{
    static const char *const signs[] = {
        [CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_LT] = "<",
        [CMP_LE] = "<=", [CMP_GT] = ">",  [CMP_GE] = ">=",
    };
    uint64_t left = c->left.value, right = c->right.value;
    bool is_signed = outcome_compared(w->test, c, &left, &right);
    const char *type = is_signed && c->cmp != CMP_EQ && c->cmp != CMP_NE ? "int64_t" : "";
    g_string_append_printf(w->out, "%s(", type);
    write_term(w, &c->left, left);
    g_string_append_printf(w->out, ") %s %s(", signs[c->cmp], type);
    write_term(w, &c->right, right);
    g_string_append_c(w->out, ')');
}

/* The parser limits the depth of conditions. */
static void write_cond(struct writer *w, const struct cond *c)
{
    switch (c->kind) {
    case COND_TRUE:
    case COND_FALSE:
        g_string_append(w->out, c->kind == COND_TRUE ? "true" : "false");
        break;
    case COND_NOT:
        g_string_append(w->out, "!(");
        write_cond(w, c->kids[0]);
        g_string_append_c(w->out, ')');
        break;
    case COND_COMPARE:
        write_comparison(w, c);
        break;
    case COND_AND:
    case COND_OR:
        for (uint32_t i = 0; i < c->kid_count; i++) {
            g_string_append(w->out, !i ? "(" : c->kind == COND_AND ? ") && (" : ") || (");
            write_cond(w, c->kids[i]);
        }
        g_string_append(w->out, c->kid_count ? ")" : c->kind == COND_AND ? "true" : "false");
        break;
    }
}

static void add_part(struct writer *w, const struct cond *part, bool negated, json_t *parts)
{
    g_string_assign(w->out, negated ? "!(" : "");
    write_cond(w, part);
    g_string_append(w->out, negated ? ")" : "");
    json_array_append_new(
        parts,
        json_pack("{s:s, s:s}", "comma", json_array_size(parts) ? ", " : "", "holds", w->out->str));
}

static bool compares_address(const struct cond *c)
{
    if (c->kind == COND_COMPARE)
        return c->left.kind == TERM_ADDRESS || c->right.kind == TERM_ADDRESS;
    for (uint32_t i = 0; i < c->kid_count; i++)
        if (compares_address(c->kids[i]))
            return true;
    return false;
}

bool emit_asks_for_address(const struct test *test)
{
    return compares_address(test->condition) || (test->filter && compares_address(test->filter));
}

json_t *emit_asked(const struct test *test)
{
    g_autoptr(GString) out = g_string_new(NULL);
    struct writer w = {.test = test, .out = out};
    const struct cond *c = test->condition;
    bool negated = test->quantifier == QUANTIFIER_FORALL;
    json_t *parts = json_array();
    if (test->filter)
        add_part(&w, test->filter, false, parts);
    for (uint32_t i = 0; !negated && c->kind == COND_AND && i < c->kid_count; i++)
        add_part(&w, c->kids[i], false, parts);
    if ((negated || c->kind != COND_AND || !c->kid_count) && c->kind != COND_TRUE)
        add_part(&w, c, negated, parts);
    return parts;
}

static json_t *view_state(const struct test *test, const uint64_t *values, bool first)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < test->observed_count; i++)
        g_string_append_printf(text, "%s%" PRIu64 "ull", i ? ", " : "", values[i]);
    return json_pack("{s:s, s:s}", "comma", first ? "" : ", ", "values", text->str);
}

json_t *emit_allowed(struct batch_job *one)
{
    json_t *states = json_array();
    if (!one->options->allowed)
        return states;
    struct answer answer = batch_answer(one, ANSWER_NO_RACES);
    const struct solver_result *found = answer.found;
    if (answer.verdict == VERDICT_ERROR || !found->complete || found->bound_reached ||
        comparison_excluded(&answer))
        return states;
    for (uint32_t i = 0; i < found->outcomes.items.len; i++)
        json_array_append_new(
            states, view_state(one->job.test, found->outcomes.items.at[i].values, i == 0));
    return states;
}
