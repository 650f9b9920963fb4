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

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# follow writes its input to the log, and shows how far a build has come: ninja's steps [3/57], make's share [ 5%]. The estimate takes
# all steps to be equally long. A terminal has this on one line, anew each second; another output has a line each ten seconds.
follow() {
    local line='' part='' status text shown=0 done=0 all=0 unit=' steps'
    while true; do
        status=0
        IFS= read -r -t 1 part || status=$?
        line+=$part
        if [ "$status" -eq 0 ]; then
            printf '%s\n' "$line" >>"$log"
            if [[ $line =~ ^\[\ *([0-9]+)/([0-9]+)\] ]]; then
                done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
            elif [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
                done=${BASH_REMATCH[1]} all=100 unit=' %'
            fi
            line=''
        elif [ "$status" -le 128 ]; then # the end; above it, the second has passed
            break
        fi
        [ "$all" -gt 0 ] || continue
        text="$done of $all$unit, $(clock "$SECONDS")"
        [ "$done" -eq 0 ] || text+=", about $(clock $((SECONDS * (all - done) / done))) left"
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$text"
        elif [ $((SECONDS - shown)) -ge 10 ]; then
            printf '%s\n' "$text"
            shown=$SECONDS
        fi
    done
    [ -z "$line" ] || printf '%s\n' "$line" >>"$log"
    [ ! -t 1 ] || printf '\r\033[K'
}

# fail TEXT says it after the last lines of the log.
fail() {
    tail -n 40 "$log" >&2
    echo "quickstart.sh: $1; all that was printed is in $log" >&2
    exit 1
}

# run COMMAND... shows the progress of a command whose output goes to the log.
run() {
    SECONDS=0
    "$@" 2>&1 | follow || fail "this failed: $*"
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
echo "Building in $build ..."
: >"$log"
run cmake --preset release ${options[@]+"${options[@]}"}
! grep -q "CLI11 was not found" "$log" || fail "CLI11 was not found (Debian: libcli11-dev)"
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
