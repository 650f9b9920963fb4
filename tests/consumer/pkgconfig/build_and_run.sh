#!/bin/sh
# build_and_run.sh COMPILER LIBDIR WORKDIR: compiles consumers with what pkg-config says, and runs them.
set -eu
compiler=$1 libdir=$2 workdir=$3
sources=$(dirname "$0")/..
mkdir -p "$workdir"
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH

consumer() { # PACKAGE SOURCE
    flags=$(pkg-config --cflags --libs "$1 >= 0.1")
    echo "pkg-config $1: $flags"
    # shellcheck disable=SC2086  # the flags are words
    "$compiler" -std=c++20 -O1 "$2" $flags -o "$workdir/$1"
    LD_LIBRARY_PATH=$libdir "$workdir/$1"
}
consumer rng "$sources/main.cpp"
[ ! -f "$libdir/pkgconfig/rng-stats.pc" ] || consumer rng-stats "$sources/stats/main.cpp"
