#!/bin/sh
# simd-check.sh BYTES [COMPILER [RUNNER]]: the tests of rt/simd.h for registers of so many bytes, in
# every number of lanes, with the flags that they need.  The ordinary tests do what needs no flags;
# this is for AVX2 (32) and AVX-512 (64), or for another machine:
#
#   tests/targets/cpu/simd-check.sh 32 x86_64-linux-gnu-gcc "qemu-x86_64 -cpu max -L /usr/x86_64-linux-gnu"
set -eu
cd "$(dirname "$0")/../.."
bytes=$1 compiler=${2:-gcc} runner=${3:-}
case $bytes in
64) flags="-mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512" ;;
32) flags="-mavx2 -mfma" ;;
*) flags= ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
common="-std=gnu11 -O2 -ffp-contract=off -Wall -Wextra -Wshadow -Isrc -Iinclude -Itests"

# The interpreter's arithmetic must not come from the instructions that are being tested.
for file in src/base/*.c src/ir/*.c tests/check.c; do
  case $file in src/base/embed.c) continue ;; esac
  # shellcheck disable=SC2086
  $compiler $common -c -o "$work/$(echo "$file" | tr / _).o" "$file"
done
for lanes in $((bytes / 4)) $((bytes / 8)) 1; do
  echo '#include "targets/cpu/simd_body.h"' >"$work/test.c"
  # shellcheck disable=SC2086
  $compiler $common $flags -DIK_VECTOR_BYTES="$bytes" -DIK_LANES="$lanes" \
    -o "$work/test" "$work/test.c" "$work"/*.o -lm
  echo "$bytes bytes, $lanes lanes"
  $runner "$work/test"
done
