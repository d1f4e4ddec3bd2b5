/* SPDX-License-Identifier: MIT */
#include "litmus/parse/location.h"

#include <string.h>

#include "litmus/base/number.h"
#include "litmus/parse/constant.h"
#include "litmus/parse/include.h"

/* Locations: their names, and what their declarations have in common in the initial state, in a
 * kernel and in a module: types, spaces, alignment, sizes and initial values. */

bool parse_find_location(const struct parser *p, uint32_t body, struct span name, uint32_t *index)
{
    *index = body == NONE ? NONE : parse_name(p, &p->location_names, body, name);
    if (*index == NONE)
        *index = parse_name(p, &p->location_names, NONE, name);
    return *index != NONE;
}

uint32_t parse_location(struct parser *p, struct span name)
{
    uint32_t index;
    if (parse_find_location(p, NONE, name, &index))
        return index;
    if (p->source->text[name.offset] == '%')
        parse_error(p, name_of_location, name, NULL, "'%s' is a register's name",
                    parse_text(p, name));
    index = p->locations.len;
    struct location location = test_location();
    location.name = parse_text(p, name);
    location.span = name;
    vec_push(p->arena, &p->locations, location);
    names_put(&p->location_names, NONE, location.name, name.length, index);
    return index;
}

bool parse_known_location(struct parser *p, struct span name, uint32_t *location)
{
    bool known = parse_find_location(p, NONE, name, location);
    if (!known)
        parse_error(p, unknown_name, name, "declare it between the first '{' and '}'",
                    "there is no location '%.60s'", parse_text(p, name));
    return known;
}

/* Is it a variable that a kernel declares and all its launches and threads share? */
static bool is_static(const struct parser *p, enum space space)
{
    return p->body != NONE && (space == SPACE_GLOBAL || space == SPACE_CONST);
}

/* Names of inner blocks get a suffix, because the test has one flat list of locations; what a kernel shares
 * with nobody else has its name in front. */
static const char *flat_name(struct parser *p, struct span name, enum space space)
{
    const char *flat = parse_text(p, name);
    if (is_static(p, space))
        flat = arena_printf(p->arena, "%s$%s", parse_body(p)->name, flat);
    if (!p->block)
        return flat;
    flat = arena_printf(p->arena, "%s$%u", flat, p->block);
    while (names_has(&p->location_names, p->body, flat) ||
           names_has(&p->location_names, NONE, flat))
        flat = arena_printf(p->arena, "%s$", flat);
    return flat;
}

static uint32_t add_location(struct parser *p, struct span name, enum space space)
{
    const char *flat = flat_name(p, name, space), *own = p->source->text + name.offset;
    uint32_t index = p->locations.len;
    vec_push(p->arena, &p->locations, (struct location){.name = flat});
    names_put(&p->location_names, is_static(p, space) ? NONE : p->body, flat, strlen(flat), index);
    if (p->block)
        names_put(&parse_body(p)->locations, p->block, own, name.length, index);
    else
        names_put(&p->location_names, p->body, own, name.length, index);
    return index;
}

uint32_t parse_declare_location(struct parser *p, struct span name, struct location location)
{
    uint32_t index = p->block ? parse_name(p, &parse_body(p)->locations, p->block, name)
                              : parse_name(p, &p->location_names, p->body, name);
    if (index == NONE)
        index = add_location(p, name, location.space);
    else if (p->locations.at[index].declared)
        parse_error(p, duplicate_location, name, NULL, "location '%s' is declared twice",
                    parse_text(p, name));
    location.name = p->locations.at[index].name;
    location.declared = true;
    location.kernel = is_static(p, location.space) ? NONE : p->body;
    location.span = name;
    p->locations.at[index] = location;
    return index;
}

