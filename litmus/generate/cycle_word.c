/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/generate/cycle.h"

/* Words of diy as edges. */

/* What is left of a word while it is read. */
struct word_reader {
    const char *at;
    struct cycle_edge edge;
    bool any[2]; /* '*': a read or a write */
};

static bool take(struct word_reader *word, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(word->at, text, length) != 0)
        return false;
    word->at += length;
    return true;
}

/* 'R', 'W' or '*'. */
static bool direction(struct word_reader *word, int end)
{
    if (!*word->at || !strchr("RW*", *word->at))
        return false;
    word->any[end] = *word->at == '*';
    word->edge.writes[end] = *word->at++ == 'W';
    return true;
}

/* 's' or 'd': the same location or another. */
static bool location(struct word_reader *word)
{
    word->edge.changes = *word->at == 'd';
    return take(word, "s") || take(word, "d");
}

/* "alias": a weak access through it; of a fence, the proxy that it names. */
static bool proxy(struct word_reader *word, uint8_t *proxy)
{
    static const enum proxy proxies[] = {PROXY_ALIAS, PROXY_SURFACE, PROXY_TEXTURE, PROXY_CONSTANT};
    for (size_t i = 0; i < G_N_ELEMENTS(proxies); i++)
        if (take(word, proxy_name(proxies[i]))) {
            *proxy = (uint8_t)proxies[i];
            return true;
        }
    return false;
}

/* "relaxed.gpu", "weak", "volatile", "surface". */
static bool strength(struct word_reader *word, struct generated_step *note)
{
    static const enum sem sems[] = {SEM_ACQ_REL, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_SC};
    *note = (struct generated_step){.sem = SEM_RELAXED, .scope = SCOPE_SYS};
    if (proxy(word, &note->proxy)) {
        *note = (struct generated_step){.sem = SEM_WEAK, .proxy = note->proxy};
        return true;
    }
    if (take(word, "weak")) {
        *note = (struct generated_step){.sem = SEM_WEAK};
        return true;
    }
    note->form = take(word, "volatile") ? FORM_VOLATILE
                 : take(word, "mmio")   ? FORM_MMIO
                                        : FORM_PLAIN;
    if (note->form != FORM_PLAIN)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(sems); i++)
        if (take(word, sem_name(sems[i]))) {
            note->sem = (uint8_t)sems[i];
            for (uint8_t scope = SCOPE_CTA; take(word, ".") && scope <= SCOPE_SYS; scope++) {
                note->scope = scope;
                if (take(word, scope_name(scope)))
                    return true;
                word->at--;
            }
            return false;
        }
    return false;
}

static bool is_at_end(const struct word_reader *word, int end, enum sem sem)
{
    return word->any[end] || word->edge.writes[end] == (sem == SEM_RELEASE);
}

/* One note: a release is the edge's last write, an acquire its first read, anything else both ends. */
static bool place_note(struct word_reader *word, const struct generated_step *note)
{
    struct cycle_edge *edge = &word->edge;
    int ends[2] = {1, 0};
    if (note->sem == SEM_ACQUIRE)
        ends[0] = 0, ends[1] = 1;
    if (note->sem != SEM_ACQUIRE && note->sem != SEM_RELEASE) {
        for (int end = 0; end < 2; end++)
            edge->noted[end] = true, edge->note[end] = *note;
        return true;
    }
    if (edge->relation == EDGE_RMW) {
        edge->noted[0] = true, edge->note[0] = *note;
        return true;
    }
    for (int i = 0; i < 2; i++)
        if (is_at_end(word, ends[i], note->sem)) {
            edge->noted[ends[i]] = true, edge->note[ends[i]] = *note;
            return true;
        }
    return false;
}

