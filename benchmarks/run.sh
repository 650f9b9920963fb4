#!/usr/bin/env bash
# Builds rng_bench as a release, runs it interleaved, and writes the tables.
#
#   bash benchmarks/run.sh              every compiler of --compilers that is installed: 10 to 15 minutes
#   bash benchmarks/run.sh --quick      one compiler, fewer repetitions: about 2 minutes and a build
#   --compilers "g++ clang++-19"        the compilers to build with
#   --filter REGEX                      only these rows (Google Benchmark's filter); prints, writes no file
#
# Peers in Python (NumPy, torch) are measured if $PYTHON (default python3) can import them; MKL, if its environment has
# the package mkl-devel.
# Everything is built in build/bench/<compiler>. The tables go to benchmarks/results/<cpu>.md, the JSON to build/bench.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/deps.sh

compilers="g++ clang++-19" filter=. starts=3 repetitions=3 min_time=0.04 rounds=7 report_args=() quick=
while [ $# -gt 0 ]; do
    case "$1" in
        --quick) quick=1 starts=1 repetitions=3 min_time=0.02 rounds=2 ;;
        --compilers) compilers="${2:?--compilers needs a list}"; shift ;;
        --filter) filter="${2:?--filter needs a regular expression}" report_args+=(--print-only); shift ;;
        -h | --help) sed -n '2,12s/^# \{0,1\}//p' benchmarks/run.sh; exit 0 ;;
        *) echo "run.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    esac
    shift
done

out=build/bench
mkdir -p "$out"
export MKL_THREADING_LAYER=SEQUENTIAL  # one thread, as the rows of all peers have
load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown; }

built=()
for cxx in $compilers; do
    if ! command -v "$cxx" > /dev/null; then
        echo "$cxx is not installed; left out"
        continue
    fi
    dir=build/bench/$cxx
    generator=()  # a build folder that exists keeps its own
    if [ ! -f "$dir/CMakeCache.txt" ] && command -v ninja > /dev/null; then generator=(-G Ninja); fi
    echo "building with $cxx in $dir"
    # CUDA is there for cuRAND's host generator: kernels of one architecture, since none runs.
    cmake -S . -B "$dir" "${generator[@]}" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release -DRNG_CUDA_ARCHITECTURES=90 \
        -DRNG_BENCH_MKL="$("${PYTHON:-python3}" -c 'import sys; print(sys.prefix)' 2>/dev/null || true)" \
        -DRNG_BUILD_BENCHMARKS=ON -DRNG_BUILD_TESTS=OFF -DRNG_BUILD_APPS=OFF -DRNG_BUILD_EXAMPLES=OFF \
        > "$out/configure.log" 2>&1 || { cat "$out/configure.log" >&2; exit 1; }
    if grep -q 'Google Benchmark was not found' "$out/configure.log"; then
        echo "run.sh: Google Benchmark is missing; on Debian: apt-get install libbenchmark-dev" >&2
        exit 1
    fi
    cmake --build "$dir" --target rng_bench -j "$(cores)" > "$out/build.log" 2>&1 \
        || { cat "$out/build.log" >&2; exit 1; }
    built+=("$cxx=$dir/benchmarks/rng_bench")
    if [ -n "$quick" ]; then break; fi
done
[ ${#built[@]} -gt 0 ] || { echo "run.sh: none of these compilers is installed: $compilers" >&2; exit 1; }

commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo none)
if [ -n "$(git status --porcelain -- include src cmake 2>/dev/null)" ]; then commit+=" with changes"; fi

results=()
for entry in "${built[@]}"; do
    cxx=${entry%%=*} program=${entry#*=}
    rows=$("$program" --benchmark_list_tests --benchmark_filter="$filter" | wc -l)
    echo "measuring $cxx: $rows rows, $repetitions repetitions in each of $starts starts; load average $(load)"
    # Several starts, since where the system puts the stack can change the speed of a program's every loop.
    for start in $(seq "$starts"); do
        "$program" --benchmark_filter="$filter" --benchmark_enable_random_interleaving=true \
            --benchmark_repetitions="$repetitions" --benchmark_min_time="$min_time" \
            --benchmark_context=commit="$commit" --benchmark_context=load_before="$(load)" \
            --benchmark_out="$out/$cxx.$start.json" --benchmark_out_format=json > "$out/$cxx.log" 2>&1 \
            || { tail -5 "$out/$cxx.log" >&2; exit 1; }
        results+=("$out/$cxx.$start.json")
    done
done

python=${PYTHON:-python3}
if "$python" -c 'import numpy' 2> /dev/null || "$python" -c 'import torch' 2> /dev/null; then
    echo "measuring the peers in Python"
    "$python" benchmarks/python_peers.py "${built[0]#*=}" --rounds "$rounds" -o "$out/python.json"
    results+=("$out/python.json")
fi

python3 benchmarks/report.py "${results[@]}" "${report_args[@]}"
