/* SPDX-License-Identifier: MIT */
#include "litmus/isa.h"

#include <assert.h>
#include <string.h>

struct op_row {
    const char *mnemonic, *signature, *modifiers, *engines;
};

static const struct op_row ops[OP_COUNT] = {
#define OP(id, mnemonic, signature, modifiers, engines)                                            \
    [OP_##id] = {mnemonic, signature, modifiers, engines},
#include "litmus/isa.def"
#undef OP
};

static const struct special_row {
    const char *name;
    enum type type;
} specials[SPECIAL_COUNT] = {
#define SPECIAL(id, name, type) [SPECIAL_##id] = {name, type},
#include "litmus/special.def"
#undef SPECIAL
};

static const struct isa_word words[] = {
#define WORD(text, class, value)         {text, class, (uint32_t)(value), NULL},
#define FLAG_WORD(text, flag, mnemonics) {text, 'F', (uint32_t)(flag), mnemonics},
#include "litmus/words.def"
#undef WORD
#undef FLAG_WORD
};

static const struct type_row {
    uint8_t bytes;
    char kind; /* u s b f p; 0: untyped */
} types[] = {
    [TYPE_NONE] = {8, 0},    [TYPE_U8] = {1, 'u'},    [TYPE_U16] = {2, 'u'},
    [TYPE_U32] = {4, 'u'},   [TYPE_U64] = {8, 'u'},   [TYPE_S8] = {1, 's'},
    [TYPE_S16] = {2, 's'},   [TYPE_S32] = {4, 's'},   [TYPE_S64] = {8, 's'},
    [TYPE_B8] = {1, 'b'},    [TYPE_B16] = {2, 'b'},   [TYPE_B32] = {4, 'b'},
    [TYPE_B64] = {8, 'b'},   [TYPE_B128] = {16, 'b'}, [TYPE_F16] = {2, 'f'},
    [TYPE_F16X2] = {4, 'f'}, [TYPE_BF16] = {2, 'f'},  [TYPE_BF16X2] = {4, 'f'},
    [TYPE_F32] = {4, 'f'},   [TYPE_F64] = {8, 'f'},   [TYPE_PRED] = {1, 'p'},
};

uint32_t type_bytes(enum type type)
{
    return types[type].bytes;
}

bool type_is_signed(enum type type)
{
    return type == TYPE_NONE || types[type].kind == 's';
}

bool type_is_bits(enum type type)
{
    return types[type].kind == 'b';
}

bool type_is_float(enum type type)
{
    return types[type].kind == 'f';
}

/* The first word of the class with the value: the canonical spelling. */
static const char *name_of(char class, uint32_t value)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].class == class && words[i].value == value)
            return words[i].text;
    return "";
}

const char *type_name(enum type type)
{
    return name_of('T', type);
}

const char *sem_name(enum sem sem)
{
    return name_of('S', sem);
}

const char *scope_name(enum scope scope)
{
    return name_of('C', scope);
}

const char *space_name(enum space space)
{
    return name_of('M', space);
}

const char *proxy_name(enum proxy proxy)
{
    return name_of('P', proxy);
}

const char *atom_op_name(enum atom_op op)
{
    return name_of('O', op);
}

const char *cmp_name(enum cmp cmp)
{
    return name_of('K', cmp);
}

const char *bool_op_name(enum bool_op op)
{
    return name_of('B', op);
}

const char *op_mnemonic(enum op op)
{
    assert(op < OP_COUNT);
    return ops[op].mnemonic;
}

const char *op_signature(enum op op)
{
    assert(op < OP_COUNT);
    return ops[op].signature;
}

const char *op_modifiers(enum op op)
{
    assert(op < OP_COUNT);
    return ops[op].modifiers;
}

const char *op_engines(enum op op)
{
    assert(op < OP_COUNT);
    return ops[op].engines;
}

bool op_is_mbarrier(enum op op)
{
    return strncmp(op_mnemonic(op), "mbarrier.", 9) == 0;
}

bool op_is_collective(enum op op)
{
    switch (op) {
    case OP_BAR_WARP_SYNC:
    case OP_REDUX:
    case OP_ELECT:
    case OP_SHFL_UP:
    case OP_SHFL_DOWN:
    case OP_SHFL_BFLY:
    case OP_SHFL_IDX:
    case OP_VOTE_ALL:
    case OP_VOTE_ANY:
    case OP_VOTE_UNI:
    case OP_VOTE_BALLOT:
    case OP_MATCH_ANY:
    case OP_MATCH_ALL:
        return true;
    default:
        return false;
    }
}

unsigned special_axis(enum special special)
{
    const char *name = special_name(special);
    return (unsigned)(name[strlen(name) - 1] - 'x');
}

const char *special_name(enum special special)
{
    return specials[special].name;
}

enum type special_type(enum special special)
{
    return specials[special].type;
}

const struct isa_word *isa_words(size_t *count)
{
    *count = sizeof words / sizeof *words;
    return words;
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

bool isa_word_fits(const struct isa_word *word, enum op op)
{
    if (word->class == 'F')
        return list_holds(word->mnemonics, ops[op].mnemonic);
    return strchr(ops[op].modifiers, word->class);
}

const struct isa_word *isa_word_find(const char *text, size_t length, enum op op)
{
    const struct isa_word *found = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(words[i].text, text, length) == 0 && !words[i].text[length] &&
            (!found || isa_word_fits(&words[i], op))) {
            found = &words[i];
            if (isa_word_fits(found, op))
                return found;
        }
    return found;
}
