/* SPDX-License-Identifier: MIT */
#include "cli/shard.h"

#include <glib.h>

enum { MOST_SHARDS = 100000 };

static bool read_number(const char **text, uint32_t *number)
{
    guint64 value = 0;
    const char *at = *text;
    for (; g_ascii_isdigit(*at) && value <= MOST_SHARDS; at++)
        value = value * 10 + (guint64)g_ascii_digit_value(*at);
    bool good = at != *text && value >= 1 && value <= MOST_SHARDS;
    *text = at;
    *number = (uint32_t)value;
    return good;
}

bool shard_parse(const char *text, struct shard *shard)
{
    *shard = (struct shard){1, 1};
    if (!text)
        return true;
    return read_number(&text, &shard->number) && *text++ == '/' &&
           read_number(&text, &shard->count) && !*text && shard->number <= shard->count;
}

void shard_keep(const struct shard *shard, struct input_list *inputs)
{
    uint32_t kept = 0;
    for (uint32_t i = shard->number - 1; i < inputs->items.len; i += shard->count)
        inputs->items.at[kept++] = inputs->items.at[i];
    inputs->items.len = kept;
}
