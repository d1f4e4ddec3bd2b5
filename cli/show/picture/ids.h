/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_IDS_H
#define CLI_SHOW_PICTURE_IDS_H

#include <graphviz/cgraph.h>

/* How Graphviz numbers what is in a graph: in the order in which it was made. Its own numbers are
 * addresses of strings, and it writes subgraphs in the order of their numbers, so that equal
 * pictures would not be equal bytes. */
extern const Agiddisc_t picture_ids;

#endif
