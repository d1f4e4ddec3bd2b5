/* SPDX-License-Identifier: MIT */
#ifndef CLI_LSP_DOCUMENT_H
#define CLI_LSP_DOCUMENT_H

#include <jansson.h>

#include "cli/editor/reading.h"

/* A text that is open in the editor, as the editor has it. */
struct document {
    char *uri, *path;
    char *text;
    size_t length;
    json_int_t version;
    struct editor_text *read; /* the text, read */
    struct editor_text
        *before; /* the last one that was a test without errors, if 'read' is none; or NULL */
    bool told;   /* the editor has the diagnostics of it */
    char *title; /* of its lens, once it is known; or NULL */
};

struct document *document_new(const char *uri);
void document_free(void *document); /* for hash tables */
/* Takes the new text, and reads it. */
void document_change(struct document *document, const struct editor_reading *how, const char *text,
                     size_t length, json_int_t version);
/* The names that a completion may offer are those of this text; or NULL. */
const struct editor_text *document_good(const struct document *document);

#endif
