#!/usr/bin/env bash
# What only a GPU can tell: builds for the GPU of this machine and checks it. Needs nvcc, CMake and a C++ compiler, no network;
# under 8 minutes. Exit code 1 if anything differs or fails; 77 if there is no GPU.
#
#     bash scripts/gpu-check.sh [FOLDER]     the report goes to FOLDER/gpu-check.txt (default: build/gpu)
#
# GoogleTest and Google Benchmark are found as CMake finds them; where they are not installed, carry them: CMAKE_PREFIX_PATH names a folder
# with their packages, GTEST_SOURCE one with GoogleTest's sources. torch and CuPy are measured where python3 can import them.
# RNG_SKIP_BENCHMARKS=1 leaves the benchmarks out.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. scripts/deps.sh

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
options=(-DCMAKE_BUILD_TYPE=Release -DRNG_ENABLE_CUDA=ON "-DRNG_CUDA_ARCHITECTURES=$architecture")
if [ -n "${GTEST_SOURCE:-}" ]; then
    step "configure GoogleTest" cmake -S "$GTEST_SOURCE" -B "$out/gtest" -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_INSTALL_PREFIX=$(realpath "$out")/gtest-installed" || exit 1
    step "build GoogleTest" cmake --build "$out/gtest" -j "$(cores)" --target install || exit 1
    options+=("-DCMAKE_PREFIX_PATH=$(realpath "$out")/gtest-installed;${CMAKE_PREFIX_PATH:-}")
fi
step "configure" cmake -S . -B "$out/build" "${options[@]}" || exit 1
targets=(test_device_fill device_launch test_gpu test_device_svd test_gpu_svd test_goldens example_cuda_monte_carlo example_cuda_dropout example_cuda_graph example_cuda_own_distribution rng_rng)
step "build" cmake --build "$out/build" -j "$(cores)" --target "${targets[@]}" || exit 1

# On a GPU nothing may be skipped.
# shellcheck disable=SC2317  # step calls it
without_skips() {
    "$@" | tee "$out/last.log" && ! grep -qE 'SKIPPED|not run' "$out/last.log"
}

tests=$out/build/tests
lines=20 step "every golden, distribution and engine on the GPU" without_skips "$tests/test_device_fill"
lines=20 step "streams, alignments, parts, graphs, refused memory" without_skips "$tests/test_gpu"
lines=20 step "distributions that the library does not know" without_skips "$tests/device_launch" gpu
lines=20 step "svd_lowrank: every type and option against the CPU" without_skips "$tests/test_device_svd"
lines=20 step "svd_lowrank: strides, streams, long sums, engines, refused memory" without_skips "$tests/test_gpu_svd"
step "goldens on every path, the GPU's among them" "$tests/test_goldens"
for example in cuda_monte_carlo cuda_dropout cuda_graph cuda_own_distribution; do
    step "example $example" without_skips "$out/build/examples/$example"
    # As a user with other flags builds it: the same bits.
    step "example $example, compiled with --use_fast_math" nvcc -std=c++20 -O3 --use_fast_math "-arch=sm_$architecture" -Iinclude \
        "examples/$example.cu" "$out/build/src/librng.a" -o "$out/$example-fast" &&
        step "example $example with --use_fast_math" without_skips "$out/$example-fast"
done

if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck synccheck; do
        step "compute-sanitizer $tool, every distribution" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$tests/test_device_fill" --gtest_filter='Gpu.EveryDistributionHasTheBitsOfTheCpu'
        step "compute-sanitizer $tool, svd_lowrank" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$tests/test_gpu_svd" --gtest_filter='GpuSvd.StridesAndStreams:GpuSvd.EveryEngine'
    done
    step "compute-sanitizer memcheck, graphs" compute-sanitizer --tool memcheck --error-exitcode 1 "$tests/test_gpu"
else
    say "compute-sanitizer is not installed: memcheck, racecheck, initcheck and synccheck were not run"
fi

if command -v cuobjdump >/dev/null; then
    # The SASS decoder of benchmarks/gpu_kernels.py against NVIDIA's own disassembler, and no approximate instruction in it but the
    # seeds of correctly rounded square roots and quotients (tests/parity/sass_lint.py counts those).
    lines=12 step "cuobjdump: instructions of all kernels" bash -c "cuobjdump --dump-sass '$out/build/src/librng.a' |
        grep -oE '^ +/\*[0-9a-f]+\*/ +(@!?U?P[0-9T]+ )?[A-Z0-9_.]+' | grep -oE '[A-Z][A-Z0-9_.]+$' | sort | uniq -c | sort -rn | head -n 12"
fi
say "registers, stack and spills, and instructions for 16 bytes (no GPU needed; docs/cuda.md has the table):"
lines=60 step "kernels in numbers" python3 benchmarks/gpu_kernels.py --nvcc "$(command -v nvcc)" --architectures "$architecture"

# Google Benchmark may be missing; nothing above needs it.
if [ -n "${RNG_SKIP_BENCHMARKS:-}" ]; then
    say "benchmarks were skipped"
elif step "configure benchmarks" cmake -S . -B "$out/build" "${options[@]}" -DRNG_BUILD_BENCHMARKS=ON &&
    step "build benchmarks" cmake --build "$out/build" -j "$(cores)" --target rng_bench_gpu; then
    lines=60 step "benchmarks: 1 GiB" python3 benchmarks/gpu.py "$out/build/benchmarks/rng_bench_gpu" --rounds 5 -o "$out/benchmarks.json"
    lines=60 step "benchmarks: svd_lowrank" python3 benchmarks/gpu.py "$out/build/benchmarks/rng_bench_gpu" --svd --rounds 3
    lines=60 step "benchmarks: 64 KiB and 64 MiB" python3 benchmarks/gpu.py "$out/build/benchmarks/rng_bench_gpu" --rounds 3 --kib 64 65536
fi
if [ $failed -eq 0 ]; then say "all passed"; else say "SOMETHING FAILED"; fi
exit $failed
