# SPDX-License-Identifier: MIT
# Stands for nvcc where CUDA's samples are not installed: it finds their headers only in a folder that -I names.
folder=.
while [ $# -gt 0 ]; do
    case $1 in
    -o) output=$2; shift ;;
    -I*) folder=${1#-I} ;;
    -*) ;;
    *) input=$1 ;;
    esac
    shift
done
for name in $(grep -o 'helper_[a-z]*\.h' "$input"); do
    test -f "$folder/$name" && continue
    echo "$input(1): fatal error: $name: No such file or directory" >&2
    exit 1
done
exec cp ../../litmus/programs/host/streams.ptx "$output"
