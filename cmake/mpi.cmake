# rng::mpi: rng::rng and the MPI with which the caller compiles rng/mpi.hpp. librng has no MPI inside. A project that links rng::mpi
# calls find_package(MPI COMPONENTS CXX) itself; find_package(rng COMPONENTS mpi) does so for it.
# RNG_ENABLE_MPI is for what this project runs over MPI: tests, the example mpi_field, the program rng-mpi and a benchmark.
#   rng_add_mpi_test(name ranks command...)   a test of so many processes. Label: mpi. Without MPI ctest lists it as not run

set(RNG_ENABLE_MPI AUTO CACHE STRING "What runs over MPI (tests, an example, a program, a benchmark): AUTO (in a top-level build, if MPI is found), ON or OFF")
set_property(CACHE RNG_ENABLE_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT RNG_ENABLE_MPI MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
  message(FATAL_ERROR "RNG_ENABLE_MPI must be AUTO, ON or OFF, got ${RNG_ENABLE_MPI}")
endif()
if(RNG_ENABLE_MPI STREQUAL "AUTO")
  if(PROJECT_IS_TOP_LEVEL AND (RNG_BUILD_TESTS OR RNG_BUILD_EXAMPLES OR RNG_BUILD_APPS OR RNG_BUILD_BENCHMARKS))
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
elseif(RNG_ENABLE_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

add_library(rng_mpi INTERFACE)
add_library(rng::mpi ALIAS rng_mpi)
set_target_properties(rng_mpi PROPERTIES EXPORT_NAME mpi)
target_link_libraries(rng_mpi INTERFACE rng_rng MPI::MPI_CXX)

# There are more processes than cores, and those that wait must let others work. Open MPI can be told so. With another MPI they
# spin, and seven ranks on two cores take minutes for what they do in seconds: each test takes a part of its data.
set(RNG_MPIRUN ${MPIEXEC_EXECUTABLE})
set(RNG_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)  # in a container tests may run as root
if(MPI_CXX_FOUND)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE rng_mpi_version ERROR_QUIET)
  if(rng_mpi_version MATCHES "Open MPI|OpenRTE")
    list(APPEND RNG_MPIRUN --oversubscribe --mca mpi_yield_when_idle 1)
  else()
    list(APPEND RNG_MPI_ENVIRONMENT RNG_TEST_SHARE=25)
  endif()
endif()
function(rng_add_mpi_test name ranks)
  if(NOT MPI_CXX_FOUND)
    add_test(NAME ${name} COMMAND mpirun)
    set_tests_properties(${name} PROPERTIES LABELS mpi DISABLED TRUE)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${RNG_MPIRUN} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS mpi TIMEOUT 600 PROCESSORS 2 ENVIRONMENT "${RNG_MPI_ENVIRONMENT}")
endfunction()
