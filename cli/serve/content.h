/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_CONTENT_H
#define CLI_SERVE_CONTENT_H

#include <microhttpd.h>

#include "cli/serve/corpus.h"

/* What is sent to a browser. */

/* The response to a GET: the page, its parts, "/corpus", "/corpus/N", "/models", "/models/NAME". NULL: there is no such
 * thing. */
struct MHD_Response *content_find(const struct corpus *corpus, const char *path);
/* A response of these bytes, which are copied, with the headers that every response has: a browser is to load nothing from
 * elsewhere, nor guess, nor show it in a frame of another site. */
struct MHD_Response *content_new(const char *type, const void *bytes, size_t length);
/* {"error": words} */
struct MHD_Response *content_error(const char *words);

#endif
