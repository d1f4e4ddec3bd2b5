/* SPDX-License-Identifier: MIT */
#include "litmus/parse/texture.h"

#include "litmus/parse/location.h"
#include "litmus/test/texture.h"

/* Declarations of textures and surfaces in the initial state. */

bool parse_at_texture(const struct parser *p)
{
    return (parse_at_word(p, "texture") || parse_at_word(p, "surface")) &&
           (p->next.kind == TOKEN_WORD || p->next.kind == TOKEN_DOTWORD);
}

/* "f32", ".v4 .f32" or "float4". */
static bool element(struct parser *p, struct texture *texture)
{
    struct location vector = {0};
    struct span word = p->token.span;
    texture->channels = parse_vector(p, &vector) ? vector.vector : 1;
    word = p->token.span;
    bool known =
        parse_type_word(p, word, &texture->type) ||
        (texture->channels == 1 && texture_vector(p->source->text + word.offset, word.length,
                                                  &texture->type, &texture->channels));
    if (!known) {
        parse_unexpected(p, "the type of the elements, such as f32 or float4");
        return false;
    }
    parse_advance(p);
    return true;
}

/* "[2][8]"; none: what the location that it aliases has. */
static bool dimensions(struct parser *p, struct texture *texture)
{
    uint64_t sizes[TEXTURE_AXES], total = texture->channels;
    struct span start = p->token.span;
    while (parse_at(p, '[') && texture->dims < TEXTURE_AXES) {
        parse_advance(p);
        if (!parse_expect_number(p, "the number of elements", MAX_ELEMENTS,
                                 &sizes[texture->dims]) ||
            !parse_expect(p, ']', "']'"))
            return false;
        total *= sizes[texture->dims++];
        if (total == 0 || total > MAX_ELEMENTS) {
            parse_error(p, bad_array, start, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
            return false;
        }
    }
    for (uint32_t i = 0; i < TEXTURE_AXES; i++)
        texture->size[i] = i < texture->dims ? (uint32_t)sizes[texture->dims - 1 - i] : 1;
    if (parse_at(p, '['))
        parse_unexpected(p, "at most three dimensions");
    return !parse_at(p, '[');
}

static bool words(struct parser *p, struct texture *texture)
{
    while (parse_at(p, TOKEN_WORD) && !parse_at_word(p, "aliases")) {
        struct span word = p->token.span;
        if (!texture_set_word(texture, p->source->text + word.offset, word.length)) {
            parse_error(p, bad_texture, word,
                        "point or linear; clamp, border, wrap or mirror; normalized; "
                        "normalizedfloat; layered",
                        "'%.40s' is no property of a texture", parse_text(p, word));
            return false;
        }
        parse_advance(p);
    }
    return true;
}

/* The location behind it: one of its own, or another one. */
static bool memory(struct parser *p, const struct texture *texture, struct location *location)
{
    location->array = true;
    location->type = texture->type;
    location->vector = texture->channels > 1 ? texture->channels : 0;
    location->elements = (uint32_t)texture_elements(texture) * texture->channels;
    parse_vector_alignment(location);
    if (!parse_accept_word(p, "aliases")) {
        if (!texture->dims)
            parse_unexpected(p, "'[' and the size of the texture");
        return texture->dims && parse_initializer(p, location, true);
    }
    struct span target = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of a location"))
        return false;
    location->vector = 0;
    location->alias_proxy = texture->proxy;
    location->alias_of = parse_location(p, target);
    return true;
}

bool parse_texture(struct parser *p)
{
    struct texture *texture = ARENA_NEW(p->arena, struct texture);
    struct location location = test_location();
    texture->proxy = parse_at_word(p, "texture") ? PROXY_TEXTURE : PROXY_SURFACE;
    parse_advance(p);
    if (!element(p, texture))
        return false;
    struct span name = p->token.span;
    if (!parse_expect(p, TOKEN_WORD, "the name of the texture"))
        return false;
    parse_location(p, name); /* says what cannot be called so */
    location.texture = texture;
    uint32_t index = parse_declare_location(p, name, location);
    location = p->locations.at[index];
    bool good = dimensions(p, texture) && words(p, texture) && memory(p, texture, &location);
    const char *fault = good ? texture_fault(texture) : NULL;
    p->locations.at[index] = location;
    if (fault)
        parse_error(p, bad_texture, name, NULL, "'%s' cannot be: %s", location.name, fault);
    return good && !fault;
}
