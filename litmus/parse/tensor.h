/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_TENSOR_H
#define LITMUS_PARSE_TENSOR_H

#include "litmus/parse/parser.h"

/* "tensormap" before the name of a location that is declared. */
bool parse_at_tensor_map(const struct parser *p);
/* What follows the name: "= tiled(a, dims {64, 32}, box {8, 8}, swizzle 128)", or "[2] = {tiled(…), tiled(…)}", into the
 * location. False after a report. */
bool parse_tensor_maps(struct parser *p, struct location *location);

#endif
