/* SPDX-License-Identifier: MIT */
#include "litmus/isa/isa.h"

#include <glib.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#define T(type) (1u << TYPE_##type)
#define S(sem)  (1u << SEM_##sem)
#define I32_64  (T(U32) | T(S32) | T(U64) | T(S64))
#define I16_64  (T(U16) | T(S16) | I32_64)
#define I8_64   (T(U8) | T(S8) | I16_64)
#define S16_64  (T(S16) | T(S32) | T(S64))
#define B32_64  (T(B32) | T(B64))
#define B16_64  (T(B16) | B32_64)
#define B8_64   (T(B8) | B16_64)
#define FLOATS  (T(F32) | T(F64))
#define HALF    (T(F16) | T(BF16))
#define HALVES  (HALF | T(F16X2) | T(BF16X2))
#define EIGHTHS (T(E4M3X2) | T(E5M2X2))
#define SHORTS  (T(S16X2) | T(U16X2))

static const struct op_row ops[OP_COUNT] = {
#define OP(id, ...) [OP_##id] = {__VA_ARGS__},
#include "litmus/isa/isa.def"
};

static const char *const specials[SPECIAL_COUNT] = {
#define SPECIAL(id, name, type) [SPECIAL_##id] = name,
#include "litmus/isa/special.def"
#undef SPECIAL
};

const struct isa_word isa_words[] = {
#define TYPE(id, word, bytes, kind, ptx)        {word, 'T', TYPE_##id, NULL, ptx},
#define SEM(id, word)                           {word, 'S', SEM_##id, NULL, 0},
#define SCOPE(id, word, ptx)                    {word, 'C', SCOPE_##id, NULL, ptx},
#define SPACE(id, word, declared, ptx)          {word, 'M', SPACE_##id, NULL, ptx},
#define PROXY(id, word, ...)                    {word, 'P', PROXY_##id, NULL, 0},
#define ATOMIC(id, word, v, k, t, b, mnemonics) {word, 'O', ATOM_##id, NULL, 0},
#define CMP(id, word, ...)                      {word, 'K', CMP_##id, NULL, 0},
#define BOOL_OP(id, word)                       {word, 'B', BOOL_##id, NULL, 0},
#define GEOMETRY(id, word, ...)                 {word, 'Q', GEOMETRY_##id, NULL, 0},
#define BOUNDARY(id, word)                      {word, 'Z', BOUNDARY_##id, NULL, 0},
#define ROUNDING(id, word)                      {word, 'R', FLAG_##id, NULL, 0},
#define WORD(word, class, value)                {word, class, value, NULL, 0},
#define FLAG(id, word, ptx, mnemonics)          {word, 'F', FLAG_##id, mnemonics, ptx},
#include "litmus/isa/words.def"
    {NULL},
};

