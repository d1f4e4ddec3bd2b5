/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/number.h"
#include "litmus/mapping/mapping.h"

/* Reads the text of a mapping, a line at a time. */

struct table_reader {
    struct arena *arena;
    const struct source *source;
    struct diag_list *diags;
    struct mapping_table *mapping;
    uint32_t at;      /* in the text */
    struct span word; /* that was read; of length 0 at the end of a line */
    /* what this text gives, and not another that it is like */
    bool own[MAPPING_KINDS][SEM_COUNT][SEM_COUNT][SCOPE_COUNT + 1];
};
#define table_error(r, id, span, hint, ...)                                                        \
    diag_add((r)->diags, DIAG_##id, (r)->source, span, hint, __VA_ARGS__)

struct table_word {
    const char *word;
    uint32_t value;
};
static const struct table_word kinds[] = {{"load", MAPPING_LOAD},
                                          {"store", MAPPING_STORE},
                                          {"rmw", MAPPING_RMW},
                                          {"cas", MAPPING_CAS},
                                          {"fence", MAPPING_FENCE}};
static const struct table_word orders[] = {{"relaxed", SEM_RELAXED}, {"acquire", SEM_ACQUIRE},
                                           {"release", SEM_RELEASE}, {"acq_rel", SEM_ACQ_REL},
                                           {"seq_cst", SEM_SC},      {"rlx", SEM_RELAXED},
                                           {"acq", SEM_ACQUIRE},     {"rel", SEM_RELEASE},
                                           {"ar", SEM_ACQ_REL},      {"sc", SEM_SC}};
static const struct table_word scopes[] = {{"thread", SCOPE_NONE},
                                           {"block", SCOPE_CTA},
                                           {"cluster", SCOPE_CLUSTER},
                                           {"device", SCOPE_GPU},
                                           {"system", SCOPE_SYS}};
#define SEMS(a, b, c, d, e)                                                                        \
    (1u << SEM_##a | 1u << SEM_##b | 1u << SEM_##c | 1u << SEM_##d | 1u << SEM_##e)
/* What a step may be: its first word, and the semantics that PTX has for it. */
static const struct table_step {
    const char *word;
    enum mapping_form form;
    enum mapping_kind kind; /* of the rows that it belongs to; MAPPING_KINDS: of all */
    uint32_t sems;
} steps[] = {
    {"fence", MAPPING_IS_FENCE, MAPPING_KINDS, SEMS(ACQUIRE, RELEASE, ACQ_REL, SC, SC)},
    {"membar", MAPPING_IS_FENCE, MAPPING_KINDS, 1u << SEM_SC},
    {"ld", MAPPING_IS_ACCESS, MAPPING_LOAD, SEMS(WEAK, RELAXED, ACQUIRE, ACQUIRE, ACQUIRE)},
    {"st", MAPPING_IS_ACCESS, MAPPING_STORE, SEMS(WEAK, RELAXED, RELEASE, RELEASE, RELEASE)},
    {"atom", MAPPING_IS_ACCESS, MAPPING_RMW, SEMS(RELAXED, ACQUIRE, RELEASE, ACQ_REL, ACQ_REL)},
    {"look", MAPPING_IS_LOOK, MAPPING_RMW, SEMS(WEAK, RELAXED, ACQUIRE, ACQUIRE, ACQUIRE)},
    {"fail", MAPPING_IS_FAIL, MAPPING_CAS, SEMS(WEAK, RELAXED, ACQUIRE, ACQUIRE, ACQUIRE)},
};
enum { STEP_WORDS = sizeof steps / sizeof *steps };
/* The orders that operations of C++ have. */
static const uint32_t legal_orders[MAPPING_KINDS] = {
    [MAPPING_LOAD] = SEMS(RELAXED, ACQUIRE, SC, SC, SC),
    [MAPPING_STORE] = SEMS(RELAXED, RELEASE, SC, SC, SC),
    [MAPPING_RMW] = SEMS(RELAXED, ACQUIRE, RELEASE, ACQ_REL, SC),
    [MAPPING_CAS] = SEMS(RELAXED, ACQUIRE, RELEASE, ACQ_REL, SC),
    [MAPPING_FENCE] = SEMS(ACQUIRE, RELEASE, ACQ_REL, SC, SC),
};

/* ---- words ---------------------------------------------------------------------------------- */

static const char *word_text(const struct table_reader *r)
{
    return r->source->text + r->word.offset;
}

static bool word_is(const struct table_reader *r, const char *word)
{
    return r->word.length == strlen(word) && memcmp(word_text(r), word, r->word.length) == 0;
}

/* Is it a mark that is a word of its own? */
static bool is_mark(char c)
{
    return c == '=' || c == ';' || c == '/';
}

static uint32_t word_end(const struct table_reader *r, uint32_t at)
{
    const char *text = r->source->text;
    if (is_mark(text[at]))
        return at + 1;
    if (text[at] == '"') {
        for (at++; at < r->source->length && text[at] != '"' && text[at] != '\n'; at++)
            ;
        return at + (at < r->source->length && text[at] == '"');
    }
    while (at < r->source->length && !is_mark(text[at]) && !strchr(" \t\r\n#\"", text[at]))
        at++;
    return at;
}

/* The next word of the line. */
static void next_word(struct table_reader *r)
{
    const char *text = r->source->text;
    uint32_t at = r->at;
    while (at < r->source->length && text[at] && strchr(" \t\r", text[at]))
        at++;
    bool ended = at == r->source->length || text[at] == '\n' || text[at] == '#';
    r->word = (struct span){at, 0};
    if (!ended) /* a NUL byte is a word that nothing knows */
        r->word.length = text[at] ? word_end(r, at) - at : 1;
    r->at = at + r->word.length;
}

static void skip_line(struct table_reader *r)
{
    const char *text = r->source->text;
    while (r->at < r->source->length && text[r->at] != '\n')
        r->at++;
    r->at += r->at < r->source->length;
}

static const char *shown_word(const struct table_reader *r)
{
    return r->word.length ? source_words(r->arena, r->source, r->word) : "the end of the line";
}

static bool unexpected(struct table_reader *r, const char *wanted, const char *hint)
{
    table_error(r, mapping_syntax, r->word, hint, "expected %s, found '%s'", wanted, shown_word(r));
    return false;
}

/* Takes a word of the list; reports another one. */
static bool take_word(struct table_reader *r, const struct table_word *words, uint32_t count,
                      const char *what, uint32_t *value)
{
    const char *names[16];
    for (uint32_t i = 0; i < count; i++) {
        names[i] = words[i].word;
        if (word_is(r, words[i].word)) {
            *value = words[i].value;
            next_word(r);
            return true;
        }
    }
    return unexpected(r, what, diag_hint(r->arena, word_text(r), r->word.length, names, count));
}
#define TAKE_WORD(r, words, what, value)                                                           \
    take_word(r, words, sizeof(words) / sizeof *(words), what, value)

static bool take_mark(struct table_reader *r, const char *mark)
{
    if (!word_is(r, mark))
        return false;
    next_word(r);
    return true;
}

static bool take_string(struct table_reader *r, const char **text)
{
    const struct span word = r->word;
    if (word.length < 2 || word_text(r)[0] != '"' || word_text(r)[word.length - 1] != '"')
        return unexpected(r, "a text in quotation marks", NULL);
    *text = arena_strndup(r->arena, word_text(r) + 1, word.length - 2);
    next_word(r);
    return true;
}

/* ---- a sequence ----------------------------------------------------------------------------- */

/* "relaxed" of "ld.relaxed.sys": the dotted words behind the first. */
static bool take_qualifier(const struct table_step *row, const char *word, size_t length,
                           struct mapping_step *step)
{
    for (uint32_t sem = 1; sem < SEM_COUNT; sem++)
        if (strlen(sem_name((enum sem)sem)) == length &&
            memcmp(sem_name((enum sem)sem), word, length) == 0) {
            step->sem = (enum sem)sem;
            return row->sems >> sem & 1;
        }
    for (uint32_t scope = SCOPE_CTA; scope < SCOPE_COUNT; scope++)
        if (strlen(scope_name((enum scope)scope)) == length &&
            memcmp(scope_name((enum scope)scope), word, length) == 0) {
            step->scope = (enum scope)scope;
            return true;
        }
    step->is_volatile = length == strlen("volatile") && memcmp(word, "volatile", length) == 0 &&
                        row->sems >> SEM_WEAK & 1;
    return step->is_volatile;
}

static bool qualifiers(struct table_reader *r, const struct table_step *row, const char *at,
                       const char *end, struct mapping_step *step)
{
    while (at < end) {
        const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
        const char *stop = dot ? dot : end;
        if (!take_qualifier(row, at + 1, (size_t)(stop - at - 1), step)) {
            table_error(r, mapping_instruction, r->word, NULL,
                        "PTX has no '%s' that could stand here: '%.*s' cannot follow '%s'",
                        shown_word(r), (int)(stop - at - 1), at + 1, row->word);
            return false;
        }
        at = stop;
    }
    if (step->is_volatile) {
        step->sem = SEM_RELAXED;
        step->scope = SCOPE_SYS;
    }
    if (row->form == MAPPING_IS_FENCE && !step->sem)
        step->sem = strcmp(row->word, "membar") == 0 ? SEM_SC : SEM_ACQ_REL;
    if (step->sem)
        return true;
    table_error(r, mapping_instruction, r->word,
                arena_printf(r->arena, "%s.relaxed, %s.weak …", row->word, row->word),
                "'%s' needs a word for its semantics", row->word);
    return false;
}

static const struct table_step *step_named(const char *word, size_t length)
{
    for (uint32_t i = 0; i < STEP_WORDS; i++)
        if (strlen(steps[i].word) == length && memcmp(word, steps[i].word, length) == 0)
            return &steps[i];
    return NULL;
}

static bool belongs(const struct table_step *row, enum mapping_kind kind)
{
    return row->kind == MAPPING_KINDS || row->kind == kind ||
           (kind == MAPPING_CAS && row->kind == MAPPING_RMW && row->form != MAPPING_IS_LOOK);
}

/* "ld.acquire" */
static bool read_step(struct table_reader *r, enum mapping_kind kind, struct mapping_row *to)
{
    const char *word = word_text(r), *end = word + r->word.length;
    const char *dot = r->word.length ? memchr(word, '.', r->word.length) : NULL;
    const struct table_step *row = step_named(word, (size_t)((dot ? dot : end) - word));
    struct mapping_step step = {.form = row ? row->form : MAPPING_IS_FENCE};
    if (!row || is_mark(*word))
        return unexpected(r, "fence, ld, st, atom, look or fail and its semantics",
                          "write 'nothing' for no instruction");
    if (!belongs(row, kind)) {
        table_error(r, mapping_instruction, r->word, "a row has fences, and one access of its kind",
                    "'%s' is no part of what a %s becomes", shown_word(r), kinds[kind].word);
        return false;
    }
    if (to->step_count == MAPPING_STEPS) {
        table_error(r, mapping_instruction, r->word, NULL, "a row has at most %d instructions",
                    MAPPING_STEPS);
        return false;
    }
    if (!qualifiers(r, row, dot ? dot : end, end, &step))
        return false;
    to->steps[to->step_count++] = step;
    next_word(r);
    return true;
}

/* One access, and what looks before it comes before it. */
static bool check_sequence(struct table_reader *r, enum mapping_kind kind, struct span row,
                           const struct mapping_row *to)
{
    uint32_t accesses = 0, looks = 0;
    bool late = false;
    for (uint32_t i = 0; i < to->step_count; i++) {
        enum mapping_form form = to->steps[i].form;
        late |= accesses && (form == MAPPING_IS_LOOK || form == MAPPING_IS_FAIL);
        accesses += form == MAPPING_IS_ACCESS;
        looks += form == MAPPING_IS_LOOK || form == MAPPING_IS_FAIL;
    }
    if (accesses == (kind != MAPPING_FENCE) && looks <= 1 && !late)
        return true;
    table_error(r, mapping_instruction, row, NULL,
                kind == MAPPING_FENCE ? "a fence becomes fences"
                                      : "a %s becomes one access, and may look before it once",
                kinds[kind].word);
    return false;
}

static bool read_sequence(struct table_reader *r, enum mapping_kind kind, struct span row,
                          struct mapping_row *to)
{
    *to = (struct mapping_row){.given = true};
    if (word_is(r, "nothing"))
        next_word(r);
    else
        do
            if (!read_step(r, kind, to))
                return false;
        while (take_mark(r, ";"));
    if (r->word.length)
        return unexpected(r, "';' or the end of the line", NULL);
    return check_sequence(r, kind, row, to);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool take_order(struct table_reader *r, enum mapping_kind kind, uint32_t *order)
{
    struct span word = r->word;
    if (word_is(r, "consume")) {
        table_error(r, mapping_syntax, word, "give the row of acquire",
                    "consume is compiled as acquire is");
        return false;
    }
    if (!TAKE_WORD(r, orders, "relaxed, acquire, release, acq_rel or seq_cst", order))
        return false;
    if (legal_orders[kind] >> *order & 1)
        return true;
    table_error(r, mapping_syntax, word, NULL, "C++ has no %s that is %s", kinds[kind].word,
                source_words(r->arena, r->source, word));
    return false;
}

/* "load acquire = …", "cas acq_rel/seq_cst device = …" */
static bool read_row(struct table_reader *r, uint32_t kind, struct span first)
{
    uint32_t order, failed = SEM_NONE, scope = SCOPE_COUNT;
    struct mapping_row row;
    if (!take_order(r, kind, &order) ||
        (kind == MAPPING_CAS && take_mark(r, "/") && !take_order(r, MAPPING_LOAD, &failed)) ||
        (!word_is(r, "=") && !TAKE_WORD(r, scopes, "a scope or '='", &scope)))
        return false;
    struct span head = {first.offset, r->word.offset - first.offset};
    while (head.length && strchr(" \t", r->source->text[head.offset + head.length - 1]))
        head.length--;
    if (!take_mark(r, "="))
        return unexpected(r, "'='", NULL);
    if (!read_sequence(r, kind, head, &row))
        return false;
    if (r->own[kind][order][failed][scope])
        table_error(r, mapping_duplicate, head, NULL, "there is a row for '%s' already",
                    source_words(r->arena, r->source, head));
    r->own[kind][order][failed][scope] = true;
    r->mapping->rows[kind][order][failed][scope] = row;
    return true;
}

/* "scope thread = cta" */
static bool read_scope(struct table_reader *r)
{
    uint32_t scope;
    if (!TAKE_WORD(r, scopes, "thread, block, cluster, device or system", &scope))
        return false;
    if (!take_mark(r, "="))
        return unexpected(r, "'='", NULL);
    for (uint32_t i = SCOPE_CTA; i < SCOPE_COUNT; i++)
        if (word_is(r, scope_name((enum scope)i))) {
            r->mapping->scopes[scope] = (enum scope)i;
            next_word(r);
            return true;
        }
    return unexpected(r, "cta, cluster, gpu or sys", NULL);
}

static bool read_smallest(struct table_reader *r)
{
    uint64_t bytes = 0;
    enum number_fault fault = number_whole(word_text(r), r->word.length, 1, 8, &bytes);
    if (fault != NUMBER_GOOD || (bytes & (bytes - 1)))
        return unexpected(r, "1, 2, 4 or 8 bytes", NULL);
    r->mapping->smallest = (uint32_t)bytes;
    next_word(r);
    return true;
}

/* "like paper": a bundled mapping, whose rows hold where this text has none. */
static bool read_like(struct table_reader *r)
{
    const char *name = arena_strndup(r->arena, word_text(r), r->word.length);
    const struct source *source = mapping_source(r->arena, name);
    struct mapping_table *other = source ? mapping_read(r->arena, source, r->diags) : NULL;
    if (!other)
        return unexpected(r, "the name of a bundled mapping", "'ptxlit map --list' lists them");
    memcpy(r->mapping->rows, other->rows, sizeof other->rows);
    memcpy(r->mapping->scopes, other->scopes, sizeof other->scopes);
    r->mapping->smallest = other->smallest;
    next_word(r);
    return true;
}

static bool read_line(struct table_reader *r)
{
    struct span first = r->word;
    uint32_t kind;
    if (take_mark(r, "mapping"))
        return take_string(r, &r->mapping->title);
    if (take_mark(r, "source"))
        return take_string(r, &r->mapping->origin);
    if (take_mark(r, "like"))
        return read_like(r);
    if (take_mark(r, "scope"))
        return read_scope(r);
    if (take_mark(r, "smallest"))
        return read_smallest(r);
    return TAKE_WORD(r, kinds,
                     "load, store, rmw, cas, fence, scope, like, smallest, mapping or source",
                     &kind) &&
           read_row(r, kind, first);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Every operation of C++ needs a row; compare and exchange has that of other read-modify-writes. */
static void check_rows(struct table_reader *r)
{
    for (uint32_t kind = 0; kind < MAPPING_KINDS; kind++)
        for (size_t i = 0; i < sizeof orders / sizeof *orders / 2; i++) {
            uint32_t order = orders[i].value;
            if (kind == MAPPING_CAS || !(legal_orders[kind] >> order & 1) ||
                r->mapping->rows[kind][order][SEM_NONE][SCOPE_COUNT].given)
                continue;
            table_error(r, mapping_incomplete, ((struct span){0, 0}),
                        "add it, or begin with 'like paper'", "the mapping has no row for '%s %s'",
                        kinds[kind].word, orders[i].word);
        }
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (!r->mapping->scopes[scopes[i].value])
            table_error(r, mapping_incomplete, ((struct span){0, 0}),
                        "add it, or begin with 'like paper'",
                        "the mapping does not say what scope '%s' is", scopes[i].word);
}

struct mapping_table *mapping_read(struct arena *arena, const struct source *source,
                                   struct diag_list *diags)
{
    struct mapping_table *mapping = ARENA_NEW(arena, struct mapping_table);
    struct table_reader *r = ARENA_NEW(arena, struct table_reader);
    uint32_t errors = diags->errors;
    *mapping = (struct mapping_table){
        .name = source->name, .title = "", .origin = "", .source = source, .smallest = 4};
    r->arena = arena;
    r->source = source;
    r->diags = diags;
    r->mapping = mapping;
    while (r->at < source->length) {
        next_word(r);
        if (r->word.length && read_line(r) && r->word.length)
            unexpected(r, "the end of the line", NULL);
        skip_line(r);
    }
    if (diags->errors == errors)
        check_rows(r);
    return diags->errors == errors ? mapping : NULL;
}
