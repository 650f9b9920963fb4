#!/usr/bin/env bash
# Builds and runs the tests, stage by stage, and ends with a summary. Exit code 1 if any stage failed.
#
#     bash scripts/test.sh            what every change must pass
#     bash scripts/test.sh --ci       what continuous integration runs after it: the battery, examples, pages, sanitizers, the Python package
#     bash scripts/test.sh --full     everything: also the slow, exhaustive and cross tests, link-time optimisation, and the whole
#                                     matrix of compilers and flags (five hours on two cores)
#     bash scripts/test.sh STAGE...   some stages: gcc clang14, of --ci: ci python torch clang19 arm, and of --full: tsan clang asan lto release
#                                     mpi peers zig
#     bash scripts/test.sh --budget   also fails if something takes more CPU time than it may
#
# On Debian it installs what is missing (with root or sudo), or prints the line to run and stops. Builds are in build/, what they
# print is in build/logs/. A compiler that is not to be had is skipped, and the summary says so.
#
# Each stage ends with scripts/budget.py, which names each source that took more than 40 CPU-seconds to compile, each test that took
# more than 60 to run (budget_STAGE: other limits), and the stages of one call together if they take more than total_budget. Seconds are
# those of a known machine; a slower one gets more. Only --budget makes an excess fail, for a quiet machine: a busy one takes
# twice the CPU time for the same work.
# shellcheck disable=SC2034,SC2154  # title_*, cost_* and budget_* are read by name; the build sets stage_start
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. scripts/deps.sh

readonly QUICK_STAGES="gcc clang14"
readonly CI_STAGES="ci python torch clang19 arm"
readonly FULL_STAGES="$QUICK_STAGES $CI_STAGES tsan clang asan lto release mpi peers zig"
readonly SLOW='slow|exhaustive|cross'
readonly LOGS=build/logs
jobs=$(cores)

full=
budget=
stages=
total_budget=1200
for argument in "$@"; do
    case $argument in
        --ci) stages+=" $CI_STAGES" total_budget=2900 ;;
        --full) stages+=" $FULL_STAGES" full=yes total_budget=inf ;;
        --budget) budget=yes ;;
        *)
            if [[ " $FULL_STAGES " != *" $argument "* ]]; then
                echo "test.sh: unknown argument $argument; it takes --ci, --full, --budget, or stages of: $FULL_STAGES" >&2
                exit 2
            fi
            stages+=" $argument" total_budget=inf
            ;;
    esac
done
stages=${stages:-$QUICK_STAGES}

# What a test samples (support::sampled), it takes whole with --full. Sanitizers' stages set their own share.
[ -n "$full" ] || export RNG_TEST_SHARE=3

mkdir -p "$LOGS"
# shellcheck disable=SC2086  # the lists are words
need_packages $PACKAGES_TEST
# shellcheck disable=SC2086
want_packages $PACKAGES_COMPILERS $PACKAGES_PYTHON
want_packages libclang-rt-19-dev
need_cmake
# shellcheck disable=SC2086
[ -z "$full" ] || want_packages $PACKAGES_FULL
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja

# ---- What stages are made of -----------------------------------------------------------------------------------------

# count_cpu: sets cpu to the CPU-seconds of everything that this script has run until now. Not in $(...): a subshell has its own.
count_cpu() {
    times >"$LOGS/times.txt"
    cpu=$(awk 'NR == 2 { gsub(",", "."); split($1 "m" $2, t, /[ms]+/); print int(60 * (t[1] + t[3]) + t[2] + t[4]) }' "$LOGS/times.txt")
}

