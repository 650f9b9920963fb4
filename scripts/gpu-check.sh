#!/usr/bin/env bash
# What only a GPU can tell, in parts. Each takes less than 6 minutes on the machine with the GPU, and needs no network.
#
#     bash scripts/gpu-check.sh build       makes build/gpu/bin.tar.zst, which the other parts run; needs nvcc, CMake and g++, and no GPU
#     bash scripts/gpu-check.sh check       correctness: tests, goldens, examples, compute-sanitizer and the Python package, side by side
#     bash scripts/gpu-check.sh bench       speed, one program at a time: rates of instructions, fills, SVD and sums beside cudaMemset,
#                                           cuRAND, torch and CuPy (each where it is installed), first launches, and what ncu sees
#     bash scripts/gpu-check.sh torch       torch programs under librng.torch.reproducible on the CPU and on the GPU, at most 3 minutes, and times
#                                           of draws beside torch's; needs torch for CUDA
#     bash scripts/gpu-check.sh sanitize    of `check`, compute-sanitizer alone
#
# Exit code 1 if anything differs, fails or hangs; 77 if there is no GPU. Environment:
#
#     RNG_GPU_BUILD     default build/gpu. Its folder bin has the programs, and wheel/librng the Python package. The other parts unpack
#                       bin.tar.zst or bin.tar.gz, and build if bin/commit is not the commit at hand; so the archive can be carried.
#                       A wheel in the folder wheel is unpacked there
#     RNG_GPU_REPORT    default build/gpu-report: gpu-PART.txt, which gets the verdict of each job when it ends; all output, in
#                       gpu-PART-logs.tar.gz; and the benchmarks' JSON
#     RNG_COMMIT        the commit, for a tree without .git
#     RNG_CUDA_ARCHITECTURES   what `build` compiles for where there is no GPU; default 90
#     RNG_GPU_PYTHON    for which Python `build` makes the package: the version of the machine with the GPU. Default python3.12;
#                       without it the package is left out
#     RNG_GPU_UNCOMPRESSED=1   `build` also makes a benchmark whose kernels are not compressed; `bench` compares first launches
#     PYTHON            the Python that runs the benchmarks and the package's tests; default python3
#     GTEST_SOURCE      a folder with GoogleTest's sources, if GoogleTest is not installed; default third_party/googletest
#     RNG_DRY_RUN=1     goes through a part without a GPU. What needs one is skipped, and the report says so
#     RNG_GPU_JOBS      how many jobs of `check` run side by side; default: as many as there are processors
#     RNG_GPU_SECONDS, RNG_GPU_STEP_SECONDS   the most seconds for a part (340) and for a job (each has its own limit)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. scripts/deps.sh

part=${1:-}
case $part in
    build | check | bench | torch | sanitize) ;;
    *)
        sed -n '2,/^set/ { /^#/ s/^# \{0,1\}//p }' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac
build=${RNG_GPU_BUILD:-build/gpu}
folder=${RNG_GPU_REPORT:-build/gpu-report}
bin=$build/bin
dry=${RNG_DRY_RUN:-}
python=${PYTHON:-python3}
seconds=${RNG_GPU_SECONDS:-340}
[ "$part" != build ] || seconds=${RNG_GPU_SECONDS:-86400}
report=$folder/gpu-$part.txt
logs=$folder/gpu-$part-logs
rm -rf "$logs"
mkdir -p "$bin" "$logs"
: >"$report"
trap 'tar -C "$folder" -czf "$logs.tar.gz" "${logs##*/}" && rm -rf "$logs"' EXIT

say() { printf '%s\n' "$*" | tee -a "$report"; }

