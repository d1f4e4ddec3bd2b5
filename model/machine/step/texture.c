/* SPDX-License-Identifier: MIT */
#include "model/machine/step/texture.h"

#include <math.h>
#include <string.h>

#include "litmus/test/texture.h"
#include "model/machine/api/api.h"
#include "model/machine/core/region.h"

/* Texture and surface instructions, as the CUDA programming guide describes them ("Texture Fetching"): an address for
 * each texel that is needed, read or written through the memory as any access is, through its proxy. */

enum { CHANNELS = 4 };

struct fetch {
    struct run *run;
    uint32_t lane;
    const struct micro *micro;
    const struct inst *inst;
    const struct texture *texture;
    const struct region *region; /* its bytes */
};

static bool refuse(struct fetch *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(f->run->reports->arena, format, arguments);
    va_end(arguments);
    run_report(f->run, f->lane, REPORT_BAD_TEXTURE, "%s %s", run_micro_name(f->run, f->micro),
               text);
    return false;
}

static uint32_t operand(const struct fetch *f, uint32_t i)
{
    if (run_poisoned(f->run, f->lane, f->micro->src[i]))
        run_report(f->run, f->lane, REPORT_POISON_USED, "a coordinate of %s is undefined",
                   run_micro_name(f->run, f->micro));
    return (uint32_t)run_value(f->run, f->lane, f->micro->src[i]);
}

static bool is_query(const struct fetch *f)
{
    return f->inst->geometry == GEOMETRY_NONE;
}

/* Is the object of the kind, the shape and the type that the instruction wants? */
static bool suits(struct fetch *f, const char *name)
{
    const struct texture *t = f->texture;
    const struct geometry_row *geometry = geometry_row(f->inst->geometry);
    bool texture = f->inst->proxy == PROXY_TEXTURE;
    bool floats = type_is_float(t->type) || t->fraction;
    if (is_query(f))
        return true;
    if (texture != (t->proxy == PROXY_TEXTURE))
        return refuse(f, "is given '%s', which is a %s", name, proxy_name(t->proxy));
    if (t->dims != (uint32_t)geometry->axes + geometry->layered || t->layered != geometry->layered)
        return refuse(f, "is given '%s', which has %u dimension%s%s", name, t->dims,
                      t->dims == 1 ? "" : "s", t->layered ? ", one of layers" : "");
    if (texture && floats != type_is_float(f->inst->type))
        return refuse(f, "reads '%s', whose elements are %s.%s", name,
                      t->fraction ? "fractions of " : "", type_name(t->type));
    return true;
}

static bool find_object(struct fetch *f)
{
    const struct test *test = f->run->machine->test;
    uint64_t handle = run_address(f->run, f->lane, f->micro);
    uint32_t location = texture_location(test, handle);
    if (run_poisoned(f->run, f->lane, f->micro->base))
        run_report(f->run, f->lane, REPORT_POISON_USED, "the object of %s is undefined",
                   run_micro_name(f->run, f->micro));
    if (location == NONE)
        return refuse(f, "is given 0x%llx, which is no texture or surface",
                      (unsigned long long)handle);
    f->texture = test->locations[location].texture;
    f->region = region_of_location(f->run->machine, location);
    return f->region ? suits(f, test->locations[location].name)
                     : refuse(f, "is given an object without memory");
}

/* Reads or writes 'count' elements of 'bytes' at the offset; false: the run has ended. */
static bool access(struct fetch *f, uint64_t offset, uint32_t bytes, uint32_t count,
                   uint64_t value[ACCESS_ELEMENTS])
{
    bool writes = f->micro->kind == MICRO_SURFACE;
    struct memory_access access = {.lane = f->lane,
                                   .micro = f->micro,
                                   .address = f->region->base + offset,
                                   .bytes = bytes,
                                   .count = count,
                                   .reads = !writes || f->inst->op == OP_SURED,
                                   .writes = writes,
                                   .region = f->region,
                                   .memory = f->region->memory + (uint32_t)offset};
    memcpy(access.value, value, sizeof access.value);
    if (!api_note_access(f->run, &access))
        return false;
    f->run->memory->ops->access(f->run, &access);
    memcpy(value, access.value, sizeof access.value);
    return !f->run->stop;
}

/* ---- textures ------------------------------------------------------------------------------ */

/* Where a texture is looked at, in texels: axes first, then the layer. */
struct texel_point {
    double at[TEXTURE_AXES];
    uint32_t layer;
};

/* A texel by its place; -1 on an axis: outside, the border. */
struct texel {
    int64_t at[TEXTURE_AXES];
};