const char *isa_foreign(const char *word)
{
    static const struct {
        const char *word, *hint;
    } rows[] = {
#define FOREIGN(word, hint) {word, hint},
#include "litmus/isa/foreign.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (g_ascii_strcasecmp(rows[i].word, word) == 0)
            return rows[i].hint;
    return NULL;
}

const struct isa_spelling isa_spellings[] = {
#define SPELLING(word, stands_for, proxy, cmp) {word, stands_for, PROXY_##proxy, CMP_##cmp},
#include "litmus/isa/spelling.def"
#undef SPELLING
    {NULL},
};

static const struct type_row {
    uint8_t bytes;
    char kind; /* u s b f p; 0: untyped */
} types[TYPE_COUNT] = {
    [TYPE_NONE] = {8, 0},
#define TYPE(id, word, bytes, kind, ptx) [TYPE_##id] = {bytes, kind},
#include "litmus/isa/words.def"
};

static const struct {
    const char *word;
    uint8_t bits;
    char kind;
} elements[] = {
    [ELEMENT_NONE] = {"", 0, 0},
#define ELEMENT(id, word, bits, kind) [ELEMENT_##id] = {word, bits, kind},
#include "litmus/isa/element.def"
#undef ELEMENT
};

static const struct geometry_row geometries[] = {
    [GEOMETRY_NONE] = {0},
#define GEOMETRY(id, word, axes, layered) [GEOMETRY_##id] = {axes, layered},
#include "litmus/isa/words.def"
};

static const struct proxy_row proxies[PROXY_COUNT] = {
#define PROXY(id, word, set, two_way, one_way_word, one_way, aliases)                              \
    [PROXY_##id] = {two_way, one_way, one_way_word, aliases},
#include "litmus/isa/words.def"
};

static const struct {
    struct atom_row row;
    const char *mnemonics;
} atoms[] = {
    [ATOM_NONE] = {.mnemonics = ""},
#define ATOMIC(id, word, values, kind, types, barrier_types, mnemonics)                            \
    [ATOM_##id] = {{values, kind, types, barrier_types}, mnemonics},
#include "litmus/isa/words.def"
};

static const struct cmp_row comparisons[CMP_COUNT] = {
#define CMP(id, word, reads, holds, mark, opposite)                                                \
    [CMP_##id] = {reads, holds, mark, CMP_##opposite},
#include "litmus/isa/words.def"
};

uint32_t type_bytes(enum type type)
{
    return types[type].bytes;
}

enum type type_with(char kind, uint32_t bytes)
{
    for (uint32_t type = 0; type < TYPE_COUNT; type++)
        if (types[type].kind == kind && types[type].bytes == bytes)
            return (enum type)type;
    return TYPE_NONE;
}

char type_kind(enum type type)
{
    return types[type].kind;
}

bool type_is_signed(enum type type)
{
    return type == TYPE_NONE || types[type].kind == 's';
}

bool type_is_bits(enum type type)
{
    return types[type].kind == 'b';
}

enum matrix_element matrix_element_of(const char *word)
{
    for (uint32_t element = 1; element < G_N_ELEMENTS(elements); element++)
        if (strcmp(elements[element].word, word) == 0)
            return (enum matrix_element)element;
    return ELEMENT_NONE;
}

const char *matrix_element_name(enum matrix_element element)
{
    return elements[element].word;
}

uint32_t matrix_element_bits(enum matrix_element element)
{
    return elements[element].bits;
}

char matrix_element_kind(enum matrix_element element)
{
    return elements[element].kind;
}

static bool is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_BF16;
}

bool type_holds_fraction(enum type type)
{
    return is_half(type) || type == TYPE_F32 || type == TYPE_F64;
}

/* In a format of 16 bits, 'fraction' of them the fraction's: to the nearest, a tie to even. */
static uint64_t half_bits(double number, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, exponent;
    uint64_t sign = signbit(number) ? 0x8000 : 0, most = (uint64_t)(2 * bias + 1) << fraction;
    double size = fabs(number);
    if (isnan(number))
        return sign | most | (uint64_t)1 << (fraction - 1);
    if (isinf(number))
        return sign | most;
    frexp(size, &exponent);
    exponent = size == 0 || exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    /* with the leading one, which counts as one of the exponent; a carry goes there, too */
    uint64_t scaled = (uint64_t)nearbyint(ldexp(size, fraction - exponent));
    uint64_t bits = ((uint64_t)(exponent + bias - 1) << fraction) + scaled;
    return sign | (bits < most ? bits : most);
}

uint64_t type_fraction_bits(enum type type, double number)
{
    const float narrow = (float)number;
    uint32_t single;
    uint64_t bits;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&bits, &number, sizeof bits);
    return type == TYPE_F16    ? half_bits(number, 10)
           : type == TYPE_BF16 ? half_bits(number, 7)
           : type == TYPE_F32  ? single
                               : bits;
}

bool type_is_float(enum type type)
{
    return types[type].kind == 'f';
}

bool type_is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_F16X2 || type == TYPE_BF16 || type == TYPE_BF16X2;
}

/* The first word of the class with the value: the canonical spelling. */
static const char *name_of(char class, uint32_t value)
{
    for (const struct isa_word *word = isa_words; word->text; word++)
        if (word->class == class && word->value == value)
            return word->text;
    return "";
}

#define NAMED(type, class)                                                                         \
    const char *type##_name(enum type value)                                                       \
    {                                                                                              \
        return name_of(class, value);                                                              \
    }
NAMED(type, 'T')
NAMED(sem, 'S')
NAMED(scope, 'C')
NAMED(space, 'M')
NAMED(proxy, 'P')
NAMED(atom_op, 'O')
NAMED(cmp, 'K')
NAMED(geometry, 'Q')
NAMED(boundary, 'Z')
NAMED(bool_op, 'B')

const char *scope_words(void)
{
    static const char words_of_places[] =
#define PLACE(scope, member) ", ." #member
#include "litmus/isa/words.def"
        " or .sys";
    return words_of_places + strlen(", ");
}

bool space_is_declared(enum space space)
{
    static const bool declared[] = {
#define SPACE(id, word, declared, ptx) [SPACE_##id] = declared,
#include "litmus/isa/words.def"
    };
    return declared[space];
}

const struct cmp_row *cmp_row(enum cmp cmp)
{
    return &comparisons[cmp];
}

bool cmp_holds(enum cmp cmp, bool is_signed, uint64_t a, uint64_t b)
{
    bool as_signed = is_signed && comparisons[cmp].reads != 'u';
    bool less = as_signed ? (int64_t)a < (int64_t)b : a < b;
    return strchr(comparisons[cmp].holds, less ? '<' : a == b ? '=' : '>');
}

static bool reads_mirrored(const struct cmp_row *a, const struct cmp_row *b)
{
    return a->reads == b->reads && !strchr(a->holds, '=') == !strchr(b->holds, '=') &&
           !strchr(a->holds, '<') == !strchr(b->holds, '>') &&
           !strchr(a->holds, '>') == !strchr(b->holds, '<');
}

enum cmp cmp_mirrored(enum cmp cmp)
{
    for (uint32_t other = CMP_NONE + 1; other < CMP_COUNT; other++)
        if (reads_mirrored(&comparisons[cmp], &comparisons[other]))
            return (enum cmp)other;
    return CMP_NONE;
}

enum cmp cmp_denied(enum cmp cmp, bool floats)
{
    for (uint32_t other = CMP_NONE + 1; floats && other < CMP_COUNT; other++)
        if (comparisons[other].reads == 'f' && comparisons[other].opposite == cmp)
            return (enum cmp)other;
    return comparisons[cmp].opposite;
}

enum cmp cmp_of_mark(const char *mark, size_t length)
{
    for (uint32_t cmp = CMP_NONE + 1; cmp < CMP_COUNT; cmp++)
        if (strlen(comparisons[cmp].mark) == length && length &&
            memcmp(comparisons[cmp].mark, mark, length) == 0)
            return (enum cmp)cmp;
    return CMP_NONE;
}

const struct op_row *op_row(enum op op)
{
    assert(op < OP_COUNT);
    return &ops[op];
}

const char *op_mnemonic(enum op op)
{
    return op_row(op)->mnemonic;
}

enum op_group op_group(enum op op)
{
    return op_row(op)->group;
}

bool op_accepts(enum op op, char class)
{
    return strchr(op_row(op)->modifiers, class);
}

char op_operand(enum op op, uint32_t index)
{
    for (const char *letter = op_row(op)->signature; *letter; letter++)
        if (*letter != 'q' && *letter != '?' && index-- == 0)
            return *letter;
    return 0;
}

bool op_writes(enum op op)
{
    return op_operand(op, 0) == 'd' || op_operand(op, 0) == 'D';
}

bool op_is_atomic(enum op op)
{
    return op_group(op) == GROUP_ACCESS && op_accepts(op, 'O');
}

const struct geometry_row *geometry_row(enum geometry geometry)
{
    return &geometries[geometry];
}

const struct proxy_row *proxy_row(enum proxy proxy)
{
    return &proxies[proxy];
}

const struct atom_row *atom_row(enum atom_op op)
{
    return &atoms[op].row;
}

unsigned special_axis(enum special special)
{
    const char *name = special_name(special);
    return (unsigned)(name[strlen(name) - 1] - 'x');
}

const char *special_name(enum special special)
{
    return specials[special];
}

/* Does the list of words separated by blanks hold the text? */
static bool list_holds(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = list; (at = strstr(at, text)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

bool atom_op_fits(enum atom_op atom, enum op op)
{
    return list_holds(atoms[atom].mnemonics, op_mnemonic(op));
}

bool isa_word_fits(const struct isa_word *word, enum op op)
{
    return word->operations ? list_holds(word->operations, op_mnemonic(op))
                            : op_accepts(op, word->class);
}

static bool is_spelt(const struct isa_word *word, const char *text, size_t length)
{
    return strncmp(word->text, text, length) == 0 && !word->text[length];
}

const struct isa_word *isa_word_find(const char *text, size_t length, enum op op)
{
    const struct isa_word *found = NULL;
    for (const struct isa_word *word = isa_words; word->text; word++)
        if (is_spelt(word, text, length)) {
            if (isa_word_fits(word, op))
                return word;
            found = found ? found : word;
        }
    return found;
}

const struct isa_word *isa_word_of(char class, const char *text, size_t length)
{
    for (const struct isa_word *word = isa_words; word->text; word++)
        if (word->class == class && is_spelt(word, text, length))
            return word;
    return NULL;
}

static const struct system_row systems[] = {
    {"", 0, ""},
#define SYSTEM(id, name, returned, parameters) {name, returned, parameters},
#include "litmus/isa/system.def"
#undef SYSTEM
};

const struct system_row *system_row(enum system system)
{
    return &systems[system];
}

enum system system_find(const char *name, size_t length)
{
    for (size_t i = 1; i < sizeof systems / sizeof *systems; i++)
        if (strncmp(systems[i].name, name, length) == 0 && !systems[i].name[length])
            return (enum system)i;
    return SYSTEM_NONE;
}