/* What the initial state may call a type besides. */
static const struct {
    const char *word;
    enum type type;
} c_types[] = {
    {"int", TYPE_S32},      {"int32_t", TYPE_S32},  {"int64_t", TYPE_S64}, {"uint32_t", TYPE_U32},
    {"uint64_t", TYPE_U64}, {"int8_t", TYPE_S8},    {"uint8_t", TYPE_U8},  {"int16_t", TYPE_S16},
    {"uint16_t", TYPE_U16}, {"unsigned", TYPE_U32}, {"float", TYPE_F32},   {"double", TYPE_F64},
    {"char", TYPE_S8},      {"short", TYPE_S16},    {"long", TYPE_S64},    {"half", TYPE_F16},
    {"bool", TYPE_U8},
};

bool parse_type_word(const struct parser *p, struct span word, enum type *type)
{
    bool dotted = word.length && p->source->text[word.offset] == '.';
    struct span bare = {word.offset + dotted, word.length - dotted};
    uint32_t found;
    if (parse_isa_word(p, 'T', bare, &found)) {
        *type = (enum type)found;
        return true;
    }
    for (size_t i = 0; !dotted && i < sizeof c_types / sizeof *c_types; i++)
        if (parse_text_is(p, bare, c_types[i].word)) {
            *type = c_types[i].type;
            return true;
        }
    return false;
}

bool parse_space_word(const struct parser *p, struct span word, enum space *space)
{
    uint32_t found;
    if (!parse_isa_word(p, 'M', word, &found) || !space_is_declared((enum space)found))
        return false;
    *space = (enum space)found;
    return true;
}

bool parse_space(struct parser *p, enum space *space)
{
    struct span word = {p->token.span.offset + 1, p->token.span.length - 1};
    if (!parse_at(p, TOKEN_DOTWORD) || !parse_space_word(p, word, space))
        return false;
    parse_advance(p);
    return true;
}

bool parse_alignment(struct parser *p, uint32_t *align)
{
    struct span span = p->token.span;
    if (!parse_accept_word(p, ".align"))
        return true;
    if (!parse_count(p, "the alignment", 1 << 16, align))
        return false;
    if (*align && !(*align & (*align - 1)))
        return true;
    parse_error(p, bad_alignment, span, NULL, "an alignment is a power of two");
    return false;
}

/* "+4*2" behind an address, or nothing. */
static bool addend(struct parser *p, struct location_init *value)
{
    uint64_t more;
    bool good = parse_addend(p, &more);
    value->value += more;
    return good;
}

static bool address(struct parser *p, struct location_init *value)
{
    value->address_of = parse_location(p, p->token.span);
    parse_advance(p);
    return addend(p, value);
}

bool parse_value(struct parser *p, const char *what, struct location_init *value)
{
    *value = (struct location_init){0, NONE};
    bool ampersand = parse_accept(p, '&');
    if (parse_at_word(p, "generic") && p->next.kind == '(') {
        parse_advance(p);
        parse_advance(p);
        return parse_value(p, what, value) && parse_expect(p, ')', "')'") && addend(p, value);
    }
    if (p->modules && !ampersand && !parse_at_fraction(p) && parse_at_constant(p))
        return parse_constant(p, &value->value);
    if (parse_at(p, TOKEN_WORD) && parse_is_function(p, p->token.span))
        value->value = parse_function_address(p, p->token.span);
    else if (parse_at(p, TOKEN_WORD))
        return address(p, value);
    else if (!ampersand && (parse_at(p, TOKEN_NUMBER) || parse_at(p, '-')))
        return parse_integer(p, &value->value);
    else if (!ampersand && (parse_at(p, TOKEN_FLOAT32) || parse_at(p, TOKEN_FLOAT64)))
        value->value = p->token.value;
    else {
        parse_unexpected(p, ampersand ? "the name of a location" : what);
        return false;
    }
    parse_advance(p);
    return true;
}

bool parse_vector(struct parser *p, struct location *location)
{
    location->vector = parse_accept_word(p, ".v2")   ? 2
                       : parse_accept_word(p, ".v4") ? 4
                                                     : location->vector;
    return location->vector;
}

void parse_vector_alignment(struct location *location)
{
    if (!location->vector)
        return;
    location->array = true;
    if (!location->align && location->type != TYPE_NONE)
        location->align = location->vector * type_bytes(location->type);
}

