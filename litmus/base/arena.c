/* SPDX-License-Identifier: MIT */
#include "litmus/base/arena.h"

#include <assert.h>
#include <glib.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024, ALIGNMENT = 16 };
enum { FIRST_SCRATCH_BLOCK = 4 * 1024 };
enum { CLOCK_INTERVAL = 256 }; /* allocations between two looks at the clock */

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

/* Of an arena and its scratch arenas together. */
struct budget {
    size_t held;     /* in blocks */
    jmp_buf *escape; /* out of arena_run's work; NULL outside of it: no limits */
    struct arena_limits limits;
    gint64 deadline;
    unsigned allocations;
};

struct arena {
    struct block *current;
    size_t bytes, next_size;
    struct tie *ties;
    struct budget *budget; /* its own or that of the arena it is scratch of */
    struct budget own;
    struct tie tie; /* a scratch arena, to the one it is freed with */
};

/* ---- limits --------------------------------------------------------------------------------- */

static _Noreturn void leave(struct budget *budget, enum arena_end end)
{
    if (!budget->escape)
        abort();
    longjmp(*budget->escape, (int)end);
}

static size_t elsewhere(const struct budget *budget)
{
    return budget->limits.elsewhere ? budget->limits.elsewhere() : 0;
}

static void check_memory(struct budget *budget, size_t more)
{
    if (budget->escape && budget->limits.refuse &&
        budget->limits.refuse(budget->limits.context, more))
        leave(budget, ARENA_MEMORY);
    if (!budget->escape || !budget->limits.bytes)
        return;
    if (more > budget->limits.bytes ||
        budget->held + elsewhere(budget) > budget->limits.bytes - more)
        leave(budget, ARENA_MEMORY);
}

static void check_clock(struct budget *budget)
{
    if (budget->deadline && ++budget->allocations % CLOCK_INTERVAL == 0 &&
        g_get_monotonic_time() > budget->deadline)
        leave(budget, ARENA_TIME);
}

static void begin(struct budget *budget, const struct arena_limits *limits, jmp_buf *escape)
{
    budget->limits = *limits;
    budget->escape = escape;
    budget->deadline =
        limits->seconds > 0 ? g_get_monotonic_time() + (gint64)(limits->seconds * 1e6) : 0;
}

static void end(struct budget *budget)
{
    budget->escape = NULL;
    budget->deadline = 0;
    budget->limits = (struct arena_limits){0};
}

enum arena_end arena_run(struct arena *arena, const struct arena_limits *limits,
                         void (*work)(void *context), void *context)
{
    assert(work && limits);
    jmp_buf escape;
    switch (setjmp(escape)) { /* its value may be tested, not kept (C11 7.13.1.1) */
    case ARENA_DONE:
        begin(arena->budget, limits, &escape);
        work(context);
        end(arena->budget);
        return ARENA_DONE;
    case ARENA_MEMORY:
        end(arena->budget);
        return ARENA_MEMORY;
    case ARENA_TIME:
        end(arena->budget);
        return ARENA_TIME;
    default: /* longjmp is called with these only */
        abort();
    }
}

size_t arena_left_elsewhere(const struct arena *arena)
{
    const struct budget *budget = arena->budget;
    if (!budget->escape || !budget->limits.bytes)
        return SIZE_MAX;
    return budget->limits.bytes > budget->held ? budget->limits.bytes - budget->held : 0;
}

/* ---- what ends with an arena ---------------------------------------------------------------- */

void arena_tie(struct arena *arena, struct tie *tie, void (*release)(void *object), void *object)
{
    assert(release && !tie->from);
    *tie = (struct tie){arena->ties, &arena->ties, release, object};
    if (tie->next)
        tie->next->from = &tie->next;
    arena->ties = tie;
}

void arena_untie(struct tie *tie)
{
    if (!tie->from)
        return;
    *tie->from = tie->next;
    if (tie->next)
        tie->next->from = tie->from;
    tie->from = NULL;
}

static void release_ties(struct arena *arena)
{
    for (struct tie *tie; (tie = arena->ties);) {
        arena_untie(tie);
        tie->release(tie->object);
    }
}

/* ---- blocks --------------------------------------------------------------------------------- */

static struct block *new_block(struct budget *budget, size_t size)
{
    check_memory(budget, size);
    size_t whole = sizeof(struct block) + size;
    struct block *block = budget->escape ? calloc(1, whole) : g_malloc0(whole);
    if (!block)
        leave(budget, ARENA_MEMORY);
    block->size = size;
    budget->held += size;
    return block;
}

static struct arena *make(struct budget *budget, size_t first_size)
{
    bool limited = budget && budget->escape;
    struct arena *arena = limited ? calloc(1, sizeof *arena) : g_malloc0(sizeof *arena);
    if (!arena)
        leave(budget, ARENA_MEMORY);
    arena->budget = budget ? budget : &arena->own;
    arena->next_size = first_size;
    return arena;
}

struct arena *arena_new(void)
{
    return make(NULL, FIRST_BLOCK);
}

static void free_scratch(void *arena)
{
    arena_free(arena);
}

struct arena *arena_scratch(struct arena *of)
{
    assert(of);
    struct arena *arena = make(of->budget, FIRST_SCRATCH_BLOCK);
    arena_tie(of, &arena->tie, free_scratch, arena);
    return arena;
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    arena_untie(&arena->tie);
    release_ties(arena);
    for (struct block *block = arena->current; block;) {
        struct block *next = block->next;
        arena->budget->held -= block->size;
        free(block);
        block = next;
    }
    free(arena);
}

static void add_block(struct arena *arena, size_t bytes)
{
    size_t size = bytes > arena->next_size ? bytes : arena->next_size;
    struct block *block = new_block(arena->budget, size);
    block->next = arena->current;
    arena->current = block;
    if (arena->next_size < LARGEST_BLOCK)
        arena->next_size *= 2;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    assert(arena);
    if (bytes > SIZE_MAX / 2)
        leave(arena->budget, ARENA_MEMORY);
    check_clock(arena->budget);
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (!arena->current || arena->current->size - arena->current->used < bytes)
        add_block(arena, bytes);
    void *result = arena->current->bytes + arena->current->used;
    arena->current->used += bytes;
    arena->bytes += bytes;
    return result;
}

void *arena_grow(struct arena *arena, void *old, size_t old_bytes, size_t new_bytes)
{
    assert(old_bytes <= new_bytes && (old || !old_bytes));
    void *result = arena_alloc(arena, new_bytes);
    if (old_bytes)
        memcpy(result, old, old_bytes);
    return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    assert(text || !length);
    return arena_grow(arena, (char *)text, length, length + 1);
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

size_t arena_bytes(const struct arena *arena)
{
    return arena->bytes;
}

void arena_reserve(struct arena *arena, void **at, uint32_t *cap, size_t item_bytes)
{
    assert(item_bytes);
    uint32_t wanted = *cap ? *cap * 2 : 8;
    *at = arena_grow(arena, *at, *cap * item_bytes, wanted * item_bytes);
    *cap = wanted;
}
