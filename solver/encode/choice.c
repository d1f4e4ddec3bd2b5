/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

#include <string.h>

#include "solver/encode/rests.h"

/* The choices that an execution makes, as literals and clauses: which place an access falls on,
 * which write a read takes each granule from, and which write a granule ends with. */

/* ---- where accesses fall -------------------------------------------------------------------- */

/* An access that executes falls on one of its places: elsewhere the behaviour is undefined, and
 * model/graph/graph.h says that no execution goes there. */
static void encode_places(struct encoding *encoding, event_id e)
{
    struct session *session = encoding->session;
    const struct event *event = &encoding->graph->events[e];
    uint32_t count = encoding->domains->place_count[e];
    lit executed = encoding->executed[e], *at;
    if (!event_is_memory(event) || executed == session->no)
        return;
    at = ARENA_ARRAY(encoding->arena, lit, count + 1);
    for (uint32_t p = 0; p < count; p++) {
        lit here = encode_is(encoding, encoding->of[event->address],
                             encoding->domains->places[e][p].address);
        at[p] = session_and2(session, executed, here);
    }
    at[count] = session_not(session, executed);
    session_clause(session, at, count + 1);
    encoding->at_place[e] = at;
}

lit encode_covers(struct encoding *encoding, event_id e, uint32_t granule)
{
    uint32_t count = encoding->domains->place_count[e], n = 0;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, count + 1);
    if (encoding->at_place[e] == NULL)
        return encoding->session->no;
    for (uint32_t p = 0; p < count; p++)
        if (footprint_covers(&encoding->domains->places[e][p], granule))
            lits[n++] = encoding->at_place[e][p];
    return session_or(encoding->session, lits, n);
}

/* ---- one of several writes ------------------------------------------------------------------ */

/* A literal for each write that may cover the granule: exactly one of them when 'when' holds, none
 * otherwise, and only one that does cover it. 'never' (or NULL) marks writes that cannot be it. */
static struct candidate *encode_pick(struct encoding *encoding, uint32_t granule, lit when,
                                     const bool *never, uint32_t *count)
{
    struct session *session = encoding->session;
    const struct domains *domains = encoding->domains;
    uint32_t writers = domains->writer_count[granule], n = 0;
    struct candidate *from = ARENA_ARRAY(encoding->arena, struct candidate, writers);
    lit *lits = ARENA_ARRAY(encoding->arena, lit, writers + 1);
    for (uint32_t i = 0; i < writers; i++) {
        event_id w = domains->writers[granule][i];
        if (encoding->executed[w] != session->no && !(never && never[w]))
            from[n++] = (struct candidate){w, NULL};
    }
    for (uint32_t i = 0; i < n; i++) {
        from[i].is = n == 1 ? when : session_bool(session);
        lits[i] = from[i].is;
        SESSION_CLAUSE(session, session_not(session, lits[i]),
                       encode_covers(encoding, from[i].write, granule));
        SESSION_CLAUSE(session, session_not(session, lits[i]), when);
    }
    session_at_most_one(session, lits, n);
    lits[n] = session_not(session, when);
    session_clause(session, lits, n + 1);
    *count = n;
    return from;
}

/* What the write puts into the granule, when it falls on 'place'. */
static struct value *written(struct encoding *encoding, event_id write,
                             const struct footprint *place, uint32_t granule)
{
    const struct graph *graph = encoding->graph;
    return encode_part(encoding, encoding->of[graph->events[write].value],
                       footprint_shift(graph, place, granule), graph->granules[granule].bytes * 8);
}

/* What a granule may receive: literals of known values, and of writes whose value is open. */
struct receipt {
    lit *is, *open;
    uint64_t *number;
    uint32_t count, open_count;
};

/* from.is -> 'to' is what the write puts into the granule. */
static void receive(struct encoding *encoding, const struct candidate *from, uint32_t granule,
                    struct value *to, struct receipt *receipt)
{
    struct session *session = encoding->session;
    uint32_t count = encoding->domains->place_count[from->write];
    for (uint32_t p = 0; p < count; p++) {
        const struct footprint *place = &encoding->domains->places[from->write][p];
        if (!footprint_covers(place, granule))
            continue;
        struct value *value = written(encoding, from->write, place, granule);
        lit when = count == 1 ? from->is
                              : session_and2(session, from->is, encoding->at_place[from->write][p]);
        if (to->any || value->any || value->count != 1) {
            encode_transfer(encoding, when, to, value);
            receipt->open[receipt->open_count++] = when;
        } else {
            SESSION_CLAUSE(session, session_not(session, when),
                           encode_is(encoding, to, value->at[0]));
            receipt->is[receipt->count] = when;
            receipt->number[receipt->count++] = value->at[0];
        }
    }
}

