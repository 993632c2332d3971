#!/usr/bin/env bash
# demo.sh: builds ikat and runs a first program.  Needs a C compiler and make, and installs them
# where they are missing; so it does with FFTW and hwloc, which ikat can do without.
set -eu
if [ $# -gt 0 ]; then
  sed -n '2,/^set/s/^# //p' "$0"
  echo "It takes no arguments."
  [ "$1" = --help ] || [ "$1" = -h ]
  exit
fi
cd "$(dirname "$0")"
scripts/install-missing "to build ikat" gcc=gcc make=make /usr/include/stdio.h=libc6-dev
scripts/install-missing "which the engine uses" '/usr/lib/*/libfftw3.so.3=libfftw3-double3' \
  '/usr/lib/*/libfftw3f.so.3=libfftw3-single3' '/usr/lib/*/libhwloc.so.15=libhwloc15' ||
  echo "going on without"
echo "building ikat"
make WERROR= >/dev/null
mkdir -p out
cd out # where the program's receivers are written, too
../build/ikat run ../examples/wave2d.ik --picture wave2d.png --report report
echo
echo "picture  $PWD/wave2d.png"
echo "report   $PWD/report/report.html"
