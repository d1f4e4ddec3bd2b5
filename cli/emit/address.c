/* SPDX-License-Identifier: MIT
 *
 * Addresses that memory holds at first, and the tensor maps that are made of them. */
#include "cli/emit/view.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/show/json.h"
#include "litmus/test/tensor_map.h"

/* ---- tensor maps ----------------------------------------------------------------------------- */

/* CUtensorMapDataType: the bits are what counts, but in reductions. */
static int data_type(enum type type)
{
    switch (type) {
    case TYPE_F16:
        return 6;
    case TYPE_F32:
        return 7;
    case TYPE_F64:
        return 8;
    case TYPE_BF16:
        return 9;
    default:
        break;
    }
    uint32_t bytes = type_bytes(type);
    int is_signed = type_is_signed(type);
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 + is_signed : 4 + is_signed;
}

/* CUtensorMapSwizzle */
static int swizzle_mode(uint32_t bytes)
{
    return bytes == 0 ? 0 : bytes == 32 ? 1 : bytes == 64 ? 2 : 3;
}

static json_t *numbers64(const uint64_t *of, uint32_t count)
{
    g_autoptr(GString) text = g_string_new("{");
    for (uint32_t i = 0; i < count; i++)
        g_string_append_printf(text, "%s%" PRIu64 "u", i ? ", " : "", of[i]);
    g_string_append_c(text, '}');
    return json_string(text->str);
}

static json_t *numbers(const uint32_t *of, uint32_t count)
{
    uint64_t wide[TENSOR_RANK];
    for (uint32_t i = 0; i < count; i++)
        wide[i] = of[i];
    return numbers64(wide, count);
}

static json_t *view_map(uint32_t place, uint32_t offset, const struct tensor_map *map,
                        uint32_t tensor)
{
    return json_pack(
        "{s:i, s:i, s:i, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:i, s:i}", "place", place, "offset",
        offset, "of", tensor, "more", json_sprintf("%" PRIu64, map->offset), "type",
        data_type(map->type), "rank", map->rank, "dims", numbers64(map->dims, map->rank), "strides",
        numbers64(map->strides + 1, map->rank - 1), "box", numbers(map->box, map->rank), "steps",
        numbers(map->steps, map->rank), "swizzle", swizzle_mode(map->swizzle), "nans", map->nans);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void append(json_t *array, json_t *item)
{
    json_object_set_new(item, "comma", json_string(json_array_size(array) ? ", " : ""));
    json_array_append_new(array, item);
}

void emit_add_addresses(const struct emission *e, json_t *view)
{
    json_t *pointers = json_array(), *maps = json_array();
    for (uint32_t i = 0; i < e->test->location_count; i++) {
        const struct location *l = &e->test->locations[i];
        for (uint32_t k = 0; e->number[i] != NONE && l->init && k < l->elements; k++) {
            struct tensor_map map;
            uint32_t tensor, offset = k * l->element_bytes;
            if (l->init[k].address_of == NONE)
                continue;
            if (tensor_map_at(e->test, i, offset, &map, &tensor))
                append(maps, view_map(e->number[i], offset, &map, e->number[tensor]));
            else
                append(pointers, json_pack("{s:i, s:i, s:i, s:o}", "place", e->number[i], "offset",
                                           offset, "to", e->number[l->init[k].address_of], "more",
                                           json_sprintf("%" PRIu64, l->init[k].value)));
        }
    }
    json_object_set_new(view, "pointers", pointers);
    json_object_set_new(view, "maps", maps);
}
