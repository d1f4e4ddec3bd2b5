/* SPDX-License-Identifier: MIT
 *
 * How a report was made: by what, with which model; and, unless times are left out, by whom and when. */
#include <glib.h>

#include "cli/answer/hardware.h"
#include "cli/answer/job.h"
#include "cli/report/report.h"
#include "litmus/base/file.h"
#include "model/models/models.h"

enum { MODEL_MOST_BYTES = 1 << 24 };

/* SHA-256 of the model's own text: what 'ptxlit models NAME' prints, or the file. */
static char *digest_of(const char *model)
{
    const struct model_text *bundled = model_find(model);
    if (bundled)
        return g_compute_checksum_for_string(G_CHECKSUM_SHA256, bundled->text, -1);
    struct arena *arena = arena_new();
    size_t length;
    const char *text = file_read(arena, model, MODEL_MOST_BYTES, &length);
    char *digest = text ? g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, (gssize)length)
                        : g_strdup("unknown");
    arena_free(arena);
    return digest;
}

/* The machines that the file of '--hardware' comes from; NULL without one. */
static json_t *origins(const struct options *options)
{
    if (!options->hardware)
        return NULL;
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const struct hardware *hardware = hardware_read(arena, options->hardware, &diags);
    json_t *found = hardware ? hardware_origins(hardware) : NULL;
    arena_free(arena);
    return found;
}

json_t *report_made(const struct report *report)
{
    const struct options *options = report->options;
    g_autofree char *model = report_model(report);
    bool stored = report->digest && !model_find(model);
    g_autofree char *digest = stored ? g_strdup(report->digest) : digest_of(model);
    json_t *made = json_pack("{s:s, s:s, s:o*}", "program", options->program, "model_digest",
                             digest, "hardware", origins(options));
    if (options->no_time)
        return made;
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *date = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
    json_object_update_new(made, json_pack("{s:o, s:o, s:s, s:f}", "command",
                                           json_text(options->command_line), "host",
                                           json_text(g_get_host_name()), "date", date, "seconds",
                                           job_clock() - report->started));
    return made;
}
