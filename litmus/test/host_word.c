/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_word.h"

const struct host_method host_methods[HOST_METHODS] = {
    {".load", OP_LD, ATOM_NONE},       {".store", OP_ST, ATOM_NONE},
    {".exchange", OP_ATOM, ATOM_EXCH}, {".fetch_add", OP_ATOM, ATOM_ADD},
    {".fetch_and", OP_ATOM, ATOM_AND}, {".fetch_or", OP_ATOM, ATOM_OR},
    {".fetch_xor", OP_ATOM, ATOM_XOR}, {".fetch_min", OP_ATOM, ATOM_MIN},
    {".fetch_max", OP_ATOM, ATOM_MAX}, {".compare_exchange", OP_ATOM, ATOM_CAS}};

const struct host_memory_order host_memory_orders[HOST_ORDERS] = {{"relaxed", SEM_RELAXED},
                                                                  {"acquire", SEM_ACQUIRE},
                                                                  {"release", SEM_RELEASE},
                                                                  {"acq_rel", SEM_ACQ_REL},
                                                                  {"seq_cst", SEM_SC}};

const struct host_mark host_marks[HOST_MARKS] = {
    {"+", OP_ADD}, {"-", OP_SUB}, {"*", OP_MUL}, {"&", OP_AND},  {"|", OP_OR},
    {"^", OP_XOR}, {"/", OP_DIV}, {"%", OP_REM}, {"<<", OP_SHL}, {">>", OP_SHR}};