# job LIMIT NAME COMMAND...: runs a command for at most LIMIT seconds, with its output in $logs/NAME.log. The report gets the verdict, the
# skipped tests, and the $lines last lines, more of them after a failure. A skip is a failure if it says that there is no GPU. If
# $refused matches the output, the machine does not allow the command: not run.
job() {
    local limit=$1 name=$2 left=$((seconds - SECONDS)) start=$SECONDS log=$logs/$2.log status=1 verdict=passed shown=${lines:-1}
    shift 2
    if [ "$left" -lt 1 ]; then
        verdict="NOT RUN, the part has no time left"
        : >"$log"
    else
        [ "$limit" -le "$left" ] || limit=$left
        [ "$limit" -le "${RNG_GPU_STEP_SECONDS:-$limit}" ] || limit=$RNG_GPU_STEP_SECONDS
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
    fi
    case $verdict in
        passed | "skipped (dry run)" | "not run"*) ;;
        *)
            shown=40 status=1
            touch "$logs/failed"
            ;;
    esac
    {
        echo "== $name: $verdict in $((SECONDS - start)) s"
        # GoogleTest's reason is in the line before the test's name; pytest has both in one line.
        awk '/: Skipped$/ { getline why }
            /^\[  SKIPPED \] .* \([0-9]+ ms\)$/ { names[why] = names[why] " " $4 }
            /^SKIPPED \[/ { print "   " $0 }
            END { for (why in names) print "   skipped, " why ":" names[why] }' "$log"
        tail -n "$shown" "$log"
    } >"$logs/$name.verdict"
    cat "$logs/$name.verdict" >>"$report" # in one write, since jobs end side by side
    cat "$logs/$name.verdict"
    return $status
}

# beside LIMIT NAME COMMAND...: a job in the background, as soon as a place is free.
places=${RNG_GPU_JOBS:-$(cores)}
beside() {
    while [ "$(jobs -rp | wc -l)" -ge "$places" ]; do wait -n; done
    job "$@" &
}

smi() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

if [ "$part" != build ] && [ -z "$dry" ] && ! has_gpu; then
    say "gpu-check.sh: this machine has no GPU (nvidia-smi finds none); nothing was checked"
    exit 77
fi
[ -z "$dry" ] || say "DRY RUN: nothing in this report has run on a GPU"
commit=${RNG_COMMIT:-$(git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null)}
built_commit() { cat "$bin/commit" 2>/dev/null; }
if [ "$part" != build ] && { [ ! -e "$bin/commit" ] || [ "$(built_commit)" != "${commit:-$(built_commit)}" ]; }; then
    if [ -e "$bin.tar.zst" ]; then
        zstd -q -d --long=30 -c "$bin.tar.zst" | tar -C "$build" -x
    elif [ -e "$bin.tar.gz" ]; then
        tar -C "$build" -xzf "$bin.tar.gz"
    fi
fi
commit=${commit:-$(built_commit || echo unknown)}
say "$(date -u +'%F %T'), $part, commit $commit"
[ -n "$dry" ] || ! has_gpu || say "$(smi name,driver_version,compute_cap,memory.total)"

tests=(test_device_fill test_gpu test_gpu_roots test_interop_thrust_cuda device_launch test_device_svd test_gpu_svd test_gpu_ranks test_gpu_reduce test_goldens)
examples=(cuda_monte_carlo cuda_dropout cuda_graph cuda_multi_gpu cuda_own_distribution)

