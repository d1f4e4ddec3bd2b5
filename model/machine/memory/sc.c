/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/base/hash.h"
#include "model/machine/memory/sc.h"
#include "model/machine/race/race.h"
#include "model/machine/race/stale.h"
#include "model/machine/core/pieces.h"
#include "model/machine/core/run.h"
#include "model/machine/core/region.h"

/* The sequentially consistent memory: one value a byte, and every access takes effect at once for
 * all lanes. */

static struct memory_sc *self(const struct memory *memory)
{
    return (struct memory_sc *)memory;
}

static uint64_t read_word(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* Shared memory starts without a value: reading bytes that were never written is reported, once for
 * each access. */
static void check_written(struct run *run, struct memory_access *access)
{
    const struct memory_sc *m = self(run->memory);
    if (access->region->cta == NONE)
        return;
    for (uint32_t i = 0; i < access->bytes * access->count; i++) {
        if (m->written[access->memory + i])
            continue;
        run_report(run, access->lane, REPORT_UNINIT_SHARED_READ, "%s was never written",
                   run_byte_name(run, access->region, access->address + i));
        access->poison = true;
        return;
    }
}

/* 128-bit exch and cas: the only wide atomics there are. */
static void atomic_wide(struct run *run, struct memory_access *access, uint8_t *at)
{
    GMutex *lock = self(run->memory)->lock;
    bool cas = access->micro->inst->atom_op == ATOM_CAS;
    uint64_t old[2];
    g_mutex_lock(lock);
    memcpy(old, at, 16);
    bool writes = !cas || (old[0] == access->value[0] && old[1] == access->value[1]);
    const uint64_t *value = cas ? access->operand : access->value;
    run->changes += writes && memcmp(old, value, 16);
    if (writes)
        memcpy(at, value, 16);
    g_mutex_unlock(lock);
    memcpy(access->value, old, 16);
}

/* Replaces *at by 'value' if it still holds 'old'. */
static bool exchange(uint8_t *at, uint32_t bytes, uint64_t old, uint64_t value)
{
    if (bytes == 8)
        return __atomic_compare_exchange_n((uint64_t *)(void *)at, &old, value, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (bytes == 4) {
        uint32_t narrow = (uint32_t)old;
        return __atomic_compare_exchange_n((uint32_t *)(void *)at, &narrow, (uint32_t)value, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    uint16_t narrow = (uint16_t)old;
    return __atomic_compare_exchange_n((uint16_t *)(void *)at, &narrow, (uint16_t)value, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

uint64_t memory_sc_atomic(struct run *run, const struct inst *inst, uint8_t *at, uint32_t bytes,
                          uint64_t b, uint64_t c)
{
    for (;;) {
        bool writes;
        uint64_t old = read_word(at, bytes),
                 value = alu_atomic(inst->atom_op, inst->type, old, b, c, &writes);
        if (writes && !exchange(at, bytes, old, value))
            continue;
        run->changes += writes && old != value;
        return old;
    }
}

static void atomic(struct run *run, struct memory_access *access, uint8_t *at)
{
    for (uint32_t i = 0; i < access->count; i++, at += access->bytes)
        access->value[i] = memory_sc_atomic(run, access->micro->inst, at, access->bytes,
                                            access->value[i], access->operand[i]);
}

/* Counts a write that changes something: what spinning lanes may be waiting for. */
static void write_bytes(struct run *run, uint8_t *at, const void *from, uint32_t bytes)
{
    if (memcmp(at, from, bytes) == 0)
        return;
    memcpy(at, from, bytes);
    run->changes++;
}

static void sc_access(struct run *run, struct memory_access *access)
{
    struct memory_sc *m = self(run->memory);
    uint8_t *at = memory_sc_at(m, access->region, access->memory);
    if (m->race && race_stale(m->race, run, access, at))
        return;
    if (m->race)
        race_access(m->race, run, access);
    uint32_t words = access->bytes == 16 ? 2 : 1, bytes = access->bytes / words;
    if (access->reads)
        check_written(run, access);
    if (access->reads && access->writes) {
        if (words == 2)
            atomic_wide(run, access, at);
        else
            atomic(run, access, at);
    } else {
        for (uint32_t i = 0; i < access->count * words; i++) {
            if (access->writes)
                write_bytes(run, at + i * bytes, &access->value[i], bytes);
            else
                access->value[i] = read_word(at + i * bytes, bytes);
        }
    }
    if (access->writes && access->region->cta != NONE)
        memset(m->written + access->memory, 1, access->bytes * access->count);
}

static void sc_fence(struct run *run, uint32_t lane, const struct micro *micro)
{
    if (self(run->memory)->race)
        race_fence(self(run->memory)->race, lane, micro);
}

static void sc_sync(struct run *run, const struct sync *sync)
{
    if (self(run->memory)->race)
        race_sync(self(run->memory)->race, sync);
}

/* The word of an object that was never written is 0. */
static void sc_mbarrier(struct run *run, uint32_t lane, const struct memory_access *at,
                        const struct mbarrier_order *order,
                        bool (*update)(void *context, uint64_t *word), void *context)
{
    struct memory_sc *m = self(run->memory);
    uint64_t word = read_word(m->bytes + at->memory, 8);
    if (!m->written[at->memory])
        word = 0;
    if (update(context, &word)) {
        write_bytes(run, m->bytes + at->memory, &word, 8);
        memset(m->written + at->memory, 1, 8);
    }
    if (m->race)
        race_mbarrier(m->race, run, lane, at, order);
}

/* Each element of a reduction is an atomic operation. */
static void reduce(struct run *run, enum atom_op op, enum type type, uint8_t *to,
                   const uint8_t *from, uint32_t bytes)
{
    const struct inst inst = {.atom_op = op, .type = type};
    uint32_t size = type_bytes(type);
    for (uint32_t at = 0; at + size <= bytes; at += size)
        memory_sc_atomic(run, &inst, to + at, size, read_word(from + at, size), 0);
}

static void copy_piece(struct run *run, const struct stretch *piece, enum atom_op op,
                       enum type type)
{
    struct memory_sc *m = self(run->memory);
    const struct region *to = region_find(run->machine, piece->to, piece->bytes);
    const struct region *from = region_find(run->machine, piece->from, piece->read_bytes);
    uint32_t offset = region_memory(to, piece->to);
    uint8_t *target = memory_sc_at(m, to, offset);
    const uint8_t *source =
        piece->read_bytes ? memory_sc_at(m, from, region_memory(from, piece->from)) : NULL;
    if (op)
        reduce(run, op, type, target, source, piece->read_bytes);
    else if (source)
        memmove(target, source, piece->read_bytes);
    for (uint32_t i = piece->read_bytes; i < piece->bytes; i++)
        target[i] = (uint8_t)(piece->fill >> i % 8 * 8);
    if (to->cta != NONE)
        memset(m->written + offset, 1, piece->bytes);
}

/* The whole copy at once. */
static void sc_copy(struct run *run, uint32_t lane, const struct copy *copy)
{
    struct memory_sc *m = self(run->memory);
    const struct inst *inst = machine_program(run->machine, lane)->micros[copy->micro].inst;
    struct pieces pieces = pieces_of(run, copy);
    struct stretch piece;
    if (m->race)
        race_copied(m->race, run, lane, copy);
    while (pieces_next(&pieces, &piece))
        copy_piece(run, &piece, inst->atom_op, pieces_type(run, copy, inst));
    run->changes++;
}

static void sc_copy_step(struct run *run, uint32_t lane, enum copy_step step,
                         const struct copy *copy, uint32_t group)
{
    if (self(run->memory)->race)
        race_copy_step(self(run->memory)->race, run, lane, step, copy, group);
}

static void sc_final(struct run *run, uint8_t *bytes)
{
    memcpy(bytes, self(run->memory)->bytes, run->machine->memory_bytes);
}

/* Contents of shared memory are undefined at first, but in columns, where a test may rely on zeros.
 */
void memory_sc_forget_shared(struct memory_sc *m)
{
    for (uint32_t i = 0; i < m->machine->region_count; i++) {
        const struct region *region = &m->machine->regions[i];
        if (region->cta == NONE)
            continue;
        const struct location *location = &m->machine->test->locations[region->location];
        bool known = location->initialized || m->machine->ctas[region->cta].launch == NONE;
        memset(m->written + region->memory, known, region->bytes);
    }
}

static void sc_reset(struct memory *memory)
{
    struct memory_sc *m = self(memory);
    region_initial(m->machine, m->bytes, m->machine->memory_bytes);
    memory_sc_forget_shared(m);
    if (m->race)
        race_reset(m->race);
}

static void sc_hash(struct memory *memory, uint64_t hash[2])
{
    XXH128_hash_t all = XXH3_128bits_withSeed(memory->block, memory->block_bytes, hash[0]);
    hash[0] = all.low64;
    hash[1] ^= all.high64;
}

static const struct memory_ops sc_ops = {
    .name = "sc",
    .access = sc_access,
    .fence = sc_fence,
    .sync = sc_sync,
    .mbarrier = sc_mbarrier,
    .copy = sc_copy,
    .copy_step = sc_copy_step,
    .final = sc_final,
    .reset = sc_reset,
    .hash = sc_hash,
    .forgets_generations = true,
};

/* 'bytes' of memory, and which of those that are shared have contents. */
static struct memory_sc *allocate(struct arena *arena, const struct machine *machine,
                                  uint32_t bytes)
{
    struct memory_sc *m = ARENA_NEW(arena, struct memory_sc);
    m->memory.ops = &sc_ops;
    m->machine = machine;
    m->memory.block_bytes = (size_t)bytes + machine->shared_bytes;
    m->memory.block = m->bytes = arena_alloc(arena, m->memory.block_bytes + 8);
    m->written = m->bytes + bytes;
    return m;
}

struct memory *memory_sc_new(struct arena *arena, const struct machine *machine)
{
    struct memory_sc *m = allocate(arena, machine, machine->memory_bytes);
    m->globals = m->bytes;
    m->lock = &m->own_lock;
    sc_reset(&m->memory);
    return &m->memory;
}

struct memory *memory_sc_new_beside(struct arena *arena, const struct machine *machine,
                                    const struct memory_sc *first)
{
    struct memory_sc *m = allocate(arena, machine, machine->shared_bytes);
    m->globals = first->globals;
    m->lock = first->lock;
    region_initial(machine, m->bytes, machine->shared_bytes);
    memory_sc_forget_shared(m);
    return &m->memory;
}

void memory_sc_watch(struct memory *memory, struct race_detector *race)
{
    self(memory)->race = race;
}
