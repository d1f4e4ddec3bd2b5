/* SPDX-License-Identifier: MIT */
#include "cli/serve/guard.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/random.h>

#include "cli/answer/job.h"

enum { TOKEN_BYTES = 16, MOST_ALLOWANCES = 10000, NETWORK_BYTES = 8 };

/* Questions that a client may ask at once; they come back with time. */
struct allowance {
    double left, at;
};

static char *random_text(void)
{
    unsigned char bytes[TOKEN_BYTES];
    GString *text = g_string_new(NULL);
    g_assert(getrandom(bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        g_string_append_printf(text, "%02x", bytes[i]);
    return g_string_free(text, FALSE);
}

struct guard guard_new(const struct options *options, uint32_t port)
{
    return (struct guard){options, port, g_strdup_printf("ptxlit-%u", port), random_text(),
                          g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
}

/* ---- sites ---------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

static enum MHD_Result count_hosts(void *count, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind, (void)value;
    *(unsigned *)count += g_ascii_strcasecmp(name, "Host") == 0;
    return MHD_YES;
}

/* A server in between could have gone by the other name (RFC 9112, 3.2). */
static bool has_two_hosts(struct MHD_Connection *connection)
{
    unsigned count = 0;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_hosts, &count);
    return count > 1;
}

/* The names of this machine, and that of '--public'. Another one would be a name that somebody else gave it. */
static bool is_own_host(const struct guard *guard, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    const char *public = guard->options->public;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *own = g_strdup_printf("%s:%u", names[i], guard->port);
        if (g_ascii_strcasecmp(host, own) == 0)
            return true;
    }
    return public && g_ascii_strcasecmp(host, public) == 0;
}

static bool is_own_origin(const char *origin, const char *host)
{
    const char *name = g_str_has_prefix(origin, "https://")  ? origin + strlen("https://")
                       : g_str_has_prefix(origin, "http://") ? origin + strlen("http://")
                                                             : "";
    return g_ascii_strcasecmp(name, host) == 0;
}

const char *guard_refuses(const struct guard *guard, struct MHD_Connection *connection, bool asks)
{
    const char *host = header(connection, "Host"), *origin = header(connection, "Origin");
    if (has_two_hosts(connection) || !is_own_host(guard, host))
        return "this server does not go by that name";
    if ((asks || *origin) && !is_own_origin(origin, host))
        return "another site may not ask";
    return NULL;
}

/* ---- visitors ------------------------------------------------------------------------------- */

static char *sign(const struct guard *guard, const char *visitor, size_t length)
{
    return g_compute_hmac_for_string(G_CHECKSUM_SHA256, (const guchar *)guard->secret,
                                     strlen(guard->secret), visitor, (gssize)length);
}

char *guard_cookie(const struct guard *guard)
{
    g_autofree char *visitor = random_text(), *mark = sign(guard, visitor, strlen(visitor));
    return g_strdup_printf("%s=%s.%s; Path=/; HttpOnly; SameSite=Strict", guard->cookie, visitor,
                           mark);
}

/* Of the same length, in a time that does not tell where they differ. */
static bool is_same(const char *a, const char *b)
{
    unsigned differs = strlen(a) != strlen(b);
    for (; *a && *b; a++, b++)
        differs |= (unsigned char)(*a ^ *b);
    return !differs;
}

char *guard_visitor(const struct guard *guard, struct MHD_Connection *connection)
{
    const char *token = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, guard->cookie);
    const char *dot = token ? strchr(token, '.') : NULL;
    if (!dot)
        return NULL;
    g_autofree char *mark = sign(guard, token, (size_t)(dot - token));
    return is_same(mark, dot + 1) ? g_strndup(token, (size_t)(dot - token)) : NULL;
}

bool guard_is_local(const struct options *options)
{
    return strcmp(options->address, "127.0.0.1") == 0 || strcmp(options->address, "::1") == 0;
}

/* ---- shares --------------------------------------------------------------------------------- */

/* Of the newer addresses the network, of which a client may have all. */
static char *address_text(struct in6_addr address)
{
    char text[INET6_ADDRSTRLEN] = "";
    memset(address.s6_addr + NETWORK_BYTES, 0, sizeof address.s6_addr - NETWORK_BYTES);
    inet_ntop(AF_INET6, &address, text, sizeof text);
    return g_strdup(text);
}

static char *peer(struct MHD_Connection *connection)
{
    char text[INET_ADDRSTRLEN] = "";
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    if (address && address->sa_family == AF_INET6)
        return address_text(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
    if (address && address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text,
                  sizeof text);
    return g_strdup(text);
}

/* The last address that a proxy was told of; NULL: it says none. */
static char *forwarded(struct MHD_Connection *connection)
{
    const char *all = header(connection, "X-Forwarded-For"), *last = strrchr(all, ',');
    g_autofree char *word = g_strstrip(g_strndup(last ? last + 1 : all, INET6_ADDRSTRLEN));
    struct in6_addr newer;
    struct in_addr older;
    if (inet_pton(AF_INET6, word, &newer) == 1)
        return address_text(newer);
    return inet_pton(AF_INET, word, &older) == 1 ? g_strdup(word) : NULL;
}

/* Behind a proxy on this machine all clients have its address. */
char *guard_client(const struct guard *guard, struct MHD_Connection *connection,
                   const char *visitor)
{
    if (!guard->options->public)
        return g_strdup(visitor);
    bool proxied = guard_is_local(guard->options);
    char *told = proxied ? forwarded(connection) : NULL;
    return told ? told : peer(connection);
}

static gboolean is_whole(gpointer client, gpointer value, gpointer guard)
{
    const struct allowance *allowance = value;
    (void)client, (void)guard;
    return job_clock() - allowance->at > 60;
}

bool guard_allows(struct guard *guard, const char *client)
{
    double rate = guard->options->rate, now = job_clock();
    if (!guard->options->public)
        return true;
    if (g_hash_table_size(guard->allowances) > MOST_ALLOWANCES)
        g_hash_table_foreach_remove(guard->allowances, is_whole, guard);
    struct allowance *allowance = g_hash_table_lookup(guard->allowances, client);
    if (!allowance) {
        if (g_hash_table_size(guard->allowances) > MOST_ALLOWANCES)
            return false;
        allowance = g_memdup2(&(struct allowance){rate, now}, sizeof *allowance);
        g_hash_table_insert(guard->allowances, g_strdup(client), allowance);
    }
    allowance->left = MIN(rate, allowance->left + (now - allowance->at) * rate / 60);
    allowance->at = now;
    if (allowance->left < 1)
        return false;
    allowance->left--;
    return true;
}
