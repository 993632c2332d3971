#!/usr/bin/env bash
# demo.sh: builds ikat and runs a first program.  Needs a C compiler and make, and installs them
# where they are missing.
set -eu
cd "$(dirname "$0")"
scripts/install-missing "to build ikat" gcc=gcc make=make /usr/include/stdio.h=libc6-dev
echo "building ikat"
make WERROR= >/dev/null
mkdir -p out
build/ikat run examples/wave2d.ik --picture out/wave2d.png --report out/report
echo
echo "picture  $PWD/out/wave2d.png"
echo "report   $PWD/out/report/report.html"
