# Finds CUDA if it is there. Sets RNG_NVCC (the compiler's path, or empty); it is never required unless RNG_ENABLE_CUDA=ON.

set(RNG_NVCC "")
if(NOT RNG_ENABLE_CUDA MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
  message(FATAL_ERROR "RNG_ENABLE_CUDA must be AUTO, ON or OFF, got ${RNG_ENABLE_CUDA}")
endif()
if(RNG_ENABLE_CUDA STREQUAL "AUTO" OR RNG_ENABLE_CUDA)
  find_program(RNG_NVCC_EXECUTABLE nvcc
    HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda
    PATH_SUFFIXES bin
    DOC "The CUDA compiler")
  mark_as_advanced(RNG_NVCC_EXECUTABLE)
  if(RNG_NVCC_EXECUTABLE)
    set(RNG_NVCC ${RNG_NVCC_EXECUTABLE})
  elseif(NOT RNG_ENABLE_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "RNG_ENABLE_CUDA is ON, but nvcc was not found (set CUDACXX, or RNG_NVCC_EXECUTABLE)")
  endif()
endif()
if(RNG_NVCC)
  message(STATUS "rng: CUDA compiler ${RNG_NVCC}")
else()
  message(STATUS "rng: no CUDA compiler; CUDA is left out")
endif()
