#!/usr/bin/env bash
# What only a GPU can tell: builds for the GPU of this machine and checks it. Needs nvcc, CMake and a C++ compiler, no network;
# about 5 minutes. Exit code 1 if anything differs; 77 if there is no GPU.
#
#     bash scripts/gpu-check.sh [FOLDER]     the report goes to FOLDER/gpu-check.txt (default: build/gpu)
#
# GoogleTest is found as CMake finds it; where it is not installed, GTEST_SOURCE names a folder with its sources.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

out=${1:-build/gpu}
mkdir -p "$out"
report=$out/gpu-check.txt
: >"$report"
failed=0

say() { printf '%s\n' "$*" | tee -a "$report"; }

# step TITLE COMMAND...: runs it, keeps its last lines, remembers a failure.
step() {
    local title=$1 log status
    shift
    log=$(mktemp)
    SECONDS=0
    "$@" >"$log" 2>&1
    status=$?
    say "== $title: $([ $status -eq 0 ] && echo passed || echo "FAILED ($status)") in $SECONDS s"
    tail -n "${lines:-3}" "$log" | tee -a "$report"
    [ $status -eq 0 ] || { failed=1; tail -n 40 "$log" >>"$report"; }
    rm -f "$log"
    return $status
}

if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L >/dev/null 2>&1; then
    say "gpu-check.sh: this machine has no GPU (nvidia-smi finds none); nothing was checked"
    exit 77
fi
say "$(date -u +%F), commit $(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)"
say "$(nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader | head -n 1)"
say "$(nvcc --version | tail -n 2 | head -n 1)"

architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
options=(-DCMAKE_BUILD_TYPE=Release -DRNG_ENABLE_CUDA=ON "-DRNG_CUDA_ARCHITECTURES=$architecture" -DRNG_BUILD_EXAMPLES=OFF)
if [ -n "${GTEST_SOURCE:-}" ]; then
    step "configure GoogleTest" cmake -S "$GTEST_SOURCE" -B "$out/gtest" -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_INSTALL_PREFIX=$(realpath "$out")/gtest-installed" || exit 1
    step "build GoogleTest" cmake --build "$out/gtest" -j "$(nproc)" --target install || exit 1
    options+=("-DCMAKE_PREFIX_PATH=$(realpath "$out")/gtest-installed")
fi
step "configure" cmake -S . -B "$out/build" "${options[@]}" || exit 1
step "build" cmake --build "$out/build" -j "$(nproc)" --target test_device_fill test_goldens || exit 1

tests=$out/build/tests/test_device_fill
lines=20 step "every golden, distribution and engine on the GPU" "$tests"
step "goldens on every path, the GPU's among them" "$out/build/tests/test_goldens"
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
        step "compute-sanitizer $tool" compute-sanitizer --tool "$tool" --error-exitcode 1 "$tests" \
            --gtest_filter='Gpu.EveryDistributionHasTheBitsOfTheCpu'
    done
else
    say "compute-sanitizer is not installed: memcheck, racecheck and initcheck were not run"
fi
if [ $failed -eq 0 ]; then say "all passed"; else say "SOMETHING FAILED"; fi
exit $failed