programs() {
    local nvcc architectures=${RNG_CUDA_ARCHITECTURES:-90} source=${GTEST_SOURCE:-third_party/googletest} options example program
    local package_python=${RNG_GPU_PYTHON:-python3.12} targets=(rng_rng rng_bench_gpu "${tests[@]}" "${examples[@]/#/example_}")
    # shellcheck disable=SC2086  # the names are words
    [ "$part" != build ] || want_packages $PACKAGES_QUICKSTART nlohmann-json3-dev
    ! has_gpu || architectures=$(smi compute_cap | tr -d '. ')
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    options=(-DCMAKE_BUILD_TYPE=Release -DRNG_ENABLE_CUDA=ON "-DRNG_CUDA_ARCHITECTURES=$architectures" -DRNG_BUILD_BENCHMARKS=ON
        -DRNG_BUILD_STATS=OFF -DRNG_BUILD_APPS=OFF -DRNG_BUILD_PYTHON=OFF)
    if [ -n "${GTEST_SOURCE:-}" ] || [ -d "$source" ]; then
        job 60 configure-googletest cmake -S "$source" -B "$build/gtest" -DCMAKE_BUILD_TYPE=Release -DBUILD_GMOCK=OFF \
            "-DCMAKE_INSTALL_PREFIX=$(realpath "$build")/gtest-installed" &&
            job 200 build-googletest cmake --build "$build/gtest" -j "$(cores)" --target install || return 1
        options+=("-DCMAKE_PREFIX_PATH=$(realpath "$build")/gtest-installed;${CMAKE_PREFIX_PATH:-}")
    fi
    if "$package_python" -c '' 2>/dev/null; then
        job 60 environment "$package_python" -m venv "$build/python" &&
            job 200 nanobind "$build/python/bin/python" -m pip install -q "$(grep '^nanobind==' python/requirements-test.txt)" || return 1
        options+=(-DRNG_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$(realpath "$build")/python/bin/python")
        targets+=(_rng python_sources)
    else
        say "== the Python package: not built, $package_python does not run"
    fi
    job 120 configure cmake -S . -B "$build/cmake" "${options[@]}" || return 1
    job 86400 build cmake --build "$build/cmake" -j "$(cores)" --target "${targets[@]}" || return 1
    # As a user with other flags builds them: the same bits.
    for example in "${examples[@]}"; do
        job 200 "compile-$example-fast" "$nvcc" -std=c++20 -O3 --use_fast_math "-arch=sm_${architectures##*;}" -Iinclude \
            "examples/$example.cu" "$build/cmake/src/librng.a" -o "$bin/$example-fast" || return 1
    done
    cp "${tests[@]/#/$build/cmake/tests/}" "${examples[@]/#/$build/cmake/examples/}" "$build/cmake/benchmarks/rng_bench_gpu" "$bin/" || return 1
    if [ -n "${RNG_GPU_UNCOMPRESSED:-}" ]; then uncompressed || return 1; else rm -f "$bin/rng_bench_gpu-uncompressed"; fi
    for program in "$bin"/*; do [ ! -x "$program" ] || strip "$program" 2>/dev/null; done
    rm -rf "$build/wheel/librng"
    if [[ " ${targets[*]} " = *" _rng "* ]]; then
        mkdir -p "$build/wheel" && cp -r "$build/cmake/python/librng" "$build/wheel/" || return 1
    fi
    printf '%s\n' "$commit" >"$bin/commit"
}

# The benchmark with kernels that are not compressed: the linker takes these objects, and not those of the library.
uncompressed() {
    local kernels=$build/cmake-uncompressed benchmarks=$build/cmake/benchmarks
    export NVCC_APPEND_FLAGS="-Xfatbin --compress=false"
    job 120 configure-uncompressed cmake -S . -B "$kernels" "${options[@]}" -DRNG_BUILD_PYTHON=OFF -DRNG_BUILD_TESTS=OFF &&
        job 86400 build-uncompressed cmake --build "$kernels" -j "$(cores)" --target rng_cuda_objects &&
        job 60 link-uncompressed "$nvcc" -o "$bin/rng_bench_gpu-uncompressed" "$benchmarks/CMakeFiles/rng_bench_gpu.dir/gpu.cpp.o" \
            "$benchmarks"/*.cu.o "$kernels"/cuda/*.cu.o "$build/cmake/src/librng.a" -ldl
    local status=$?
    unset NVCC_APPEND_FLAGS
    return $status
}

# package JOB: makes Python find the package, if there is one; otherwise the report says that the job is not run.
package() {
    local wheel
    for wheel in "$build"/wheel/*.whl; do
        [ ! -e "$wheel" ] || "$python" -m zipfile -e "$wheel" "$build/wheel" || touch "$logs/failed"
    done
    if [ ! -d "$build/wheel/librng" ]; then
        say "== $1: not run, there is no Python package in $build/wheel"
        return 1
    fi
    PYTHONPATH=$(realpath "$build/wheel")${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
}

# Times come last, so that nothing runs beside them.
torch_programs() {
    local device=cuda sizes=16,1048576,268435456 lines=40
    [ -z "$dry" ] || { device=cpu && sizes=16; }
    package cases || {
        touch "$logs/failed" # this part is nothing else
        return
    }
    job 170 cases "$python" python/tests/torch_cases.py $device
    lines=12
    job 60 same_on_gpu "$python" examples/python/same_on_gpu.py $device
    job 60 same_text "$python" examples/python/same_text.py $device
    lines=60
    job 100 draws "$python" benchmarks/torch_draws.py --device $device --rounds 5 --sizes "$sizes"
}

# The longest come first.
check() {
    local example mode
    beside 330 test_device_fill "$bin/test_device_fill"
    beside 330 test_gpu_svd "$bin/test_gpu_svd"
    beside 330 test_device_svd "$bin/test_device_svd"
    beside 330 test_gpu_ranks "$bin/test_gpu_ranks"
    beside 330 test_gpu_reduce "$bin/test_gpu_reduce"
    beside 200 test_goldens "$bin/test_goldens" --gtest_filter='*TheQuickOnes'
    beside 200 test_gpu "$bin/test_gpu"
    beside 100 test_gpu_roots "$bin/test_gpu_roots"
    beside 100 device_launch "$bin/device_launch" gpu
    beside 100 test_interop_thrust_cuda "$bin/test_interop_thrust_cuda"
    # What a process does first may load a kernel, which a capture in global mode forbids.
    for mode in LAZY EAGER; do
        beside 100 "first-sum-in-a-capture-$mode" env "CUDA_MODULE_LOADING=$mode" "$bin/test_gpu_reduce" --gtest_filter='GpuReduce.GraphsRepeatSums'
    done
    ! package pytest || beside 200 pytest "$python" -m pytest -q -rs -p no:cacheprovider python/tests/test_cuda.py
    sanitize
    for example in "${examples[@]}"; do
        beside 60 "$example" "$bin/$example"
        beside 60 "$example-fast" "$bin/$example-fast"
    done
}

sanitize() {
    local tool refused='Device not supported|not supported on (this|the current) (device|system)|Unable to launch the debugger'
    if ! command -v compute-sanitizer >/dev/null; then
        say "== compute-sanitizer: not run, it is not installed"
        return
    fi
    sanitized() { beside 330 "$1-$2" compute-sanitizer --tool "$1" --error-exitcode 1 "$bin/$3" --gtest_filter="$4"; }
    for tool in racecheck initcheck memcheck synccheck; do
        sanitized $tool svd test_gpu_svd 'GpuSvd.StridesAndStreams:GpuSvd.EveryEngine:GpuSvd.Sparse*:GpuSvd.Batches'
        sanitized $tool sketch test_gpu_svd 'GpuSvd.BroadSketch72'
        sanitized $tool reductions test_gpu_reduce 'GpuReduceOf/0.*:GpuReduce.SpecialNumbers:GpuReduce.Counts'
        sanitized $tool fills test_device_fill 'Gpu.EveryDistributionHasTheBitsOfTheCpu'
    done
    sanitized memcheck ranks test_gpu_ranks '*'
    sanitized memcheck graphs test_gpu '-*FirstUse*:*MoreThan*:GpuContexts*:*TheDefaultStream*'
}

bench() {
    local rounds=5 run=("$python" benchmarks/gpu.py "$bin/rng_bench_gpu") program ncu=(ncu --target-processes all --clock-control none)
    [ -z "$dry" ] || rounds=1
    local lines=200
    job 60 device "${run[@]}" --device --rounds $rounds -o "$folder/device.json"
    # They read what kernels have found, so CUDA cannot be played for them.
    [ -n "$dry" ] || job 100 reduce "${run[@]}" --reduce --rounds $rounds -o "$folder/reduce.json"
    job 100 svd "${run[@]}" --svd --rounds $rounds -o "$folder/svd.json"
    # Fills of 8 GiB have the rates of those of 1 GiB.
    job 150 fills "${run[@]}" --kib 1 64 1024 65536 1048576 --rounds $rounds -o "$folder/fills.json"
    for program in "$bin"/rng_bench_gpu*; do
        [ -n "$dry" ] || job 60 "first-launches-${program##*/}" "$python" benchmarks/gpu.py "$program" --first --rounds $rounds
    done
    lines=1
    if ! command -v ncu >/dev/null; then
        say "== ncu: not run, it is not installed"
        return
    fi
    local refused='ERR_NVGPUCTRPERM|not supported|No kernels were profiled' once=(--alone --rounds 1 --calls 1)
    job 60 ncu-fills "${ncu[@]}" --kernel-name regex:fill_kernel --csv --log-file "$logs/ncu-fills.csv" --metrics \
        'regex:sm__inst_executed_pipe_.*sum$,regex:smsp__average_warps_issue_stalled_.*_per_issue_active,sm__cycles_active.avg,smsp__inst_executed.sum,gpu__time_duration.sum,launch__registers_per_thread,sm__warps_active.avg.pct_of_peak_sustained_active' \
        "${run[@]}" "${once[@]}" --kib 262144 --only '^(normal_f32|exponential_f32|uniform_f16|normal_f64|poisson_i32.*|uniform_f32|bernoulli)$'
    # An SVD has hundreds of launches: their times alone.
    ncu+=(--csv --metrics "gpu__time_duration.sum,sm__warps_active.avg.pct_of_peak_sustained_active")
    job 60 ncu-svd "${ncu[@]}" --log-file "$logs/ncu-svd.csv" "${run[@]}" "${once[@]}" --svd --only '2000x500q128_f32'
    job 60 ncu-reduce "${ncu[@]}" --log-file "$logs/ncu-reduce.csv" "${run[@]}" "${once[@]}" --reduce --only 'f32'
}

