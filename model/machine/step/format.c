/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "model/machine/step/system.h"

/* The formats of CUDA's printf: "%[flags][width][.precision][size]type", with the sizes h, l and ll and the
 * types cdiouxXpeEfgGaAs%; '*' takes no argument there. */

struct formatter {
    struct run *run;
    uint32_t lane;
    uint64_t next; /* where the next argument lies, or before the padding in front of it */
    int32_t count; /* arguments taken */
};

static uint64_t take(struct formatter *f, uint32_t bytes)
{
    uint64_t value;
    f->next = (f->next + bytes - 1) / bytes * bytes;
    system_read(f->run, f->lane, f->next, bytes, &value);
    f->next += bytes;
    f->count++;
    return value;
}

static void put(struct formatter *f, const char *text, size_t length)
{
    GString *to = f->run->printed;
    if (to && to->len + length <= PRINTED_MOST)
        g_string_append_len(to, text, (gssize)length);
}

/* One value by the C library: 'spec' holds a complete specification of that type. */
#define PUT(f, spec, value)                                                                        \
    do {                                                                                           \
        g_autofree char *made = g_strdup_printf(spec, value);                                      \
        put(f, made, strlen(made));                                                                \
    } while (0)

static void put_double(struct formatter *f, const char *spec)
{
    uint64_t bits = take(f, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    PUT(f, spec, value);
}

static void put_string(struct formatter *f, const char *spec)
{
    uint64_t address = take(f, 8);
    const char *text = address ? system_string(f->run, f->lane, address) : NULL;
    PUT(f, spec, text ? text : "(null)");
}

/* Of an integer the size counts: long has 64 bits. */
static void put_integer(struct formatter *f, const char *spec, bool wide)
{
    if (wide)
        PUT(f, spec, (long long)take(f, 8));
    else
        PUT(f, spec, (int)take(f, 4));
}

/* A specification, which begins behind the '%'; gives its length, 0 when it is none. */
static size_t put_value(struct formatter *f, const char *at)
{
    size_t width = strspn(at, "#0- +"), digits;
    width += strspn(at + width, "0123456789");
    digits = at[width] == '.' ? 1 + strspn(at + width + 1, "0123456789") : 0;
    size_t shape = width + digits, size = strspn(at + shape, "hl");
    char type = at[shape + size];
    if (!type || !strchr("cdiouxXpeEfgGaAs", type) || shape > 24)
        return 0;
    bool wide = size && at[shape] == 'l';
    char spec[40];
    snprintf(spec, sizeof spec, "%%%.*s%s%c", (int)shape, at,
             strchr("diouxX", type) && wide ? "ll" : "", type);
    if (type == 'p')
        PUT(f, spec, (void *)(uintptr_t)take(f, 8));
    else if (type == 's')
        put_string(f, spec);
    else if (strchr("eEfgGaA", type))
        put_double(f, spec);
    else
        put_integer(f, spec, wide && type != 'c');
    return shape + size + 1;
}

int32_t format_print(struct run *run, uint32_t lane, const char *format, uint64_t list)
{
    struct formatter f = {.run = run, .lane = lane, .next = list};
    for (const char *at = format; *at;) {
        size_t plain = strcspn(at, "%"), used;
        put(&f, at, plain);
        at += plain;
        if (!*at)
            break;
        used = at[1] == '%' ? 0 : put_value(&f, at + 1);
        if (!used)
            put(&f, "%", 1);
        at += 1 + (used ? used : at[1] == '%');
    }
    return f.count;
}
