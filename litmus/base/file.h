/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_FILE_H
#define LITMUS_BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "litmus/base/arena.h"
#include "litmus/base/source.h"

/* Reads and writes whole files. A path may lead to a device or a pipe: it may have no end, and must
 * not be replaced by a file. */

/* The rest of a stream, but no more than 'most' bytes and one, so that the caller sees that there
 * is more; a NUL stands behind them. Lives as long as 'arena'. */
const char *file_drain(struct arena *arena, FILE *stream, size_t most, size_t *length);
/* The bytes of a file. NULL when it cannot be read, or holds more than 'most': errno says why,
 * EFBIG the latter. */
const char *file_read(struct arena *arena, const char *path, size_t most, size_t *length);
/* The module in a .ptx file, for one that ends in ".cu" the one kept beside it; of any other file the
 * bytes. Only of regular files. */
struct source_file file_read_kept(struct arena *arena, const char *path);
/* A text as it stands; 'files' has it where that is not NULL and reads texts. */
struct source_file file_read_text(const struct source_files *files, struct arena *arena,
                                  const char *path);
/* Is the .ptx file older than the .cu file beside it, by more than a copy of both makes it? */
bool file_kept_is_older(const char *ptx, const char *cu);
/* "a/mp.ptx" of "a/mp.cu", and the reverse. */
const char *file_with_suffix(struct arena *arena, const char *path, const char *suffix);
/* Writes to a descriptor until all is written or nothing more can be (errno says why); how much was. */
size_t file_write_all(int file, const void *bytes, size_t length);
/* A regular file, or a new one, is replaced at once or not at all; anything else, links included,
 * is written through. NULL, or why it could not be written. */
const char *file_write(struct arena *arena, const char *path, const void *bytes, size_t length);

#endif
