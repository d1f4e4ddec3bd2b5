/* SPDX-License-Identifier: MIT */
#include "cli/command/launch_args.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/test/texture.h"
#include "model/machine/alu/alu.h"

enum { MOST_ELEMENTS = 1 << 26 };

struct arg_reader {
    struct arena *arena;
    struct diag_list *diags;
    const char *text; /* the whole argument */
    struct launch_arg *arg;
    struct location *location;
    bool typed;      /* the argument names its type */
    uint64_t memory; /* bytes that what it holds may take */
};

static bool wrong(struct arg_reader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool wrong(struct arg_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_add(r->diags, DIAG_launch_argument, NULL, (struct span){0}, NULL, "argument '%s': %s",
             r->text, arena_vprintf(r->arena, format, arguments));
    va_end(arguments);
    return false;
}

static bool type_named(const char *name, size_t length, enum type *type)
{
    const struct isa_word *word = isa_word_of('T', name, length);
    if (!word || word->value == TYPE_PRED)
        return false;
    *type = (enum type)word->value;
    return type_bytes(*type) <= 8;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* inf, -inf and nan, as results show them. */
static const struct {
    const char *word;
    uint32_t single;
    uint64_t twice;
} no_numbers[] = {
    {"inf", 0x7f800000, UINT64_C(0x7ff0000000000000)},
    {"-inf", 0xff800000, UINT64_C(0xfff0000000000000)},
    {"nan", 0x7fffffff, UINT64_C(0x7fffffffffffffff)},
};

/* The bits of a number, zeros above. */
union number {
    uint64_t bits;
    float single;
    double twice;
};

/* Of a half, as the conversion of a double; back to a double. */
static uint64_t convert(enum type to, enum type from, uint64_t bits)
{
    const struct inst cvt = {
        .op = OP_CVT, .type = to, .source_type = from, .flags = to == TYPE_F64 ? 0 : FLAG_RN};
    uint64_t result = 0;
    alu_find (&cvt)(&result, &bits, NULL, NULL, NULL, 1);
    return result;
}

static bool is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_BF16;
}

static bool is_real(enum type type)
{
    return type == TYPE_F32 || type == TYPE_F64 || is_half(type);
}

static enum number_fault read_half(const char *text, size_t length, enum type type, uint64_t *bits)
{
    union number number = {0};
    enum number_fault fault = number_double(text, length, &number.twice);
    *bits = convert(type, TYPE_F64, number.bits);
    number.bits = convert(TYPE_F64, type, *bits);
    return fault == NUMBER_GOOD && isinf(number.twice) ? NUMBER_OUT_OF_RANGE : fault;
}

static enum number_fault read_float(const char *text, size_t length, enum type type, uint64_t *bits)
{
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++)
        if (strlen(no_numbers[i].word) == length && !memcmp(no_numbers[i].word, text, length)) {
            *bits = type == TYPE_F32 ? no_numbers[i].single : no_numbers[i].twice;
            if (is_half(type))
                *bits = convert(type, TYPE_F64, no_numbers[i].twice);
            return NUMBER_GOOD;
        }
    if (is_half(type))
        return read_half(text, length, type, bits);
    uint32_t single = 0;
    union number number = {0};
    enum number_fault fault = type == TYPE_F32 ? number_single(text, length, &single)
                                               : number_double(text, length, &number.twice);
    *bits = type == TYPE_F32 ? single : number.bits;
    return fault;
}

/* The bits of a number as written, for the argument's type. A parameter's type says how wide it is,
 * not whether it is signed: compilers write .u32 for an int. One that the argument names means what
 * it says. */
