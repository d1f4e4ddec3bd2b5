/* SPDX-License-Identifier: MIT */
#include "cli/work/shard.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"

enum { MOST_SHARDS = 100000 };

bool shard_parse(const char *text, struct shard *shard)
{
    uint64_t number = 1, count = 1;
    size_t length = text ? strcspn(text, "/") : 0;
    bool good = !text || (text[length] &&
                          number_whole(text, length, 1, MOST_SHARDS, &number) == NUMBER_GOOD &&
                          number_whole(text + length + 1, strlen(text + length + 1), 1, MOST_SHARDS,
                                       &count) == NUMBER_GOOD &&
                          number <= count);
    *shard = (struct shard){(uint32_t)number, (uint32_t)count};
    return good;
}
