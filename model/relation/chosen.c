/* SPDX-License-Identifier: MIT */
#include "model/relation/kind.h"

#include "model/relation/pair.h"

/* The relations that are choices of an execution, or follow from them: reads-from, coherence, Fence-SC order. Facts
 * about these imply that their events execute (fact.h). */

static uint32_t granule_of(const struct bases *bases, event_id e, uint32_t i)
{
    return bases->execution->first_granule[e] + i;
}

static uint32_t count_of(const struct bases *bases, event_id e)
{
    return bases->execution->granules[e];
}

static event_id source_of(const struct bases *bases, event_id r, uint32_t i)
{
    return bases->execution->rf[bases->execution->rf_base[r] + i];
}

static bool is_initial(const struct bases *bases, event_id w)
{
    return bases->graph->events[w].kind == EVENT_INIT;
}

static bool is_executed_read(const struct bases *bases, event_id e)
{
    return bases->graph->events[e].kind == EVENT_READ && set_has(bases->executed, e);
}

static void or_words(uint64_t *to, const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= a[w] & b[w];
}

/* ---- in the execution looked at ------------------------------------------------------------- */

static void note_writers(struct bases *bases)
{
    for (uint32_t g = 0; g < bases->graph->granule_count; g++)
        rel_clear(bases->writers[g]);
    for (event_id e = 0; e < bases->n; e++)
        if (event_is_write(&bases->graph->events[e]) && set_has(bases->executed, e))
            for (uint32_t i = 0; i < count_of(bases, e); i++)
                set_add(bases->writers[granule_of(bases, e, i)], e);
}

void relation_note_writes(struct bases *bases)
{
    note_writers(bases);
    rel_clear(bases->co);
    for (event_id a = 0; a < bases->n; a++) {
        if (!event_is_write(&bases->graph->events[a]) || !set_has(bases->executed, a))
            continue;
        uint64_t *row = rel_row(bases->co, a);
        or_words(row, rel_row(bases->execution->co, a), bases->executed->bits, bases->words);
        if (!is_initial(bases, a))
            continue;
        for (uint32_t i = 0; i < count_of(bases, a); i++) {
            const uint64_t *writers = bases->writers[granule_of(bases, a, i)]->bits;
            or_words(row, writers, writers, bases->words);
        }
        rel_remove(bases->co, a, a);
    }
}

static void reads_from(const struct bases *bases, struct rel *to)
{
    rel_clear(to);
    for (event_id r = 0; r < bases->n; r++)
        for (uint32_t i = 0; is_executed_read(bases, r) && i < count_of(bases, r); i++)
            if (source_of(bases, r, i) != NONE)
                rel_add(to, source_of(bases, r, i), r);
}

static void coherence(const struct bases *bases, struct rel *to)
{
    rel_copy(to, bases->co);
}

static void from_read(const struct bases *bases, struct rel *to)
{
    rel_clear(to);
    for (event_id r = 0; r < bases->n; r++)
        for (uint32_t i = 0; is_executed_read(bases, r) && i < count_of(bases, r); i++)
            if (source_of(bases, r, i) != NONE)
                or_words(rel_row(to, r), rel_row(bases->co, source_of(bases, r, i)),
                         bases->writers[granule_of(bases, r, i)]->bits, bases->words);
}

/* A read of which some byte comes from one write and another from a second, both written by both. */
struct torn_read {
    event_id read;
    uint32_t first, second; /* granules of the read, counted from its first */
};

static bool is_torn(const struct bases *bases, event_id a, event_id b, const struct torn_read *torn)
{
    return source_of(bases, torn->read, torn->first) == a &&
           source_of(bases, torn->read, torn->second) == b &&
           set_has(bases->writers[granule_of(bases, torn->read, torn->second)], a) &&
           set_has(bases->writers[granule_of(bases, torn->read, torn->first)], b);
}

