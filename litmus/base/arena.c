/* SPDX-License-Identifier: MIT */
#include "litmus/base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024, ALIGNMENT = 16 };

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

struct arena {
    struct block *current;
    size_t bytes, next_size;
};

static struct block *new_block(size_t size)
{
    struct block *block = calloc(1, sizeof *block + size);
    if (!block)
        abort();
    block->size = size;
    return block;
}

struct arena *arena_new(void)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        abort();
    arena->next_size = FIRST_BLOCK;
    return arena;
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *block = arena->current; block;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

static void add_block(struct arena *arena, size_t bytes)
{
    size_t size = bytes > arena->next_size ? bytes : arena->next_size;
    struct block *block = new_block(size);
    block->next = arena->current;
    arena->current = block;
    if (arena->next_size < LARGEST_BLOCK)
        arena->next_size *= 2;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        abort();
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
    void *result = arena_alloc(arena, new_bytes);
    if (old_bytes)
        memcpy(result, old, old_bytes);
    return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
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

void vec_reserve(struct arena *arena, void **at, uint32_t *cap, size_t item_bytes)
{
    uint32_t wanted = *cap ? *cap * 2 : 8;
    *at = arena_grow(arena, *at, *cap * item_bytes, wanted * item_bytes);
    *cap = wanted;
}
