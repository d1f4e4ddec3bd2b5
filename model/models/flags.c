/* SPDX-License-Identifier: MIT */
#include "model/models/flags.h"

#include <string.h>

static const struct flag {
    const char *name;
    enum flag_kind kind;
    const char *detail;
} flags[] = {
#define FLAG(name, kind, detail) {name, FLAG_##kind, detail},
#include "model/models/flag.def"
#undef FLAG
    {NULL, FLAG_RACE, ""},
};

static const struct flag *find(const char *name)
{
    const struct flag *flag = flags;
    while (flag->name && strcmp(flag->name, name) != 0)
        flag++;
    return flag;
}

enum flag_kind flag_kind(const char *name)
{
    return find(name)->kind;
}

bool flag_is_race(enum flag_kind kind)
{
    return kind <= FLAG_RACY;
}

bool flag_undefines(enum flag_kind kind)
{
    return kind == FLAG_RACY || kind == FLAG_UNDEFINED;
}

const char *flag_detail(const char *name)
{
    return find(name)->detail;
}
