# rng::mpi: rng::rng and the MPI with which the caller compiles rng/mpi.hpp. librng has no MPI inside. A project that links rng::mpi
# calls find_package(MPI COMPONENTS CXX) itself; find_package(rng COMPONENTS mpi) does so for it.
# RNG_ENABLE_MPI is for the tests over MPI alone.

set(RNG_ENABLE_MPI AUTO CACHE STRING "Tests over MPI: AUTO (in a top-level build, if MPI is found), ON or OFF")
set_property(CACHE RNG_ENABLE_MPI PROPERTY STRINGS AUTO ON OFF)
if(NOT RNG_ENABLE_MPI MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
  message(FATAL_ERROR "RNG_ENABLE_MPI must be AUTO, ON or OFF, got ${RNG_ENABLE_MPI}")
endif()
if(RNG_ENABLE_MPI STREQUAL "AUTO")
  if(PROJECT_IS_TOP_LEVEL AND RNG_BUILD_TESTS)
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
elseif(RNG_ENABLE_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

add_library(rng_mpi INTERFACE)
add_library(rng::mpi ALIAS rng_mpi)
set_target_properties(rng_mpi PROPERTIES EXPORT_NAME mpi)
target_link_libraries(rng_mpi INTERFACE rng_rng MPI::MPI_CXX)