# show_progress STEP [HIDDEN]: reads the output of a build or of tests, and says every quarter of a minute how far the stage and all stages
# are. STEP matches a line about a step, with two groups: what is done, and of how much. With HIDDEN, every line that this does not match is
# printed. cost_STAGE has the CPU-seconds of the stage's build and of its tests; they weigh the parts, on whatever machine.
show_progress() {
    local line shown=$SECONDS done_cost share_of_all left
    while IFS= read -r line; do
        [ $# -lt 2 ] || [[ $line =~ $2 ]] || printf '%s\n' "$line"
        [[ $line =~ $1 ]] || continue
        [ $((SECONDS - shown)) -ge 15 ] || continue
        shown=$SECONDS
        done_cost=$((cost_done + part_cost * BASH_REMATCH[1] / BASH_REMATCH[2]))
        share_of_all=$((100 * done_cost / cost_of_all))
        left=
        [ "$share_of_all" -lt 5 ] || left=", about $(((SECONDS - tests_start) * (cost_of_all - done_cost) / done_cost / 60 + 1)) min left"
        printf '%s: %s, %d of %d; %d %% of all%s\n' "$stage" "$part" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$share_of_all" "$left"
    done
}

# begin_part NAME INDEX: the stage's build (0) or its tests (1) begin.
begin_part() {
    local costs=cost_$stage
    # shellcheck disable=SC2206  # two numbers
    costs=(${!costs:-100 100})
    part=$1
    part_cost=${costs[$2]}
    cost_done=$((cost_of_stages_before + $2 * costs[0]))
}

# build NAME PRESET [CMAKE ARGUMENTS] [-- TARGETS]: configures and builds build/NAME.
build() {
    local name=$1 preset=$2 generator=()
    shift 2
    local options=(-DRNG_CPU_TIME=ON)
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    local targets=()
    [ $# -eq 0 ] || targets=(--target "$@")
    # A build directory keeps the generator that it began with.
    if [ -f "build/$name/CMakeCache.txt" ]; then
        generator=(-G "$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "build/$name/CMakeCache.txt")")
    fi
    # Without debug information: it takes a third of the time. Sanitizers keep theirs, for their reports. gold links in a third of the time.
    if [ "$preset" = dev ]; then
        options+=(-DCMAKE_CXX_FLAGS_DEBUG=-O1)
        ! has ld.gold || options+=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold)
    fi
    # PTX alone where no GPU runs it: machine code takes half the time. The test parity.sass makes some, --full all of it.
    [ -n "$full" ] || [ -e /dev/nvidiactl ] || options+=(-DRNG_CUDA_ARCHITECTURES=90-virtual)
    local log=$LOGS/build-$name.log
    begin_part building 0
    if ! { cmake --preset "$preset" -B "build/$name" ${generator[@]+"${generator[@]}"} "${options[@]}" &&
        cmake --build "build/$name" -j "$jobs" "${targets[@]}"; } 2>&1 | tee "$log" | show_progress '^\[([0-9]+)/([0-9]+)\]'; then
        grep -nE 'error|Error|FAILED|undefined reference|warning:' "$log" | head -n 30
        tail -n 15 "$log"
        echo "The build failed; all of it is in $log"
        return 1
    fi
    grep -E 'left out|CMake Warning' -A 1 "$log"
    echo "Built build/$name in $(elapsed_since "$stage_start")"
}

# run_tests NAME CTEST ARGUMENTS: runs tests of build/NAME; the summary keeps ctest's closing lines. tests/check_claims.py --report reads
# the log.
run_tests() {
    local name=$1 log=$LOGS/ctest-$stage.log status
    shift
    begin_part testing 1
    {
        echo "Tests of $(git describe --always --dirty 2>/dev/null || echo "a tree without git"), $(date -u '+%Y-%m-%d %H:%M UTC')"
        ctest --test-dir "build/$name" --output-on-failure --no-tests=error -j "$jobs" "$@"
    } 2>&1 | tee "$log" |
        show_progress '^ *([0-9]+)/([0-9]+) Test' '^ *Start +[0-9]+:|^Internal ctest|^ *[0-9]+/[0-9]+ Test.* Passed '
    status=${PIPESTATUS[0]}
    stage_summary=$(grep -E '^[0-9]+% tests passed|^Total Test time|^No tests' "$log")
    return "$status"
}

# skip REASON: ends a stage that cannot run here.
skip() {
    stage_summary="skipped: $1"
    echo "SKIPPED: $1"
    return 77
}

elapsed_since() {
    local seconds=$((SECONDS - $1))
    printf '%d min %02d s' $((seconds / 60)) $((seconds % 60))
}

has() {
    command -v "$1" >/dev/null
}

# ---- The stages ------------------------------------------------------------------------------------------------------

# Sanitizers make tests several times as long. The quick stages give them a tenth of the data (RNG_TEST_SHARE); this one gives all.
budget_asan="--source 80 --test 300"
# These tests compile on every core for minutes; the slow ones of --full, and -O3 with eight GPU architectures, have no limit.
budget_ci="--test 300"
budget_release="--source inf --test inf"
budget_lto="--source 160"
budget_arm="--test 150" # an emulator runs it

# CPU-seconds of building and of testing, for the progress that is shown.
cost_gcc="850 340" cost_clang14="10 0" cost_ci="1200 1100" cost_python="40 60" cost_torch="10 80" cost_clang19="420 170" cost_arm="110 130"

title_gcc="g++: the library without CUDA, its unit tests, the program"
stage_gcc() {
    build gcc dev -DCMAKE_CXX_COMPILER=g++ -DRNG_TEST_QUICK=ON -DRNG_BUILD_STATS=OFF -DRNG_BUILD_EXAMPLES=OFF -DRNG_BUILD_PYTHON=OFF -DRNG_ENABLE_CUDA=OFF &&
        run_tests gcc -LE "$SLOW|ci|python|mpi"
}

title_ci="g++: the battery, examples, pages, users' projects, all of CUDA, the short matrix of compilers"
stage_ci() {
    # shellcheck disable=SC2086  # the list is words
    want_packages $PACKAGES_WEB
    build gcc dev -DCMAKE_CXX_COMPILER=g++ -DRNG_TEST_QUICK=OFF -DRNG_BUILD_STATS=ON -DRNG_BUILD_EXAMPLES=ON -DRNG_ENABLE_CUDA=AUTO &&
        run_tests gcc -L '^ci$' -LE "$SLOW|python|mpi" || return
    grep -q '^RNG_NVCC_EXECUTABLE:.*nvcc$' build/gcc/CMakeCache.txt || stage_summary+=$'\nCUDA was left out: there is no nvcc on this machine'
}

title_python="The Python package: its tests in a pinned environment; with --full by a wheel too"
stage_python() {
    local left_out=(-LE "$SLOW")
    [ -z "$full" ] || left_out=()
    python_environment build/venv || skip "no virtual environment with the packages of python/requirements-test.txt" || return
    build gcc dev -DCMAKE_CXX_COMPILER=g++ -DRNG_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/build/venv/bin/python" &&
        run_tests gcc -L python ${left_out[@]+"${left_out[@]}"}
}

title_torch="torch: the same numbers on every device, compiled functions, data loaders, examples"
stage_torch() {
    local left_out=(-m "not slow")
    [ -z "$full" ] || left_out=()
    [ -x build/venv-torch/bin/python ] || [ "$(df --output=avail -B1G . | tail -n 1)" -ge 20 ] || skip "torch takes 9 GB, and less than 20 GB are free" || return
    { python_environment build/venv && python_environment build/venv-torch python/requirements-torch.txt; } ||
        skip "no virtual environment with the packages of python/requirements-torch.txt" || return
    build gcc dev -DCMAKE_CXX_COMPILER=g++ -DRNG_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/build/venv/bin/python" \
        -- _rng python_sources || return
    begin_part testing 1
    PYTHONPATH=build/gcc/python build/venv-torch/bin/python -m pytest -q -p no:cacheprovider -rs ${left_out[@]+"${left_out[@]}"} python/tests/test_torch.py \
        python/tests/test_torch_reproducible.py python/tests/test_torch_sums.py python/tests/test_types.py python/tests/test_examples.py 2>&1 | tee "$LOGS/pytest-torch.log" &&
        stage_summary=$(tail -n 1 "$LOGS/pytest-torch.log")
}

title_clang14="clang 14: no warning in headers; with --full each alone, and the library's digests"
stage_clang14() {
    has clang++-14 || skip "clang++-14 is not installed" || return
    local targets=(headers_together)
    [ -z "$full" ] || targets=(headers_alone matrix_library_digest)
    build clang-14 dev -DCMAKE_CXX_COMPILER=clang++-14 -DRNG_ENABLE_CUDA=OFF -- "${targets[@]}" || return 1
    stage_summary="no warning"
    [ -z "$full" ] || run_tests clang-14 -R '^matrix\.library_digests$'
}

title_clang19="clang 19: AddressSanitizer and UndefinedBehaviorSanitizer over tests of memory; with --full over all"
stage_clang19() {
    has clang++-19 || skip "clang++-19 is not installed" || return
    local targets=(rng_unit_tests_memory) tests=(-L memory) avx512=OFF # its kernels take a minute, and few machines run them
    [ -z "$full" ] || { targets=(rng_unit_tests matrix_library_digest) && tests=(-R '^test_|^matrix\.') && avx512=ON; }
    build clang-19-asan-ubsan asan-ubsan -DCMAKE_CXX_COMPILER=clang++-19 -DRNG_ENABLE_BLAS=ON -DRNG_ENABLE_AVX512=$avx512 -- "${targets[@]}" &&
        RNG_TEST_SHARE=10 run_tests clang-19-asan-ubsan "${tests[@]}" -LE "$SLOW|cuda|matrix"
}

title_arm="AArch64, emulated: the library's digests on every path"
stage_arm() {
    # shellcheck disable=SC2086  # the list is words
    want_packages $PACKAGES_ARM
    { has aarch64-linux-gnu-g++ && has qemu-aarch64; } || skip "g++-aarch64-linux-gnu or qemu-user is not installed" || return
    build aarch64 dev -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DRNG_BUILD_APPS=OFF -DRNG_BUILD_STATS=OFF -DRNG_BUILD_EXAMPLES=OFF \
        -DRNG_TEST_QUICK=ON -DRNG_ENABLE_CUDA=OFF -- emulated_paths &&
        run_tests aarch64 -R '^(emulated\.|isa_symbols\.objects)'
}

title_asan="g++: AddressSanitizer and UndefinedBehaviorSanitizer over the C++ tests"
stage_asan() {
    build gcc-asan-ubsan asan-ubsan -DCMAKE_CXX_COMPILER=g++ -- rng_unit_tests matrix_library_digest &&
        run_tests gcc-asan-ubsan -R '^test_|^matrix\.' -LE "$SLOW|cuda|matrix"
}

title_clang="clang 19 without sanitizers: everything without a warning; the C++ tests, with the whole catalogue"
stage_clang() {
    has clang++-19 || skip "clang++-19 is not installed" || return
    build clang-19 dev -DCMAKE_CXX_COMPILER=clang++-19 -DRNG_ENABLE_CUDA=OFF -DRNG_TEST_WHOLE_CATALOGUE=ON &&
        run_tests clang-19 -R '^test_|^matrix\.' -LE "$SLOW|cuda|matrix"
}

title_tsan="ThreadSanitizer: tests with threads, of the library and of rng::stats"
stage_tsan() {
    build gcc-tsan tsan -DCMAKE_CXX_COMPILER=g++ -- rng_unit_tests_threads rng_unit_tests_stats_threads &&
        RNG_TEST_SHARE=10 run_tests gcc-tsan -L threads -LE "$SLOW"
}

title_lto="Link-time optimisation: the program, the examples and the goldens"
stage_lto() {
    # Each link optimises the whole library again, which takes two minutes. These programs are what users link, and hold all digests.
    build gcc-lto release -DCMAKE_CXX_COMPILER=g++ -DRNG_ENABLE_LTO=ON -DRNG_ENABLE_CUDA=OFF -- \
        rng_program rng_examples test_goldens matrix_library_digest &&
        run_tests gcc-lto -R '^(zoo$|cli\.|example\.|test_goldens$|matrix\.library_digests$)' -LE "$SLOW|mpi"
}

title_release="Release: slow, exhaustive and cross tests; the whole matrix"
stage_release() {
    build gcc-release release -DCMAKE_CXX_COMPILER=g++ -DRNG_CUDA_ARCHITECTURES=all -DRNG_TEST_WHOLE_CATALOGUE=ON && run_tests gcc-release -L "$SLOW" -V
}

title_mpi="MPI: calls over ranks in processes, under Open MPI and MPICH"
stage_mpi() {
    local mpi seen=
    # shellcheck disable=SC2086  # the list is words
    want_packages $PACKAGES_MPI
    for mpi in openmpi mpich; do
        if ! has "mpicxx.$mpi" || ! has "mpirun.$mpi"; then continue; fi
        # The library is built once: it has no MPI inside. What CMake knows of the other MPI is forgotten.
        build gcc dev -DCMAKE_CXX_COMPILER=g++ -U 'MPI_*' -U 'MPIEXEC*' -DRNG_ENABLE_MPI=ON "-DMPI_CXX_COMPILER=$(command -v "mpicxx.$mpi")" \
            "-DMPIEXEC_EXECUTABLE=$(command -v "mpirun.$mpi")" -- mpi_ranks example_mpi_field rng_program rng_mpi_program || return 1
        run_tests gcc -L mpi || return 1
        seen+=" $mpi"
    done
    [ -n "$seen" ] || skip "neither Open MPI nor MPICH is installed" || return
    stage_summary="passed under$seen"
}

title_peers="Numbers of other libraries, against NumPy, torch, TensorFlow, JAX and oneMKL themselves"
stage_peers() {
    { python_environment build/venv && python_environment build/venv-peers python/requirements-peers.txt; } ||
        skip "no virtual environment with the packages of python/requirements-peers.txt" || return
    build gcc dev -DCMAKE_CXX_COMPILER=g++ -DRNG_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/build/venv/bin/python" \
        -- _rng python_sources || return
    PYTHONPATH=build/gcc/python build/venv-peers/bin/python -m pytest -q -p no:cacheprovider -rs python/tests/test_compat.py &&
        stage_summary="the same numbers"
}

title_zig="zig: the headers' digests with musl, and programs for macOS and FreeBSD that link"
stage_zig() {
    python_environment build/venv-zig python/requirements-zig.txt || skip "no virtual environment with the packages of python/requirements-zig.txt" || return
    build/venv-zig/bin/python tests/matrix/run.py --zig && stage_summary="the same digests with musl"
}

# ---- Running them ----------------------------------------------------------------------------------------------------

summary=
failed=0
readonly tests_start=$SECONDS
cost_of_all=0
for stage in $stages; do
    costs=cost_$stage
    for cost in ${!costs:-100 100}; do cost_of_all=$((cost_of_all + cost)); done
done
cost_of_stages_before=0
count=0
count_cpu
cpu_before=$cpu # of installing packages, which is no stage
for stage in $stages; do
    title=title_$stage
    stage_start=$SECONDS
    count_cpu
    stage_cpu=$cpu
    stage_summary="ended before its tests"
    export RNG_CPU_LOG=$PWD/$LOGS/cpu-$stage.txt
    : >"$RNG_CPU_LOG"
    count=$((count + 1))
    printf '\n==== %s (stage %d of %d): %s\n' "$stage" "$count" "$(wc -w <<<"$stages")" "${!title}"
    "stage_$stage"
    status=$?
    limits=budget_$stage
    # shellcheck disable=SC2086  # the options are words
    if ! python3 scripts/budget.py "$RNG_CPU_LOG" ${!limits:-} >"$LOGS/budget-$stage.txt" 2>&1; then
        [ "$status" -ne 0 ] || [ -z "$budget" ] || status=1
        stage_summary+=$'\n'$(grep '^BUDGET' "$LOGS/budget-$stage.txt")
    fi
    cat "$LOGS/budget-$stage.txt"
    case $status in
        0) result=passed ;;
        77) result=SKIPPED ;;
        *)
            result=FAILED
            failed=$((failed + 1))
            ;;
    esac
    costs=cost_$stage
    for cost in ${!costs:-100 100}; do cost_of_stages_before=$((cost_of_stages_before + cost)); done
    count_cpu
    took="$(elapsed_since "$stage_start"), $((cpu - stage_cpu)) CPU-seconds"
    printf '==== %s: %s in %s\n' "$stage" "$result" "$took"
    summary+="$(printf '%-8s %-8s %s' "$stage" "$result" "${!title} ($took)")"$'\n'"$stage_summary"$'\n'
done

echo "$((cpu - cpu_before)).0 0.0 total scripts/test.sh $*" >"$LOGS/cpu-total.txt"
python3 scripts/budget.py "$LOGS/cpu-total.txt" --total "$total_budget" || [ -z "$budget" ] || failed=$((failed + 1))
printf '\n==== Summary (%s, %s CPU-seconds in all)\n%s' "$(elapsed_since 0)" "$((cpu - cpu_before))" "$summary"
if [ "$failed" -gt 0 ]; then
    echo "$failed of $(wc -w <<<"$stages") stages FAILED; logs are in $LOGS"
    exit 1
fi
