/* SPDX-License-Identifier: MIT */
#include "cli/lsp/server.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "cli/editor/complete.h"
#include "cli/editor/definition.h"
#include "cli/editor/hover.h"
#include "cli/editor/lens.h"
#include "cli/editor/position.h"
#include "cli/editor/problem.h"
#include "cli/lsp/pending.h"
#include "cli/lsp/wire.h"
#include "cli/show/json.h"
#include "litmus/base/file.h"

/* Of JSON-RPC and the protocol. */
enum {
    ERROR_PARSE = -32700,
    ERROR_INVALID = -32600,
    ERROR_METHOD = -32601,
    ERROR_NOT_INITIALIZED = -32002,
    ERROR_FAILED = -32803,
    ERROR_CANCELLED = -32800,
    ERROR_MODIFIED = -32801
};

struct server {
    const struct options *options;
    struct editor_reading how;
    struct wire wire;
    GHashTable *documents; /* URI: struct document */
    GPtrArray *searches;   /* struct pending_lens */
    bool initialized, shut_down, left;
};

/* ---- answers -------------------------------------------------------------------------------- */

static void answer(struct server *s, json_t *id, json_t *result)
{
    wire_send(&s->wire, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void refuse(struct server *s, json_t *id, int code, const char *message)
{
    wire_send(&s->wire, json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error",
                                  "code", code, "message", message));
}

static void notify(struct server *s, const char *method, json_t *parameters)
{
    wire_send(&s->wire, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params",
                                  parameters));
}

/* ---- documents ------------------------------------------------------------------------------ */

static const char *uri_in(const json_t *parameters)
{
    return json_text_at(json_object_get(parameters, "textDocument"), "uri");
}

static struct document *document_in(const struct server *s, const json_t *parameters)
{
    return g_hash_table_lookup(s->documents, uri_in(parameters));
}

static uint32_t offset_in(const struct document *document, const json_t *parameters)
{
    struct position position = position_read(json_object_get(parameters, "position"));
    return position_offset(document->read->source, position);
}

/* What is looked for in a text that is not there any more. */
static void stop_searches(struct server *s, const struct document *document)
{
    for (guint i = s->searches->len; i-- > 0;) {
        struct pending_lens *search = g_ptr_array_index(s->searches, i);
        if (search->document != document)
            continue;
        refuse(s, search->id, ERROR_MODIFIED, "the text was changed");
        pending_free(search, false);
        g_ptr_array_remove_index(s->searches, i);
    }
}

static void take_text(struct server *s, struct document *document, const json_t *text,
                      const json_t *version)
{
    stop_searches(s, document);
    document_change(document, &s->how, json_string_value(text), json_string_length(text),
                    json_integer_value(version));
}

static void opened(struct server *s, const json_t *parameters)
{
    const json_t *item = json_object_get(parameters, "textDocument");
    const json_t *text = json_object_get(item, "text");
    struct document *document = document_in(s, parameters);
    if (!json_is_string(text))
        return;
    if (!document) {
        document = document_new(json_text_at(item, "uri"));
        g_hash_table_insert(s->documents, document->uri, document);
    }
    take_text(s, document, text, json_object_get(item, "version"));
}

/* The server asks for whole texts: the last one counts. */
static void changed(struct server *s, const json_t *parameters)
{
    struct document *document = document_in(s, parameters);
    const json_t *changes = json_object_get(parameters, "contentChanges");
    size_t count = json_array_size(changes);
    const json_t *text = count ? json_object_get(json_array_get(changes, count - 1), "text") : NULL;
    if (document && json_is_string(text))
        take_text(s, document, text,
                  json_object_get(json_object_get(parameters, "textDocument"), "version"));
}

static void publish(struct server *s, const char *uri, json_t *problems, json_t *version)
{
    notify(s, "textDocument/publishDiagnostics",
           json_pack("{s:s, s:o*, s:o}", "uri", uri, "version", version, "diagnostics", problems));
}

static void closed(struct server *s, const json_t *parameters)
{
    struct document *document = document_in(s, parameters);
    if (!document)
        return;
    stop_searches(s, document);
    publish(s, document->uri, json_array(), NULL);
    g_hash_table_remove(s->documents, document->uri);
}

static void publish_changed(struct server *s)
{
    GHashTableIter at;
    void *item;
    g_hash_table_iter_init(&at, s->documents);
    while (g_hash_table_iter_next(&at, NULL, &item)) {
        struct document *document = item;
        if (!document->told)
            publish(s, document->uri, problem_list(document->read),
                    json_integer(document->version));
        document->told = true;
    }
}