bool parse_array_size(struct parser *p, struct location *location, bool *sized)
{
    uint64_t total = location->vector ? location->vector : 1, count;
    VEC(uint32_t) dims = {0};
    *sized = true;
    while (*sized && parse_at(p, '[')) {
        struct span span = p->token.span;
        parse_advance(p);
        location->array = true;
        *sized = parse_at(p, TOKEN_NUMBER);
        if (*sized && !parse_expect_number(p, "the number of elements", MAX_ELEMENTS, &count))
            return false;
        if (!parse_expect(p, ']', "']'"))
            return false;
        vec_push(p->arena, &dims, *sized ? (uint32_t)count : 0);
        total *= *sized ? count : 0;
        if (*sized && (total == 0 || total > MAX_ELEMENTS)) {
            parse_error(p, bad_array, span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
            return false;
        }
    }
    location->elements = (uint32_t)total;
    location->dims = dims.len > 1 ? dims.at : NULL;
    location->dim_count = dims.len > 1 ? dims.len : 0;
    return true;
}

/* '@ "data.bin"': elements of the location's type, in the order of their bytes. */
static bool values_of_file(struct parser *p, struct location *location, bool sized)
{
    struct span span = p->token.span;
    uint32_t bytes = type_bytes(location->type ? location->type : TYPE_U64);
    if (!parse_at(p, TOKEN_STRING)) {
        parse_unexpected(p, "the name of a file");
        return false;
    }
    struct source_file file = parse_file(p);
    if (!file.text) {
        parse_error(p, file_unreadable, span, NULL, "cannot read '%s': %s", file.name, file.fault);
        return false;
    }
    size_t elements = file.length / bytes;
    if (!sized && elements && elements <= MAX_ELEMENTS)
        location->elements = (uint32_t)elements;
    if (!elements || file.length % bytes || elements > location->elements) {
        parse_error(p, bad_array, span, NULL, "'%s' holds %zu bytes, for %u elements of %u",
                    file.name, file.length, location->elements, bytes);
        return false;
    }
    location->init = ARENA_ARRAY(p->arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++) {
        location->init[i] = (struct location_init){0, NONE};
        if (i < elements)
            memcpy(&location->init[i].value, file.text + (size_t)i * bytes, bytes);
    }
    return true;
}

/* A fraction of memory of f32 is rounded to it; an integer is the bits. */
static bool element(struct parser *p, const struct location *location, struct location_init *to)
{
    struct span start = p->token.span;
    enum type type = location->type;
    if (parse_at_fraction(p)) {
        *to = (struct location_init){type_fraction_bits(type, parse_fraction(p)), NONE};
        if (type_holds_fraction(type) || (!type_is_float(type) && type_bytes(type) != 4))
            return true;
        parse_error(p, number_out_of_range, parse_span_from(p, start), "write its bits: 0x3c00",
                    "a fraction is a value of .f16, .bf16, .f32 and .f64, not of .%s",
                    type_name(type));
        return false;
    }
    if (!parse_value(p, "an initial value", to))
        return false;
    parse_doubt_bits(p, parse_span_from(p, start), type, to->value);
    return true;
}

struct value_rows {
    VEC(struct location_init) list;
};

static bool value_list(struct parser *p, const struct location *location, uint32_t depth,
                       struct value_rows *values);

/* "{1, 2}", a row of an array of several dimensions: what it leaves out is zero. */
static bool row(struct parser *p, const struct location *location, uint32_t depth,
                struct value_rows *values)
{
    struct span span = p->token.span;
    uint32_t start = values->list.len, size = 1;
    for (uint32_t i = depth; i < location->dim_count; i++)
        size *= location->dims[i];
    parse_advance(p);
    if (!value_list(p, location, depth, values))
        return false;
    if (values->list.len - start > size) {
        parse_error(p, bad_array, span, NULL, "%u initial values for a row of %u elements",
                    values->list.len - start, size);
        return false;
    }
    while (values->list.len - start < size)
        vec_push(p->arena, &values->list, ((struct location_init){0, NONE}));
    return true;
}

/* Behind the '{' of the array or of one of its rows, which has 'depth' indices before it. */
static bool value_list(struct parser *p, const struct location *location, uint32_t depth,
                       struct value_rows *values)
{
    do {
        struct location_init value;
        if (parse_at(p, '{') && depth + 1 < location->dim_count) {
            if (!row(p, location, depth + 1, values))
                return false;
            continue;
        }
        if (!element(p, location, &value))
            return false;
        vec_push(p->arena, &values->list, value);
    } while (parse_accept(p, ',') && values->list.len <= MAX_ELEMENTS);
    return parse_expect(p, '}', "'}' after the initial values");
}

/* "{1, 2}", or "1". */
static bool some_values(struct parser *p, const struct location *location,
                        struct value_rows *values)
{
    if (parse_accept(p, '{'))
        return value_list(p, location, 0, values);
    vec_push(p->arena, &values->list, ((struct location_init){0, NONE}));
    return element(p, location, values->list.at);
}

/* "[5]", or "[1][2]" of an array of two dimensions: which element it is. */
static bool element_number(struct parser *p, const struct location *location, uint32_t *number)
{
    struct span span = p->token.span;
    uint32_t index, count = 0;
    *number = 0;
    while (parse_at(p, '[')) {
        if (!parse_index(p, "the element's number", MAX_ELEMENTS, &index))
            return false;
        uint32_t size = count && count < location->dim_count ? location->dims[count] : 1;
        if (count && (index >= size || *number >= location->elements / size)) {
            parse_error(p, bad_array, span, NULL, "'%s' has no such element", location->name);
            return false;
        }
        *number = *number * size + index;
        count++;
    }
    if (count == 1 || count == location->dim_count)
        return true;
    parse_error(p, bad_array, span, NULL, "'%s' has %u dimensions", location->name,
                location->dim_count ? location->dim_count : 1);
    return false;
}

bool parse_element_values(struct parser *p, struct location *location)
{
    struct value_rows values = {0};
    struct span span = p->token.span;
    uint32_t first;
    if (!element_number(p, location, &first) || !parse_expect(p, '=', "'=' and its value"))
        return false;
    if (!some_values(p, location, &values))
        return false;
    if (first >= location->elements || values.list.len > location->elements - first) {
        parse_error(p, bad_array, span, NULL, "'%s' has elements 0 to %u", location->name,
                    location->elements - 1);
        return false;
    }
    if (!location->init) {
        location->init = ARENA_ARRAY(p->arena, struct location_init, location->elements);
        for (uint32_t i = 0; i < location->elements; i++)
            location->init[i] = (struct location_init){0, NONE};
    }
    for (uint32_t i = 0; i < values.list.len; i++)
        location->init[first + i] = values.list.at[i];
    location->initialized = true;
    return true;
}

static bool set_values(struct parser *p, struct location *location, const struct value_rows *values,
                       struct span span, bool sized)
{
    uint32_t count = values->list.len;
    if (!sized)
        location->elements = count;
    if (count > location->elements) {
        parse_error(p, bad_array, span, NULL, "%u initial values for %u elements", count,
                    location->elements);
        return false;
    }
    location->init = ARENA_ARRAY(p->arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++)
        location->init[i] = i < count ? values->list.at[i] : (struct location_init){0, NONE};
    return true;
}

bool parse_initializer(struct parser *p, struct location *location, bool sized)
{
    struct value_rows values = {0};
    if (!parse_accept(p, '=')) {
        if (!sized)
            parse_unexpected(p, "'=' and initial values after '[]'");
        return sized;
    }
    location->initialized = true;
    if (parse_accept(p, '@'))
        return values_of_file(p, location, sized);
    struct span span = p->token.span;
    if (!some_values(p, location, &values))
        return false;
    return set_values(p, location, &values, span, sized);
}