static bool read_number(struct arg_reader *r, const char *text, size_t length, uint64_t *bits)
{
    enum type type = r->arg->type;
    bool real = is_real(type);
    bool either = !r->typed || type_is_bits(type) || type_is_float(type);
    struct number_range range = number_range(8 * type_bytes(type), type_is_signed(type), either);
    enum number_fault fault =
        real ? read_float(text, length, type, bits) : number_integer(text, length, range, bits);
    if (fault == NUMBER_MALFORMED)
        return wrong(r, "'%.*s' is no number of .%s", (int)length, text, type_name(type));
    if (fault == NUMBER_OUT_OF_RANGE && real)
        return wrong(r, "no .%s is as large as '%.*s'", type_name(type), (int)length, text);
    return fault == NUMBER_GOOD ||
           wrong(r, "a .%s is from %" PRId64 " to %" PRIu64 ", not '%.*s'", type_name(type),
                 range.least, range.most, (int)length, text);
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* How many elements with values there may be. */
static uint32_t most_elements(const struct arg_reader *r)
{
    uint64_t room = r->memory / (r->location->element_bytes + sizeof *r->location->init);
    return room < MOST_ELEMENTS ? (uint32_t)room : MOST_ELEMENTS;
}

static bool too_many(struct arg_reader *r)
{
    return wrong(r, "there is room for %u elements", most_elements(r));
}

/* The first elements of a file, or all of it. */
static bool read_file(struct arg_reader *r, const char *path)
{
    size_t length = 0, size = r->location->element_bytes, wanted = r->arg->elements * size;
    size_t most = wanted ? wanted - 1 : most_elements(r) * size;
    FILE *file = fopen(path, "rbe");
    const char *bytes = file ? file_drain(r->arena, file, most, &length) : NULL;
    bool good = file && !ferror(file);
    if (file)
        fclose(file);
    if (!good)
        return wrong(r, "the file cannot be read");
    if (!wanted && length > most_elements(r) * size)
        return too_many(r);
    if (!wanted && (!length || length % size))
        return wrong(r, "the file is no whole number of elements");
    if (!wanted)
        r->arg->elements = r->location->elements = (uint32_t)(length / size);
    if (length < wanted)
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
    union number number = {.bits = type == TYPE_F32 ? 0 : count};
    if (type == TYPE_F32)
        number.single = (float)count;
    else if (type_is_float(type))
        number.twice = count;
    return is_half(type) ? convert(type, TYPE_F64, number.bits) : number.bits;
}

static bool read_values(struct arg_reader *r, const char *text)
{
    uint32_t count = r->arg->elements, given = 0;
    r->location->init = ARENA_ARRAY(r->arena, struct location_init, count);
    for (uint32_t i = 0; i < count; i++)
        r->location->init[i] =
            (struct location_init){.value = count_bits(i, r->arg->type), .address_of = NONE};
    if (!strcmp(text, "iota"))
        return true;
    for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        if (given == count)
            return wrong(r, "there are more values than elements");
        if (!read_number(r, at, (size_t)(end - at), &r->location->init[given].value))
            return false;
        given++;
    }
    for (uint32_t i = given; i < count; i++)
        r->location->init[i].value = given == 1 ? r->location->init[0].value : 0;
    return true;
}

/* One of the words of "texture.float4.linear": a type or a property. */
static bool texture_word(struct texture *t, const char *word, size_t length)
{
    uint32_t channels = length == 2 && word[0] == 'v' && (word[1] == '2' || word[1] == '4')
                            ? (uint32_t)(word[1] - '0')
                            : 0;
    if (channels)
        t->channels = channels;
    return channels || type_named(word, length, &t->type) ||
           texture_vector(word, length, &t->type, &t->channels) ||
           texture_set_word(t, word, length);
}

/* "[4][8]": the sizes, the last one first in the texture; where they end, or NULL after a report. */
static const char *texture_sizes(struct arg_reader *r, struct texture *t, const char *at)
{
    uint64_t sizes[TEXTURE_AXES], total = 1;
    for (; *at == '['; at += strcspn(at, "]") + 1) {
        size_t length = strcspn(at, "]");
        if (!at[length] || t->dims == TEXTURE_AXES ||
            number_whole(at + 1, length - 1, 1, MOST_ELEMENTS, &sizes[t->dims]) != NUMBER_GOOD ||
            (total *= sizes[t->dims]) * t->channels > MOST_ELEMENTS) {
            wrong(r, "a texture has one to three sizes, [4][8], of %d elements at most",
                  MOST_ELEMENTS);
            return NULL;
        }
        t->dims++;
    }
    for (uint32_t i = 0; i < TEXTURE_AXES; i++)
        t->size[i] = i < t->dims ? (uint32_t)sizes[t->dims - 1 - i] : 1;
    if (t->dims)
        return at;
    wrong(r, "a texture needs its size, such as [4][8]");
    return NULL;
}