/* when and to = number -> it came from a write of that number, or from one whose value is open. One
 * clause a number, where saying it of each write would take one for every two. */
static void account_for(struct encoding *encoding, lit when, const struct value *to,
                        const struct receipt *receipt, lit *lits)
{
    struct session *session = encoding->session;
    for (uint32_t v = 0; v < to->count && to->count > 1; v++) {
        uint32_t n = 0;
        lits[n++] = session_not(session, when);
        lits[n++] = session_not(session, to->is[v]);
        for (uint32_t i = 0; i < receipt->count; i++)
            if (receipt->number[i] == to->at[v])
                lits[n++] = receipt->is[i];
        for (uint32_t i = 0; i < receipt->open_count; i++)
            lits[n++] = receipt->open[i];
        session_clause(session, lits, n);
    }
}

/* when -> 'to' is what the candidate that is picked puts into the granule. */
static void transfer(struct encoding *encoding, lit when, const struct candidate *from,
                     uint32_t count, uint32_t granule, struct value *to)
{
    struct receipt receipt = {0};
    uint32_t places = 0;
    for (uint32_t i = 0; i < count; i++)
        places += encoding->domains->place_count[from[i].write];
    receipt.is = ARENA_ARRAY(encoding->arena, lit, places);
    receipt.open = ARENA_ARRAY(encoding->arena, lit, places);
    receipt.number = ARENA_ARRAY(encoding->arena, uint64_t, places);
    for (uint32_t i = 0; i < count; i++)
        receive(encoding, &from[i], granule, to, &receipt);
    account_for(encoding, when, to, &receipt, ARENA_ARRAY(encoding->arena, lit, places + 2));
}

/* ---- reads-from ----------------------------------------------------------------------------- */

/* The expression of each piece of each read that something uses; slots[e]: where those of event e
 * begin. */
static expr_id *read_exprs(struct encoding *encoding, uint32_t *slots)
{
    const struct graph *graph = encoding->graph;
    uint32_t count = 0, total = expr_count(graph->exprs);
    for (event_id e = 0; e < graph->event_count; e++) {
        slots[e] = count;
        count += graph->events[e].kind == EVENT_READ ? graph->events[e].pieces : 0;
    }
    expr_id *at = ARENA_ARRAY(encoding->arena, expr_id, count + 1);
    memset(at, 0xff, sizeof *at * (count + 1));
    for (expr_id id = 0; id < total; id++) {
        const struct expr *expr = expr_get(graph->exprs, id);
        if (expr->op == EXPR_READ && encoding->of[id])
            at[slots[expr->b] + expr->a] = id;
    }
    return at;
}

static void encode_origin(struct encoding *encoding, struct origin *origin, const bool *never,
                          expr_id id)
{
    origin->from = encode_pick(encoding, origin->granule, origin->when, never, &origin->count);
    if (id == NONE)
        return; /* nobody looks at what this granule holds */
    struct value *to = encoding->of[id];
    transfer(encoding, origin->when, origin->from, origin->count, origin->granule, to);
}

/* A value that is not total holds nothing when its read does not execute. */
static void encode_absent(struct encoding *encoding, event_id read, expr_id id)
{
    struct session *session = encoding->session;
    const struct value *value = id == NONE ? NULL : encoding->of[id];
    if (!value || value->any || value->total || value->count < 2)
        return;
    for (uint32_t i = 0; i < value->count; i++)
        SESSION_CLAUSE(session, encoding->executed[read], session_not(session, value->is[i]));
}

/* Writes that the read cannot take anything from, or NULL. */
static const bool *never_origins(const struct encoding *encoding, struct arena *scratch,
                                 event_id read)
{
    bool whole = encoding->graph->events[read].pieces == 1;
    bool *never = whole ? rests_on(scratch, encoding->graph, read) : NULL;
    if (!encoding->domains->excluded || !encoding->domains->excluded->origin)
        return never;
    if (!never)
        never = ARENA_ARRAY(scratch, bool, encoding->graph->event_count + 1);
    for (event_id w = 0; w < encoding->graph->event_count; w++)
        never[w] |= domains_exclude(encoding->domains, w, read);
    return never;
}

