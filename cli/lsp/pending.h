/* SPDX-License-Identifier: MIT */
#ifndef CLI_LSP_PENDING_H
#define CLI_LSP_PENDING_H

#include <jansson.h>

#include "cli/lsp/document.h"
#include "cli/work/task.h"

/* Looking for the verdict of a document, for a request that waits for it. */
struct pending_lens {
    struct task_process process;
    const struct settings *settings;
    const struct document *document;
    json_t *id, *lens; /* the request, and what it asks to complete */
};

/* NULL when no process can be started. Keeps references to 'id' and 'lens'. */
struct pending_lens *pending_start(const struct settings *settings, const struct document *document,
                                   json_t *id, json_t *lens);
/* NULL while it runs; else the title, which the caller frees. 'readable': its channel is. */
char *pending_take(struct pending_lens *search, bool readable);
/* 'over': pending_take gave the title; else it is ended now. */
void pending_free(struct pending_lens *search, bool over);

#endif
