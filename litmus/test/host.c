/* SPDX-License-Identifier: MIT */
#include "litmus/test/host.h"

#include <string.h>

#include "litmus/test/launch.h"

void host_flags(struct host_platform *platform, struct host_flag flags[HOST_FLAGS])
{
    const struct host_flag all[HOST_FLAGS] = {
        {"concurrentManagedAccess", &platform->concurrent_managed_access, 1},
        {"hostNativeAtomicSupported", &platform->host_native_atomics, 1},
        {"peerNativeAtomicSupported", &platform->peer_native_atomics, 1},
        {"perThreadDefaultStream", &platform->per_thread_default_stream, 1},
        {"pdlFenceTrigger", &platform->pdl_fence_trigger, 1},
        {"eagerLoading", &platform->eager_loading, 1},
        {"peerAccess", &platform->peer_access, 1},
        {"coResident", &platform->co_resident, LAUNCH_LARGEST_SIZE},
    };
    for (int i = 0; i < HOST_FLAGS; i++)
        flags[i] = all[i];
}

struct host_platform host_platform_default(void)
{
    return (struct host_platform){.concurrent_managed_access = 1,
                                  .host_native_atomics = 1,
                                  .peer_native_atomics = 1,
                                  .pdl_fence_trigger = 1,
                                  .peer_access = 1};
}

static const struct {
    const char *name, *word[2];
} readings[] = {
#define READING(id, name, zero, one, no, yes) {name, {zero, one}},
#include "litmus/test/reading.def"
#undef READING
};

const char *host_reading_name(enum host_reading reading)
{
    return readings[reading].name;
}

const char *host_reading_word(enum host_reading reading, bool one)
{
    return readings[reading].word[one];
}

bool host_reading_find(const char *name, enum host_reading *reading)
{
    for (uint32_t i = 0; i < HOST_READING_COUNT; i++)
        if (strcmp(readings[i].name, name) == 0) {
            *reading = (enum host_reading)i;
            return true;
        }
    return false;
}
