# Finds CUDA if it is there. Sets RNG_NVCC (the compiler's path, or empty); it is never required unless RNG_ENABLE_CUDA=ON.
# A parent project gets no CUDA backend that it did not ask for: not all that have an nvcc want to wait for it.

set(RNG_NVCC "")
if(NOT RNG_ENABLE_CUDA MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
  message(FATAL_ERROR "RNG_ENABLE_CUDA must be AUTO, ON or OFF, got ${RNG_ENABLE_CUDA}")
endif()
set(is_wanted ${RNG_ENABLE_CUDA})
if(RNG_ENABLE_CUDA STREQUAL "AUTO")
  set(is_wanted OFF)
  if(PROJECT_IS_TOP_LEVEL OR CMAKE_CUDA_COMPILER)
    set(is_wanted ON)
  endif()
endif()
if(is_wanted)
  find_program(RNG_NVCC_EXECUTABLE nvcc
    HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda
    PATH_SUFFIXES bin
    DOC "The CUDA compiler")
  mark_as_advanced(RNG_NVCC_EXECUTABLE)
  if(RNG_NVCC_EXECUTABLE)
    set(CUDAToolkit_ROOT "" CACHE PATH "Where CUDA is installed")
    if(NOT CUDAToolkit_ROOT)
      cmake_path(GET RNG_NVCC_EXECUTABLE PARENT_PATH bin)
      cmake_path(GET bin PARENT_PATH CUDAToolkit_ROOT)
    endif()
    find_package(CUDAToolkit QUIET)
  endif()
  if(RNG_NVCC_EXECUTABLE AND TARGET CUDA::cudart_static)
    set(RNG_NVCC ${RNG_NVCC_EXECUTABLE})
  elseif(NOT RNG_ENABLE_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR
      "RNG_ENABLE_CUDA is ON, but nvcc or its runtime library was not found (set CUDACXX, or RNG_NVCC_EXECUTABLE)")
  endif()
endif()
if(RNG_NVCC)
  include(${CMAKE_CURRENT_LIST_DIR}/cuda_architectures.cmake)
  rng_cuda_architectures("${RNG_CUDA_ARCHITECTURES}" ${RNG_NVCC} RNG_CUDA_ARCHITECTURES)
  list(JOIN RNG_CUDA_ARCHITECTURES " " architectures)
  message(STATUS "rng: CUDA compiler ${RNG_NVCC}, for ${architectures} (RNG_CUDA_ARCHITECTURES; virtual: PTX alone)")
elseif(NOT is_wanted)
  message(STATUS "rng: CUDA is left out${RNG_CUDA_LEFT_OUT}; RNG_ENABLE_CUDA=ON takes it in")
else()
  message(STATUS "rng: no CUDA compiler; CUDA is left out")
endif()

# rng_cuda_compile(source object [OPTIMISED | RARE]): the rule that compiles a .cu file; sets `object` to the name of what it makes.
# nvcc is called as a program, and CUDA is no language of the project: a project that links librng then need not know of it. A build
# for development compiles in a third of the time what is not OPTIMISED. Kernels then spill registers, so nvcc does not warn of that;
# parity.sass does. Kernels that are RARE, many and used least, are compiled in half of the time in every build.
function(rng_cuda_compile source result)
  rng_cuda_gencode("${RNG_CUDA_ARCHITECTURES}" gencode)
  set(compression "")  # kernels take an eighth of the space, and a moment when a process first uses them
  if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13)
    set(compression -Xfatbin -compress-all --compress-mode=size)
  endif()
  set(warnings -Xcompiler=-Wall,-Wextra,-Wno-psabi)
  set(optimisation -O1)  # of the host's code, which launches; kernels are optimised in full
  if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT "OPTIMISED" IN_LIST ARGN)
    list(APPEND optimisation -Ofc=max)
  elseif(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13 AND "RARE" IN_LIST ARGN)
    list(APPEND optimisation -Ofc=min)
  else()
    list(APPEND warnings -Xptxas=--warn-on-spills)
  endif()
  if(RNG_WERROR)
    list(APPEND warnings -Werror=all-warnings -Xcompiler=-Werror)
  endif()
  cmake_path(GET source STEM name)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu.o)
  cmake_path(ABSOLUTE_PATH source)
  # -fmad=false: the maps are written so that nothing can be contracted; this makes sure.
  add_custom_command(OUTPUT ${object}
    COMMAND ${RNG_CPU_TIME_OF_SOURCE} ${RNG_NVCC} -std=c++20 ${optimisation} -fmad=false -ccbin ${CMAKE_CXX_COMPILER} -I${PROJECT_SOURCE_DIR}/include
      -Xcompiler=-fPIC,-fvisibility=hidden,-fvisibility-inlines-hidden -DRNG_BUILDING=1
      "$<$<BOOL:${BUILD_SHARED_LIBS}>:-DRNG_SHARED=1>" ${warnings} ${gencode} ${compression}
      -MD -MF ${object}.d -o ${object} -c ${source}
    DEPENDS ${source}
    DEPFILE ${object}.d
    COMMENT "Building CUDA object ${name}.cu.o"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${result} ${object} PARENT_SCOPE)
endfunction()

# rng_cuda_link(target object...): adds such objects to a target.
function(rng_cuda_link target)
  target_sources(${target} PRIVATE ${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()
