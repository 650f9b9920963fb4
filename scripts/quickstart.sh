#!/usr/bin/env bash
# Builds a release, checks that this machine makes the right bits, and shows what they look like.
#
#     bash scripts/quickstart.sh
#
# It needs a C++ compiler, CMake, Ninja and CLI11; on Debian it installs what is missing (with root or sudo), or prints the line to
# run. Everything it makes is in build/release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/deps.sh

# shellcheck disable=SC2086  # the lists are words
need_packages $PACKAGES_BUILD

build=build/release
log=$build/quickstart.log
mkdir -p "$build"
[ -f "$build/CMakeCache.txt" ] || ! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja

echo "Building a release in $build (some minutes the first time: three to ten on two cores) ..."
if ! { cmake --preset release && cmake --build "$build" -j "$(nproc)" --target rng_program example_quickstart; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "The build failed; all of it is in $log" >&2
    exit 1
fi

echo
echo "\$ $build/bin/rng verify"
if ! "$build/bin/rng" verify >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
tail -n 1 "$log"  # the table above it is for a difference
echo
echo "\$ $build/examples/quickstart"
"$build/examples/quickstart"
