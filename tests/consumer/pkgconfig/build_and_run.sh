#!/bin/sh
# build_and_run.sh COMPILER LIBDIR WORKDIR: compiles the consumer with what pkg-config says, and runs it.
set -eu
compiler=$1 libdir=$2 workdir=$3
source=$(dirname "$0")/../main.cpp
mkdir -p "$workdir"
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs 'rng >= 0.1')
echo "pkg-config: $flags"
# shellcheck disable=SC2086  # the flags are words
"$compiler" -std=c++20 -O1 "$source" $flags -o "$workdir/consumer"
LD_LIBRARY_PATH=$libdir "$workdir/consumer"
