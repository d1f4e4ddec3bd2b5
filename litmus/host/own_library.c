/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/host/file.h"

/* What of the library of C++ is written in C++: its text joins the program's when a name of it is used. */

static const unsigned char text[] = {
#include "litmus/standard.hpp.inc"
};

static bool is_defined(const char *word)
{
    static const char *const words[] = {"once_flag",
                                        "call_once",
                                        "latch",
                                        "barrier",
                                        "binary_semaphore",
                                        "promise",
                                        "unique_ptr",
                                        "make_unique",
                                        "shared_ptr",
                                        "make_shared",
                                        "default_delete",
                                        "pair",
                                        "make_pair",
                                        "tuple",
                                        "make_tuple",
                                        "get",
                                        "optional",
                                        "queue",
                                        "map",
                                        "unordered_map",
                                        "set",
                                        "unordered_set",
                                        "begin",
                                        "end",
                                        "size",
                                        "copy",
                                        "copy_n",
                                        "equal",
                                        "find",
                                        "find_if",
                                        "count",
                                        "count_if",
                                        "remove",
                                        "remove_if",
                                        "any_of",
                                        "none_of",
                                        "all_of",
                                        "reverse",
                                        "sort",
                                        "min_element",
                                        "numeric_limits",
                                        "for_each",
                                        "transform",
                                        "generate",
                                        "accumulate",
                                        "bind",
                                        "abs",
                                        "clamp",
                                        "exchange",
                                        "max_element",
                                        "pthread_create",
                                        "pthread_join",
                                        "pthread_mutex_t",
                                        "pthread_mutex_init",
                                        "pthread_mutex_destroy",
                                        "pthread_mutex_lock",
                                        "pthread_mutex_unlock",
                                        "pthread_cond_t",
                                        "pthread_cond_init",
                                        "pthread_cond_destroy",
                                        "pthread_cond_signal",
                                        "pthread_cond_broadcast",
                                        "pthread_cond_wait",
                                        "_ConvertSMVer2Cores",
                                        "gpuGetMaxGflopsDeviceId",
                                        "gpuDeviceInit"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

bool eval_read_library(struct eval *e, const char *word)
{
    if (e->library_to || !is_defined(word))
        return false;
    uint32_t globals = e->globals.len;
    e->library_from =
        host_add_text(e->p, "the library of C++", (const char *)text, sizeof text - 1);
    if (e->library_from == NONE)
        return false;
    e->library_to = e->p->source->length;
    host_read_part(e, e->library_from, e->library_to);
    e->globals.len = globals;
    return true;
}
