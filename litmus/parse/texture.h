/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_TEXTURE_H
#define LITMUS_PARSE_TEXTURE_H

#include "litmus/parse/parser.h"

/* Does "texture f32 …" or "surface …" begin here? */
bool parse_at_texture(const struct parser *p);
/* "texture float4 t[2][8] linear aliases x"; false after a report. */
bool parse_texture(struct parser *p);

#endif