/* "texture.float4.linear[4][8]" from 'at' on; where it ends, or NULL after a report. */
static const char *read_texture(struct arg_reader *r, const char *at, struct location *into)
{
    struct texture *t = ARENA_NEW(r->arena, struct texture);
    t->proxy = *at == 't' ? PROXY_TEXTURE : PROXY_SURFACE;
    t->channels = 1;
    for (at += strlen("texture"); *at == '.'; at += strcspn(at, ".[=")) {
        at++;
        if (!texture_word(t, at, strcspn(at, ".[="))) {
            wrong(r, "'%.*s' is no type or property of a texture", (int)strcspn(at, ".[="), at);
            return NULL;
        }
    }
    const char *rest = texture_sizes(r, t, at), *fault = rest ? texture_fault(t) : NULL;
    if (fault)
        wrong(r, "%s", fault);
    if (!rest || fault)
        return NULL;
    r->arg->type = t->type;
    r->arg->elements = (uint32_t)texture_elements(t) * t->channels;
    *into = test_array(r->arg->name, t->type, r->arg->elements);
    into->texture = t;
    return rest;
}

static bool is_texture(const char *type)
{
    return !strncmp(type, "texture.", strlen("texture.")) ||
           !strncmp(type, "surface.", strlen("surface."));
}

/* "TYPE[COUNT]" from 'at' on; the same. */
static const char *read_array(struct arg_reader *r, const char *at, struct location *into)
{
    const char *type_end = at + strcspn(at, "[="), *rest = type_end;
    uint64_t count = 0;
    bool counted = *rest == '[';
    if (counted)
        rest += strcspn(rest, "]");
    if ((counted && !*rest) || !type_named(at, (size_t)(type_end - at), &r->arg->type)) {
        wrong(r, "a buffer is written NAME:TYPE[COUNT], such as out:u32[256]");
        return NULL;
    }
    size_t digits = (size_t)(rest - type_end - 1);
    if (counted && number_whole(type_end + 1, digits, 1, MOST_ELEMENTS, &count) != NUMBER_GOOD) {
        wrong(r, "a buffer has 1 to %d elements, not '%.*s'", MOST_ELEMENTS, (int)digits,
              type_end + 1);
        return NULL;
    }
    r->arg->elements = (uint32_t)count;
    *into = test_array(r->arg->name, r->arg->type, (uint32_t)count);
    return rest + counted;
}

/* "NAME:TYPE[COUNT]=…" into 'into'. */
static bool read_elements(struct arg_reader *r, const char *colon, struct location *into)
{
    r->typed = true;
    const char *rest = (is_texture(colon + 1) ? read_texture : read_array)(r, colon + 1, into);
    uint32_t count = r->arg->elements;
    r->location = into;
    if (!rest)
        return false;
    if (*rest == '=' && count > most_elements(r))
        return too_many(r);
    if (rest[0] == '=' && rest[1] == '@')
        return read_file(r, rest + 2);
    if (count == 0)
        return wrong(r, "a buffer without a file needs its number of elements");
    if (*rest == '=')
        return read_values(r, rest + 1);
    return *rest ? wrong(r, "expected '=' after the buffer") : true;
}

static bool read_buffer(struct arg_reader *r, const char *colon, const struct param *param,
                        struct test *test)
{
    if (param->bytes != 8)
        return wrong(r, "a buffer's address has 8 bytes, the parameter %u", param->bytes);
    r->arg->buffer = true;
    r->arg->location = test->location_count;
    return read_elements(r, colon, &test->locations[test->location_count++]);
}

