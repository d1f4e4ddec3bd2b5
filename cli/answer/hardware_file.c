/* SPDX-License-Identifier: MIT
 *
 * Reads what a program of 'ptxlit emit' printed, of which a killed run may have left half of a line, and with which anything may
 * have happened since. The lines of a test are its final states and then, unless it was cut short, how often it ran: states
 * that do not add up are told of, and a line that is there again, of one start of the program, is counted once. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/answer/hardware_file.h"
#include "litmus/base/file.h"

enum { MOST_BYTES = 1 << 28, MOST_SECONDS = 1000000000 };

/* What was wrong with some of the lines or runs: how many, and the first. */
struct fault {
    uint32_t count;
    size_t line;
    const char *test;
    uint64_t ran, seen;
};

/* Runs of one test, so far. */
struct runs {
    VEC(struct sighting) states;
    uint64_t sum;
};

struct seen_reader {
    struct arena *arena;
    struct hardware *hardware;
    GHashTable *open;  /* "FILE\nTEST" -> struct runs */
    GHashTable *known; /* all lines behind one that says where they ran, with that */
    const char *origin;
    size_t origin_length, number; /* number: of the line */
    struct fault bad, twice, more, fewer;
};

static void note(struct seen_reader *r, struct fault *fault, const char *test, uint64_t ran,
                 uint64_t seen)
{
    if (!fault->count++)
        *fault = (struct fault){1, r->number, test, ran, seen};
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct runs *runs_of(struct seen_reader *r, const char *file, const char *test)
{
    const char *key = arena_printf(r->arena, "%s\n%s", file, test);
    struct runs *runs = g_hash_table_lookup(r->open, key);
    if (runs)
        return runs;
    runs = ARENA_NEW(r->arena, struct runs);
    g_hash_table_insert(r->open, (char *)key, runs);
    return runs;
}

static void keep(struct seen_reader *r, const struct runs *runs)
{
    for (uint32_t i = 0; i < runs->states.len; i++)
        vec_push(r->arena, &r->hardware->items, runs->states.at[i]);
}

/* Another machine, or another start of the program: what was cut short is what was seen until then. */
static void begin_origin(struct seen_reader *r, const char *text, size_t length)
{
    GHashTableIter at;
    void *runs;
    g_hash_table_iter_init(&at, r->open);
    while (g_hash_table_iter_next(&at, NULL, &runs))
        keep(r, runs);
    g_hash_table_remove_all(r->open);
    r->origin = text;
    r->origin_length = length;
}

/* Without its states a run says nothing of what was seen. */
static bool adds_up(struct seen_reader *r, const struct runs *runs, const json_t *line,
                    const char *test)
{
    const json_t *said = json_object_get(line, "runs");
    uint64_t ran = (uint64_t)json_integer_value(said);
    if (!said || !runs->states.len || ran == runs->sum)
        return true;
    note(r, ran < runs->sum ? &r->more : &r->fewer, test, ran, runs->sum);
    return ran > runs->sum;
}

/* Each start of the program has each line once. */
static bool is_new(struct seen_reader *r, const char *text, size_t length, const char *test)
{
    if (!r->origin_length)
        return true;
    GChecksum *both = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(both, (const guchar *)r->origin, (gssize)r->origin_length);
    g_checksum_update(both, (const guchar *)text, (gssize)length);
    bool added = g_hash_table_add(r->known, g_strdup(g_checksum_get_string(both)));
    g_checksum_free(both);
    if (!added)
        note(r, &r->twice, test, 0, 0);
    return added;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) > 0;
}

/* "runs" and "ended", or "failed": the last line of a test. */
static bool end_runs(struct seen_reader *r, const json_t *line, const char *text, size_t length)
{
    struct sighting s = {0};
    const json_t *said = json_object_get(line, "runs");
    if (json_unpack((json_t *)line, "{s:s, s:s, s?F}", "test", &s.test, "file", &s.file, "seconds",
                    &s.seconds) ||
        (said && !is_count(said)) || s.seconds < 0 || s.seconds > MOST_SECONDS)
        return false;
    if (!is_new(r, text, length, s.test))
        return true;
    s.file = hardware_base_name(s.file);
    struct runs *runs = runs_of(r, s.file, s.test);
    if (adds_up(r, runs, line, s.test)) {
        vec_push(r->arena, &runs->states, s);
        keep(r, runs);
    }
    return g_hash_table_remove(r->open, arena_printf(r->arena, "%s\n%s", s.file, s.test));
}

