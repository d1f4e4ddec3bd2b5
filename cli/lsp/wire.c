/* SPDX-License-Identifier: MIT */
#include "cli/lsp/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "litmus/base/number.h"
#include "litmus/base/source.h"

enum { LONGEST_HEADER = 4096, CHUNK = 64 * 1024 };

struct wire wire_open(int in, FILE *out)
{
    return (struct wire){in, out, g_string_new(NULL), false};
}

void wire_close(struct wire *wire)
{
    g_string_free(wire->received, TRUE);
}

bool wire_receive(struct wire *wire)
{
    char buffer[CHUNK];
    ssize_t got = read(wire->in, buffer, sizeof buffer);
    if (got > 0)
        g_string_append_len(wire->received, buffer, got);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* The number behind "Content-Length:" among the headers. */
static bool read_length(const char *headers, uint64_t *length)
{
    g_auto(GStrv) lines = g_strsplit(headers, "\r\n", -1);
    for (char **line = lines; *line; line++) {
        const char *colon = strchr(*line, ':');
        if (!colon || g_ascii_strncasecmp(*line, "Content-Length", (size_t)(colon - *line)) != 0)
            continue;
        const char *digits = colon + 1 + strspn(colon + 1, " ");
        return number_whole(digits, strlen(digits), 0, SOURCE_MAX_BYTES, length) == NUMBER_GOOD;
    }
    return false;
}

bool wire_next(struct wire *wire, json_t **message)
{
    GString *received = wire->received;
    const char *end =
        g_strstr_len(received->str, MIN((gssize)received->len, LONGEST_HEADER), "\r\n\r\n");
    uint64_t length;
    if (wire->broken || (!end && received->len < LONGEST_HEADER))
        return false;
    size_t head = end ? (size_t)(end - received->str) : 0;
    g_autofree char *headers = g_strndup(received->str, head);
    wire->broken = !end || !read_length(headers, &length);
    if (wire->broken || received->len < head + 4 + length)
        return false;
    *message = json_loadb(received->str + head + 4, length, JSON_ALLOW_NUL, NULL);
    g_string_erase(received, 0, (gssize)(head + 4 + length));
    return true;
}

void wire_send(struct wire *wire, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    g_assert(text);
    fprintf(wire->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(wire->out);
    g_free(text); /* main gives jansson GLib's allocation */
    json_decref(message);
}
