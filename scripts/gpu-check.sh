#!/usr/bin/env bash
# What only a GPU can tell, in parts. Each part takes less than 8 minutes on the machine with the GPU, and needs no network.
#
#     bash scripts/gpu-check.sh build       makes the programs that the other parts run; needs nvcc, CMake and g++, and no GPU
#     bash scripts/gpu-check.sh check       tests, goldens, examples
#     bash scripts/gpu-check.sh bench       speed beside cudaMemset, cuRAND, torch and CuPy (each where it is installed)
#     bash scripts/gpu-check.sh sanitize    the tests under compute-sanitizer
#
# Exit code 1 if anything differs, fails or hangs; 77 if there is no GPU. Environment:
#
#     RNG_GPU_BUILD     default build/gpu. Its folder bin has the programs. The last three parts build if bin/commit is not
#                       the commit at hand, so that bin, or bin.tar.zst or bin.tar.gz in its place, can be made elsewhere and
#                       carried
#     RNG_GPU_REPORT    default build/gpu-report: gpu-PART.txt, written after every step, and the benchmarks' JSON
#     RNG_COMMIT        the commit, for a tree without .git
#     RNG_CUDA_ARCHITECTURES   what `build` compiles for where there is no GPU; default 90
#     GTEST_SOURCE      a folder with GoogleTest's sources, if GoogleTest is not installed; default third_party/googletest
#     RNG_DRY_RUN=1     goes through a part without a GPU. What needs one is skipped, and the report says so
#     RNG_GPU_TOOLS     which tools of compute-sanitizer run, so that several can run side by side; default: all four
#     RNG_GPU_SECONDS, RNG_GPU_STEP_SECONDS   the most seconds for a part (470) and for a step (no limit of its own)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. scripts/deps.sh

part=${1:-}
case $part in
    build | check | bench | sanitize) ;;
    *)
        sed -n '2,/^set/ { /^#/ s/^# \{0,1\}//p }' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
build=${RNG_GPU_BUILD:-build/gpu}
folder=${RNG_GPU_REPORT:-build/gpu-report}
bin=$build/bin
dry=${RNG_DRY_RUN:-}
seconds=${RNG_GPU_SECONDS:-470}
[ "$part" != build ] || seconds=${RNG_GPU_SECONDS:-86400}
mkdir -p "$bin" "$folder"
report=$folder/gpu-$part.txt
log=$folder/last.log
: >"$report"
failed=0

say() { printf '%s\n' "$*" | tee -a "$report"; }

# step LIMIT TITLE COMMAND...: runs a command for at most LIMIT seconds and reports it, with its last lines. A skip is a failure if it says
# that there is no GPU. If $refused matches the command's output, the machine does not allow the command: not run.
step() {
    local limit=$1 title=$2 left=$((seconds - SECONDS)) start=$SECONDS status verdict=passed
    shift 2
    if [ "$left" -lt 1 ]; then
        say "== $title: NOT RUN, the part has no time left"
        failed=1
        return 1
    fi
    limit=$(printf '%s\n' "$limit" "$left" "${RNG_GPU_STEP_SECONDS:-$limit}" | sort -n | head -n 1)
    timeout -k 5 "$limit" "$@" >"$log" 2>&1 </dev/null
    status=$?
    if [ $status -ne 0 ] && [ -n "${refused:-}" ] && grep -qE "$refused" "$log"; then
        verdict="not run, this machine refuses it"
    elif [ $status -eq 124 ] || [ $status -eq 137 ]; then
        verdict="TIMED OUT"
    elif [[ $status = @(0|77) ]] && grep -q 'no GPU on this machine' "$log"; then
        verdict="SKIPPED, there is no GPU"
        [ -z "$dry" ] || { verdict="skipped (dry run)" status=0; }
    elif [ $status -ne 0 ]; then
        verdict="FAILED ($status)"
    fi
    say "== $title: $verdict in $((SECONDS - start)) s"
    grep -A 1 -h 'Skipped$' "$log" | grep -vE 'Skipped$|^--$' | sort | uniq -c | sed 's/^/   skipped:/' | tee -a "$report"
    tail -n "${lines:-3}" "$log" | tee -a "$report"
    case $verdict in
        passed | "skipped (dry run)" | "not run"*) return $status ;;
    esac
    tail -n 40 "$log" >>"$report"
    failed=1
    return 1
}

smi() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

if [ "$part" != build ] && [ -z "$dry" ] && ! has_gpu; then
    say "gpu-check.sh: this machine has no GPU (nvidia-smi finds none); nothing was checked"
    exit 77
