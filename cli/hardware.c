/* SPDX-License-Identifier: MIT */
#include "cli/hardware.h"

#include <errno.h>
#include <glib.h>
#include <jansson.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/print.h"

enum { MOST_BYTES = 1 << 30 };

struct sighting {
    const char *test, *file;
    json_t *state;
    uint64_t count;
};

struct hardware {
    struct tie tie;
    json_t *lines; /* keeps what the sightings point to */
    VEC(struct sighting) items;
};

static void drop(void *hardware)
{
    json_decref(((struct hardware *)hardware)->lines);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool add(struct arena *arena, struct hardware *hardware, json_t *line)
{
    json_int_t count;
    struct sighting s = {0};
    if (json_unpack(line, "{s:s, s:s, s:o, s:I}", "test", &s.test, "file", &s.file, "state",
                    &s.state, "count", &count) ||
        !json_is_object(s.state) || count < 0)
        return false;
    s.file = base_name(s.file);
    s.count = (uint64_t)count;
    vec_push(arena, &hardware->items, s);
    return true;
}

static void refuse(struct diag_list *diags, const char *path, size_t line)
{
    diag_add(diags, DIAG_bad_histogram, NULL, (struct span){0}, "made by 'ptxlit emit', run --json",
             "'%s', line %zu, is no final state of a histogram", path, line);
}

struct hardware *hardware_read(struct arena *arena, const char *path, struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 path, g_strerror(errno));
        return NULL;
    }
    struct hardware *hardware = ARENA_NEW(arena, struct hardware);
    hardware->lines = json_array();
    arena_tie(arena, &hardware->tie, drop, hardware);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; lines[i]; i++) {
        json_t *line = *lines[i] ? json_loads(lines[i], 0, NULL) : NULL;
        bool good = !*lines[i] || (line && add(arena, hardware, line));
        json_array_append_new(hardware->lines, line ? line : json_null());
        if (!good) {
            refuse(diags, path, i + 1);
            return NULL;
        }
    }
    return hardware;
}

/* ---- a test's -------------------------------------------------------------------------------- */

/* The bits of what a state shows; false when it does not show the term. */
static bool bits_of(struct arena *arena, const struct test *test, const struct cond_term *term,
                    const json_t *state, uint64_t *bits)
{
    const json_t *value = json_object_get(state, print_term(arena, test, term));
    unsigned width = outcome_reading(test, term).width;
    *bits = (uint64_t)json_integer_value(value);
    if (width < 64)
        *bits &= (UINT64_C(1) << width) - 1;
    return json_is_integer(value);
}

static void see(struct hardware_seen *seen, const struct test *test, const struct sighting *s)
{
    uint64_t *values = ARENA_ARRAY(seen->states.arena, uint64_t, test->observed_count + 1);
    for (uint32_t i = 0; i < test->observed_count; i++)
        if (!bits_of(seen->states.arena, test, &test->observed[i], s->state, &values[i]))
            return;
    seen->runs += s->count;
    if (outcome_satisfies(test, test->filter, values))
        outcome_add(&seen->states, values);
}

struct hardware_seen hardware_find(struct arena *arena, const struct hardware *hardware,
                                   const struct test *test, const char *path)
{
    struct hardware_seen seen = {.states = {.test = test, .arena = arena}};
    for (uint32_t i = 0; hardware && i < hardware->items.len; i++)
        if (strcmp(hardware->items.at[i].test, test->name) == 0 &&
            strcmp(hardware->items.at[i].file, base_name(path)) == 0)
            see(&seen, test, &hardware->items.at[i]);
    return seen;
}