/* ---- methods -------------------------------------------------------------------------------- */

/* Each gives the result, or NULL: the request was answered, or will be. */

static json_t *initialize(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id, (void)parameters;
    s->initialized = true;
    return json_pack("{s:{s:{s:b, s:i, s:b}, s:b, s:b, s:{s:[s, s, s]}, s:{s:b}}, s:{s:s, s:s}}",
                     "capabilities", "textDocumentSync", "openClose", true, "change", 1, "save",
                     true, "hoverProvider", true, "definitionProvider", true, "completionProvider",
                     "triggerCharacters", ".", "%", "\"", "codeLensProvider", "resolveProvider",
                     true, "serverInfo", "name", "ptxlit", "version",
                     s->options->program + strlen("ptxlit "));
}

static json_t *shut_down(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id, (void)parameters;
    s->shut_down = true;
    return json_null();
}

static json_t *hover(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id;
    const struct document *document = document_in(s, parameters);
    return document ? hover_at(document->read, offset_in(document, parameters)) : json_null();
}

static json_t *complete(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id;
    const struct document *document = document_in(s, parameters);
    return document ? complete_at(document->read, document_good(document),
                                  offset_in(document, parameters))
                    : json_array();
}

/* A text that the program holds is written to the user's cache, where the editor can show it. */
static char *uri_of(const struct editor_text *text, const struct definition *found)
{
    if (found->source == text->source || found->is_file) {
        g_autofree char *path = g_canonicalize_filename(found->source->name, NULL);
        return g_filename_to_uri(path, NULL, NULL);
    }
    g_autofree char *folder = g_build_filename(g_get_user_cache_dir(), "ptxlit", NULL);
    g_autofree char *path = g_build_filename(folder, found->source->name, NULL);
    bool written = g_mkdir_with_parents(folder, 0700) == 0 &&
                   !file_write(text->arena, path, found->source->text, found->source->length);
    return written ? g_filename_to_uri(path, NULL, NULL) : NULL;
}

static json_t *define(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id;
    const struct document *document = document_in(s, parameters);
    struct editor_text *text = document ? document->read : NULL;
    struct definition found;
    if (!text || !text->is_model ||
        !definition_find(text->arena, text->source, hover_folder(text),
                         offset_in(document, parameters), &found))
        return json_null();
    g_autofree char *other = found.source == text->source ? NULL : uri_of(text, &found);
    if (found.source != text->source && !other)
        return json_null();
    return json_pack("{s:s, s:o}", "uri", other ? other : document->uri, "range",
                     position_range(found.source, found.name));
}

static json_t *lenses(struct server *s, json_t *id, const json_t *parameters)
{
    (void)id;
    const struct document *document = document_in(s, parameters);
    json_t *array = json_array();
    struct span place;
    if (document && lens_place(document->read, &place))
        json_array_append_new(array, json_pack("{s:o, s:s}", "range",
                                               position_range(document->read->source, place),
                                               "data", document->uri));
    return array;
}

static json_t *complete_lens(const json_t *lens, const char *title)
{
    json_t *whole = json_copy((json_t *)(uintptr_t)lens);
    json_object_set_new(whole, "command",
                        json_pack("{s:o, s:s}", "title", json_text(title), "command", ""));
    return whole;
}

/* The verdict is looked for beside whatever else the editor asks. */
static json_t *resolve(struct server *s, json_t *id, const json_t *lens)
{
    struct document *document = g_hash_table_lookup(s->documents, json_text_at(lens, "data"));
    struct span place;
    if (document && document->title)
        return complete_lens(lens, document->title);
    if (!document || !lens_place(document->read, &place)) {
        refuse(s, id, ERROR_MODIFIED, "the text was changed");
        return NULL;
    }
    struct pending_lens *search =
        pending_start(&s->options->settings, document, id, (json_t *)(uintptr_t)lens);
    if (search)
        g_ptr_array_add(s->searches, search);
    else
        refuse(s, id, ERROR_FAILED, "no process can be started");
    return NULL;
}

static void cancel(struct server *s, const json_t *parameters)
{
    const json_t *id = json_object_get(parameters, "id");
    for (guint i = s->searches->len; i-- > 0;) {
        struct pending_lens *search = g_ptr_array_index(s->searches, i);
        if (!json_equal(search->id, id))
            continue;
        refuse(s, search->id, ERROR_CANCELLED, "cancelled");
        pending_free(search, false);
        g_ptr_array_remove_index(s->searches, i);
    }
}

static void ignore(struct server *s, const json_t *parameters)
{
    (void)s, (void)parameters;
}

