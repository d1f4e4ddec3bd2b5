/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_STREAMS_H
#define CLI_SHOW_STREAMS_H

/* Ties standard error to standard output, which is buffered: where both go to one place, the
 * messages of a test stand beside its block and never inside a line. main calls it before anything
 * is printed. */
void streams_tie(void);

#endif
