# Installs, as components:
#   rng       the headers, librng, the CMake package, rng.pc, the licence and the contract
#             (and rng::mpi, whose package file is read where it is asked for)
#   stats     librng_stats and its headers, rng-stats.pc
#   program   the program rng, its manual page and what bash completes
# No file names a path of the machine that built it, and an installed tree can be moved.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rng)

# rng_install_component(component targets...): installs and exports targets. rngConfig.cmake takes in what is there.
function(rng_install_component component)
  install(TARGETS ${ARGN} EXPORT rng-${component}-targets COMPONENT ${component}
    ARCHIVE COMPONENT ${component} LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${component}
    RUNTIME COMPONENT ${component})
  install(EXPORT rng-${component}-targets NAMESPACE rng:: DESTINATION ${package_dir} COMPONENT ${component})
endfunction()

# rng.pc and rng-stats.pc find their prefix from their own place.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR includedir_is_absolute)
if(libdir_is_absolute OR includedir_is_absolute)
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()

function(rng_install_pkg_config component name)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()

# ---- rng -------------------------------------------------------------------------------------------------------------

install(DIRECTORY include/rng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT rng
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.inc" PATTERN "stats" EXCLUDE)
rng_install_component(rng rng_core rng_rng)
install(TARGETS rng_mpi EXPORT rng-mpi-targets COMPONENT rng)
install(EXPORT rng-mpi-targets NAMESPACE rng:: DESTINATION ${package_dir} COMPONENT rng)
set(rng_needs_cudart OFF)
if(RNG_NVCC AND NOT BUILD_SHARED_LIBS)
  set(rng_needs_cudart ON)
endif()
configure_package_config_file(cmake/rngConfig.cmake.in ${PROJECT_BINARY_DIR}/rngConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rngConfig.cmake ${PROJECT_BINARY_DIR}/rngConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT rng)
install(FILES LICENSE LICENSES/joe-kuo.txt docs/contract.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT rng)

set(pc_cflags "")
set(pc_libs "")
set(pc_cuda "")
if(BUILD_SHARED_LIBS)
  set(pc_cflags " -DRNG_SHARED")
else()
  if(rng_needs_cudart)  # where NVIDIA's installer puts its libraries; elsewhere: pkg-config --define-variable=cuda_libdir=...
    set(pc_cuda "cuda_libdir=/usr/local/cuda/lib64\n")
    set(pc_libs " -L\${cuda_libdir} -lcudart_static -ldl -lrt")
  endif()
  string(APPEND pc_libs " -pthread")
endif()
rng_install_pkg_config(rng rng)

# ---- stats and program -----------------------------------------------------------------------------------------------

if(TARGET rng_stats)
  # calibration.hpp is of a library that is not installed, since it needs OpenSSL.
  install(DIRECTORY include/rng/stats DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rng COMPONENT stats
    FILES_MATCHING PATTERN "*.hpp" PATTERN "calibration.hpp" EXCLUDE)
  rng_install_component(stats rng_stats)
  rng_install_pkg_config(stats rng-stats)
endif()
if(TARGET rng_program)
  rng_install_component(program rng_program)
  if(NOT CMAKE_CROSSCOMPILING)  # apps/rng/CMakeLists.txt
    install(FILES ${PROJECT_BINARY_DIR}/rng.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    install(FILES ${PROJECT_BINARY_DIR}/rng.bash RENAME rng
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  endif()
endif()
if(TARGET rng_mpi_program)  # apart from rng, which needs no MPI
  install(TARGETS rng_mpi_program RUNTIME COMPONENT mpi_program)
endif()
