# Compile options. Three sets, each a function of a target:
#   rng_warnings(target)      what every target of this project is compiled with, but in a parent project
#   rng_strict_math(target)   what the compiled library needs for its bits
#   rng_isa(source ISA [FLATTEN])    one source for one instruction set; FLATTEN: its kernels are RNG_FLATTEN
# Sanitizers and link-time optimisation apply to every target made after this file is included.

set(RNG_IS_X86_64 FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(RNG_IS_X86_64 TRUE)
endif()
set(RNG_IS_AARCH64 FALSE)  # little-endian
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(RNG_IS_AARCH64 TRUE)
endif()

function(rng_warnings target)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
    -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wcast-qual -Wformat=2 -Wundef -Wextra-semi)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wduplicated-cond -Wduplicated-branches -Wlogical-op
      -Wno-psabi)  # a note about vector arguments whose ABI changed in GCC 4.6
  else()
    target_compile_options(${target} PRIVATE -Wimplicit-fallthrough -Wunreachable-code -Wnewline-eof
      -Wno-sign-conversion                     # clang counts it to -Wconversion, GCC does not
      -Wno-gnu-zero-variadic-macro-arguments)  # GoogleTest's typed suites use them
  endif()
  if(RNG_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Programs and tests of a build for development are not optimised, which takes them up to half of the time to compile, and
# clang's sanitizers two thirds. The libraries do their work. rng_optimised is for the few whose own code computes for long.
set(RNG_PLAIN_PROGRAMS OFF)
if(RNG_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(RNG_PLAIN_PROGRAMS ON)
endif()
function(rng_optimised target)
  if(RNG_PLAIN_PROGRAMS)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# The bits of the library must not depend on the flags of whoever builds it. These come after CMAKE_CXX_FLAGS on the
# command line, so they win; -fno-fast-math is first because it resets the ones that follow.
set(RNG_STRICT_MATH -fno-fast-math -ffp-contract=off -fno-math-errno -fno-trapping-math)

function(rng_strict_math target)
  target_compile_options(${target} PRIVATE ${RNG_STRICT_MATH})
  target_compile_definitions(${target} PRIVATE RNG_STRICT_MATH=1)  # what lane/scalar.hpp asks
endfunction()

set(RNG_FLAGS_avx2 -mavx2 -mfma)
set(RNG_FLAGS_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma -mprefer-vector-width=512)

# The kernels are templates over vector types: without optimisation each operation is a call, and tests of 2^20 values
# take minutes. So they get -O2 in every configuration (measured: -O3 is no faster); a sanitizer build keeps its own level,
# since its reports are worth more than its speed.
function(rng_isa source isa)
  set(flags ${RNG_FLAGS_${isa}})
  if(NOT RNG_SANITIZE)
    list(APPEND flags -O2)
    # Clang 19 inlines what is always_inline before it simplifies it: samplers over four registers took 13 GB. Its other
    # inliner works from the inside out: 0.3 GB. With this limit it leaves nothing as a call, so fills are as fast.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      list(APPEND flags -DRNG_NO_INLINE=1 -mllvm -inline-threshold=100000)
    elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")  # g++ then compiles in two fifths of the time, and tests take as long as before
      list(APPEND flags -DRNG_NO_INLINE=1)
    elseif("FLATTEN" IN_LIST ARGN)  # half the time and memory: core/config.hpp tells why
      list(APPEND flags -DRNG_NO_INLINE=1 -DRNG_FLATTENED=1)
    endif()
  endif()
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${flags})
endfunction()

if(RNG_SANITIZE)
  add_compile_options(-fsanitize=${RNG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RNG_SANITIZE})
  add_compile_definitions(RNG_NO_INLINE=1 RNG_NO_UNROLL=1)  # include/rng/core/config.hpp tells why
endif()

if(RNG_ENABLE_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
