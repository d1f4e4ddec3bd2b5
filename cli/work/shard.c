/* SPDX-License-Identifier: MIT */
#include "cli/work/shard.h"

#include <string.h>

#include "litmus/base/number.h"

enum { MOST_SHARDS = 100000 };

static bool read_number(const char *text, size_t length, uint32_t *number)
{
    uint64_t value;
    if (number_whole(text, length, 1, MOST_SHARDS, &value) != NUMBER_GOOD)
        return false;
    *number = (uint32_t)value;
    return true;
}

bool shard_parse(const char *text, struct shard *shard)
{
    *shard = (struct shard){1, 1};
    if (!text)
        return true;
    size_t length = strcspn(text, "/");
    return text[length] && read_number(text, length, &shard->number) &&
           read_number(text + length + 1, strlen(text + length + 1), &shard->count) &&
           shard->number <= shard->count;
}

void shard_keep(const struct shard *shard, struct input_list *inputs)
{
    uint32_t kept = 0;
    for (uint32_t i = shard->number - 1; i < inputs->items.len; i += shard->count)
        inputs->items.at[kept++] = inputs->items.at[i];
    inputs->items.len = kept;
}
