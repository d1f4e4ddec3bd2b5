/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_FILE_H
#define CLI_SHOW_PICTURE_FILE_H

#include "cli/show/picture/picture.h"

/* The files of --svg, --pdf, --tikz, --dot and --timeline: the one that was named or, in a folder, one a test. */

/* What a file of this name holds: PDF or TikZ when it ends in ".pdf" or ".tex"; otherwise SVG, as all files of a
 * folder do. */
enum picture_format picture_format_of(const char *target);

/* False after an error in the job's diagnostics. */
bool picture_save(struct job *job, const char *target, enum picture_format format,
                  const GString *text);

/* Writes the picture to 'target', if there is one; of several examples the others to files beside it,
 * "mp-2.svg" after "mp.svg". False after an error in the job's diagnostics;
 * of a test without a picture 'err' is told why. */
bool picture_write(struct job *job, const struct explanation *explanation,
                   enum picture_format format, struct picture_view view, const char *target,
                   GString *err);
/* For several tests 'target' (NULL: not asked for) is a folder, made when missing. False when it
 * cannot be: errno says why. */
bool picture_folder(const char *target, bool many);

#endif
