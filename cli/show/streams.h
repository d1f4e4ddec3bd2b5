/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_STREAMS_H
#define CLI_SHOW_STREAMS_H

/* Ties the standard error to the standard output, which is buffered: where both go to one place,
 * what is said of a test stands beside its block and cuts no line. For main, before anything is
 * printed. */
void streams_tie(void);

#endif
