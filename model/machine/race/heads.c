/* SPDX-License-Identifier: MIT */
#include "model/machine/race/heads.h"

#include <glib.h>

void heads_add(struct heads *heads, const struct head *head)
{
    for (uint32_t i = 0; i < heads->count; i++) {
        struct head *old = &heads->at[i];
        if (old->scope != head->scope || old->memory != head->memory ||
            !scope_holds(head->scope, &head->place, &old->place))
            continue;
        clock_add(&old->clock, head->clock);
        proxied_add(&old->proxied, &head->proxied);
        old->at = head->at;
        for (uint32_t scope = 0; scope < SCOPE_COUNT; scope++)
            if (old->place.unit[scope] != head->place.unit[scope])
                old->place.unit[scope] = UNIT_ANY;
        return;
    }
    heads->at = g_renew(struct head, heads->at, heads->count + 1);
    heads->at[heads->count] = *head;
    clock_ref(head->clock);
    proxied_ref(&head->proxied);
    heads->count++;
}

void heads_clear(struct heads *heads)
{
    for (uint32_t i = 0; i < heads->count; i++) {
        clock_unref(heads->at[i].clock);
        proxied_clear(&heads->at[i].proxied);
    }
    g_free(heads->at);
    *heads = (struct heads){0};
}
