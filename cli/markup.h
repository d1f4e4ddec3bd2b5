/* SPDX-License-Identifier: MIT */
#ifndef CLI_MARKUP_H
#define CLI_MARKUP_H

#include <glib.h>

/* Text with the characters that HTML, SVG and XML give a meaning replaced, and '?' for those that
 * XML cannot hold. */
void markup_escape(const char *text, GString *out);

#endif
