/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* POLLRDHUP */
#include "cli/serve/server.h"

#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer/verdict.h"
#include "cli/serve/content.h"
#include "cli/serve/guard.h"
#include "cli/serve/request.h"
#include "litmus/base/number.h"

enum {
    MOST_CONNECTIONS = 512,
    MOST_CONNECTIONS_EACH = 64,
    HEADER_BYTES = 32 * 1024,
    SILENT_SECONDS = 3, /* before the first request: browsers connect ahead, and connect again */
    IDLE_SECONDS = 30,
    WAITING_EACH = 4, /* questions of one client at a time, with '--public' */
    WAITING_A_WORKER = 16,
};

struct playground {
    const struct options *options;
    const struct corpus *corpus;
    struct guard guard;
    struct MHD_Daemon *daemon;
    GPtrArray *requests; /* those that wait, and those that are worked on, in their order */
    uint32_t workers;
};

/* ---- questions ------------------------------------------------------------------------------ */

/* They are held while they wait, and go on when there is something to send. */
static void settle(struct playground *p, struct request *request)
{
    g_ptr_array_remove(p->requests, request);
    MHD_resume_connection(request->connection);
}

/* A page that asks the same again has another text: the answer about the last one is of no use. */
static void drop_earlier(struct playground *p, const struct request *request)
{
    for (guint i = p->requests->len; i-- > 0;) {
        struct request *other = g_ptr_array_index(p->requests, i);
        if (strcmp(other->visitor, request->visitor) != 0 ||
            strcmp(other->page, request->page) != 0 ||
            other->question.kind != request->question.kind)
            continue;
        request_drop(other);
        settle(p, other);
    }
}

static uint32_t waiting_of(const struct playground *p, const char *client)
{
    uint32_t count = 0;
    for (guint i = 0; i < p->requests->len; i++) {
        const struct request *other = g_ptr_array_index(p->requests, i);
        count += strcmp(other->client, client) == 0;
    }
    return count;
}

static void refuse(struct request *request, unsigned status, const char *words)
{
    request_reply(request, status, content_error(words));
}

/* The body is there. */
static void take_question(struct playground *p, struct request *request)
{
    drop_earlier(p, request);
    bool many = p->options->public && waiting_of(p, request->client) >= WAITING_EACH;
    if (many || !guard_allows(&p->guard, request->client)) {
        refuse(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many questions: wait a moment");
        MHD_add_response_header(request->response, "Retry-After", "5");
    } else if (p->requests->len >= p->workers * WAITING_A_WORKER) {
        refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is busy: wait a moment");
    } else {
        request->state = REQUEST_WAITS;
        g_ptr_array_add(p->requests, request);
        MHD_suspend_connection(request->connection);
    }
}

static uint32_t working(const struct playground *p)
{
    uint32_t count = 0;
    for (guint i = 0; i < p->requests->len; i++) {
        const struct request *request = g_ptr_array_index(p->requests, i);
        count += request->state == REQUEST_WORKS;
    }
    return count;
}

/* Those that wait get a worker, in their order, as far as there are any. */
static void give_workers(struct playground *p)
{
    uint32_t free = p->workers - working(p);
    for (guint i = 0; i < p->requests->len && free; i++) {
        struct request *request = g_ptr_array_index(p->requests, i);
        if (request->state == REQUEST_WAITS && request_work(request))
            free--;
    }
}

/* ---- requests ------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

/* The body is announced, and short enough. */
static bool is_bounded(struct MHD_Connection *connection)
{
    const char *length = header(connection, "Content-Length");
    uint64_t bytes;
    return number_whole(length, strlen(length), 0, REQUEST_MOST_BYTES, &bytes) == NUMBER_GOOD;
}

static void begin_question(struct playground *p, struct request *request, const char *path)
{
    struct MHD_Connection *connection = request->connection;
    uint32_t kind = *path == '/' ? question_find(path + 1) : UINT32_MAX;
    request->visitor = guard_visitor(&p->guard, connection);
    if (kind == UINT32_MAX)
        refuse(request, MHD_HTTP_NOT_FOUND, "there is no such question");
    else if (!request->visitor)
        refuse(request, MHD_HTTP_FORBIDDEN, "load the page first: it brings the cookie");
    else if (strcmp(header(connection, "Content-Type"), "application/json") != 0)
        refuse(request, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "a question is JSON");
    else if (!is_bounded(connection))
        refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, "a question has 512 KiB at most");
    else {
        request->question = (struct page_question){.options = p->options, .kind = kind};
        request->client = guard_client(&p->guard, connection, request->visitor);
        request->page = g_strndup(header(connection, "X-Page"), 64);
        request->state = REQUEST_ARRIVES;
    }
}

