#!/usr/bin/env bash
# demo.sh: builds ikat and runs a first program.  Needs a C compiler and make, and installs them
# where they are missing.
set -eu
cd "$(dirname "$0")"
scripts/install-missing "to build ikat" gcc=gcc make=make /usr/include/stdio.h=libc6-dev
echo "building ikat"
make WERROR= >/dev/null
mkdir -p out
cd out # where the program's receivers are written, too
../build/ikat run ../examples/wave2d.ik --picture wave2d.png --report report
echo
echo "picture  $PWD/wave2d.png"
echo "report   $PWD/report/report.html"
