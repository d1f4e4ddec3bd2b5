/* SPDX-License-Identifier: MIT */
#include "litmus/test/texture.h"

#include <glib.h>
#include <string.h>

/* Handles are above all memory and the addresses of functions. */
static const uint64_t HANDLES_FIRST = UINT64_C(0x7e0000000000);
enum { HANDLE_STEP = 64 };

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

bool texture_set_word(struct texture *texture, const char *text, size_t length)
{
#define TEXTURE_WORD(word, field, value)                                                           \
    if (is_word(word, text, length)) {                                                             \
        texture->field = value;                                                                    \
        return true;                                                                               \
    }
#include "litmus/test/texture.def"
    return false;
}

const char *texture_words(struct arena *arena, const struct texture *texture)
{
    const char *words = "";
#define TEXTURE_WORD(word, field, value)                                                           \
    if ((int)(value) != 0 && texture->field == (value))                                            \
        words = arena_printf(arena, "%s %s", words, word);
#include "litmus/test/texture.def"
    return words;
}

static const struct {
    const char *word;
    enum type type;
    uint32_t channels;
} vectors[] = {
    {"char2", TYPE_S8, 2},      {"uchar2", TYPE_U8, 2},      {"short2", TYPE_S16, 2},
    {"ushort2", TYPE_U16, 2},   {"int2", TYPE_S32, 2},       {"uint2", TYPE_U32, 2},
    {"longlong2", TYPE_S64, 2}, {"ulonglong2", TYPE_U64, 2}, {"float2", TYPE_F32, 2},
    {"double2", TYPE_F64, 2},   {"char4", TYPE_S8, 4},       {"uchar4", TYPE_U8, 4},
    {"short4", TYPE_S16, 4},    {"ushort4", TYPE_U16, 4},    {"int4", TYPE_S32, 4},
    {"uint4", TYPE_U32, 4},     {"float4", TYPE_F32, 4},
};

bool texture_vector(const char *word, size_t length, enum type *type, uint32_t *channels)
{
    for (size_t i = 0; i < G_N_ELEMENTS(vectors); i++)
        if (is_word(vectors[i].word, word, length)) {
            *type = vectors[i].type;
            *channels = vectors[i].channels;
            return true;
        }
    return false;
}

/* Formats of cudaChannelFormatDesc. */
static bool is_format(enum type type)
{
    switch (type) {
    case TYPE_U8:
    case TYPE_S8:
    case TYPE_U16:
    case TYPE_S16:
    case TYPE_U32:
    case TYPE_S32:
    case TYPE_F16:
    case TYPE_F32:
        return true;
    default:
        return false;
    }
}

const char *texture_fault(const struct texture *t)
{
    bool wraps = t->mode == TEXTURE_WRAP || t->mode == TEXTURE_MIRROR;
    if (!is_format(t->type))
        return "its elements are of u8, s8, u16, s16, u32, s32, f16 or f32";
    if (t->proxy == PROXY_SURFACE && (t->linear || t->normalized || t->fraction || t->mode))
        return "a surface has no filter, mode or normalized coordinates";
    if (t->layered && t->dims < 2)
        return "layers are a dimension of their own";
    if (t->fraction && (type_is_float(t->type) || type_bytes(t->type) > 2))
        return "'normalizedfloat' is for elements of 8 and 16 bits";
    if (t->linear && !type_is_float(t->type) && !t->fraction)
        return "'linear' is for floats and 'normalizedfloat'";
    if (wraps && !t->normalized)
        return "'wrap' and 'mirror' need 'normalized'";
    return NULL;
}

uint64_t texture_handle(uint32_t location)
{
    return HANDLES_FIRST + (uint64_t)location * HANDLE_STEP;
}

uint32_t texture_location(const struct test *test, uint64_t handle)
{
    uint64_t index = (handle - HANDLES_FIRST) / HANDLE_STEP;
    bool known = index < test->location_count && handle == texture_handle((uint32_t)index) &&
                 test->locations[index].texture;
    return known ? (uint32_t)index : NONE;
}
