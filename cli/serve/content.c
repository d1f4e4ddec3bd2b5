/* SPDX-License-Identifier: MIT */
#include "cli/serve/content.h"

#include <string.h>

#include "cli/show/json.h"
#include "litmus/base/number.h"
#include "model/models/models.h"

static const char serve_html[] = {
#include "cli/serve.html.inc"
};
static const char serve_css[] = {
#include "cli/serve.css.inc"
};
static const char serve_js[] = {
#include "cli/serve.js.inc"
};
static const char editor_js[] = {
#include "cli/editor.js.inc"
};

static const char type_json[] = "application/json", type_text[] = "text/plain; charset=utf-8";

struct MHD_Response *content_new(const char *type, const void *bytes, size_t length)
{
    static const struct {
        const char *name, *value;
    } headers[] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src "
         "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    struct MHD_Response *response =
        MHD_create_response_from_buffer(length, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    return response;
}

static struct MHD_Response *json_response(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    struct MHD_Response *response = content_new(type_json, text, strlen(text));
    g_free(text);
    json_decref(object);
    return response;
}

struct MHD_Response *content_error(const char *words)
{
    return json_response(json_pack("{s:s}", "error", words));
}

static struct MHD_Response *test_text(const struct corpus *corpus, const char *number)
{
    uint64_t index;
    uint32_t count = corpus->tests.items.len;
    if (!count || number_whole(number, strlen(number), 0, count - 1, &index) != NUMBER_GOOD)
        return NULL;
    const struct input *input = &corpus->tests.items.at[index];
    return content_new(type_text, input->text, input->length);
}

static struct MHD_Response *models(void)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < model_text_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", model_texts[i].name, "summary",
                                              model_texts[i].summary));
    return json_response(list);
}

static struct MHD_Response *model_of(const char *name)
{
    const struct model_text *model = model_find(name);
    return model ? content_new(type_text, model->text, strlen(model->text)) : NULL;
}

struct MHD_Response *content_find(const struct corpus *corpus, const char *path)
{
#define CONTENT(name, type, bytes)                                                                 \
    if (strcmp(path, name) == 0)                                                                   \
        return content_new(type, bytes, strlen(bytes));
#include "cli/serve/content.def"
    if (strcmp(path, "/corpus") == 0)
        return content_new(type_json, corpus->list, strlen(corpus->list));
    if (g_str_has_prefix(path, "/corpus/"))
        return test_text(corpus, path + strlen("/corpus/"));
    if (strcmp(path, "/models") == 0)
        return models();
    if (g_str_has_prefix(path, "/models/"))
        return model_of(path + strlen("/models/"));
    return NULL;
}