static void leave(struct server *s, const json_t *parameters)
{
    (void)parameters;
    s->left = true;
}

/* ---- messages ------------------------------------------------------------------------------- */

typedef json_t *request_function(struct server *s, json_t *id, const json_t *parameters);
typedef void notice_function(struct server *s, const json_t *parameters);
static const struct {
    const char *name;
    request_function *request;
    notice_function *notice;
} methods[] = {
#define REQUEST(name, function) {name, function, NULL},
#define NOTICE(name, function)  {name, NULL, function},
#include "cli/lsp/method.def"
};

static void serve_request(struct server *s, size_t method, json_t *id, const json_t *parameters)
{
    if (s->shut_down)
        refuse(s, id, ERROR_INVALID, "after 'shutdown' there is nothing but 'exit'");
    else if (!s->initialized && methods[method].request != initialize)
        refuse(s, id, ERROR_NOT_INITIALIZED, "'initialize' comes first");
    else {
        json_t *result = methods[method].request(s, id, parameters);
        if (result)
            answer(s, id, result);
    }
}

static void serve(struct server *s, const json_t *message)
{
    const char *name = json_text_at(message, "method");
    json_t *id = json_object_get(message, "id");
    const json_t *parameters = json_object_get(message, "params");
    if (!message)
        refuse(s, json_null(), ERROR_PARSE, "the message is no JSON");
    if (!*name)
        return; /* an answer; the server asks nothing */
    size_t i = 0;
    while (i < G_N_ELEMENTS(methods) && strcmp(methods[i].name, name) != 0)
        i++;
    if (i == G_N_ELEMENTS(methods)) {
        if (id)
            refuse(s, id, ERROR_METHOD, "no such method");
    } else if (methods[i].notice) {
        methods[i].notice(s, parameters);
    } else if (id) {
        serve_request(s, i, id, parameters);
    }
}

/* All that came is heard before anything is said of the texts: the editor may be ahead by some changes. */
static bool serve_all(struct server *s)
{
    json_t *message = NULL;
    bool more = wire_receive(&s->wire);
    while (!s->left && wire_next(&s->wire, &message)) {
        serve(s, message);
        json_decref(message);
    }
    publish_changed(s);
    return more && !s->wire.broken && !s->left;
}

/* ---- the loop ------------------------------------------------------------------------------- */

static int wait_milliseconds(const struct server *s)
{
    double left = 3600;
    for (guint i = 0; i < s->searches->len; i++) {
        const struct pending_lens *search = g_ptr_array_index(s->searches, i);
        left = MIN(left, task_left(&search->process));
    }
    return (int)(left * 1000) + 1;
}

/* Searches that have ended answer the request that waits. Not by number: one answer may end none other. */
static void take_searches(struct server *s, const struct pollfd *fds)
{
    for (guint i = s->searches->len; i-- > 0;) {
        struct pending_lens *search = g_ptr_array_index(s->searches, i);
        char *title = pending_take(search, fds[i + 1].revents);
        if (!title)
            continue;
        struct document *document = g_hash_table_lookup(s->documents, search->document->uri);
        answer(s, search->id, complete_lens(search->lens, title));
        g_free(document->title);
        document->title = title;
        pending_free(search, true);
        g_ptr_array_remove_index(s->searches, i);
    }
}

static bool wait_and_serve(struct server *s)
{
    g_autofree struct pollfd *fds = g_new0(struct pollfd, s->searches->len + 1);
    fds[0] = (struct pollfd){s->wire.in, POLLIN, 0};
    for (guint i = 0; i < s->searches->len; i++) {
        const struct pending_lens *search = g_ptr_array_index(s->searches, i);
        fds[i + 1] = (struct pollfd){search->process.worker.channel, POLLIN, 0};
    }
    if (poll(fds, s->searches->len + 1, wait_milliseconds(s)) >= 0)
        take_searches(s, fds);
    return !fds[0].revents || serve_all(s);
}

int server_run(const struct options *options)
{
    struct server s = {.options = options,
                       .how.settings = &options->settings,
                       .wire = wire_open(STDIN_FILENO, stdout),
                       .documents =
                           g_hash_table_new_full(g_str_hash, g_str_equal, NULL, document_free),
                       .searches = g_ptr_array_new()};
    while (wait_and_serve(&s))
        ;
    while (s.searches->len) {
        pending_free(g_ptr_array_index(s.searches, 0), false);
        g_ptr_array_remove_index(s.searches, 0);
    }
    g_ptr_array_free(s.searches, TRUE);
    g_hash_table_destroy(s.documents);
    wire_close(&s.wire);
    return s.left && s.shut_down ? 0 : 1;
}
