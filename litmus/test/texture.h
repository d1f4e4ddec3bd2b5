/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_TEXTURE_H
#define LITMUS_TEST_TEXTURE_H

#include "litmus/test/test.h"

/* A texture or surface object over the bytes of a location: 'texture f32 t[4][8] linear;'. The location's name, as a
 * value, is then the handle that CUDA calls cudaTextureObject_t, which is no address of memory. Elements lie one
 * behind the other, those of the last dimension first, without a pitch. */

enum texture_mode { TEXTURE_CLAMP, TEXTURE_BORDER, TEXTURE_WRAP, TEXTURE_MIRROR };

enum { TEXTURE_AXES = 3 };

struct texture {
    enum proxy proxy;  /* PROXY_TEXTURE or PROXY_SURFACE */
    enum type type;    /* of one channel */
    uint32_t channels; /* 1, 2 or 4 */
    uint32_t dims;     /* of the declaration: 1 to 3 */
    uint32_t size
        [TEXTURE_AXES]; /* the last dimension first: width, height, depth; 1 where there is none */
    /* texture.def; of a surface only 'layered' */
    bool layered;    /* the first dimension of the declaration numbers layers */
    bool linear;     /* filters */
    bool normalized; /* coordinates from 0 to 1 */
    bool fraction;   /* whole numbers read as fractions of the largest */
    enum texture_mode mode;
};

/* Sets what the word says; false: it is none of texture.def. */
bool texture_set_word(struct texture *texture, const char *word, size_t length);
/* The words that say what is not as usual, each behind a blank. */
const char *texture_words(struct arena *arena, const struct texture *texture);
/* "float4", "uchar2": what CUDA calls vectors. */
bool texture_vector(const char *word, size_t length, enum type *type, uint32_t *channels);
/* What is wrong with it, or NULL. */
const char *texture_fault(const struct texture *texture);
static inline uint32_t texture_bytes(const struct texture *texture) /* of one element */
{
    return type_bytes(texture->type) * texture->channels;
}
static inline uint64_t texture_elements(const struct texture *texture)
{
    return (uint64_t)texture->size[0] * texture->size[1] * texture->size[2];
}

/* The handle that the name of a location with a texture is. */
uint64_t texture_handle(uint32_t location);
/* The location of that handle, or NONE. */
uint32_t texture_location(const struct test *test, uint64_t handle);

#endif