/* The page gives its visitor a token, if there is none yet. */
static void reply_page(struct playground *p, struct request *request, const char *path)
{
    struct MHD_Response *response = content_find(p->corpus, path);
    g_autofree char *visitor = guard_visitor(&p->guard, request->connection);
    if (!response) {
        refuse(request, MHD_HTTP_NOT_FOUND, "there is no such page");
        return;
    }
    if (!visitor && strcmp(path, "/") == 0) {
        g_autofree char *cookie = guard_cookie(&p->guard);
        MHD_add_response_header(response, "Set-Cookie", cookie);
    }
    request_reply(request, MHD_HTTP_OK, response);
}

/* All that is known from the headers. */
static void begin(struct playground *p, struct request *request, const char *path,
                  const char *method)
{
    bool asks = strcmp(method, "POST") == 0;
    bool gets = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    const char *refused = guard_refuses(&p->guard, request->connection, asks);
    if (refused)
        refuse(request, MHD_HTTP_FORBIDDEN, refused);
    else if (asks)
        begin_question(p, request, path);
    else if (gets)
        reply_page(p, request, path);
    else
        refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "GET and POST are understood");
}

static enum MHD_Result serve(void *context, struct MHD_Connection *connection, const char *path,
                             const char *method, const char *version, const char *data,
                             size_t *length, void **own)
{
    struct playground *p = context;
    struct request *request = *own;
    (void)version;
    if (!request) {
        *own = request = request_new(connection);
        MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
                                  (unsigned)IDLE_SECONDS);
        begin(p, request, path, method);
        /* The body of a question that is refused need not come. */
        return request->state == REQUEST_DONE && strcmp(method, "POST") == 0
                   ? MHD_queue_response(connection, request->status, request->response)
                   : MHD_YES;
    }
    if (*length) {
        g_string_append_len(request->body, data, (gssize)*length);
        *length = 0;
        bool slow = g_get_monotonic_time() - request->began > IDLE_SECONDS * G_USEC_PER_SEC;
        return request->body->len <= REQUEST_MOST_BYTES && !slow ? MHD_YES : MHD_NO;
    }
    if (request->state == REQUEST_ARRIVES)
        take_question(p, request);
    return request->state == REQUEST_DONE
               ? MHD_queue_response(connection, request->status, request->response)
               : MHD_YES;
}

static void completed(void *context, struct MHD_Connection *connection, void **own,
                      enum MHD_RequestTerminationCode why)
{
    struct playground *p = context;
    struct request *request = *own;
    (void)connection, (void)why;
    if (!request)
        return;
    g_ptr_array_remove(p->requests, request);
    request_free(request);
    *own = NULL;
}

/* ---- the daemon ----------------------------------------------------------------------------- */

/* What clients do wrong is theirs to know. */
static void be_silent(void *context, const char *format, va_list arguments)
{
    (void)context, (void)format, (void)arguments;
}

static struct addrinfo *address_of(const struct options *options)
{
    const struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM};
    g_autofree char *port = g_strdup_printf("%u", options->port);
    struct addrinfo *found = NULL;
    return getaddrinfo(options->address, port, &wanted, &found) == 0 ? found : NULL;
}

