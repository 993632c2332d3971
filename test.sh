#!/usr/bin/env bash
# test.sh [--full]: installs what the tests need, builds, and tests.
#
#   ./test.sh          something of every kind, some minutes on two cores; other seeds every day, which
#                      it prints: IKAT_SEED=N ./test.sh repeats a run
#   ./test.sh --full   everything, as CI runs it
set -eu
cd "$(dirname "$0")"
case "$*" in
'' | --full) ;;
-h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' test.sh && exit ;;
*) echo "test.sh: no option '$*'; see ./test.sh --help" >&2 && exit 2 ;;
esac
scripts/install-missing "to build and test ikat" gcc=gcc make=make /usr/include/stdio.h=libc6-dev \
  clang=clang clang-format=clang-format clang-tidy=clang-tidy '/usr/lib/*/libhdf5*.so*=libhdf5-103-1' \
  '/usr/lib/*/libfftw3.so.3=libfftw3-double3' '/usr/lib/*/libfftw3f.so.3=libfftw3-single3' \
  '/usr/lib/*/libhwloc.so.15=libhwloc15' valgrind=valgrind
exec scripts/test "$@"
