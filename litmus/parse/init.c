/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <string.h>

#include "litmus/base/number.h"

/* The initial state: "{ x = 0; P0:r0 = &x; y @ generic aliases x; shared u32 s[4] = {1, 2}; }". */

bool location_find(const struct parser *parser, uint32_t body, struct span name, uint32_t *index)
{
    const char *text = parser->source->text + name.offset;
    return (body != NONE && names_get(&parser->location_names, body, text, name.length, index)) ||
           names_get(&parser->location_names, NONE, text, name.length, index);
}

struct location blank_location(void)
{
    return (struct location){.space = SPACE_GLOBAL,
                             .elements = 1,
                             .alias_of = NONE,
                             .cta = NONE,
                             .cluster = NONE,
                             .gpu = NONE,
                             .kernel = NONE};
}

uint32_t location_of(struct parser *parser, struct span name)
{
    uint32_t index;
    if (location_find(parser, NONE, name, &index))
        return index;
    if (parser->source->text[name.offset] == '%')
        parse_error(parser, name_of_location, name, NULL, "'%s' is a register's name",
                    span_text(parser, name));
    index = parser->locations.len;
    struct location location = blank_location();
    location.name = span_text(parser, name);
    location.span = name;
    vec_push(parser->arena, &parser->locations, location);
    names_put(&parser->location_names, NONE, location.name, name.length, index);
    return index;
}

/* "P3" and "3" name thread 3. */
bool thread_number(const struct parser *parser, struct span word, uint32_t *number)
{
    const char *text = parser->source->text + word.offset;
    uint32_t i = word.length > 1 && text[0] == 'P';
    uint64_t value;
    bool fits;
    if (number_digits(text + i, word.length - i, 10, &value, &fits) != word.length - i || !fits ||
        value >= NONE || (text[i] == '0' && word.length - i > 1))
        return false;
    *number = (uint32_t)value;
    return true;
}

static const struct {
    const char *word;
    enum type type;
} c_types[] = {
    {"int", TYPE_S32},      {"int32_t", TYPE_S32},  {"int64_t", TYPE_S64}, {"uint32_t", TYPE_U32},
    {"uint64_t", TYPE_U64}, {"int8_t", TYPE_S8},    {"uint8_t", TYPE_U8},  {"int16_t", TYPE_S16},
    {"uint16_t", TYPE_U16}, {"unsigned", TYPE_U32},
};

bool type_from_word(const struct parser *parser, struct span word, enum type *type)
{
    if (!word.length) /* the end of the text */
        return false;
    bool dotted = parser->source->text[word.offset] == '.';
    struct span bare = {word.offset + dotted, word.length - dotted};
    size_t count;
    const struct isa_word *words = isa_words(&count);
    for (size_t i = 0; i < count; i++)
        if (words[i].class == 'T' && span_is(parser, bare, words[i].text)) {
            *type = (enum type)words[i].value;
            return true;
        }
    for (size_t i = 0; !dotted && i < sizeof c_types / sizeof *c_types; i++)
        if (span_is(parser, bare, c_types[i].word)) {
            *type = c_types[i].type;
            return true;
        }
    return false;
}

/* What the words before a name say. */
struct specifiers {
    enum type type;
    enum space space;
    enum memory_kind memory;
    uint32_t align;
    bool typed, spaced, placed;
};

