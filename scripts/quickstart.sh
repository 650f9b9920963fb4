#!/usr/bin/env bash
# Builds library and program, shows the first numbers and their speed, and checks that this machine makes the right bits.
#
#     bash scripts/quickstart.sh
#
# It needs a C++ compiler, CMake, Ninja and CLI11; on Debian it installs what is missing (with root or sudo), or prints the line to
# run. Everything it makes is in build/release. It leaves out the statistical battery, and CUDA where no GPU is seen; what you have
# configured there before stays as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/deps.sh

# shellcheck disable=SC2086  # the lists are words
need_packages $PACKAGES_QUICKSTART
need_cmake

build=build/release
log=$build/quickstart.log
mkdir -p "$build"

# run COMMAND... writes the command's output to the log. A terminal shows the steps of a build (ninja's [3/57], make's [ 5%])
# on one line. Another output shows every twentieth step.
run() {
    local line count=0 status=0
    "$@" 2>&1 | while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        case $line in
            \[*)
                if [ -t 1 ]; then
                    printf '\r\033[K%.79s' "$line"
                elif [ $((count++ % 20)) -eq 0 ]; then
                    printf '%.79s\n' "$line"
                fi
                ;;
        esac
    done 3>>"$log" || status=$?
    [ ! -t 1 ] || printf '\r\033[K'
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log" >&2
        echo "quickstart.sh: this failed: $*; all that it printed is in $log" >&2
        exit 1
    fi
}

options=()
if [ ! -f "$build/CMakeCache.txt" ]; then
    ! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja
    options+=(-DRNG_BUILD_STATS=OFF -DRNG_BUILD_TESTS=OFF -DRNG_BUILD_BENCHMARKS=OFF)
    gpus=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -un | tr '\n' ';' || true)
    if [ -n "$gpus" ]; then
        echo "GPU of compute capability ${gpus%;}: its kernels are built too."
        options+=("-DRNG_CUDA_ARCHITECTURES=${gpus%;}")
    else
        echo "No GPU is seen here: CUDA is left out."
        options+=(-DRNG_ENABLE_CUDA=OFF)
    fi
fi
echo "Building in $build: about six minutes on two cores the first time ..."
: >"$log"
run cmake --preset release ${options[@]+"${options[@]}"}
run cmake --build "$build" -j "$(cores)" --target rng_program example_quickstart

echo "\$ $build/examples/quickstart"
"$build/examples/quickstart"
echo
echo "\$ $build/bin/rng verify --quick"
if ! "$build/bin/rng" verify --quick >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
tail -n 1 "$log" # the table above it is for a difference
cat <<END

Next:
    $build/bin/rng --help       the program
    README.md, examples/                what a program of your own looks like
    cmake --preset release -DRNG_BUILD_STATS=ON && cmake --build $build --target rng_program
                                        takes the statistical battery in: rng test, rng zoo
END