/* Where each piece of the read comes from, for each place that it may be at. */
static void encode_read(struct encoding *encoding, event_id read, const expr_id *exprs)
{
    const struct domains *domains = encoding->domains;
    const struct event *event = &encoding->graph->events[read];
    struct arena *scratch = arena_scratch(encoding->arena);
    const bool *never = never_origins(encoding, scratch, read);
    for (uint32_t i = 0; i < event->pieces; i++) {
        for (uint32_t p = 0; p < domains->place_count[read]; p++) {
            struct origin *origin = &encoding->origins[encoding->origin_count];
            *origin = (struct origin){.read = read,
                                      .index = i,
                                      .granule = domains->places[read][p].first + i,
                                      .when = encoding->at_place[read][p]};
            encode_origin(encoding, origin, never, exprs[i]);
            encoding->origin_count++;
        }
        encode_absent(encoding, read, exprs[i]);
    }
    arena_free(scratch);
}

static void encode_reads(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    uint32_t *slots = ARENA_ARRAY(encoding->arena, uint32_t, graph->event_count), total = 0;
    expr_id *exprs = read_exprs(encoding, slots);
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_READ)
            total += graph->events[e].pieces * encoding->domains->place_count[e];
    encoding->origins = ARENA_ARRAY(encoding->arena, struct origin, total);
    encoding->first_origin = ARENA_ARRAY(encoding->arena, uint32_t, graph->event_count + 1);
    for (event_id e = 0; e < graph->event_count; e++) {
        encoding->first_origin[e] = encoding->origin_count;
        if (graph->events[e].kind == EVENT_READ && encoding->at_place[e])
            encode_read(encoding, e, exprs + slots[e]);
    }
    encoding->first_origin[graph->event_count] = encoding->origin_count;
}

lit encode_rf(struct encoding *encoding, event_id write, event_id read, uint32_t granule)
{
    uint32_t first = encoding->first_origin[read], end = encoding->first_origin[read + 1], n = 0;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, end - first + 1);
    for (uint32_t s = first; s < end; s++)
        for (uint32_t i = 0;
             encoding->origins[s].granule == granule && i < encoding->origins[s].count; i++)
            if (encoding->origins[s].from[i].write == write)
                lits[n++] = encoding->origins[s].from[i].is;
    return session_or(encoding->session, lits, n);
}

/* ---- final values --------------------------------------------------------------------------- */

/* The values that a granule may have at the end; 'any' when they are too many to list. */
static struct domain final_domain(struct encoding *encoding, uint32_t granule)
{
    const struct domains *domains = encoding->domains;
    struct domain domain = {.any = true};
    uint32_t limit = domains_limit(domains, granule), n = 0;
    uint64_t *values = ARENA_ARRAY(encoding->arena, uint64_t, limit);
    for (uint32_t i = 0; i < domains->writer_count[granule]; i++) {
        event_id w = domains->writers[granule][i];
        const struct domain *value = &domains->of[encoding->graph->events[w].value];
        for (uint32_t p = 0; p < domains->place_count[w]; p++) {
            for (uint32_t v = 0;
                 v < value->count && footprint_covers(&domains->places[w][p], granule); v++) {
                uint64_t cut =
                    footprint_cut(encoding->graph, &domains->places[w][p], granule, value->at[v]);
                uint32_t at = 0;
                for (; at < n && values[at] != cut; at++)
                    ;
                if (at == limit)
                    return domain;
                values[at] = cut;
                n += at == n;
            }
        }
        if (value->any)
            return domain;
    }
    domain.any = false;
    domain.count = n;
    domain.at = values;
    return domain;
}

/* Up to this many writes, coherence after the final one is excluded beforehand; past it the square
 * of clauses is left to be learned (order.c). */
enum { EAGER = 12 };

/* No other write of the granule comes after the final one. An initial write comes before all. */
static void encode_last(struct encoding *encoding, uint32_t granule)
{
    struct session *session = encoding->session;
    const struct candidate *final = encoding->final[granule];
    uint32_t count = encoding->final_count[granule];
    for (uint32_t i = 0; i < count; i++) {
        bool initial = encoding->graph->events[final[i].write].kind == EVENT_INIT;
        for (uint32_t j = 0; j < count && (initial || count <= EAGER); j++) {
            lit covers = encode_covers(encoding, final[j].write, granule);
            lit later = initial ? covers : encode_co(encoding, final[i].write, final[j].write);
            if (i != j)
                SESSION_CLAUSE(session, session_not(session, final[i].is),
                               session_not(session, covers), session_not(session, later));
        }
    }
}

