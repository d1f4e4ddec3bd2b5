/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_MARKUP_H
#define CLI_SHOW_MARKUP_H

#include <glib.h>

/* The text as XML can hold it: '?' for each byte that is no UTF-8 and each character that XML does
 * not have. The caller frees it. */
char *markup_clean(const char *text);
/* Text with the characters that HTML, SVG and XML give a meaning replaced, and '?' for those that
 * XML cannot hold. */
void markup_escape(const char *text, GString *out);

#endif
