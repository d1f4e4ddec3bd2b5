/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_TEMPLATE_H
#define CLI_SHOW_TEMPLATE_H

#include <glib.h>
#include <jansson.h>

/* Texts with holes, as mustache has them: a file in the language of what is written, filled in from a
 * JSON value.
 *   {{key}}            the key's text or number, escaped as the output needs it
 *   {{&key}}           the same as it is
 *   {{#key}}…{{/key}}  once for each item of an array; of anything else once, unless it is false, null,
 *                      0, "" or missing
 *   {{^key}}…{{/key}}  once when the former writes nothing
 *   {{.}}              in a section: the item itself
 * A key is looked for in the innermost object first, then in those around it. The tag of a section that
 * is alone on its line takes the line with it. No section lies inside of one of the same name. */

/* Appends the text in the output's spelling. NULL: every text is its own. */
typedef void template_escape(const char *text, GString *out);

void template_fill(const char *template, const json_t *view, template_escape *escape, GString *out);

#endif
