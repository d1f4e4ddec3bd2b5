/* SPDX-License-Identifier: MIT
 *
 * ptxlit map: tests in C++ as a mapping compiles them. */
#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/command/map.h"
#include "cli/show/json.h"

/* ---- the bundled mappings ------------------------------------------------------------------ */

static int print_list(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    g_autoptr(GString) out = g_string_new(NULL);
    for (uint32_t i = 0; i < mapping_text_count; i++) {
        const struct mapping_table *mapping = mapping_load(arena, mapping_texts[i].name, &diags);
        if (options->json)
            json_line(json_pack("{s:s, s:s, s:s}", "mapping", mapping->name, "title",
                                mapping->title, "source", mapping->origin),
                      out);
        else
            g_string_append_printf(out, "%-22s %s\n%-22s   %s\n", mapping->name, mapping->title, "",
                                   mapping->origin);
    }
    fputs(out->str, stdout);
    arena_free(arena);
    return EXIT_HOLDS;
}

/* ---- one test ------------------------------------------------------------------------------- */

static void print_text(const struct job *job, const struct mapped_test *mapped, GString *out)
{
    struct mapped_lines lines = mapped_lines(job, mapped);
    g_string_append(out, mapped->text);
    for (uint32_t i = 0; i < lines.items.len; i++) {
        const struct mapped_line *line = &lines.items.at[i];
        g_string_append_printf(out, "// line %u, %s: %s: from %s:%u:%u '%s'\n", line->place.line,
                               line->thread, line->instruction, job->path, line->from.line,
                               line->from.column, line->words);
    }
}

static json_t *json_lines(const struct job *job, const struct mapped_test *mapped)
{
    struct mapped_lines lines = mapped_lines(job, mapped);
    json_t *array = json_array();
    for (uint32_t i = 0; i < lines.items.len; i++) {
        const struct mapped_line *line = &lines.items.at[i];
        json_array_append_new(
            array, json_pack("{s:o, s:i, s:o, s:i, s:i, s:o}", "thread", json_text(line->thread),
                             "line", line->place.line, "instruction", json_text(line->instruction),
                             "source_line", line->from.line, "source_column", line->from.column,
                             "source", json_text(line->words)));
    }
    return array;
}

static void print_json(const struct job *job, const struct mapped_test *mapped, GString *out)
{
    json_line(json_pack("{s:o, s:o, s:o, s:o, s:o}", "file", json_text(job->path), "test",
                        json_text(job->test->name), "mapping", json_text(mapped->mapping->name),
                        "ptx", json_text(mapped->text), "lines", json_lines(job, mapped)),
              out);
}

static bool is_cpp(struct job *job)
{
    if (job->test->language == LANGUAGE_CPP)
        return true;
    diag_add(&job->diags, DIAG_mapping_language, job->test->source, (struct span){0, 0},
             "a test in C++ begins with the word C++",
             "there is nothing to map: this test is in PTX");
    return false;
}

static enum verdict map_one(struct batch_job *one)
{
    struct job *job = &one->job;
    struct mapped_test mapped;
    if (!is_cpp(job))
        return batch_fail(one);
    const struct mapping_table *mapping =
        mapping_load(job->arena, mapping_name(job->settings), &job->diags);
    if (!mapping || !mapped_read(job, job->test, mapping, &mapped))
        return batch_fail(one);
    if (one->options->check)
        return map_check(one, mapping);
    if (one->options->json)
        print_json(job, &mapped, one->result->out);
    else
        print_text(job, &mapped, one->result->out);
    return VERDICT_HOLDS;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int refuse(struct arena *arena, const struct diag_list *diags)
{
    for (uint32_t i = 0; i < diags->items.len; i++) {
        const char *text = diag_render(arena, &diags->items.at[i]);
        fprintf(stderr, diags->items.at[i].source ? "%s" : "ptxlit: %s", text);
    }
    return EXIT_WRONG_INPUT;
}

/* The mapping, whose faults are said once and not of every test. */
static const struct mapping_table *chosen(const struct options *options, struct arena *arena,
                                          struct diag_list *diags)
{
    if (!options->argument_count && !options->bound)
        diag_add(diags, DIAG_option_value, NULL, (struct span){0, 0}, NULL,
                 "'map' needs a file with a test in C++, or --bound");
    return diags->errors ? NULL : mapping_load(arena, mapping_name(&options->settings), diags);
}

int command_map(const struct options *options)
{
    if (options->list)
        return print_list(options);
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const struct mapping_table *mapping = chosen(options, arena, &diags);
    int status = EXIT_HOLDS;
    if (mapping && options->bound)
        status = map_bound(options, arena, mapping, &diags);
    if (diags.errors)
        status = refuse(arena, &diags);
    else if (!options->bound)
        status = batch_run(&(struct batch){.options = options, .work = map_one});
    arena_free(arena);
    return status;
}
