/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_INCLUDE_H
#define LITMUS_PARSE_INCLUDE_H

#include "litmus/parse/parser.h"

/* 'ptx "mp.ptx"' or 'cuda "mp.cu"' in place of code: the items of that module. */
bool parse_at_include(const struct parser *p);
void parse_include(struct parser *p);
/* Gives a parser of a test the files of one that has read it, whose source it reads. */
void parse_have_files(struct parser *p, const struct parser *before);
/* The bytes of the file that the string names, not compiled. */
struct source_file parse_text_file(struct parser *p, struct span string);
/* The file that the string under the cursor names; passes the string. */
struct source_file parse_file(struct parser *p);

#endif