static bool add_state(struct seen_reader *r, json_t *line, const char *text, size_t length)
{
    struct sighting s = {0};
    if (json_unpack(line, "{s:s, s:s, s:o}", "test", &s.test, "file", &s.file, "state", &s.state) ||
        !json_is_object(s.state) || !is_count(json_object_get(line, "count")))
        return false;
    if (!is_new(r, text, length, s.test))
        return true;
    s.file = hardware_base_name(s.file);
    s.count = (uint64_t)json_integer_value(json_object_get(line, "count"));
    struct runs *runs = runs_of(r, s.file, s.test);
    vec_push(r->arena, &runs->states, s);
    runs->sum = runs->sum > INT64_MAX - s.count ? INT64_MAX : runs->sum + s.count;
    return true;
}

/* False: the text is no final state, and nothing else that a run says. */
static bool add_line(struct seen_reader *r, const char *text, size_t length)
{
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (json_array_append_new(r->hardware->lines, line))
        return false;
    if (json_object_get(line, "state"))
        return add_state(r, line, text, length);
    if (json_object_get(line, "ended") || json_object_get(line, "failed"))
        return end_runs(r, line, text, length);
    if (json_object_get(line, "device"))
        begin_origin(r, text, length);
    return json_object_get(line, "device") || json_object_get(line, "tuned");
}

static void read_lines(struct seen_reader *r, const char *text, size_t length)
{
    for (const char *at = text, *end; at < text + length; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + length - at));
        end = end ? end : text + length;
        r->number++;
        if (at != end && !add_line(r, at, (size_t)(end - at)))
            note(r, &r->bad, NULL, 0, 0);
    }
    begin_origin(r, NULL, 0);
}

/* ---- what is said of it ---------------------------------------------------------------------- */

/* A run that was killed leaves half of a line: it costs that state, not the file. */
static void tell_bad(const struct seen_reader *r, struct diag_list *diags)
{
    uint32_t bad = r->bad.count;
    bool any_good = r->hardware->items.len;
    const char *lines =
        bad > 1 && any_good ? arena_printf(diags->arena, "%u lines from ", bad) : "";
    const char *what = !any_good  ? ", is no final state of a histogram, and no other line is"
                       : bad == 1 ? ", is no final state of a histogram: left out"
                                  : " on, are no final states of a histogram: left out";
    diag_add(diags, any_good ? DIAG_bad_sighting : DIAG_bad_histogram, NULL, (struct span){0},
             "made by 'ptxlit emit', run --json", "'%s', %sline %zu%s", r->hardware->path, lines,
             r->bad.line, what);
}

static const char *others(const struct fault *fault, struct arena *arena)
{
    return fault->count > 1 ? arena_printf(arena, ", the first of %u such tests,", fault->count)
                            : "";
}

static void tell_sum(const struct seen_reader *r, const struct fault *fault, const char *what,
                     struct diag_list *diags)
{
    if (fault->count)
        diag_add(diags, DIAG_bad_runs, NULL, (struct span){0},
                 "what 'ptxlit emit' makes prints each final state once, and then how often it ran",
                 "'%s', line %zu: '%s'%s ran %" PRIu64 " times and has final states of %" PRIu64
                 ": %s",
                 r->hardware->path, fault->line, fault->test, others(fault, diags->arena),
                 fault->ran, fault->seen, what);
}

static void tell(const struct seen_reader *r, struct diag_list *diags)
{
    if (r->bad.count)
        tell_bad(r, diags);
    tell_sum(r, &r->more, "left out, since some are counted twice", diags);
    tell_sum(r, &r->fewer, "some are lost", diags);
    if (r->twice.count)
        diag_add(diags, DIAG_bad_runs, NULL, (struct span){0}, NULL,
                 "'%s', line %zu, of '%s', is in the file twice%s: counted once", r->hardware->path,
                 r->twice.line, r->twice.test,
                 r->twice.count > 1
                     ? arena_printf(diags->arena, ", and so are %u more", r->twice.count - 1)
                     : "");
}

static void drop(void *context)
{
    struct hardware *hardware = context;
    json_decref(hardware->lines);
    g_hash_table_unref(hardware->asked);
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
    *hardware = (struct hardware){.arena = arena,
                                  .path = path,
                                  .lines = json_array(),
                                  .asked = g_hash_table_new(g_str_hash, g_str_equal)};
    arena_tie(arena, &hardware->tie, drop, hardware);
    struct seen_reader r = {
        .arena = arena,
        .hardware = hardware,
        .open = g_hash_table_new(g_str_hash, g_str_equal),
        .known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    read_lines(&r, text, length);
    tell(&r, diags);
    g_hash_table_unref(r.open);
    g_hash_table_unref(r.known);
    return hardware;
}