/* The texel that stands for one outside, by the texture's mode. */
static int64_t inside(const struct texture *t, int64_t i, int64_t size, bool whole)
{
    int64_t turn = ((i % (2 * size)) + 2 * size) % (2 * size);
    if (i >= 0 && i < size)
        return i;
    if (whole || t->mode == TEXTURE_BORDER)
        return -1;
    switch (t->mode) {
    case TEXTURE_WRAP:
        return turn % size;
    case TEXTURE_MIRROR:
        return turn < size ? turn : 2 * size - 1 - turn;
    default:
        return i < 0 ? 0 : size - 1;
    }
}

/* A coordinate as a number of texels; what is too large for any texture is cut. */
static double coordinate(const struct fetch *f, uint32_t i, uint32_t size)
{
    enum { FAR = 1 << 30 };
    uint32_t bits = operand(f, i);
    float number;
    memcpy(&number, &bits, sizeof number);
    if (f->inst->source_type == TYPE_S32)
        return (int32_t)bits;
    double at = f->texture->normalized ? (double)number * size : number;
    return isnan(at) ? 0 : at < -FAR ? -FAR : at > FAR ? FAR : at;
}

static uint32_t layer(const struct fetch *f, uint32_t layers)
{
    uint32_t wanted = operand(f, 0);
    return wanted < layers ? wanted : layers - 1;
}

static struct texel_point find_point(const struct fetch *f)
{
    const struct geometry_row *geometry = geometry_row(f->inst->geometry);
    struct texel_point point = {0};
    for (uint32_t i = 0; i < geometry->axes; i++)
        point.at[i] = coordinate(f, i + geometry->layered, f->texture->size[i]);
    if (geometry->layered)
        point.layer = layer(f, f->texture->size[geometry->axes]);
    return point;
}

/* The whole texel, its channels as they lie there; zeros at the border. */
static bool read_texel(struct fetch *f, const struct texel_point *point, const struct texel *texel,
                       uint64_t channels[ACCESS_ELEMENTS])
{
    const struct texture *t = f->texture;
    uint32_t axes = geometry_row(f->inst->geometry)->axes;
    uint64_t index = t->layered ? point->layer : 0;
    memset(channels, 0, ACCESS_ELEMENTS * sizeof *channels);
    for (uint32_t i = axes; i-- > 0;) {
        int64_t at = inside(t, texel->at[i], t->size[i], f->inst->source_type == TYPE_S32);
        if (at < 0)
            return true;
        index = index * t->size[i] + (uint64_t)at;
    }
    return access(f, index * texture_bytes(t), type_bytes(t->type), t->channels, channels);
}

static double number(const struct texture *t, uint64_t bits)
{
    uint64_t value = alu_extend(t->type, bits);
    double most = (double)(UINT64_C(1) << (8 * type_bytes(t->type) - type_is_signed(t->type))) - 1;
    uint32_t single = (uint32_t)bits;
    float result;
    if (t->fraction)
        return type_is_signed(t->type) ? fmax((double)(int64_t)value / most, -1)
                                       : (double)value / most;
    if (t->type == TYPE_F16) {
        uint64_t wider = 0;
        alu_find (&(const struct inst){.op = OP_CVT, .type = TYPE_F32, .source_type = TYPE_F16})(
            &wider, &bits, NULL, NULL, NULL, 1);
        single = (uint32_t)wider;
    }
    memcpy(&result, &single, sizeof result);
    return result;
}

