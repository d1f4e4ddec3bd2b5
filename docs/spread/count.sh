#!/bin/sh
# SPDX-License-Identifier: MIT
# What the shards of an enumeration are in all; fails when one is missing.
#   count.sh N OUT
set -eu
shards=$1 out=$2
for shard in $(seq "$shards"); do
    [ -f "$out/$shard.out" ] || { echo "shard $shard of $shards is missing" >&2 && exit 1; }
done
seq -f "$out/%.0f.out" "$shards" | xargs cat | awk '
    /^(PTX|C\+\+) / { tests++ }                     # generate
    /^\{"/ { lines++ }                              # check, compare-models
    /^Mapping .* \([0-9]+ programs of / {           # map
        match($0, /\([0-9]+ programs of [0-9]+/)
        split(substr($0, RSTART + 1, RLENGTH), number, " ")
        name = $2 " against " $5
        sub(/[:,]$/, "", name)
        programs[name] += number[1]; shapes[name] += number[4]; found[name] += !/none up to/
    }
    END {
        if (tests) print tests " tests"
        if (lines) print lines " lines"
        for (name in programs)
            print name, programs[name] " programs of " shapes[name] " shapes, counterexamples in " found[name] " shards"
    }' | sort
seq -f "$out/%.0f.err" "$shards" | xargs cat | awk '
    / tests tell / { found += $1; all += $3; open += $(NF - 2) }
    END { if (all) print found " of " all " tests tell the models apart; " open " are undecided" }'
