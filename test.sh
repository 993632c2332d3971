#!/usr/bin/env bash
# test.sh: installs what the tests need, builds, and runs everything that CI runs.
set -eu
if [ $# -gt 0 ]; then
  sed -n '2,/^set/s/^# //p' "$0"
  echo "It takes no arguments."
  [ "$1" = --help ] || [ "$1" = -h ]
  exit
fi
cd "$(dirname "$0")"
scripts/install-missing "to build and test ikat" gcc=gcc make=make /usr/include/stdio.h=libc6-dev \
  clang=clang clang-format=clang-format clang-tidy=clang-tidy '/usr/lib/*/libhdf5*.so*=libhdf5-103-1' \
  '/usr/lib/*/libfftw3.so.3=libfftw3-double3' '/usr/lib/*/libfftw3f.so.3=libfftw3-single3' \
  '/usr/lib/*/libhwloc.so.15=libhwloc15' valgrind=valgrind
exec scripts/test