static struct MHD_Daemon *start(struct playground *p, const struct addrinfo *address)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    bool local = guard_is_local(p->options);
    if (address->ai_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, serve, p, MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
        MHD_OPTION_SOCK_ADDR, address->ai_addr, MHD_OPTION_NOTIFY_COMPLETED, completed, p,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        local ? 0u : (unsigned)MOST_CONNECTIONS_EACH, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_SECONDS,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static unsigned connections(const struct playground *p)
{
    return MHD_get_daemon_info(p->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
}

static int wait_milliseconds(const struct playground *p)
{
    MHD_UNSIGNED_LONG_LONG wish;
    double left = MHD_get_timeout(p->daemon, &wish) == MHD_YES ? (double)wish / 1000 : 3600;
    for (guint i = 0; i < p->requests->len; i++) {
        const struct request *request = g_ptr_array_index(p->requests, i);
        if (request->state == REQUEST_WORKS)
            left = MIN(left, task_left(&request->process));
        else if (working(p) < p->workers)
            left = MIN(left, 0.1); /* no process could be started: again soon */
    }
    return (int)(left * 1000) + (left > 0);
}

/* What the server waits for: its clients, and of each question the worker and whether its client is still there. */
enum { FD_CLIENTS, FDS_BEFORE, FD_WORKER = 0, FD_CLIENT, FDS_EACH };

static void take_workers(struct playground *p, const struct pollfd *fds)
{
    for (guint i = p->requests->len; i-- > 0;) {
        struct request *request = g_ptr_array_index(p->requests, i);
        const struct pollfd *its = &fds[FDS_BEFORE + i * FDS_EACH];
        bool done =
            request->state == REQUEST_WORKS && request_take(request, its[FD_WORKER].revents);
        if (!done && its[FD_CLIENT].revents)
            request_drop(request);
        if (request->state == REQUEST_DONE)
            settle(p, request);
    }
}

static int client_socket(const struct request *request)
{
    return MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
        ->connect_fd;
}

/* At the limit of connections the daemon stops to accept others, and begins again only in the call after the one in which some end. */
static void serve_clients(struct playground *p)
{
    unsigned before;
    do {
        before = connections(p);
        MHD_run(p->daemon);
    } while (connections(p) < before);
}

static void wait_and_serve(struct playground *p, int clients)
{
    guint count = FDS_BEFORE + p->requests->len * FDS_EACH;
    g_autofree struct pollfd *fds = g_new0(struct pollfd, count);
    fds[FD_CLIENTS] = (struct pollfd){clients, POLLIN, 0};
    for (guint i = 0; i < p->requests->len; i++) {
        const struct request *request = g_ptr_array_index(p->requests, i);
        struct pollfd *its = &fds[FDS_BEFORE + i * FDS_EACH];
        bool works = request->state == REQUEST_WORKS;
        its[FD_WORKER] = (struct pollfd){works ? request->process.worker.channel : -1, POLLIN, 0};
        its[FD_CLIENT] = (struct pollfd){client_socket(request), POLLRDHUP, 0};
    }
    if (poll(fds, count, wait_milliseconds(p)) >= 0)
        take_workers(p, fds);
    serve_clients(p);
    give_workers(p);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void announce(const struct playground *p)
{
    const char *public = p->options->public;
    if (public)
        printf("http://%s/ at %s, port %u\n", public, p->options->address, p->guard.port);
    else
        printf("http://127.0.0.1:%u/\n", p->guard.port);
    fflush(stdout);
}

static int run(struct playground *p)
{
    struct addrinfo *address = address_of(p->options);
    p->daemon = address ? start(p, address) : NULL;
    if (!p->daemon) {
        fprintf(stderr, "ptxlit: %s: nothing can be served at '%s', port %u: %s\n",
                diag_code(DIAG_option_value), p->options->address, p->options->port,
                address ? "it is taken, or not this machine's" : "it is no address");
        return EXIT_WRONG_INPUT;
    }
    freeaddrinfo(address);
    int clients = MHD_get_daemon_info(p->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    uint32_t port = MHD_get_daemon_info(p->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    p->guard = guard_new(p->options, port);
    announce(p);
    for (;;)
        wait_and_serve(p, clients);
}

int playground_run(const struct options *options, const struct corpus *corpus)
{
    struct playground p = {.options = options, .corpus = corpus, .requests = g_ptr_array_new()};
    p.workers = options->jobs ? options->jobs : g_get_num_processors();
    return run(&p);
}