/* The granule's final value; which write it is of is a choice. */
static struct value *encode_final(struct encoding *encoding, uint32_t granule)
{
    struct domain domain = final_domain(encoding, granule);
    struct value *value =
        encode_fresh(encoding, encoding->graph->granules[granule].bytes * 8, &domain, true);
    uint32_t count;
    const struct exclusion *excluded = encoding->domains->excluded;
    encoding->final[granule] = encode_pick(encoding, granule, encoding->session->yes,
                                           excluded ? excluded->overwritten : NULL, &count);
    encoding->final_count[granule] = count;
    transfer(encoding, encoding->session->yes, encoding->final[granule], count, granule, value);
    encode_last(encoding, granule);
    return value;
}

/* Granules above one another as one value: small domains multiply, large ones become words. */
static struct value *above(struct encoding *encoding, struct value *high, struct value *low)
{
    struct session *session = encoding->session;
    struct value *value = ARENA_NEW(encoding->arena, struct value);
    uint32_t count = high->any || low->any ? UINT32_MAX : high->count * low->count;
    value->width = high->width + low->width;
    value->total = true;
    if (count > DOMAIN_LIMIT) {
        value->any = true;
        value->word = Z3_mk_concat(session_z3(session), encode_word(encoding, high),
                                   encode_word(encoding, low));
        return value;
    }
    value->at = ARENA_ARRAY(encoding->arena, uint64_t, count);
    value->is = ARENA_ARRAY(encoding->arena, lit, count);
    for (uint32_t i = 0; i < high->count; i++)
        for (uint32_t j = 0; j < low->count; j++) {
            value->at[value->count] = high->at[i] << low->width | low->at[j];
            value->is[value->count++] = session_and2(session, high->is[i], low->is[j]);
        }
    return value;
}

static struct value *encode_element(struct encoding *encoding, uint32_t granule, uint32_t bytes)
{
    struct value *value = NULL;
    for (uint32_t done = 0; done < bytes; granule++) {
        struct value *piece = encode_final(encoding, granule);
        done += encoding->graph->granules[granule].bytes;
        value = value ? above(encoding, piece, value) : piece;
    }
    return value;
}

/* A single copy does not remain in part where another does that wrote all of it too. */
static void encode_unmixed(struct encoding *encoding, uint32_t g, uint32_t h)
{
    struct session *session = encoding->session;
    const struct event *events = encoding->graph->events;
    const struct candidate *first = encoding->final[g], *second = encoding->final[h];
    for (uint32_t i = 0; i < encoding->final_count[g]; i++)
        for (uint32_t j = 0; j < encoding->final_count[h]; j++) {
            event_id a = first[i].write, b = second[j].write;
            lit mixed[4] = {first[i].is, second[j].is, encode_covers(encoding, a, h),
                            encode_covers(encoding, b, g)};
            if (a != b && !events[a].copied && !events[b].copied)
                SESSION_CLAUSE(session,
                               session_not(session, session_and2(session, mixed[0], mixed[1])),
                               session_not(session, session_and2(session, mixed[2], mixed[3])));
        }
}

static void encode_remains(struct encoding *encoding)
{
    uint32_t count = encoding->graph->tearing == TEARING_WHOLE ? encoding->graph->granule_count : 0;
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t h = g + 1; h < count && h < g + 8; h++)
            if (encoding->final[g] && encoding->final[h])
                encode_unmixed(encoding, g, h);
}

static void encode_observed(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    const struct test *test = graph->test;
    encoding->observed = ARENA_ARRAY(encoding->arena, struct value *, test->observed_count);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind == TERM_LOCATION)
            encoding->observed[i] =
                encode_element(encoding, graph->observed_granules[i],
                               MIN(test->locations[term->location].element_bytes, 8));
        else
            encoding->observed[i] = encoding->of[graph->observed[i]];
    }
}

void encode_choices(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    encoding->at_place = ARENA_ARRAY(encoding->arena, lit *, graph->event_count);
    encoding->final = ARENA_ARRAY(encoding->arena, struct candidate *, graph->granule_count);
    encoding->final_count = ARENA_ARRAY(encoding->arena, uint32_t, graph->granule_count);
    for (event_id e = 0; e < graph->event_count; e++)
        encode_places(encoding, e);
    encode_reads(encoding);
    encode_observed(encoding);
    encode_remains(encoding);
}