if [ "$part" = build ] || [ "$(built_commit)" != "$commit" ] || [[ $commit = *-dirty ]]; then
    if ! programs; then
        say "THE PROGRAMS COULD NOT BE BUILT"
        exit 1
    fi
fi
case $part in
    check) check ;;
    bench) bench ;;
    torch) torch_programs ;;
    sanitize) sanitize ;;
    build)
        carried=(bin)
        [ ! -d "$build/wheel" ] || carried+=(wheel)
        rm -f "$bin.tar.zst" "$bin.tar.gz"
        # zstd finds the library in each program again: the archive is a sixth of gzip's.
        if command -v zstd >/dev/null; then
            archive=$bin.tar.zst
            tar -C "$build" -c "${carried[@]}" | zstd -q -T0 -12 --long=30 -f -o "$archive" || touch "$logs/failed"
        else
            archive=$bin.tar.gz
            tar -C "$build" -czf "$archive" "${carried[@]}" || touch "$logs/failed"
        fi
        say "to carry: $archive ($(du -sh "$archive" | cut -f 1)), with ${carried[*]} of $build ($(du -shc "${carried[@]/#/$build/}" | tail -n 1 | cut -f 1))"
        ;;
esac
wait
if [ ! -e "$logs/failed" ]; then
    say "all passed${dry:+ (dry run)}, $SECONDS s"
    exit 0
fi
say "SOMETHING FAILED, $SECONDS s"
exit 1
