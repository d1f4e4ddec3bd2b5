/* SPDX-License-Identifier: MIT */
#include "cli/editor/position.h"

#include <glib.h>

/* Bytes and units of the character that begins with this byte. */
static uint32_t bytes_of(unsigned char first)
{
    return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static uint32_t units_of(unsigned char first)
{
    return first < 0xf0 ? 1 : 2;
}

uint32_t position_offset(const struct source *source, struct position position)
{
    if (position.line >= source->line_count)
        return source->length;
    struct span line = source_line(source, source->line_starts[position.line]);
    uint32_t at = line.offset, end = line.offset + line.length;
    for (uint32_t units = 0; at < end && units < position.character;) {
        unsigned char first = (unsigned char)source->text[at];
        units += units_of(first);
        at += bytes_of(first);
    }
    return MIN(at, end);
}

static struct position position_at(const struct source *source, uint32_t offset)
{
    struct place place = source_place(source, MIN(offset, source->length));
    uint32_t start = source->line_starts[place.line - 1], units = 0;
    for (uint32_t at = start; at < start + place.column - 1;
         at += bytes_of((unsigned char)source->text[at]))
        units += units_of((unsigned char)source->text[at]);
    return (struct position){place.line - 1, units};
}

static uint32_t number_at(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return (uint32_t)CLAMP(value, 0, (json_int_t)INT32_MAX);
}

struct position position_read(const json_t *object)
{
    return (struct position){number_at(object, "line"), number_at(object, "character")};
}

static json_t *position_json(struct position position)
{
    return json_pack("{s:i, s:i}", "line", (int)position.line, "character",
                     (int)position.character);
}

json_t *position_range(const struct source *source, struct span span)
{
    return json_pack("{s:o, s:o}", "start", position_json(position_at(source, span.offset)), "end",
                     position_json(position_at(source, span.offset + span.length)));
}
