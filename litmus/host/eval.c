/* SPDX-License-Identifier: MIT */
#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* Reports. */

const char *eval_text(const struct eval *e, struct span span)
{
    return source_words(e->arena, e->p->source, span);
}

bool eval_needs(struct eval *e, const struct code_value *value, struct span span, const char *what)
{
    if (value->kind == VALUE_UNKNOWN && !e->cause)
        e->cause = (uint32_t)value->number;
    if (value->kind == VALUE_UNKNOWN && value->name.length)
        eval_error(e, host_argument, span,
                   arena_printf(e->arena, "it depends on '%.60s' at line %u",
                                eval_text(e, value->name),
                                source_place(e->p->source, value->name.offset).line),
                   "what '%.60s' is, is not known here", eval_text(e, span));
    else if (value->kind == VALUE_CHOICE) {
        struct lvalue place = eval_place_of_choice(value->choice);
        eval_is_one_place(e, &place);
    } else if (value->kind == VALUE_UNKNOWN)
        eval_error(e, host_argument, span, "give it one value, whatever the program reads",
                   "what '%.60s' is depends on what the program reads", eval_text(e, span));
    else
        eval_error(e, host_argument, span, NULL, "'%.60s' is not %s", eval_text(e, span), what);
    return false;
}

bool eval_has_code(struct eval *e, const struct code_function *function)
{
    if (function->body)
        return true;
    eval_error(e, cpp_syntax, function->fault, NULL, "'%.60s' cannot be read",
               eval_text(e, function->fault));
    return false;
}