static uint64_t bits_of(double number)
{
    float single = (float)number;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* What the instruction gives for a channel of one texel. */
static uint64_t result_of(const struct fetch *f, uint64_t bits)
{
    const struct texture *t = f->texture;
    if (!type_is_float(f->inst->type))
        return alu_low_bytes(alu_extend(t->type, bits), 4);
    return t->type == TYPE_F32 ? alu_low_bytes(bits, 4) : bits_of(number(t, bits));
}

static void put(struct fetch *f, uint32_t i, uint64_t bits)
{
    if (f->micro->dst[i] != SLOT_NONE)
        run_write(f->run, f->lane, f->micro->dst[i], bits, false);
}

/* The texel in which the point lies; channels that the texture does not have are 0. */
static void nearest(struct fetch *f)
{
    const struct texel_point point = find_point(f);
    struct texel texel;
    uint64_t channels[ACCESS_ELEMENTS];
    for (uint32_t i = 0; i < TEXTURE_AXES; i++)
        texel.at[i] = (int64_t)floor(point.at[i]);
    if (!read_texel(f, &point, &texel, channels))
        return;
    for (uint32_t i = 0; i < CHANNELS; i++)
        put(f, i, i < f->texture->channels ? result_of(f, channels[i]) : 0);
}

/* The texel before the point on each axis, and how far the point is on the way to the next one: in 9 bits, 8 of them
 * of the fraction. */
static struct texel before(const struct texel_point *point, double way[TEXTURE_AXES])
{
    enum { STEPS = 256 };
    struct texel texel;
    for (uint32_t i = 0; i < TEXTURE_AXES; i++) {
        double at = floor(point->at[i] * STEPS + 0.5) - STEPS / 2;
        texel.at[i] = (int64_t)floor(at / STEPS);
        way[i] = (at - (double)texel.at[i] * STEPS) / STEPS;
    }
    return texel;
}

/* The weighted sum of the two, four or eight texels around the point. */
static void filtered(struct fetch *f)
{
    const struct texel_point point = find_point(f);
    uint32_t axes = geometry_row(f->inst->geometry)->axes;
    double way[TEXTURE_AXES], sum[CHANNELS] = {0};
    const struct texel first = before(&point, way);
    for (uint32_t corner = 0; corner < 1u << axes; corner++) {
        struct texel texel = first;
        uint64_t channels[ACCESS_ELEMENTS];
        double weight = 1;
        for (uint32_t i = 0; i < axes; i++) {
            bool next = corner >> i & 1;
            texel.at[i] += next;
            weight *= next ? way[i] : 1 - way[i];
        }
        if (weight == 0)
            continue;
        if (!read_texel(f, &point, &texel, channels))
            return;
        for (uint32_t i = 0; i < f->texture->channels; i++)
            sum[i] += weight * number(f->texture, channels[i]);
    }
    for (uint32_t i = 0; i < CHANNELS; i++)
        put(f, i, i < f->texture->channels ? bits_of(sum[i]) : 0);
}

static uint32_t component(enum op op)
{
    return op == OP_TLD4_R ? 0 : op == OP_TLD4_G ? 1 : op == OP_TLD4_B ? 2 : 3;
}

/* tld4: one channel of the four texels around the point, from the one below on the left counterclockwise. */
static void gathered(struct fetch *f)
{
    static const uint8_t right[] = {0, 1, 1, 0}, below[] = {1, 1, 0, 0};
    const struct texel_point point = find_point(f);
    double way[TEXTURE_AXES];
    const struct texel first = before(&point, way);
    uint32_t channel = component(f->inst->op);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        struct texel texel = first;
        uint64_t channels[ACCESS_ELEMENTS];
        texel.at[0] += right[i];
        texel.at[1] += below[i];
        if (!read_texel(f, &point, &texel, channels))
            return;
        put(f, i, channel < f->texture->channels ? result_of(f, channels[channel]) : 0);
    }
}

/* ---- surfaces ------------------------------------------------------------------------------ */

enum { OUTSIDE = -1, DROPPED = -2 };

/* The offset of the byte that a surface instruction is about. */
static int64_t surface_offset(struct fetch *f, uint32_t bytes)
{
    const struct texture *t = f->texture;
    bool layered = geometry_row(f->inst->geometry)->layered;
    int64_t offset = 0;
    for (uint32_t axis = t->dims; axis-- > 0;) {
        uint32_t from = !layered ? axis : axis + 1 == t->dims ? 0 : axis + 1;
        int64_t at = (int32_t)operand(f, from);
        if (!axis && f->inst->op == OP_SUST_FORMATTED)
            at *= texture_bytes(t);
        int64_t size = axis ? t->size[axis] : (int64_t)t->size[0] * texture_bytes(t);
        int64_t most = axis ? size - 1 : size - bytes;
        if ((at < 0 || at > most) && f->inst->boundary == BOUNDARY_TRAP)
            return OUTSIDE;
        if ((at < 0 || at > most) && (f->inst->boundary == BOUNDARY_ZERO || most < 0))
            return DROPPED;
        offset = offset * size + (at < 0 ? 0 : at > most ? most : at);
    }
    return offset;
}

/* Coordinates as they are written, for a report. */
static const char *coordinates(const struct fetch *f)
{
    const struct geometry_row *geometry = geometry_row(f->inst->geometry);
    const char *text = "";
    for (uint32_t i = 0; i < (uint32_t)geometry->axes + geometry->layered; i++)
        text = arena_printf(f->run->reports->arena, "%s%s%d", text, i ? ", " : "",
                            (int32_t)operand(f, i));
    return text;
}

static const char *extent(const struct fetch *f)
{
    const struct texture *t = f->texture;
    const char *text =
        arena_printf(f->run->reports->arena, "%u bytes", t->size[0] * texture_bytes(t));
    for (uint32_t i = 1; i < t->dims; i++)
        text = arena_printf(f->run->reports->arena, "%s by %u", text, t->size[i]);
    return text;
}

/* Where the values to write begin in src. */
static uint32_t first_value(const struct fetch *f)
{
    return f->micro->src_count - (f->inst->op == OP_SURED ? 1 : f->inst->vector);
}

