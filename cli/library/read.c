/* SPDX-License-Identifier: MIT
 *
 * Reading models and tests for a user of the library, and what there is to say of them. */

#include "cli/answer/input.h"
#include "cli/library/library.h"
#include "model/models/models.h"

/* ---- diagnostics ---------------------------------------------------------------------------- */

/* Nothing in it refers to what was read, which may be gone. */
static struct ptxlit_diagnostic present(struct arena *arena, const struct diag *diag)
{
    static const enum ptxlit_severity severities[] = {[SEVERITY_ERROR] = PTXLIT_ERROR,
                                                      [SEVERITY_WARNING] = PTXLIT_WARNING,
                                                      [SEVERITY_NOTE] = PTXLIT_NOTE};
    struct ptxlit_diagnostic shown = {
        .severity = severities[diag_severity(diag->id)],
        .code = diag_code(diag->id),
        .message = arena_strdup(arena, diag->message),
        .hint = diag->hint ? arena_strdup(arena, diag->hint) : NULL,
        .text = diag_render(arena, diag),
    };
    if (diag->source) {
        struct place place = source_place(diag->source, diag->span.offset);
        shown.file = arena_strdup(arena, place.name);
        shown.line = place.line;
        shown.column = place.column;
    }
    return shown;
}

static void keep(ptxlit_context *context, const struct diag_list *diags)
{
    uint32_t count = diags->items.len;
    struct ptxlit_diagnostic *kept =
        ARENA_ARRAY(context->said, struct ptxlit_diagnostic, count + 1);
    for (uint32_t i = 0; i < count; i++)
        kept[i] = present(context->said, &diags->items.at[i]);
    context->diagnostics = kept;
    context->diagnostic_count = count;
}

size_t ptxlit_diagnostic_count(const ptxlit_context *context)
{
    return context->diagnostic_count;
}

const struct ptxlit_diagnostic *ptxlit_diagnostic(const ptxlit_context *context, size_t index)
{
    return index < context->diagnostic_count ? &context->diagnostics[index] : NULL;
}

/* ---- what is read --------------------------------------------------------------------------- */

struct library_input {
    ptxlit_context *context;
    struct arena *arena; /* of what comes of it; kept only when something does */
    struct input input;  /* without a text: a file, or a bundled model */
    struct diag_list diags;
    const struct cat_model *model;
    ptxlit_test *test;
};

/* The user's text does not outlive the call; one too long to be read is not copied. */
static void begin(struct library_input *r)
{
    ptxlit_context *context = r->context;
    struct input *input = &r->input;
    context->said = arena_scratch(context->arena);
    r->arena = arena_scratch(context->arena);
    r->diags.arena = context->said;
    input->path = arena_strdup(r->arena, input->path);
    if (input->text && input->length <= SOURCE_MAX_BYTES)
        input->text = arena_strndup(r->arena, input->text, input->length);
}

static enum ptxlit_status run(struct library_input *r, void (*work)(void *task))
{
    ptxlit_context *context = r->context;
    arena_free(context->said);
    context->said = NULL;
    context->diagnostics = NULL;
    context->diagnostic_count = 0;
    enum ptxlit_status status = library_run(context, work, r);
    bool made = status == PTXLIT_OK && (r->model || r->test);
    if (!made)
        arena_free(r->arena);
    return status == PTXLIT_OK && !made ? PTXLIT_REFUSED : status;
}

/* ---- models --------------------------------------------------------------------------------- */

static void read_model(void *task)
{
    struct library_input *r = task;
    begin(r);
    const struct source *source = NULL;
    if (!r->input.text)
        r->model = model_load(r->arena, r->input.path, &r->diags);
    else if ((source = input_read(r->arena, &r->input, &r->diags)))
        r->model = model_parse(r->arena, source, NULL, &r->diags);
    keep(r->context, &r->diags);
}

static enum ptxlit_status use_model(ptxlit_context *context, struct input input)
{
    struct library_input r = {.context = context, .input = input};
    enum ptxlit_status status = run(&r, read_model);
    if (status == PTXLIT_OK) {
        context->model = r.model;
        context->options.settings.model = r.input.path;
    }
    return status;
}

enum ptxlit_status ptxlit_use_model(ptxlit_context *context, const char *name_or_file)
{
    context->options.settings.model_named = true;
    return use_model(context, (struct input){.path = name_or_file});
}

enum ptxlit_status ptxlit_use_model_text(ptxlit_context *context, const char *name,
                                         const char *text, size_t length)
{
    context->options.settings.model_named = true;
    return use_model(context, (struct input){name, text, length});
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void read_test(void *task)
{
    struct library_input *r = task;
    begin(r);
    ptxlit_test *test = ARENA_NEW(r->arena, ptxlit_test);
    test->context = r->context;
    test->arena = r->arena;
    test->settings = r->context->options.settings;
    test->job = (struct job){.settings = &test->settings,
                             .model = r->context->model,
                             .path = r->input.path,
                             .arena = r->arena,
                             .diags = r->diags,
                             .note = &test->note};
    const struct source *source = input_read(r->arena, &r->input, &test->job.diags);
    if (source && job_read(&test->job, source, true))
        r->test = test;
    keep(r->context, &test->job.diags);
}

static enum ptxlit_status read_input(ptxlit_context *context, struct input input,
                                     ptxlit_test **test)
{
    struct library_input r = {.context = context, .input = input};
    *test = NULL;
    if (!context->model) {
        enum ptxlit_status status =
            use_model(context, (struct input){.path = context->options.settings.model});
        if (status != PTXLIT_OK)
            return status;
    }
    enum ptxlit_status status = run(&r, read_test);
    if (status == PTXLIT_OK)
        *test = r.test;
    return status;
}

enum ptxlit_status ptxlit_read_file(ptxlit_context *context, const char *path, ptxlit_test **test)
{
    return read_input(context, (struct input){.path = path}, test);
}

enum ptxlit_status ptxlit_read_text(ptxlit_context *context, const char *name, const char *text,
                                    size_t length, ptxlit_test **test)
{
    return read_input(context, (struct input){name, text, length}, test);
}

const char *ptxlit_test_name(const ptxlit_test *test)
{
    return test->job.test->name;
}

void ptxlit_test_free(ptxlit_test *test)
{
    if (test)
        arena_free(test->arena);
}
