/* SPDX-License-Identifier: MIT */
#include "cli/work/stream.h"

#include <errno.h>

#include "litmus/read/split.h"

enum { WINDOW = 4 << 20 }; /* bytes read before tests are given out */

struct test_stream stream_open(FILE *file)
{
    return (struct test_stream){.file = file, .pending = g_string_new(NULL)};
}

void stream_close(struct test_stream *stream)
{
    g_string_free(stream->pending, TRUE);
}

/* Reads 'bytes' more, or to the end. */
static void fill(struct test_stream *stream, size_t bytes, struct diag_list *diags)
{
    size_t before = stream->pending->len;
    g_string_set_size(stream->pending, before + bytes);
    size_t got = fread(stream->pending->str + before, 1, bytes, stream->file);
    g_string_set_size(stream->pending, before + got);
    stream->ended = got < bytes;
    if (ferror(stream->file))
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL,
                 "cannot read standard input: %s", g_strerror(errno));
}

static void give(struct test_stream *stream, struct arena *arena, struct input_list *inputs,
                 const char *text, size_t length, bool only)
{
    struct input input = {only ? "-" : arena_printf(arena, "-#%u", stream->met + 1),
                          arena_strndup(arena, text, length), length, "."};
    vec_push(arena, &inputs->items, input);
    stream->met++;
}

/* Gives out the tests of which the end has been read. */
static void give_whole(struct test_stream *stream, struct arena *arena, struct input_list *inputs)
{
    struct arena *scratch = arena_new();
    const char *text = stream->pending->str;
    size_t length = stream->pending->len;
    const struct source *source = source_new(scratch, "-", text, MIN(length, SOURCE_MAX_BYTES));
    uint32_t from = 0;
    for (uint32_t next; (next = litmus_next_test(source, from)) < source->length; from = next)
        give(stream, arena, inputs, text + from, next - from, false);
    bool is_empty = !length && !stream->met; /* as of a shard without tests */
    if ((stream->ended && !is_empty) || length > SOURCE_MAX_BYTES) {
        give(stream, arena, inputs, text + from, length - from, stream->met == 0);
        from = (uint32_t)length;
    }
    g_string_erase(stream->pending, 0, from);
    arena_free(scratch);
}

bool stream_next(struct test_stream *stream, struct arena *arena, struct input_list *inputs,
                 struct diag_list *diags)
{
    uint32_t before = inputs->items.len;
    while (!stream->ended && inputs->items.len == before) {
        fill(stream, WINDOW, diags);
        give_whole(stream, arena, inputs);
    }
    return inputs->items.len > before;
}
