/* SPDX-License-Identifier: MIT */
#include "cli/serve/request.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/serve/content.h"
#include "cli/work/loss.h"

struct request *request_new(struct MHD_Connection *connection)
{
    struct request *request = g_new0(struct request, 1);
    request->connection = connection;
    request->began = g_get_monotonic_time();
    request->body = g_string_new(NULL);
    return request;
}

void request_free(struct request *request)
{
    if (request->state == REQUEST_WORKS)
        task_stop(&request->process);
    if (request->response)
        MHD_destroy_response(request->response);
    g_string_free(request->body, TRUE);
    g_free(request->visitor);
    g_free(request->client);
    g_free(request->page);
    g_free(request);
}

void request_reply(struct request *request, unsigned status, struct MHD_Response *response)
{
    if (request->response)
        MHD_destroy_response(request->response);
    request->status = status;
    request->response = response;
    request->state = REQUEST_DONE;
}

/* In a worker, on behalf of somebody on the net: it writes no file and gains nothing by running another program. */
static void work(void *context, uint32_t index, struct note *note, struct result *result)
{
    const struct request *request = context;
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (index == 0)
        reply_make(&request->question, note, result);
}

bool request_work(struct request *request)
{
    const struct settings *settings = &request->question.options->settings;
    request->question.body = request->body->str;
    request->question.length = request->body->len;
    request->process.pool = (struct pool){.timeout = settings->timeout,
                                          .memory_limit = settings->memory_limit,
                                          .context = request,
                                          .work = work};
    if (!task_start(&request->process))
        return false;
    request->state = REQUEST_WORKS;
    return true;
}

/* What ended the worker is an answer too. */
static struct MHD_Response *stopped(const struct request *request, const struct loss *loss)
{
    struct arena *arena = arena_new();
    const char *words =
        loss_words(arena, loss, &request->question.options->settings, "test.litmus");
    struct MHD_Response *response = content_error(words);
    arena_free(arena);
    return response;
}

bool request_take(struct request *request, bool readable)
{
    struct result result;
    struct loss loss;
    switch (task_take(&request->process, readable, &result, &loss)) {
    case TASK_RUNS:
        return false;
    case TASK_LOST:
        request_reply(request, MHD_HTTP_OK, stopped(request, &loss));
        return true;
    case TASK_DONE:
        break;
    }
    request_reply(request, MHD_HTTP_OK,
                  content_new("application/json", result.out->str, result.out->len));
    g_string_free(result.out, TRUE);
    g_string_free(result.err, TRUE);
    return true;
}

void request_drop(struct request *request)
{
    if (request->state == REQUEST_WORKS)
        task_stop(&request->process);
    request_reply(request, MHD_HTTP_CONFLICT, content_error("the page has asked again"));
}
