/* SPDX-License-Identifier: MIT
 *
 * What running a test and running a kernel have in common: the machine, the reports, the verdict. */
#include "cli/command/run.h"

#include "cli/answer/code.h"
#include "cli/show/json.h"
#include "cli/show/style.h"

struct machine_options run_machine_options(const struct options *options)
{
    return (struct machine_options){.mode = options->lockstep ? MACHINE_LOCKSTEP : MACHINE_ITS,
                                    .strict_pc = options->strict_pc,
                                    .tearing = TEARING_WHOLE,
                                    .keep_going = options->keep_going,
                                    .outside = options->outside,
                                    .elect = options->elect};
}

/* With --strict-conditional-barrier a barrier that not all threads execute is a deadlock, as the
 * CUDA guide words it, whatever the exit rule makes of it. */
static bool is_deadlock(const struct options *options, enum report_id id)
{
    bool conditional =
        id == REPORT_ALIGNED_BARRIER_DIVERGENT || id == REPORT_BARRIER_AFTER_PARTIAL_EXIT;
    return report_severity(id) == REPORT_hang ||
           (conditional && options->strict_conditional_barrier);
}

static enum report_severity severity_of(const struct options *options, enum report_id id)
{
    bool strict = options->strict_conditional_barrier && id == REPORT_BARRIER_AFTER_PARTIAL_EXIT;
    return strict ? REPORT_error : report_severity(id);
}

struct run_worst run_worst(const struct options *options, const struct report_list *reports)
{
    bool found[REPORT_bound + 1] = {false};
    for (uint32_t i = 0; i < reports->items.len; i++) {
        enum report_id id = reports->items.at[i].id;
        found[is_deadlock(options, id) ? REPORT_hang : report_severity(id)] = true;
    }
    if (found[REPORT_hang])
        return (struct run_worst){"deadlock", VERDICT_FAILS};
    if (found[REPORT_undefined] || found[REPORT_error])
        return (struct run_worst){"undefined", VERDICT_FAILS};
    return found[REPORT_bound] ? (struct run_worst){"unknown", VERDICT_UNDECIDED}
                               : (struct run_worst){"ok", VERDICT_HOLDS};
}

void run_reports_text(const struct options *options, const struct test *test,
                      const struct report_list *reports, GString *out)
{
    for (uint32_t i = 0; i < reports->items.len; i++) {
        const struct machine_report *r = &reports->items.at[i];
        enum report_severity severity = severity_of(options, r->id);
        g_string_append_printf(
            out, "%s%s%s %s: ", style_on(severity >= REPORT_undefined ? STYLE_BAD : STYLE_OPEN),
            report_severity_name(severity), style_off(), report_name(r->id));
        code_place(test, test->source->name, r->span.offset, out);
        g_string_append_printf(out, ": %s", r->text);
        if (r->count > 1)
            g_string_append_printf(out, " (%u times)", r->count);
        g_string_append_c(out, '\n');
    }
    if (reports->dropped)
        g_string_append_printf(out, "note: %u further reports are not shown\n", reports->dropped);
}

static json_t *who(uint32_t number)
{
    return number == UINT32_MAX ? json_null() : json_integer(number);
}

json_t *run_reports_json(const struct options *options, const struct test *test,
                         const struct report_list *reports)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < reports->items.len; i++) {
        const struct machine_report *r = &reports->items.at[i];
        struct place place = source_place(test->source, r->span.offset);
        json_t *object = json_pack(
            "{s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:i}", "name", report_name(r->id),
            "severity", report_severity_name(severity_of(options, r->id)), "line", (int)place.line,
            "column", (int)place.column, "pc", (int)r->pc, "thread_column", who(r->column), "cta",
            who(r->cta), "tid", who(r->tid), "text", json_text(r->text), "count", (int)r->count);
        json_code(test, r->span.offset, object);
        json_array_append_new(list, object);
    }
    return list;
}
