/* SPDX-License-Identifier: MIT */
#ifndef CLI_LSP_WIRE_H
#define CLI_LSP_WIRE_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Messages of JSON-RPC behind headers, as the Language Server Protocol frames them. */

struct wire {
    int in;
    FILE *out;
    GString *received;
    bool broken; /* what came is no message: nothing more can be understood */
};

struct wire wire_open(int in, FILE *out);
void wire_close(struct wire *wire);
/* Reads what has come, and waits for it. False at the end of the input. */
bool wire_receive(struct wire *wire);
/* Takes the next whole message; *message is NULL when it is no JSON. False: there is none. */
bool wire_next(struct wire *wire, json_t **message);
void wire_send(struct wire *wire, json_t *message); /* drops it */

#endif
