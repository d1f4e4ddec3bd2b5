/* SPDX-License-Identifier: MIT */
#include "cli/launch_args.h"

#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 26 };

struct reader {
    struct arena *arena;
    struct diag_list *diags;
    const char *text; /* the whole argument */
    struct launch_arg *arg;
    struct location *location;
};

static bool wrong(struct reader *r, const char *why)
{
    diag_add(r->diags, DIAG_launch_argument, NULL, (struct span){0}, NULL, "argument '%s': %s",
             r->text, why);
    return false;
}

static bool type_named(const char *name, size_t length, enum type *type)
{
    for (int t = TYPE_U8; t < TYPE_PRED; t++)
        if (t != TYPE_B128 && strlen(type_name((enum type)t)) == length &&
            !strncmp(type_name((enum type)t), name, length)) {
            *type = (enum type)t;
            return type_bytes(*type) <= 8;
        }
    return false;
}

/* The bits of a number as written, for a type. */
static bool number(const char *text, enum type type, uint64_t *bits, const char **end)
{
    char *stop;
    if (type == TYPE_F32) {
        float f = strtof(text, &stop);
        uint32_t narrow;
        memcpy(&narrow, &f, 4);
        *bits = narrow;
    } else if (type == TYPE_F64) {
        double f = strtod(text, &stop);
        memcpy(bits, &f, 8);
    } else {
        *bits = *text == '-' ? (uint64_t)strtoll(text, &stop, 0) : strtoull(text, &stop, 0);
    }
    *end = stop;
    return stop != text;
}

static bool read_file(struct reader *r, const char *path)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    uint32_t size = r->location->element_bytes;
    if (!g_file_get_contents(path, &bytes, &length, NULL))
        return wrong(r, "the file cannot be read");
    if (r->arg->elements == 0 && (!length || length % size))
        return wrong(r, "the file is no whole number of elements");
    if (r->arg->elements == 0)
        r->arg->elements = r->location->elements = (uint32_t)(length / size);
    if (length / size > MOST_ELEMENTS || length < (gsize)r->arg->elements * size)
        return wrong(r, "the file has not as many elements");
    r->location->init = ARENA_ARRAY(r->arena, struct location_init, r->arg->elements);
    for (uint32_t i = 0; i < r->arg->elements; i++) {
        r->location->init[i].address_of = NONE;
        memcpy(&r->location->init[i].value, bytes + (size_t)i * size, size);
    }
    return true;
}

/* The number as bits of the type. */
static uint64_t count_bits(uint32_t count, enum type type)
{
    float single = (float)count;
    double number = count;
    uint32_t narrow;
    uint64_t bits = count;
    memcpy(&narrow, &single, sizeof narrow);
    if (type == TYPE_F64)
        memcpy(&bits, &number, sizeof bits);
    return type == TYPE_F32 ? narrow : bits;
}

static bool read_values(struct reader *r, const char *text)
{
    uint32_t count = r->arg->elements, given = 0;
    bool iota = !strcmp(text, "iota");
    r->location->init = ARENA_ARRAY(r->arena, struct location_init, count);
    for (uint32_t i = 0; i < count; i++)
        r->location->init[i] =
            (struct location_init){.value = count_bits(i, r->arg->type), .address_of = NONE};
    if (iota)
        return true;
    for (const char *at = text; *at; given++) {
        uint64_t bits;
        if (given == count || !number(at, r->arg->type, &bits, &at) || (*at && *at != ','))
            return wrong(r, "expected numbers with commas between, no more than elements");
        r->location->init[given].value = bits;
        at += *at == ',';
    }
    for (uint32_t i = given; i < count; i++)
        r->location->init[i].value = given == 1 ? r->location->init[0].value : 0;
    return true;
}

