/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_POSITION_H
#define CLI_EDITOR_POSITION_H

#include <jansson.h>

#include "litmus/base/source.h"

/* Places as the Language Server Protocol and JavaScript count them: lines from 0, and in a line units of
 * UTF-16. The texts are UTF-8. */
struct position {
    uint32_t line, character;
};

/* Past the end of a line: its end; past the last line: the end of the text. */
uint32_t position_offset(const struct source *source, struct position position);

/* {"line": …, "character": …}; what is no such object is 0, 0. */
struct position position_read(const json_t *object);
/* {"start": …, "end": …} */
json_t *position_range(const struct source *source, struct span span);

#endif
