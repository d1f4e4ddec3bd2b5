/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_GUARD_H
#define CLI_SERVE_GUARD_H

#include <glib.h>
#include <microhttpd.h>

#include "cli/options/options.h"

/* Who may ask what: pages of other sites may not, whatever name they give this machine; and with '--public' no client more than
 * its share. */

struct guard {
    const struct options *options;
    uint32_t port;
    char *cookie;           /* its name */
    char *secret;           /* that makes tokens */
    GHashTable *allowances; /* with '--public', a client's address: struct allowance */
};

struct guard guard_new(const struct options *options, uint32_t port);

/* Does the request name this server, and come from one of its pages or from none? NULL, or why not. */
const char *guard_refuses(const struct guard *guard, struct MHD_Connection *connection, bool asks);
/* Does it listen to this machine only? */
bool guard_is_local(const struct options *options);
/* The value of Set-Cookie that gives a new visitor a token. The caller frees it. */
char *guard_cookie(const struct guard *guard);
/* The visitor of a valid token, which the caller frees; NULL: there is none. */
char *guard_visitor(const struct guard *guard, struct MHD_Connection *connection);
/* Whom limits count: a visitor or, with '--public', an address. The caller frees it. */
char *guard_client(const struct guard *guard, struct MHD_Connection *connection,
                   const char *visitor);
/* May the client ask one more question now? */
bool guard_allows(struct guard *guard, const char *client);

#endif
