/* SPDX-License-Identifier: MIT */
#include "cli/emit/emit.h"

bool emit_refuse(struct job *job, struct span span, const char *what)
{
    diag_add(&job->diags, DIAG_not_emitted, job->test->source, span, NULL,
             "'emit' does not write %s as a CUDA program", what);
    return false;
}
