# shellcheck shell=bash disable=SC2034
# Sourced by the other scripts: makes sure that Debian packages are installed.
#
#   need_packages PACKAGE...      installs what is missing, or prints the line that does and stops
#   want_packages PACKAGE...      installs what is missing and can be had; says what is left out
#
#   python_environment DIR [FILE] makes a virtual environment with the packages that FILE pins (python/requirements-test.txt)
#   need_cmake                    stops if CMake is older than CMakeLists.txt asks, and says how to get a newer one
#   cores                         prints how many processors there are
#
# Installing needs root, or sudo without a password. On a system without apt the packages' names are printed and the script goes
# on: configuring says what is missing.

readonly PACKAGES_QUICKSTART="g++ cmake ninja-build libcli11-dev"
readonly PACKAGES_BUILD="$PACKAGES_QUICKSTART libboost-math-dev libssl-dev nlohmann-json3-dev"
readonly PACKAGES_TEST="$PACKAGES_BUILD binutils groff-base python3 pkg-config libgtest-dev libbenchmark-dev
    libboost-dev libboost-random-dev librandom123-dev libeigen3-dev libblas-dev python3-numpy gfortran"
# The headers of Python and its virtual environments, for the Python package.
readonly PACKAGES_PYTHON="python3-dev python3-venv"
# The other compilers of the tests; clang's sanitizers are in libclang-rt.
readonly PACKAGES_COMPILERS="clang-14 clang-19 clang-format-14"
# For examples/web: WebAssembly, and a JavaScript engine that runs it.
readonly PACKAGES_WEB="nodejs lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc"
# For the stage arm: another machine under emulation.
readonly PACKAGES_ARM="g++-aarch64-linux-gnu qemu-user"
# For scripts/test.sh --full: linkers and archivers for link-time optimisation with clang, other machines and AVX-512 under
# emulation.
readonly PACKAGES_FULL="lld-14 lld-19 llvm-14 llvm-19 $PACKAGES_ARM g++-riscv64-linux-gnu g++-s390x-linux-gnu
    g++-i686-linux-gnu libsimde-dev"

# For the stage mpi: two implementations, whose compilers and launchers Debian tells apart by name.
readonly PACKAGES_MPI="openmpi-bin libopenmpi-dev mpich libmpich-dev"

readonly CMAKE_LEAST=3.22 # as in CMakeLists.txt

cores() {
    nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2
}

python_environment() {
    local log=$1.log
    mkdir -p "$(dirname "$1")"
    { { [ -x "$1/bin/python" ] || python3 -m venv "$1"; } &&
        "$1/bin/python" -m pip install --disable-pip-version-check -q -r "${2:-python/requirements-test.txt}"; } >"$log" 2>&1 || {
        tail -n 5 "$log"
        return 1
    }
}

need_cmake() {
    local version
    version=$(cmake --version 2>/dev/null | awk 'NR == 1 { print $3 }')
    if [ -z "$version" ]; then
        echo "cmake was not found: rng needs CMake $CMAKE_LEAST or newer (python3 -m pip install cmake)" >&2
        exit 1
    fi
    if ! awk -v have="$version" -v least="$CMAKE_LEAST" \
        'BEGIN { split(have, h, "."); split(least, l, "."); exit !(h[1] > l[1] || (h[1] == l[1] && h[2] >= l[2])) }'; then
        echo "cmake is $version: rng needs CMake $CMAKE_LEAST or newer (python3 -m pip install cmake)" >&2
        exit 1
    fi
}

missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

apt_as_root() {
    local sudo=
    [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

can_install() {
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

# The packages among "$@" that apt can install.
available_packages() {
    local package
    for package in "$@"; do
        case "$(apt-cache policy "$package" 2>/dev/null | sed -n 's/^  Candidate: //p')" in
            "" | "(none)") ;;
            *) echo "$package" ;;
        esac
    done
}

install_packages() {
    local log
    log=$(mktemp)
    echo "Installing: $*"
    if ! apt_as_root install -y --no-install-recommends "$@" >"$log" 2>&1; then
        cat "$log"
        rm -f "$log"
        echo "apt-get could not install: $*" >&2
        return 1
    fi
    rm -f "$log"
}

packages_updated=
update_packages() {
    [ -n "$packages_updated" ] || apt_as_root update >/dev/null 2>&1 || echo "apt-get update failed; going on with the lists at hand"
    packages_updated=yes
}

need_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "No apt here; what Debian calls these packages must be installed: $*"
        return 0
    fi
    local missing
    missing=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    if ! can_install; then
        echo "These packages are missing, and installing them needs root. Please run:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y ${missing% }" >&2
        exit 1
    fi
    update_packages
    # shellcheck disable=SC2086  # the names are words
    install_packages $missing || exit 1
}

want_packages() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || return 0
    local missing available package
    missing=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    if ! can_install; then
        echo "Left out, since installing needs root (sudo apt-get install -y ${missing% })"
        return 0
    fi
    update_packages
    # shellcheck disable=SC2086
    available=$(available_packages $missing | tr '\n' ' ')
    for package in $missing; do
        case " $available" in
            *" $package "*) ;;
            *) echo "Left out: apt has no package $package here" ;;
        esac
    done
    # shellcheck disable=SC2086
    [ -z "$available" ] || install_packages $available || echo "Left out: ${available% }"
}
