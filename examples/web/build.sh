#!/usr/bin/env bash
# Compiles rng.wasm, and puts it with the page into a folder that any web server can serve.
#
#     bash examples/web/build.sh [FOLDER]          default: build/web
#     python3 -m http.server -d build/web          then open http://localhost:8000
#
# On Debian: apt install clang-19 lld-19 libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc. CXX chooses another clang++.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/../../build/web}
mkdir -p "$folder"
"${CXX:-clang++-19}" --target=wasm32-wasi -std=c++20 -Os -fno-exceptions -fvisibility=hidden -mexec-model=reactor -Wall -Wextra -Werror \
    -I"$here/../../include" "$here/rng.cpp" -o "$folder/rng.wasm" -Wl,--strip-all,--export-dynamic
cp "$here/index.html" "$here/rng.mjs" "$folder/"
