/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/ids.h"

#include <glib.h>

struct ids {
    Agraph_t *graph;
    GHashTable *numbers; /* a name: its number + 1, the same for objects of all kinds */
    GPtrArray *names;    /* a number: its name */
};

static void *open_ids(Agraph_t *graph, Agdisc_t *discipline)
{
    (void)discipline;
    struct ids *ids = g_new(struct ids, 1);
    *ids = (struct ids){graph, g_hash_table_new_full(g_str_hash, g_str_equal, NULL, NULL),
                        g_ptr_array_new()};
    return ids;
}

/* Objects without a name get a number without one. */
static long map_name(void *state, int kind, char *name, IDTYPE *number, int create)
{
    (void)kind;
    struct ids *ids = state;
    gpointer known = name ? g_hash_table_lookup(ids->numbers, name) : NULL;
    if (!known && !create)
        return FALSE;
    *number = known ? GPOINTER_TO_UINT(known) - 1 : ids->names->len;
    if (known)
        return TRUE;
    char *kept = name ? agstrdup(ids->graph, name) : NULL; /* goes with the graph */
    g_ptr_array_add(ids->names, kept);
    if (kept)
        g_hash_table_insert(ids->numbers, kept, GUINT_TO_POINTER(ids->names->len));
    return TRUE;
}

/* Numbers are not chosen by hand here. */
static long allocate(void *state, int kind, IDTYPE number)
{
    (void)state, (void)kind, (void)number;
    return FALSE;
}

static void release(void *state, int kind, IDTYPE number)
{
    (void)state, (void)kind, (void)number;
}

static char *print_name(void *state, int kind, IDTYPE number)
{
    (void)kind;
    struct ids *ids = state;
    return number < ids->names->len ? g_ptr_array_index(ids->names, number) : NULL;
}

static void close_ids(void *state)
{
    struct ids *ids = state;
    g_hash_table_destroy(ids->numbers);
    g_ptr_array_free(ids->names, TRUE);
    g_free(ids);
}

static void register_object(void *state, int kind, void *object)
{
    (void)state, (void)kind, (void)object;
}

const Agiddisc_t picture_ids = {open_ids,   map_name,  allocate,       release,
                                print_name, close_ids, register_object};