static bool notes(struct word_reader *word)
{
    struct generated_step first, second;
    if (!*word->at)
        return true;
    if (!take(word, ".") || !strength(word, &first))
        return false;
    if (!*word->at)
        return place_note(word, &first);
    if (!take(word, ".") || !strength(word, &second) || *word->at)
        return false;
    word->edge.noted[0] = word->edge.noted[1] = true;
    word->edge.note[0] = first;
    word->edge.note[1] = second;
    return true;
}

static bool communication(struct word_reader *word)
{
    static const struct {
        const char *text;
        enum edge_relation relation;
        bool writes[2];
    } rows[] = {{"Rf", EDGE_RF, {true, false}},
                {"Fr", EDGE_FR, {false, true}},
                {"Co", EDGE_CO, {true, true}},
                {"Ws", EDGE_CO, {true, true}}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (take(word, rows[i].text)) {
            word->edge.relation = rows[i].relation;
            memcpy(word->edge.writes, rows[i].writes, sizeof rows[i].writes);
            word->edge.external = *word->at == 'e';
            return take(word, "e") || take(word, "i");
        }
    return false;
}

static bool dependency(struct word_reader *word)
{
    static const char *const words[] = {
        [STEP_DATA] = "DpData", [STEP_ADDRESS] = "DpAddr", [STEP_IF] = "DpCtrl"};
    for (uint8_t i = STEP_DATA; i <= STEP_IF; i++)
        if (take(word, words[i])) {
            word->edge.dependency = i;
            return location(word) && direction(word, 1) &&
                   (i != STEP_DATA || word->any[1] || word->edge.writes[1]);
        }
    return false;
}

/* What stands between two accesses: "Fence.sc.gpu", the names of older PTX, "Fence.proxy.alias", "Bar". */
static bool fence_step(struct word_reader *word, struct generated_step *fence)
{
    static const struct {
        const char *text;
        enum scope scope;
    } membars[] = {{"MembarCTA", SCOPE_CTA}, {"MembarGL", SCOPE_GPU}, {"MembarSYS", SCOPE_SYS}};
    *fence = (struct generated_step){.kind = STEP_BARRIER};
    if (take(word, "Bar"))
        return true;
    *fence = (struct generated_step){.kind = STEP_PROXY_FENCE};
    if (take(word, "Fence.proxy."))
        return proxy(word, &fence->proxy);
    *fence = (struct generated_step){.kind = STEP_FENCE, .sem = SEM_SC};
    for (size_t i = 0; i < G_N_ELEMENTS(membars); i++)
        if (take(word, membars[i].text)) {
            fence->scope = (uint8_t)membars[i].scope;
            return true;
        }
    if (!take(word, "Fence.") || !strength(word, fence))
        return false;
    fence->kind = STEP_FENCE;
    return !fence->proxy && fence->form == FORM_PLAIN && fence->sem != SEM_WEAK &&
           fence->sem != SEM_RELAXED;
}

static bool fence(struct word_reader *word)
{
    word->edge.fenced = true;
    if (!fence_step(word, &word->edge.fence))
        return false;
    take(word, ".");
    return location(word) && direction(word, 0) && direction(word, 1);
}

static bool read_modify_write(struct word_reader *word)
{
    static const struct {
        const char *text;
        enum atom_op atom;
    } rows[] = {
        {"Rmw", ATOM_EXCH}, {"Amo.Swp", ATOM_EXCH}, {"Amo.LdAdd", ATOM_ADD}, {"Amo.Cas", ATOM_CAS}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (take(word, rows[i].text)) {
            word->edge.relation = EDGE_RMW;
            word->edge.writes[1] = true;
            word->edge.atom = (uint8_t)rows[i].atom;
            return true;
        }
    return false;
}

static bool read_edge(struct word_reader *word)
{
    if (strncmp(word->at, "Dp", 2) == 0)
        return dependency(word) && notes(word);
    if (strncmp(word->at, "Fence.", 6) == 0 || strncmp(word->at, "Membar", 6) == 0 ||
        strncmp(word->at, "Bar", 3) == 0)
        return fence(word) && notes(word);
    if (strncmp(word->at, "Rmw", 3) == 0 || strncmp(word->at, "Amo.", 4) == 0)
        return read_modify_write(word) && notes(word);
    if (take(word, "Po"))
        return location(word) && direction(word, 0) && direction(word, 1) && notes(word);
    return communication(word) && notes(word);
}

/* The word as diy would write it, with R or W for '*'. */
static const char *spelling(struct arena *arena, const char *text, const struct cycle_edge *edge,
                            const bool *any)
{
    char *copy = arena_strdup(arena, text), *star = copy;
    for (int end = 0; end < 2; end++)
        if (any[end] && (star = strchr(star, '*')))
            *star = edge->writes[end] ? 'W' : 'R';
    return copy;
}

static void add_word(struct arena *arena, const char *text, const struct word_reader *read,
                     struct cycle_words *words)
{
    struct cycle_word word = {0};
    for (int from = 0; from < 2; from++)
        for (int to = 0; to < 2; to++) {
            struct cycle_edge edge = read->edge;
            if ((!read->any[0] && from != edge.writes[0]) ||
                (!read->any[1] && to != edge.writes[1]))
                continue;
            edge.writes[0] = from;
            edge.writes[1] = to;
            edge.word = spelling(arena, text, &edge, read->any);
            if (edge.dependency != STEP_DATA || to)
                word.at[word.count++] = edge;
        }
    vec_push(arena, &words->items, word);
}

/* "PodWW.rel": an edge, and after the point no word that says how strong an access is. */
static bool has_unknown_note(const char *text)
{
    static const char *const starts[] = {"Po", "Rf", "Fr", "Co", "Ws", "Dp", "Rmw"};
    for (size_t i = 0; strchr(text, '.') && i < G_N_ELEMENTS(starts); i++)
        if (g_str_has_prefix(text, starts[i]))
            return true;
    return false;
}

/* How long the word is without "PL", "PRel" or "RelRlx", which diy has for other machines and for C. */
static size_t without_strength(const char *text)
{
    static const char *const orders[] = {"Rel", "Acq", "Rlx", "Con", "Sc", "A", "L", "P", "Q", "X"};
    size_t plain = strlen(text);
    for (size_t i = 0; i < G_N_ELEMENTS(orders);) {
        size_t length = strlen(orders[i]);
        bool ends = plain >= length && !strncmp(text + plain - length, orders[i], length);
        plain -= ends ? length : 0;
        i = ends ? 0 : i + 1;
    }
    return plain;
}

/* Words that diy has for other machines, and what to write here. */
static const char *foreign_hint(const char *text)
{
    static const struct {
        const char *start, *hint;
    } rows[] = {
        {"Fence", "a fence says how strong it is and its scope: 'Fence.sc.gpudWR'"},
        {"MFence", "the strongest fence is 'Fence.sc.sysdWR'"},
        {"Sync", "the strongest fence is 'Fence.sc.sysdWR'"},
        {"LwSync", "a fence that is not sequentially consistent is 'Fence.acq_rel.sysdWW'"},
        {"DMB", "the strongest fence is 'Fence.sc.sysdWR'"},
        {"DSB", "the strongest fence is 'Fence.sc.sysdWR'"},
        {"ISB", "PTX has no such fence"},
        {"LxSx", "a read and a write that are one are 'Rmw', or 'Amo.Swp', 'Amo.Cas', 'Amo.LdAdd'"},
        {"Amo", "atomic operations are 'Amo.Swp', 'Amo.Cas', 'Amo.LdAdd'"},
        {"DpCtrlFence", "PTX has no such fence: 'DpCtrldW' is the dependency alone"},
        {"DpCtrlIsync", "PTX has no such fence: 'DpCtrldW' is the dependency alone"},
        {"DpDatad", "a data dependency leads to a write: 'DpDatadW'"},
        {"DpDatas", "a data dependency leads to a write: 'DpDatasW'"},
        {"Hat", "a read before a write that another thread reads is 'Fre Rfe'"},
        {"[", "write the edges of a sequence one after the other, without brackets"},
    };
    if (has_unknown_note(text))
        return "after the point stands 'weak', 'volatile', 'mmio', or 'relaxed', 'acquire', "
               "'release', 'acq_rel' and a scope: '.acquire.gpu'";
    size_t plain = without_strength(text);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strncmp(text, rows[i].start, strlen(rows[i].start)) == 0)
            return rows[i].hint;
    return text[plain] && (!plain || (plain > 2 && strchr("RWei", text[plain - 1])))
               ? "how strong an access is follows a point: PL, A and L of other machines, and "
                 "PRel, Acq "
                 "and Rel of C, are '.weak.release.gpu', '.acquire.gpu' and '.release.gpu'"
               : NULL;
}

static void refuse(struct arena *arena, const char *text, struct diag_list *diags)
{
    static const char *const known[] = {"PodWW",
                                        "PodWR",
                                        "PodRW",
                                        "PodRR",
                                        "PosWW",
                                        "PosWR",
                                        "PosRW",
                                        "PosRR",
                                        "Rfe",
                                        "Rfi",
                                        "Fre",
                                        "Fri",
                                        "Coe",
                                        "Coi",
                                        "Wse",
                                        "Wsi",
                                        "DpDatadW",
                                        "DpDatasW",
                                        "DpAddrdW",
                                        "DpAddrdR",
                                        "DpAddrsW",
                                        "DpAddrsR",
                                        "DpCtrldW",
                                        "DpCtrldR",
                                        "DpCtrlsW",
                                        "DpCtrlsR",
                                        "Rmw",
                                        "Amo.Swp",
                                        "Amo.Cas",
                                        "Amo.LdAdd",
                                        "Fence.sc.gpudWR",
                                        "MembarGLdWR",
                                        "BardWR",
                                        "Fence.proxy.aliasdWR"};
    const char *hint = foreign_hint(text);
    if (!hint)
        hint = diag_hint(arena, text, strlen(text), known, G_N_ELEMENTS(known));
    diag_add(diags, DIAG_cycle_word, NULL, (struct span){0}, hint, "'%s' is no edge of a cycle",
             text);
}

/* A note between two words: of the target of the one before, or of the source of the one after. */
static bool loose_note(const char *text, struct generated_step *note)
{
    struct word_reader word = {.at = text};
    return strength(&word, note) && !*word.at && note->sem != SEM_SC;
}

static void give_note(struct cycle_word *word, int end, const struct generated_step *note)
{
    for (uint32_t i = 0; i < word->count; i++) {
        word->at[i].noted[end] = true;
        word->at[i].note[end] = *note;
    }
}

bool cycle_read_words(struct arena *arena, const char *text, struct cycle_words *words,
                      struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct generated_step note, first = {0};
    bool before_first = false;
    g_auto(GStrv) parts = g_strsplit_set(text, " ,\t\r\n", -1);
    *words = (struct cycle_words){0};
    for (char **part = parts; *part; part++) {
        struct word_reader word = {.at = *part};
        if (!**part)
            continue;
        if (read_edge(&word)) {
            add_word(arena, *part, &word, words);
        } else if (!loose_note(*part, &note)) {
            refuse(arena, *part, diags);
        } else if (words->items.len) {
            give_note(&words->items.at[words->items.len - 1], 1, &note);
        } else {
            before_first = true;
            first = note;
        }
    }
    if (before_first && words->items.len)
        give_note(&words->items.at[0], 0, &first);
    if (!words->items.len && diags->errors == errors)
        diag_add(diags, DIAG_cycle_word, NULL, (struct span){0}, NULL, "a cycle needs edges");
    return diags->errors == errors;
}
