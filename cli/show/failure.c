/* SPDX-License-Identifier: MIT */
#include "cli/show/failure.h"

#include "cli/show/json.h"
#include "cli/show/text.h"

static void print_text(const struct options *options, const struct failure *failure, GString *out)
{
    const char *name = *failure->test ? failure->test : failure->path;
    g_string_append_printf(out, "Test %s\n", name);
    text_verdict(failure->verdict, out);
    text_time(options, name, failure->milliseconds, out);
    g_string_append_printf(out, "%s %s\n\n",
                           failure->verdict == VERDICT_ERROR ? "Error" : "Undecided",
                           failure->message);
}

static void print_json(const struct options *options, const struct failure *failure, GString *out)
{
    bool error = failure->verdict == VERDICT_ERROR;
    json_t *object =
        json_nothing(options, failure->path, NULL, failure->verdict, failure->milliseconds);
    if (*failure->test)
        json_object_set_new(object, "test", json_text(failure->test));
    json_object_set_new(object, "error", error ? json_text(failure->message) : json_null());
    json_object_set_new(object, "undecided", error ? json_null() : json_text(failure->message));
    json_line(object, out);
}

void failure_print(const struct options *options, const struct failure *failure, GString *out)
{
    if (options->json)
        print_json(options, failure, out);
    else
        print_text(options, failure, out);
}
