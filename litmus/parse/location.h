/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_LOCATION_H
#define LITMUS_PARSE_LOCATION_H

#include "litmus/parse/parser.h"

/* Locations: their names, and what their declarations have in common. False after a report, unless
 * another reason is given. */

/* False: neither the body (NONE: no body) nor the test has a location of this name. */
bool parse_find_location(const struct parser *p, uint32_t body, struct span name, uint32_t *index);
/* The location's index, made when it is new: 'declared' stays false. */
uint32_t parse_location(struct parser *p, struct span name);
/* The location of the test; no code declares it. */
bool parse_known_location(struct parser *p, struct span name, uint32_t *location);
/* Enters a declaration where the parser stands: in the initial state, a module, a body or a block. */
uint32_t parse_declare_location(struct parser *p, struct span name, struct location location);

/* False: it is no such word. */
bool parse_type_word(const struct parser *p, struct span word, enum type *type);
bool parse_space_word(const struct parser *p, struct span word, enum space *space);
bool parse_space(struct parser *p, enum space *space); /* passes ".shared" */
/* Passes ".align 8", if it is there. */
bool parse_alignment(struct parser *p, uint32_t *align);
/* ".v2" or ".v4", if it is there; and what follows from it once the type is known. */
bool parse_vector(struct parser *p, struct location *location);
void parse_vector_alignment(struct location *location);
/* "[4]", "[2][3]", or "[]" when the initial values say how many: of elements, or of the location's vectors. */
bool parse_array_size(struct parser *p, struct location *location, bool *sized);
/* 5, -5, 1.5, &x or x; 'what': as an error calls it. */
bool parse_value(struct parser *p, const char *what, struct location_init *value);
/* "= 5", "= {1, 2}" or nothing. */
bool parse_initializer(struct parser *p, struct location *location, bool sized);
/* "[1] = 2": values of elements of a declared array, from that one on. */
bool parse_element_values(struct parser *p, struct location *location);

#endif
