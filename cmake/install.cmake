# Installs the headers, the libraries (rng::stats if it was built), the CMake package and the pkg-config file.

include(CMakePackageConfigHelpers)

set(rng_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rng)

if(TARGET rng_stats)
  set(rng_left_out "")
  install(TARGETS rng_stats EXPORT rngTargets)
else()
  set(rng_left_out PATTERN "stats" EXCLUDE)
endif()
install(DIRECTORY include/rng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc"
  ${rng_left_out})
install(TARGETS rng_core rng_rng EXPORT rngTargets)
install(EXPORT rngTargets NAMESPACE rng:: DESTINATION ${rng_package_dir})
if(TARGET rng_program)
  install(TARGETS rng_program)
endif()

configure_package_config_file(cmake/rngConfig.cmake.in ${PROJECT_BINARY_DIR}/rngConfig.cmake
  INSTALL_DESTINATION ${rng_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rngConfig.cmake ${PROJECT_BINARY_DIR}/rngConfigVersion.cmake
  DESTINATION ${rng_package_dir})

# rng.pc finds its prefix from its own place, so an installed tree can be moved.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR includedir_is_absolute)
if(libdir_is_absolute OR includedir_is_absolute)
  set(rng_pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(rng_pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(rng_pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(rng_pc_prefix "\${pcfiledir}/${up}")
  set(rng_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(rng_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(BUILD_SHARED_LIBS)
  set(rng_pc_cflags " -DRNG_SHARED")
  set(rng_pc_libs "")
else()
  set(rng_pc_cflags "")
  set(rng_pc_libs " -pthread")
  if(RNG_NVCC)
    set(rng_pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -pthread")
  endif()
endif()
configure_file(cmake/rng.pc.in ${PROJECT_BINARY_DIR}/rng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
