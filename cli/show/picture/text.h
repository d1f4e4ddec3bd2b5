/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_TEXT_H
#define CLI_SHOW_PICTURE_TEXT_H

#include "cli/show/picture/arrows.h"

/* What a picture writes on an event: its letter, what it does and which value it moves: one or two lines, separated by '\n'. In
 * 'arena'. */
const char *picture_event_text(struct arena *arena, const struct execution *execution,
                               const struct arrow_list *arrows, event_id event);

#endif
