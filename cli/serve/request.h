/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_REQUEST_H
#define CLI_SERVE_REQUEST_H

#include <microhttpd.h>

#include "cli/serve/reply.h"
#include "cli/work/task.h"

/* A request on its way: a question whose body arrives, waits for a worker, is worked on and replied to; anything else is
 * replied to at once. */
enum request_state { REQUEST_NEW, REQUEST_ARRIVES, REQUEST_WAITS, REQUEST_WORKS, REQUEST_DONE };
struct request {
    struct MHD_Connection *connection;
    enum request_state state;
    struct page_question question;
    GString *body;
    gint64 began;                  /* microseconds: when its headers were there */
    char *visitor, *client, *page; /* who asks; which of its pages */
    struct task_process process;
    unsigned status; /* DONE: of HTTP, and the response */
    struct MHD_Response *response;
};

enum { REQUEST_MOST_BYTES = 512 * 1024 };

struct request *request_new(struct MHD_Connection *connection);
/* Ends its worker too. */
void request_free(struct request *request);
/* Takes the response, in place of one that it has. */
void request_reply(struct request *request, unsigned status, struct MHD_Response *response);
/* Starts a worker on it; false: there can be none now, and it waits on. */
bool request_work(struct request *request);
/* Looks whether the worker is done; 'readable': its channel is. False: it works on. */
bool request_take(struct request *request, bool readable);
/* Nobody waits for the answer any more: the same page has asked again, or is gone. */
void request_drop(struct request *request);

#endif
