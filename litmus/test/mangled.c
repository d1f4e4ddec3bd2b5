/* SPDX-License-Identifier: MIT */
#include "litmus/test/mangled.h"

#include <string.h>

#include "litmus/base/number.h"

/* Itanium's names as far as a reader needs them: "_Z", "N" before nested names, and each name after its
 * length; what comes then are arguments of templates and parameters. */

const char *mangled_name(const char *name, size_t *length)
{
    const char *found = NULL;
    *length = 0;
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    bool nested = name[2] == 'N';
    for (const char *at = name + 2 + nested; !found || nested;) {
        uint64_t count;
        bool fits;
        at += *at == 'L';
        size_t digits = number_digits(at, strlen(at), 10, &count, &fits);
        if (!digits || !fits || strlen(at + digits) < count)
            break;
        found = at + digits;
        *length = (size_t)count;
        at = found + count;
    }
    return found;
}

const char *mangled_local(const char *name, size_t *length)
{
    const char *end = name + strlen(name);
    *length = 0;
    for (const char *at = end; strncmp(name, "_ZZ", 3) == 0 && at > name; at--) {
        uint64_t count;
        bool fits;
        size_t digits = at[-1] == 'E' ? number_digits(at, strlen(at), 10, &count, &fits) : 0;
        if (digits && fits && (size_t)(end - at) == digits + count) {
            *length = (size_t)count;
            return at + digits;
        }
    }
    return NULL;
}

bool mangled_is(const char *name, const char *wanted, size_t length)
{
    size_t plain_length;
    const char *plain = mangled_name(name, &plain_length);
    return (strlen(name) == length && memcmp(name, wanted, length) == 0) ||
           (plain && plain_length == length && memcmp(plain, wanted, length) == 0);
}