static bool space_from_word(const struct parser *parser, struct span word, enum space *space)
{
    static const struct {
        const char *word;
        enum space space;
    } spaces[] = {{"global", SPACE_GLOBAL},
                  {"shared", SPACE_SHARED},
                  {"local", SPACE_LOCAL},
                  {"const", SPACE_CONST}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (span_is(parser, word, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static bool memory_from_word(const struct parser *parser, struct span word,
                             enum memory_kind *memory)
{
    for (int kind = MEMORY_DEVICE; kind <= MEMORY_PAGEABLE; kind++)
        if (span_is(parser, word, memory_kind_name((enum memory_kind)kind))) {
            *memory = (enum memory_kind)kind;
            return true;
        }
    return false;
}

/* Reads the word as one specifier; false when it is none or the second of its sort. */
static bool specifier(const struct parser *parser, struct span word, struct specifiers *to)
{
    bool dotted = parser->source->text[word.offset] == '.';
    struct span bare = {word.offset + dotted, word.length - dotted};
    if (!to->spaced && space_from_word(parser, bare, &to->space))
        return to->spaced = true;
    if (!to->typed && type_from_word(parser, word, &to->type))
        return to->typed = to->type != TYPE_PRED;
    return !to->placed && !dotted && (to->placed = memory_from_word(parser, bare, &to->memory));
}

/* Specifiers are the words followed by another word: the last word is the name. */
static bool specifiers(struct parser *parser, struct specifiers *to)
{
    *to = (struct specifiers){.space = SPACE_GLOBAL};
    while (at(parser, TOKEN_DOTWORD) ||
           (at(parser, TOKEN_WORD) &&
            (parser->next.kind == TOKEN_WORD || parser->next.kind == TOKEN_DOTWORD))) {
        if (at_word(parser, ".align")) {
            if (!parse_alignment(parser, &to->align))
                return false;
            continue;
        }
        if (!specifier(parser, parser->token.span, to)) {
            parse_error(parser, unknown_declaration, parser->token.span,
                        "write a type (u32, .b64), a space (global, shared, const, local) or a "
                        "memory (mapped, managed, pinned, pageable)",
                        "%s declares nothing", token_text(parser, parser->token));
            return false;
        }
        advance(parser);
    }
    return true;
}

/* 5, -5, &x or x. */
static bool initial_value(struct parser *parser, struct location_init *init)
{
    *init = (struct location_init){0, NONE};
    bool ampersand = accept(parser, '&');
    if (at(parser, TOKEN_WORD)) {
        init->address_of = location_of(parser, parser->token.span);
        advance(parser);
        return true;
    }
    if (!ampersand && (at(parser, TOKEN_NUMBER) || at(parser, '-')))
        return parse_integer(parser, &init->value);
    if (!ampersand && (at(parser, TOKEN_FLOAT32) || at(parser, TOKEN_FLOAT64))) {
        init->value = parser->token.value;
        advance(parser);
        return true;
    }
    unexpected(parser, ampersand ? "the name of a location" : "an initial value");
    return false;
}

/* "{1, 2, 3}" for an array. */
static bool initial_values(struct parser *parser, struct location *location, bool sized)
{
    VEC(struct location_init) values = {0};
    struct span span = parser->token.span;
    advance(parser);
    do {
        struct location_init value;
        if (!initial_value(parser, &value))
            return false;
        vec_push(parser->arena, &values, value);
    } while (accept(parser, ',') && values.len <= MAX_ELEMENTS);
    if (!expect(parser, '}', "'}' after the initial values"))
        return false;
    if (!sized)
        location->elements = values.len;
    if (values.len > location->elements) {
        parse_error(parser, bad_array, span, NULL, "%u initial values for %u elements", values.len,
                    location->elements);
        return false;
    }
    location->init = ARENA_ARRAY(parser->arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++)
        location->init[i] = i < values.len ? values.at[i] : (struct location_init){0, NONE};
    return true;
}

/* "[4]", "[2][3]", or "[]" when the initial values say how many; 'vector' elements each. */
static bool array_size(struct parser *parser, struct location *location, uint32_t vector,
                       bool *sized)
{
    uint64_t total = vector, count;
    *sized = true;
    while (*sized && at(parser, '[')) {
        struct span span = parser->token.span;
        advance(parser);
        location->array = true;
        *sized = at(parser, TOKEN_NUMBER);
        if (*sized && !expect_number(parser, "the number of elements", MAX_ELEMENTS, &count))
            return false;
        if (!expect(parser, ']', "']'"))
            return false;
        total *= *sized ? count : 0;
        if (*sized && (total == 0 || total > MAX_ELEMENTS)) {
            parse_error(parser, bad_array, span, NULL, "an array has 1 to %d elements",
                        MAX_ELEMENTS);
            return false;
        }
    }
    location->elements = (uint32_t)total;
    return true;
}

static bool initializer(struct parser *parser, struct location *location, bool sized)
{
    if (!accept(parser, '=')) {
        if (!sized)
            unexpected(parser, "'=' and initial values after '[]'");
        return sized;
    }
    location->initialized = true;
    if (at(parser, '{'))
        return initial_values(parser, location, sized);
    struct location_init value;
    if (!initial_value(parser, &value))
        return false;
    location->elements = location->elements ? location->elements : 1;
    location->init = ARENA_ARRAY(parser->arena, struct location_init, location->elements);
    location->init[0] = value;
    for (uint32_t i = 1; i < location->elements; i++)
        location->init[i].address_of = NONE;
    return true;
}

bool parse_array_and_value(struct parser *parser, struct location *location, uint32_t vector)
{
    bool sized;
    return array_size(parser, location, vector, &sized) && initializer(parser, location, sized);
}

/* "@ cta 0, gpu 1": who owns the memory. */
static bool owner(struct parser *parser, struct location *location)
{
    do {
        uint32_t *field = at_word(parser, "cta")       ? &location->cta
                          : at_word(parser, "cluster") ? &location->cluster
                          : at_word(parser, "gpu")     ? &location->gpu
                                                       : NULL;
        uint64_t number;
        if (!field) {
            parse_error(parser, unknown_placement, parser->token.span,
                        "memory belongs to a cta, cluster or gpu", "%s places nothing",
                        token_text(parser, parser->token));
            return false;
        }
        advance(parser);
        if (!expect_number(parser, "its number", 1 << 20, &number))
            return false;
        *field = (uint32_t)number;
    } while (accept(parser, ','));
    return true;
}

static bool proxy_from_word(struct parser *parser, enum proxy *proxy)
{
    static const enum proxy proxies[] = {PROXY_GENERIC, PROXY_TEXTURE, PROXY_SURFACE,
                                         PROXY_CONSTANT};
    const char *names[4];
    for (size_t i = 0; i < 4; i++) {
        names[i] = proxy_name(proxies[i]);
        if (accept_word(parser, names[i])) {
            *proxy = proxies[i];
            return true;
        }
    }
    const char *word = span_text(parser, parser->token.span);
    const char *near = diag_nearest(word, strlen(word), names, 4);
    parse_error(parser, unknown_proxy, parser->token.span,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "%s is no proxy of an alias", token_text(parser, parser->token));
    return false;
}

/* "y @ generic aliases x"; the current token is the proxy. */
static bool alias(struct parser *parser, struct location *location)
{
    if (!proxy_from_word(parser, &location->alias_proxy))
        return false;
    if (!accept_word(parser, "aliases")) {
        unexpected(parser, "'aliases'");
        return false;
    }
    struct span target = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a location"))
        return false;
    location->alias_of = location_of(parser, target);
    return true;
}

static bool at_owner(const struct parser *parser)
{
    return at_word(parser, "cta") || at_word(parser, "cluster") || at_word(parser, "gpu");
}

/* Everything after the name; alias, array and owner in the order of their marks. */
static bool location_rest(struct parser *parser, struct location *location)
{
    bool sized;
    if (!array_size(parser, location, 1, &sized))
        return false;
    if (accept(parser, '@'))
        return (at_owner(parser) ? owner : alias)(parser, location) &&
               initializer(parser, location, sized);
    return initializer(parser, location, sized) &&
           (!accept(parser, '@') || owner(parser, location));
}

static bool location_entry(struct parser *parser, const struct specifiers *from)
{
    struct span name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a location or register"))
        return false;
    uint32_t index = location_of(parser, name);
    struct location location = parser->locations.at[index];
    if (location.declared)
        parse_error(parser, duplicate_location, name, NULL, "location '%s' is declared twice",
                    location.name);
    location.type = from->typed ? from->type : TYPE_NONE;
    location.space = from->space;
    location.memory = from->memory;
    location.align = from->align;
    location.declared = true;
    location.span = name;
    bool good = location_rest(parser, &location);
    parser->locations.at[index] = location;
    return good;
}

/* "P0:r0 = 1" or "0:r0 = &x". */
static bool register_entry(struct parser *parser)
{
    struct raw_reg_init init = {.value = {0, NONE}};
    struct token thread = parser->token;
    advance(parser);
    advance(parser);
    init.name = parser->token.span;
    if (!expect(parser, TOKEN_WORD, "the name of a register"))
        return false;
    init.given = accept(parser, '=');
    if (init.given && !initial_value(parser, &init.value))
        return false;
    if (!thread_number(parser, thread.span, &init.column)) {
        parse_error(parser, unknown_thread, thread.span, NULL, "%s is no thread",
                    token_text(parser, thread));
        return true;
    }
    vec_push(parser->arena, &parser->reg_inits, init);
    return true;
}

static bool init_entry(struct parser *parser)
{
    struct specifiers words;
    if ((at(parser, TOKEN_WORD) || at(parser, TOKEN_NUMBER)) && parser->next.kind == ':')
        return register_entry(parser);
    return specifiers(parser, &words) && location_entry(parser, &words);
}

void parse_init(struct parser *parser)
{
    if (!expect(parser, '{', "'{' and the initial state"))
        return;
    while (!at(parser, '}') && !at(parser, TOKEN_END)) {
        if (accept(parser, ';'))
            continue;
        bool good = init_entry(parser);
        if (good && !at(parser, '}') && !expect(parser, ';', "';'"))
            good = false;
        while (!good && !at(parser, ';') && !at(parser, '}') && !at(parser, TOKEN_END))
            advance(parser);
    }
    expect(parser, '}', "'}' after the initial state");
}
