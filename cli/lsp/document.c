/* SPDX-License-Identifier: MIT */
#include "cli/lsp/document.h"

#include <glib.h>

/* A text that is no file has a name that says so. */
struct document *document_new(const char *uri)
{
    struct document *document = g_new0(struct document, 1);
    document->uri = g_strdup(uri);
    document->path = g_filename_from_uri(uri, NULL, NULL);
    if (!document->path)
        document->path = g_strdup(uri);
    return document;
}

void document_free(void *item)
{
    struct document *document = item;
    editor_forget(document->read);
    editor_forget(document->before);
    g_free(document->uri);
    g_free(document->path);
    g_free(document->text);
    g_free(document->title);
    g_free(document);
}

static bool is_good(const struct editor_text *text)
{
    return text && text->job.test;
}

static void set_aside(struct document *document)
{
    bool good = is_good(document->read);
    editor_forget(good ? document->before : document->read);
    if (good)
        document->before = document->read;
    document->read = NULL;
}

void document_change(struct document *document, const struct editor_reading *how, const char *text,
                     size_t length, json_int_t version)
{
    set_aside(document);
    g_free(document->text);
    g_free(document->title);
    document->text = g_memdup2(text, length + 1);
    document->length = length;
    document->version = version;
    document->title = NULL;
    document->told = false;
    document->read = editor_read(how, document->path, document->text, length);
}

const struct editor_text *document_good(const struct document *document)
{
    return is_good(document->read) ? document->read : document->before;
}