/* A structure that the kernel takes by value: its bytes, written as those of a buffer. */
static bool read_structure(struct arg_reader *r, const char *colon, const struct param *param)
{
    struct location value;
    if (!read_elements(r, colon, &value))
        return false;
    uint32_t size = value.element_bytes;
    if (r->arg->elements * (uint64_t)size != param->bytes)
        return wrong(r, "the parameter has %u bytes", param->bytes);
    r->arg->word_count = (param->bytes + 7) / 8;
    r->arg->words = ARENA_ARRAY(r->arena, uint64_t, r->arg->word_count);
    for (uint32_t i = 0; value.init && i < r->arg->elements; i++)
        memcpy((uint8_t *)r->arg->words + (size_t)i * size, &value.init[i].value, size);
    return true;
}

bool launch_arg_read(struct arena *arena, const char *text, const struct param *param,
                     uint64_t memory, struct test *test, struct launch_arg *arg,
                     struct diag_list *diags)
{
    struct arg_reader r = {
        .arena = arena, .diags = diags, .text = text, .arg = arg, .memory = memory};
    const char *equals = strchr(text, '='), *colon = strchr(text, ':');
    size_t length = strcspn(text, ":=");
    *arg = (struct launch_arg){.name = arena_strndup(arena, text, length), .type = param->type};
    bool typed = colon && (!equals || colon < equals);
    bool listed = typed && (colon[1 + strcspn(colon + 1, "[=")] == '[' || strstr(colon, "=@"));
    if (param->bytes != type_bytes(param->type))
        return listed ? read_structure(&r, colon, param)
                      : wrong(&r, "a structure is written NAME:TYPE[COUNT]=…");
    if (listed)
        return read_buffer(&r, colon, param, test);
    if (!equals)
        return wrong(&r, "a value is written NAME=NUMBER, a buffer NAME:TYPE[COUNT]");
    if (typed && !type_named(colon + 1, (size_t)(equals - colon - 1), &arg->type))
        return wrong(&r, "unknown type");
    if (type_bytes(arg->type) != param->bytes)
        return wrong(&r, "the parameter has %u bytes", param->bytes);
    r.typed = typed;
    return read_number(&r, equals + 1, strlen(equals + 1), &arg->value);
}

/* Decimal digits that tell all numbers of the type apart. */
static int digits_of(enum type type)
{
    return type == TYPE_F16 ? 5 : type == TYPE_BF16 ? 4 : type == TYPE_F32 ? 9 : 17;
}

/* Extended to 64 bits, or to a double. */
static union number element(const struct launch_arg *arg, const uint8_t *bytes)
{
    uint32_t size = type_bytes(arg->type), spare = 64 - 8 * size;
    union number number = {0};
    memcpy(&number, bytes, size);
    if (arg->type == TYPE_F32)
        number.twice = (double)number.single;
    else if (is_half(arg->type))
        number.bits = convert(TYPE_F64, arg->type, number.bits);
    else if (type_is_signed(arg->type))
        number.bits = (uint64_t)((int64_t)(number.bits << spare) >> spare);
    return number;
}

const char *launch_arg_element(struct arena *arena, const struct launch_arg *arg,
                               const uint8_t *bytes)
{
    union number number = element(arg, bytes);
    if (is_real(arg->type))
        return arena_printf(arena, "%.*g", digits_of(arg->type), number.twice);
    return arena_printf(arena, type_is_signed(arg->type) ? "%" PRId64 : "%" PRIu64, number.bits);
}

json_t *launch_arg_json(struct arena *arena, const struct launch_arg *arg, const uint8_t *bytes)
{
    union number number = element(arg, bytes);
    double real = number.twice;
    if (is_real(arg->type)) {
        if (trunc(real) == real && fabs(real) < pow(10, digits_of(arg->type)))
            return json_integer((json_int_t)real);
        if (isfinite(real))
            return json_real(real);
    } else if (type_is_signed(arg->type) || number.bits <= INT64_MAX) {
        return json_integer((json_int_t)number.bits);
    }
    return json_string(launch_arg_element(arena, arg, bytes));
}
