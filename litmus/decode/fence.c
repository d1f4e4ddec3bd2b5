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

static const struct {
    const char *word;
    enum proxy proxy;
} one_way[] = {{"tensormap::generic", PROXY_TENSORMAP}, {"async::generic", PROXY_ASYNC}};

static bool proxy_word(const struct parser *parser, struct span word, struct inst *inst)
{
    for (size_t i = 0; i < sizeof one_way / sizeof *one_way; i++)
        if (span_is(parser, word, one_way[i].word)) {
            inst->proxy = one_way[i].proxy;
            return true;
        }
    for (int proxy = PROXY_GENERIC; proxy <= PROXY_ALIAS; proxy++)
        if (span_is(parser, word, proxy_name((enum proxy)proxy))) {
            inst->proxy = (enum proxy)proxy;
            return true;
        }
    return false;
}

static bool sem_word(const struct parser *parser, struct span word, struct inst *inst)
{
    for (int sem = SEM_ACQUIRE; sem <= SEM_SC; sem++)
        if (span_is(parser, word, sem_name((enum sem)sem))) {
            inst->sem = (enum sem)sem;
            return true;
        }
    return false;
}

static bool scope_word(const struct parser *parser, struct span word, bool membar,
                       struct inst *inst)
{
    for (int scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
        if (span_is(parser, word, scope_name((enum scope)scope)) ||
            (membar && scope == SCOPE_GPU && span_is(parser, word, "gl"))) {
            inst->scope = (enum scope)scope;
            return true;
        }
    return false;
}

static bool space_word(const struct parser *parser, struct span word, enum space *space)
{
    *space = span_is(parser, word, "global")            ? SPACE_GLOBAL
             : span_is(parser, word, "shared::cta")     ? SPACE_SHARED
             : span_is(parser, word, "shared::cluster") ? SPACE_SHARED_CLUSTER
                                                        : SPACE_GENERIC;
    return *space != SPACE_GENERIC;
}

static bool restriction_word(const struct parser *parser, struct span word, enum space *space)
{
    static const char prefix[] = "sync_restrict::";
    struct span rest = {word.offset + sizeof prefix - 1, word.length - (uint32_t)sizeof prefix + 1};
    return word.length > sizeof prefix &&
           strncmp(parser->source->text + word.offset, prefix, sizeof prefix - 1) == 0 &&
           space_word(parser, rest, space) && *space != SPACE_GLOBAL;
}

/* Takes one word; false when it has no meaning here. */
static bool take(const struct parser *parser, struct span word, const struct raw_inst *raw,
                 struct fence_words *seen, struct inst *inst)
{
    if (!seen->proxy && !seen->sem && !seen->scope && span_is(parser, word, "proxy"))
        return seen->proxy = true;
    if (seen->proxy && !seen->proxied)
        return seen->proxied = proxy_word(parser, word, inst);
    if (!seen->init && !seen->proxy && span_is(parser, word, "mbarrier_init"))
        return seen->init = true;
    if (!seen->sem && sem_word(parser, word, inst))
        return seen->sem = true;
    if (!seen->restricted && restriction_word(parser, word, &seen->restriction))
        return seen->restricted = true;
    if (seen->proxied && !seen->space && space_word(parser, word, &inst->space))
        return seen->space = true;
    return !seen->scope && (seen->scope = scope_word(parser, word, raw->membar, inst));
}

static bool bad_fence(struct decoder *decoder, const struct raw_inst *raw, const char *why)
{
    parse_error(decoder->parser, bad_fence, raw->span, NULL, "%s", why);
    return false;
}

/* Two-way fences act in the thread, have no scope and no semantics; one-way ones have both. */
static bool finish_proxy(struct decoder *decoder, const struct raw_inst *raw,
                         const struct fence_words *seen, struct inst *inst)
{
    if (!seen->proxied)
        return bad_fence(decoder, raw, "a proxy fence names its proxy");
    bool tensormap = inst->proxy == PROXY_TENSORMAP;
    if (!seen->sem) {
        inst->fence_kind = FENCE_PROXY;
        if (tensormap)
            return bad_fence(decoder, raw,
                             "the tensormap proxy has one-way fences only: "
                             "fence.proxy.tensormap::generic.{release,acquire}.scope");
        if (seen->scope || seen->restricted)
            return bad_fence(decoder, raw, "a two-way proxy fence has no scope");
        return true;
    }
    if (inst->sem != SEM_RELEASE && inst->sem != SEM_ACQUIRE)
        return bad_fence(decoder, raw, "a one-way proxy fence is .release or .acquire");
    if (!tensormap && inst->proxy != PROXY_ASYNC && inst->proxy != PROXY_ALIAS)
        return bad_fence(decoder, raw, "this proxy has no one-way fence");
    if (!seen->scope)
        return bad_fence(decoder, raw, "a one-way proxy fence needs a scope");
    inst->fence_kind = inst->sem == SEM_RELEASE ? FENCE_PROXY_RELEASE : FENCE_PROXY_ACQUIRE;
    if (seen->restricted)
        inst->space = seen->restriction;
    return true;
}

static bool finish_restricted(struct decoder *decoder, const struct raw_inst *raw,
                              const struct fence_words *seen, struct inst *inst)
{
    if (inst->scope != SCOPE_CLUSTER)
        return bad_fence(decoder, raw, "this fence exists at .cluster scope only");
    if (seen->init) {
        inst->fence_kind = FENCE_MBARRIER_INIT;
        return inst->sem == SEM_RELEASE ||
               bad_fence(decoder, raw, "fence.mbarrier_init is .release.cluster");
    }
    inst->fence_kind = inst->sem == SEM_RELEASE ? FENCE_RESTRICT_RELEASE : FENCE_RESTRICT_ACQUIRE;
    enum space wanted = inst->sem == SEM_RELEASE ? SPACE_SHARED : SPACE_SHARED_CLUSTER;
    inst->space = seen->restriction;
    if ((inst->sem != SEM_RELEASE && inst->sem != SEM_ACQUIRE) || inst->space != wanted)
        return bad_fence(decoder, raw,
                         "write fence.release.sync_restrict::shared::cta.cluster or "
                         "fence.acquire.sync_restrict::shared::cluster.cluster");
    return true;
}

static bool finish_memory(struct decoder *decoder, const struct raw_inst *raw,
                          const struct fence_words *seen, struct inst *inst)
{
    inst->fence_kind = FENCE_MEMORY;
    if (!seen->scope)
        return bad_fence(decoder, raw, "a fence needs a scope: .cta, .cluster, .gpu or .sys");
    if (raw->membar && (seen->sem || inst->scope == SCOPE_CLUSTER))
        return bad_fence(decoder, raw, "membar is .cta, .gl or .sys");
    if (!seen->sem)
        inst->sem = raw->membar ? SEM_SC : SEM_ACQ_REL; /* ptx-isa 9.7.13.4: on sm_70 and newer */
    return true;
}

bool decode_fence_words(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst)
{
    struct fence_words seen = {0};
    for (uint32_t i = 0; i < raw->word_count; i++)
        if (!take(decoder->parser, raw->words[i], raw, &seen, inst)) {
            parse_error(decoder->parser, unknown_modifier, raw->words[i], NULL,
                        "'.%.40s' has no meaning at this place of a fence",
                        span_text(decoder->parser, raw->words[i]));
            return false;
        }
    if (raw->operand_count && (inst->proxy != PROXY_TENSORMAP || inst->sem != SEM_ACQUIRE))
        return bad_fence(decoder, raw, "only fence.proxy.tensormap::generic.acquire has operands");
    if (seen.proxy)
        return finish_proxy(decoder, raw, &seen, inst);
    if (seen.init || seen.restricted)
        return finish_restricted(decoder, raw, &seen, inst);
    return finish_memory(decoder, raw, &seen, inst);
}
