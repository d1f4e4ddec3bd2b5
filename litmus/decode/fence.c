/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

/* Fences: PTX 9.7.13.4 (membar, fence). Their words depend on each other, so they have a decoder of
 * their own:
 *   fence[.sem].scope                       membar.{cta,gl,sys}
 *   fence.proxy.PROXY[.space]               membar.proxy.PROXY
 *   fence.proxy.PROXY[::generic].{release,acquire}[.sync_restrict::space].scope
 *   fence.mbarrier_init.release.cluster     fence.{release,acquire}.sync_restrict::space.cluster */

struct fence_words {
    bool proxy, proxied, restricted, init, sem, scope, space;
    enum space restriction;
};

static bool proxy_word(const struct body_decoder *d, struct span word)
{
    for (uint32_t proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (parse_text_is(d->parser, word, proxy_name(proxy)) ||
            parse_text_is(d->parser, word, proxy_row(proxy)->one_way_word)) {
            d->inst->proxy = (enum proxy)proxy;
            return true;
        }
    return false;
}

static bool sem_word(const struct body_decoder *d, struct span word)
{
    uint32_t sem;
    if (!parse_isa_word(d->parser, 'S', word, &sem) || !(op_row(OP_FENCE)->sems >> sem & 1))
        return false;
    d->inst->sem = (enum sem)sem;
    return true;
}

static bool scope_word(const struct body_decoder *d, struct span word)
{
    uint32_t scope = SCOPE_GPU;
    if (!parse_isa_word(d->parser, 'C', word, &scope) &&
        !(d->from->membar && parse_text_is(d->parser, word, "gl")))
        return false;
    d->inst->scope = (enum scope)scope;
    return true;
}

static bool space_word(const struct parser *p, struct span word, enum space *space)
{
    *space = parse_text_is(p, word, "global")            ? SPACE_GLOBAL
             : parse_text_is(p, word, "shared::cta")     ? SPACE_SHARED
             : parse_text_is(p, word, "shared::cluster") ? SPACE_SHARED_CLUSTER
                                                         : SPACE_GENERIC;
    return *space != SPACE_GENERIC;
}

static bool restriction_word(const struct parser *p, struct span word, enum space *space)
{
    static const char prefix[] = "sync_restrict::";
    struct span rest = {word.offset + sizeof prefix - 1, word.length - (uint32_t)sizeof prefix + 1};
    return word.length > sizeof prefix &&
           strncmp(p->source->text + word.offset, prefix, sizeof prefix - 1) == 0 &&
           space_word(p, rest, space) && *space != SPACE_GLOBAL;
}

/* Takes one word; false when it has no meaning here. */
static bool take(const struct body_decoder *d, struct span word, struct fence_words *seen)
{
    const struct parser *p = d->parser;
    if (!seen->proxy && !seen->sem && !seen->scope && parse_text_is(p, word, "proxy"))
        return seen->proxy = true;
    if (seen->proxy && !seen->proxied)
        return seen->proxied = proxy_word(d, word);
    if (!seen->init && !seen->proxy && parse_text_is(p, word, "mbarrier_init"))
        return seen->init = true;
    if (!seen->sem && sem_word(d, word))
        return seen->sem = true;
    if (!seen->restricted && restriction_word(p, word, &seen->restriction))
        return seen->restricted = true;
    if (seen->proxied && !seen->space && space_word(p, word, &d->inst->space))
        return seen->space = true;
    return !seen->scope && (seen->scope = scope_word(d, word));
}

static bool bad_fence(struct body_decoder *d, const char *why)
{
    parse_error(d->parser, bad_fence, d->from->span, NULL, "%s", why);
    return false;
}

/* Two-way fences act in the thread, have no scope and no semantics; one-way ones have both. */
static const char *two_way_fault(struct body_decoder *d, const struct fence_words *seen)
{
    const struct proxy_row *row = proxy_row(d->inst->proxy);
    if (!row->two_way)
        return arena_printf(d->parser->arena,
                            "the %s proxy has one-way fences only: "
                            "fence.proxy.%s.{release,acquire}.scope",
                            proxy_name(d->inst->proxy), row->one_way_word);
    return seen->scope || seen->restricted ? "a two-way proxy fence has no scope" : NULL;
}

static const char *one_way_fault(const struct fence_words *seen, const struct inst *inst)
{
    if (inst->sem != SEM_RELEASE && inst->sem != SEM_ACQUIRE)
        return "a one-way proxy fence is .release or .acquire";
    if (!proxy_row(inst->proxy)->one_way)
        return "this proxy has no one-way fence";
    return seen->scope ? NULL : "a one-way proxy fence needs a scope";
}

static bool finish_proxy(struct body_decoder *d, const struct fence_words *seen)
{
    struct inst *inst = d->inst;
    const char *fault = !seen->proxied ? "a proxy fence names its proxy"
                        : seen->sem    ? one_way_fault(seen, inst)
                                       : two_way_fault(d, seen);
    if (fault)
        return bad_fence(d, fault);
    inst->fence_kind = !seen->sem                 ? FENCE_PROXY
                       : inst->sem == SEM_RELEASE ? FENCE_PROXY_RELEASE
                                                  : FENCE_PROXY_ACQUIRE;
    if (seen->sem && seen->restricted)
        inst->space = seen->restriction;
    return true;
}

static bool finish_restricted(struct body_decoder *d, const struct fence_words *seen)
{
    struct inst *inst = d->inst;
    if (inst->scope != SCOPE_CLUSTER)
        return bad_fence(d, "this fence exists at .cluster scope only");
    if (seen->init) {
        inst->fence_kind = FENCE_MBARRIER_INIT;
        return inst->sem == SEM_RELEASE || bad_fence(d, "fence.mbarrier_init is .release.cluster");
    }
    inst->fence_kind = inst->sem == SEM_RELEASE ? FENCE_RESTRICT_RELEASE : FENCE_RESTRICT_ACQUIRE;
    enum space wanted = inst->sem == SEM_RELEASE ? SPACE_SHARED : SPACE_SHARED_CLUSTER;
    inst->space = seen->restriction;
    if ((inst->sem != SEM_RELEASE && inst->sem != SEM_ACQUIRE) || inst->space != wanted)
        return bad_fence(d, "write fence.release.sync_restrict::shared::cta.cluster or "
                            "fence.acquire.sync_restrict::shared::cluster.cluster");
    return true;
}

static bool finish_memory(struct body_decoder *d, const struct fence_words *seen)
{
    struct inst *inst = d->inst;
    inst->fence_kind = FENCE_MEMORY;
    if (!seen->scope)
        return bad_fence(
            d, arena_printf(d->parser->arena, "a fence needs a scope: %s", scope_words()));
    if (d->from->membar && (seen->sem || (inst->scope != SCOPE_CTA && inst->scope != SCOPE_GPU &&
                                          inst->scope != SCOPE_SYS)))
        return bad_fence(d, "membar is .cta, .gl or .sys");
    if (!seen->sem)
        inst->sem =
            d->from->membar ? SEM_SC : SEM_ACQ_REL; /* ptx-isa 9.7.13.4: on sm_70 and newer */
    return true;
}

bool decode_fence_words(struct body_decoder *d)
{
    const struct raw_inst *raw = d->from;
    struct fence_words seen = {0};
    for (uint32_t i = 0; i < raw->word_count; i++)
        if (!take(d, raw->words[i], &seen)) {
            const char *word = parse_text(d->parser, raw->words[i]);
            parse_error(d->parser, unknown_modifier, raw->words[i],
                        isa_foreign(arena_printf(d->parser->arena, ".%s", word)),
                        "'.%.40s' has no meaning at this place of a fence", word);
            return false;
        }
    if (raw->operand_count && (d->inst->proxy != PROXY_TENSORMAP || d->inst->sem != SEM_ACQUIRE))
        return bad_fence(d, "only fence.proxy.tensormap::generic.acquire has operands");
    return seen.proxy                     ? finish_proxy(d, &seen)
           : seen.init || seen.restricted ? finish_restricted(d, &seen)
                                          : finish_memory(d, &seen);
}
