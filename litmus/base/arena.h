/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_ARENA_H
#define LITMUS_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* A region of memory freed all at once. Everything of one test lives in one arena; a pass that
 * needs scratch memory makes its own. Allocation never returns NULL: running out of memory
 * aborts, as in GLib. Not safe for use by two threads at once. */
struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* accepts NULL */

/* Zeroed memory, aligned for any type; valid until arena_free. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* The old block is not reused; 'old_bytes' are copied. */
void *arena_grow(struct arena *arena, void *old, size_t old_bytes, size_t new_bytes);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments);
/* Bytes handed out so far, for reports of memory use. */
size_t arena_bytes(const struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* A growable array in an arena: struct { T *at; uint32_t len, cap; }. */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t len, cap;                                                                         \
    }

/* Appends 'item'; evaluates 'vec' more than once. */
#define vec_push(arena, vec, item)                                                                 \
    do {                                                                                           \
        if ((vec)->len == (vec)->cap)                                                              \
            vec_reserve((arena), (void **)&(vec)->at, &(vec)->cap, sizeof *(vec)->at);             \
        (vec)->at[(vec)->len++] = (item);                                                          \
    } while (0)

/* Doubles the capacity of a VEC; for vec_push only. */
void vec_reserve(struct arena *arena, void **at, uint32_t *cap, size_t item_bytes);

#endif
