#!/bin/sh
# SPDX-License-Identifier: MIT
# Generated tests in N shards with GNU parallel; run again, it does those that are missing.
#   generated.sh N OUT OPTION OF 'ptxlit generate'…
set -eu
shards=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
seq "$shards" | parallel -q --retries 3 --joblog "$out/joblog" sh "$here/shard.sh" {} "$shards" "$out" "$@"
cat "$out"/*.json | wc -l
