/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_WORDS_H
#define CLI_REPORT_WORDS_H

#include <jansson.h>

/* Sets of words and counts of pairs of words, as JSON objects. */

/* Adds each word of a text, separated by blanks. */
void words_add(json_t *set, const char *text);
/* The words of a set or of a table, sorted: an array that the caller owns. */
json_t *words_sorted(const json_t *set);
/* Adds to the count of two words in a table: {row: {column: count}}. */
void words_count(json_t *table, const char *row, const char *column, json_int_t by);
/* 0 for what was never counted. */
json_int_t words_counted(const json_t *table, const char *row, const char *column);

#endif
