/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_ARENA_H
#define LITMUS_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A region of memory freed all at once. Everything of one test lives in one arena; a pass that
 * needs scratch memory makes its own. Allocation never returns NULL: running out of memory ends
 * arena_run; outside of it, it aborts, as in GLib. Not safe for use by two threads at once. */
struct arena;

struct arena *arena_new(void);
/* Another one, freed with 'of' at the latest; what it holds counts as held by 'of'. */
struct arena *arena_scratch(struct arena *of);
void arena_free(struct arena *arena); /* accepts NULL */

/* Something outside of the arena that must not outlive it: 'release' gets 'object' when the arena is
 * freed, the last tied first, unless it was untied before. The tie itself may lie in the arena. */
struct tie {
    struct tie *next, **from;
    void (*release)(void *object);
    void *object;
};
void arena_tie(struct arena *arena, struct tie *tie, void (*release)(void *object), void *object);
void arena_untie(struct tie *tie);

/* What a piece of work may use. */
struct arena_limits {
    size_t bytes; /* held by the arena, its scratch arenas and elsewhere; 0: no limit */
    size_t (*elsewhere)(void); /* bytes that the work makes others hold, or NULL */
    double seconds;            /* 0: no limit */
    /* Asked before a block of 'bytes' is taken: true when there is no memory for it. Or NULL. */
    bool (*refuse)(void *context, size_t bytes);
    void *context;
};
enum arena_end { ARENA_DONE, ARENA_MEMORY, ARENA_TIME };
/* Does work(context), whose memory all comes from 'arena', its scratch arenas and what is tied to
 * them. Past a limit, or when the system has no memory left, the work is left in the middle of an
 * allocation; what it made stays until arena_free. One at a time an arena. */
enum arena_end arena_run(struct arena *arena, const struct arena_limits *limits,
                         void (*work)(void *context), void *context);
/* What the limit of arena_run leaves for elsewhere, in bytes; SIZE_MAX without one. */
size_t arena_left_elsewhere(const struct arena *arena);

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
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

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
            arena_reserve((arena), (void **)&(vec)->at, &(vec)->cap, sizeof *(vec)->at);           \
        (vec)->at[(vec)->len++] = (item);                                                          \
    } while (0)

/* Doubles the capacity of a VEC; for vec_push only. */
void arena_reserve(struct arena *arena, void **at, uint32_t *cap, size_t item_bytes);

#endif