/* "NAME:TYPE[COUNT]=…" into 'into'. */
static bool read_elements(struct reader *r, const char *colon, struct location *into)
{
    const char *type_end = colon + 1 + strcspn(colon + 1, "[="), *rest = type_end;
    uint64_t count = 0;
    if (*rest == '[') {
        count = strtoull(rest + 1, NULL, 0);
        rest += strcspn(rest, "]");
        rest += *rest ? 1 : 0;
    }
    if ((*type_end == '[' && rest[-1] != ']') ||
        !type_named(colon + 1, (size_t)(type_end - colon - 1), &r->arg->type))
        return wrong(r, "a buffer is written NAME:TYPE[COUNT], such as out:u32[256]");
    if (count > MOST_ELEMENTS)
        return wrong(r, "too many elements");
    r->arg->elements = (uint32_t)count;
    r->location = into;
    *r->location = (struct location){.name = r->arg->name,
                                     .space = SPACE_GLOBAL,
                                     .type = r->arg->type,
                                     .element_bytes = type_bytes(r->arg->type),
                                     .elements = (uint32_t)count,
                                     .alias_of = NONE,
                                     .cta = NONE,
                                     .cluster = NONE,
                                     .gpu = NONE,
                                     .kernel = NONE,
                                     .array = true,
                                     .declared = true,
                                     .initialized = true};
    if (rest[0] == '=' && rest[1] == '@')
        return read_file(r, rest + 2);
    if (count == 0)
        return wrong(r, "a buffer without a file needs its number of elements");
    if (*rest == '=')
        return read_values(r, rest + 1);
    return *rest ? wrong(r, "expected '=' after the buffer") : true;
}

static bool read_buffer(struct reader *r, const char *colon, struct test *test)
{
    r->arg->buffer = true;
    r->arg->location = test->location_count;
    return read_elements(r, colon, &test->locations[test->location_count++]);
}

/* A structure that the kernel takes by value: its bytes, written as those of a buffer. */
static bool read_structure(struct reader *r, const char *colon, const struct param *param)
{
    struct location value;
    if (!read_elements(r, colon, &value))
        return false;
    uint32_t size = value.element_bytes;
    if (r->arg->elements * (uint64_t)size != param->bytes)
        return wrong(r, arena_printf(r->arena, "the parameter has %u bytes", param->bytes));
    r->arg->word_count = (param->bytes + 7) / 8;
    r->arg->words = ARENA_ARRAY(r->arena, uint64_t, r->arg->word_count);
    for (uint32_t i = 0; value.init && i < r->arg->elements; i++)
        memcpy((uint8_t *)r->arg->words + (size_t)i * size, &value.init[i].value, size);
    return true;
}

bool launch_arg_read(struct arena *arena, const char *text, const struct param *param,
                     struct test *test, struct launch_arg *arg, struct diag_list *diags)
{
    struct reader r = {.arena = arena, .diags = diags, .text = text, .arg = arg};
    const char *equals = strchr(text, '='), *colon = strchr(text, ':'), *end;
    size_t length = strcspn(text, ":=");
    *arg = (struct launch_arg){.name = arena_strndup(arena, text, length), .type = param->type};
    bool typed = colon && (!equals || colon < equals);
    bool listed = typed && (colon[1 + strcspn(colon + 1, "[=")] == '[' || strstr(colon, "=@"));
    if (param->bytes != type_bytes(param->type))
        return listed ? read_structure(&r, colon, param)
                      : wrong(&r, "a structure is written NAME:TYPE[COUNT]=…");
    if (listed)
        return read_buffer(&r, colon, test);
    if (colon && equals && colon < equals &&
        !type_named(colon + 1, (size_t)(equals - colon - 1), &arg->type))
        return wrong(&r, "unknown type");
    if (!equals || !number(equals + 1, arg->type, &arg->value, &end) || *end)
        return wrong(&r, "a value is written NAME=NUMBER, a buffer NAME:TYPE[COUNT]");
    return true;
}

const char *launch_arg_element(struct arena *arena, const struct launch_arg *arg,
                               const uint8_t *bytes)
{
    uint32_t size = type_bytes(arg->type);
    uint64_t bits = 0;
    memcpy(&bits, bytes, size);
    if (arg->type == TYPE_F32) {
        float f;
        memcpy(&f, bytes, 4);
        return arena_printf(arena, "%.9g", (double)f);
    }
    if (arg->type == TYPE_F64) {
        double f;
        memcpy(&f, bytes, 8);
        return arena_printf(arena, "%.17g", f);
    }
    if (!type_is_signed(arg->type))
        return arena_printf(arena, "%" PRIu64, bits);
    uint32_t spare = 64 - 8 * size;
    return arena_printf(arena, "%" PRId64, (int64_t)(bits << spare) >> spare);
}