/* A read that the writes a and b tear. */
static bool find_torn(const struct bases *bases, event_id a, event_id b, struct torn_read *torn)
{
    for (torn->read = 0; torn->read < bases->n; torn->read++) {
        if (!is_executed_read(bases, torn->read) || bases->graph->events[torn->read].copied)
            continue;
        uint32_t count = count_of(bases, torn->read);
        for (torn->first = 0; torn->first < count; torn->first++)
            for (torn->second = 0; torn->second < count; torn->second++)
                if (is_torn(bases, a, b, torn))
                    return true;
    }
    return false;
}

static bool is_torn_pair(const struct bases *bases, enum base base, event_id a, event_id b)
{
    (void)base;
    return find_torn(bases, a, b, &(struct torn_read){0});
}

static void torn_pairs(const struct bases *bases, struct rel *to)
{
    relation_keep(bases, BASE_torn, is_torn_pair, to);
}

static void fence_order(const struct bases *bases, struct rel *to)
{
    rel_intersect(to, to, bases->execution->sc);
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void say_reads_from(event_id w, event_id r, uint32_t granule, bool is,
                           struct fact_sink *sink)
{
    fact_add(sink,
             (struct fact){.kind = FACT_RF, .negated = !is, .a = w, .b = r, .value = granule});
}

static void say_before(enum fact_kind kind, event_id a, event_id b, bool is, struct fact_sink *sink)
{
    fact_add(sink, (struct fact){.kind = kind, .negated = !is, .a = a, .b = b});
}

/* Where all bytes of the read come from. */
static void say_sources(const struct bases *bases, event_id r, struct fact_sink *sink)
{
    for (uint32_t i = 0; i < count_of(bases, r); i++)
        if (source_of(bases, r, i) != NONE)
            say_reads_from(source_of(bases, r, i), r, granule_of(bases, r, i), true, sink);
}

/* Each granule of the read that the write might cover comes from elsewhere. */
static void why_not_read(const struct bases *bases, event_id w, event_id r, struct fact_sink *sink)
{
    relation_say_address(bases, r, sink);
    for (uint32_t i = 0; i < count_of(bases, r); i++) {
        uint32_t granule = granule_of(bases, r, i);
        if (bases->address_open[w] || pair_of_runs(granule, 1, bases->first[w], bases->count[w]))
            say_reads_from(w, r, granule, false, sink);
    }
}

static void why_read(const struct bases *bases, event_id w, event_id r, bool present,
                     struct fact_sink *sink)
{
    uint32_t i = 0;
    if (!present) {
        why_not_read(bases, w, r, sink);
        return;
    }
    while (source_of(bases, r, i) != w)
        i++;
    say_reads_from(w, r, granule_of(bases, r, i), true, sink);
}

static void why_coherent(const struct bases *bases, event_id a, event_id b, bool present,
                         struct fact_sink *sink)
{
    if (!is_initial(bases, a)) {
        say_before(FACT_CO, a, b, present, sink);
        return;
    }
    base_why_executed(bases, b, sink);
    relation_say_address(bases, b, sink);
}

/* That the write covers all of the read, unless that follows from the two touching at all. */
static void say_covers(const struct bases *bases, event_id w, event_id r, struct fact_sink *sink)
{
    if (bases->graph->events[w].address != bases->graph->events[r].address ||
        bases->graph->events[w].bytes != bases->graph->events[r].bytes)
        relation_say_address(bases, w, sink);
}

/* For each granule that both touch: what the read takes is the write itself or not before it. */
static void why_not_from_read(const struct bases *bases, event_id r, event_id w,
                              struct fact_sink *sink)
{
    relation_say_address(bases, r, sink);
    relation_say_address(bases, w, sink);
    for (uint32_t i = 0; i < count_of(bases, r); i++) {
        event_id source = source_of(bases, r, i);
        uint32_t granule = granule_of(bases, r, i);
        if (source == NONE || !set_has(bases->writers[granule], w))
            continue;
        say_reads_from(source, r, granule, true, sink);
        if (source != w)
            say_before(FACT_CO, source, w, false, sink);
    }
}

/* Of several granules that show it, one whose source is an initial write needs no fact about
 * coherence. */
static void why_from_read(const struct bases *bases, event_id r, event_id w, bool present,
                          struct fact_sink *sink)
{
    uint32_t chosen = NONE;
    if (!present) {
        why_not_from_read(bases, r, w, sink);
        return;
    }
    for (uint32_t i = 0; i < count_of(bases, r); i++) {
        event_id source = source_of(bases, r, i);
        if (source == NONE || !rel_has(bases->co, source, w) ||
            !set_has(bases->writers[granule_of(bases, r, i)], w))
            continue;
        if (chosen == NONE || is_initial(bases, source))
            chosen = i;
    }
    event_id source = source_of(bases, r, chosen);
    say_reads_from(source, r, granule_of(bases, r, chosen), true, sink);
    if (is_initial(bases, source))
        base_why_executed(bases, w, sink);
    else
        say_before(FACT_CO, source, w, true, sink);
    say_covers(bases, w, r, sink);
}

/* Where all reads take their bytes from. */
static void why_not_torn(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    relation_say_address(bases, a, sink);
    relation_say_address(bases, b, sink);
    for (event_id r = 0; r < bases->n; r++) {
        if (bases->graph->events[r].kind != EVENT_READ || !set_has(bases->live, r))
            continue;
        base_why_executed(bases, r, sink);
        if (!set_has(bases->executed, r))
            continue;
        relation_say_address(bases, r, sink);
        say_sources(bases, r, sink);
    }
}

/* One read that both writes tear is enough. */
static void why_torn(const struct bases *bases, event_id a, event_id b, bool present,
                     struct fact_sink *sink)
{
    struct torn_read torn;
    if (!present) {
        why_not_torn(bases, a, b, sink);
        return;
    }
    find_torn(bases, a, b, &torn);
    say_reads_from(a, torn.read, granule_of(bases, torn.read, torn.first), true, sink);
    say_reads_from(b, torn.read, granule_of(bases, torn.read, torn.second), true, sink);
    say_covers(bases, a, torn.read, sink);
    say_covers(bases, b, torn.read, sink);
}

static void why_ordered(const struct bases *bases, event_id a, event_id b, bool present,
                        struct fact_sink *sink)
{
    (void)bases;
    say_before(FACT_SC, a, b, present, sink);
}

/* ---- the relations -------------------------------------------------------------------------- */

static const struct {
    void (*fill)(const struct bases *bases, struct rel *to);
    void (*why)(const struct bases *bases, event_id a, event_id b, bool present,
                struct fact_sink *sink);
} relations[BASE_COUNT] = {
    [BASE_rf] = {reads_from, why_read},
    [BASE_co] = {coherence, why_coherent},
    [BASE_fr] = {from_read, why_from_read},
    [BASE_torn] = {torn_pairs, why_torn},
    [BASE_sync_fence] = {fence_order, why_ordered},
};

/* Initial writes come first. */
static bool must(const struct bases *bases, enum base base, event_id a, event_id b)
{
    return base == BASE_co && is_initial(bases, a) && relation_located.must(bases, base, a, b);
}

static void fill(const struct bases *bases, enum base base, struct rel *to)
{
    relations[base].fill(bases, to);
}

static void why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
                struct fact_sink *sink)
{
    relations[base].why(bases, a, b, present, sink);
}

/* All choices that these relations follow from. */
static void why_all(const struct bases *bases, struct fact_sink *sink)
{
    const struct event *events = bases->graph->events;
    for (event_id a = 0; a < bases->n; a++) {
        if (is_executed_read(bases, a))
            say_sources(bases, a, sink);
        for (event_id b = 0; b < bases->n; b++)
            if (a != b && events[a].kind == EVENT_WRITE && events[b].kind == EVENT_WRITE)
                say_before(FACT_CO, a, b, rel_has(bases->co, a, b), sink);
            else if (a != b && events[a].kind == EVENT_FENCE && events[b].kind == EVENT_FENCE &&
                     events[a].tags & events[b].tags & TAG(SC))
                say_before(FACT_SC, a, b, rel_has(bases->execution->sc, a, b), sink);
    }
}

const struct relation_kind relation_chosen = {NULL, must, NULL, fill, why, why_all};
