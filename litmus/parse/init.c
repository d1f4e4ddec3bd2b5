/* SPDX-License-Identifier: MIT */
#include "litmus/parse/init.h"

#include <string.h>

#include "litmus/parse/columns.h"
#include "litmus/parse/location.h"
#include "litmus/parse/tensor.h"
#include "litmus/parse/texture.h"
#include "litmus/test/texture.h"

/* The initial state: "{ x = 0; P0:r0 = &x; y @ generic aliases x; shared u32 s[4] = {1, 2}; }".
 * Textures: texture.c. */

static bool memory_from_word(const struct parser *p, struct span word, enum memory_kind *memory)
{
    for (int kind = MEMORY_DEVICE; kind <= MEMORY_PAGEABLE; kind++)
        if (parse_text_is(p, word, memory_kind_name((enum memory_kind)kind))) {
            *memory = (enum memory_kind)kind;
            return true;
        }
    return false;
}

static bool vector_from_word(const struct parser *p, struct span word, struct location *to)
{
    return texture_vector(p->source->text + word.offset, word.length, &to->type, &to->vector);
}

/* The second word of a type of C, "char" of "unsigned char", behind the word that was read before it. */
static bool goes_on(const struct parser *p, struct span before, struct span word, enum type *type)
{
    static const struct {
        const char *before, *word;
        enum type type; /* TYPE_NONE: as it was */
    } rows[] = {{"unsigned", "int", TYPE_NONE},  {"unsigned", "char", TYPE_U8},
                {"unsigned", "short", TYPE_U16}, {"unsigned", "long", TYPE_U64},
                {"long", "long", TYPE_NONE},     {"long", "int", TYPE_NONE},
                {"short", "int", TYPE_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parse_text_is(p, before, rows[i].before) && parse_text_is(p, word, rows[i].word)) {
            *type = rows[i].type ? rows[i].type : *type;
            return true;
        }
    return false;
}

/* Reads the word as one specifier; false when it is none or the second of its sort. SPACE_GENERIC is no
 * space yet; 'placed': the memory is known. */
static bool specifier(const struct parser *p, struct span word, struct location *to, bool *placed)
{
    bool dotted = p->source->text[word.offset] == '.';
    struct span bare = {word.offset + dotted, word.length - dotted};
    enum space space;
    enum type type;
    if (!to->space && parse_space_word(p, bare, &space) &&
        parse_text_is(p, bare, space_name(space))) {
        to->space = space;
        return true;
    }
    if (!to->type && !to->vector && vector_from_word(p, word, to))
        return true;
    if (!to->type && parse_type_word(p, word, &type)) {
        to->type = type;
        return type != TYPE_PRED;
    }
    return !*placed && !dotted && (*placed = memory_from_word(p, bare, &to->memory));
}

/* Specifiers are the words followed by another word: the last word is the name. */
static bool specifiers(struct parser *p, struct location *to)
{
    bool placed = false;
    struct span before = {0, 0};
    to->space = SPACE_GENERIC;
    while (parse_at(p, TOKEN_DOTWORD) ||
           (parse_at(p, TOKEN_WORD) &&
            (p->next.kind == TOKEN_WORD || p->next.kind == TOKEN_DOTWORD))) {
        if (parse_at_word(p, ".align")) {
            if (!parse_alignment(p, &to->align))
                return false;
            continue;
        }
        if (!to->vector && parse_vector(p, to))
            continue;
        if (!goes_on(p, before, p->token.span, &to->type) &&
            !specifier(p, p->token.span, to, &placed)) {
            parse_error(p, unknown_declaration, p->token.span,
                        "write a type (u32, .b64, float, uint4), a space (global, shared, const, "
                        "local) or a "
                        "memory (mapped, managed, pinned, pageable)",
                        "%s declares nothing", parse_token_text(p, p->token));
            return false;
        }
        before = p->token.span;
        parse_advance(p);
    }
    to->space = to->space ? to->space : SPACE_GLOBAL;
    parse_vector_alignment(to);
    return true;
}

/* The level of the tree of scopes that the current word names, of those that own memory; NULL: none. */
static uint32_t *owner_field(const struct parser *p, struct location *location)
{
    return parse_at_word(p, "cta")       ? &location->cta
           : parse_at_word(p, "cluster") ? &location->cluster
           : parse_at_word(p, "gpu")     ? &location->gpu
                                         : NULL;
}

/* "@ cta 0, gpu 1": who owns the memory. */
static bool owner(struct parser *p, struct location *location)
{
    do {
        uint32_t *field = owner_field(p, location);
        if (!field) {
            parse_error(p, unknown_placement, p->token.span,
                        "memory belongs to a cta, cluster or gpu", "%s places nothing",
                        parse_token_text(p, p->token));
            return false;
        }
        parse_advance(p);
        if (!parse_count(p, "its number", 1 << 20, field))
            return false;
    } while (parse_accept(p, ','));
    return true;
}

/* Only proxies through which a location can have another name. */
static bool proxy_from_word(struct parser *p, enum proxy *proxy)
{
    const char *names[PROXY_COUNT];
    uint32_t count = 0, found;
    for (uint32_t i = 0; i < PROXY_COUNT; i++)
        if (proxy_row((enum proxy)i)->aliases)
            names[count++] = proxy_name((enum proxy)i);
    if (parse_isa_word(p, 'P', p->token.span, &found) && proxy_row((enum proxy)found)->aliases) {
        *proxy = (enum proxy)found;
        parse_advance(p);
        return true;
    }
    const char *word = parse_text(p, p->token.span);
    parse_error(p, unknown_proxy, p->token.span,
                diag_hint(p->arena, word, strlen(word), names, count), "%s is no proxy of an alias",
                parse_token_text(p, p->token));
    return false;
}

/* "y @ generic aliases x"; the current token is the proxy. */
static bool alias(struct parser *p, struct location *location)
{
    if (!proxy_from_word(p, &location->alias_proxy))
        return false;
    if (!parse_accept_word(p, "aliases")) {
        parse_unexpected(p, "'aliases'");
        return false;
    }
    struct span target = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a location"))
        return false;
    location->alias_of = parse_location(p, target);
    return true;
}

/* "multimem aliases {x, y}": one address for memory of several devices, of the size and type of the first. */
static bool replicas(struct parser *p, struct location *location)
{
    enum { MOST_DEVICES = 64 };
    uint32_t list[MOST_DEVICES], count = 0;
    parse_advance(p);
    if (!parse_accept_word(p, "aliases")) {
        parse_unexpected(p, "'aliases'");
        return false;
    }
    if (!parse_expect(p, '{', "'{' and the names of locations"))
        return false;
    do {
        if (!parse_at(p, TOKEN_WORD) || count == MOST_DEVICES) {
            parse_unexpected(p, "the name of a location");
            return false;
        }
        if (!parse_known_location(p, p->token.span, &list[count++]))
            return false;
        parse_advance(p);
    } while (parse_accept(p, ','));
    const struct location *first = &p->locations.at[list[0]];
    location->type = first->type;
    location->elements = first->elements;
    location->array = first->array;
    location->initialized = true;
    location->replicas = arena_grow(p->arena, list, count * sizeof *list, count * sizeof *list);
    location->replica_count = count;
    return parse_expect(p, '}', "'}' or ','");
}

/* Everything after the name; alias, array and owner in the order of their marks. */
static bool location_rest(struct parser *p, struct location *location)
{
    bool sized;
    if (!parse_array_size(p, location, &sized))
        return false;
    if (parse_at(p, '@') && p->next.kind == TOKEN_WORD &&
        parse_text_is(p, p->next.span, "multimem")) {
        parse_advance(p);
        return replicas(p, location);
    }
    if (parse_accept(p, '@'))
        return (owner_field(p, location) ? owner : alias)(p, location) &&
               parse_initializer(p, location, sized);
    return parse_initializer(p, location, sized) && (!parse_accept(p, '@') || owner(p, location));
}

/* "x = {1, 2}" after "u32 x[2];": the values of a location that was declared without. */
static bool at_values(const struct parser *p, uint32_t *index)
{
    return parse_at(p, TOKEN_WORD) && p->next.kind == '=' &&
           parse_find_location(p, NONE, p->token.span, index) && p->locations.at[*index].declared &&
           !p->locations.at[*index].initialized;
}

/* "x[1] = 2" after "u32 x[4];". */
static bool at_element(const struct parser *p, uint32_t *index)
{
    return parse_at(p, TOKEN_WORD) && p->next.kind == '[' &&
           parse_find_location(p, NONE, p->token.span, index) && p->locations.at[*index].declared &&
           p->locations.at[*index].array;
}

static bool location_entry(struct parser *p)
{
    struct location location = test_location();
    uint32_t known;
    if (at_element(p, &known)) {
        parse_advance(p);
        return parse_element_values(p, &p->locations.at[known]);
    }
    if (at_values(p, &known)) {
        parse_advance(p);
        return parse_initializer(p, &p->locations.at[known], true);
    }
    bool map = parse_at_tensor_map(p);
    if (map)
        parse_advance(p);
    else if (!specifiers(p, &location))
        return false;
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a location or register"))
        return false;
    parse_location(p, name); /* says what cannot be called so */
    uint32_t index = parse_declare_location(p, name, location);
    location = p->locations.at[index];
    bool good = (map ? parse_tensor_maps : location_rest)(p, &location);
    p->locations.at[index] = location;
    return good;
}

/* "P0:r0 = 1" or "0:r0 = &x". */
static bool register_entry(struct parser *p)
{
    struct raw_reg_init init = {.value = {0, NONE}};
    struct token thread = p->token;
    parse_advance(p);
    parse_advance(p);
    init.name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a register"))
        return false;
    init.given = parse_accept(p, '=');
    if (init.given && !parse_value(p, "an initial value", &init.value))
        return false;
    if (!parse_thread_number(p, thread.span, &init.column)) {
        parse_error(p, unknown_thread, thread.span, NULL, "%s is no thread",
                    parse_token_text(p, thread));
        return true;
    }
    vec_push(p->arena, &p->reg_inits, init);
    return true;
}

/* To the end of the entry that begins there: ';', or the '}' of the initial state, not one of the entry. */
static void skip_entry(struct parser *p, uint32_t begin)
{
    uint32_t open = 0;
    for (uint32_t at = begin; at < p->token.span.offset; at++) {
        open += p->source->text[at] == '{';
        open -= open && p->source->text[at] == '}';
    }
    while (!parse_at(p, TOKEN_END) && !parse_at(p, ';') && (open || !parse_at(p, '}'))) {
        open += parse_at(p, '{');
        open -= parse_at(p, '}');
        parse_advance(p);
    }
}

void parse_init(struct parser *p)
{
    if (!parse_expect(p, '{', "'{' and the initial state"))
        return;
    while (!parse_at(p, '}') && !parse_at(p, TOKEN_END)) {
        if (parse_accept(p, ';'))
            continue;
        uint32_t begin = p->token.span.offset;
        bool is_register =
            (parse_at(p, TOKEN_WORD) || parse_at(p, TOKEN_NUMBER)) && p->next.kind == ':';
        bool good = (is_register           ? register_entry
                     : parse_at_texture(p) ? parse_texture
                                           : location_entry)(p);
        if (good && !parse_at(p, '}') && !parse_expect(p, ';', "';'"))
            good = false;
        if (!good)
            skip_entry(p, begin);
    }
    parse_expect(p, '}', "'}' after the initial state");
}