static bool move_bytes(struct fetch *f, uint32_t bytes, uint32_t count,
                       uint64_t value[ACCESS_ELEMENTS])
{
    int64_t offset = surface_offset(f, bytes * count);
    if (offset == OUTSIDE)
        run_report(f->run, f->lane, REPORT_SURFACE_OOB, "%s at (%s) lies outside of %s, %s",
                   run_micro_name(f->run, f->micro), coordinates(f),
                   f->run->machine->test->locations[f->region->location].name, extent(f));
    if (offset >= 0 && offset % (bytes * count)) {
        run_report(f->run, f->lane, REPORT_MISALIGNED, "offset %lld of an access of %u bytes",
                   (long long)offset, bytes * count);
        offset = OUTSIDE;
    }
    if (offset == OUTSIDE)
        for (uint32_t i = 0; i < ACCESS_ELEMENTS; i++)
            value[i] = f->run->machine->options.outside;
    if (offset < 0)
        return offset == DROPPED || f->run->machine->options.keep_going;
    return access(f, (uint64_t)offset, bytes, count, value);
}

/* sust.p: a value of 32 bits as what a channel of the surface holds, or the nearest to it. */
static uint64_t formatted(enum type type, uint64_t value)
{
    int64_t most = (int64_t)(UINT64_MAX >> (65 - 8 * type_bytes(type))), number = (int32_t)value;
    uint64_t half = 0;
    if (type == TYPE_F16) {
        alu_find (&(const struct inst){
            .op = OP_CVT, .type = TYPE_F16, .source_type = TYPE_F32, .flags = FLAG_RN})(
            &half, &value, NULL, NULL, NULL, 1);
        return half;
    }
    if (type_is_float(type))
        return value;
    if (!type_is_signed(type))
        return value > 2 * (uint64_t)most + 1 ? 2 * (uint64_t)most + 1 : value;
    return alu_low_bytes((uint64_t)(number > most        ? most
                                    : number < -most - 1 ? -most - 1
                                                         : number),
                         type_bytes(type));
}

/* Channels that are not written become 0. */
static void formatted_store(struct fetch *f)
{
    const struct texture *t = f->texture;
    uint64_t value[ACCESS_ELEMENTS] = {0};
    for (uint32_t i = 0; i < f->inst->vector && i < t->channels; i++) {
        slot from = f->micro->src[first_value(f) + i];
        value[i] = formatted(t->type, alu_low_bytes(run_value(f->run, f->lane, from), 4));
        if (run_poisoned(f->run, f->lane, from))
            run_report(f->run, f->lane, REPORT_POISON_USED, "an undefined value is stored");
    }
    move_bytes(f, type_bytes(t->type), t->channels, value);
}

static void surface(struct fetch *f)
{
    uint32_t bytes = type_bytes(f->inst->type), count = f->inst->vector;
    uint64_t value[ACCESS_ELEMENTS] = {0};
    for (uint32_t i = 0; f->micro->kind == MICRO_SURFACE && i < count; i++) {
        slot from = f->micro->src[first_value(f) + i];
        value[i] = alu_low_bytes(run_value(f->run, f->lane, from), bytes);
        if (run_poisoned(f->run, f->lane, from))
            run_report(f->run, f->lane, REPORT_POISON_USED, "an undefined value is stored");
    }
    if (!move_bytes(f, bytes, count, value))
        return;
    for (uint32_t i = 0; i < f->micro->dst_count; i++)
        put(f, i, alu_low_bytes(value[i], bytes));
}

/* ---- queries ------------------------------------------------------------------------------- */

static void query(struct fetch *f)
{
    const struct texture *t = f->texture;
    uint32_t axis = f->inst->op == OP_TXQ_WIDTH || f->inst->op == OP_SUQ_WIDTH     ? 0
                    : f->inst->op == OP_TXQ_HEIGHT || f->inst->op == OP_SUQ_HEIGHT ? 1
                                                                                   : 2;
    uint32_t axes = t->dims - t->layered;
    put(f, 0, axis < axes ? t->size[axis] : 0);
}

static void perform(struct fetch *f)
{
    if (is_query(f))
        query(f);
    else if (f->inst->op == OP_SUST_FORMATTED)
        formatted_store(f);
    else if (f->inst->proxy == PROXY_SURFACE)
        surface(f);
    else if (f->inst->op != OP_TEX && f->inst->op != OP_TEX_LEVEL && f->inst->op != OP_TEX_GRAD)
        gathered(f);
    else if (f->texture->linear && f->inst->source_type == TYPE_F32)
        filtered(f);
    else
        nearest(f);
}

bool texture_execute(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    struct fetch f = {.run = run, .lane = lane, .micro = micro, .inst = micro->inst};
    if (find_object(&f))
        perform(&f);
    if (!run->stop)
        run_advance(run, lane);
    return true;
}