fi
[ -z "$dry" ] || say "DRY RUN: nothing in this report has run on a GPU"
[ -e "$bin/commit" ] || [ ! -e "$bin.tar.gz" ] || tar -C "$build" -xzf "$bin.tar.gz"
[ -e "$bin/commit" ] || [ ! -e "$bin.tar.zst" ] || zstd -q -d --long=30 -c "$bin.tar.zst" | tar -C "$build" -x
commit=${RNG_COMMIT:-$(git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null)}
commit=${commit:-$(cat "$bin/commit" 2>/dev/null || echo unknown)}
say "$(date -u +'%F %T'), $part, commit $commit"
[ -n "$dry" ] || ! has_gpu || say "$(smi name,driver_version,compute_cap,memory.total)"

tests=(test_device_fill test_gpu test_gpu_roots test_interop_thrust_cuda device_launch test_device_svd test_gpu_svd test_gpu_ranks test_gpu_reduce test_goldens)
examples=(cuda_monte_carlo cuda_dropout cuda_graph cuda_multi_gpu cuda_own_distribution)

programs() {
    local nvcc architectures=${RNG_CUDA_ARCHITECTURES:-90} source=${GTEST_SOURCE:-third_party/googletest} options example program
    # shellcheck disable=SC2086  # the names are words
    [ "$part" != build ] || want_packages $PACKAGES_QUICKSTART nlohmann-json3-dev
    ! has_gpu || architectures=$(smi compute_cap | tr -d '. ')
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    options=(-DCMAKE_BUILD_TYPE=Release -DRNG_ENABLE_CUDA=ON "-DRNG_CUDA_ARCHITECTURES=$architectures" -DRNG_BUILD_BENCHMARKS=ON
        -DRNG_BUILD_STATS=OFF -DRNG_BUILD_APPS=OFF)
    if [ -n "${GTEST_SOURCE:-}" ] || [ -d "$source" ]; then
        step 60 "configure GoogleTest" cmake -S "$source" -B "$build/gtest" -DCMAKE_BUILD_TYPE=Release -DBUILD_GMOCK=OFF \
            "-DCMAKE_INSTALL_PREFIX=$(realpath "$build")/gtest-installed" &&
            step 200 "build GoogleTest" cmake --build "$build/gtest" -j "$(cores)" --target install || return 1
        options+=("-DCMAKE_PREFIX_PATH=$(realpath "$build")/gtest-installed;${CMAKE_PREFIX_PATH:-}")
    fi
    step 120 "configure" cmake -S . -B "$build/cmake" "${options[@]}" || return 1
    step 86400 "build for compute capability $architectures" cmake --build "$build/cmake" -j "$(cores)" \
        --target rng_rng rng_bench_gpu "${tests[@]}" "${examples[@]/#/example_}" || return 1
    # As a user with other flags builds them: the same bits.
    for example in "${examples[@]}"; do
        step 200 "compile $example with --use_fast_math" "$nvcc" -std=c++20 -O3 --use_fast_math "-arch=sm_${architectures##*;}" -Iinclude \
            "examples/$example.cu" "$build/cmake/src/librng.a" -o "$bin/$example-fast" || return 1
    done
    cp "${tests[@]/#/$build/cmake/tests/}" "${examples[@]/#/$build/cmake/examples/}" "$build/cmake/benchmarks/rng_bench_gpu" "$bin/" || return 1
    for program in "$bin"/*; do [ ! -x "$program" ] || strip "$program" 2>/dev/null; done
    printf '%s\n' "$commit" >"$bin/commit"
}

check() {
    local example
    lines=8
    step 120 "every golden, distribution and engine on the GPU" "$bin/test_device_fill"
    step 150 "streams, alignments, parts, graphs, first use in a capture, more than 2^32 values, refused memory" "$bin/test_gpu"
    lines=4 step 30 "square roots of maps" "$bin/test_gpu_roots"
    step 40 "distributions that the library does not know" "$bin/device_launch" gpu
    step 40 "Thrust's algorithms" "$bin/test_interop_thrust_cuda"
    for example in "${examples[@]}"; do
        lines=2 step 40 "example $example" "$bin/$example"
        lines=2 step 40 "example $example with --use_fast_math" "$bin/$example-fast"
    done
    step 150 "svd_lowrank: every type and option against the CPU" "$bin/test_device_svd"
    step 150 "svd_lowrank: strides, streams, long sums, engines, refused memory" "$bin/test_gpu_svd"
    step 100 "svd_lowrank over ranks that are GPUs and CPUs" "$bin/test_gpu_ranks"
    step 100 "sums and additions by index: every type, axes, segments, graphs, against the CPU" "$bin/test_gpu_reduce"
    step 90 "goldens on every path, the GPU's among them" "$bin/test_goldens" --gtest_filter='*TheQuickOnes'
}

bench() {
    local python=python3
    [ -z "$dry" ] || set -- --rounds 1
    lines=100
    step 60 "rates of instructions; at() and Cursor in kernels beside cuRAND's device API" "$python" benchmarks/gpu.py \
        "$bin/rng_bench_gpu" --device --rounds 5 -o "$folder/device.json" "$@"
    # Fills and peers need four times the memory of the greatest fill.
    local sizes=(1 64 1024 65536 1048576) memory
    memory=$(smi memory.total | tr -dc 0-9)
    [ "${memory:-0}" -lt 40000 ] || sizes+=(8388608)
    step 200 "fills of 1 KiB to 8 GiB, interleaved" "$python" benchmarks/gpu.py "$bin/rng_bench_gpu" --kib "${sizes[@]}" \
        --rounds 7 -o "$folder/fills.json" "$@"
    # They read what kernels have found, so CUDA cannot be played for them.
    [ -n "$dry" ] || step 60 "sums and additions by index" "$python" benchmarks/gpu.py "$bin/rng_bench_gpu" --reduce --rounds 5 -o "$folder/reduce.json" "$@"
    step 60 "svd_lowrank" "$python" benchmarks/gpu.py "$bin/rng_bench_gpu" --svd --rounds 5 -o "$folder/svd.json" "$@"
    lines=3
    if command -v ncu >/dev/null; then
        local refused='ERR_NVGPUCTRPERM|not supported|No kernels were profiled' sections=(SpeedOfLight ComputeWorkloadAnalysis WarpStateStats Occupancy LaunchStats)
        step 90 "what limits the fills (ncu)" ncu --target-processes all --clock-control none --kernel-name regex:fill_kernel \
            "${sections[@]/#/--section=}" --log-file "$folder/ncu-fills.txt" \
            "$python" benchmarks/gpu.py "$bin/rng_bench_gpu" --alone --kib 262144 --rounds 1 --calls 1
        # An SVD has hundreds of launches: their times alone.
        step 60 "the kernels of svd_lowrank (ncu)" ncu --target-processes all --clock-control none --metrics gpu__time_duration.sum --csv \
            --log-file "$folder/ncu-svd.csv" "$python" benchmarks/gpu.py "$bin/rng_bench_gpu" --svd --alone --only 20000x2000q16_f32 --rounds 1 --calls 1
    else
        say "== what limits fills and svd_lowrank: not run, ncu is not installed"
    fi
}

sanitize() {
    local tool
    if ! command -v compute-sanitizer >/dev/null; then
        say "== memcheck, racecheck, initcheck, synccheck: not run, compute-sanitizer is not installed"
        return
    fi
    local refused='Device not supported|not supported on (this|the current) (device|system)|Unable to launch the debugger'
    for tool in ${RNG_GPU_TOOLS:-memcheck racecheck initcheck synccheck}; do
        step 100 "compute-sanitizer $tool, every distribution" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$bin/test_device_fill" --gtest_filter='Gpu.EveryDistributionHasTheBitsOfTheCpu'
        step 100 "compute-sanitizer $tool, svd_lowrank" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$bin/test_gpu_svd" --gtest_filter='GpuSvd.StridesAndStreams:GpuSvd.EveryEngine:GpuSvd.Sparse*:GpuSvd.Batches'
        step 60 "compute-sanitizer $tool, reductions" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$bin/test_gpu_reduce" --gtest_filter='GpuReduceOf/0.*:GpuReduce.SpecialNumbers:GpuReduce.Counts'
        step 100 "compute-sanitizer $tool, svd_lowrank of many columns" compute-sanitizer --tool "$tool" --error-exitcode 1 \
            "$bin/test_gpu_svd" --gtest_filter='GpuSvd.BroadSketch72'
    done
    [[ ${RNG_GPU_TOOLS:-memcheck} != *memcheck* ]] ||
        step 150 "compute-sanitizer memcheck, graphs" compute-sanitizer --tool memcheck --error-exitcode 1 "$bin/test_gpu" \
            --gtest_filter='-*FirstUse*:*MoreThan*:GpuContexts*:*TheDefaultStream*'
}

if [ "$part" = build ] || { [ "$(cat "$bin/commit" 2>/dev/null)" != "$commit" ] || [[ $commit = *-dirty ]]; }; then
    if ! programs; then
        say "THE PROGRAMS COULD NOT BE BUILT"
        exit 1
    fi
fi
case $part in
    check) check ;;
    bench) bench ;;
    sanitize) sanitize ;;
esac
if [ "$part" = build ]; then
    # zstd finds the library in each program again: the archive is a sixth of gzip's.
    if command -v zstd >/dev/null; then
        archive=$bin.tar.zst
        tar -C "$build" -c bin | zstd -q -T0 -12 --long=30 -f -o "$archive" || failed=1
    else
        archive=$bin.tar.gz
        tar -C "$build" -czf "$archive" bin || failed=1
    fi
    say "to carry: $bin ($(du -sh "$bin" | cut -f 1)), or $archive ($(du -sh "$archive" | cut -f 1))"
fi
if [ $failed -eq 0 ]; then say "all passed${dry:+ (dry run)}"; else say "SOMETHING FAILED"; fi
exit $failed
