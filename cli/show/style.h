/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_STYLE_H
#define CLI_SHOW_STYLE_H

/* Colour for people: on a terminal only, and never when NO_COLOR is set (no-color.org). */
enum style { STYLE_GOOD, STYLE_BAD, STYLE_OPEN, STYLE_STRONG };

/* The escape that starts a style on standard output, or "" when it is not coloured. */
const char *style_on(enum style style);
const char *style_off(void);

#endif
