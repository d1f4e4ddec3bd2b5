#!/bin/sh
# SPDX-License-Identifier: MIT
# An enumeration in N shards with GNU parallel, and what they are in all; run again, it does those that are missing.
#   generated.sh N OUT COMMAND OPTION…    COMMAND and OPTION as for shard.sh
set -eu
shards=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
seq "$shards" | parallel -q --retries 3 --joblog "$out/joblog" sh "$here/shard.sh" {} "$shards" "$out" "$@"
exec sh "$here/count.sh" "$shards" "$out"
