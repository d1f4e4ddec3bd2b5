/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/allowed.h"

#include "cli/answer/why/apart.h"
#include "cli/answer/why/in_turn.h"
#include "cli/answer/why/lack_words.h"
#include "cli/answer/names.h"

const char *allowed_word(enum allowed_kind kind)
{
    static const char *const words[] = {[ALLOWED_IN_TURN] = "in-turn",
                                        [ALLOWED_NEARLY] = "nearly",
                                        [ALLOWED_FENCES] = "fences",
                                        [ALLOWED_UNORDERED] = "unordered",
                                        [ALLOWED_OPEN] = "open"};
    return words[kind];
}

static void find_missing(const struct job *job, const struct execution *execution,
                         const struct theory *theory, struct allowed *allowed)
{
    struct near_miss *misses;
    uint32_t count = near_misses(job->arena, theory, job->model, execution, &misses);
    for (uint32_t i = 0; i < count; i++) {
        struct missing_order order = {.axiom = job->model->axioms[misses[i].axiom].name,
                                      .from = misses[i].from,
                                      .to = misses[i].to};
        lack_words(job->arena, execution, &misses[i], &order);
        vec_push(job->arena, &allowed->missing, order);
    }
    if (count)
        allowed->kind = ALLOWED_NEARLY;
}

static void find_fences(const struct job *job, const struct execution *execution,
                        struct allowed *allowed)
{
    struct missing_order order = {.from = NONE, .to = NONE};
    apart_in_circle(job->arena, execution, allowed->order.at, allowed->order.len, &order);
    lack_fences(job->arena, execution, allowed->order.at, allowed->order.len, &order);
    if (!order.lacks.len)
        return;
    vec_push(job->arena, &allowed->missing, order);
    allowed->kind = ALLOWED_FENCES;
}

static bool is_unordered(const struct execution *execution, event_id a, event_id b)
{
    const struct event *x = &execution->graph->events[a], *y = &execution->graph->events[b];
    uint32_t first_a = execution->first_granule[a], first_b = execution->first_granule[b];
    return execution->executed[a] && execution->executed[b] && x->kind == EVENT_WRITE &&
           y->kind == EVENT_WRITE && first_a < first_b + execution->granules[b] &&
           first_b < first_a + execution->granules[a] && !rel_has(execution->co, a, b) &&
           !rel_has(execution->co, b, a);
}

/* Writes that race need no place in coherence order: to others neither is the newer one. */
static void find_unordered(const struct job *job, const struct execution *execution,
                           struct allowed *allowed)
{
    uint32_t count = execution->graph->event_count;
    for (event_id a = 0; a < count; a++)
        for (event_id b = a + 1; b < count; b++)
            if (is_unordered(execution, a, b)) {
                vec_push(job->arena, &allowed->order, a);
                vec_push(job->arena, &allowed->order, b);
                allowed->kind = ALLOWED_UNORDERED;
                return;
            }
}

struct allowed allowed_new(const struct job *job, const struct execution *execution,
                           const struct theory *theory)
{
    struct allowed allowed = {.kind = ALLOWED_OPEN};
    if (in_turn(job, execution, &allowed.order.at, &allowed.order.len)) {
        allowed.kind = ALLOWED_IN_TURN;
        apart_find(job, execution, theory, &allowed);
        return allowed;
    }
    find_missing(job, execution, theory, &allowed);
    if (allowed.kind == ALLOWED_OPEN)
        find_fences(job, execution, &allowed);
    if (allowed.kind == ALLOWED_OPEN && !allowed.order.len)
        find_unordered(job, execution, &allowed);
    return allowed;
}

static void print_order(const struct job *job, const struct execution *execution,
                        const struct allowed *allowed, const char *between, GString *out)
{
    for (uint32_t i = 0; i < allowed->order.len; i++)
        g_string_append_printf(out, "%s%s", i ? between : "",
                               name_event(job->arena, execution, allowed->order.at[i]));
}

/* "a (:5) is not ordered before d (:6), so d may read what was there before." 'lead': what the sentence begins with; it
 * negates when 'negated'. */
static void print_missing(const struct job *job, const struct execution *execution,
                          const struct missing_order *order, const char *lead, bool negated,
                          GString *out)
{
    const struct event *events = execution->graph->events;
    bool from_writes = event_is_write(&events[order->from]);
    bool to_writes = event_is_write(&events[order->to]);
    const char *to = name_event(job->arena, execution, order->to);
    g_string_append_printf(
        out, "%s%s %s before %s, so %s %s:\n", lead, lack_event(job->arena, execution, order->from),
        negated ? "ordered" : "is not ordered", lack_event(job->arena, execution, order->to),
        to_writes && !from_writes ? name_event(job->arena, execution, order->from) : to,
        !to_writes     ? "may read what was there before"
        : !from_writes ? "may read what is only written later"
                       : "may come first in coherence order");
}

static void print_nearly(const struct job *job, const struct execution *execution,
                         const struct missing_order *order, bool more, GString *out)
{
    if (order->from == NONE)
        g_string_append_printf(out, "%s axiom %s does not apply:\n",
                               more ? "Also," : "Why nothing forbids it:", order->axiom);
    else
        print_missing(job, execution, order, more ? "Nor is " : "Why nothing forbids it: ", more,
                      out);
}

static void print_lacks(const struct missing_order *order, GString *out)
{
    for (uint32_t i = 0; i < order->lacks.len; i++)
        g_string_append_printf(out, "  %s\n", order->lacks.at[i].text);
}

static void print_fences(const struct job *job, const struct execution *execution,
                         const struct allowed *allowed, GString *out)
{
    bool cpp = job->test->language == LANGUAGE_CPP;
    const char *barrier = lack_barrier(execution, allowed->order.at, allowed->order.len);
    g_string_append_printf(
        out, "Why nothing forbids it: only %s%s%s%s what no read connects, as in the circle ",
        barrier ? "a " : "", barrier ? barrier : "", barrier ? " or " : "",
        cpp ? "what is seq_cst orders" : "fence.sc orders");
    print_order(job, execution, allowed, " -> ", out);
    g_string_append_printf(out, " -> %s:\n",
                           name_event(job->arena, execution, allowed->order.at[0]));
    print_lacks(&allowed->missing.at[0], out);
}

void allowed_text(const struct job *job, const struct execution *execution,
                  const struct allowed *allowed, GString *out)
{
    if (allowed->kind == ALLOWED_IN_TURN) {
        g_string_append(out,
                        "Why nothing forbids it: one access after another gives it, in the order ");
        print_order(job, execution, allowed, ", ", out);
        g_string_append_c(out, '\n');
    } else if (allowed->kind == ALLOWED_FENCES) {
        print_fences(job, execution, allowed, out);
    } else if (allowed->kind == ALLOWED_UNORDERED) {
        g_string_append_printf(
            out,
            "Why nothing forbids it: %s and %s race, and coherence orders neither "
            "before the other\n",
            lack_event(job->arena, execution, allowed->order.at[0]),
            lack_event(job->arena, execution, allowed->order.at[1]));
    }
    for (uint32_t i = 0; allowed->kind != ALLOWED_FENCES && i < allowed->missing.len; i++) {
        const struct missing_order *order = &allowed->missing.at[i];
        if (allowed->kind == ALLOWED_NEARLY)
            print_nearly(job, execution, order, i > 0, out);
        else
            print_missing(job, execution, order, "", false, out);
        print_lacks(order, out);
    }
}
